/** \file lattice.c
 * The phrases that fit on good ways through the slots, as a graph: what one parse with slack has found, kept
 * for those that follow.
 *
 * Where phrases are dropped and costs change, and where pairs are looked for, the same phrases fit at the
 * same places as before. So a parse notes all phrases that it finds to fit within its slack. With F[p] bits
 * for the cheapest way to place p and B[r] for the one from r to the end, the cheapest way with a phrase from
 * p to r that costs c takes F[p] + c + B[r]; phrases of which this is within MARGIN of the cheapest way of
 * all stay. (KRvKR, slack 100: 0.97 million phrases fit, 49,000 of them within 8 bits, and the cheapest way
 * has 10,400. A parse takes 250 ms, one along what stays less than 1 ms.)
 *
 * Segments are as in parse.c. Memory: 8 bytes for each phrase that stays, 8 for each place; while a segment
 * is parsed 12 for each that fits there. */
#include "config.h"
#include "repair/parse_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MARGIN = 16 * SD_PARSE_BIT };

/* ------------------------------------------------------------------- making */

/* For each slot of a segment, and the end. */
typedef struct scratch {
  uint32_t *back;  /* cost of the cheapest way from there to the end */
  uint32_t *index; /* number of the place */
} scratch;

static void find_ways_back (const sd_parser *p, uint32_t *back) {
  const uint64_t n = p->end - p->first;
  memset (back, 255, (n + 1) * sizeof *back);
  back[n] = 0;
  /* Edges rise by where they begin, so that backwards all ways behind an edge's end are known before it. */
  for (uint64_t e = p->edges; e-- > 0;) {
    const sd_parse_edge *x = p->edge + e;
    if (back[x->to] != UINT32_MAX && back[x->to] + x->cost < back[x->from])
      back[x->from] = back[x->to] + x->cost;
  }
}

/* Edges on good ways only; how many places they begin at. */
static uint32_t keep_edges (sd_parser *p, const uint32_t *back) {
  uint64_t kept = 0;
  uint32_t places = 0;
  for (uint64_t e = 0; e < p->edges; e++) {
    const sd_parse_edge x = p->edge[e];
    if (back[x.to] == UINT32_MAX || p->place[x.from].cost + x.cost + back[x.to] > back[0] + MARGIN)
      continue;
    places += kept == 0 || p->edge[kept - 1].from != x.from;
    p->edge[kept++] = x;
  }
  p->edges = kept;
  return places;
}

/* What is left of the edges, by place. */
static int fill_part (const sd_parser *p, uint32_t places, uint32_t *index, sd_lattice_part *out) {
  out->places = places;
  out->at = sd_alloc (places + 1, sizeof *out->at);
  out->first = sd_alloc (places + 1, sizeof *out->first);
  out->edge = sd_alloc (p->edges, sizeof *out->edge);
  if (!out->at || !out->first || !out->edge)
    return SD_ENOMEM;
  uint32_t n = 0;
  for (uint64_t e = 0; e < p->edges; e++)
    if (e == 0 || p->edge[e].from != p->edge[e - 1].from) {
      out->first[n] = (uint32_t) e;
      out->at[n] = p->edge[e].from;
      index[p->edge[e].from] = n++;
    }
  out->first[n] = (uint32_t) p->edges;
  out->at[n] = (uint32_t) (p->end - p->first);
  index[out->at[n]] = n;
  /* Whatever is reached on a good way has a good way on, so that it has a number. */
  for (uint64_t e = 0; e < p->edges; e++)
    out->edge[e] = (sd_lattice_edge){ index[p->edge[e].to], p->edge[e].id };
  return SD_OK;
}

static int make_part (sd_parser *p, scratch *s, sd_lattice_part *out) {
  sd_parser_forget (p);
  sd_parser_settle (p);
  if (p->failed)
    return SD_ENOMEM;
  find_ways_back (p, s->back);
  if (s->back[0] == UINT32_MAX)
    return SD_EINVAL; /* no phrase fits */
  out->slot = p->first;
  return fill_part (p, keep_edges (p, s->back), s->index, out);
}

