/* Checkpoints in files, so that a killed run goes on where it was.
 *
 * A generation is one file of records a rank, named by the generation's random number, and becomes valid by
 * the manifest, which rank 0 writes when all ranks have theirs on the disk. The manifest is replaced by a
 * rename, so at any moment it names one whole generation: the old one until then, the new one from then on;
 * only afterwards are the old files removed. What a killed run left half-written has a name that no manifest
 * knows, and is swept away by the next run.
 *
 * Rank 0 holds a lock on the folder, because the ranks of a run whose mpirun was killed may live for a moment
 * beside the run that takes over. Nobody but rank 0 can make a generation valid, so its lock is enough; the
 * system drops it with the process.
 *
 * Cost: the records written once for each save (2 bytes a state, twice that on the disk while two generations
 * exist), a handful of collective calls. */
#include "config.h"
#include "gen/solve/checkpoint_internal.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOCK_TRIES = 100, MANIFEST_MAX = 1 << 28 };

typedef struct ckpt {
  char *folder;
  const sd_transport *t;
  sd_notice say;
  int lock;      /* descriptor of the folder on rank 0, or -1 */
  bool warned;   /* that a save failed */
  uint64_t last; /* id */
} ckpt;

static void say (const ckpt *c, bool problem, const char *fmt, ...) __attribute__ ((format (printf, 3, 4)));
static void say (const ckpt *c, bool problem, const char *fmt, ...) {
  char text[1024];
  va_list args;
  /* One rank speaks for all. */
  if (c->t->rank != 0 || !c->say.say)
    return;
  va_start (args, fmt);
  vsnprintf (text, sizeof text, fmt, args);
  va_end (args);
  c->say.say (c->say.ctx, problem, text);
}

/* ---------------------------------------------------------------- the folder */

static char *manifest_path (const char *folder) {
  char *path;
  return asprintf (&path, "%s/manifest", folder) < 0 ? NULL : path;
}

static char *part_path (const char *folder, uint64_t id, uint32_t rank) {
  char *path;
  return asprintf (&path, "%s/%016" PRIx64 ".%" PRIu32, folder, id, rank) < 0 ? NULL : path;
}

static size_t digits (const char *s) {
  return strspn (s, "0123456789");
}

/* Is this a name that we, or sd_outfile for us, give to a file? */
static bool our_name (const char *name, bool *manifest, uint64_t *id) {
  /* "manifest", or 16 hexadecimal digits, a dot and the number of a rank. */
  *manifest = strncmp (name, "manifest", 8) == 0;
  if (*manifest)
    name += 8;
  else {
    if (strspn (name, "0123456789abcdef") != 16 || name[16] != '.' || !digits (name + 17))
      return false;
    *id = strtoull (name, NULL, 16);
    name += 17 + digits (name + 17);
  }
  if (*name == 0)
    return true;
  *manifest = false; /* only the temporary form of it, or nothing of ours */
  *id = 0;
  const size_t n = strlen (name); /* .HOST.PID.tmp */
  return *name == '.' && n > 5 && strcmp (name + n - 4, ".tmp") == 0 && digits (name + n - 5);
}

/* Remove our files: all of them; those that do not belong to the generation `id`; or those of it only. */
enum which { ALL, OTHERS, ONLY };

static void sweep (const char *folder, enum which which, uint64_t id) {
  DIR *d = opendir (folder);
  struct dirent *e;
  while (d && (e = readdir (d))) {
    bool manifest;
    uint64_t its = 0;
    /* What cannot be removed is left: it has a name that no manifest knows. */
    if (our_name (e->d_name, &manifest, &its)
        && (which == ALL || (!manifest && (which == ONLY) == (its == id))))
      unlinkat (dirfd (d), e->d_name, 0);
  }
  if (d)
    closedir (d);
}

