bin_PROGRAMS += tools/subdef tools/subdef-gen
tools_subdef_SOURCES = tools/main.c tools/tools_internal.h
tools_subdef_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS) $(SQLITE_CFLAGS) $(CONFIG_CFLAGS)
tools_subdef_LDADD = experiments/libexperiments.la libsubdef.la $(GSL_LIBS) $(SQLITE_LIBS) $(CONFIG_LIBS)
tools_subdef_gen_SOURCES = tools/subdef_gen.c
tools_subdef_gen_LDADD = gen/libgen.la libsubdef.la $(MPI_LIBS)
EXTRA_DIST += tools/README.md
