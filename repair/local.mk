noinst_LTLIBRARIES += repair/librepair.la
repair_librepair_la_SOURCES = repair/repair_internal.h repair/pair_rules.def repair/final_rules.def repair/repair.c repair/rules.c \
  repair/pair_exact.c repair/pair_subdefinite.c repair/pair_compatible.c repair/final_frequent.c repair/final_longest.c repair/state.c repair/prune.c repair/prune_detours.c repair/refine.c \
  repair/pairs.c repair/pairs_internal.h repair/pair_counts.c repair/model.c repair/trie.c repair/wild.c repair/parse.c repair/parse_search.c repair/parse_pairs.c repair/parse_internal.h repair/payload.c repair/fractions.c repair/encode.c repair/grammar.c repair/grammar_split.c repair/grammar.h repair/decode.c repair/access.c repair/written.c repair/decoder_internal.h
EXTRA_DIST += repair/README.md
