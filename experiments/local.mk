if TOOLS
noinst_LTLIBRARIES += experiments/libexperiments.la
endif
experiments_libexperiments_la_SOURCES = experiments/experiments.h experiments/experiments_internal.h experiments/sweep_values.h \
  experiments/cell.h experiments/report_internal.h experiments/sweep_values.c experiments/sweep_read.c experiments/sweep_internal.h experiments/sweep.c experiments/sweep_plan.c experiments/sweep_work.c experiments/sweep_time.h experiments/sweep_time.c \
  experiments/cell.c experiments/latency.c experiments/store_internal.h experiments/store.c experiments/store_schema.c experiments/store_runs.c experiments/store_claims.c experiments/stats.c experiments/provenance.c experiments/best.c \
  experiments/quote.h experiments/quote.c experiments/row_check.h experiments/row_check.c experiments/report_styles.c experiments/report_curves.c experiments/report_gnuplot.c experiments/report_runs.c \
  experiments/report_sums.c experiments/report_gains.c experiments/report_doc.c experiments/report_figures.c experiments/report_tables.c experiments/report.c
nodist_experiments_libexperiments_la_SOURCES = experiments/build.h
EXTRA_DIST += experiments/README.md
experiments_libexperiments_la_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS) $(SQLITE_CFLAGS) $(CONFIG_CFLAGS) \
  -DSD_GNUPLOT='"$(GNUPLOT)"'

# What a build was made from: the commit, the flags that the compiler really gets (a word of the shell each, as the compiler
# sees them), configure's arguments. The file changes only when they do. Tarballs have no commit.
experiments/build.h: experiments-build
	@$(MKDIR_P) experiments; commit=unknown; \
	if test -e $(top_srcdir)/.git; then \
	  commit=`cd $(top_srcdir) && git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown`; fi; \
	set x $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS); shift; \
	{ printf 'SD_COMMIT %s\n' "$$commit"; printf 'SD_FLAGS %s\n' "$$*"; \
	  printf 'SD_CONFIGURE %s\n' "`./config.status --config`"; } | \
	  sed 's/[\\"]/\\&/g; s/^\([A-Z_]*\) \(.*\)/#define \1 "\2"/' > experiments/build.h.new; \
	if cmp -s experiments/build.h.new experiments/build.h; then rm -f experiments/build.h.new; \
	else mv -f experiments/build.h.new experiments/build.h; fi
experiments-build:
.PHONY: experiments-build
$(experiments_libexperiments_la_OBJECTS): | experiments/build.h
CLEANFILES += experiments/build.h
