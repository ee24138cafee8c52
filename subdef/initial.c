/** \file initial.c
 * The initial replacement algorithms by name, and chains "alg2+full" of them. Each has a row in its file
 * and its name in initials.def. Every algorithm makes O (n) steps and works in place; what it leaves free
 * is left to the next one of the chain, and at last to the codec. */
#include "config.h"
#include "subdef/subdef_internal.h"

#include <stdio.h>
#include <string.h>

static int run_frequent (sd_seq *s, const sd_symbol_counts *c, unsigned param, sd_error *err) {
  (void) param, (void) err;
  sd_seq_replace (s, c->best);
  return SD_OK;
}

const sd_initial sd_initial_none = {
  .name = "none",
  .summary = "leave every slot free",
  .source = "-",
};

const sd_initial sd_initial_frequent = {
  .name = "frequent",
  .completes = true,
  .summary = "the most frequent admissible symbol",
  .source = "Zakharov 2015, 1.7.3",
  .run = run_frequent,
};

#define SD_INITIAL(name) &sd_initial_##name,
static const sd_initial *const all[] = {
#include "subdef/initials.def"
};
#undef SD_INITIAL
enum { COUNT = sizeof all / sizeof all[0] };

const sd_initial *const *sd_initial_all (size_t *n) {
  *n = COUNT;
  return all;
}

static int unknown (const char *text, size_t len, sd_error *err) {
  char names[200];
  size_t at = 0;
  for (size_t k = 0; k < COUNT && at < sizeof names; k++)
    at += (size_t) snprintf (names + at, sizeof names - at, "%s%s%s", k ? ", " : "", all[k]->name,
                             all[k]->takes_param ? ":NUMBER" : "");
  return sd_fail (
      err, SD_EINVAL,
      "initial replacement: \"%.*s\": no such algorithm; there are %s, and chains of them such as alg2+full",
      (int) len, text, names);
}

/* One link "name" or "name:param" at text[0..len-1]. */
static int parse_link (const char *text, size_t len, const sd_initial **out, unsigned *param, sd_error *err) {
  const char *colon = memchr (text, ':', len);
  size_t name = colon ? (size_t) (colon - text) : len;

  for (size_t k = 0; k < COUNT; k++) {
    if (strlen (all[k]->name) != name || memcmp (all[k]->name, text, name) != 0)
      continue;
    if (all[k]->takes_param != (colon != NULL))
      return sd_fail (err, SD_EINVAL, "initial replacement: %.*s: %s", (int) len, text,
                      colon ? "takes no parameter" : "needs a parameter, as in constant:0");
    uint64_t v = 0;
    for (size_t i = name + 1; i < len; i++) {
      /* No further than a symbol can be: no number is too long. */
      v = text[i] >= '0' && text[i] <= '9' ? 10 * v + (unsigned) (text[i] - '0') : SD_MAX_MAIN;
      if (v >= SD_MAX_MAIN)
        break;
    }
    /* Nothing behind the colon is no number either. */
    if (colon && (name + 1 == len || v >= SD_MAX_MAIN))
      return sd_fail (err, SD_EINVAL,
                      "initial replacement: %.*s: the parameter must be a number from 0 to %d", (int) len,
                      text, SD_MAX_MAIN - 1);
    *out = all[k];
    *param = (unsigned) v;
    return SD_OK;
  }
  return unknown (text, len, err);
}

static int run (const sd_initial *in, sd_seq *s, unsigned param, sd_error *err) {
  SD_RELEASED_BY (sd_symbol_counts_free) sd_symbol_counts c = { 0 };
  if (!in->run)
    return SD_OK;
  /* Anew for each link: the one before may have filled slots. */
  SD_TRY (sd_symbol_counts_new (s, &c));
  return in->run (s, &c, param, err);
}

/* Walk the chain; s = NULL: only check it. */
static int walk (const char *chain, sd_seq *s, sd_error *err) {
  for (const char *at = chain;; at++) {
    size_t len = strcspn (at, "+");
    const sd_initial *in = all[0];
    unsigned param = 0;
    SD_TRY (parse_link (at, len, &in, &param, err));
    if (s) {
      int st = run (in, s, param, err);
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

/* Why a link changes nothing behind the one before (NULL: it is the first); NULL: it may change something. */
static const char *why_idle (const sd_initial *link, const sd_initial *before, bool alone, bool completed) {
  if (before && before->completes)
    return "behind a link that leaves no slot free";
  /* "none" does nothing, and may stand alone to say so. */
  if (!link->run && !alone)
    return "in a chain of several";
  if (!link->run && completed)
    return "where all that is free is completed by the most frequent symbol, as initial=frequent says";
  if (completed && before && link == &sd_initial_frequent)
    return "behind others, where all that is free is completed by the most frequent symbol anyway";
  return NULL;
}

int sd_initial_check_effect (const char *chain, bool completed, sd_error *err) {
  const sd_initial *before = NULL;
  for (const char *at = chain;; at++) {
    const size_t len = strcspn (at, "+");
    const sd_initial *link = all[0];
    unsigned param;
    SD_TRY (parse_link (at, len, &link, &param, err));
    const char *why = why_idle (link, before, at == chain && !at[len], completed);
    if (why)
      return sd_fail (err, SD_EINVAL, "initial replacement: %s has no effect %s; leave it out", link->name, why);
    before = link;
    at += len;
    if (!*at)
      return SD_OK;
  }
}

int sd_initial_apply (const char *chain, sd_seq *s, sd_error *err) {
  SD_TRY (walk (chain, NULL, err)); /* nothing is changed when a later link is wrong */
  unsigned size = sd_alphabet_size (s->alphabet);
  unsigned top = 0;
#pragma omp parallel for if (s->n > SD_PART) schedule(static) reduction(max : top)
  for (uint64_t i = 0; i < s->n; i++)
    top = s->sym[i] > top ? s->sym[i] : top;
  for (uint64_t i = 0; top >= size; i++)
    if (s->sym[i] >= size)
      return sd_fail (err, SD_EINVAL, "initial replacement: slot %llu: symbol %u, but the alphabet has %u",
                      (unsigned long long) i, s->sym[i], size);
  if (size == sd_alphabet_main (s->alphabet)) /* nothing is free */
    return SD_OK;
  return walk (chain, s, err);
}
