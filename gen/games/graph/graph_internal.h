/** \file graph_internal.h
 * A graph written down by hand, as its reader (graph_read.c) leaves it to the game (graph_game.c). */
#ifndef SD_GEN_GRAPH_INTERNAL_H
#define SD_GEN_GRAPH_INTERNAL_H

#include "gen/games/games.h"

enum { SD_GRAPH_NAME = 32 }; /* bytes of a state's name, with its end */

struct sd_graph {
  char *title; /* the file's name, for messages */
  char slice[SD_SLICE_NAME];
  uint64_t fingerprint; /* of the text */
  uint32_t n, nmoves;   /* states; moves inside the graph */
  char (*name)[SD_GRAPH_NAME];
  uint32_t *sorted;       /* states by name */
  sd_state_info *info;    /* [n] what the solver must know before it starts */
  uint32_t *first, *from; /* predecessors of q: from[first[q]..first[q + 1] - 1] */
  uint32_t *next, *to;    /* successors of p: to[next[p]..next[p + 1] - 1] */
  unsigned max_moves, max_preds;
};

#endif
