noinst_LTLIBRARIES += syzygy/libsyzygy.la
# what libsubdef-probe compiles, too (engine/local.mk)
sd_syzygy_read = \
  syzygy/checksum.c \
  syzygy/header.c \
  syzygy/index.c \
  syzygy/pairs.c
syzygy_libsyzygy_la_SOURCES = \
  $(sd_syzygy_read) \
  syzygy/encode.c \
  syzygy/order.c \
  syzygy/probe.c \
  syzygy/syzygy.h \
  syzygy/syzygy_write.h \
  syzygy/write.c \
  syzygy/write_compare.c \
  syzygy/write_dtz.c \
  syzygy/write_meaning.c \
  syzygy/write_slots.c
EXTRA_DIST += syzygy/README.md
