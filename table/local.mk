noinst_LTLIBRARIES += table/libtable.la
table_libtable_la_SOURCES = table/table.h table/table_internal.h table/registry.c table/value.c table/exact.c table/load.c
EXTRA_DIST += table/README.md
