noinst_LTLIBRARIES += base/libbase.la
base_libbase_la_SOURCES = \
  base/base.h \
  base/bytes.c \
  base/error.c \
  base/eta.c \
  base/eta.h \
  base/file.c \
  base/file_internal.h \
  base/outfile.c \
  base/text.c \
  base/text.h \
  base/words.c \
  base/words.h
EXTRA_DIST += base/README.md
base_libbase_la_LIBADD = $(XXHASH_LIBS)
