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
  engine/README.md \
  experiments/README.md \
  papers/README.md \
  papers/fuzz/README.md \
  papers/limits/README.md \
  papers/obdd/README.md \
  papers/orders/README.md \
  papers/probes/README.md \
  papers/published/README.md \
  papers/repair/README.md \
  papers/retrograde/README.md \
  papers/staircase/README.md \
  papers/syzygy/README.md \
  papers/transposition/README.md
exampledir = $(docdir)/docs/examples
dist_example_DATA = \
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
