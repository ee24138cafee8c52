noinst_LTLIBRARIES += table/libtable.la
# what libsubdef-probe compiles, too (engine/local.mk)
sd_table_read = \
  table/coding.c \
  table/format.c \
  table/game.c \
  table/metric.c \
  table/sdt_read.c \
  table/syzygy.c \
  table/value.c
table_libtable_la_SOURCES = \
  $(sd_table_read) \
  table/sdt_write.c \
  table/joint.c \
  table/lost.h \
  table/map.c \
  table/metric.h \
  table/table.h \
  table/table_internal.h \
  table/value.h
EXTRA_DIST += table/README.md
