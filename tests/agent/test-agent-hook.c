/* perfica-agent hook as a process: each agent's words in, its answer out, and whatever fails
 * denies.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <string.h>

#include "agent-commands.h"
#include "agent-hook-dialect.h"
#include "fake-gateway.h"

typedef struct
{
  FakeGateway gateway;
  char *project;
  char *out;
  char *err;
  int code;
  gboolean done;
} Hook;

static void
set_up (Hook *hook, gconstpointer data)
{
  g_autofree char *made = g_dir_make_tmp ("perfica-hook-XXXXXX", NULL);
  g_autofree char *inner = NULL;

  hook->project = realpath (made, NULL);
  inner = g_build_filename (hook->project, "web", NULL);
  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  fake_gateway_init (&hook->gateway);
  hook->gateway.board_folder = hook->project;
  fake_gateway_listen (&hook->gateway);
}

static void
tear_down (Hook *hook, gconstpointer data)
{
  const char *argv[] = { "rm", "-rf", hook->project, NULL };

  fake_gateway_clear (&hook->gateway);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
  free (hook->project);
  g_free (hook->out);
  g_free (hook->err);
}

static void
communicated (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Hook *hook = user_data;
  g_autoptr (GError) error = NULL;

  g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result, &hook->out, &hook->err,
                                        &error);
  g_assert_no_error (error);
  hook->code = g_subprocess_get_exit_status (G_SUBPROCESS (source));
  hook->done = TRUE;
}

/* @input: "@" stands for the project's folder */
static void
ask (Hook *hook, const char *dialect, const char *input)
{
  g_auto (GStrv) parts = g_strsplit (input, "@", -1);
  g_autofree char *text = g_strjoinv (hook->project, parts);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                            G_SUBPROCESS_FLAGS_STDERR_PIPE,
                        &error, fake_gateway_agent (), "hook", dialect, NULL);

  g_assert_no_error (error);
  g_clear_pointer (&hook->out, g_free);
  g_clear_pointer (&hook->err, g_free);
  hook->done = FALSE;
  g_subprocess_communicate_utf8_async (process, text, NULL, communicated, hook);
  while (!hook->done)
    g_main_context_iteration (NULL, TRUE);
}

#define CLAUDE(tool, input)                                                                        \
  "{\"session_id\":\"s\",\"cwd\":\"@\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"" tool   \
  "\",\"tool_input\":" input ",\"tool_use_id\":\"t\"}"
#define DENIED "\"permissionDecision\":\"deny\""

