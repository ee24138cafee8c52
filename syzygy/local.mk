noinst_LTLIBRARIES += syzygy/libsyzygy.la
syzygy_libsyzygy_la_SOURCES = syzygy/syzygy.h syzygy/index.c syzygy/header.c \
  syzygy/syzygy_write.h syzygy/encode.c syzygy/write_slots.c syzygy/order.c
EXTRA_DIST += syzygy/README.md
