noinst_LTLIBRARIES += repair/librepair.la
repair_librepair_la_SOURCES = \
  repair/access.c \
  repair/decode.c \
  repair/decoder_internal.h \
  repair/encode.c \
  repair/final_frequent.c \
  repair/final_longest.c \
  repair/final_rules.def \
  repair/fractions.c \
  repair/grammar.c \
  repair/grammar.h \
  repair/grammar_split.c \
  repair/model.c \
  repair/pair_compatible.c \
  repair/pair_counts.c \
  repair/pair_exact.c \
  repair/pair_rules.def \
  repair/pair_subdefinite.c \
  repair/pairs.c \
  repair/pairs_internal.h \
  repair/parse.c \
  repair/parse_internal.h \
  repair/parse_pairs.c \
  repair/parse_search.c \
  repair/payload.c \
  repair/prune.c \
  repair/prune_detours.c \
  repair/refine.c \
  repair/repair.c \
  repair/repair_internal.h \
  repair/rules.c \
  repair/state.c \
  repair/trie.c \
  repair/wild.c \
  repair/written.c
EXTRA_DIST += repair/README.md
