/* subdef-gen --measure: how long ranks of this machine and network take for what 'subdef simulate' counts.
 *
 * Each rank solves the endings alone, all at one time as in a run, and a regression over their iterations
 * tells what a state, a mark, a run of marks for neighbours and a record that is passed by take. Then all
 * ranks solve the same endings together: what that takes more, in CPU seconds of all ranks, is put down to
 * the words of the messages, half to the rank that sends and half to the one that gets them. Messages by
 * themselves go between the first rank and the last, which are on two hosts where there are two.
 *
 * The lines "NAME VALUE" go to standard output. Nothing is written. */
#include "config.h"
#include "tools/gen/subdef_gen.h"
#include "tools/tools_internal.h"
#include "gen/games/chess/chess_kind.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACTORS = 4 }; /* states, marks, runs of marks, records */
/* Rounds are short and many, so that the best ones are not disturbed by other programs. */
enum { PINGS = 50, STREAM = 2000, ROUNDS = 50 };

/* ----------------------------------------------------------------- regression */

/* Sums of a least-squares fit, of one rank or of all. */
typedef struct fit {
  double product[FACTORS][FACTORS], with[FACTORS];
} fit;

/* Short iterations count as much for their length as long ones do. */
static void add_sample (fit *f, const double x[FACTORS], double seconds) {
  const double weight = 1 / fmax (seconds, 1e-6);
  for (unsigned i = 0; i < FACTORS; i++) {
    for (unsigned j = 0; j < FACTORS; j++)
      f->product[i][j] += weight * x[i] * x[j];
    f->with[i] += weight * x[i] * seconds;
  }
}

/* Of the factors in `used` alone, the others 0; by elimination. */
static void solve_fit (const fit *f, const bool used[FACTORS], double out[FACTORS]) {
  double m[FACTORS][FACTORS + 1];
  for (unsigned i = 0; i < FACTORS; i++) {
    for (unsigned j = 0; j < FACTORS; j++)
      m[i][j] = used[i] && used[j] ? f->product[i][j] : i == j;
    m[i][FACTORS] = used[i] ? f->with[i] : 0;
  }
  for (unsigned i = 0; i < FACTORS; i++) /* positive definite: no pivot is sought */
    for (unsigned k = i + 1; k < FACTORS; k++) {
      const double times = m[k][i] / m[i][i];
      for (unsigned j = i; j <= FACTORS; j++)
        m[k][j] -= times * m[i][j];
    }
  for (unsigned i = FACTORS; i-- > 0;) {
    out[i] = m[i][FACTORS];
    for (unsigned j = i + 1; j < FACTORS; j++)
      out[i] -= m[i][j] * out[j];
    out[i] /= m[i][i];
  }
}

/* No factor takes less than no time: one that would is left out. */
static void fit_seconds (const fit *f, double out[FACTORS]) {
  bool used[FACTORS] = { true, true, true, true };
  for (unsigned left = FACTORS; left > 0; left--) {
    unsigned worst = 0;
    solve_fit (f, used, out);
    for (unsigned i = 1; i < FACTORS; i++)
      worst = out[i] < out[worst] ? i : worst;
    if (out[worst] >= 0)
      return;
    used[worst] = false;
  }
}

/* -------------------------------------------------------------------- solving */

typedef struct sample {
  double factor[FACTORS]; /* the records are filled in at the end */
  double seconds;
} sample;

/* Iterations of one ending by one rank. */
typedef struct samples {
  sample *at;
  unsigned n, cap;
  double last; /* CPU seconds at the end of the iteration before */
  bool no_memory;
} samples;

static void take_sample (void *ctx, const sd_iteration *it) {
  samples *s = ctx;
  const double now = sd_cpu_now ();
  if (s->n == s->cap) {
    const unsigned cap = s->cap ? 2 * s->cap : 64;
    sample *more = realloc (s->at, cap * sizeof *more);
    s->no_memory |= !more;
    if (!more)
      return;
    s->at = more;
    s->cap = cap;
  }
  s->at[s->n++] =
      (sample){ { (double) it->states, (double) it->marks, (double) it->runs, 0 }, now - s->last };
  s->last = now;
}

static int solve (const sd_gen_session *s, const sd_transport *t, sd_values *values, const sd_material *m,
                  samples *take, sd_solve_stats *stats, sd_error *err) {
  const sd_solve_options how = {
    .threads = 1, .grain = s->o->grain, .trace = take_sample, .trace_ctx = take
  };
  const sd_gen_run run = { .t = t, .options = &how };
  sd_solution solved;
  int st = sd_gen_solve_ending (&run, values, m, &solved, stats, err);
  free (solved.value);
  for (unsigned i = 0; i < take->n; i++)
    take->at[i].factor[FACTORS - 1] = (double) stats->states;
  return st == SD_OK && take->no_memory ? sd_fail_memory (err, 0) : st;
}

