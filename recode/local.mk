noinst_LTLIBRARIES += recode/librecode.la
recode_librecode_la_SOURCES = recode/recode.h recode/recode_internal.h recode/search_internal.h recode/whole_internal.h recode/subdefine.c recode/freedom.c \
  recode/relayout.c recode/build.c recode/game.c recode/search.c recode/search_coders.c recode/search_joint.c recode/search_report.c \
  recode/search_diagrams.c recode/search_layouts.c recode/latency_model.c recode/whole.c recode/verify.c recode/statistics.c recode/dump.c
EXTRA_DIST += recode/README.md
