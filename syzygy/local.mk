noinst_LTLIBRARIES += syzygy/libsyzygy.la
syzygy_libsyzygy_la_SOURCES = syzygy/syzygy.h syzygy/index.c syzygy/header.c
EXTRA_DIST += syzygy/README.md
