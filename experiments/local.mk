if TOOLS
noinst_LIBRARIES += experiments/libexperiments.a
endif
experiments_libexperiments_a_SOURCES = \
  experiments/experiments.h \
  experiments/limits/conditional.c \
  experiments/limits/limits.c \
  experiments/limits/limits.h \
  experiments/limits/limits_internal.h \
  experiments/limits/mixing.c \
  experiments/query/csv.c \
  experiments/query/first.c \
  experiments/query/query.c \
  experiments/query/query.h \
  experiments/query/query_file.c \
  experiments/query/query_internal.h \
  experiments/query/query_two.c \
  experiments/query/words.c \
  experiments/report/best.c \
  experiments/report/figures/bars.c \
  experiments/report/figures/figures.c \
  experiments/report/figures/figures.h \
  experiments/report/figures/front.c \
  experiments/report/figures/gnuplot.c \
  experiments/report/figures/heat.c \
  experiments/report/figures/labels.c \
  experiments/report/figures/lines.c \
  experiments/report/figures/page.c \
  experiments/report/figures/plot.c \
  experiments/report/figures/steps.c \
  experiments/report/report.c \
  experiments/report/report.h \
  experiments/report/report_compare.c \
  experiments/report/report_doc.c \
  experiments/report/report_internal.h \
  experiments/report/report_parts.c \
  experiments/report/report_query.c \
  experiments/report/report_styles.c \
  experiments/report/report_tex.c \
  experiments/run/axes.c \
  experiments/run/cell.c \
  experiments/run/cell_array.c \
  experiments/run/conf.c \
  experiments/run/conf_exclude.c \
  experiments/run/conf_internal.h \
  experiments/run/effort.c \
  experiments/run/latency.c \
  experiments/run/provenance.c \
  experiments/run/run.h \
  experiments/run/run_internal.h \
  experiments/run/sample.c \
  experiments/run/sweep.c \
  experiments/run/sweep_clerk.c \
  experiments/run/sweep_list.c \
  experiments/run/sweep_plan.c \
  experiments/run/sweep_read.c \
  experiments/run/sweep_text.c \
  experiments/run/sweep_time.c \
  experiments/run/sweep_work.c \
  experiments/statistics/functions.c \
  experiments/statistics/statistics.c \
  experiments/statistics/statistics.h \
  experiments/store/alike.c \
  experiments/store/quote.c \
  experiments/store/row_check.c \
  experiments/store/settings.c \
  experiments/store/store.c \
  experiments/store/store.h \
  experiments/store/store_claims.c \
  experiments/store/store_failures.c \
  experiments/store/store_internal.h \
  experiments/store/store_merge.c \
  experiments/store/store_runs.c \
  experiments/store/store_schema.c
nodist_experiments_libexperiments_a_SOURCES = \
  experiments/build.h \
  experiments/report/figures/style.inc
EXTRA_DIST += experiments/README.md $(sd_report_page) experiments/report/figures/style.gp

# the style of all figures as a text in C
experiments/report/figures/style.inc: experiments/report/figures/style.gp
	$(AM_V_GEN)$(MKDIR_P) experiments/report/figures; sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' $(srcdir)/experiments/report/figures/style.gp > $@.new && mv $@.new $@
CLEANFILES += experiments/report/figures/style.inc

experiments_libexperiments_a_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS) $(SQLITE_CFLAGS) $(CONFIG_CFLAGS) $(JANSSON_CFLAGS) \
  -DSD_GNUPLOT='"$(GNUPLOT)"'

# the style and the script of a report's page as texts in C
sd_report_page = experiments/report/page.css experiments/report/page.js
sd_report_texts = experiments/report/page.css.inc experiments/report/page.js.inc \
  experiments/query/lines.sql.inc experiments/query/runs.sql.inc experiments/query/compare.sql.inc \
  experiments/report/parts.inc
sd_as_text = sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/'
experiments/report/page.css.inc: experiments/report/page.css
	$(AM_V_GEN)$(MKDIR_P) experiments/report; $(sd_as_text) $(srcdir)/experiments/report/page.css > $@.new && mv $@.new $@
experiments/report/page.js.inc: experiments/report/page.js
	$(AM_V_GEN)$(MKDIR_P) experiments/report; $(sd_as_text) $(srcdir)/experiments/report/page.js > $@.new && mv $@.new $@

