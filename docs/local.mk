# The pages are installed in the folders in which they refer to each other, and in which help and manual pages name them: docs/games.md.
dist_doc_DATA = README.md LICENSE
nobase_dist_doc_DATA = \
  docs/access_KRvKP_wdl.svg \
  docs/access_KRvKP_wdl_narrow.svg \
  docs/api.md \
  docs/architecture.md \
  docs/checkpoint.md \
  docs/checksums.md \
  docs/data.md \
  docs/deviations.md \
  docs/format.md \
  docs/games.md \
  docs/glossary.md \
  docs/latency.md \
  docs/limits.md \
  docs/references.bib \
  docs/references.md \
  docs/tutorials/README.md \
  docs/tutorials/arrays.md \
  docs/tutorials/engine.md \
  docs/tutorials/research.md \
  docs/tutorials/tables.md \
  amalgamation/README.md \
  engine/README.md \
  packaging/README.md \
  python/README.md \
  experiments/README.md \
  papers/README.md \
  papers/budget/README.md \
  papers/cubes/README.md \
  papers/demo.conf \
  papers/five/README.md \
  papers/front/KBBBvK_dtm.svg \
  papers/front/KBBBvK_dtm_narrow.svg \
  papers/front/KBBvKN_wdl.svg \
  papers/front/KBBvKN_wdl_narrow.svg \
  papers/front/KPvK_dtm.svg \
  papers/front/KPvK_dtm_narrow.svg \
  papers/front/KQvKR_dtm.svg \
  papers/front/KQvKR_dtm_narrow.svg \
  papers/front/KRvKP_dtm.svg \
  papers/front/KRvKP_dtm_narrow.svg \
  papers/front/KRvKP_wdl.svg \
  papers/front/KRvKP_wdl_narrow.svg \
  papers/front/README.md \
  papers/fuzz/README.md \
  papers/limits/README.md \
  papers/limits/ladder.svg \
  papers/limits/ladder_narrow.svg \
  papers/memory/README.md \
  papers/obdd/README.md \
  papers/obdd/sizes.svg \
  papers/obdd/sizes_narrow.svg \
  papers/orders/README.md \
  papers/orders/orders.svg \
  papers/orders/orders_narrow.svg \
  papers/parts/README.md \
  papers/pla/README.md \
  papers/probes/README.md \
  papers/probes/medians.svg \
  papers/probes/medians_narrow.svg \
  papers/published/README.md \
  papers/published/ratios.svg \
  papers/published/ratios_narrow.svg \
  papers/repair/README.md \
  papers/repair/access.svg \
  papers/repair/access_narrow.svg \
  papers/repair/blocks.md \
  papers/repair/blocks.svg \
  papers/repair/blocks_narrow.svg \
  papers/repair/choices.md \
  papers/repair/codecs.md \
  papers/repair/dtm.md \
  papers/repair/orders.md \
  papers/retrograde/README.md \
  papers/retrograde/balance-efficiency.svg \
  papers/retrograde/balance-efficiency_narrow.svg \
  papers/retrograde/balance-speed.svg \
  papers/retrograde/balance-speed_narrow.svg \
  papers/retrograde/imbalance.svg \
  papers/retrograde/imbalance_narrow.svg \
  papers/sampled/README.md \
  papers/serve/README.md \
  papers/sets/README.md \
  papers/staircase/README.md \
  papers/staircase/staircase.svg \
  papers/staircase/staircase_narrow.svg \
  papers/syzygy/README.md \
  papers/syzygy/shares.svg \
  papers/syzygy/shares_narrow.svg \
  papers/syzygy/writing.md \
  papers/threads/README.md \
  papers/transposition/README.md \
  papers/transposition/policies.svg \
  papers/transposition/policies_narrow.svg \
  papers/trees/README.md
exampledir = $(docdir)/docs/examples
dist_example_DATA = \
  docs/examples/README.md \
  docs/examples/CMakeLists.txt \
  docs/examples/arrays.py \
  docs/examples/checksum.py \
  docs/examples/codec.c \
  docs/examples/codec.cpp \
  docs/examples/engine.c \
  docs/examples/engine.cpp
if TOOLS
nobase_dist_pkgdata_DATA += docs/checksums.csv
endif
EXTRA_DIST += docs/site
# All pages and the manual pages as one site with a search, site/index.html in the build folder. Needs python3-sphinx,
# python3-myst-parser, furo and mandoc.
if TOOLS
site: $(sd_pages)
	$(SHELL) '$(srcdir)/docs/site/site.sh' '$(srcdir)' man .
endif
.PHONY: site
