/* The ground floor: every getter at its edges, files that keep their old name until they are complete. */
#include "config.h"
#include "base/text.h"
#include "tests/base/temporary.h"
#include <sys/resource.h>
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

Test (status, every_status_has_a_text) {
#define SD_X(name, value, text) cr_expect_str_eq (sd_strerror (name), text);
  SD_STATUS_LIST (SD_X)
#undef SD_X
  cr_expect_str_eq (sd_strerror (-1), "unknown status");
}

Test (error, prefixes_and_long_texts_stay_inside) {
  sd_error err = { 0 };
  cr_expect_eq (sd_fail (&err, SD_EIO, "block %d", 17), SD_EIO);
  cr_expect_eq (sd_error_prefix (&err, "FILE %s", "a"), SD_EIO);
  cr_expect_str_eq (err.text, "FILE a: block 17");
  char longer[2000];
  memset (longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = 0;
  sd_fail (&err, SD_EIO, "%s", longer);
  sd_error_prefix (&err, "%s", longer);
  cr_expect_eq (strlen (err.text), sizeof err.text - 1);
  cr_expect_eq (sd_fail (NULL, SD_EIO, "nobody listens"), SD_EIO);
}

Test (arithmetic, overflow_is_a_status) {
  uint64_t v = 7;
  cr_expect_eq (sd_mul (1ull << 40, 1ull << 24, &v), SD_ERANGE);
  cr_expect_eq (sd_add (~0ull, 1, &v), SD_ERANGE);
  cr_expect_eq (v, 7);
  cr_expect_eq (sd_mul (1ull << 40, 3, &v), SD_OK);
  cr_expect_eq (v, 3ull << 40);
  cr_expect_null (sd_alloc (1ull << 62, 8));
  cr_expect_eq (sd_bits_for (1), 0);
  cr_expect_eq (sd_bits_for (2), 1);
  cr_expect_eq (sd_bits_for (256), 8);
  cr_expect_eq (sd_bits_for (257), 9);
}

Test (bytes, numbers_come_back_and_the_end_is_respected) {
  static const uint64_t varints[] = { 0, 1, 127, 128, 16383, 16384, 1ull << 32, ~0ull };
  sd_buf b = { 0 };
  sd_buf_u8 (&b, 0xab);
  sd_buf_u32 (&b, 0xdeadbeef);
  sd_buf_u64 (&b, 0x0123456789abcdef);
  for (size_t k = 0; k < sizeof varints / sizeof varints[0]; k++)
    sd_buf_varint (&b, varints[k]);
  cr_assert_eq (sd_buf_status (&b), SD_OK);
  sd_reader r = sd_reader_of (b.data, b.len);
  cr_expect_eq (sd_get_u8 (&r), 0xab);
  cr_expect_eq (sd_get_u32 (&r), 0xdeadbeef);
  cr_expect_eq (sd_get_u64 (&r), 0x0123456789abcdef);
  for (size_t k = 0; k < sizeof varints / sizeof varints[0]; k++)
    cr_expect_eq (sd_get_varint (&r), varints[k]);
  cr_expect (!r.bad && r.p == r.end);
  cr_expect_eq (sd_get_u8 (&r), 0);
  cr_expect (r.bad);
  sd_buf_free (&b);
}

Test (bytes, overlong_and_oversized_varints_are_bad) {
  static const uint8_t overlong[] = { 0x80, 0x00 },
                       big[] = { 255, 255, 255, 255, 255, 255, 255, 255, 255, 2 };
  sd_reader r = sd_reader_of (overlong, sizeof overlong);
  sd_get_varint (&r);
  cr_expect (r.bad);
  r = sd_reader_of (big, sizeof big);
  sd_get_varint (&r);
  cr_expect (r.bad);
}

Test (bits, every_width_comes_back_at_every_offset) {
  sd_buf b = { 0 };
  sd_bitw w = { .out = &b };
  uint64_t seed = 42;
  for (unsigned n = 0; n <= 56; n++)
    for (unsigned k = 0; k < 9; k++)
      sd_bitw_put (&w, sd_random (&seed), n);
  sd_bitw_flush (&w);
  sd_bitr r = sd_bitr_of (b.data, b.len);
  seed = 42;
  for (unsigned n = 0; n <= 56; n++)
    for (unsigned k = 0; k < 9; k++) {
      uint64_t want = sd_random (&seed) & (n ? ~0ull >> (64 - n) : 0);
      cr_assert_eq (sd_bitr_get (&r, n), want, "%u bits, number %u", n, k);
    }
  for (unsigned k = 0; k < 4; k++)
    sd_bitr_get (&r, 56);
  cr_expect_eq (sd_bitr_get (&r, 56), 0);
  sd_buf_free (&b);
}

Test (base, the_folders_of_a_path_are_words_of_a_sentence) {
  static const char *const of[][2] = {
    { "", "the empty table path" },  { ":", "the empty table path" },      { "a", "a" },
    { ".:.", "the current folder" }, { "a:.", "a or the current folder" }, { "a:aa::/b:a", "a, aa or /b" }
  };
  char text[40];
  for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
    sd_path_said (of[i][0], text, sizeof text);
    cr_expect_str_eq (text, of[i][1], "%s: %s", of[i][0], text);
  }
  sd_path_said ("abc:def:ghi", text, 6);
  cr_expect_str_eq (text, "abc, ", "cut: %s", text);
}

