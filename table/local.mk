noinst_LTLIBRARIES += table/libtable.la
table_libtable_la_SOURCES = table/table.h table/table_internal.h table/registry.c table/value.c table/exact.c table/load.c \
  table/container.c table/open.c table/subdefine.c table/relayout.c table/joint.c table/build.c
table_libtable_la_SOURCES += table/lookup.h table/tables.c table/quiet.h table/quiet.c table/probe_internal.h table/probe.c table/probe_dtm.c table/whole.h table/whole.c table/verify.c table/dump.c
table_libtable_la_SOURCES += table/game.c
EXTRA_DIST += table/README.md
table_libtable_la_SOURCES += table/search_internal.h table/trials.c table/latency_model.c table/latency_model.inc table/search.c table/search_coders.c table/search_joint.c table/search_report.c table/search_layouts.c table/search_diagrams.c table/values_internal.h table/values.c table/values_open.c
