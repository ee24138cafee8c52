/* What the headers of the public files say, and the index that they define. */
#include "config.h"
#include "fuzz/syzygy_seeds.h"
#include "tests/syzygy/files.h"
#include <criterion/criterion.h>
#include <string.h>

typedef struct opened {
  sd_map map;
  sd_syzygy *s;
} opened;

static opened open_file (const char *folder, const char *ending, bool dtz) {
  char path[1100];
  opened o = { 0 };
  sd_error err = { 0 };
  syzygy_path (folder, ending, dtz, path);
  cr_assert_eq (sd_map_open (path, &o.map, &err), SD_OK, "%s", err.text);
  cr_assert_eq (sd_syzygy_open (o.map.data, o.map.len, &o.s, &err), SD_OK, "%s: %s", path, err.text);
  return o;
}

static void close_file (opened *o) {
  sd_syzygy_close (o->s);
  sd_map_close (&o->map);
}

/* A row of syzygy-headers-3-4.csv as this program reads the file. */
static void row_of (const sd_syzygy *s, const char *name, unsigned f, unsigned k, char *out, size_t cap) {
  const sd_syzygy_pairs *p = &s->pairs[f][k];
  const bool dtz = s->kind == SD_SYZYGY_DTZ;
  char order[SD_MAX_MEN + 1] = "";
  for (unsigned i = 0; i < p->index.men; i++)
    order[i] = ".PNBRQK..pnbrqk"[p->index.order.man[i]];
  int n = snprintf (out, cap, "%s,%s,%s,%u,%llu,%s,", name, dtz ? "DTZ" : "WDL",
                    s->files == 1 ? "all" : (const char *[]){ "a", "b", "c", "d" }[f], dtz ? s->side : k,
                    (unsigned long long) p->index.slots, order);
  if (p->flags & SD_SYZYGY_SINGLE)
    snprintf (out + n, cap - (size_t) n, ",,,,,,%u,,,,%llu", p->value, (unsigned long long) s->bytes);
  else
    snprintf (out + n, cap - (size_t) n, "%u,%u,%u,%u,%u,%u,,%llu,%llu,%u,%llu", 1u << p->block_bits,
              p->span_bits, p->blocks, p->symbols, p->min_bits, p->max_bits,
              (unsigned long long) p->blocks << p->block_bits, (unsigned long long) p->entries * 6,
              2 * (p->blocks + p->padding), (unsigned long long) s->bytes);
}

Test (syzygy, headers_are_those_of_the_list) {
  const char *folder = syzygy_folder ();
  char path[1100], name[16], line[512], row[512];
  if (!folder)
    return;
  snprintf (path, sizeof path, "%s/../syzygy-headers-3-4.csv", folder);
  FILE *list = fopen (path, "r");
  if (!list)
    return;
  opened o = { 0 };
  char opened_as[32] = "", key[32];
  unsigned rows = 0;
  cr_assert (fgets (line, sizeof line, list) != NULL);
  while (fgets (line, sizeof line, list)) {
    char kind[4], sub[4];
    unsigned side;
    line[strcspn (line, "\r\n")] = 0;
    cr_assert_eq (sscanf (line, "%15[^,],%3[^,],%3[^,],%u", name, kind, sub, &side), 4);
    snprintf (key, sizeof key, "%s.%s", name, kind);
    if (strcmp (key, opened_as) != 0) {
      if (o.s)
        close_file (&o);
      o = open_file (folder, name, kind[0] == 'D');
      strcpy (opened_as, key);
    }
    row_of (o.s, name, sub[1] ? 0 : (unsigned) (sub[0] - 'a'), kind[0] == 'D' ? 0 : side, row, sizeof row);
    cr_expect_str_eq (row, line);
    rows++;
  }
  if (o.s)
    close_file (&o);
  fclose (list);
  cr_assert_eq (rows, 196);
}

