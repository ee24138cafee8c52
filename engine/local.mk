noinst_LTLIBRARIES += engine/libengine.la
sd_engine_read = \
  engine/engine.c \
  engine/root.c \
  engine/values.c
engine_libengine_la_SOURCES = $(sd_engine_read) engine/engine_internal.h engine/fathom.h engine/probe.h
EXTRA_DIST += engine/README.md
# <subdef/probe.h> and <subdef/fathom.h>
subdefincludedir = $(includedir)/subdef
subdefinclude_HEADERS = engine/probe.h engine/fathom.h

# The library that engines link: what a probe of a table of the project's own codecs needs, and nothing else. No encoder,
# no OpenMP, no compression library. Each room lists its own files of it.
lib_LTLIBRARIES += libsubdef-probe.la
libsubdef_probe_la_SOURCES = \
  $(sd_base_read) \
  $(sd_chess_read) \
  $(sd_codecs_read) \
  $(sd_codecs_only_read) \
  $(sd_engine_read) \
  $(sd_indexer_read) \
  $(sd_obdd_read) \
  $(sd_probe_read) \
  $(sd_repair_read) \
  $(sd_syzygy_read) \
  $(sd_table_read)
libsubdef_probe_la_CPPFLAGS = -I$(top_srcdir) $(XXHASH_CFLAGS) -DSD_DECODERS_ONLY
libsubdef_probe_la_CFLAGS = $(SD_PROBE_CFLAGS) -ffunction-sections -fdata-sections
libsubdef_probe_la_LIBTOOLFLAGS = --tag=CC # static, too (configure.ac)
libsubdef_probe_la_LIBADD = $(XXHASH_LIBS)
libsubdef_probe_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 0:0:0
if HAVE_VERSIONS
# some of these files also hold small functions of encoders, which are dropped
libsubdef_probe_la_LDFLAGS += -Wl,--gc-sections -Wl,--version-script=$(srcdir)/libsubdef-probe.map
endif
libsubdef_probe_la_DEPENDENCIES = libsubdef-probe.map
EXTRA_DIST += libsubdef-probe.map
