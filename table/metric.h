/** \file metric.h
 * What a table says of a position and how its symbols say it: metrics, codings, sources of freedom and sets
 * of sides, a row each. Who needs to know how one metric or coding differs from another asks its row. */
#ifndef SD_METRIC_H
#define SD_METRIC_H

#include "chess/chess.h"
#include "table/value.h"

/** What a value tells; the numbers stand in files. */
enum sd_metric {
  SD_WDL,
  SD_DTM,
  SD_WDL50, /* under the 50-move rule: lost, blessed loss, drawn, cursed win, won; the last move was a capture
               or of a pawn */
  SD_DTZ50, /* plies to the next capture, pawn move or mate. A win in more than SD_RULE_PLIES is cursed, a
               loss blessed, and so is one whose zeroing move leads to such a position: it counts from
               SD_RULE_PLIES + 1 on */
  SD_DTC,   /* plies to the next capture, promotion or mate, without the 50-move rule */
  SD_METRICS,
  SD_NO_METRIC = SD_METRICS /* none of them, or not one alone */
};

/** The plies without capture and pawn move after which a game is drawn on demand. */
#define SD_RULE_PLIES 100

/** The metric that `subdef gen` solves unless it is told otherwise. */
#define SD_USUAL_EXACT SD_DTM

/** How symbols stand for values; the numbers stand in files. */
enum sd_coding {
  SD_CODING_WDL,     /* 0 lost, 1 drawn, 2 won */
  SD_CODING_SIGNED,  /* symbol -> value through a map in the header: complete by itself */
  SD_CODING_MOVES,   /* (plies + 1) / 2 through a map in the header. The WDL table tells who wins (Zakharov
                       2015, 1.8) */
  SD_CODING_WDL50,   /* 0 lost, 1 blessed loss, 2 drawn, 3 cursed win, 4 won */
  SD_CODING_ZEROING, /* plies, of cursed wins and blessed losses those above SD_RULE_PLIES, through a map in
                        the header. The WDL50 table tells who wins, and whether that is cursed */
  SD_CODING_PLIES,   /* plies through a map in the header. The WDL table tells who wins */
  SD_CODINGS,
  SD_NO_CODING = SD_CODINGS
};

/** Sources of freedom; a set of them is stored in the header because restoring depends on it. */
enum sd_freedom {
  SD_FREE_ILLEGAL = 1,   /* no legal position: anything */
  SD_FREE_DRAW = 2,      /* drawn, as the table of another metric tells: anything */
  SD_FREE_CAPTURE = 4,   /* what captures (en passant included where it can arise) give bounds the value */
  SD_FREE_PROMOTION = 8, /* quiet promotions likewise */
  SD_FREE_ALL = 15,      /* all of these; a probe stays fast */
  SD_FREE_WIN = 16, /* losses only: won, as the table of another metric tells: anything, since the value is 1
                       + the shortest loss among the successors. Needs every side that the ending has */
  SD_FREE_QUEEN = 32,       /* none by itself: of promotions, capturing ones too, only those to a queen free a
                          slot, and only these need be looked up. Only of chess, with one of the two above */
  SD_FREE_UNREACHABLE = 64, /* no legal move leads to it or to a mirror image (sd_pos_reachable_mirrored):
                              anything, since the value is the best of all moves. Only of chess, not with
                              SD_FREE_WIN; needs every side that the ending has */
  SD_FREE_CHECK = 128, /* in check, and no legal move gives check (sd_only_escapes): anything, for the same
                          reason, since no successor in the ending is free by it. As SD_FREE_UNREACHABLE, and
                          not with it */
  SD_FREE_CHECK_WHITE = 256, /* the same with White to move alone. A codec that tells values by their
                                neighbours may take more bytes for one of the sides where slots are free */
  SD_FREE_CHECK_BLACK = 512, /* the same with Black to move alone */
  SD_FREE_EVIDENT = 1024,    /* in check, and the value follows from positions that are not in check and from
                                other endings (sd_restore_evident): anything. Only of chess and WDL, not with
                                another one of SD_FREE_BY_MOVES; any side may be stored alone */
  SD_FREE_EVIDENT_WHITE = 2048, /* the same with White to move alone; Black's slots hold their values, also in
                                   check, and all of White's in check are evident */
  SD_FREE_EVIDENT_BLACK = 4096  /* the same with Black to move alone */
};

