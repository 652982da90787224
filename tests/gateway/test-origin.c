/* What started a client, told from a tree of processes made of files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "perfica-origin.h"

/* The client is process 100; each has the one before it as its child. */
typedef struct
{
  const char *name;
  struct
  {
    const char *exe;  /* NULL: it can't be read */
    const char *line; /* words, "|" between them; NULL: it can't be read */
  } ancestors[20];
  const char *starter;
} Case;

static const Case cases[] = {
  { "direct", { { "/usr/bin/claude", "claude" } }, "/usr/bin/claude" },
  { "through a shell",
    { { "/usr/bin/bash", "bash|-c|perfica-agent mcp" }, { "/opt/a b/codex", "codex" } },
    "/opt/a b/codex" },
  { "through several",
    { { "/usr/bin/env", "env" },
      { "/usr/bin/dash", "sh" },
      { "/usr/bin/timeout", "timeout" },
      { "/usr/bin/opencode", "opencode" } },
    "/usr/bin/opencode" },
  { "an interpreter",
    { { "/usr/bin/node", "node|--no-warnings|/usr/lib/gemini/cli.js|--yolo" } },
    "/usr/bin/node /usr/lib/gemini/cli.js" },
  { "with a version",
    { { "/usr/bin/python3.11", "python3|agent.py" } },
    "/usr/bin/python3.11 agent.py" },
  { "without a script", { { "/usr/bin/python3.11", "python3|-" } }, "/usr/bin/python3.11" },
  { "named alike", { { "/usr/bin/nodemon", "nodemon|x.js" } }, "/usr/bin/nodemon" },
  { "only shells", { { "/usr/bin/bash", "bash" }, { "/usr/bin/bash", "bash" } }, NULL },
  { "hidden", { { NULL, NULL } }, NULL },
  { "hidden behind a shell", { { "/usr/bin/bash", "bash" }, { NULL, "agent" } }, NULL },
  { "nobody's child", { { NULL, NULL } }, NULL },
  { "escaped", { { "/tmp/a\033[2Jb\n\342\200\256c", "x" } }, "/tmp/a\\u{1b}[2Jb\\u{a}\\u{202e}c" },
  { "no UTF-8", { { "/tmp/\xff", "x" } }, "/tmp/\357\277\275" },
  { "an escaped script", { { "/usr/bin/node", "node|a\nb" } }, "/usr/bin/node a\\u{a}b" },
  { "too far",
    { { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/bin/sh", "" },
      { "/usr/bin/claude", "" } },
    NULL },
};

static char *
process_folder (const char *proc, guint pid)
{
  return g_strdup_printf ("%s/%u", proc, pid);
}

/* @name: of the process, as an unkind one may choose it */
static void
make_process (const char *proc, guint pid, guint parent, const char *exe, const char *line)
{
  g_autofree char *folder = process_folder (proc, pid);
  g_autofree char *stat_path = g_build_filename (folder, "stat", NULL);
  g_autofree char *link_path = g_build_filename (folder, "exe", NULL);
  g_autofree char *line_path = g_build_filename (folder, "cmdline", NULL);
  g_autofree char *text = g_strdup_printf ("%u (a) S 7 (b) S %u %u 0 0\n", pid, parent, pid);

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (stat_path, text, -1, NULL));
  if (exe)
    g_assert_cmpint (symlink (exe, link_path), ==, 0);
  if (line)
    {
      g_autofree char *words = g_strdup_printf ("%s|", line);
      gsize length = strlen (words);

      g_strdelimit (words, "|", '\1');
      for (gsize i = 0; i < length; i++)
        if (words[i] == '\1')
          words[i] = '\0';
      g_assert_true (g_file_set_contents (line_path, words, (gssize) length, NULL));
    }
}

static void
remove_tree (const char *path)
{
  const char *argv[] = { "rm", "-rf", path, NULL };

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
}

