/* A game written down by hand is read: a line for each state, the grammar stands in docs/games.md.
 *
 * The text is read twice: first the names before the colons, which are sorted, then the moves. The moves are
 * kept in both directions, since some solvers look forward; what they must know of a state before the start
 * is counted while reading. Nothing is taken on trust: each line that is wrong is named. Cost: O(n log n) for
 * n words. */
#include "config.h"
#include "base/text.h"
#include "gen/games/graph/graph_internal.h"
#include <stdlib.h>
#include <string.h>

enum { NAME = SD_GRAPH_NAME, MAX_STATES = 1 << 20, MAX_MOVES = 1 << 24, MAX_PLIES = 0x7ffe };

typedef struct reader {
  const char *p, *end, *title;
  unsigned line;
  sd_error *err;
} reader;

static bool letter (char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool digit (char c) {
  return c >= '0' && c <= '9';
}

static int bad (const reader *r, const char *what, const char *word) {
  return sd_fail (r->err, SD_EFORMAT, "%s: line %u: %s%s%s", r->title, r->line, what, *word ? ": " : "",
                  word);
}

/* The next word of this line: a name, a number with its sign, ':' or '='; "" at the end of the line. */
static int next_word (reader *r, char out[NAME]) {
  size_t n = 0;
  while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\r'))
    r->p++;
  out[0] = 0;
  /* A comment ends the line. */
  if (r->p == r->end || *r->p == '\n' || *r->p == '#')
    return SD_OK;

  char c = *r->p++;
  out[n++] = c;
  if (letter (c) || c == '+' || c == '-') {
    /* Names have digits, too; numbers have no letters. */
    while (r->p < r->end && (digit (*r->p) || (letter (c) && letter (*r->p)))) {
      if (n + 1 == NAME) {
        out[n] = 0;
        return bad (r, "a word has more than 31 characters", out);
      }
      out[n++] = *r->p++;
    }
  } else if (c != ':' && c != '=') {
    char text[8];
    snprintf (text, sizeof text, c > ' ' && c < 127 ? "'%c'" : "0x%02x", (unsigned char) c);
    return bad (r, "neither a name nor a move", text);
  }
  out[n] = 0;
  return SD_OK;
}

static void next_line (reader *r) {
  while (r->p < r->end && *r->p != '\n')
    r->p++;
  r->p += r->p < r->end;
  r->line++;
}

/* The name before the colon, "" for an empty line. */
static int line_name (reader *r, char name[NAME]) {
  char colon[NAME];
  SD_TRY (next_word (r, name));
  if (!*name)
    return SD_OK;
  if (!letter (*name))
    return bad (r, "a line starts with the name of a state", name);
  /* Words that say how a game ends. */
  if (!strcmp (name, "lost") || !strcmp (name, "won"))
    return bad (r, "a state cannot have this name", name);
  SD_TRY (next_word (r, colon));
  return strcmp (colon, ":") == 0 ? SD_OK : bad (r, "no colon behind the name", name);
}

static int by_name (const void *a, const void *b, void *ctx) {
  const sd_graph *g = ctx;
  return strcmp (g->name[*(const uint32_t *) a], g->name[*(const uint32_t *) b]);
}

static int read_names (sd_graph *g, reader r) {
  uint64_t room = 0;
  char name[NAME];

  for (; r.p < r.end; next_line (&r)) {
    SD_TRY (line_name (&r, name));
    if (!*name)
      continue;
    if (g->n == MAX_STATES)
      return sd_fail (r.err, SD_ERANGE, "%s: line %u: more than %u states", r.title, r.line, MAX_STATES);
    if (!sd_grow (&g->name, &room, g->n + UINT64_C (1)))
      return sd_fail_memory (r.err, g->n * sizeof *g->name);
    memcpy (g->name[g->n++], name, NAME);
  }
  if (g->n == 0)
    return sd_fail (r.err, SD_EFORMAT, "%s: not one state", r.title);
  if (!(g->sorted = sd_alloc (g->n, sizeof *g->sorted)) || !(g->info = sd_alloc0 (g->n, sizeof *g->info))
      || !(g->first = sd_alloc0 ((uint64_t) g->n + 1, sizeof *g->first))
      || !(g->next = sd_alloc0 ((uint64_t) g->n + 1, sizeof *g->next)))
    return sd_fail_memory (r.err, g->n * sizeof *g->info);
  for (uint32_t i = 0; i < g->n; i++)
    g->sorted[i] = i;
  /* By numbers, so that states keep the order of the lines. */
  qsort_r (g->sorted, g->n, sizeof *g->sorted, by_name, g);
  for (uint32_t i = 1; i < g->n; i++)
    if (strcmp (g->name[g->sorted[i - 1]], g->name[g->sorted[i]]) == 0)
      return sd_fail (r.err, SD_EFORMAT, "%s: two lines for one state: %s", r.title, g->name[g->sorted[i]]);
  return SD_OK;
}

/* A move out of the graph, to a position of that value for its mover. */
static int read_conversion (const reader *r, sd_state_info *i, const char *word, bool *drawn) {
  if (*word == '=') {
    *drawn = true;
    return SD_OK;
  }
  char *end;
  long n = strtol (word + 1, &end, 10);
  if (!digit (word[1]) || *end || n < 0 || n >= MAX_PLIES)
    return bad (r, "expected + or - and a number of plies up to 32765", word);
  if ((n & 1) != (*word == '+'))
    return bad (r, "won positions take an odd, lost ones an even number of plies", word);
  /* The child's mover loses in n: won in n + 1, the soonest counts. */
  if (*word == '-' && (i->win == 0 || n + 1 < i->win))
    i->win = (uint16_t) (n + 1);
  /* Of moves that lose the latest counts. */
  if (*word == '+' && n + 1 > i->loss)
    i->loss = (uint16_t) (n + 1);
  return SD_OK;
}

/* The moves of state p behind its colon; inner ones to edge[0..*nedge-1] as pairs from, to. */
static int read_moves (sd_graph *g, reader *r, uint32_t p, uint32_t **edge, uint64_t *room) {
  sd_state_info *i = &g->info[p];
  char word[NAME];
  unsigned words = 0, inner = 0;
  bool over = false, drawn = false;

  i->exists = true;
  for (;;) {
    SD_TRY (next_word (r, word));
    if (!*word)
      break;
    if (over || (words && (!strcmp (word, "lost") || !strcmp (word, "won"))))
      return bad (r, "a game that is over has no moves", g->name[p]);
    words++;
    if (!strcmp (word, "lost")) {
      over = i->terminal_lost = true;
    } else if (!strcmp (word, "won")) {
      over = i->terminal_won = true;
    } else if (*word == ':') {
      return bad (r, "a second colon", g->name[p]);
    } else if (!letter (*word)) {
      SD_TRY (read_conversion (r, i, word, &drawn));
    } else {
      /* Lines behind this one have been named already. */
      sd_state q = sd_graph_find (g, word);
      if (q == g->n)
        return bad (r, "there is no line for this state", word);
      if (g->nmoves == MAX_MOVES || inner == UINT16_MAX - 1)
        return sd_fail (r->err, SD_ERANGE, "%s: line %u: more than %u moves, or %u of one state", r->title,
                        r->line, MAX_MOVES, UINT16_MAX - 1);
      if (!sd_grow (edge, room, 2 * (g->nmoves + UINT64_C (1))))
        return sd_fail_memory (r->err, 2 * g->nmoves * sizeof **edge);
      (*edge)[2 * g->nmoves] = p;
      (*edge)[2 * g->nmoves++ + 1] = (uint32_t) q;
      inner++;
    }
  }
  g->next[p + 1] = g->nmoves;
  i->moves = (uint16_t) (inner + drawn); /* one drawn conversion is as good as many: none is taken away */
  if (i->moves > g->max_moves)
    g->max_moves = i->moves;
  return SD_OK;
}

/* Sort the moves by where they lead; they come sorted by where they start. */
static int turn_round (sd_graph *g, const uint32_t *edge, sd_error *err) {
  if (!(g->from = sd_alloc (g->nmoves, sizeof *g->from)) || !(g->to = sd_alloc (g->nmoves, sizeof *g->to)))
    return sd_fail_memory (err, g->nmoves * sizeof *g->from);
  for (uint32_t e = 0; e < g->nmoves; e++)
    g->first[g->to[e] = edge[2 * e + 1]]++;
  for (uint32_t q = 0, sum = 0; q <= g->n; q++) {
    if (g->first[q] > g->max_preds)
      g->max_preds = g->first[q];
    sum += g->first[q];
    g->first[q] = sum; /* the end of q's part; filling it backwards turns it into the start */
  }
  for (uint32_t e = g->nmoves; e-- > 0;)
    g->from[--g->first[edge[2 * e + 1]]] = edge[2 * e];
  return SD_OK;
}

/* "data/race 2.txt" -> "race_2": the file's name without folder and ending, in the letters of table files. */
static void name_slice (const char *path, char out[SD_SLICE_NAME]) {
  const char *slash = strrchr (path, '/');
  size_t n = 0;
  for (const char *p = slash ? slash + 1 : path; *p && *p != '.' && n < 31; p++)
    out[n++] = (char) (letter (*p) || digit (*p) || *p == '-' || *p == '+' ? *p : '_');
  if (n == 0)
    out[n++] = '_';
  out[n] = 0;
}

int sd_graph_parse (const char *text, size_t n, const char *name, sd_graph **out, sd_error *err) {
  SD_OWNED uint32_t *edge = NULL;
  uint64_t room = 0;
  reader r = { text, text + n, name, 1, err };
  sd_graph *g = sd_alloc0 (1, sizeof *g);

  *out = NULL;
  if (!g)
    return sd_fail_memory (err, sizeof *g);
  g->fingerprint = sd_hash64 (text, n);
  name_slice (name, g->slice);
  /* The reader is handed over as a copy, and starts anew for the moves. */
  int st = (g->title = strdup (name)) ? read_names (g, r) : sd_fail_memory (err, strlen (name) + 1);
  for (uint32_t p = 0; st == SD_OK && r.p < r.end; next_line (&r)) {
    char word[NAME];
    st = line_name (&r, word);
    if (st == SD_OK && *word)
      st = read_moves (g, &r, p++, &edge, &room);
  }
  if (st == SD_OK)
    st = turn_round (g, edge, err);
  if (st != SD_OK) {
    sd_graph_free (g);
    return st;
  }
  *out = g;
  return SD_OK;
}

int sd_graph_read (const char *path, sd_graph **out, sd_error *err) {
  SD_OWNED char *text = NULL;
  size_t n;
  *out = NULL;
  SD_TRY (sd_text_read (path, &text, &n, err));
  return sd_graph_parse (text, n, path, out, err);
}