void sd_checkpoint_remove (const char *folder) {
  SD_OWNED char *manifest = manifest_path (folder);
  const int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  /* a run that uses it has the lock; a file system without locks has other errors */
  if (manifest && fd >= 0 && (flock (fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)) {
    unlink (manifest); /* first: from here on nothing is valid */
    sweep (folder, ALL, 0);
    rmdir (folder);
  }
  if (fd >= 0)
    close (fd);
}

static bool still_there (int fd, const char *folder) {
  struct stat a, b;
  return fstat (fd, &a) == 0 && stat (folder, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Rank 0: the folder, locked. */
static int lock (ckpt *c, sd_error *err) {
  SD_TRY (sd_make_folder (c->folder, err));
  if (c->lock >= 0)
    return SD_OK;
  int fd = open (c->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return sd_fail (err, SD_EIO, "%s: cannot be opened: %s", c->folder, strerror (errno));
  /* Ten seconds: ranks of a run that was killed may take a moment to end. */
  for (unsigned i = 0; flock (fd, LOCK_EX | LOCK_NB) != 0; i++) {
    if (errno != EWOULDBLOCK) /* a file system without locks */
      break;
    if (i == LOCK_TRIES) {
      close (fd);
      return sd_fail (err, SD_EIO, "%s: in use by another process", c->folder);
    }
    nanosleep (&(struct timespec){ .tv_nsec = 100000000 }, NULL);
  }
  if (!still_there (fd, c->folder)) { /* its owner has removed it while we waited */
    close (fd);
    return lock (c, err);
  }
  c->lock = fd;
  return SD_OK;
}

/* ---------------------------------------------------------------------- save */

static uint64_t new_id (const ckpt *c) {
  struct timespec now;
  clock_gettime (CLOCK_REALTIME, &now);
  /* Two runs in one second, or two saves, must differ. */
  uint64_t seed[4] = { (uint64_t) now.tv_sec, (uint64_t) now.tv_nsec, (uint64_t) getpid (), c->last };
  uint64_t id = sd_hash64 (seed, sizeof seed);
  return id ? id : 1;
}

/* Rank 0: the new generation becomes valid. */
static int commit (const ckpt *c, const sd_ckpt_manifest *m, sd_error *err) {
  SD_RELEASED_BY (sd_buf_free) sd_buf buf = { 0 };
  sd_outfile *f;
  SD_OWNED char *path = manifest_path (c->folder);
  int st = path ? sd_ckpt_encode (m, &buf) : SD_ENOMEM;
  if (st != SD_OK)
    return sd_fail (err, st, "%s: manifest: %s", c->folder, sd_strerror (st));
  SD_TRY (sd_outfile_open (path, &f, err));
  st = sd_outfile_write (f, buf.data, buf.len, err);
  if (st == SD_OK)
    return sd_outfile_commit (f, err);
  sd_outfile_abort (f);
  return st;
}

/* Collective. On a failure the new files are gone and the old generation stays. */
static int write_generation (ckpt *c, const sd_game *game, const sd_deal *deal, const sd_solve_point *at,
                             const uint16_t *rec, sd_error *err) {
  const sd_transport *t = c->t;
  sd_ckpt_part mine = { 0 };
  sd_ckpt_manifest m = { .deal = *deal,
                         .ranks = (uint32_t) t->size,
                         .max_moves = game->max_moves,
                         .at = *at,
                         .name = (char *) (uintptr_t) game->name };
  char *path = NULL;

  SD_TRY (sd_agree (t, t->rank == 0 ? lock (c, err) : SD_OK, err));
  /* Rank 0's number counts; the others' are overwritten. */
  uint64_t id = new_id (c);
  int st = sd_exchanged (t->broadcast (t->ctx, 0, &id, sizeof id), NULL, "a number", err);
  if (st != SD_OK)
    return st;
  m.id = c->last = id;
  path = part_path (c->folder, id, (uint32_t) t->rank);
  m.part = sd_alloc (t->rank == 0 ? m.ranks : 1, sizeof *m.part);
  if (path && m.part)
    st = sd_ckpt_write_part (path, &m, t->rank, rec, &mine, err);
  else
    st = sd_fail_memory (err, m.ranks * sizeof *m.part);
  /* All parts are on the disk, or there is no generation. */
  st = sd_agree (t, st, err);
  if (st == SD_OK)
    st = sd_exchanged (t->gather (t->ctx, &mine, sizeof mine, m.part), NULL, "checksums", err);
  if (t->rank == 0) { /* it alone knows which generation is valid, even if the connection has failed */
    if (st == SD_OK)
      st = commit (c, &m, err);
    sweep (c->folder, st == SD_OK ? OTHERS : ONLY, id);
  }
  st = sd_agree (t, st, err);
  free (path);
  free (m.part);
  return st;
}

static int save (void *ctx, const sd_game *game, const sd_deal *deal, const sd_solve_point *at,
                 const uint16_t *rec, sd_error *err) {
  ckpt *c = ctx;
  sd_error e = { 0 };
  /* A run without checkpoints is better than none: it is told once, and goes on. */
  (void) err;
  if (write_generation (c, game, deal, at, rec, &e) != SD_OK && !c->warned) {
    c->warned = true;
    say (c, true, "%s: no checkpoint at ply %u, the run goes on without: %s", game->name, at->ply, e.text);
  }
  return SD_OK;
}

/* ---------------------------------------------------------------------- load */

static int check_name (const sd_ckpt_manifest *m, const char *name, const char *path, sd_error *err) {
  return strcmp (m->name, name) == 0
             ? SD_OK
             : sd_fail (err, SD_EFORMAT, "%s: belongs to another game: %.64s, not %.64s", path, m->name,
                        name);
}

static int check_game (const sd_ckpt_manifest *m, const sd_game *game, const char *path, sd_error *err) {
  if (strcmp (m->name, game->name) == 0 && m->deal.nstates == game->nstates
      && m->max_moves == game->max_moves)
    return SD_OK;
  return sd_fail (err, SD_EFORMAT,
                  "%s: belongs to another game: %.64s with %" PRIu64 " states and up to %" PRIu32
                  " moves, not %.64s with %" PRIu64 " and %u",
                  path, m->name, m->deal.nstates, m->max_moves, game->name, game->nstates, game->max_moves);
}

/* Rank 0: the bytes of the manifest, if it is whole, and what they say. SD_ENOENT without a message: there is
 * none. */
static int read_manifest (ckpt *c, sd_map *map, sd_ckpt_manifest *m, sd_error *err) {
  struct stat info;
  if (stat (c->folder, &info) != 0)
    return SD_ENOENT;
  SD_TRY (lock (c, err));
  SD_OWNED char *path = manifest_path (c->folder);
  if (!path)
    return sd_fail_memory (err, 0);
  const int st = sd_map_open (path, map, err);
  /* No generation is valid: what files there are belong to none. */
  if (st == SD_ENOENT)
    sweep (c->folder, ALL, 0);
  SD_TRY (st);
  if (map->len > MANIFEST_MAX)
    return sd_fail (err, SD_EFORMAT, "%s: %zu bytes that are no manifest of a checkpoint", path, map->len);
  return sd_ckpt_decode (map->data, map->len, path, m, err);
}

/* The same, if it is this game's. */
static int read_own (ckpt *c, const sd_game *game, sd_map *map, sd_error *err) {
  SD_RELEASED_BY (sd_ckpt_manifest_free) sd_ckpt_manifest m = { 0 };
  SD_TRY (read_manifest (c, map, &m, err));
  SD_TRY (check_game (&m, game, c->folder, err));
  sweep (c->folder, OTHERS, m.id);
  return SD_OK;
}

/* All ranks: what of the files is ours. */
static int read_parts (const ckpt *c, const sd_ckpt_manifest *m, const sd_deal *deal, uint16_t *rec,
                       sd_error *err) {
  const sd_ckpt_share ours = { deal, c->t->rank, rec };
  /* The ranks that wrote may have been more or fewer. */
  for (uint32_t r = 0; r < m->ranks; r++) {
    SD_OWNED char *path = part_path (c->folder, m->id, r);
    SD_TRY (path ? sd_ckpt_read_part (path, m, r, &ours, err) : sd_fail_memory (err, 0));
  }
  return SD_OK;
}

/* Collective: SD_ENOENT: there is none; another failure: it cannot be used. */
static int read_generation (ckpt *c, const sd_game *game, const sd_deal *deal, sd_ckpt_manifest *m,
                            uint16_t *rec, sd_error *err) {
  const sd_transport *t = c->t;
  SD_RELEASED_BY (sd_map_close) sd_map map = { 0 };
  SD_TRY (sd_agree (t, t->rank == 0 ? read_own (c, game, &map, err) : SD_OK, err));
  /* The manifest goes from rank 0 to all others, who need not see the same folder at the same moment. */
  uint64_t len = map.len;
  SD_TRY (t->broadcast (t->ctx, 0, &len, sizeof len));
  SD_OWNED uint8_t *bytes = sd_alloc (len, 1);
  SD_TRY (sd_agree (t, bytes ? SD_OK : sd_fail_memory (err, len), err));
  if (map.data)
    memcpy (bytes, map.data, len);
  SD_TRY (t->broadcast (t->ctx, 0, bytes, len));
  int st = sd_ckpt_decode (bytes, len, c->folder, m, err);
  if (st == SD_OK)
    st = read_parts (c, m, deal, rec, err);
  if (st == SD_ENOENT) /* a file that the manifest names */
    st = err->status = SD_EFORMAT;
  return sd_agree (t, st, err);
}

static void refuse (void *ctx, const char *name, const char *why) {
  say (ctx, true, "%s: started from the beginning, the checkpoint cannot be used: %s", name, why);
}

static int load (void *ctx, const sd_game *game, const sd_deal *deal, sd_solve_point *at, uint16_t *rec,
                 sd_error *err) {
  ckpt *c = ctx;
  sd_ckpt_manifest m = { 0 };
  sd_error e = { 0 };
  int st = read_generation (c, game, deal, &m, rec, &e);

  if (st == SD_OK) {
    /* Where the solver was, beside the records. */
    *at = m.at;
    say (c, false, "%s: resumed at ply %u from %s, made by %" PRIu32 " rank%s", game->name, at->ply,
         c->folder, m.ranks, m.ranks == 1 ? "" : "s");
  } else if (st == SD_ENOMEM) { /* nothing is wrong with it: it stays for a run with more memory */
    if (err)
      *err = e;
  } else if (st != SD_ENOENT) {
    refuse (c, game->name, e.text[0] ? e.text : sd_strerror (st));
  }
  sd_ckpt_manifest_free (&m);
  return st == SD_OK || st == SD_ENOMEM ? st : SD_ENOENT;
}

/* Rank 0. */
static int look_at (ckpt *c, const char *name, unsigned *ply, sd_error *err) {
  SD_RELEASED_BY (sd_ckpt_manifest_free) sd_ckpt_manifest m = { 0 };
  SD_RELEASED_BY (sd_map_close) sd_map map = { 0 };
  SD_TRY (read_manifest (c, &map, &m, err));
  *ply = m.at.ply;
  return check_name (&m, name, c->folder, err);
}

static int at (void *ctx, const char *name, unsigned *ply) {
  ckpt *c = ctx;
  sd_error e = { 0 };
  *ply = 0;
  const int st = sd_agree (c->t, c->t->rank == 0 ? look_at (c, name, ply, &e) : SD_OK, &e);
  if (st != SD_OK && st != SD_ENOENT)
    refuse (c, name, e.text[0] ? e.text : sd_strerror (st));
  if (st != SD_OK)
    return SD_ENOENT;
  return c->t->broadcast (c->t->ctx, 0, ply, sizeof *ply) == SD_OK ? SD_OK : SD_ENOENT;
}

/* ------------------------------------------------------------ open and close */

int sd_checkpoint_open (const char *folder, double interval, const sd_transport *t, const sd_notice *notice,
                        sd_checkpoint *out, sd_error *err) {
  *out = (sd_checkpoint){ 0 };
  if (!(interval >= 0))
    return sd_fail (err, SD_EINVAL, "%s: an interval of %g seconds between checkpoints", folder, interval);
  ckpt *c = calloc (1, sizeof *c);
  if (c)
    c->folder = strdup (folder);
  if (!c || !c->folder) {
    free (c);
    return sd_fail_memory (err, sizeof *c + strlen (folder));
  }
  c->t = t;
  c->lock = -1;
  if (notice)
    c->say = *notice;
  *out = (sd_checkpoint){
    .ctx = c, .interval = interval, .save = save, .load = load, .at = at, .refuse = refuse
  };
  return SD_OK;
}

void sd_checkpoint_close (sd_checkpoint *k) {
  ckpt *c = k->ctx;
  if (c) {
    if (c->lock >= 0)
      close (c->lock);
    free (c->folder);
    free (c);
  }
  *k = (sd_checkpoint){ 0 };
}
