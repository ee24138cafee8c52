noinst_LTLIBRARIES += indexer/libindexer.la
indexer_libindexer_la_SOURCES = indexer/indexer.h indexer/layout.c indexer/indexer_internal.h indexer/indexer.c indexer/rows.c
EXTRA_DIST += indexer/README.md