/* @out: a part of standard output; "" when it stays empty. All of these end with 0. */
static const struct
{
  const char *dialect;
  const char *input;
  const char *out;
  const char *also; /* another part, or NULL */
} cases[] = {
  /* Commands: refused with the reason, else rewritten. */
  { "claude", CLAUDE ("Bash", "{\"command\":\"git push --force\"}"), DENIED, "Refused by Perfica" },
  { "claude", CLAUDE ("Bash", "{\"command\":\"sudo ls\"}"), DENIED, NULL },
  { "claude", CLAUDE ("Bash", "{\"command\":\"echo 'unclosed\"}"), DENIED, NULL },
  { "claude",
    CLAUDE ("Bash",
            "{\"command\":\"ls -l\",\"description\":\"List\",\"timeout\":5000,"
            "\"run_in_background\":true}"),
    "\"permissionDecision\":\"allow\",\"updatedInput\":{\"command\":\"'",
    " 'run' '--client' 'claude-code' '--' 'ls "
    "-l'\",\"description\":\"List\",\"timeout\":600000}}" },
  { "claude", CLAUDE ("Bash", "{\"command\":\"echo it's\"}"), DENIED, NULL },
  { "claude", CLAUDE ("Bash", "{\"command\":\"git push\"}"), "allow", "'--' 'git push'\"" },
  { "codex", CLAUDE ("Bash", "{\"command\":\"git push --force\"}"), DENIED, "Refused by Perfica" },
  { "codex", CLAUDE ("Bash", "{\"command\":\"ls\"}"),
    "\"permissionDecision\":\"allow\",\"updatedInput\":{\"command\":\"'",
    " 'run' '--client' 'codex' '--' 'ls'\"}}}" },
  { "gemini", CLAUDE ("run_shell_command", "{\"command\":\"rm -rf /\"}"), "\"decision\":\"deny\"",
    "\"reason\":\"Refused by Perfica" },
  { "gemini", CLAUDE ("run_shell_command", "{\"command\":\"ls\",\"description\":\"d\"}"),
    "{\"decision\":\"allow\",\"hookSpecificOutput\":{\"tool_input\":{\"command\":\"'",
    "'--' 'ls'\",\"description\":\"d\"}}}" },
  { "cursor", "{\"command\":\"rm -rf /\",\"cwd\":\"@\"}", "{\"permission\":\"deny\"",
    "\"agent_message\":\"Refused by Perfica" },
  { "cursor", "{\"command\":\"ls\",\"cwd\":\"@\"}", "{\"permission\":\"deny\"",
    "run exactly this instead: '" },
  /* Files: by what the guard says of the same in a shell. */
  { "claude", CLAUDE ("Read", "{\"file_path\":\"@/src/a.c\"}"), "", NULL },
  { "claude", CLAUDE ("Read", "{\"file_path\":\"@/.env\"}"), DENIED, "environment file" },
  { "claude", CLAUDE ("Read", "{\"file_path\":\"/etc/shadow\"}"), DENIED, "outside the project" },
  { "claude", CLAUDE ("Read", "{\"file_path\":\"../x\"}"), DENIED, NULL },
  { "claude", CLAUDE ("Grep", "{\"pattern\":\"x\"}"), "", NULL },
  { "claude", CLAUDE ("Grep", "{\"pattern\":\"x\",\"path\":\"/etc\"}"), DENIED, NULL },
  { "claude", CLAUDE ("Write", "{\"file_path\":\"@/a b.c\",\"content\":\"x\"}"), "", NULL },
  { "claude", CLAUDE ("Write", "{\"file_path\":\"@/it's.c\",\"content\":\"x\"}"), "", NULL },
  { "claude", CLAUDE ("Write", "{\"file_path\":\"@/.git/hooks/pre-commit\",\"content\":\"\"}"),
    DENIED, "git" },
  { "claude", CLAUDE ("Edit", "{\"file_path\":\"@/.perfica/outputs/1.log\"}"), DENIED, "Perfica" },
  { "claude", CLAUDE ("MultiEdit", "{\"file_path\":\"/etc/passwd\"}"), DENIED, "outside" },
  { "claude", CLAUDE ("NotebookEdit", "{\"notebook_path\":\"/root/x.ipynb\"}"), DENIED, NULL },
  { "codex",
    CLAUDE ("apply_patch",
            "{\"command\":\"*** Begin Patch\\n*** Update File: a.c\\n@@\\n-a\\n+b\\n"
            "*** End Patch\"}"),
    "", NULL },
  { "codex",
    CLAUDE ("apply_patch",
            "{\"input\":\"*** Begin Patch\\n*** Update File: a.c\\n+b\\n"
            "*** Add File: ../out.c\\n+x\\n*** End Patch\"}"),
    DENIED, "outside the project" },
  { "codex",
    CLAUDE ("apply_patch", "{\"input\":\"*** Update File: a.c\\n*** Move to: /etc/x\\r\\n\"}"),
    DENIED, "outside the project" },
  { "gemini", CLAUDE ("write_file", "{\"file_path\":\"/etc/passwd\"}"), "\"decision\":\"deny\"",
    NULL },
  { "gemini", CLAUDE ("read_many_files", "{\"paths\":[\"a.c\",\".env\"]}"), "\"decision\":\"deny\"",
    "environment file" },
  { "gemini", CLAUDE ("read_many_files", "{\"include\":[\"a.c\",\"/etc/passwd\"]}"),
    "\"decision\":\"deny\"", NULL },
  { "gemini", CLAUDE ("grep_search", "{\"pattern\":\"x\",\"include\":\"*.c\"}"), "", NULL },
  { "cursor", "{\"hook_event_name\":\"beforeReadFile\",\"file_path\":\"@/.env\",\"cwd\":\"@\"}",
    "{\"permission\":\"deny\"", NULL },
  { "cursor", "{\"hook_event_name\":\"beforeReadFile\",\"file_path\":\"@/a.c\",\"cwd\":\"@\"}",
    "{\"permission\":\"allow\"}", NULL },
  /* What isn't ours to judge. */
  { "claude", CLAUDE ("WebFetch", "{\"url\":\"http://example.org\"}"), "", NULL },
  { "gemini", CLAUDE ("save_memory", "{}"), "", NULL },
  { "cursor", "{\"hook_event_name\":\"stop\"}", "{\"permission\":\"allow\"}", NULL },
};

