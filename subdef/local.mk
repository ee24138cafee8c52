noinst_LTLIBRARIES += subdef/libsets.la
subdef_libsets_la_SOURCES = \
  subdef/alphabet.c \
  subdef/entropy.c \
  subdef/initial.c \
  subdef/initial_bounds.c \
  subdef/initial_constant.c \
  subdef/initial_edges.c \
  subdef/initial_full.c \
  subdef/initial_left.c \
  subdef/initial_ternary.c \
  subdef/initials.def \
  subdef/sequence.c \
  subdef/subdef.h \
  subdef/subdef_internal.h
EXTRA_DIST += subdef/README.md
