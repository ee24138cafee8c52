# Sweep files; installed so that an installed program can run them.
if TOOLS
nobase_dist_pkgdata_DATA = \
  papers/best-dtm-3-4.csv \
  papers/best-wdl-3-4.csv \
  papers/best-wdl-5.csv \
  papers/demo.conf \
  papers/front/front.conf \
  papers/repair/access.conf \
  papers/repair/blocks.conf \
  papers/repair/choices.conf \
  papers/repair/codecs.conf \
  papers/repair/dtm-3-4.csv \
  papers/repair/estimate.conf \
  papers/repair/final.conf \
  papers/repair/five.conf \
  papers/repair/huffman.conf \
  papers/repair/index.conf \
  papers/repair/initial.conf \
  papers/repair/numberings.conf \
  papers/repair/orders-5.conf \
  papers/repair/orders-dtm.csv \
  papers/repair/orders-wdl.csv \
  papers/repair/orders.conf \
  papers/repair/published.csv \
  papers/repair/table1-5.conf \
  papers/repair/table1-5.csv \
  papers/repair/table1.conf \
  papers/repair/table1.csv \
  papers/repair/ternary.conf \
  papers/repair/wdl-3-4.csv \
  papers/repair/wdl-5.csv \
  papers/repair/wdl-one-sided-3-4.csv \
  papers/sampled/error.conf \
  papers/sampled/error.csv \
  papers/sampled/table1.conf \
  papers/sampled/table1.csv \
  papers/staircase/staircase.conf
endif
# What only comparisons need, for the programs and their tests. "subdef simulate" itself is papers/retrograde/simulate/command.c.
if TOOLS
noinst_LIBRARIES += papers/libretrograde.a
else
check_LIBRARIES += papers/libretrograde.a
endif
papers_libretrograde_a_SOURCES = \
  papers/retrograde/simulate/simulate.c \
  papers/retrograde/simulate/simulate.h \
  papers/retrograde/simulate/traffic.c \
  papers/retrograde/solvers/forward.c \
  papers/retrograde/solvers/forward_internal.h \
  papers/retrograde/solvers/forward_setup.c \
  papers/retrograde/solvers/sequential.c \
  papers/retrograde/solvers/solvers.c \
  papers/retrograde/solvers/solvers.h
# Programs of single comparisons; they use internals. Built here so that they keep compiling.
sd_papers_programs = papers/obdd/squares papers/obdd/unreachable papers/repair/cold papers/syzygy/pawns
check_PROGRAMS += $(sd_papers_programs)
papers_obdd_squares_LDADD = libsubdef-internal.la
papers_obdd_unreachable_LDADD = libsubdef-internal.la
papers_repair_cold_LDADD = libsubdef-internal.la
papers_syzygy_pawns_LDADD = libsubdef-internal.la
# Pages, rows, scripts and figures, whole folders.
EXTRA_DIST += \
  papers/README.md \
  papers/ask.sh \
  papers/best.sh \
  papers/dtm.sql \
  papers/endings.sql \
  papers/five \
  papers/figures.sh \
  papers/front \
  papers/fuzz \
  papers/limits \
  papers/budget \
  papers/memory \
  papers/sets \
  papers/cubes \
  papers/pla \
  papers/obdd \
  papers/orders \
  papers/parts \
  papers/pages.sh \
  papers/papers.sh \
  papers/probes \
  papers/published \
  papers/repair \
  papers/retrograde \
  papers/sampled \
  papers/serve \
  papers/staircase \
  papers/sums.sql \
  papers/syzygy \
  papers/threads \
  papers/times.sql \
  papers/transposition \
  papers/trees \
  papers/wdl.sql
if TOOLS
nobase_dist_pkgdata_DATA += \
  papers/obdd/checks.conf \
  papers/obdd/dtm-3-4.csv \
  papers/obdd/gains.conf \
  papers/obdd/kristensen.conf \
  papers/obdd/legality.conf \
  papers/obdd/wdl-3-4.csv
endif
if TOOLS
nobase_dist_pkgdata_DATA += \
  papers/orders/orders.conf \
  papers/syzygy/metrics-50.conf \
  papers/syzygy/metrics.conf
endif

# Measures what papers/ holds once more, beside its pages: half an hour on two cores, with FULL=1 also what takes hours (papers/papers.sh). Goes on where it was.
if TOOLS
papers: tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT) papers/repair/cold$(EXEEXT)
	COLD='$(abs_builddir)/papers/repair/cold$(EXEEXT)' \
	  $(SHELL) '$(srcdir)/papers/papers.sh' papers-work tools/subdef$(EXEEXT) $(if $(FULL),full)
endif
# Writes the figures that stand on the pages of papers/ and in the README anew from the kept rows.
papers-pages:
	$(SHELL) '$(srcdir)/papers/pages.sh'
papers-figures:
	$(SHELL) '$(srcdir)/papers/figures.sh'
.PHONY: papers papers-pages papers-figures
