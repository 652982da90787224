/* What is kept of an output, and what becomes of its file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "supervise-output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char *
count_up (gsize length)
{
  char *text = g_malloc (length + 1);

  for (gsize i = 0; i < length; i++)
    text[i] = (char) ('!' + (i / 7 + i) % 90);
  text[length] = '\0';
  return text;
}

static void
test_kept (void)
{
  const gsize piece = SANDBOX_PIECE_MAX;
  const gsize lengths[] = { 0,         1,         piece - 1,     piece,         piece + 1,
                            piece * 2, piece * 3, piece * 2 + 1, piece * 5 + 17 };
  const gsize steps[] = { 1, 7, 4096, 65536, 1000003 };

  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (steps); k++)
      {
        g_autofree char *text = count_up (lengths[i]);
        SuperviseKept *kept = g_new0 (SuperviseKept, 1);
        gsize head = MIN (lengths[i], piece);
        gsize rest = MIN (lengths[i] - head, piece);
        size_t length;
        const char *tail;

        for (gsize at = 0; at < lengths[i]; at += steps[k])
          supervise_kept_add (kept, text + at, MIN (steps[k], lengths[i] - at));
        g_assert_cmpuint (kept->total, ==, lengths[i]);
        g_assert_cmpmem (kept->head, kept->head_length, text, head);
        for (int twice = 0; twice < 2; twice++)
          {
            tail = supervise_kept_tail (kept, &length);
            g_assert_cmpmem (tail, length, text + lengths[i] - rest, rest);
          }
        g_free (kept);
      }
}

static char *
write_file (const char *text, guint64 max, SuperviseFile *file)
{
  g_autofree char *path = NULL;
  char *content;

  *file =
      (SuperviseFile){ .fd = g_file_open_tmp ("perfica-output-XXXXXX", &path, NULL), .max = max };
  for (const char *at = text; *at != '\0'; at++)
    supervise_file_add (file, at, 1);
  supervise_file_finish (file);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  unlink (path);
  return content;
}

static void
test_file (void)
{
  SuperviseFile file;
  g_autofree char *whole = write_file ("hello", 5, &file);
  g_autofree char *cut = NULL;

  g_assert_cmpstr (whole, ==, "hello");
  g_assert_false (file.cut);
  cut = write_file ("hello!", 5, &file);
  g_assert_cmpstr (cut, ==, "hello\n[perfica: output cut here, after 5 bytes]\n");
  g_assert_true (file.cut);
  g_assert_cmpint (file.error, ==, 0);
}

static void
test_no_file (void)
{
  SuperviseFile file = { .fd = -1, .max = 0 };

  supervise_file_add (&file, "x", 1);
  supervise_file_finish (&file);
  g_assert_false (file.cut);
}

/* A device that is always full. */
static void
test_full_device (void)
{
  SuperviseFile file = { .fd = open ("/dev/full", O_WRONLY | O_CLOEXEC), .max = 1000 };

  supervise_file_add (&file, "text", 4);
  supervise_file_add (&file, "more", 4);
  g_assert_true (file.cut);
  g_assert_cmpint (file.error, ==, ENOSPC);
  supervise_file_finish (&file);
}

/* A file that can't grow any further, as on a full disk: the mark takes the place of some text. */
static void
test_full_disk (void)
{
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;
  g_autofree char *text = count_up (20000);
  SuperviseFile file = { .fd = g_file_open_tmp ("perfica-output-XXXXXX", &path, NULL),
                         .max = G_MAXUINT64 };
  struct rlimit old;
  struct rlimit small;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  small = old;
  small.rlim_cur = 10000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  supervise_file_add (&file, text, 20000);
  supervise_file_finish (&file);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  g_assert_true (file.cut);
  g_assert_cmpint (file.error, ==, EFBIG);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpint (strncmp (content, text, 10000 - 4096), ==, 0);
  g_assert_true (g_str_has_suffix (content, "\n[perfica: output lost from about here: "
                                            "File too large]\n"));
  unlink (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sandbox/output/kept", test_kept);
  g_test_add_func ("/sandbox/output/file", test_file);
  g_test_add_func ("/sandbox/output/no-file", test_no_file);
  g_test_add_func ("/sandbox/output/full-device", test_full_device);
  g_test_add_func ("/sandbox/output/full-disk", test_full_disk);
  return g_test_run ();
}