/* This rank alone; its samples join f. */
static int measure_alone (const sd_gen_session *s, sd_values *values, const sd_material *m, fit *f,
                          sd_error *err) {
  samples take = { .n = 0 };
  sd_transport self;
  sd_solve_stats stats;
  sd_transport_self (&self);
  int st = solve (s, &self, values, m, &take, &stats, err);
  /* The time of the first iteration is mixed with that of the start. */
  for (unsigned i = 1; i < take.n && st == SD_OK; i++)
    add_sample (f, take.at[i].factor, take.at[i].seconds);
  free (take.at);
  return st;
}

/* ------------------------------------------------------------------- messages */

/* Rank `from` sends, rank `to` takes; a message that has no room takes in nothing, for nothing comes. */
static int send_one (const sd_transport *t, int to, const uint32_t *word, size_t n) {
  for (;;) {
    const int st = t->send (t->ctx, to, 0, word, n);
    if (st != SD_ENOSPC)
      return st;
  }
}

static int take_one (const sd_transport *t, bool wait) {
  for (;;) {
    const uint32_t *word;
    size_t n;
    int from;
    SD_TRY (t->receive (t->ctx, 0, wait, &from, &word, &n));
    if (n)
      return SD_OK;
  }
}

/* Seconds from rank to rank and back, halved: the mean of many, the least of some rounds. wait: as ranks of
 * the solver do, which sleep. */
static int measure_latency (const sd_transport *t, bool wait, double *out) {
  const uint32_t word = 0;
  const int last = t->size - 1;
  *out = INFINITY;
  for (unsigned k = 0; k < ROUNDS; k++) {
    uint64_t met = 0;
    SD_TRY (t->sum (t->ctx, &met, 1));
    const double start = sd_now ();
    for (unsigned i = 0; i < PINGS; i++) {
      if (t->rank == 0)
        SD_TRY (send_one (t, last, &word, 1));
      if (t->rank == 0 || t->rank == last)
        SD_TRY (take_one (t, wait));
      if (t->rank == last)
        SD_TRY (send_one (t, 0, &word, 1));
    }
    *out = fmin (*out, (sd_now () - start) / PINGS / 2);
  }
  return SD_OK;
}

/* Seconds a message of n words where many follow each other: of the slower end. */
static int measure_stream (const sd_transport *t, size_t n, double *out) {
  SD_OWNED uint32_t *word = sd_alloc0 (n, sizeof *word);
  const int last = t->size - 1;
  uint64_t none = !word;
  *out = INFINITY;
  SD_TRY (t->max (t->ctx, &none, 1));
  if (none || !word)
    return SD_ENOMEM;
  for (unsigned k = 0; k < ROUNDS; k++) {
    uint64_t met = 0;
    SD_TRY (t->sum (t->ctx, &met, 1));
    const double start = sd_now ();
    for (unsigned i = 0; i < STREAM; i++) {
      if (t->rank == 0)
        SD_TRY (send_one (t, last, word, n));
      if (t->rank == last)
        SD_TRY (take_one (t, false));
    }
    /* The last one tells that all have come. */
    if (t->rank == last)
      SD_TRY (send_one (t, 0, word, 1));
    if (t->rank == 0)
      SD_TRY (take_one (t, false));
    *out = fmin (*out, (sd_now () - start) / STREAM);
  }
  return SD_OK;
}

/* ------------------------------------------------------------------- all of it */

typedef struct measured {
  double second[FACTORS], word, message, latency, spinning, bytes_per_second;
} measured;

static int measure_messages (const sd_transport *t, measured *m) {
  double full;
  SD_TRY (measure_latency (t, true, &m->latency));
  SD_TRY (measure_latency (t, false, &m->spinning));
  SD_TRY (measure_stream (t, 1, &m->message));
  SD_TRY (measure_stream (t, t->group, &full));
  m->bytes_per_second = (double) (t->group * sizeof (uint32_t)) / full;
  return SD_OK;
}

