noinst_LTLIBRARIES += table/libtable.la
table_libtable_la_SOURCES = table/table.h table/registry.c
EXTRA_DIST += table/README.md
