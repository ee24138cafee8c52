noinst_LTLIBRARIES += array/libarray.la
array_libarray_la_SOURCES = array/array.h array/array_internal.h array/shape.c array/plain.c array/npy.h array/npy.c array/source.c array/pla.h array/pla_read.c array/pla.c array/open.c array/build.c
EXTRA_DIST += array/README.md
