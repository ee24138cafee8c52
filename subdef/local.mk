noinst_LTLIBRARIES += subdef/libsets.la
subdef_libsets_la_SOURCES = subdef/subdef.h subdef/alphabet.c subdef/sequence.c subdef/initial.c
EXTRA_DIST += subdef/README.md