static int make_parts (const sd_parser *common, uint64_t n, sd_lattice *l) {
  const uint64_t most = n < SD_PARSE_SEGMENT ? n : SD_PARSE_SEGMENT;
  int status = SD_OK;

#pragma omp parallel if (l->parts > 1) reduction(max : status)
  {
    sd_parser p = *common;
    scratch s = { sd_alloc (most + 1, sizeof *s.back), sd_alloc (most + 1, sizeof *s.index) };
    /* The parser writes down every phrase that fits within its slack, not only those of the best way. */
    p.notes = true;
    status = s.back && s.index ? sd_parser_init (&p, most) : SD_ENOMEM;
#pragma omp for schedule(dynamic)
    for (uint64_t k = 0; k < l->parts; k++) {
      if (status)
        continue;
      p.first = k * SD_PARSE_SEGMENT;
      p.end = n - p.first < SD_PARSE_SEGMENT ? n : p.first + SD_PARSE_SEGMENT;
      status = make_part (&p, &s, &l->part[k]);
    }
    free (s.back);
    free (s.index);
    sd_parser_clear (&p);
  }
  return status;
}

/* A bit for each slot at which phrases begin, and for the ends of segments. */
static uint64_t *places_of (const sd_lattice *l, uint64_t slots) {
  uint64_t *bits = sd_alloc0 (slots / 64 + 1, sizeof *bits);
  for (uint64_t k = 0; bits && k < l->parts; k++)
    for (uint32_t i = 0; i <= l->part[k].places; i++) {
      const uint64_t at = l->part[k].slot + l->part[k].at[i];
      bits[at / 64] |= UINT64_C (1) << at % 64;
    }
  return bits;
}

static int make_within (sd_parse_search *s, const sd_seq *slots, const uint64_t *only, sd_lattice *l) {
  *l = (sd_lattice){ .parts = (slots->n + SD_PARSE_SEGMENT - 1) / SD_PARSE_SEGMENT };
  l->part = sd_alloc0 (l->parts, sizeof *l->part);
  s->parser.only = only;
  return l->part ? make_parts (&s->parser, slots->n, l) : SD_ENOMEM;
}

int sd_lattice_make (const sd_repair *st, const sd_seq *slots, const uint32_t *cost, uint32_t slack,
                     sd_lattice *l) {
  sd_parse_search s;
  uint64_t *plane[SD_PARSE_PLANES];
  SD_OWNED uint64_t *only = l->parts ? places_of (l, slots->n) : NULL;
  if (l->parts && !only)
    return SD_ENOMEM;
  sd_lattice_clear (l);
  SD_TRY (sd_parse_search_init (&s, st, cost, slack));
  int status = sd_parser_set_slots (&s.parser, slots->sym, slots->n, plane);
  if (!status)
    status = make_within (&s, slots, only, l);
  /* What went since may have left no way through these places. */
  if (status == SD_EINVAL && only) {
    sd_lattice_clear (l);
    status = make_within (&s, slots, NULL, l);
  }
  free (plane[0]);
  sd_parse_search_clear (&s);
  return status;
}

void sd_lattice_clear (sd_lattice *l) {
  for (uint64_t k = 0; l->part && k < l->parts; k++) {
    free (l->part[k].at);
    free (l->part[k].first);
    free (l->part[k].edge);
  }
  free (l->part);
  *l = (sd_lattice){ 0 };
}

/* ------------------------------------------------------------------- using */

void sd_lattice_ways_back (const sd_lattice_part *l, const uint32_t *cost, uint32_t *back) {
  back[l->places] = 0;
  for (uint32_t i = l->places; i-- > 0;) {
    back[i] = UINT32_MAX;
    for (uint32_t e = l->first[i]; e < l->first[i + 1]; e++) {
      const uint32_t behind = back[l->edge[e].to];
      if (behind != UINT32_MAX && behind + cost[l->edge[e].id] < back[i])
        back[i] = behind + cost[l->edge[e].id];
    }
  }
}

