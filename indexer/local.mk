noinst_LTLIBRARIES += indexer/libindexer.la
indexer_libindexer_la_SOURCES = \
  indexer/indexer.c \
  indexer/indexer.h \
  indexer/indexer_internal.h \
  indexer/layout.c \
  indexer/rows.c
EXTRA_DIST += indexer/README.md