Test (file, a_file_gets_its_name_only_when_it_is_complete) {
  char folder[200], path[300];
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  snprintf (path, sizeof path, "%s/a/b", folder);
  cr_assert_eq (sd_make_folder (path, NULL), SD_OK);
  cr_assert_eq (sd_make_folder (path, NULL), SD_OK);
  strcat (path, "/file");
  sd_outfile *f;
  cr_assert_eq (sd_outfile_open (path, &f, NULL), SD_OK);
  cr_assert_eq (sd_outfile_write (f, "hello", 5, NULL), SD_OK);
  cr_expect (!sd_file_exists (path));
  cr_expect (sd_file_exists (sd_outfile_temp_name (f)));
  sd_outfile_abort (f);
  cr_expect (!sd_file_exists (path));
  cr_assert_eq (sd_outfile_open (path, &f, NULL), SD_OK);
  cr_assert_eq (sd_outfile_write (f, "hello", 5, NULL), SD_OK);
  cr_assert_eq (sd_outfile_commit (f, NULL), SD_OK);
  sd_map m;
  cr_assert_eq (sd_map_open (path, &m, NULL), SD_OK);
  cr_expect (m.len == 5 && memcmp (m.data, "hello", 5) == 0);
  sd_map_close (&m);
  unlink (path);
  sd_error err = { 0 };
  cr_expect_eq (sd_map_open (path, &m, &err), SD_ENOENT);
  cr_expect (strstr (err.text, path));
  strcat (path, "/below-nothing");
  cr_expect_eq (sd_outfile_open (path, &f, &err), SD_ENOENT);
  cr_expect (strstr (err.text, path));
  temporary_remove (folder);
}

/* The mark of UTF-8 means nothing in front of a text, and elsewhere is a character as others. */
Test (text, a_byte_order_mark_is_passed_over) {
#define MARK "\xef\xbb\xbf"
  char folder[200], path[300], *text = NULL, *line = NULL;
  size_t n = 0, cap = 0;
  sd_error err = { 0 };
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  snprintf (path, sizeof path, "%s/text", folder);
  static const struct {
    const char *bytes, *text, *lines; /* lines with | behind each */
  } is[] = { { MARK "a\n" MARK "b\n", "a\n" MARK "b\n", "a\n|" MARK "b\n|" },
             { MARK, "", "|" },
             { MARK "\n", "\n", "\n|" },
             { "\xef\xbb", "\xef\xbb", "\xef\xbb|" },
             { "", "", "" },
             { "a", "a", "a|" } };
  for (unsigned i = 0; i < sizeof is / sizeof *is; i++) {
    FILE *f = fopen (path, "wb");
    fputs (is[i].bytes, f);
    fclose (f);
    cr_assert_eq (sd_text_read (path, &text, &n, &err), SD_OK, "%s", err.text);
    cr_expect_str_eq (text, is[i].text);
    cr_expect_eq (n, strlen (is[i].text));
    free (text);
    char lines[40] = "";
    f = fopen (path, "rb");
    for (unsigned long number = 1; sd_text_line (f, number, &line, &cap); number++)
      strcat (strcat (lines, line), "|");
    fclose (f);
    cr_expect_str_eq (lines, is[i].lines);
  }
  free (line);
  temporary_remove (folder);
}

