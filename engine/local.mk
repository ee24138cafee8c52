noinst_LTLIBRARIES += engine/libengine.la
engine_libengine_la_SOURCES = engine/probe.h engine/fathom.h engine/engine.c
EXTRA_DIST += engine/README.md
# <subdef/probe.h> and <subdef/fathom.h>
subdefincludedir = $(includedir)/subdef
subdefinclude_HEADERS = engine/probe.h engine/fathom.h

# The library that engines link: what a probe of a table of the project's own codecs needs, and nothing else. No encoder,
# no OpenMP, no compression library.
lib_LTLIBRARIES += libsubdef-probe.la
libsubdef_probe_la_SOURCES = \
  base/bytes.c \
  base/error.c \
  base/file.c \
  base/words.c \
  chess/attacks.c \
  chess/castling.c \
  chess/fen.c \
  chess/material.c \
  chess/moves.c \
  chess/position.c \
  chess/unmoves.c \
  codecs/blocks/absent.c \
  codecs/codecs.c \
  codecs/entropy/huffman.c \
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
  codecs/trees/decode.c \
  codecs/trees/model.c \
  codecs/trees/walk.c \
  engine/engine.c \
  indexer/indexer.c \
  indexer/layout.c \
  indexer/rows.c \
  obdd/ef.c \
  obdd/hops.c \
  obdd/nodes.c \
  obdd/plan.c \
  obdd/read.c \
  obdd/vars.c \
  obdd/ways.c \
  probe/probe.c \
  probe/quiet.c \
  probe/restore.c \
  probe/tables.c \
  repair/access.c \
  repair/decode.c \
  repair/fractions.c \
  repair/model.c \
  repair/repair.c \
  repair/written.c \
  table/coding.c \
  table/format.c \
  table/game.c \
  table/metric.c \
  table/open.c \
  table/value.c
libsubdef_probe_la_CPPFLAGS = -I$(top_srcdir) $(XXHASH_CFLAGS) -DSD_DECODERS_ONLY -DSD_API=
libsubdef_probe_la_CFLAGS = $(SD_PROBE_CFLAGS) -ffunction-sections -fdata-sections
libsubdef_probe_la_LIBADD = $(XXHASH_LIBS)
libsubdef_probe_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 0:0:0
if HAVE_VERSIONS
# some of these files also hold small functions of encoders, which are dropped
libsubdef_probe_la_LDFLAGS += -Wl,--gc-sections -Wl,--version-script=$(srcdir)/libsubdef-probe.map
endif
libsubdef_probe_la_DEPENDENCIES = libsubdef-probe.map
EXTRA_DIST += libsubdef-probe.map
# the Python module needs nothing to be built, and looks for the library above the folder where it is installed
if HAVE_PYTHON
python_DATA = engine/subdef.py
endif
EXTRA_DIST += engine/subdef.py
