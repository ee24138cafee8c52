/** \file ending.h
 * Endings as people write them: KRvKP, krvkp, KRKP, Kqkr. Names in files have one spelling
 * (sd_material_parse). */
#ifndef SD_ENDING_H
#define SD_ENDING_H

#include "chess/chess.h"

/** Capitals and small letters are the same, and "v" may be missing where the second king begins the second
 * side. *out is as written, not yet canonical. SD_EINVAL: what is wrong, and the right spelling where one is
 * near. */
int sd_ending_parse (const char *text, sd_material *out, sd_error *err);

#endif
