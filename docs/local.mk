EXTRA_DIST += docs/architecture.md docs/checkpoint.md docs/format.md docs/deviations.md docs/games.md docs/latency.md docs/size_KRvKP_wdl.svg