/** One of these: whose positions in check are free. */
#define SD_FREE_CHECKS ((unsigned) (SD_FREE_CHECK | SD_FREE_CHECK_WHITE | SD_FREE_CHECK_BLACK))

/** The same of what is evident. */
#define SD_FREE_EVIDENTS ((unsigned) (SD_FREE_EVIDENT | SD_FREE_EVIDENT_WHITE | SD_FREE_EVIDENT_BLACK))
#define SD_FREE_IN_CHECK (SD_FREE_CHECKS | SD_FREE_EVIDENTS)
/** Those of one side to move beside the other one. */
#define SD_FREE_ONE_SIDE                                                                                     \
  ((unsigned) (SD_FREE_CHECK_WHITE | SD_FREE_CHECK_BLACK | SD_FREE_EVIDENT_WHITE | SD_FREE_EVIDENT_BLACK))

/** Those by which the value is restored from all moves. A table has at most one of these: each
 * relies on the successors' slots. */
#define SD_FREE_BY_MOVES ((unsigned) (SD_FREE_WIN | SD_FREE_UNREACHABLE) | SD_FREE_IN_CHECK)

/** Of these, those for which the position alone counts, whatever its value (sd_freedom_by_moves). */
#define SD_FREE_POSITION ((unsigned) SD_FREE_UNREACHABLE | SD_FREE_CHECKS)

/** Those that only chess has. */
#define SD_FREE_CHESS ((unsigned) SD_FREE_QUEEN | SD_FREE_POSITION | SD_FREE_EVIDENTS)

/** Every source that there is. */
#define SD_FREE_KNOWN (SD_FREE_ALL | SD_FREE_QUEEN | SD_FREE_BY_MOVES)

/** What kind of move leads to a successor, a bit each; 0: none of these. */
enum sd_step {
  SD_STEP_CAPTURE = SD_FREE_CAPTURE,
  SD_STEP_PROMOTION = SD_FREE_PROMOTION,
  SD_STEP_PAWN = 32 /* of a pawn, whatever else it does */
};

/** A source by name, for lists. The first one is all of SD_FREE_ALL; NULL-terminated by name. */
typedef struct sd_freedom_source {
  const char *name, *about;
  unsigned bit;
} sd_freedom_source;
extern const sd_freedom_source sd_freedom_sources[];

/** May positions in check be free with that stored side to move (0 White, 1 Black; 0 of equal material)? */
static inline bool sd_freedom_checks (unsigned freedom, unsigned side) {
  return (freedom & (SD_FREE_CHECK | (unsigned) SD_FREE_CHECK_WHITE << side)) != 0;
}

/** The stored sides to move whose positions are free where their value is evident, a bit each; of equal
 * material both players. */
static inline unsigned sd_freedom_evident (unsigned freedom) {
  return (freedom & SD_FREE_EVIDENT ? 3u : 0u) | (freedom & SD_FREE_EVIDENT_WHITE ? 1u : 0u)
         | (freedom & SD_FREE_EVIDENT_BLACK ? 2u : 0u);
}

/** May the slot of the legal position p, whose men have the colours of the table's material, hold anything
 * because its moves tell the value (SD_FREE_POSITION)? Pure. */
bool sd_freedom_by_moves (unsigned freedom, const sd_pos *p);

/** "illegal+draw+capture+promotion", "all", "all+won", "all+queen", "all+check", "none" <-> bits. */
int sd_freedom_parse (const char *text, unsigned *out, sd_error *err);
void sd_freedom_text (unsigned freedom, char *out, size_t cap);

/** Which sides to move a table of unequal material stores; what is not stored is restored by one ply
 * (Zakharov 2015, 1.4). Equal material has one side, and these mean nothing there. */
