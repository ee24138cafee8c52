/* Values of very many positions, a line each: the value, a tab, and the line as it was given.
 *
 * What a read returns is answered at once, so that a program that writes a position and waits for its answer
 * gets it, and a file is worked on a MiB at a time. With several threads a long piece is cut into parts of
 * whole lines; the answers come in the order of the lines all the same. */
#include "config.h"
#include "base/text.h"
#include "tools/probe/answers.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  PIECE = 1 << 20,        /* bytes that are read at once */
  LONGEST_LINE = 1 << 24, /* bytes of a line */
  SHARED = 1 << 15        /* bytes of a piece that are worth several threads */
};

typedef struct stream {
  const sd_tables *tables;
  enum sd_metric metric;
  unsigned threads;
  const char *name;    /* of the source, for messages; NULL: the positions are arguments */
  unsigned long lines; /* before the piece at hand */
  sd_missing missing;
  int status;
} stream;

/* Some lines of a piece. */
typedef struct part {
  char *text, *end;   /* behind the last newline */
  unsigned long line; /* of the first one, from 1 */
  sd_buf out, told;   /* answers; messages */
  sd_missing missing; /* those of this part, so that threads share nothing */
  int status;         /* an exit status */
} part;

/* Digits by hand, since this is done for millions of lines. -32768 and the tab have seven characters. */
static void put_value (sd_buf *out, sd_value v) {
  char digits[8], *at = digits + sizeof digits;
  unsigned n = v < 0 ? (unsigned) -v : (unsigned) v;
  *--at = '\t';
  do
    *--at = (char) ('0' + n % 10);
  while (n /= 10);
  if (v < 0)
    *--at = '-';
  sd_buf_append (out, at, (size_t) (digits + sizeof digits - at));
}

/* The material of a missing file is what the generator takes. */
static void note_missing (const stream *s, part *p, const sd_error *err) {
  char name[sizeof err->missing];
  snprintf (name, sizeof name, "%s", err->missing);
  name[strcspn (name, ".")] = 0;
  sd_missing_note (&p->missing, name, sd_metrics[s->metric].exact);
}

/* "subdef probe: stdin:3: '8/8': why", kept until the part's answers are written. */
static void tell (const stream *s, part *p, const char *text, sd_error *err) {
  char message[1200];
  if (s->name)
    sd_error_prefix (err, "%s:%lu: '%.200s'", s->name, p->line, text);
  else
    sd_error_prefix (err, "'%.200s'", text);
  const int n = snprintf (message, sizeof message, "%s: %s\n", sd_tool_name (), err->text);
  sd_buf_append (&p->told, message, n < (int) sizeof message ? (size_t) n : sizeof message - 1);
}

/* text[0..n-1], with a 0 behind it. A position that has no value gives "?" and a reason. */
static void answer_line (const stream *s, part *p, const char *text, size_t n) {
  sd_pos board;
  sd_value v = 0;
  sd_error err;

  /* The whole of it is large, and would be cleared for each line. */
  err.text[0] = err.missing[0] = 0;
  int st = sd_pos_from_epd (text, &board, NULL, &err);
  /* A wrong position is wrong usage where it was typed, and a failure where it stands in a file. */
  const int exit_status = st == SD_EINVAL && !s->name ? SD_EXIT_USAGE : SD_EXIT_FAILED;
  if (st == SD_OK)
    st = sd_probe_value (s->tables, s->metric, &board, &v, &err);

  if (st == SD_OK)
    put_value (&p->out, v);
  else {
    p->status = exit_status;
    sd_buf_append (&p->out, "?\t", 2);
    if (st == SD_ENOENT && err.missing[0])
      note_missing (s, p, &err);
    else
      tell (s, p, text, &err);
  }

  sd_buf_append (&p->out, text, n);
  sd_buf_append (&p->out, "\n", 1);
}

