/** \file grammar.h
 * RE-PAIR for formats that are not ours: a dictionary of phrases within the limits of a format, and the
 * cheapest sequence of them that completes subdefinite data, cut into blocks of so many bits. How it is all
 * stored is the format's affair. */
#ifndef SD_GRAMMAR_H
#define SD_GRAMMAR_H

#include "subdef/subdef.h"

/** The limits of a format, and how hard to look. */
typedef struct sd_grammar_rules {
  unsigned symbols;         /* of the dictionary, main symbols among them; 65535 at most */
  uint32_t positions;       /* of one symbol, 1..65535 */
  uint32_t block_positions; /* of a block, as many as `positions` at least */
  unsigned entry_bits;      /* that a symbol takes in the dictionary */
  unsigned code_bits;       /* of the longest code, up to SD_HUFFMAN_MAX_LENGTH */
  const char *initial;      /* chain of initial replacements, for the first dictionary only; NULL: none */
  bool compatible;          /* pairs also count where free slots could become them */
  /** As the settings of the codec `repair`; 0 rounds: as pairs were found. slack: per cent of the bits of a
   * mean symbol, 400 at most, in the last parses; those before have none. */
  unsigned rounds, restarts, slack;
  /** In 1/256 bits, where there is no slack: parses for the dictionary and the first one in blocks drop a
   * place for one further on that costs so much more. That is quicker; the last parses do not. */
  unsigned lead;
  bool hasty; /* the first of the parses in blocks, which the codes come from, has no slack: quicker */
  /** After the rounds, if there are any: so many times the best dictionary gets pairs that parses with the
   * slack would take, and loses phrases that a parse without them is cheaper than, or more where it is full
   * (for which `excess` gives room). Smaller, slower. */
  unsigned wide_rounds;
  bool detours; /* phrases are also dropped by what a parse without them costs, and the best of all rounds is
                   kept: smaller, slower */
  unsigned excess; /* so many times the phrases that fit are found, and the best ones kept; 0 is 1 */
  /** Slots in which the dictionary is found, in pieces from everywhere; 0: all of them. What a phrase has to
   * pay for its entry is less in a sample by as much as this is smaller. */
  uint64_t sample;
  uint64_t part_positions; /* a block begins behind each so many, which threads then parse by themselves; 0:
                              threads do not share this work */
} sd_grammar_rules;

/** A dictionary with the codes' lengths. Symbols 0..m-1 are the main ones, m..n-1 have two parts each, which
 * have lower numbers. */
typedef struct sd_grammar {
  unsigned m, n;
  uint16_t *left, *right; /* [m..n-1] parts */
  uint16_t *length;       /* [0..n-1] positions */
  uint8_t *bits; /* [0..n-1] of its Huffman code; 0: it has none and is a part only, or is not used */
} sd_grammar;

/** A sequence in blocks. Block b has symbol[first[b]..first[b+1]-1] and the positions start[b]..start[b+1]-1;
 * its last symbol may be longer than the positions that are left, and then only its beginning is meant. */
typedef struct sd_grammar_cut {
  sd_grammar grammar;
  uint64_t blocks;
  uint64_t *start, *first; /* [0..blocks] */
  uint16_t *symbol;
} sd_grammar_cut;

/** A dictionary at work. */
typedef struct sd_grammar_maker sd_grammar_maker;

/** Find a dictionary for the slots (1 at least, 2^32 - 1 at most), which must not change while it is used.
 * SD_EINVAL: no slots, or rules out of range; SD_ERANGE: more main symbols than the rules allow; SD_ENOMEM.
 * Not thread-safe; uses OpenMP. The same for any number of threads. */
int sd_grammar_find (const sd_seq *slots, const sd_grammar_rules *rules, sd_grammar_maker **out,
                     sd_error *err);
void sd_grammar_maker_free (sd_grammar_maker *maker);

/** Bits that the dictionary and the symbols of the sample at their code lengths take, without what blocks
 * cost. */
double sd_grammar_bits (const sd_grammar_maker *maker);

/** All slots in blocks of at most block_bits bits. *out is to be cleared. SD_EINVAL: a code is longer than a
 * block; SD_ENOMEM. */
int sd_grammar_cut_blocks (sd_grammar_maker *maker, uint32_t block_bits, sd_grammar_cut *out, sd_error *err);
void sd_grammar_cut_clear (sd_grammar_cut *cut);

/** Cut the symbols of a dictionary into other parts, so that fewer symbols without a code are needed, and
 * fewer steps lead from a symbol to a value. What a symbol spells may change where all slots at its places
 * admit that (with more than 64 main symbols, where these admit everything); its length and its code stay.
 * A part may have a higher number than the whole afterwards; it is always shorter. Recursion is as deep as
 * a symbol is long. SD_ENOMEM. */
int sd_grammar_split (sd_grammar_cut *cut, const sd_seq *slots);

#endif
