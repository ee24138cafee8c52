noinst_LTLIBRARIES += experiments/libexperiments.la
experiments_libexperiments_la_SOURCES = experiments/experiments.h experiments/experiments_internal.h experiments/sweep_values.h \
  experiments/cell.h experiments/report_internal.h experiments/quote.h experiments/row_check.h experiments/sweep_values.c experiments/sweep_read.c experiments/sweep.c \
  experiments/cell.c experiments/latency.c experiments/store.c experiments/stats.c experiments/provenance.c experiments/best.c \
  experiments/quote.c experiments/row_check.c experiments/report_styles.c experiments/report_curves.c experiments/report_gnuplot.c \
  experiments/report_sums.c experiments/report_gains.c experiments/report_doc.c experiments/report_figures.c experiments/report_tables.c experiments/report.c
nodist_experiments_libexperiments_la_SOURCES = experiments/commit.h
EXTRA_DIST += experiments/README.md
experiments_libexperiments_la_CPPFLAGS = $(AM_CPPFLAGS) $(GSL_CFLAGS) $(SQLITE_CFLAGS) $(CONFIG_CFLAGS) \
  -DSD_GNUPLOT='"$(GNUPLOT)"' -DSD_BUILD_FLAGS='"$(CFLAGS)"'

# The commit that a build was made from; the file changes only when the commit does. Tarballs have none.
experiments/commit.h: experiments-commit
	@$(MKDIR_P) experiments; commit=unknown; \
	if test -e $(top_srcdir)/.git; then \
	  commit=`cd $(top_srcdir) && git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown`; fi; \
	echo "#define SD_COMMIT \"$$commit\"" > experiments/commit.h.new; \
	if cmp -s experiments/commit.h.new experiments/commit.h; then rm -f experiments/commit.h.new; \
	else mv -f experiments/commit.h.new experiments/commit.h; fi
experiments-commit:
.PHONY: experiments-commit
$(experiments_libexperiments_la_OBJECTS): | experiments/commit.h
CLEANFILES += experiments/commit.h
