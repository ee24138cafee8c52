noinst_LTLIBRARIES += probe/libprobe.la
# what libsubdef-probe compiles, too (engine/local.mk)
sd_probe_read = \
  probe/evident.c \
  probe/failures.c \
  probe/probe.c \
  probe/quiet.c \
  probe/restore.c \
  probe/tables.c
probe_libprobe_la_SOURCES = \
  $(sd_probe_read) \
  probe/lookup_internal.h \
  probe/place.c \
  probe/probe.h \
  probe/probing_internal.h \
  probe/restore_internal.h
EXTRA_DIST += probe/README.md
