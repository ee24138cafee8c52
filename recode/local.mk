noinst_LTLIBRARIES += recode/librecode.la
recode_librecode_la_SOURCES = \
  recode/build.c \
  recode/dump.c \
  recode/freedom.c \
  recode/game.c \
  recode/latency_model.c \
  recode/recode.h \
  recode/recode_internal.h \
  recode/relayout.c \
  recode/search.c \
  recode/search_codecs.c \
  recode/search_diagrams.c \
  recode/search_internal.h \
  recode/search_joint.c \
  recode/search_layouts.c \
  recode/search_report.c \
  recode/statistics.c \
  recode/subdefine.c \
  recode/verify.c \
  recode/whole.c \
  recode/whole_internal.h
EXTRA_DIST += recode/README.md
