noinst_LTLIBRARIES += base/libbase.la
# what libsubdef-probe compiles, too (engine/local.mk)
sd_base_read = \
  base/bytes.c \
  base/error.c \
  base/file.c \
  base/sort.c \
  base/words.c
base_libbase_la_SOURCES = \
  $(sd_base_read) \
  base/base.h \
  base/eta.c \
  base/eta.h \
  base/file_internal.h \
  base/lock.c \
  base/memory.c \
  base/outfile.c \
  base/parts.c \
  base/parts.h \
  base/text.c \
  base/text.h \
  base/words.h
EXTRA_DIST += base/README.md
base_libbase_la_LIBADD = $(XXHASH_LIBS)