enum sd_sides {
  SD_SIDES_WHITE = 1,
  SD_SIDES_BLACK = 2,
  SD_SIDES_BOTH = 3,
  SD_SIDES_ONE = 4,  /* to be built: the smaller */
  SD_SIDES_JOINT = 5 /* to be built: both in one stream, which shares what they have in common */
};

/** The row of a set of sides. */
typedef struct sd_sides_kind {
  const char *name;
  unsigned stored; /* a bit each: 1 White, 2 Black */
  bool joint;      /* in one stream */
  bool smaller;    /* of those that are stored only the one with the smaller file is kept */
} sd_sides_kind;

/** NULL: not one of enum sd_sides; 0 counts as SD_SIDES_BOTH. */
const sd_sides_kind *sd_sides_row (unsigned sides);

/** Are both sides to move stored? Of equal material one side is both, but a set that asks for one says no. */
static inline bool sd_sides_both (unsigned sides) {
  const sd_sides_kind *row = sd_sides_row (sides);
  return row && row->stored == SD_SIDES_BOTH && !row->smaller;
}

/** The sides that a table with this set holds, a bit each, if it holds `side`. */
static inline unsigned sd_sides_beside (unsigned sides, unsigned side) {
  return sd_sides_both (sides) ? 3 : 1u << side;
}

/** The set of that name. */
int sd_sides_parse (const char *text, unsigned *out, sd_error *err);

/** The row of a metric. */
typedef struct sd_metric_kind sd_metric_kind;
struct sd_metric_kind {
  const char *name;       /* in names of files, sweeps and on the command line */
  const char *title;      /* in reports */
  const char *unit;       /* what its plies count to; NULL: it has none */
  bool plies;             /* values count plies, and rank as sd_value says; else a value is its rank */
  sd_value mated;         /* of a player mated on the board; a stalemated one has 0 */
  int top;                /* rank of the best value that there is */
  enum sd_metric told_by; /* a table of that metric can be probed in place of one of this metric, if its
                             coding is complete by itself (WDL: DTM); SD_NO_METRIC: none can */
  enum sd_metric or_by;   /* the same where there is no such table either (WDL: WDL50, since a cursed win is a
                             win without the rule). For probes alone */
  enum sd_metric exact;   /* tables of this metric are made from exact values of that one (WDL, DTM: DTM) */
  sd_value (*of) (sd_value v); /* what a value of `exact`, `told_by` or `or_by` is worth in this metric */
  unsigned counts_from; /* bits of enum sd_step: moves that end the count of plies, and begin a new one */
  int limit; /* plies from such a move on after which a win is cursed and a loss blessed; 0: there is none */
  bool one_ply; /* a value follows from those of all successors. Not WDL50's: lost in exactly SD_RULE_PLIES
                   makes a cursed win, lost sooner a win */
  enum sd_metric signs; /* tells the signs where a coding leaves them out; SD_NO_METRIC: none does */
  void (*say) (const sd_metric_kind *k, sd_value v, char *out, size_t cap); /* a value that is no draw */
  const char *won, *lost;                                                   /* words of it */
  const char *ends; /* what the end of the count does, where it is not the mate: "zeroing" */
  enum sd_coding coding[SD_CODINGS + 1]; /* that it may have, the usual one first, ended by SD_NO_CODING */
};
extern const sd_metric_kind sd_metrics[SD_METRICS];

/** The row of a coding. */
typedef struct sd_coding_kind {
  const char *name;     /* in sweeps and on the command line */
  const char *title;    /* in `subdef info` */
  unsigned freedom;     /* sources that mean something; others are dropped when a table is subdefined */
  enum sd_metric needs; /* whose sign must be known before a symbol means anything; SD_NO_METRIC: none */
  sd_value (*number) (sd_value v);         /* the number in the map that stands for the exact value v */
  int (*compare) (sd_value a, sd_value b); /* a map rises by this order */
  const sd_value *map; /* the only map that there may be, which no header repeats; NULL: any that `fits` */
  unsigned main;       /* entries of `map`; 0 if it is NULL */
  bool (*fits) (sd_value number, bool game); /* may a map hold it? game: of another game than chess */
  void (*put) (const sd_value *map, unsigned m, sd_buf *out);
  bool (*get) (sd_reader *r, bool game, sd_value *map,
               unsigned *m); /* false: damaged; map has room for 2 * SD_MAX_MAIN + 1 */
  /* The value from the map's number; `has`: there is a conversion of the classes that the table's freedom
   * names, and `best` is what the best one offers. `sign`: what the metric that `needs` names says of the
   * position. Exact if the symbol is one that sd_subdefine permits, and some valid value otherwise. */
  sd_value (*restore) (int sign, sd_value number, bool has, sd_value best);
} sd_coding_kind;
extern const sd_coding_kind sd_codings[SD_CODINGS];

