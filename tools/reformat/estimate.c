/* reformat --estimate: what tables would take, told by samples of their exact values (recode/estimate.c).
 * Nothing is written. A line or record for each table, and one for all. */
#include "config.h"
#include "tools/positions.h"
#include "tools/reformat/batch.h"
#include <string.h>

/* A table that is being looked at. */
typedef struct looking {
  const sd_reformat *opt;
  sd_table_estimate *out;
  double start;  /* CPU time before anything was loaded */
  double ranked; /* CPU seconds in which orders were chosen */
} looking;

/* Orders are chosen as they would be, since what a table takes depends on them more than on anything. */
static int choose (void *ctx, sd_values *values, const sd_exact *e, sd_table_spec *spec, sd_error *err) {
  looking *l = ctx;
  sd_search_report unused;
  SD_TRY (sd_sdt_choose_plainly (l->opt, &e->material, spec, err));
  const double start = sd_cpu_now ();
  if (sd_sdt_ranks (l->opt, &e->material, spec->metric) == SD_RANKS_ORDERS)
    SD_TRY (sd_sdt_rank (l->opt, values, e, false, &unused, spec, err));
  l->ranked = sd_cpu_now () - start;
  return SD_OK;
}

static int instead (void *ctx, sd_values *values, const sd_exact *e, sd_table_spec *spec, sd_error *err) {
  const looking *l = ctx;
  const sd_reformat *opt = l->opt;
  const sd_estimate_of of = { .load_s = sd_cpu_now () - l->start - l->ranked,
                              .leaders = sd_sdt_ranks (opt, &e->material, spec->metric) == SD_RANKS_LEADERS,
                              .checks = !opt->freedom,
                              .statistics = opt->statistics };
  SD_TRY (sd_table_estimate_making (values, e, spec, &of, l->out, err));
  l->out->cpu_s += l->ranked;
  return SD_OK;
}

int sd_reformat_estimate (const sd_reformat *opt, const sd_rules *rules, sd_game_tables *exact,
                          sd_slice slice, enum sd_metric metric, sd_table_estimate *out, sd_error *err) {
  looking l = { opt, out, sd_cpu_now (), 0 };
  const sd_chooser how = { &l, choose, &sd_terminal, instead };
  sd_table_spec spec;
  SD_TRY (sd_sdt_common (opt, rules->kind, metric, &spec, err));
  spec.memory = (uint64_t) opt->memory;
  return sd_game_tables_recode (exact, slice, &spec, &how, "", err);
}

int sd_sdt_estimate (sd_batch *r, sd_item *it, sd_error *err) {
  return sd_reformat_estimate (r->opt, &r->rules, it->source->exact, it->slice, it->metric, &it->estimate,
                               err);
}

int sd_estimate_check (const sd_batch *r, sd_error *err) {
  const sd_reformat *opt = r->opt;
  if (opt->best || opt->budget > 0)
    return sd_fail (err, SD_EINVAL,
                    "--estimate: what a search takes and finds is not known before; leave out --best, "
                    "--preset and --budget");
  if (opt->arrays || !r->rules.kind->recode)
    return sd_fail (err, SD_EINVAL, "--estimate is for endings of chess");
  for (unsigned i = 0; i < r->n; i++)
    if (r->item[i].to != sd_targets || r->item[i].syzygy)
      return sd_fail (err, SD_EINVAL, "--estimate is for sdt tables that are made of exact ones");
  return SD_OK;
}

static json_t *pack (const sd_table_estimate *e) {
  return json_pack ("{s:I, s:I, s:I, s:f, s:I, s:I, s:I, s:I}", "bytes", (json_int_t) e->bytes, "bytes_low",
                    (json_int_t) e->low, "bytes_high", (json_int_t) e->high, "cpu_s", e->cpu_s,
                    "memory_bytes", (json_int_t) e->memory, "disk_bytes", (json_int_t) e->high, "slots",
                    (json_int_t) e->slots, "coded_slots", (json_int_t) e->coded);
}

static void say (const char *name, const char *what, const sd_table_estimate *e) {
  char bytes[32], low[32], high[32];
  printf ("%-8s %-5s about %11s bytes (%s to %s)  %9.1f CPU-s %7.0f MB\n", name, what,
          sd_text_count (e->bytes, bytes), sd_text_count (e->low, low), sd_text_count (e->high, high),
          e->cpu_s, (double) e->memory / 1e6);
}

void sd_estimate_say (const sd_batch *r, const sd_item *it) {
  if (!r->opt->json) {
    if (it->status == SD_OK)
      say (it->name, sd_metrics[it->metric].name, &it->estimate);
    return;
  }
  json_t *record = json_pack ("{s:s, s:s}", "table", it->name, "metric", sd_metrics[it->metric].name);
  if (it->status != SD_OK)
    sd_json_put (record, "{s:s, s:o}", "status", "failed", "error", sd_json_text (it->err.text));
  else {
    sd_json_put (record, "{s:s, s:f}", "status", "estimated", "seconds", it->seconds);
    json_object_update_new (record, pack (&it->estimate));
  }
  sd_json_row (record);
}

void sd_estimate_sum_up (const sd_batch *r, double seconds, double cpu_seconds) {
  sd_table_estimate all = { .bytes = 0 };
  const char *largest = "";
  char high[32];
  unsigned n = 0;
  for (unsigned i = 0; i < r->n; i++) {
    const sd_table_estimate *e = &r->item[i].estimate;
    if (r->item[i].status != SD_OK)
      continue;
    n++;
    all.bytes += e->bytes;
    all.low += e->low;
    all.high += e->high;
    all.cpu_s += e->cpu_s;
    all.slots += e->slots;
    all.coded += e->coded;
    if (e->memory > all.memory) {
      all.memory = e->memory;
      largest = r->item[i].name;
    }
  }
  if (r->opt->json) {
    json_t *record = json_pack ("{s:i, s:s}", "tables", (int) n, "most_memory", largest);
    json_object_update_new (record, pack (&all));
    sd_json_row (record);
    sd_json_rows_end ();
  } else if (!r->opt->quiet && n) {
    say ("in all", "", &all);
    printf (
        "%u tables; most memory for %s; at most %s bytes on disk; estimated in %.1f s, %.1f CPU-seconds\n", n,
        largest, sd_text_count (all.high, high), seconds, cpu_seconds);
  }
}
