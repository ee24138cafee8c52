noinst_LTLIBRARIES += syzygy/libsyzygy.la
syzygy_libsyzygy_la_SOURCES = \
  syzygy/checksum.c \
  syzygy/encode.c \
  syzygy/header.c \
  syzygy/index.c \
  syzygy/order.c \
  syzygy/pairs.c \
  syzygy/probe.c \
  syzygy/syzygy.h \
  syzygy/syzygy_write.h \
  syzygy/write.c \
  syzygy/write_compare.c \
  syzygy/write_dtz.c \
  syzygy/write_meaning.c \
  syzygy/write_slots.c
EXTRA_DIST += syzygy/README.md
