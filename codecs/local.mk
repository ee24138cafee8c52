noinst_LTLIBRARIES += codecs/libcodecs.la
codecs_libcodecs_la_SOURCES = codecs/codec.h codecs/codec.c codecs/guard.c codecs/settings.c codecs/pieces.c codecs/pieces_internal.h codecs/clusters.c codecs/clusters_internal.h codecs/window.c codecs/cached.c codecs/store.c codecs/blocks.c codecs/blocks_read.c \
  codecs/blocks_internal.h codecs/lzma.c codecs/lzma_block.c codecs/lzma_internal.h codecs/huffman.c codecs/rans.c codecs/starts.c \
  codecs/huffman_stream.c codecs/huffman_read.c codecs/huffman_model.c codecs/huffman_internal.h \
  codecs/rle.c codecs/rle_read.c codecs/rle_internal.h codecs/range_coder.h \
  codecs/trees/trees.h codecs/trees/trees_internal.h codecs/trees/model.c codecs/trees/walk.c codecs/trees/grow.c \
  codecs/trees/encode.c codecs/trees/decode.c
if HAVE_ZSTD
codecs_libcodecs_la_SOURCES += codecs/zstd.c
endif
if HAVE_BROTLI
codecs_libcodecs_la_SOURCES += codecs/brotli.c
endif
if HAVE_ZLIB
codecs_libcodecs_la_SOURCES += codecs/zlib.c
endif
if HAVE_BZIP2
codecs_libcodecs_la_SOURCES += codecs/bzip2.c
endif
if HAVE_LZ4
codecs_libcodecs_la_SOURCES += codecs/lz4.c
endif
EXTRA_DIST += codecs/README.md
codecs_libcodecs_la_LIBADD = $(LZMA_LIBS) $(CODEC_LIBS)
