# .sda files, which libsubdef offers by coded/
noinst_LTLIBRARIES += array/libsda.la
array_libsda_la_SOURCES = \
  array/array.h \
  array/array_internal.h \
  array/build.c \
  array/open.c \
  array/shape.c \
  array/source.c
# plain files to and from them, for the programs
noinst_LIBRARIES += array/libarray.a
array_libarray_a_SOURCES = \
  array/cubes.c \
  array/npy.c \
  array/npy.h \
  array/pla.c \
  array/pla.h \
  array/pla_read.c \
  array/plain.c
EXTRA_DIST += array/README.md
