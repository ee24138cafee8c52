noinst_LTLIBRARIES += table/libtable.la
table_libtable_la_SOURCES = \
  table/coding.c \
  table/container.c \
  table/format.c \
  table/game.c \
  table/joint.c \
  table/lost.h \
  table/map.c \
  table/metric.c \
  table/metric.h \
  table/open.c \
  table/syzygy.c \
  table/table.h \
  table/table_internal.h \
  table/value.c \
  table/value.h
EXTRA_DIST += table/README.md