Test (text, what_is_no_text_is_refused) {
  sd_error err = { 0 };
  cr_expect_eq (sd_text_check ("ab\0c", 4, "F", &err), SD_EFORMAT);
  cr_expect_str_eq (err.text, "F: no text: byte 2 is 0");
  cr_expect_eq (sd_text_check ("\xff\xfe"
                               "a\0",
                               4, "F", &err),
                SD_EFORMAT);
  cr_expect_str_eq (err.text, "F: is text in UTF-16: save it in UTF-8");
  cr_expect_eq (sd_text_check ("\xfe\xff\0a", 4, "F", &err), SD_EFORMAT);
  cr_expect_eq (sd_text_check (NULL, 0, "F", &err), SD_OK);
}

Test (file, a_file_that_is_replaced_hands_on_its_permissions) {
  char folder[200], path[300];
  struct stat st;
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  snprintf (path, sizeof path, "%s/file", folder);
  for (mode_t mode = 0444; mode; mode = mode == 0444 ? 0660 : 0) {
    sd_outfile *f;
    for (unsigned time = 0; time < 2; time++) {
      cr_assert_eq (sd_outfile_open (path, &f, NULL), SD_OK);
      cr_assert_eq (sd_outfile_write (f, "hello", 5, NULL), SD_OK);
      cr_assert_eq (sd_outfile_commit (f, NULL), SD_OK);
      cr_assert (time > 0 || chmod (path, mode) == 0);
    }
    cr_assert_eq (stat (path, &st), 0);
    cr_expect_eq (st.st_mode & 0777, mode, "%o instead of %o", st.st_mode & 0777, mode);
  }
  temporary_remove (folder);
}

/* As on a full disk: no byte more. */
Test (file, a_full_disk_is_an_error_and_leaves_nothing) {
  char folder[200], path[300];
  sd_outfile *f;
  sd_error err = { 0 };
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  snprintf (path, sizeof path, "%s/out", folder);
  cr_assert_eq (sd_outfile_open (path, &f, &err), SD_OK, "%s", err.text);
  struct rlimit old, none;
  getrlimit (RLIMIT_FSIZE, &old);
  none = (struct rlimit){ 0, old.rlim_max };
  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &none);
  const int st = sd_outfile_write (f, "x", 1, &err);
  setrlimit (RLIMIT_FSIZE, &old);
  cr_expect_eq (st, SD_EIO);
  cr_expect (strstr (err.text, "/out: write failed: "), "%s", err.text);
  sd_outfile_abort (f);
  cr_expect_eq (rmdir (folder), 0);
}

