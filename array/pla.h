/** \file pla.h
 * A Boolean function as a list of terms, read from text of Berkeley's PLA format. (pla_read.c) */
#ifndef SD_PLA_H
#define SD_PLA_H

#include "base/base.h"

enum { SD_PLA_MOST_INPUTS = 32, SD_PLA_MOST_OUTPUTS = 65536 };
#define SD_PLA_MOST_SLOTS ((uint64_t) 1 << 32)

/** What a term says of an output, and which of it a type of PLA means: the type fd is SD_PLA_ON |
 * SD_PLA_FREE. */
enum { SD_PLA_ON = 1, SD_PLA_FREE = 2, SD_PLA_OFF = 4 };

/** The inputs that it covers: those with inputs & care = ones. The first input is the highest bit. */
typedef struct sd_pla_term {
  uint32_t care, ones;
  unsigned line; /* where it begins, from 1 on; for messages */
} sd_pla_term;

typedef struct sd_pla {
  unsigned inputs, outputs, type;
  sd_pla_term *term;
  uint8_t *says; /* [term * outputs + output] */
  uint64_t nterms, term_cap, says_cap;
  uint8_t *negative; /* [outputs]: 1 and 0 change places (.phase); NULL: nowhere */
} sd_pla;

/** Is it text with a line `.i NUMBER` or `.mv` near its start? */
bool sd_pla_is (const char *text, size_t len);

/** SD_EFORMAT names the line. sd_pla_free also after a failure. */
int sd_pla_read (const char *text, size_t len, const char *name, sd_pla *out, sd_error *err);
void sd_pla_free (sd_pla *p);

#endif
