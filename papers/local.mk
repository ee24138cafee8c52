# Sweep files; installed so that an installed program can run them.
if TOOLS
nobase_dist_pkgdata_DATA = papers/best-wdl-3-4.csv papers/best-dtm-3-4.csv papers/demo.conf papers/repair/table1.conf papers/repair/blocks.conf papers/repair/orders.conf papers/repair/orders-5.conf papers/repair/numberings.conf papers/repair/estimate.conf papers/repair/codecs.conf papers/staircase/staircase.conf \
  papers/repair/wdl-3-4.csv papers/repair/dtm-3-4.csv papers/repair/wdl-one-sided-3-4.csv papers/repair/orders-wdl.csv papers/repair/orders-dtm.csv papers/repair/table1.csv \
  papers/repair/wdl-5.csv papers/repair/published.csv papers/repair/five.conf papers/repair/table1-5.conf papers/repair/table1-5.csv \
  papers/repair/access.conf papers/repair/final.conf papers/repair/huffman.conf papers/repair/index.conf papers/repair/initial.conf papers/repair/choices.conf \
  papers/repair/ternary.conf
endif
# Pages, rows, scripts and figures, whole folders.
EXTRA_DIST += papers/README.md papers/columns.awk papers/rows.awk papers/pages.sh papers/papers.sh papers/figures.sh \
  papers/dtm.sql papers/endings.sql papers/sums.sql papers/times.sql papers/wdl.sql \
  papers/limits papers/obdd papers/orders papers/probes papers/published papers/repair papers/retrograde papers/staircase papers/syzygy \
  papers/transposition
if TOOLS
nobase_dist_pkgdata_DATA += papers/obdd/gains.conf papers/obdd/legality.conf papers/obdd/kristensen.conf papers/obdd/wdl-3-4.csv papers/obdd/dtm-3-4.csv
endif
if TOOLS
nobase_dist_pkgdata_DATA += papers/orders/orders.conf papers/syzygy/metrics.conf papers/syzygy/metrics-50.conf
endif

# Measures what papers/ holds once more, beside its pages: half an hour on two cores, with FULL=1 also what takes hours (papers/papers.sh). Goes on where it was.
if TOOLS
papers: tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT) libsubdef.la
	LIBRARY='$(abs_builddir)/.libs/libsubdef.a' CC='$(CC) -fopenmp' LIBS='$(CODEC_LIBS) $(LZMA_LIBS) $(XXHASH_LIBS) $(LIBS)' \
	  $(SHELL) '$(srcdir)/papers/papers.sh' papers-work tools/subdef$(EXEEXT) $(if $(FULL),full)
endif
# Writes the figures that stand on the pages of papers/ and in the README anew from the kept rows.
papers-pages:
	$(SHELL) '$(srcdir)/papers/pages.sh'
papers-figures:
	$(SHELL) '$(srcdir)/papers/figures.sh'
.PHONY: papers papers-pages papers-figures
