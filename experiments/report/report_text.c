/* Numbers as people read them. */
#include "config.h"
#include "experiments/report/report_internal.h"
#include <stdio.h>

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

