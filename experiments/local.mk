noinst_LTLIBRARIES += experiments/libexperiments.la
experiments_libexperiments_la_SOURCES = experiments/experiments.h experiments/sweep.c
EXTRA_DIST += experiments/README.md
experiments_libexperiments_la_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS) $(SQLITE_CFLAGS) $(CONFIG_CFLAGS)
