noinst_LTLIBRARIES += recode/librecode.la
recode_librecode_la_SOURCES = \
  recode/best/budget_code.c \
  recode/best/budget_internal.h \
  recode/best/budget_next.c \
  recode/best/budget_samples.c \
  recode/best/latency_model.c \
  recode/best/sampled_layouts.c \
  recode/best/search.c \
  recode/best/search_budget.c \
  recode/best/search_codecs.c \
  recode/best/search_diagrams.c \
  recode/best/search_internal.h \
  recode/best/search_joint.c \
  recode/best/search_layouts.c \
  recode/best/search_report.c \
  recode/build.c \
  recode/dump.c \
  recode/estimate.c \
  recode/freedom/sources.c \
  recode/freedom/subdefine.c \
  recode/game.c \
  recode/parts.c \
  recode/parts_folder.c \
  recode/recode.h \
  recode/recode_internal.h \
  recode/relayout.c \
  recode/sample.c \
  recode/statistics.c \
  recode/verify/verify.c \
  recode/verify/whole.c \
  recode/verify/whole_internal.h
EXTRA_DIST += recode/README.md
