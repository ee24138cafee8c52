noinst_LTLIBRARIES += table/libtable.la
table_libtable_la_SOURCES = table/value.h table/metric.h table/table.h table/table_internal.h table/lost.h table/value.c table/metric.c table/coding.c table/container.c table/format.c table/open.c \
  table/joint.c table/game.c table/syzygy.c
EXTRA_DIST += table/README.md