/* The sums of all ranks on rank 0, and what they say. */
static int join_fits (const sd_transport *t, const fit *mine, double out[FACTORS], sd_error *err) {
  SD_OWNED fit *all = sd_alloc0 ((uint64_t) t->size, sizeof *all);
  fit sum = { .with = { 0 } };
  SD_TRY (sd_agree (t, all ? SD_OK : sd_fail_memory (err, (size_t) t->size * sizeof *all), err));
  SD_TRY (sd_exchanged (t->gather (t->ctx, mine, sizeof *mine, all), NULL, "their times", err));
  for (int r = 0; r < t->size; r++)
    for (unsigned i = 0; i < FACTORS; i++) {
      sum.with[i] += all[r].with[i];
      for (unsigned j = 0; j < FACTORS; j++)
        sum.product[i][j] += all[r].product[i][j];
    }
  fit_seconds (&sum, out);
  return SD_OK;
}

/* Together: CPU seconds of all ranks beyond what the same takes alone, over the words; rank 0 knows. */
static int measure_words (const sd_gen_session *s, sd_values *values, const sd_material *m, unsigned n,
                          measured *out, sd_error *err) {
  double more = 0, words = 0;
  for (unsigned i = 0; i < n; i++) {
    samples take = { .n = 0 };
    sd_solve_stats stats = { 0 };
    int st = sd_agree (s->t, solve (s, s->t, values, &m[i], &take, &stats, err), err);
    uint64_t cpu = (uint64_t) (stats.iterate_cpu_s * 1e6);
    for (unsigned k = 0; k < take.n; k++)
      for (unsigned j = 0; j < FACTORS; j++)
        more -= out->second[j] * take.at[k].factor[j];
    free (take.at);
    SD_TRY (st);
    SD_TRY (sd_exchanged (s->t->sum (s->t->ctx, &cpu, 1), NULL, "their times", err));
    more += (double) cpu / 1e6 - 2 * out->message * (double) stats.groups;
    words += (double) (stats.message_bytes / sizeof (uint32_t));
  }
  out->word = words > 0 ? fmax (more, 0) / words / 2 : 0;
  return SD_OK;
}

/* The processor's name, as the system tells it. */
static void machine_name (char *out, size_t cap) {
  char line[256];
  FILE *f = fopen ("/proc/cpuinfo", "re");
  snprintf (out, cap, "unknown");
  while (f && fgets (line, sizeof line, f)) {
    const char *at = strchr (line, ':');
    if (!at || strncmp (line, "model name", 10) != 0)
      continue;
    snprintf (out, cap, "%.*s", (int) strcspn (at + 2, "\n"), at + 2);
    break;
  }
  if (f)
    fclose (f);
}

static void print_measured (const sd_gen_session *s, const measured *m) {
  char machine[256];
  machine_name (machine, sizeof machine);
  printf ("machine %s\nranks %d\nendings", machine, s->t->size);
  for (unsigned i = 0; i < s->o->nslices; i++)
    printf (" %s", s->o->slice[i]);
  static const char *const name[FACTORS] = { "state", "mark", "run", "record" };
  putchar ('\n');
  for (unsigned i = 0; i < FACTORS; i++)
    printf ("%s_ns %.4g\n", name[i], 1e9 * m->second[i]);
  printf ("word_ns %.4g\nmessage_us %.4g\nlatency_us %.4g\n", 1e9 * m->word, 1e6 * m->message,
          1e6 * m->latency);
  printf ("busy_latency_us %.4g\nbytes_per_second %.4g\n", 1e6 * m->spinning, m->bytes_per_second);
}

int sd_gen_measure (const sd_gen_session *s, const sd_slice *want, unsigned n, sd_error *err) {
  const sd_transport *t = s->t;
  SD_OWNED sd_material *m = sd_alloc (n, sizeof *m);
  sd_values *values = NULL;
  measured out = { .word = 0 };
  fit mine = { .with = { 0 } };

  if (t->size < 2 || s->rules.kind != sd_game_kind_at (0) || n == 0)
    return sd_fail (err, SD_EINVAL,
                    "--measure takes endings of chess and two ranks or more: mpirun -np 2 subdef-gen "
                    "--measure KQvKR -o tables");
  int st = m ? sd_values_new (s->folder, SD_USUAL_EXACT, &values, err) : sd_fail_memory (err, n * sizeof *m);
  st = sd_agree (t, st, err);
  for (unsigned i = 0; i < n && st == SD_OK; i++) {
    m[i] = sd_chess_material (want[i]);
    st = sd_agree (t, measure_alone (s, values, &m[i], &mine, err), err);
  }
  if (st == SD_OK)
    st = join_fits (t, &mine, out.second, err);
  if (st == SD_OK)
    st = sd_exchanged (measure_messages (t, &out), NULL, "messages", err);
  if (st == SD_OK)
    st = measure_words (s, values, m, n, &out, err);
  if (st == SD_OK && t->rank == 0)
    print_measured (s, &out);
  sd_values_free (values);
  return st;
}
