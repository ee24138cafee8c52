noinst_LIBRARIES += array/libarray.a
array_libarray_a_SOURCES = \
  array/array.h \
  array/array_internal.h \
  array/build.c \
  array/npy.c \
  array/npy.h \
  array/open.c \
  array/pla.c \
  array/pla.h \
  array/pla_read.c \
  array/plain.c \
  array/shape.c \
  array/source.c
EXTRA_DIST += array/README.md