/* Whoever may write into a folder can guess the name of the temporary file. */
Test (file, is_not_written_through_what_stands_in_its_place) {
  char folder[200], path[300], temp[400], victim[300], text[8] = "";
  sd_outfile *f;
  sd_error err = { 0 };
  sd_map m;
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  snprintf (path, sizeof path, "%s/out", folder);
  snprintf (victim, sizeof victim, "%s/victim", folder);
  cr_assert_eq (sd_outfile_open (path, &f, &err), SD_OK);
  snprintf (temp, sizeof temp, "%s", sd_outfile_temp_name (f));
  sd_outfile_abort (f);
  for (unsigned way = 0; way < 4; way++) { /* symbolic link, hard link, pipe, a file of somebody's */
    FILE *v = fopen (victim, "w");
    fputs ("keep", v);
    fclose (v);
    cr_assert_eq (way == 0   ? symlink (victim, temp)
                  : way == 1 ? link (victim, temp)
                  : way == 2 ? mkfifo (temp, 0666)
                             : close (creat (temp, 0666)),
                  0);
    cr_expect_eq (sd_outfile_open (path, &f, &err), SD_OK, "%u: %s", way, err.text);
    cr_expect_eq (sd_outfile_write (f, "other", 5, &err), SD_OK);
    cr_expect_eq (sd_outfile_commit (f, &err), SD_OK);
    struct stat st;
    cr_expect (lstat (path, &st) == 0 && S_ISREG (st.st_mode) && st.st_nlink == 1, "%u", way);
    v = fopen (victim, "r");
    cr_expect (fgets (text, sizeof text, v) && strcmp (text, "keep") == 0, "%u: %s", way, text);
    fclose (v);
    cr_assert_eq (sd_map_open (path, &m, &err), SD_OK, "%s", err.text);
    cr_expect (m.len == 5 && memcmp (m.data, "other", 5) == 0, "%u", way);
    sd_map_close (&m);
    unlink (path);
  }
  temporary_remove (folder);
}

Test (file, what_is_no_regular_file_is_refused_without_waiting) {
  char folder[200], path[300];
  sd_map m;
  FILE *f;
  sd_error err = { 0 };
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  snprintf (path, sizeof path, "%s/pipe", folder);
  cr_assert_eq (mkfifo (path, 0666), 0);
  alarm (20); /* would wait for a writer */
  cr_expect_eq (sd_map_open (path, &m, &err), SD_EFORMAT);
  cr_expect (strstr (err.text, "/pipe: is not a regular file"), "%s", err.text);
  cr_expect_eq (sd_file_open (path, &f, &err), SD_EFORMAT);
  cr_expect_eq (sd_map_open (folder, &m, &err), SD_EFORMAT);
  cr_expect_eq (sd_map_open ("/dev/null", &m, &err), SD_EFORMAT);
  temporary_remove (folder);
}

static void end (int number) {
  sd_outfile_remove_open ();
  raise (number);
}

Test (file, open_ones_are_removed_by_a_signal_handler) {
  char folder[200], path[2][300];
  sd_outfile *f, *g;
  int status;
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  for (unsigned i = 0; i < 2; i++)
    snprintf (path[i], sizeof path[i], "%s/out%u", folder, i);
  const pid_t child = fork ();
  if (child == 0) {
    struct sigaction how = { .sa_handler = end, .sa_flags = SA_RESETHAND | SA_NODEFER };
    sigaction (SIGTERM, &how, NULL);
    sd_outfile_watch ();
    for (unsigned i = 0; i < 200; i++) { /* more than there are places */
      if (sd_outfile_open (path[1], &g, NULL) != SD_OK)
        _exit (1);
      sd_outfile_abort (g);
    }
    if (sd_outfile_open (path[0], &f, NULL) == SD_OK && sd_outfile_open (path[1], &g, NULL) == SD_OK
        && sd_outfile_commit (g, NULL) == SD_OK)
      raise (SIGTERM);
    _exit (1);
  }
  waitpid (child, &status, 0);
  cr_expect (WIFSIGNALED (status) && WTERMSIG (status) == SIGTERM);
  cr_expect (unlink (path[1]) == 0, "what is complete was removed");
  cr_expect_eq (rmdir (folder), 0, "something is left");
}

#ifdef SD_WRAPPED
/* Locking is the first thing that happens to a temporary file once it is there, before its name is known to
 * signal handlers. This program is linked so that a signal can be sent at that very time. */
int __real_flock (int fd, int how);
int __wrap_flock (int fd, int how);
static pthread_t interrupted;
static bool armed;
int __wrap_flock (int fd, int how) {
  if (armed) {
    armed = false;
    pthread_kill (interrupted, SIGTERM);
    usleep (100000); /* time for another thread to do its worst */
  }
  return __real_flock (fd, how);
}

static void *wait_for_it (void *unused) {
  for (;;)
    pause ();
  return unused;
}

