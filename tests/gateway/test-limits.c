/* limits.json: it lowers, whatever else it says.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfica-approvals.h"
#include "perfica-store-limits.h"

#define SHORT PERFICA_LIMIT_SHORT_SECONDS
#define LONG PERFICA_LIMIT_LONG_SECONDS
#define HELLO PERFICA_LIMIT_HELLO_SECONDS
#define PAUSE PERFICA_PAUSE_SECONDS

/* @text: NULL: there is no file */
static const struct
{
  const char *text;
  PerficaLimits limits; /* short, long, prompt, pause, hello */
} cases[] = {
  { NULL, { SHORT, LONG, 0, PAUSE, HELLO } },
  { "", { SHORT, LONG, 0, PAUSE, HELLO } },
  { "{}", { SHORT, LONG, 0, PAUSE, HELLO } },
  { "[1]", { SHORT, LONG, 0, PAUSE, HELLO } },
  { "nonsense", { SHORT, LONG, 0, PAUSE, HELLO } },
  { "{\"short_seconds\":", { SHORT, LONG, 0, PAUSE, HELLO } },
  { "{\"short_seconds\":1}", { 1, LONG, 0, PAUSE, HELLO } },
  { "{\"long_seconds\":2,\"hello_seconds\":3,\"prompt_seconds\":4,\"pause_seconds\":5,"
    "\"unknown\":6}",
    { SHORT, 2, 4, 5, 3 } },
  { "{\"short_seconds\":120,\"long_seconds\":600}", { 120, 600, 0, PAUSE, HELLO } },
  /* Nothing is raised, and no limit is taken away. */
  { "{\"short_seconds\":121,\"long_seconds\":601,\"hello_seconds\":11,\"pause_seconds\":301,"
    "\"prompt_seconds\":3601}",
    { SHORT, LONG, 3600, PAUSE, HELLO } },
  { "{\"short_seconds\":0,\"long_seconds\":0,\"hello_seconds\":0,\"pause_seconds\":0,"
    "\"prompt_seconds\":0}",
    { SHORT, LONG, 3600, PAUSE, HELLO } },
  { "{\"short_seconds\":-1,\"long_seconds\":-9223372036854775808}",
    { SHORT, LONG, 0, PAUSE, HELLO } },
  { "{\"short_seconds\":4294967297,\"long_seconds\":9223372036854775807}",
    { SHORT, LONG, 0, PAUSE, HELLO } },
  { "{\"short_seconds\":\"1\",\"long_seconds\":1.5,\"hello_seconds\":null,\"pause_seconds\":[1],"
    "\"prompt_seconds\":\"x\"}",
    { SHORT, LONG, 3600, PAUSE, HELLO } },
};

static void
expect (const char *path, const PerficaLimits *wanted)
{
  PerficaLimits limits = { 77, 77, 77, 77, 77 };

  perfica_limits_read (path, &limits);
  g_assert_cmpuint (limits.short_seconds, ==, wanted->short_seconds);
  g_assert_cmpuint (limits.long_seconds, ==, wanted->long_seconds);
  g_assert_cmpuint (limits.prompt_seconds, ==, wanted->prompt_seconds);
  g_assert_cmpuint (limits.pause_seconds, ==, wanted->pause_seconds);
  g_assert_cmpuint (limits.hello_seconds, ==, wanted->hello_seconds);
}

static void
test_cases (void)
{
  g_autofree char *folder = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "limits.json", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].text ? cases[i].text : "no file");
      if (cases[i].text)
        {
          g_assert_true (g_file_set_contents (path, cases[i].text, -1, NULL));
          g_assert_cmpint (g_chmod (path, 0600), ==, 0);
        }
      expect (path, &cases[i].limits);
    }
  g_unlink (path);
  g_rmdir (folder);
}

/* What isn't a small file of ours counts for nothing, and is never waited for. */
static void
test_files (void)
{
  static const char *const setups[] = {
    "mkdir limits.json",
    "mkfifo limits.json",
    "(head -c 5000 /dev/zero | tr '\\0' ' '; cat good) >limits.json",
  };
  g_autofree char *folder = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "limits.json", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (setups); i++)
    {
      g_autofree char *line =
          g_strdup_printf ("umask 077; rm -rf limits.json; echo '{\"short_seconds\":1}' > good; %s",
                           setups[i]);
      const char *argv[] = { "bash", "-c", line, NULL };
      int status;

      g_assert_true (g_spawn_sync (folder, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                                   NULL, NULL, &status, NULL));
      g_assert_true (g_spawn_check_wait_status (status, NULL));
      g_test_message ("%s", setups[i]);
      expect (path, &cases[0].limits);
    }
  {
    const char *argv[] = { "rm", "-rf", folder, NULL };

    g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                  NULL);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/limits/cases", test_cases);
  g_test_add_func ("/limits/files", test_files);
  return g_test_run ();
}
