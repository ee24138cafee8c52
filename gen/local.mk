noinst_LTLIBRARIES += gen/libgen.la
gen_libgen_la_SOURCES = gen/gen.h gen/solver.c gen/transport_self.c
EXTRA_DIST += gen/README.md
gen_libgen_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
