noinst_LTLIBRARIES += codecs/libcodecs.la
# what libsubdef-probe compiles, too (engine/local.mk)
sd_codecs_read = \
  codecs/codecs.c \
  codecs/entropy/canonical_code.c \
  codecs/entropy/rans.c \
  codecs/entropy/starts.c \
  codecs/huffman/huffman_model.c \
  codecs/huffman/huffman_read.c \
  codecs/rle/rle_read.c \
  codecs/store.c \
  codecs/stream/clusters.c \
  codecs/stream/codec.c \
  codecs/stream/guard.c \
  codecs/stream/pieces.c \
  codecs/stream/window.c \
  codecs/trees/averages.c \
  codecs/trees/decode.c \
  codecs/trees/model.c \
  codecs/trees/walk.c
codecs_libcodecs_la_SOURCES = \
  $(sd_codecs_read) \
  codecs/blocks/blocks.c \
  codecs/blocks/blocks.h \
  codecs/blocks/blocks_internal.h \
  codecs/blocks/blocks_read.c \
  codecs/blocks/cached.c \
  codecs/blocks/lzma.c \
  codecs/codecs.def \
  codecs/codecs.h \
  codecs/entropy/coded_blocks.h \
  codecs/entropy/entropy.h \
  codecs/entropy/range_coder.h \
  codecs/entropy/rans_encode.c \
  codecs/huffman/huffman_internal.h \
  codecs/huffman/huffman_stream.c \
  codecs/rle/rle.c \
  codecs/rle/rle_internal.h \
  codecs/row.h \
  codecs/runs/fdr.c \
  codecs/runs/golomb.c \
  codecs/runs/runs.c \
  codecs/runs/runs_internal.h \
  codecs/runs/runs_read.c \
  codecs/store_encode.c \
  codecs/store_internal.h \
  codecs/stream/encode.c \
  codecs/stream/pieces_encode.c \
  codecs/stream/settings.c \
  codecs/stream/stream.h \
  codecs/stream/stream_internal.h \
  codecs/trees/blocks.c \
  codecs/trees/choose.c \
  codecs/trees/encode.c \
  codecs/trees/encoder_internal.h \
  codecs/trees/grow.c \
  codecs/trees/pass.c \
  codecs/trees/trees_internal.h
# what only libsubdef-probe compiles
sd_codecs_only_read = codecs/blocks/absent.c
if HAVE_ZSTD
codecs_libcodecs_la_SOURCES += codecs/blocks/zstd.c
endif
if HAVE_BROTLI
codecs_libcodecs_la_SOURCES += codecs/blocks/brotli.c
endif
if HAVE_ZLIB
codecs_libcodecs_la_SOURCES += codecs/blocks/zlib.c
endif
if HAVE_BZIP2
codecs_libcodecs_la_SOURCES += codecs/blocks/bzip2.c
endif
if HAVE_LZ4
codecs_libcodecs_la_SOURCES += codecs/blocks/lz4.c
endif
EXTRA_DIST += codecs/README.md
codecs_libcodecs_la_LIBADD = $(LZMA_LIBS) $(CODEC_LIBS)
