noinst_LTLIBRARIES += probe/libprobe.la
probe_libprobe_la_SOURCES = \
  probe/exact.c \
  probe/exact_internal.h \
  probe/load.c \
  probe/lookup_internal.h \
  probe/place.c \
  probe/probe.c \
  probe/probe.h \
  probe/quiet.c \
  probe/quiet_internal.h \
  probe/restore.c \
  probe/restore_internal.h \
  probe/settle.c \
  probe/tables.c \
  probe/values.c \
  probe/values_internal.h \
  probe/values_open.c
EXTRA_DIST += probe/README.md
