# Sweep files; installed so that an installed program can run them.
if TOOLS
nobase_dist_pkgdata_DATA = papers/best-wdl-3-4.csv papers/best-dtm-3-4.csv papers/demo.conf papers/repair/table1.conf papers/repair/blocks.conf papers/repair/orders.conf papers/repair/orders-5.conf papers/repair/numberings.conf papers/repair/estimate.conf papers/repair/codecs.conf papers/staircase/staircase.conf \
  papers/repair/wdl-3-4.csv papers/repair/dtm-3-4.csv papers/repair/wdl-one-sided-3-4.csv papers/repair/orders-wdl.csv papers/repair/orders-dtm.csv papers/repair/table1.csv \
  papers/repair/wdl-5.csv papers/repair/published.csv papers/repair/five.conf papers/repair/table1-5.conf papers/repair/table1-5.csv
endif
EXTRA_DIST += papers/columns.awk papers/README.md papers/repair/README.md papers/repair/dtm.md papers/staircase/README.md papers/staircase/staircase.awk papers/limits/README.md papers/limits/run.sh papers/limits/ladder.awk papers/limits/ladder.gp papers/limits/limits.csv papers/repair/codecs.awk papers/repair/orders.awk papers/repair/table1.awk
EXTRA_DIST += papers/retrograde/README.md papers/retrograde/estimates.awk papers/retrograde/five.awk papers/retrograde/five.csv papers/retrograde/run.sh papers/retrograde/report.awk papers/retrograde/speed.awk papers/retrograde/speed.csv \
  papers/retrograde/kristensen.csv papers/retrograde/measured.csv papers/retrograde/balance.sh papers/retrograde/balance.awk \
  papers/retrograde/balance.gp papers/retrograde/balance.csv papers/retrograde/balance-speed.svg papers/retrograde/balance-efficiency.svg
if TOOLS
nobase_dist_pkgdata_DATA += papers/obdd/gains.conf papers/obdd/legality.conf papers/obdd/wdl-3-4.csv papers/obdd/dtm-3-4.csv
endif
EXTRA_DIST += papers/obdd/README.md papers/obdd/legality.csv papers/obdd/unreachable.csv papers/obdd/nodes.csv papers/obdd/wdl-two-streams-3-4.csv papers/obdd/gains.awk papers/obdd/sizes.awk papers/obdd/kristensen.csv
EXTRA_DIST += papers/published/README.md papers/published/published.csv papers/published/ours.csv papers/published/measure.sh papers/published/measure.conf papers/published/ours.awk papers/published/beside.awk