# the tables that queries ask, and the queries that the report is made of, as texts in C; the latter are installed, to be read and copied
sd_parts = \
  experiments/report/parts/05-headlines.sql \
  experiments/report/parts/07-measured.sql \
  experiments/report/parts/10-best.sql \
  experiments/report/parts/15-published.sql \
  experiments/report/parts/16-access.sql \
  experiments/report/parts/17-blocks.sql \
  experiments/report/parts/18-orders.sql \
  experiments/report/parts/19-heat.sql \
  experiments/report/parts/20-sizes.sql \
  experiments/report/parts/25-two-way.sql \
  experiments/report/parts/30-pairs.sql \
  experiments/report/parts/31-pairs-tables.sql \
  experiments/report/parts/35-staircase.sql \
  experiments/report/parts/36-staircase.sql \
  experiments/report/parts/40-latency.sql \
  experiments/report/parts/45-gains.sql \
  experiments/report/parts/46-fits.sql \
  experiments/report/parts/47-outliers.sql \
  experiments/report/parts/48-scatter.sql \
  experiments/report/parts/50-orders.sql \
  experiments/report/parts/51-agreement.sql \
  experiments/report/parts/60-failures.sql \
  experiments/report/parts/80-runs.sql \
  experiments/report/parts/81-last-run.sql \
  experiments/report/parts/82-sources.sql
sd_compare_parts = \
  experiments/report/compare/10-measures.sql \
  experiments/report/compare/20-differences.sql \
  experiments/report/compare/30-runs.sql \
  experiments/report/compare/40-cells.sql
sd_query_tables = experiments/query/lines.sql experiments/query/runs.sql experiments/query/compare.sql
EXTRA_DIST += $(sd_query_tables) $(sd_compare_parts)
if TOOLS
sdpartsdir = $(pkgdatadir)/report
dist_sdparts_DATA = $(sd_parts)
endif
experiments/query/lines.sql.inc: experiments/query/lines.sql
	$(AM_V_GEN)$(MKDIR_P) experiments/query; $(sd_as_text) $(srcdir)/experiments/query/lines.sql > $@.new && mv $@.new $@
experiments/query/runs.sql.inc: experiments/query/runs.sql
	$(AM_V_GEN)$(MKDIR_P) experiments/query; $(sd_as_text) $(srcdir)/experiments/query/runs.sql > $@.new && mv $@.new $@
experiments/query/compare.sql.inc: experiments/query/compare.sql
	$(AM_V_GEN)$(MKDIR_P) experiments/query; $(sd_as_text) $(srcdir)/experiments/query/compare.sql > $@.new && mv $@.new $@
experiments/report/parts.inc: $(sd_parts) $(sd_compare_parts)
	$(AM_V_GEN)$(MKDIR_P) experiments/report; for f in $(sd_parts) $(sd_compare_parts); do \
	  echo "{ \"`basename \`dirname $$f\``\", \"`basename $$f`\","; $(sd_as_text) $(srcdir)/$$f || exit 1; echo '},'; done \
	  > $@.new && mv $@.new $@
CLEANFILES += $(sd_report_texts)

# What a build was made from: the commit, the flags that the compiler really gets (a word of the shell each, as the compiler
# sees them), configure's arguments. The file changes only when they do; its draft has a
# name of its own for each make, since two may run at once (tests that install). Tarballs have no commit.
experiments/build.h: experiments-build
	@$(MKDIR_P) experiments; commit=unknown; new=experiments/build.h.$$$$; \
	if test -e $(top_srcdir)/.git; then \
	  commit=`cd $(top_srcdir) && git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown`; fi; \
	set x $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS); shift; \
	{ printf 'SD_COMMIT %s\n' "$$commit"; printf 'SD_FLAGS %s\n' "$$*"; \
	  printf 'SD_CONFIGURE %s\n' "`./config.status --config`"; } | \
	  sed 's/[\\"]/\\&/g; s/^\([A-Z_]*\) \(.*\)/#define \1 "\2"/' > $$new; \
	if cmp -s $$new experiments/build.h; then rm -f $$new; \
	else mv -f $$new experiments/build.h; fi
experiments-build:
.PHONY: experiments-build
$(experiments_libexperiments_a_OBJECTS): | experiments/build.h experiments/report/figures/style.inc $(sd_report_texts)
CLEANFILES += experiments/build.h
