noinst_LTLIBRARIES += obdd/libobdd.la
obdd_libobdd_la_SOURCES = \
  obdd/build.c \
  obdd/candidates.c \
  obdd/clusters.c \
  obdd/clusters_internal.h \
  obdd/cover.c \
  obdd/ef.c \
  obdd/ef_internal.h \
  obdd/hops.c \
  obdd/kristensen/kristensen.c \
  obdd/kristensen/kristensen_internal.h \
  obdd/kristensen/paths.c \
  obdd/kristensen/root.c \
  obdd/merge.c \
  obdd/merge_internal.h \
  obdd/nodes.c \
  obdd/nodes_internal.h \
  obdd/nodes_write.c \
  obdd/obdd.c \
  obdd/obdd_internal.h \
  obdd/pairs.c \
  obdd/plain.c \
  obdd/plain_part.c \
  obdd/plan.c \
  obdd/polish.c \
  obdd/read.c \
  obdd/read_internal.h \
  obdd/sets.c \
  obdd/sift.c \
  obdd/starts.c \
  obdd/vars.c \
  obdd/ways.c \
  obdd/write.c
EXTRA_DIST += obdd/README.md
