noinst_LTLIBRARIES += engine/libengine.la
engine_libengine_la_SOURCES = engine/probe.h engine/fathom.h engine/engine.c
EXTRA_DIST += engine/README.md
# <subdef/probe.h> and <subdef/fathom.h>
subdefincludedir = $(includedir)/subdef
subdefinclude_HEADERS = engine/probe.h engine/fathom.h

# The library that engines link: what a probe of a table of the project's own codecs needs, and nothing else. No encoder,
# no OpenMP, no compression library.
lib_LTLIBRARIES += libsubdef-probe.la
libsubdef_probe_la_SOURCES = engine/engine.c probe/tables.c probe/probe.c probe/restore.c probe/quiet.c \
  table/value.c table/metric.c table/coding.c table/format.c table/open.c table/game.c \
  repair/repair.c repair/decode.c repair/access.c repair/written.c repair/model.c repair/fractions.c \
  obdd/read.c obdd/nodes.c obdd/ef.c obdd/plan.c obdd/ways.c obdd/hops.c obdd/vars.c \
  codecs/codecs.c codecs/store.c codecs/rle/rle_read.c codecs/huffman/huffman_read.c codecs/huffman/huffman_model.c \
  codecs/trees/decode.c codecs/trees/model.c codecs/trees/walk.c codecs/blocks/absent.c \
  codecs/entropy/huffman.c codecs/entropy/rans.c codecs/entropy/starts.c \
  codecs/stream/codec.c codecs/stream/guard.c codecs/stream/pieces.c codecs/stream/clusters.c codecs/stream/window.c \
  indexer/layout.c indexer/indexer.c indexer/rows.c \
  chess/attacks.c chess/position.c chess/fen.c chess/castling.c chess/moves.c chess/unmoves.c chess/material.c base/error.c base/bytes.c base/file.c base/words.c
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