/* All slots of small indexes, each 97th of the others. */
Test (syzygy, each_slot_has_a_placement_and_each_placement_its_slot) {
  const char *folder = syzygy_folder ();
  char name[16];
  for (unsigned i = 0; folder && small_ending (i, name); i++)
    for (unsigned dtz = 0; dtz < 2; dtz++) {
      opened o = open_file (folder, name, dtz);
      for (unsigned f = 0; f < o.s->files; f++)
        for (unsigned k = 0; k < o.s->streams; k++) {
          const sd_syzygy_index *ix = &o.s->pairs[f][k].index;
          uint64_t wrong = 0;
          for (uint64_t at = 0; at<ix->slots; at += ix->slots> 40000 ? 97 : 1) {
            uint8_t sq[SD_MAX_MEN];
            sd_syzygy_index_squares (ix, at, sq);
            wrong += sd_syzygy_index_of (ix, sq) != at
                     || sd_syzygy_file_of (&o.s->squares, &o.s->material, sq) != f;
          }
          cr_expect_eq (wrong, 0, "%s %u %u: %llu", name, f, k, (unsigned long long) wrong);
        }
      close_file (&o);
    }
}

Test (syzygy, made_up_files_open_and_have_the_values_that_were_put_in) {
  for (unsigned k = 0; k < SYZYGY_SEEDS; k++) {
    const syzygy_seed *seed = &syzygy_seeds[k];
    sd_buf b = { 0 };
    sd_syzygy *s;
    sd_error err = { 0 };
    cr_assert (syzygy_seed_put (k, &b));
    cr_assert_eq (sd_syzygy_open (b.data, b.len, &s, &err), SD_OK, "seed %u: %s", k, err.text);
    cr_expect_eq (s->kind == SD_SYZYGY_DTZ, seed->dtz);
    for (unsigned f = 0; f < s->files; f++)
      for (unsigned i = 0; i < s->streams; i++) {
        const sd_syzygy_pairs *p = &s->pairs[f][i];
        const unsigned n = f * s->streams + i, value = n % 3, other = seed->dtz ? 3 : 4;
        /* 0x13 is a value, the other, a value, and 256 positions twice */
        for (unsigned at = 0; at < 5; at++) {
          unsigned v;
          cr_assert_eq (sd_syzygy_pairs_get (p, at, &v), SD_OK);
          cr_expect_eq (v, seed->single && n == 0 ? (seed->dtz ? 0 : 4) : at == 1 ? other : value);
        }
      }
    sd_syzygy_close (s);
    sd_buf_free (&b);
  }
}

/* A map for wins, losses, cursed wins, blessed losses; without one the numbers themselves. */
Test (syzygy, plies_follow_from_maps_and_flags) {
  static const uint8_t narrow[] = { 4, 9, 2 }, wide[] = { 0, 0, 1, 1, 5, 0 };
  sd_syzygy_pairs p = { .flags = 0 };
  unsigned v = 0;
  cr_expect (sd_syzygy_plies (&p, 2, 3, &v) == SD_OK && v == 7);
  cr_expect (sd_syzygy_plies (&p, -1, 3, &v) == SD_OK && v == 107);
  p.flags = SD_SYZYGY_WIN_PLIES;
  cr_expect (sd_syzygy_plies (&p, 2, 3, &v) == SD_OK && v == 4);
  cr_expect (sd_syzygy_plies (&p, -2, 3, &v) == SD_OK && v == 7);
  cr_expect (sd_syzygy_plies (&p, 1, 3, &v) == SD_OK && v == 107);
  p.flags = SD_SYZYGY_LOSS_PLIES | SD_SYZYGY_MAPPED;
  p.map[SD_SYZYGY_LOSS].at = narrow;
  p.map[SD_SYZYGY_LOSS].n = 3;
  cr_expect (sd_syzygy_plies (&p, -2, 1, &v) == SD_OK && v == 10);
  cr_expect_eq (sd_syzygy_plies (&p, -2, 3, &v), SD_EFORMAT);
  cr_expect_eq (sd_syzygy_plies (&p, 2, 0, &v), SD_EFORMAT);
  p.flags = SD_SYZYGY_MAPPED | SD_SYZYGY_WIDE;
  p.map[SD_SYZYGY_CURSED].at = wide;
  p.map[SD_SYZYGY_CURSED].n = 3;
  cr_expect (sd_syzygy_plies (&p, 1, 1, &v) == SD_OK && v == 2 * 257 + 101);
  cr_expect (sd_syzygy_plies (&p, 1, 2, &v) == SD_OK && v == 111);
}

static const char *const small[] = { "KQvK", "KRvK", "KBvK", "KPvK", "KBvKB" };

