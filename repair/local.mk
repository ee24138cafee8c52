noinst_LTLIBRARIES += repair/librepair.la
# what libsubdef-probe compiles, too (engine/local.mk)
sd_repair_read = \
  repair/access.c \
  repair/decode.c \
  repair/fractions.c \
  repair/model.c \
  repair/repair.c \
  repair/written.c
repair_librepair_la_SOURCES = \
  $(sd_repair_read) \
  repair/ahead.c \
  repair/decoder_internal.h \
  repair/encode.c \
  repair/final_frequent.c \
  repair/final_longest.c \
  repair/final_rules.def \
  repair/grammar.c \
  repair/grammar.h \
  repair/grammar_split.c \
  repair/lattice.c \
  repair/pair_compatible.c \
  repair/pair_counts.c \
  repair/pair_exact.c \
  repair/pair_pass.c \
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
  repair/repair_internal.h \
  repair/rules.c \
  repair/state.c \
  repair/trie.c \
  repair/wild.c
EXTRA_DIST += repair/README.md
