/** \file words.h
 * Words in messages: lists of those that are known, and "did you mean": the known one that is nearest to a word that
 * nobody knows. */
#ifndef SD_WORDS_H
#define SD_WORDS_H

#include <stddef.h>
#include <stdint.h>

/** 1234567 -> "1,234,567"; returns out, which needs 32 bytes. */
const char *sd_text_count (uint64_t v, char *out);

/** "1 ply", "2 plies"; returns out, which needs 32 bytes. */
const char *sd_text_plies (int n, char *out);

/** One more item of a list in text[0..cap-1], which begins as "": a comma goes before it unless it is the
 * first. */
void sd_text_list (char *text, size_t cap, const char *fmt, ...) __attribute__ ((format (printf, 3, 4)));

/** The bytes of a file as one would type them: "\\x89SDT" for 89 53 44 54. */
void sd_text_bytes (const uint8_t *from, size_t n, char *out, size_t cap);

/** Begin with sd_guess_of (word), offer each known word, then ask. Words are kept, not copied. */
typedef struct sd_guess {
  const char *word, *nearest; /* NULL: none is near */
  unsigned changes;           /* from word to nearest */
  char text[96];
} sd_guess;

sd_guess sd_guess_of (const char *word);

/** A known word is near if a letter or two are wrong, missing, superfluous or exchanged with their neighbour,
 * one in words of up to three letters, or if it goes on from three letters or more. Capitals count as small
 * letters. */
void sd_guess_offer (sd_guess *g, const char *known);

/** "; did you mean \"repair\"?" to end a sentence with; "" where no word is near. */
const char *sd_guess_ask (sd_guess *g);

#endif