static void
expect (Hook *hook, guint index)
{
  if (hook->code != 0 ||
      (*cases[index].out == '\0' ? *hook->out != '\0' : !strstr (hook->out, cases[index].out)) ||
      (cases[index].also && !strstr (hook->out, cases[index].also)))
    g_error ("%s\n%d\n%s\n%s", cases[index].input, hook->code, hook->out, hook->err);
  g_assert_cmpstr (hook->err, ==, "");
  if (*hook->out != '\0')
    g_assert_true (g_str_has_suffix (hook->out, "}\n"));
}

static void
test_cases (Hook *hook, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ask (hook, cases[i].dialect, cases[i].input);
      expect (hook, i);
    }
  g_assert_cmpstr (hook->gateway.last_folder, ==, hook->project);
  g_assert_cmpstr (hook->gateway.last_client, ==, "cursor");
}

/* What was rewritten is what `run` understands, and goes its way when it comes again. */
static void
test_again (Hook *hook, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *input = NULL;
  g_autofree char *chained = NULL;
  char *start, *stop;

  ask (hook, "claude", CLAUDE ("Bash", "{\"command\":\"echo \\\"a  b\\\" | cat\"}"));
  start = strstr (hook->out, "{\"command\":\"");
  g_assert_nonnull (start);
  start += strlen ("{\"command\":\"");
  stop = strstr (start, "\",\"timeout\"");
  g_assert_nonnull (stop);
  first = g_strndup (start, stop - start); /* still JSON's text */
  input = g_strdup_printf ("{\"cwd\":\"@\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":"
                           "\"%s\"}}",
                           first);
  ask (hook, "claude", input);
  g_assert_cmpstr (hook->out, ==, "");
  g_assert_cmpint (hook->code, ==, 0);
  /* With anything behind it, it is a line like any other. */
  chained = g_strdup_printf ("{\"cwd\":\"@\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":"
                             "\"%s; git push --force\"}}",
                             first);
  ask (hook, "claude", chained);
  g_assert_nonnull (strstr (hook->out, DENIED));
}

/* The bubble's tools decide before anything is read. */
static void
test_tools (Hook *hook, gconstpointer data)
{
  hook->gateway.no_run = hook->gateway.no_write = TRUE;
  ask (hook, "claude", CLAUDE ("Bash", "{\"command\":\"ls\"}"));
  g_assert_nonnull (strstr (hook->out, DENIED));
  g_assert_nonnull (strstr (hook->out, "Run commands"));
  ask (hook, "claude", CLAUDE ("Edit", "{\"file_path\":\"@/a.c\"}"));
  g_assert_nonnull (strstr (hook->out, "Write files"));
  ask (hook, "claude", CLAUDE ("Read", "{\"file_path\":\"@/a.c\"}"));
  g_assert_cmpstr (hook->out, ==, "");
  hook->gateway.no_read = TRUE;
  ask (hook, "claude", CLAUDE ("Read", "{\"file_path\":\"@/a.c\"}"));
  g_assert_nonnull (strstr (hook->out, "Read files"));
}

/* A bubble's own loop, and what lies in other ones. */
static void
test_loops (Hook *hook, gconstpointer data)
{
  char *others[] = { (char *) ".", (char *) "api", NULL };
  char *all[] = { (char *) "/", NULL };

  hook->gateway.loop = "web";
  hook->gateway.loops = others;
  ask (hook, "claude", CLAUDE ("Write", "{\"file_path\":\"@/web/a.c\"}"));
  g_assert_cmpstr (hook->out, ==, "");
  ask (hook, "claude", CLAUDE ("Write", "{\"file_path\":\"@/api/a.c\"}"));
  g_assert_nonnull (strstr (hook->out, DENIED));
  ask (hook, "claude", CLAUDE ("Write", "{\"file_path\":\"@/a.c\"}"));
  g_assert_nonnull (strstr (hook->out, DENIED));
  hook->gateway.loops = all;
  ask (hook, "claude", CLAUDE ("Write", "{\"file_path\":\"@/web/a.c\"}"));
  g_assert_nonnull (strstr (hook->out, DENIED));
}