/** The metric of that name; SD_NO_METRIC: none. */
enum sd_metric sd_metric_find (const char *name);

/** The coding of that name; SD_NO_CODING: none. */
enum sd_coding sd_coding_find (const char *name);

/** Can tables of a metric be made of exact values of another one? Results without the rule follow from the
 * signs of all plies: a cursed win is a win. */
static inline bool sd_metric_made_of (enum sd_metric metric, enum sd_metric exact) {
  return sd_metrics[metric].exact == exact || (metric == SD_WDL && sd_metrics[exact].plies);
}

/** May a table of this metric have this coding? game: a table of another game than chess, which has to be
 * complete by itself. */
bool sd_metric_takes (enum sd_metric metric, enum sd_coding coding, bool game);

/** Are tables of this metric made of plies that some moves count anew? What these are only chess says. */
static inline bool sd_metric_counts_anew (enum sd_metric metric) {
  return sd_metrics[sd_metrics[metric].exact].counts_from != 0;
}

/** Are tables of this metric made of values under the 50-move rule? */
static inline bool sd_metric_has_rule (enum sd_metric metric) {
  return sd_metrics[sd_metrics[metric].exact].limit != 0;
}

/** Is an ending solved by parts, one for each placement of the pawns, since no count goes on behind their
 * moves? */
static inline bool sd_metric_by_parts (enum sd_metric metric) {
  return (sd_metrics[sd_metrics[metric].exact].counts_from & SD_STEP_PAWN) != 0;
}

/** The usual coding of a metric's tables; SD_NO_CODING: there is none for a game. */
enum sd_coding sd_metric_coding (enum sd_metric metric, bool game);

/** "won", "mated in 3 plies", "drawn". */
void sd_metric_text (enum sd_metric metric, sd_value v, char *out, size_t cap);

/** The sources of freedom that mean something for a coding. */
static inline unsigned sd_freedom_of_coding (enum sd_coding coding) {
  return sd_codings[coding].freedom;
}

/** A number that rises with what the side to move prefers: lost soon < lost late < drawn < won late < won
 * soon. */
static inline int sd_metric_rank (const sd_metric_kind *k, sd_value v) {
  return !k->plies ? v : v > 0 ? SD_RANK_SOON - v : v < 0 ? -SD_RANK_SOON - v : 0;
}

/** What is known of a value: it is not worse for the side to move than `least`, and not better than `most`.
 */
typedef struct sd_span {
  sd_value least, most;
} sd_span;

/** Is the value v of a metric with the 50-move rule a cursed win or a blessed loss? */
static inline bool sd_value_beyond_rule (sd_value v) {
  return v > SD_RULE_PLIES || v < -SD_RULE_PLIES - 1;
}

/** What a move of this kind (bits of enum sd_step; only those of k->counts_from count) to a successor of
 * value v is worth. What is better for the player to move there is no better for the mover. Where k->one_ply
 * is not set that holds only for the moves that are counted anew. */
static inline sd_value sd_metric_back (const sd_metric_kind *k, sd_value v, unsigned step) {
  if (!k->plies)
    return (sd_value) -v;
  if (v != SD_ILLEGAL
      && (step & k->counts_from)) { /* a win by this move, or a loss behind it, is a ply away */
    const int late = k->limit && sd_value_beyond_rule (v) ? k->limit : 0;
    return (sd_value) (v < 0 ? 1 + late : v > 0 ? -2 - late : 0);
  }
  return sd_value_back (v);
}

#endif
