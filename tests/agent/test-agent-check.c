/* perfica-agent check as a process: exit codes, JSON for one line and for many.
 *
 * What the guard answers is tests/guard's matter; the lines here are the plainest of their kind.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "agent-commands.h"
#include "perfica-json.h"

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("perfica-test-XXXXXX", NULL);
  g_autofree char *git = g_build_filename (made, ".git", NULL);
  g_autofree char *sub = g_build_filename (made, "sub", NULL);

  g_mkdir (git, 0700);
  g_mkdir (sub, 0700);
  f->folder = g_steal_pointer (&made);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autofree char *git = g_build_filename (f->folder, ".git", NULL);
  g_autofree char *sub = g_build_filename (f->folder, "sub", NULL);

  g_rmdir (git);
  g_rmdir (sub);
  g_rmdir (f->folder);
  g_free (f->folder);
}

/* Runs it in the fixture's folder; returns the exit code. */
static int
check (Fixture *f, const char *input, char **out, const char *const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                 G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (argv, (char *) PERFICA_AGENT);
  g_ptr_array_add (argv, (char *) "check");
  for (; *arguments != NULL; arguments++)
    g_ptr_array_add (argv, (char *) *arguments);
  g_ptr_array_add (argv, NULL);
  g_subprocess_launcher_set_cwd (launcher, f->folder);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, input != NULL ? input : "", NULL, out, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  return g_subprocess_get_exit_status (process);
}

#define CHECK(f, input, out, ...) check (f, input, out, (const char *const[]){ __VA_ARGS__, NULL })

static const struct
{
  const char *command;
  const char *answer;
  int code;
} plain[] = {
  { "ls -la", "allow", AGENT_EXIT_OK },
  { "git status", "allow", AGENT_EXIT_OK },
  { "git commit -m message", "ask", AGENT_EXIT_CHECK_ASK },
  { "git push --force origin main", "refuse", AGENT_EXIT_CHECK_REFUSE },
  { "cat /etc/passwd", "refuse", AGENT_EXIT_CHECK_REFUSE },
  { "echo 'never closed", "refuse", AGENT_EXIT_CHECK_REFUSE },
};

static void
check_shape (const char *line, const char *answer)
{
  g_autoptr (JsonNode) node = perfica_json_parse (line, strlen (line), NULL);
  JsonObject *o;
  JsonArray *findings;
  g_autofree char *got = NULL;

  g_assert_nonnull (node);
  o = json_node_get_object (node);
  g_assert_true (perfica_json_get_string (o, "answer", PERFICA_JSON_REQUIRED, 10, &got, NULL));
  g_assert_cmpstr (got, ==, answer);
  g_assert_true (json_object_has_member (o, "time_class"));
  g_assert_true (json_object_has_member (o, "canonical"));
  g_assert_true (
      perfica_json_get_array (o, "findings", PERFICA_JSON_REQUIRED, 1000, &findings, NULL));
  g_assert_cmpint (json_array_get_length (findings) == 0, ==, strcmp (answer, "allow") == 0);
  for (guint i = 0; i < json_array_get_length (findings); i++)
    {
      static const char *const members[] = { "rule", "start",  "end",        "text",
                                             "kind", "intent", "alternative" };
      JsonObject *finding = json_array_get_object_element (findings, i);

      for (guint j = 0; j < G_N_ELEMENTS (members); j++)
        g_assert_true (json_object_has_member (finding, members[j]));
    }
}

static void
test_one (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    {
      g_autofree char *json = NULL;
      g_autofree char *text = NULL;
      g_autofree char *explained = NULL;

      g_assert_cmpint (CHECK (f, NULL, &json, "--json", plain[i].command), ==, plain[i].code);
      g_assert_cmpint (json[strlen (json) - 1], ==, '\n');
      check_shape (json, plain[i].answer);
      g_assert_cmpint (CHECK (f, NULL, &text, plain[i].command), ==, plain[i].code);
      g_assert_cmpuint (strlen (text), >, 5);
      g_assert_cmpint (CHECK (f, NULL, &explained, "--explain", plain[i].command), ==,
                       plain[i].code);
      g_assert_cmpuint (strlen (explained), >, strlen (plain[i].command));
    }
}

