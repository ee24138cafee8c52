EXTRA_DIST += docs/checksums.md docs/architecture.md docs/limits.md docs/glossary.md docs/checkpoint.md docs/deviations.md docs/games.md docs/data.md docs/examples/arrays.py docs/examples/checksum.py docs/access_KRvKP_wdl.svg
dist_doc_DATA = docs/format.md docs/latency.md docs/api.md docs/references.md docs/references.bib README.md LICENSE
exampledir = $(docdir)/examples
if TOOLS
nobase_dist_pkgdata_DATA += docs/checksums.csv
endif
dist_example_DATA = docs/examples/probe.c docs/examples/probe.cpp docs/examples/engine.c docs/examples/engine.cpp
