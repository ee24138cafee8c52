/* A game that is solved part by part (sd_game.part): the records of one part stand in memory, the values of
 * those that are solved in a file, NAME.sdt.parts beside the table.
 *
 * The file holds part behind part, 2 bytes a state, each in the order of its states, and behind them a
 * checksum of each. Every rank writes what it has solved, and maps the file to read: a part looks up the
 * values of those below it, and the table is written from all of them, in the order of its slots. Mapped
 * pages are given back as they are done with, so that they take little memory of a process.
 *
 * A checkpoint is one of the part that is being solved, and says in `ply` how many parts were before it.
 * Before it is saved, the file lies on the disk with its checksums. A run that is resumed compares these.
 *
 * Cost: the values written once and read some three times; 2 bytes a state of disk. */
#include "config.h"
#include "gen/parts.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Progress of all parts together: each counts moves, then spreads values. */
typedef struct bar {
  const sd_progress *to;
  uint64_t before, part, all; /* states */
  bool spreads;
} bar;

struct sd_gen_parts {
  const sd_transport *t;
  const sd_game *whole;
  const char *path;
  void *file;             /* the transport's */
  int fd;                 /* to map it by; -1: not open */
  void *map;              /* NULL: not mapped */
  uint64_t *at;           /* [parts + 1] bytes in the file */
  const sd_value **value; /* [parts] */
  uint64_t read;          /* bytes since pages were given back */
  unsigned part, resumed; /* that is solved; that a checkpoint is of, or SD_NO_CHECKPOINT */
  unsigned summed;        /* parts whose checksums are in the file */
  const sd_checkpoint *hook;
  sd_solve_stats sum; /* of the parts before */
  bar bar;
};

enum { NONE = -1 };

/* -------------------------------------------------------------------- the file */

static uint64_t file_bytes (const sd_gen_parts *p) {
  return p->at[p->whole->parts] + p->whole->parts * sizeof (uint64_t);
}

static void unmap (sd_gen_parts *p) {
  if (p->map)
    munmap (p->map, file_bytes (p));
  p->map = NULL;
}

/* What all ranks have written, as it is now. */
static int map (sd_gen_parts *p, sd_error *err) {
  unmap (p);
  if (p->t->size > 1) /* pages that were read ahead while another host wrote them */
    posix_fadvise (p->fd, 0, 0, POSIX_FADV_DONTNEED);
  void *at = mmap (NULL, file_bytes (p), PROT_READ, MAP_SHARED, p->fd, 0);
  if (at == MAP_FAILED)
    return sd_fail (err, errno == ENOMEM ? SD_ENOMEM : SD_EIO, "%s: cannot be mapped: %s", p->path,
                    strerror (errno));
  p->map = at;
  for (unsigned k = 0; k < p->whole->parts; k++)
    p->value[k] = (const sd_value *) ((const uint8_t *) at + p->at[k]);
  return SD_OK;
}

/* Rank 0: an empty file of that length. One of an earlier run loses its name, not its bytes, for whoever
 * still reads it. */
