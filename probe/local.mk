noinst_LTLIBRARIES += probe/libprobe.la
probe_libprobe_la_SOURCES = probe/probe.h probe/exact_internal.h probe/lookup_internal.h probe/restore_internal.h probe/quiet_internal.h \
  probe/values_internal.h probe/tables.c probe/place.c probe/probe.c probe/restore.c probe/quiet.c probe/exact.c probe/load.c probe/settle.c probe/values.c \
  probe/values_open.c
EXTRA_DIST += probe/README.md
