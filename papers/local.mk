# Sweep files; installed so that an installed program can run them.
if TOOLS
nobase_dist_pkgdata_DATA = papers/best-wdl-3-4.csv papers/best-dtm-3-4.csv papers/demo.conf papers/repair/table1.conf papers/repair/blocks.conf papers/repair/orders.conf papers/repair/orders-5.conf papers/repair/numberings.conf papers/repair/estimate.conf papers/repair/codecs.conf papers/staircase/staircase.conf \
  papers/repair/wdl-3-4.csv papers/repair/dtm-3-4.csv papers/repair/wdl-one-sided-3-4.csv papers/repair/orders-wdl.csv papers/repair/orders-dtm.csv papers/repair/table1.csv \
  papers/repair/wdl-5.csv papers/repair/published.csv papers/repair/five.conf papers/repair/table1-5.conf papers/repair/table1-5.csv \
  papers/repair/access.conf papers/repair/final.conf papers/repair/huffman.conf papers/repair/index.conf
endif
EXTRA_DIST += papers/columns.awk papers/README.md papers/repair/README.md papers/repair/dtm.md papers/staircase/README.md papers/staircase/figure.awk papers/staircase/staircase.gp papers/staircase/staircase.svg papers/staircase/staircase.awk papers/staircase/cells.awk papers/staircase/staircase.csv papers/limits/README.md papers/limits/run.sh papers/limits/ladder.awk papers/limits/ladder.gp papers/limits/limits.csv papers/limits/ladder.svg papers/repair/codecs.awk papers/repair/orders.awk papers/repair/table1.awk
EXTRA_DIST += papers/papers.sh papers/figures.sh papers/repair/access.awk papers/repair/access.csv papers/repair/access.gp papers/repair/access.svg papers/repair/blocks.awk papers/repair/blocks.gp papers/repair/blocks.svg papers/repair/captures.awk papers/repair/captures.csv papers/repair/captures.sh \
  papers/repair/cold.awk papers/repair/cold.c papers/repair/cold.csv papers/repair/cold.sh papers/repair/final.awk papers/repair/final.csv papers/repair/history.awk papers/repair/history.csv papers/repair/huffman.awk papers/repair/huffman.csv papers/repair/index.awk papers/repair/index.csv \
  papers/repair/one-sided.awk papers/repair/width.awk papers/repair/width.csv papers/repair/width.py
EXTRA_DIST += papers/retrograde/README.md papers/retrograde/estimates.awk papers/retrograde/five.awk papers/retrograde/five.csv papers/retrograde/run.sh papers/retrograde/report.awk papers/retrograde/slots.awk papers/retrograde/speed.awk papers/retrograde/speed.csv \
  papers/retrograde/kristensen.csv papers/retrograde/measured.csv papers/retrograde/balance.sh papers/retrograde/balance.awk papers/retrograde/beside.sh papers/retrograde/beside.awk papers/retrograde/beside.csv \
  papers/retrograde/balance.gp papers/retrograde/balance.csv papers/retrograde/balance-speed.svg papers/retrograde/balance-efficiency.svg
if TOOLS
nobase_dist_pkgdata_DATA += papers/obdd/gains.conf papers/obdd/legality.conf papers/obdd/kristensen.conf papers/obdd/wdl-3-4.csv papers/obdd/dtm-3-4.csv
endif
EXTRA_DIST += papers/obdd/README.md papers/obdd/figure.awk papers/obdd/sizes.gp papers/obdd/sizes.svg papers/obdd/legality.csv papers/obdd/unreachable.csv papers/obdd/unreachable.c papers/obdd/unreachable-variants.csv papers/obdd/variants.awk papers/obdd/nodes.csv papers/obdd/wdl-two-streams-3-4.csv papers/obdd/gains.awk papers/obdd/sizes.awk papers/obdd/steps.awk papers/obdd/steps.csv papers/obdd/kristensen.csv
EXTRA_DIST += papers/published/README.md papers/published/figure.awk papers/published/ratios.gp papers/published/ratios.svg papers/published/published.csv papers/published/ours.csv papers/published/measure.sh papers/published/measure.conf papers/published/ours.awk papers/published/beside.awk
EXTRA_DIST += papers/syzygy/README.md papers/syzygy/figure.awk papers/syzygy/shares.gp papers/syzygy/shares.svg papers/syzygy/recompressed.csv papers/syzygy/recompressed_high.csv papers/syzygy/recompressed.awk papers/syzygy/exported.sh papers/syzygy/exported.csv papers/syzygy/stockfish.py papers/syzygy/positions.py papers/syzygy/positions.awk papers/syzygy/positions.csv papers/syzygy/metrics.awk papers/syzygy/metrics.csv papers/syzygy/pawns.c papers/syzygy/pawns.awk papers/syzygy/pawns.csv papers/syzygy/cursed.py
EXTRA_DIST += papers/transposition/README.md papers/transposition/run.sh papers/transposition/transposition.awk papers/transposition/codes.csv papers/transposition/policies.csv papers/transposition/policies.gp papers/transposition/policies.svg papers/transposition/depth.csv
EXTRA_DIST += papers/probes/README.md papers/probes/figure.awk papers/probes/medians.gp papers/probes/medians.svg papers/probes/run.sh papers/probes/fathom.c papers/probes/fathom.awk papers/probes/fathom.csv \
  papers/probes/positions.h papers/probes/cold.c papers/probes/cold.awk papers/probes/cold.csv
EXTRA_DIST += papers/orders/README.md papers/orders/figure.awk papers/orders/orders.gp papers/orders/orders.svg papers/orders/orders.awk papers/orders/rule.awk papers/orders/orders.csv
if TOOLS
nobase_dist_pkgdata_DATA += papers/orders/orders.conf papers/syzygy/metrics.conf papers/syzygy/metrics-50.conf
endif

# Measures what papers/ holds once more, beside its pages: half an hour on two cores, with FULL=1 all of it (papers/papers.sh). Goes on where it was.
if TOOLS
papers: tools/subdef$(EXEEXT) tools/subdef-gen$(EXEEXT) libsubdef.la
	LIBRARY='$(abs_builddir)/.libs/libsubdef.a' CC='$(CC) -fopenmp' LIBS='$(CODEC_LIBS) $(LZMA_LIBS) $(XXHASH_LIBS) $(LIBS)' \
	  $(SHELL) '$(srcdir)/papers/papers.sh' papers-work tools/subdef$(EXEEXT) $(if $(FULL),full)
endif
papers-figures:
	$(SHELL) '$(srcdir)/papers/figures.sh'
.PHONY: papers papers-figures