static int create (const sd_gen_parts *p, sd_error *err) {
  unlink (p->path);
  const int fd = open (p->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const bool made = fd >= 0 && ftruncate (fd, (off_t) file_bytes (p)) == 0;
  const int why = errno;
  if (fd >= 0)
    close (fd);
  return made ? SD_OK : sd_fail (err, SD_EIO, "%s: cannot be made: %s", p->path, strerror (why));
}

/* Collective. */
static int open_file (sd_gen_parts *p, sd_error *err) {
  const sd_transport *t = p->t;
  SD_TRY (sd_agree (t, t->rank == 0 && !sd_file_exists (p->path) ? create (p, err) : SD_OK, err));
  p->fd = open (p->path, O_RDONLY | O_CLOEXEC);
  SD_TRY (sd_agree (
      t, p->fd >= 0 ? SD_OK : sd_fail (err, SD_EIO, "%s: cannot be opened: %s", p->path, strerror (errno)),
      err));
  int st = t->file_open (t->ctx, p->path, &p->file, err);
  if (st != SD_OK && err)
    sd_error_prefix (err, "%s", p->path);
  return st;
}

static void close_file (sd_gen_parts *p) {
  unmap (p);
  if (p->file)
    p->t->file_close (p->file, NULL);
  if (p->fd >= 0)
    close (p->fd);
  p->file = NULL;
  p->fd = -1;
}

/* Collective: the values of the part that is solved, from each rank what it holds. States have their places
 * in the file, so that no order is needed. */
static int keep (sd_gen_parts *p, const sd_solution *s, sd_error *err) {
  const sd_transport *t = p->t;
  const uint64_t n = sd_deal_count (&s->deal, t->rank);
  int st = SD_OK;
  uint64_t run;
  for (uint64_t place = 0; place < n && st == SD_OK; place += run) {
    const sd_state first = sd_deal_state (&s->deal, t->rank, place, &run);
    run = t->size == 1 || run > n - place ? n - place : run;
    st = t->file_write (p->file, p->at[p->part] + first * sizeof *s->value, s->value + place,
                        run * sizeof *s->value, err);
  }
  if (st != SD_OK && err)
    sd_error_prefix (err, "%s", p->path);
  SD_TRY (sd_agree (t, st, err));
  return t->size > 1 ? t->file_sync (p->file, err) : SD_OK;
}

/* ---------------------------------------------------------------- checkpoints */

static uint64_t sum_of (const sd_gen_parts *p, unsigned k) {
  return sd_hash64 (p->value[k], p->at[k + 1] - p->at[k]);
}

/* Collective: all parts before this one lie on the disk, with their checksums. */
static int settle (sd_gen_parts *p, sd_error *err) {
  const sd_transport *t = p->t;
  int st = SD_OK;
  for (; p->summed < p->part && st == SD_OK; p->summed++)
    if (t->rank == 0) {
      const uint64_t sum = sum_of (p, p->summed);
      st = t->file_write (p->file, p->at[p->whole->parts] + p->summed * sizeof sum, &sum, sizeof sum, err);
    }
  SD_TRY (sd_agree (t, st, err));
  return t->file_sync (p->file, err);
}

/* What the solver calls where it has a checkpoint of its part: the counts of the parts before are added, so
 * that a run that goes on tells those of all. */
static int save (void *ctx, const sd_game *game, const sd_deal *deal, const sd_solve_point *at,
                 const uint16_t *rec, sd_error *err) {
  sd_gen_parts *p = ctx;
  sd_solve_point all = *at;
  SD_TRY (settle (p, err));
  all.ply += p->part * SD_POINT_PART;
  all.plies = all.plies > p->sum.plies ? all.plies : p->sum.plies;
  all.marks_a += p->sum.marks_a;
  all.marks_b += p->sum.marks_b;
  all.groups += p->sum.groups;
  all.init_s += p->sum.init_s;
  all.iterate_s += p->sum.iterate_s;
  return p->hook->save (p->hook->ctx, game, deal, &all, rec, err);
}

/* A checkpoint is loaded once, for the part that it is of; the parts behind it begin anew. */
static int load (void *ctx, const sd_game *game, const sd_deal *deal, sd_solve_point *at, uint16_t *rec,
                 sd_error *err) {
  sd_gen_parts *p = ctx;
  if (p->resumed != p->part)
    return SD_ENOENT;
  SD_TRY (p->hook->load (p->hook->ctx, game, deal, at, rec, err));
  at->ply %= SD_POINT_PART;
  return SD_OK;
}

/* Rank 0: are the parts before this one in the file as they were? */
static bool whole (const sd_gen_parts *p, unsigned before) {
  const uint8_t *sums = (const uint8_t *) p->map + p->at[p->whole->parts];
  for (unsigned k = 0; k < before; k++) {
    const uint64_t sum = sum_of (p, k);
    if (memcmp (sums + k * sizeof sum, &sum, sizeof sum) != 0)
      return false;
  }
  return true;
}

/* Collective: the part to begin with, whose checkpoint is to be loaded, or 0. */
static int resume (sd_gen_parts *p, const char *name, sd_error *err) {
  uint64_t part = 0, good = 1;
  unsigned ply;

  p->resumed = (unsigned) NONE;
  if (!p->hook || !p->hook->at || p->hook->at (p->hook->ctx, name, &ply) != SD_OK)
    return SD_OK;

  part = ply / SD_POINT_PART;
  sd_error e = { 0 };
  if (p->t->rank == 0) {
    sd_map file = { 0 };
    good = part < p->whole->parts && (part == 0 || sd_map_open (p->path, &file, &e) == SD_OK);
    good &= part == 0 || file.len == file_bytes (p);
    sd_map_close (&file);
  }
  SD_TRY (sd_exchanged (p->t->broadcast (p->t->ctx, 0, &good, sizeof good), name, "what there is", err));

  if (good && part) {
    SD_TRY (open_file (p, err));
    SD_TRY (sd_agree (p->t, map (p, err), err));
    good = p->t->rank != 0 || whole (p, (unsigned) part);
    SD_TRY (sd_exchanged (p->t->broadcast (p->t->ctx, 0, &good, sizeof good), name, "what there is", err));
    close_file (p);
  }
  if (!good) {
    p->hook->refuse (p->hook->ctx, name, "the parts before it are missing or damaged");
    return SD_OK;
  }
  p->part = p->resumed = p->summed = (unsigned) part;
  return SD_OK;
}

/* ------------------------------------------------------------------- progress */

/* Each part counts moves first and spreads values then: half of its share of the bar each. */
static void bar_stage (void *ctx, unsigned stage) {
  bar *b = ctx;
  b->spreads = stage != SD_STAGE_COUNT;
}

static void bar_report (void *ctx, const char *what, uint64_t done, uint64_t total) {
  const bar *b = ctx;
  const double part = total ? (double) done / (double) total : 0;
  const double at = (double) b->before + (double) b->part * (part + (b->spreads ? 1 : 0)) / 2;
  sd_report (b->to, what, (uint64_t) at, b->all);
}

/* -------------------------------------------------------------------- solving */

static void add (sd_solve_stats *sum, const sd_solve_stats *s) {
  sum->marks_a += s->marks_a;
  sum->marks_b += s->marks_b;
  sum->groups += s->groups;
  sum->looks += s->looks;
  sum->passes += s->passes;
  sum->bytes = s->bytes > sum->bytes ? s->bytes : sum->bytes;
  sum->plies = s->plies > sum->plies ? s->plies : sum->plies;
  sum->init_s += s->init_s;
  sum->iterate_s += s->iterate_s;
  sum->iterate_cpu_s += s->iterate_cpu_s;
  sum->transfers += s->transfers;
  sum->moved += s->moved;
  sum->message_bytes += s->message_bytes;
}

/* Collective: the part p->part is solved, and kept. */
static int solve_part (sd_gen_parts *p, const sd_gen_run *run, const char *name, sd_error *err) {
  const sd_checkpoint mine = {
    .ctx = p, .interval = p->hook ? p->hook->interval : 0, .save = save, .load = load
  };
  const sd_progress progress = { bar_report, &p->bar, bar_stage, NULL };
  sd_solve_options o = run->options ? *run->options : (sd_solve_options){ 0 };
  sd_game game = { 0 };
  sd_solution s = { .value = NULL };
  sd_solve_stats stats;

  o.checkpoint = p->hook ? &mine : NULL;
  o.progress = p->bar.to ? &progress : NULL;
  SD_TRY (sd_agree (p->t, map (p, err), err));
  int st = sd_agree (p->t, p->whole->part (p->whole->ctx, p->part, p->value, &game, err), err);
  game.name = name;
  p->bar.part = game.nstates;
  if (st == SD_OK)
    st = (run->solve ? run->solve : sd_solve) (&game, p->t, &o, &s, &stats, err);
  if (st == SD_OK) {
    add (&p->sum, &stats);
    st = keep (p, &s, err);
  }

  free (s.value);
  if (game.ctx)
    p->whole->part_free (&game);
  p->bar.before += p->bar.part;
  return st;
}

/* What the writer of the table asks for, by any number of threads. */
static void read_values (const void *ctx, sd_state first, uint64_t n, sd_value *out) {
  sd_gen_parts *p = (sd_gen_parts *) (uintptr_t) ctx;
  p->whole->read_parts (p->whole->ctx, p->value, first, n, out);
  /* The pages stay in the system's memory, and are mapped again where they are asked for. With one that is
   * asked for the system maps some beside it, so that more are mapped than are read. */
  if (__atomic_add_fetch (&p->read, n * sizeof *out, __ATOMIC_RELAXED) > SD_PARTS_MAPPED / 8) {
    __atomic_store_n (&p->read, 0, __ATOMIC_RELAXED);
    madvise (p->map, file_bytes (p), MADV_DONTNEED);
  }
}

static int solve_all (sd_gen_parts *p, const sd_gen_run *run, const char *name, sd_error *err) {
  p->bar.to = run->options ? run->options->progress : NULL;
  p->hook = run->options ? run->options->checkpoint : NULL;
  SD_TRY (resume (p, name, err));
  if (p->part == 0)
    SD_TRY (sd_agree (p->t, p->t->rank == 0 ? create (p, err) : SD_OK, err));
  SD_TRY (open_file (p, err));

  sd_report_stage (p->bar.to, SD_STAGE_COUNT);
  for (unsigned k = 0; k < p->whole->parts; k++) {
    p->bar.all += p->whole->part_states (p->whole->ctx, k);
    p->bar.before += k < p->part ? p->whole->part_states (p->whole->ctx, k) : 0;
  }
  for (; p->part < p->whole->parts; p->part++)
    SD_TRY (solve_part (p, run, name, err));
  return sd_agree (p->t, map (p, err), err);
}

int sd_gen_parts_solve (const sd_gen_run *run, const sd_game *whole, const char *name, const char *path,
                        sd_gen_parts **out, sd_solution *solution, sd_solve_stats *stats, sd_error *err) {
  sd_gen_parts *p = sd_alloc0 (1, sizeof *p);
  *out = p;
  if (p) {
    *p = (sd_gen_parts){ .t = run->t, .whole = whole, .path = path, .fd = -1 };
    p->at = sd_alloc0 (whole->parts + 1, sizeof *p->at);
    p->value = sd_alloc0 (whole->parts, sizeof *p->value);
  }
  SD_TRY (sd_agree (run->t, p && p->at && p->value ? SD_OK : sd_fail_memory (err, sizeof *p), err));
  for (unsigned k = 0; k < whole->parts; k++)
    p->at[k + 1] = p->at[k] + whole->part_states (whole->ctx, k) * sizeof (sd_value);
  SD_TRY (solve_all (p, run, name, err));

  p->sum.states = whole->read_states;
  if (stats)
    *stats = p->sum;
  *solution = (sd_solution){ .read = read_values, .ctx = p };
  sd_deal_make (whole->read_states, run->t->size, SD_DEAL_PLAIN, &solution->deal);
  return SD_OK;
}

void sd_gen_parts_free (sd_gen_parts *p) {
  if (!p)
    return;
  if (p->at)
    close_file (p);
  free (p->at);
  free (p->value);
  free (p);
}