Test (syzygy, checksums_are_right_and_show_each_flipped_bit) {
  const char *folder = syzygy_folder ();
  uint64_t state = 3;
  for (unsigned i = 0; folder && i < 2 * sizeof small / sizeof *small; i++) {
    opened o = open_file (folder, small[i / 2], i & 1);
    sd_error err = { 0 };
    uint8_t *copy = malloc (o.map.len);
    cr_expect_eq (sd_syzygy_check (o.s, &err), SD_OK, "%s: %s", small[i / 2], err.text);
    memcpy (copy, o.map.data, o.map.len);
    o.s->image = copy; /* the checksum asks for nothing else */
    for (unsigned k = 0; k < 20; k++) {
      const uint64_t bit = sd_random (&state) % (8 * o.map.len);
      copy[bit / 8] ^= (uint8_t) (1 << bit % 8);
      cr_expect_eq (sd_syzygy_check (o.s, &err), SD_ECHECKSUM);
      copy[bit / 8] ^= (uint8_t) (1 << bit % 8);
    }
    free (copy);
    close_file (&o);
  }
}

/* ------------------------------------------------------------------ damage */

/* Every slot in order, and some alone. */
static void read_through (const sd_syzygy *s, uint64_t *state) {
  uint16_t v[512];
  unsigned alone;
  for (unsigned k = 0; k < s->streams; k++) {
    for (uint64_t first = 0; first < s->slots[k]; first += 7001) {
      const uint64_t left = s->slots[k] - first, n = left < 512 ? left : 512;
      if (sd_syzygy_read (s, k, first, n, v) == SD_OK && s->kind == SD_SYZYGY_WDL)
        for (uint64_t i = 0; i < n; i++)
          cr_assert_leq (v[i], 4);
    }
    for (unsigned i = 0; i < 20; i++)
      if (sd_syzygy_get (s, k, sd_random (state) % s->slots[k], &alone) == SD_OK)
        cr_assert_leq (alone, s->kind == SD_SYZYGY_WDL ? 4u : 4095u);
  }
}

/* A copy that ends where the memory ends. */
static int try_image (const uint8_t *data, size_t n, uint64_t *state) {
  uint8_t *exact = malloc (n ? n : 1);
  sd_syzygy *s;
  sd_error err = { 0 };
  memcpy (exact, data, n);
  const int st = sd_syzygy_open (exact, n, &s, &err);
  if (st == SD_OK) {
    read_through (s, state);
    sd_syzygy_close (s);
  } else
    cr_expect_neq (err.text[0], 0);
  free (exact);
  return st;
}

static void damage (const uint8_t *data, size_t len, const char *name) {
  uint64_t state = 1, good = 0;
  uint8_t *copy = malloc (len);
  for (size_t n = 0; n<len; n += len> 4000 && n > 1000 ? 61 : 1)
    cr_expect_neq (try_image (data, n, &state), SD_OK, "%s: %zu of %zu bytes", name, n, len);
  for (unsigned k = 0; k < 400; k++) {
    const unsigned bits = 1 + k % 4;
    memcpy (copy, data, len);
    for (unsigned i = 0; i < bits; i++) {
      const uint64_t r = sd_random (&state), at = (r >> 8) % (r & 1 && len > 200 ? 200 : len);
      copy[at] ^= (uint8_t) (1 << (r >> 4 & 7));
    }
    good += try_image (copy, len, &state) == SD_OK;
  }
  cr_expect_gt (good, 20, "%s: %llu", name, (unsigned long long) good);
  free (copy);
}

Test (syzygy, cut_off_files_are_refused_and_flipped_bits_do_no_harm) {
  const char *folder = syzygy_folder ();
  for (unsigned k = 0; k < SYZYGY_SEEDS; k++) {
    sd_buf b = { 0 };
    cr_assert (syzygy_seed_put (k, &b));
    if (b.len < 4000)
      damage (b.data, b.len, syzygy_seeds[k].men);
    sd_buf_free (&b);
  }
  for (unsigned i = 0; folder && i < 2 * sizeof small / sizeof *small; i++) {
    opened o = open_file (folder, small[i / 2], i & 1);
    damage (o.map.data, o.map.len, small[i / 2]);
    close_file (&o);
  }
}
