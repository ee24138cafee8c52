noinst_LTLIBRARIES += syzygy/libsyzygy.la
syzygy_libsyzygy_la_SOURCES = syzygy/syzygy.h syzygy/index.c syzygy/header.c syzygy/pairs.c syzygy/probe.c syzygy/checksum.c \
  syzygy/syzygy_write.h syzygy/encode.c syzygy/order.c syzygy/write.c syzygy/write_compare.c syzygy/write_dtz.c syzygy/write_meaning.c syzygy/write_slots.c
EXTRA_DIST += syzygy/README.md
