noinst_LTLIBRARIES += indexer/libindexer.la
# what libsubdef-probe compiles, too (engine/local.mk)
sd_indexer_read = \
  indexer/indexer.c \
  indexer/layout.c \
  indexer/rows.c
indexer_libindexer_la_SOURCES = \
  $(sd_indexer_read) \
  indexer/legal.c \
  indexer/indexer.h \
  indexer/indexer_internal.h
EXTRA_DIST += indexer/README.md
