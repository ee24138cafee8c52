#include "config.h"
#include "tools/serve/log.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 4096, ADDRESS = 2048 /* bytes of the address at most, the longest escape of a byte being 4 */ };

int sd_log_open (const char *file, int *fd, sd_error *err) {
  struct stat is;
  *fd = strcmp (file, "-") == 0
            ? dup (STDOUT_FILENO)
            : open (file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0644);
  /* Who does not read a pipe makes nobody wait: lines are lost. */
  if (*fd >= 0 && fstat (*fd, &is) == 0 && S_ISFIFO (is.st_mode))
    fcntl (*fd, F_SETFL, fcntl (*fd, F_GETFL) | O_NONBLOCK);
  return *fd >= 0
             ? SD_OK
             : sd_fail (err, SD_EIO, "--access-log %.200s: cannot be opened: %s", file, strerror (errno));
}

/* At most `room` bytes; returns the end. */
static char *put_text (char *to, const char *text, size_t room) {
  const char *end = to + room;
  for (; *text && to + 4 < end; text++) {
    const uint8_t c = (uint8_t) *text;
    if (c > ' ' && c < 127 && c != '"' && c != '\\')
      *to++ = (char) c;
    else
      to += sprintf (to, "\\x%02x", c);
  }
  return to;
}

static void say_address (const struct sockaddr *from, char out[INET6_ADDRSTRLEN]) {
  strcpy (out, "-");
  if (from && from->sa_family == AF_INET)
    inet_ntop (AF_INET, &((const struct sockaddr_in *) from)->sin_addr, out, INET6_ADDRSTRLEN);
  else if (from && from->sa_family == AF_INET6) {
    const struct in6_addr *six = &((const struct sockaddr_in6 *) from)->sin6_addr;
    /* ::ffff:1.2.3.4 is 1.2.3.4, of which a socket for both tells so. */
    if (IN6_IS_ADDR_V4MAPPED (six))
      inet_ntop (AF_INET, six->s6_addr + 12, out, INET6_ADDRSTRLEN);
    else
      inet_ntop (AF_INET6, six, out, INET6_ADDRSTRLEN);
  }
}

bool sd_log_add (int fd, const sd_log_line *l) {
  /* Of the C locale, in which the program runs: names of months are English. */
  static const char format[] = "%d/%b/%Y:%H:%M:%S %z";
  char line[LINE], from[INET6_ADDRSTRLEN], when[40];
  const time_t now = time (NULL);
  struct tm t;
  say_address (l->from, from);
  strftime (when, sizeof when, format, localtime_r (&now, &t));

  char *at = line + sprintf (line, "%s - - [%s] \"", from, when);
  at = put_text (at, l->method, 32);
  *at++ = ' ';
  at = put_text (at, l->address, ADDRESS);
  *at++ = ' ';
  at = put_text (at, l->version, 32);
  at += sprintf (at, "\" %u ", l->status);
  at += l->sent && l->bytes ? sprintf (at, "%" PRIu64 "\n", l->bytes) : sprintf (at, "-\n");
  return write (fd, line, (size_t) (at - line)) == at - line;
}
