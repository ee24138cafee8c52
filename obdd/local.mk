noinst_LTLIBRARIES += obdd/libobdd.la
obdd_libobdd_la_SOURCES = obdd/obdd_internal.h obdd/ef_internal.h obdd/obdd.c obdd/vars.c obdd/pairs.c obdd/plain.c \
  obdd/sets.c obdd/merge_internal.h obdd/merge.c obdd/cover.c obdd/candidates.c obdd/build.c obdd/sift.c obdd/polish.c obdd/starts.c obdd/ef.c obdd/nodes_internal.h obdd/nodes.c obdd/nodes_write.c obdd/write.c obdd/clusters_internal.h obdd/clusters.c obdd/plain_part.c \
  obdd/read_internal.h obdd/read.c obdd/plan.c obdd/ways.c obdd/hops.c \
  obdd/kristensen/kristensen_internal.h obdd/kristensen/kristensen.c obdd/kristensen/root.c obdd/kristensen/paths.c
EXTRA_DIST += obdd/README.md
