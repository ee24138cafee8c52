/** \file search_internal.h
 * What the files of the search share: layouts that are tried, and coding them. */
#ifndef SD_SEARCH_INTERNAL_H
#define SD_SEARCH_INTERNAL_H

#include "recode/recode_internal.h"

enum {
  SD_MAX_CANDIDATES = 5040,
  SD_FINALISTS = 3,
  SD_CONSTANT_BYTES = 3,
  SD_SLICES = 16,
  SD_FEW_SLICES = 8, /* of two men at a time */
  SD_SAMPLE_PIECES = 64,
  SD_LEAST_SAMPLED = 1 << 13, /* slots */
  SD_MOST_SAMPLED = 1 << 19,
  SD_FEW_BYTES = 4096, /* trees alone, without what they tell, take some thousand */
  SD_QUICK_GAIN = 2    /* diagrams: best layouts and settings took half of the first quick coding, no less */
};

#define SD_WHY_FEW_BYTES "not tried: the table takes few bytes, and a forest some thousand"
#define SD_WHY_HOPELESS "slices predict several times the bytes of the table"

static const sd_extent sd_guess_sample = { 64, 1 << 13 }; /* by which codecs are predicted */
static const double sd_close_to_best = 1.1;               /* what a sample or a layout may be wrong by */

typedef struct sd_candidate {
  sd_layout layout;
  uint64_t bytes; /* 0: not coded yet */
} sd_candidate;

/* Layouts for codecs that look at neighbours, best first (sampled_layouts.c). */
typedef struct sd_sampled_layouts {
  sd_candidate layout[SD_FINALISTS];
  unsigned n;
  uint64_t slices; /* slots of slices that tell what slow codecs take; 0: there are none */
  bool hopeless;   /* these say that slow codecs take several times the bytes that are known */
} sd_sampled_layouts;

/* What is searched, and how: handed down, with what a stage changes. */
typedef struct sd_search {
  const sd_values *exacts;
  const sd_exact *exact;     /* of the ending */
  const sd_table_spec *spec; /* what is to be made */
  const sd_search_options *how;
  const sd_progress *progress;
  const sd_progress *encoding; /* handed to encoders; NULL: none */
  const sd_subdefined *data;   /* in the generator's layout; of a large table without symbols */
  const sd_subdefined *other;  /* Black's side, where one stream is sought for both; else NULL */
  const sd_layout *known[2];   /* worth a try; NULL: none */
  const sd_judge *judge;       /* of a large table */
  const sd_indexer *from;
  const sd_codec *codec; /* that codes; where one is to be chosen, the one that is given, or NULL */
  const sd_settings *settings;
  sd_extent extent;
  sd_part part;                   /* of no diagram: slices in place of the extent; no digits: none */
  const sd_sampled_layouts *slow; /* layouts for slow codecs; NULL: not sought yet */
  bool only_slow;                 /* of the codecs those that are not tried in samples alone */
  bool slices; /* of diagrams: some squares of one man are coded (sd_search_slice), not all of the table */
  sd_search_report *report; /* not NULL where codecs compete */
  unsigned side;            /* as in sd_search_row */
  uint64_t best;            /* bytes found by other codecs or in two streams; 0: none */
} sd_search;

/* What a coding took. */
typedef struct sd_search_code {
  uint64_t n, all;        /* slots that were coded, slots of the table */
  unsigned m;             /* main symbols */
  uint64_t bytes, scaled; /* of the stream; the whole table's, told by it */
  double seconds;         /* a lookup, by the model */
} sd_search_code;

typedef struct sd_winner {
  __typeof__ (((sd_table_spec *) NULL)->side[0]) side;
  uint64_t bytes; /* UINT64_MAX: none keeps the bound */
} sd_winner;

/** The side in layout l, coded; what->n, all, m are set. search.c */
int sd_search_stream (const sd_search *s, const sd_layout *l, sd_buf *out, sd_search_code *what,
                      sd_error *err);