/* Not confirmed: files wait for the person, a command waits on its own way. */
static void
test_unconfirmed (Hook *hook, gconstpointer data)
{
  hook->gateway.unconfirmed = TRUE;
  ask (hook, "claude", CLAUDE ("Read", "{\"file_path\":\"@/a.c\"}"));
  g_assert_nonnull (strstr (hook->out, DENIED));
  g_assert_nonnull (strstr (hook->out, "confirmed"));
  ask (hook, "claude", CLAUDE ("Bash", "{\"command\":\"ls\"}"));
  g_assert_nonnull (strstr (hook->out, "updatedInput"));
}

/* Exit code 2, a reason on standard error, and a denial on standard output too. */
static void
assert_failed (Hook *hook, const char *decision)
{
  if (hook->code != AGENT_EXIT_USAGE || !strstr (hook->out, decision))
    g_error ("%d\n%s\n%s", hook->code, hook->out, hook->err);
  g_assert_cmpstr (hook->err, !=, "");
}

static void
test_bad_input (Hook *hook, gconstpointer data)
{
  static const char *const inputs[] = {
    "",
    "nonsense",
    "[]",
    "{}",
    "{\"tool_name\":7}",
    "{\"tool_name\":\"Bash\"}",
    "{\"tool_name\":\"Bash\",\"tool_input\":\"ls\"}",
    "{\"tool_name\":\"Bash\",\"tool_input\":{}}",
    "{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":[\"ls\"]}}",
    "{\"tool_name\":\"Write\",\"tool_input\":{\"content\":\"x\"}}",
    "{\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":7}}",
    "{\"cwd\":7,\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}",
    "{\"cwd\":\"/does/not/exist\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      ask (hook, "claude", inputs[i]);
      assert_failed (hook, DENIED);
    }
  ask (hook, "codex", CLAUDE ("apply_patch", "{\"command\":\"*** Begin Patch\"}"));
  assert_failed (hook, DENIED);
  g_assert_cmpuint (hook->gateway.hellos, ==, 0);
}

static void
test_long_input (Hook *hook, gconstpointer data)
{
  g_autofree char *long_text = g_strnfill (AGENT_HOOK_MAX_INPUT, 'x');
  g_autofree char *input =
      g_strdup_printf ("{\"cwd\":\"@\",\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":"
                       "\"@/a\",\"content\":\"%s\"}}",
                       long_text);

  ask (hook, "claude", input);
  assert_failed (hook, DENIED);
}

static void
test_no_gateway (Hook *hook, gconstpointer data)
{
  static const struct
  {
    const char *dialect;
    const char *input;
    const char *decision;
  } calls[] = {
    { "claude", CLAUDE ("Bash", "{\"command\":\"ls\"}"), DENIED },
    { "claude", CLAUDE ("Read", "{\"file_path\":\"@/a.c\"}"), DENIED },
    { "codex", CLAUDE ("Bash", "{\"command\":\"ls\"}"), DENIED },
    { "gemini", CLAUDE ("run_shell_command", "{\"command\":\"ls\"}"), "\"decision\":\"deny\"" },
    { "cursor", "{\"command\":\"ls\",\"cwd\":\"@\"}", "\"permission\":\"deny\"" },
  };

  hook->gateway.refuse_hello = PERFICA_WIRE_CODE_NO_BOARD;
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      ask (hook, calls[i].dialect, calls[i].input);
      assert_failed (hook, calls[i].decision);
    }
  fake_gateway_stop (&hook->gateway);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      ask (hook, calls[i].dialect, calls[i].input);
      assert_failed (hook, calls[i].decision);
    }
}

static void
test_usage (Hook *hook, gconstpointer data)
{
  ask (hook, "nobody", "{}");
  g_assert_cmpint (hook->code, ==, AGENT_EXIT_USAGE);
  g_assert_nonnull (strstr (hook->err, "claude|codex|gemini|cursor"));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (Hook *, gconstpointer);
  } tests[] = {
    { "/agent/hook/cases", test_cases },
    { "/agent/hook/again", test_again },
    { "/agent/hook/tools", test_tools },
    { "/agent/hook/loops", test_loops },
    { "/agent/hook/unconfirmed", test_unconfirmed },
    { "/agent/hook/bad-input", test_bad_input },
    { "/agent/hook/long-input", test_long_input },
    { "/agent/hook/no-gateway", test_no_gateway },
    { "/agent/hook/usage", test_usage },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Hook, NULL, set_up, tests[i].run, tear_down);
  return g_test_run ();
}
