/* subdef dump. */
#include "config.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <stdlib.h>

static struct { const char *tables, *material, *out; } opt;

static const struct argp_option options[] = {
  { "tables", 'p', "DIR[:DIR]", 0, "where the tables are (default: SUBDEF_PATH, else the current folder)",
    0 },
  { 0 },
};

static error_t parse (int key, char *arg, struct argp_state *state) {
  switch (key) {
  case 'p':
    opt.tables = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (state->arg_num == 0)
      opt.material = arg;
    else if (state->arg_num == 1)
      opt.out = arg;
    else
      return ARGP_ERR_UNKNOWN;
    return 0;
  }
  return ARGP_ERR_UNKNOWN;
}

int sd_cmd_dump (int argc, char **argv) {
  static const struct argp a = {
    options,
    parse,
    "MATERIAL OUT",
    "Write all values of an ending as plain numbers for other programs.\v"
    "OUT holds, for White to move and then for Black to move, 64^n little-endian signed 16-bit numbers; the "
    "index is "
    "((sq0*64 + sq1)*64 + ...), pieces in the order of the name, a1 = 0, b1 = 1, ..., h8 = 63. 0: drawn; +n: "
    "the side to move "
    "mates in n plies; -(n+1): it is mated in n plies; -32768: no legal position.",
    NULL,
    NULL,
    NULL
  };
  if (argp_parse (&a, argc, argv, 0, NULL, NULL))
    return SD_EXIT_USAGE;
  if (!opt.out)
    return sd_tool_usage ("dump: expected MATERIAL and OUT, e.g. 'subdef dump KRvK KRvK.bin'");
  sd_error err = { 0 };
  sd_material m, canonical;
  if (sd_material_parse (opt.material, &m, &err))
    return sd_tool_fail (&err);
  if (sd_material_canonical (&m, &canonical)) {
    char name[16];
    sd_material_name (&canonical, name);
    return sd_tool_usage ("dump: '%s' is stored as %s; ask for that name, it fixes the order of the squares",
                          opt.material, name);
  }
  sd_progress progress;
  sd_terminal_progress (&progress);
  sd_exacts *exacts;
  if (sd_exacts_new (sd_tool_path (opt.tables), &exacts, &err))
    return sd_tool_fail (&err);
  sd_outfile *out = NULL;
  int status = sd_outfile_open (opt.out, &out, &err);
  if (status == SD_OK)
    status = sd_table_dump (exacts, &canonical, out, &progress, &err);
  if (status == SD_OK)
    status = sd_outfile_commit (out, &err);
  else
    sd_outfile_abort (out);
  sd_exacts_free (exacts);
  return status == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}
