noinst_LTLIBRARIES += obdd/libobdd.la
# what libsubdef-probe compiles, too (engine/local.mk)
sd_obdd_read = \
  obdd/ef.c \
  obdd/hops.c \
  obdd/nodes.c \
  obdd/plan.c \
  obdd/read.c \
  obdd/vars.c \
  obdd/ways.c
obdd_libobdd_la_SOURCES = \
  $(sd_obdd_read) \
  obdd/build.c \
  obdd/candidates.c \
  obdd/clusters.c \
  obdd/clusters_internal.h \
  obdd/cover.c \
  obdd/ef_internal.h \
  obdd/kristensen/kristensen.c \
  obdd/kristensen/kristensen_internal.h \
  obdd/kristensen/paths.c \
  obdd/kristensen/root.c \
  obdd/hits.c \
  obdd/merge.c \
  obdd/merge_internal.h \
  obdd/nodes_internal.h \
  obdd/nodes_write.c \
  obdd/number.c \
  obdd/obdd.c \
  obdd/obdd_internal.h \
  obdd/pairs.c \
  obdd/plain.c \
  obdd/plain_part.c \
  obdd/plain_sort.c \
  obdd/polish.c \
  obdd/read_internal.h \
  obdd/sets.c \
  obdd/sift.c \
  obdd/starts.c \
  obdd/write.c
EXTRA_DIST += obdd/README.md