static void
test_words (Fixture *f, gconstpointer data)
{
  g_autofree char *out = NULL;

  /* As one word it is a list of two commands, as several the words of one. */
  g_assert_cmpint (CHECK (f, NULL, &out, "echo a; git commit -m x"), ==, AGENT_EXIT_CHECK_ASK);
  g_clear_pointer (&out, g_free);
  g_assert_cmpint (CHECK (f, NULL, &out, "--", "echo", "a;", "git", "commit"), ==, AGENT_EXIT_OK);
}

static void
test_folders (Fixture *f, gconstpointer data)
{
  g_autofree char *out = NULL;

  /* The project is the one with .git, also from a folder below it. */
  g_assert_cmpint (CHECK (f, NULL, &out, "--folder", "sub", "ls .."), ==, AGENT_EXIT_OK);
  g_clear_pointer (&out, g_free);
  g_assert_cmpint (CHECK (f, NULL, &out, "--folder", "sub", "ls ../.."), ==,
                   AGENT_EXIT_CHECK_REFUSE);
  g_clear_pointer (&out, g_free);
  g_assert_cmpint (CHECK (f, NULL, &out, "--loop", "sub", "ls .."), ==, AGENT_EXIT_CHECK_REFUSE);
  g_clear_pointer (&out, g_free);
  g_assert_cmpint (CHECK (f, NULL, &out, "--project", "sub", "--folder", "/", "ls"), ==,
                   AGENT_EXIT_USAGE);
}

static void
test_batch (Fixture *f, gconstpointer data)
{
  g_autoptr (GString) input = g_string_new (NULL);
  g_autofree char *out = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = G_N_ELEMENTS (plain);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *escaped = g_strescape (plain[i].command, NULL);

      g_string_append_printf (input, "{\"id\":\"line-%u\",\"command\":\"%s\"}\n", i, escaped);
    }
  g_string_append (input, "nonsense\n"
                          "{\"id\":7}\n"
                          "\n"
                          "{\"id\":8,\"command\":\"ls ..\",\"folder\":\"sub\"}\n"
                          "{\"id\":9,\"command\":\"ls ..\",\"folder\":\"sub\",\"loop\":\"sub\"}\n"
                          "{\"id\":10,\"command\":7}\n"
                          "{\"id\":11,\"command\":\"ls\",\"later\":[1]}");
  g_assert_cmpint (CHECK (f, input->str, &out, "--json", "--batch", "--no-disk"), ==, 0);
  lines = g_strsplit (out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, n + 6 + 1);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("{\"id\":\"line-%u\",", i);

      g_assert_true (g_str_has_prefix (lines[i], id));
      check_shape (lines[i], plain[i].answer);
    }
  g_assert_true (g_str_has_prefix (lines[n], "{\"id\":null,\"answer\":\"refuse\""));
  g_assert_nonnull (strstr (lines[n], "\"error\":"));
  g_assert_true (g_str_has_prefix (lines[n + 1], "{\"id\":7,\"answer\":\"refuse\""));
  check_shape (lines[n + 2], "allow");
  check_shape (lines[n + 3], "refuse");
  g_assert_true (g_str_has_prefix (lines[n + 4], "{\"id\":10,\"answer\":\"refuse\""));
  check_shape (lines[n + 5], "allow");
}

static void
test_usage (Fixture *f, gconstpointer data)
{
  static const char *const lines[][4] = {
    { NULL },
    { "--batch" },
    { "--json", "--batch", "ls" },
    { "--json", "--explain", "ls" },
    { "--nonsense", "ls" },
    { "--project", "/does/not/exist", "ls" },
    { "--", "\xff" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *out = NULL;

      g_assert_cmpint (check (f, NULL, &out, lines[i]), ==, AGENT_EXIT_USAGE);
      g_assert_cmpstr (out, ==, "");
    }
}

#define ADD(name, function)                                                                        \
  g_test_add ("/agent/check/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("one", test_one);
  ADD ("words", test_words);
  ADD ("folders", test_folders);
  ADD ("batch", test_batch);
  ADD ("usage", test_usage);
  return g_test_run ();
}
