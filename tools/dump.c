/* subdef dump. */
#include "config.h"
#include "recode/recode.h"
#include "tools/tools_internal.h"
#include <argp.h>
#include <stdlib.h>

static struct {
  const char *tables, *game, *material, *out;
  bool text;
} opt;

static const struct argp_option options[] = {
  { "tables", 'p', "DIR[:DIR]", 0, "where the tables are (default: SUBDEF_PATH, else the current folder)",
    0 },
  { "game", 'g', "NAME[:FILE]", 0, "a slice of another game than chess: draughts, graph:FILE", 0 },
  { "text", 't', NULL, 0, "with --game: a line a position on standard output instead of OUT", 0 },
  { 0 },
};

static error_t parse (int key, char *arg, struct argp_state *state) {
  switch (key) {
  case 'p':
    opt.tables = arg;
    return 0;
  case 'g':
    opt.game = arg;
    return 0;
  case 't':
    opt.text = true;
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
    "MATERIAL|SLICE OUT",
    "Write all values of an ending as plain numbers for other programs.\v"
    "OUT holds, for White to move and then for Black to move, 64^n little-endian signed 16-bit numbers; the "
    "index is "
    "((sq0*64 + sq1)*64 + ...), pieces in the order of the name as typed (White's first; the mirrored name "
    "gives the mirrored numbers), a1 = 0, b1 = 1, ..., h8 = 63. 0: drawn; +n: "
    "the side to move "
    "mates in n plies; -(n+1): it is mated in n plies; -32768: no legal position.\n\n"
    "Example:\n"
    "  subdef dump KRvK KRvK.bin --tables tables\n"
    "  python3 -c 'import array; v = array.array(\"h\", open(\"KRvK.bin\", \"rb\").read()); "
    "print(max(v), \"plies\")'\n"
    "  subdef dump --game draughts KvK --text --tables tables\n\n"
    "With --game OUT holds one number for each state, in their order; -32768: there is no such state.",
    NULL,
    NULL,
    NULL
  };
  sd_tool_parse (&a, argc, argv);
  if (opt.text && !opt.game)
    return sd_tool_usage ("dump: --text goes with --game");
  if (opt.game && (opt.text ? opt.out != NULL : !opt.out))
    return sd_tool_usage ("dump: --game %s: expected SLICE OUT, or --text SLICE", opt.game);
  if (opt.game)
    return sd_game_dump (opt.game, sd_tool_path (opt.tables), opt.material, opt.out);
  if (!opt.out)
    return sd_tool_usage ("dump: expected MATERIAL and OUT, e.g. 'subdef dump KRvK KRvK.bin'");
  sd_error err = { 0 };
  sd_material m;
  if (sd_material_parse (opt.material, &m, &err))
    return sd_tool_fail (&err);
  sd_progress progress;
  sd_terminal_progress (&progress, false);
  sd_exacts *exacts;
  const char *path = sd_tool_path (opt.tables);
  if (sd_exacts_new (path, &exacts, &err))
    return sd_tool_fail (&err);
  sd_outfile *out = NULL;
  int status = sd_outfile_open (opt.out, &out, &err);
  if (status == SD_OK)
    status = sd_table_dump (exacts, &m, out, &progress, &err);
  if (status == SD_OK)
    status = sd_outfile_commit (out, &err);
  else {
    sd_tool_advise (&err, &m, path);
    sd_outfile_abort (out);
  }
  sd_exacts_free (exacts);
  return status == SD_OK ? SD_EXIT_OK : sd_tool_fail (&err);
}