/** The same, and all that is told by the stream. search_codecs.c */
int sd_search_code_one (const sd_search *s, const sd_layout *l, sd_search_code *out, sd_error *err);

/** The same; the stream is appended to *b. search_codecs.c */
int sd_search_code_into (const sd_search *s, const sd_layout *l, sd_buf *b, sd_search_code *out,
                         sd_error *err);

/** Can no setting of the codec keep the bound? Noted then. search_codecs.c */
bool sd_search_is_too_slow (const sd_search *s, const sd_codec *codec);

/** Does the user leave it open what the key of "key=word" is? search_codecs.c */
bool sd_search_may_vary (const sd_search_options *how, const char *way);
/** "key=word" into the settings. search_codecs.c */
void sd_search_put (sd_settings *set, const char *way);

/** The codec by whose quick settings layouts for codecs that look at neighbours are ranked. search.c */
const sd_codec *sd_search_ranking_codec (void);

/** May the search find that positions in check, which are free, should hold their values with one side to
 * move, or with both? */
bool sd_search_may_hold_checks (const sd_table_spec *spec);

/** They are free with these sides to move, a bit each, for the same reason as before. search.c */
void sd_search_free_checks (sd_table_spec *spec, unsigned nsides, unsigned sides);

/** The same: is it smaller than `best`, and fast enough? A failure is noted and is no; *status tells it.
 * search_codecs.c */
bool sd_search_better (const sd_search *s, const sd_layout *l, uint64_t best, sd_search_code *out,
                       int *status, sd_error *err);

/** The smallest in the layouts c[0..n-1] that is smaller than *w and keeps the bound: of s->codec with its
 * settings, or where that is NULL of all codecs' trials. Other settings of what is close are compared in the
 * extent `last`. What fails is noted and passed over. search_codecs.c */
int sd_search_codecs (const sd_search *s, const sd_candidate *c, unsigned n, sd_extent last, sd_winner *w,
                      sd_error *err);

/** The best layouts for s->codec, which has layouts of its own, and the codec in them: *w if it is smaller.
 * search.c */
int sd_search_diagram (const sd_search *s, sd_winner *w, sd_error *err);

/** All codecs, or s->codec if it is fixed, in their best layouts. SD_ENOENT: none can be chosen. search.c */
int sd_search_kinds (const sd_search *s, sd_winner *w, sd_error *err);

/** One stream for both sides; apart[0..1]: what was found for the sides, NULL if they must share. Then it may
 * be that there is none, w->bytes = UINT64_MAX: none keeps the bound, none may win, or the sides together
 * have too many values or bits. s->how->report tells why. search_joint.c */
int sd_search_joint (const sd_search *s, const sd_winner *apart, sd_winner *w, sd_error *err);

/** Has the codec layouts of its own, and is a sample of slots no table of bits? */
bool sd_search_is_diagram (const sd_codec *codec);

/* What is told: search_report.c. */

/** The row of a codec for s->side, made if there is none. */
sd_search_row *sd_search_row_of (const sd_search *s, const sd_codec *codec);

/** Why there is nothing of the codec. */
__attribute__ ((format (printf, 3, 4))) void sd_search_why (const sd_search *s, const sd_codec *codec,
                                                            const char *fmt, ...);

/** The bound left it out, unless something of the codec keeps it. */
void sd_search_too_slow (const sd_search *s, const sd_codec *codec);
bool sd_search_keeps_bound (const sd_search_options *how, double seconds);

/** The smallest of its codec so far: s->codec with s->settings in layout l. */
void sd_search_note (const sd_search *s, const sd_layout *l, const sd_search_code *c);

/** Bytes in the rows of s->side were those of samples. They are told, but are no row's from here on. */
void sd_search_were_samples (const sd_search *s);

/** The search for s->codec's layouts failed: noted and passed over (SD_OK) where there are other codecs. */
int sd_search_failed (const sd_search *s, int status, sd_error *err);

/** Nothing was found: SD_ENOENT, with what excluded each codec. */
int sd_search_nothing (const sd_search *s, sd_error *err);

