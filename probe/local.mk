noinst_LTLIBRARIES += probe/libprobe.la
probe_libprobe_la_SOURCES = probe/probe.h probe/exact_internal.h probe/lookup.h probe/probe_internal.h probe/quiet.h \
  probe/values_internal.h probe/tables.c probe/probe.c probe/probe_dtm.c probe/quiet.c probe/exact.c probe/load.c probe/values.c \
  probe/values_open.c
EXTRA_DIST += probe/README.md
