/* What the headers of the public files say, and the index that they define. */
#include "config.h"
#include "syzygy/syzygy.h"
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
