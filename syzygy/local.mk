noinst_LTLIBRARIES += syzygy/libsyzygy.la
syzygy_libsyzygy_la_SOURCES = syzygy/syzygy.h syzygy/index.c syzygy/header.c syzygy/pairs.c syzygy/probe.c syzygy/checksum.c
EXTRA_DIST += syzygy/README.md
