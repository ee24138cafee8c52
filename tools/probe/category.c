/* What the 50-move rule makes of a value, for the members "category" and for best moves. A win in n plies to
 * the next capture, pawn move or mate counts if these bring the clock to 100 at most: a mate ends the game,
 * and a capture or a pawn move begins the count anew, before anybody can claim the draw. Where what is known
 * is a span, the category is sure if it is the same at both ends. */
#include "config.h"
#include "tools/probe/answers.h"

sd_moment sd_moment_after (const sd_moment *before, bool zeroing) {
  return (sd_moment){ zeroing ? 0 : before->clock + 1, before->spent || before->clock >= SD_RULE_PLIES };
}

/* 2 win, 1 cursed win, 0 draw, -1, -2. */
static int result_of (sd_value v, const sd_moment *at) {
  const int plies = sd_value_plies (v), sign = sd_value_wdl (v);
  const bool late = at->clock > SD_RULE_PLIES || plies + (int) at->clock > SD_RULE_PLIES;
  return at->spent || late ? sign : 2 * sign;
}

sd_span sd_ruled (const sd_known *k, const sd_moment *at) {
  const sd_span s = k->of[SD_DTZ50];
  return (sd_span){ (sd_value) result_of (s.least, at), (sd_value) result_of (s.most, at) };
}

const char *sd_category (const sd_known *k, const sd_moment *at) {
  static const char *const sure[] = { "loss", "blessed-loss", "draw", "cursed-win", "win" };
  const sd_span s = sd_ruled (k, at);
  int wdl;
  if (!sd_known_result (k, &wdl))
    return "unknown";
  if (s.least == s.most)
    return sure[s.least + 2];
  if (!sd_known_has (k, SD_DTZ50)) /* no table knows the rule */
    return wdl > 0 ? "win" : "loss";
  if (sd_known_plies (k, SD_DTZ50)) /* rounded */
    return wdl > 0 ? "syzygy-win" : "syzygy-loss";
  return wdl > 0 ? "maybe-win" : "maybe-loss";
}