Test (file, a_signal_between_making_and_naming_a_file_removes_it) {
  char folder[200], path[300];
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  snprintf (path, sizeof path, "%s/out", folder);
  for (unsigned other = 0; other < 2; other++) { /* in the thread that opens the file, and in another one */
    int status = 0;
    const pid_t child = fork ();
    if (child == 0) {
      struct sigaction how = { .sa_handler = end, .sa_flags = SA_RESETHAND | SA_NODEFER };
      sd_outfile *f;
      sigaction (SIGTERM, &how, NULL);
      sd_outfile_watch ();
      interrupted = pthread_self ();
      if (other && pthread_create (&interrupted, NULL, wait_for_it, NULL))
        _exit (1);
      armed = true;
      sd_outfile_open (path, &f, NULL);
      pause ();
      _exit (1);
    }
    waitpid (child, &status, 0);
    cr_expect (WIFSIGNALED (status) && WTERMSIG (status) == SIGTERM);
    DIR *d = opendir (folder);
    for (struct dirent *e; d && (e = readdir (d));)
      cr_expect_eq (e->d_name[0], '.', "%s thread: %s is left", other ? "another" : "the same", e->d_name);
    closedir (d);
  }
  temporary_remove (folder);
}
#endif

/* Once a handler has looked for names, no file is made that nobody would remove. */
Test (file, none_is_made_when_a_signal_handler_has_run) {
  char folder[200], path[300];
  int status = 0;
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  snprintf (path, sizeof path, "%s/out", folder);
  const pid_t child = fork ();
  if (child == 0) {
    sd_outfile *f;
    sd_error err = { 0 };
    sd_outfile_watch ();
    sd_outfile_remove_open ();
    _exit (sd_outfile_open (path, &f, &err) == SD_EIO && strstr (err.text, "the program is ending") ? 7 : 1);
  }
  waitpid (child, &status, 0);
  cr_expect (WIFEXITED (status) && WEXITSTATUS (status) == 7);
  cr_expect_eq (rmdir (folder), 0, "something is left");
}

Test (error, names_what_is_missing) {
  sd_error err = { 0 };
  cr_expect_eq (sd_fail_missing (&err, "KRvK.wdl.sdt", "%s: not there", "KRvK.wdl.sdt"), SD_ENOENT);
  sd_error_prefix (&err, "here");
  cr_expect (err.status == SD_ENOENT && strcmp (err.missing, "KRvK.wdl.sdt") == 0);
  sd_fail (&err, SD_EIO, "another");
  cr_expect_str_empty (err.missing);
}

/* A child opens `path`, writes, says so, and waits to be killed. */
static pid_t writer (const char *path) {
  int ready[2];
  char byte = 0;
  cr_assert_eq (pipe (ready), 0);
  const pid_t child = fork ();
  cr_assert_geq (child, 0);
  if (child == 0) {
    sd_outfile *f;
    if (sd_outfile_open (path, &f, NULL) == SD_OK && sd_outfile_write (f, "half", 4, NULL) == SD_OK
        && write (ready[1], &byte, 1) == 1)
      pause ();
    _exit (1);
  }
  close (ready[1]);
  cr_assert_eq (read (ready[0], &byte, 1), 1);
  close (ready[0]);
  return child;
}

static unsigned files_in (const char *folder) {
  unsigned n = 0;
  DIR *d = opendir (folder);
  for (struct dirent *e; (e = readdir (d));)
    n += e->d_name[0] != '.';
  closedir (d);
  return n;
}

