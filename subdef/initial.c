/** \file initial.c
 * The initial replacement algorithms by name, one row each, and chains "alg2+full" of them.
 * Every algorithm makes O (n) steps and works in place; what it leaves free is left to the next one of the
 * chain, and at last to the coder. */
#include "config.h"
#include "subdef/subdef_internal.h"

#include <stdio.h>
#include <string.h>

static int run_none (sd_seq *s, unsigned param, sd_error *err) {
  (void) s, (void) param, (void) err;
  return SD_OK;
}

static int run_frequent (sd_seq *s, unsigned param, sd_error *err) {
  (void) param, (void) err;
  return sd_complete_frequent (s);
}

static const sd_initial all[] = {
  { "none", "leave every slot free", "-", false, run_none },
  { "zero", "0 where admissible (a draw; moves: the fewest), else the most frequent symbol", "S0 1.5", false,
    sd_initial_zero },
  { "constant",
    "constant:V: symbol V where admissible (results: 0 lost, 1 drawn, 2 won; distances: values of the side, "
    "by rising moves, signed from the worst on), else the most frequent",
    "ours", true, sd_initial_constant },
  { "frequent", "the most frequent admissible symbol", "S0 1.7.3", false, run_frequent },
  { "left", "as the left neighbour, else as the symbol behind the run, else the most frequent", "ours", false,
    sd_initial_left },
  { "ternary", "five rules over the two neighbours on each side", "S0 1.7.1", false, sd_initial_ternary },
  { "full", "runs of free slots by the most frequent symbol or pair", "S0 1.8", false, sd_initial_full },
  { "alg1", "partly free slots by their most frequent symbol", "S0 1.9", false, sd_initial_alg1 },
  { "alg2", "partly free slots by the most frequent pair with the left neighbour", "S0 1.9", false,
    sd_initial_alg2 },
  { "edges",
    "edges:K: as the two neighbours of the run, which meet at multiples of K; the more frequent goes on",
    "ours", true, sd_initial_edges },
  { "larger", "larger:K: the same, the larger of the two goes on", "ours", true, sd_initial_larger },
};

const sd_initial *sd_initial_all (size_t *n) {
  *n = sizeof all / sizeof all[0];
  return all;
}

static int unknown (const char *text, size_t len, sd_error *err) {
  char names[200];
  size_t at = 0;
  for (size_t k = 0; k < sizeof all / sizeof all[0] && at < sizeof names; k++)
    at += (size_t) snprintf (names + at, sizeof names - at, "%s%s%s", k ? ", " : "", all[k].name,
                             all[k].takes_param ? ":NUMBER" : "");
  return sd_fail (
      err, SD_EINVAL,
      "initial replacement: \"%.*s\": no such algorithm; there are %s, and chains of them such as alg2+full",
      (int) len, text, names);
}

/* One link "name" or "name:param" at text[0..len-1]. */
static int parse_link (const char *text, size_t len, const sd_initial **out, unsigned *param, sd_error *err) {
  const char *colon = memchr (text, ':', len);
  size_t name = colon ? (size_t) (colon - text) : len;
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
    if (strlen (all[k].name) != name || memcmp (all[k].name, text, name) != 0)
      continue;
    if (all[k].takes_param != (colon != NULL))
      return sd_fail (err, SD_EINVAL, "initial replacement: %.*s: %s", (int) len, text,
                      colon ? "takes no parameter" : "needs a parameter, as in constant:0");
    uint64_t v = 0;
    for (size_t i = name + 1; i < len; i++) {
      v = text[i] >= '0' && text[i] <= '9' ? 10 * v + (unsigned) (text[i] - '0') : SD_MAX_MAIN;
      if (v >= SD_MAX_MAIN)
        break;
    }
    if (colon && (name + 1 == len || v >= SD_MAX_MAIN))
      return sd_fail (err, SD_EINVAL,
                      "initial replacement: %.*s: the parameter must be a number from 0 to %d", (int) len,
                      text, SD_MAX_MAIN - 1);
    *out = &all[k];
    *param = (unsigned) v;
    return SD_OK;
  }
  return unknown (text, len, err);
}

/* Walk the chain; s = NULL: only check it. */
static int walk (const char *chain, sd_seq *s, sd_error *err) {
  for (const char *at = chain;; at++) {
    size_t len = strcspn (at, "+");
    const sd_initial *in = all;
    unsigned param = 0;
    SD_TRY (parse_link (at, len, &in, &param, err));
    if (s) {
      int st = in->run (s, param, err);
      if (st == SD_ENOMEM)
        return sd_fail_memory (err, 0);
      if (st)
        return st;
    }
    at += len;
    if (!*at)
      return SD_OK;
  }
}

int sd_initial_check (const char *chain, sd_error *err) {
  return walk (chain, NULL, err);
}

int sd_initial_apply (const char *chain, sd_seq *s, sd_error *err) {
  SD_TRY (walk (chain, NULL, err)); /* nothing is changed when a later link is wrong */
  unsigned size = sd_alphabet_size (s->alphabet);
  for (uint64_t i = 0; i < s->n; i++)
    if (s->sym[i] >= size)
      return sd_fail (err, SD_EINVAL, "initial replacement: slot %llu: symbol %u, but the alphabet has %u",
                      (unsigned long long) i, s->sym[i], size);
  if (size == sd_alphabet_main (s->alphabet)) /* nothing is free */
    return SD_OK;
  return walk (chain, s, err);
}
