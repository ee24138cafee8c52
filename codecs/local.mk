noinst_LTLIBRARIES += codecs/libcodecs.la
codecs_libcodecs_la_SOURCES = codecs/codec.h codecs/codec.c codecs/settings.c codecs/store.c codecs/lzma.c codecs/lzma_block.c \
  codecs/lzma_internal.h codecs/huffman.c
EXTRA_DIST += codecs/README.md
codecs_libcodecs_la_LIBADD = $(LZMA_LIBS)