static bool is_blank (char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* Blank lines and comments ('#') have no answer, but count as lines. */
static void answer_part (const stream *s, part *p) {
  for (char *line = p->text, *next; line < p->end; line = next + 1, p->line++) {
    next = memchr (line, '\n', (size_t) (p->end - line));
    char *end = next;
    while (end > line && is_blank (end[-1]))
      end--;
    while (line < end && is_blank (*line))
      line++;
    *end = 0;
    if (line < end && *line != '#')
      answer_line (s, p, line, (size_t) (end - line));
  }
}

/* Of whole lines: there is a newline before `end`. */
static unsigned long count_lines (const char *text, const char *end) {
  unsigned long n = 0;
  for (; text < end; n++)
    text = (const char *) memchr (text, '\n', (size_t) (end - text)) + 1;
  return n;
}

/* Cut text[0..n-1], whole lines, into at most `most` parts; returns how many. */
static unsigned cut (stream *s, char *text, size_t n, part *p, unsigned most) {
  char *const end = text + n;
  unsigned parts = 0;
  while (text < end) {
    /* A part ends with the line in which its share of what is left ends. */
    const size_t share = (size_t) (end - text) / (most - parts);
    char *stop =
        parts + 1 == most ? end : (char *) memchr (text + share, '\n', (size_t) (end - text) - share) + 1;
    p[parts++] = (part){ .text = text, .end = stop, .line = s->lines + 1 };
    s->lines += count_lines (text, stop);
    text = stop;
  }
  return parts;
}

/* What a part has to say, in its turn. */
static int say_part (stream *s, part *p) {
  const int st = sd_buf_status (&p->out) != SD_OK ? SD_ENOMEM : SD_OK;

  if (p->out.len)
    fwrite (p->out.data, 1, p->out.len, stdout);
  /* A message stands behind the answers of its part, on a terminal too. */
  if (p->told.len) {
    fflush (stdout);
    fwrite (p->told.data, 1, p->told.len, stderr);
  }

  sd_missing_add (&s->missing, &p->missing);
  s->status = p->status ? p->status : s->status;
  sd_buf_free (&p->out);
  sd_buf_free (&p->told);
  sd_missing_free (&p->missing);
  return st;
}

/* Whole lines. */
static int answer_piece (stream *s, char *text, size_t n, sd_error *err) {
  /* Four parts a thread, since some take longer than others. */
  enum { MOST = 4 * 256 };
  const unsigned most = s->threads > 1 && n >= SHARED ? 4 * s->threads : 1;
  SD_OWNED part *p = sd_alloc (most < MOST ? most : MOST, sizeof *p);
  int st = SD_OK;

  if (!p)
    return sd_fail_memory (err, most * sizeof *p);

  const unsigned parts = cut (s, text, n, p, most < MOST ? most : MOST);
#pragma omp parallel for schedule(dynamic) num_threads(s->threads) if (parts > 1)
  for (unsigned i = 0; i < parts; i++)
    answer_part (s, &p[i]);
  /* In the order of the lines. */
  for (unsigned i = 0; i < parts; i++)
    if (say_part (s, &p[i]) != SD_OK)
      st = sd_fail_memory (err, n);
  fflush (stdout);
  return st;
}

/* text[0..held-1] is what was read and not answered: after each round the beginning of a line. The room grows
 * only where that is longer than a piece. */
static int answer_file (stream *s, int fd, sd_error *err) {
  uint64_t room = PIECE + 1;
  size_t held = 0;
  SD_OWNED char *text = sd_alloc (room, 1);

  if (!text)
    return sd_fail_memory (err, room);
  for (ssize_t got = 1; got && !ferror (stdout);) {
    /* One byte stays free, for the newline of a last line without one. */
    if (held + 1 == room && (room > LONGEST_LINE || !sd_grow (&text, &room, 2 * room)))
      return sd_fail (err, SD_ERANGE, "%s:%lu: a line of more than %zu bytes", s->name, s->lines + 1, held);
    got = read (fd, text + held, room - 1 - held);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return sd_fail (err, SD_EIO, "%s: read failed: %s", s->name, strerror (errno));
    held += (size_t) got;
    if (!got && held)
      text[held++] = '\n'; /* of a last line without one */

    const char *last = held ? memrchr (text, '\n', held) : NULL;
    const size_t whole = last ? (size_t) (last + 1 - text) : 0;
    /* A byte order mark stands only at the beginning of a file. */
    const size_t mark = s->lines ? 0 : sd_text_mark (text, whole);
    if (whole)
      SD_TRY (answer_piece (s, text + mark, whole - mark, err));

    held -= whole;
    memmove (text, text + whole, held);
  }
  return SD_OK;
}

/* "-" is standard input. What an earlier source has missed stays noted. */
static int open_and_answer (stream *s, const char *file, sd_error *err) {
  const bool standard = strcmp (file, "-") == 0;
  const int fd = standard ? STDIN_FILENO : open (file, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return sd_fail (err, SD_EIO, "%s: cannot be read: %s", file, strerror (errno));

  s->name = standard ? "stdin" : file;
  s->lines = 0;

  const int st = answer_file (s, fd, err);
  if (!standard)
    close (fd);
  return st;
}

/* A position that is an argument. */
static int answer_argument (stream *s, const char *text, sd_error *err) {
  SD_OWNED char *line = NULL;
  const int n = asprintf (&line, "%s\n", text);
  if (n < 0) {
    line = NULL;
    return sd_fail_memory (err, strlen (text));
  }
  for (char *c = line; c < line + n - 1; c++) /* one position, whatever is in it */
    *c = *c == '\n' ? ' ' : *c;

  s->name = NULL;
  return answer_piece (s, line, (size_t) n, err);
}

/* The tables keep decoded blocks (SD_OPEN_CACHE), which the next positions may ask for again. */
int sd_stream_values (const sd_words *words, const char *file, const sd_stream_options *how) {
  stream s = { .metric = how->metric, .threads = how->threads ? how->threads : 1 };
  sd_tables *tables;
  sd_error err = { 0 };
  int st = sd_tool_open (how->tables, SD_OPEN_CACHE, &tables, &err);

  if (st != SD_OK)
    return sd_tool_fail (&err);
  s.tables = tables;
  for (int i = 0; i < words->n && st == SD_OK; i++)
    st = strcmp (words->at[i], "-") == 0 ? open_and_answer (&s, "-", &err)
                                         : answer_argument (&s, words->at[i], &err);
  if (st == SD_OK && file)
    st = open_and_answer (&s, file, &err);

  if (st != SD_OK)
    s.status = sd_tool_fail (&err);

  sd_missing_tell (&s.missing, sd_tool_path (how->tables), "subdef gen", true);
  sd_missing_free (&s.missing);
  sd_tables_close (tables);
  return s.status;
}