/** Is the first quick coding of a diagram too large to become the best? Noted then. */
bool sd_search_hopeless (const sd_search *s, uint64_t bytes);

/** Code all candidates that have no size yet, then sort by size; one that fails stands last. Fails if all do.
 * search.c */
int sd_search_rank (const sd_search *s, sd_candidate *c, unsigned n, const char *what, sd_error *err);

/** A layout that is not among the candidates c[0..*n-1] and is possible becomes one; false: it is none. */
bool sd_search_add (sd_candidate *c, unsigned *n, const sd_layout *l);

/** The best layouts for a codec that looks at neighbours, best first; c has room for SD_MAX_CANDIDATES. May
 * leave s->extent changed. search_layouts.c */
int sd_search_layouts (sd_search *s, sd_candidate *c, unsigned *n, sd_error *err);

/** The best few layouts for quick codecs, or the default's, in a share of `left` CPU seconds; fewer than
 * SD_FINALISTS where it is stopped. sampled_layouts.c */
int sd_search_quick_layouts (const sd_search *s, double left, sd_sampled_layouts *out, sd_error *err);
/** The same for slow codecs, of which this one with these settings, but quicker, stands for all. left:
 * INFINITY without a budget; best: bytes that are known, or INFINITY. Of the whole table, whatever s->extent
 * is. SD_ERANGE: no layout has small slices. sampled_layouts.c */
int sd_search_slow_layouts (const sd_search *s, const sd_codec *codec, const sd_settings *set, double left,
                            double best, sd_sampled_layouts *out, sd_error *err);
/** Slices of about so many slots of a stream, coded. sampled_layouts.c */
int sd_search_slices (const sd_search *s, const sd_layout *l, uint64_t slots, sd_search_code *out,
                      sd_error *err);
/** The settings with the codec's `quick` one, unless the user has chosen that otherwise. sampled_layouts.c */
sd_settings sd_search_quicker (const sd_search_options *how, const sd_codec *codec, const sd_settings *set);

/** What of a layout for diagrams is varied in one step. */
enum sd_variation {
  SD_VARY_LEADER,
  SD_VARY_KINGS, /* numberings of the squares of these men */
  SD_VARY_PAWNS,
  SD_VARY_OTHERS,
  SD_VARY_ORDER,
  SD_VARY_TOGETHER, /* numberings of all men; for the search within a budget */
  SD_VARIATIONS
};

/** The layouts that differ from l by such a step, added to the candidates c[0..*n-1]. search_diagrams.c */
void sd_search_vary (const sd_search *s, const sd_layout *l, enum sd_variation which, sd_candidate *c,
                     unsigned *n);

/** The search within how->budget, in place of all that; search_budget.c */
int sd_search_budgeted (const sd_search *all, sd_table_spec *spec, sd_error *err);

/** Are diagrams of the table ranked by slices? search_diagrams.c */
bool sd_search_by_slices (const sd_search *s);

/** The man of whom only some squares are coded gets in front, his squares in rows. search_diagrams.c */
void sd_search_slice (sd_layout *l);
/** These squares, as numbers of the first digit of `to`. search_diagrams.c */
void sd_search_squares (const sd_indexer *to, uint64_t number[SD_SLICES]);

/** The same of up to `men` single men that neither lead nor are `stays` (NULL: nobody is); returns how many
 * there are. search_diagrams.c */
unsigned sd_search_slice_men (sd_layout *l, unsigned men, const sd_group *stays);
/** Half of these squares of each of the first two, as numbers of both digits, or of one man alone.
 * Returns how many; number has room for SD_FEW_SLICES * SD_FEW_SLICES. search_diagrams.c */
unsigned sd_search_squares_of_men (const sd_indexer *to, unsigned men, uint64_t number[]);

/** Settings of the diagram codec, but quick. search_diagrams.c */
void sd_search_cheapen (sd_settings *set);

/** The same for diagrams. search_diagrams.c */
int sd_search_diagrams (sd_search *s, sd_candidate *c, unsigned *n, sd_error *err);

#endif
