/* Numbers as people read them. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <stdio.h>

const char *sd_text_count (uint64_t v, char *out) {
  char digits[24];
  int n = snprintf (digits, sizeof digits, "%llu", (unsigned long long) v), k = 0;
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0)
      out[k++] = ',';
    out[k++] = digits[i];
  }
  out[k] = '\0';
  return out;
}

const char *sd_text_ns (double ns, char *out) {
  if (!(ns > 0)) /* not a number counts, too */
    snprintf (out, 32, "-");
  else if (ns < 1000)
    snprintf (out, 32, "%.0f ns", ns);
  else if (ns < 1e6)
    snprintf (out, 32, "%.*f us", ns < 1e4 ? 2 : ns < 1e5 ? 1 : 0, ns / 1e3);
  else
    snprintf (out, 32, "%.*f ms", ns < 1e7 ? 2 : ns < 1e8 ? 1 : 0, ns / 1e6);
  return out;
}

