noinst_LTLIBRARIES += base/libbase.la
base_libbase_la_SOURCES = base/base.h base/error.c base/bytes.c base/file.c base/eta.h base/eta.c \
  base/file_internal.h base/outfile.c base/text.h base/text.c base/words.h base/words.c
EXTRA_DIST += base/README.md
base_libbase_la_LIBADD = $(XXHASH_LIBS)
