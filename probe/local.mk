noinst_LTLIBRARIES += probe/libprobe.la
probe_libprobe_la_SOURCES = \
  probe/lookup_internal.h \
  probe/place.c \
  probe/probe.c \
  probe/probe.h \
  probe/quiet.c \
  probe/quiet_internal.h \
  probe/restore.c \
  probe/restore_internal.h \
  probe/tables.c
EXTRA_DIST += probe/README.md
