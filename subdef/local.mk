noinst_LTLIBRARIES += subdef/libsets.la
subdef_libsets_la_SOURCES = subdef/subdef.h subdef/alphabet.c subdef/sequence.c subdef/entropy.c subdef/initial.c subdef/initials.def \
  subdef/initial_constant.c subdef/initial_left.c subdef/initial_ternary.c subdef/initial_full.c subdef/initial_bounds.c subdef/initial_edges.c subdef/subdef_internal.h
EXTRA_DIST += subdef/README.md
