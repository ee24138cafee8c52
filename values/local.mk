noinst_LTLIBRARIES += values/libvalues.la
values_libvalues_la_SOURCES = \
  values/blocks.c \
  values/compare.c \
  values/exact.c \
  values/load.c \
  values/open.c \
  values/packed.c \
  values/settle.c \
  values/values.c \
  values/values.h \
  values/values_internal.h
EXTRA_DIST += values/README.md