static void
test_case (gconstpointer data)
{
  const Case *one = data;
  g_autofree char *proc = g_dir_make_tmp ("perfica-proc-XXXXXX", NULL);
  g_autofree char *starter = NULL;
  guint n = 0;

  while (n < G_N_ELEMENTS (one->ancestors) && (one->ancestors[n].exe || one->ancestors[n].line))
    n++;
  make_process (proc, 100, n > 0 ? 101 : 1, "/usr/bin/perfica-agent", "perfica-agent|mcp");
  for (guint i = 0; i < n; i++)
    make_process (proc, 101 + i, i + 1 < n ? 102 + i : 1, one->ancestors[i].exe,
                  one->ancestors[i].line);
  starter = perfica_origin_starter (proc, 100);
  g_assert_cmpstr (starter, ==, one->starter);
  remove_tree (proc);
}

/* A process that isn't there, files that are nonsense, a circle of parents. */
static void
test_nonsense (void)
{
  static const char *const stats[] = {
    "", "x", "7 (a", "7 (a)", "7 (a) S", "7 (a) S -5 0", "7 (a) S 99999999999999999999 0"
  };
  g_autofree char *proc = g_dir_make_tmp ("perfica-proc-XXXXXX", NULL);
  g_autofree char *stat_path = NULL;
  g_autofree char *program = perfica_origin_program (proc, 100);

  g_assert_cmpstr (program, ==, "?");
  g_assert_null (perfica_origin_starter (proc, 100));
  make_process (proc, 100, 101, "/usr/bin/bash", NULL);
  make_process (proc, 101, 100, "/usr/bin/bash", NULL);
  g_assert_null (perfica_origin_starter (proc, 101));
  stat_path = g_build_filename (proc, "100", "stat", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (stats); i++)
    {
      g_autofree char *starter = NULL;

      g_assert_true (g_file_set_contents (stat_path, stats[i], -1, NULL));
      starter = perfica_origin_starter (proc, 100);
      g_assert_null (starter);
    }
  remove_tree (proc);
}

/* A command line longer than what is read of it. */
static void
test_long (void)
{
  g_autofree char *proc = g_dir_make_tmp ("perfica-proc-XXXXXX", NULL);
  g_autofree char *word = g_strnfill (2 * PERFICA_ORIGIN_MAX_LINE, 'x');
  g_autofree char *line = g_strdup_printf ("node|%s", word);
  g_autofree char *starter = NULL;

  make_process (proc, 100, 101, "/usr/bin/perfica-agent", NULL);
  make_process (proc, 101, 1, "/usr/bin/node", line);
  starter = perfica_origin_starter (proc, 100);
  g_assert_cmpuint (strlen (starter), <, PERFICA_ORIGIN_MAX_LINE + 20);
  g_assert_true (g_str_has_prefix (starter, "/usr/bin/node xxx"));
  remove_tree (proc);
}

static void
test_describe (void)
{
  g_autofree char *with = perfica_origin_describe ("/usr/bin/claude", "/usr/bin/p", "claude\ncode");
  g_autofree char *without = perfica_origin_describe (NULL, "?", "x");

  g_assert_cmpstr (with, ==, "/usr/bin/claude → /usr/bin/p (claude\\u{a}code)");
  g_assert_cmpstr (without, ==, "? (x)");
}

/* The real tree: this test was started by something, too. */
static void
test_real (void)
{
  g_autofree char *program = perfica_origin_program ("/proc", getpid ());

  g_assert_true (g_str_has_suffix (program, "/test-origin"));
  g_free (perfica_origin_starter ("/proc", getpid ()));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/origin/starter/%s", cases[i].name);

      g_test_add_data_func (name, &cases[i], test_case);
    }
  g_test_add_func ("/origin/nonsense", test_nonsense);
  g_test_add_func ("/origin/long", test_long);
  g_test_add_func ("/origin/describe", test_describe);
  g_test_add_func ("/origin/real", test_real);
  return g_test_run ();
}
