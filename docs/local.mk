EXTRA_DIST += docs/architecture.md docs/format.md docs/deviations.md