Test (file, what_a_killed_writer_leaves_is_swept_by_the_next) {
  char folder[200], path[300], other[300], foreign[300];
  sd_outfile *f;
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  snprintf (path, sizeof path, "%s/table", folder);
  snprintf (other, sizeof other, "%s/table.more", folder);
  snprintf (foreign, sizeof foreign, "%s/table.another-host.4711.tmp", folder);
  cr_assert_eq (close (creat (foreign, 0666)), 0);
  const pid_t a = writer (path), b = writer (path), c = writer (other);
  cr_expect_eq (files_in (folder), 4);
  kill (a, SIGKILL);
  kill (c, SIGKILL);
  waitpid (a, NULL, 0);
  waitpid (c, NULL, 0);
  cr_assert_eq (sd_outfile_open (path, &f, NULL), SD_OK);
  cr_expect_eq (files_in (folder), 4, "%u", files_in (folder)); /* mine, b's, c's, the other host's */
  kill (b, SIGKILL);
  waitpid (b, NULL, 0);
  cr_assert_eq (sd_outfile_commit (f, NULL), SD_OK);
  cr_assert_eq (sd_outfile_open (path, &f, NULL), SD_OK);
  cr_expect_eq (files_in (folder), 4, "%u",
                files_in (folder)); /* mine, the complete one, c's, the other host's */
  sd_outfile_abort (f);
  cr_assert_eq (sd_outfile_open (other, &f, NULL), SD_OK);
  sd_outfile_abort (f);
  cr_expect (sd_file_exists (foreign) && sd_file_exists (path));
  cr_expect_eq (files_in (folder), 2);
  unlink (foreign);
  unlink (path);
  rmdir (folder);
}

Test (file, a_folder_is_swept_of_what_killed_writers_have_left) {
  char folder[200], path[4][300];
  static const char *const name[] = { "one.table", "two.table", "other.text", "tabl" };
  pid_t child[4];
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  for (unsigned i = 0; i < 4; i++) {
    snprintf (path[i], sizeof path[i], "%s/%s", folder, name[i]);
    child[i] = writer (path[i]);
  }
  for (unsigned i = 0; i < 4; i++)
    if (i != 1) {
      kill (child[i], SIGKILL);
      waitpid (child[i], NULL, 0);
    }
  sd_outfile_sweep (folder, ".table");
  cr_expect_eq (files_in (folder), 3); /* two.table is being written, the others have other names */
  kill (child[1], SIGKILL);
  waitpid (child[1], NULL, 0);
  sd_outfile_sweep (folder, ".table");
  cr_expect_eq (files_in (folder), 2);
  sd_outfile_sweep (folder, "");
  cr_expect_eq (files_in (folder), 0);
  rmdir (folder);
  sd_outfile_sweep (folder, ""); /* there is no folder */
}

Test (file, has_one_writer_in_a_process) {
  char folder[200], path[300];
  sd_outfile *f, *g;
  sd_error err = { 0 };
  cr_assert (temporary_folder ("sd-base", folder, sizeof folder));
  snprintf (path, sizeof path, "%s/table", folder);
  cr_assert_eq (sd_outfile_open (path, &f, NULL), SD_OK);
  cr_expect_eq (sd_outfile_open (path, &g, &err), SD_EIO);
  cr_expect (g == NULL && strstr (err.text, "somebody else is writing"), "%s", err.text);
  cr_expect_eq (sd_outfile_write (f, "x", 1, &err), SD_OK);
  cr_expect_eq (sd_outfile_commit (f, &err), SD_OK);
  cr_expect_eq (files_in (folder), 1);
  unlink (path);
  rmdir (folder);
}

/* Lengths around those where the way of sorting changes, keys that differ in few bytes and in all. */
Test (base, sorts_keys) {
  static const size_t lengths[] = { 0, 1, 2, 47, 48, 49, 1000 };
  static const uint64_t masks[] = { 0, 0xff, 0xff00000000, 0xffff, 0x3000000000000100, UINT64_MAX };
  uint64_t key[1000], room[1000], state = 7;
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
      const size_t n = lengths[k];
      uint64_t sum = 0;
      for (size_t i = 0; i < n; i++)
        sum += key[i] = (sd_random (&state) & masks[m]) | (i % 97 == 5 && m == 5 ? UINT64_MAX : 0);
      sd_sort_keys (key, room, n);
      for (size_t i = 0; i < n; i++) {
        sum -= key[i];
        cr_assert (i == 0 || key[i - 1] <= key[i], "%zu keys, mask %zu, at %zu", n, m, i);
      }
      cr_expect_eq (sum, 0);
    }
}