void sd_lattice_ways (const sd_lattice_part *l, uint32_t from, uint32_t to, unsigned but,
                      const uint32_t *cost, sd_lattice_way *way) {
  for (uint32_t i = from; i <= to; i++)
    way[i].cost = UINT32_MAX;
  way[from].cost = 0;
  for (uint32_t i = from; i < to; i++) {
    if (way[i].cost == UINT32_MAX)
      continue;
    for (uint32_t e = l->first[i]; e < l->first[i + 1]; e++) {
      const sd_lattice_edge *x = l->edge + e;
      if (x->to <= to && x->id != but && way[i].cost + cost[x->id] < way[x->to].cost)
        way[x->to] = (sd_lattice_way){ way[i].cost + cost[x->id], i, x->id };
    }
  }
}

uint32_t sd_lattice_most_places (const sd_lattice *l) {
  uint32_t most = 0;
  for (uint64_t k = 0; k < l->parts; k++)
    most = l->part[k].places > most ? l->part[k].places : most;
  return most;
}

int sd_lattice_parse (sd_repair *st, const sd_lattice *l, const uint32_t *cost) {
  SD_OWNED sd_lattice_way *way = sd_alloc (sd_lattice_most_places (l) + 1, sizeof *way);
  if (!way)
    return SD_ENOMEM;
  st->n = 0;
  for (uint64_t k = 0; k < l->parts; k++) {
    const sd_lattice_part *p = &l->part[k];
    sd_lattice_ways (p, 0, p->places, SD_PARSE_ALL, cost, way);
    if (way[p->places].cost == UINT32_MAX)
      return SD_EINVAL;
    /* Backwards along the best way twice: to count its phrases, and to write them from the last one on. */
    uint64_t count = 0;
    for (uint32_t i = p->places; i > 0; i = way[i].from)
      count++;
    uint64_t o = st->n += count;
    for (uint32_t i = p->places; i > 0; i = way[i].from)
      st->ids[--o] = way[i].id;
  }
  return SD_OK;
}

void sd_lattice_drop (sd_lattice *l, const bool *drop, const sd_phrase *new_id) {
  for (uint64_t k = 0; k < l->parts; k++) {
    sd_lattice_part *p = &l->part[k];
    uint32_t kept = 0, from = 0;
    for (uint32_t i = 0; i < p->places; i++) {
      const uint32_t end = p->first[i + 1];
      p->first[i] = kept;
      for (uint32_t e = from; e < end; e++)
        if (!drop[p->edge[e].id])
          p->edge[kept++] = (sd_lattice_edge){ p->edge[e].to, new_id[p->edge[e].id] };
      from = end;
    }
    p->first[p->places] = kept;
  }
}

/* What one occurrence from place i to slot `end` costs without its phrase; the place where it ends. */
static uint32_t detour_of (const sd_lattice_part *p, uint32_t i, unsigned id, uint32_t end,
                           const uint32_t *cost, sd_lattice_way *way, sd_detours *d) {
  uint32_t to = i;
  while (p->at[to] < end)
    to++;
  if (d->want[id] && d->cost[id] != UINT64_MAX) {
    sd_lattice_ways (p, i, to, id, cost, way);
    d->cost[id] = way[to].cost == UINT32_MAX ? UINT64_MAX : d->cost[id] + way[to].cost;
    /* Phrases on the way around must stay if this one goes. */
    for (uint32_t at = to; way[to].cost != UINT32_MAX && at > i; at = way[at].from)
      d->through[id * d->words + way[at].id / 64] |= UINT64_C (1) << way[at].id % 64;
  }
  return to;
}

int sd_lattice_detours (const sd_repair *st, const sd_lattice *l, const uint32_t *cost, sd_detours *out) {
  SD_OWNED sd_lattice_way *way = sd_alloc (sd_lattice_most_places (l) + 1, sizeof *way);
  if (!way)
    return SD_ENOMEM;
  uint64_t o = 0;
  for (uint64_t k = 0; k < l->parts; k++)
    for (uint32_t i = 0; i < l->part[k].places; o++) {
      const unsigned id = st->ids[o];
      i = detour_of (&l->part[k], i, id, l->part[k].at[i] + st->length[id], cost, way, out);
    }
  return SD_OK;
}
