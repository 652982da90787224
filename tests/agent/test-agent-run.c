/* perfica-agent run, status and connect as processes: exit codes and what goes where.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <signal.h>
#include <string.h>

#include "agent-commands.h"
#include "fake-gateway.h"

typedef struct
{
  int code;
  char *out;
  char *err;
} Ended;

static void
ended_clear (Ended *ended)
{
  g_free (ended->out);
  g_free (ended->err);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ended, ended_clear)

static void
communicated (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Ended *ended = user_data;
  g_autoptr (GError) error = NULL;

  g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result, &ended->out, &ended->err,
                                        &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (G_SUBPROCESS (source)));
  ended->code = g_subprocess_get_exit_status (G_SUBPROCESS (source));
}

static GSubprocess *
begin (const char *const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  g_ptr_array_add (argv, (char *) fake_gateway_agent ());
  for (; *arguments != NULL; arguments++)
    g_ptr_array_add (argv, (char *) *arguments);
  g_ptr_array_add (argv, NULL);
  process =
      g_subprocess_newv ((const char *const *) argv->pdata,
                         G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  g_assert_no_error (error);
  return process;
}

static void
end (GSubprocess *process, Ended *ended)
{
  ended->code = -1;
  g_subprocess_communicate_utf8_async (process, NULL, NULL, communicated, ended);
  while (ended->code < 0)
    g_main_context_iteration (NULL, TRUE);
  g_object_unref (process);
}

static void
run_agent (Ended *ended, const char *const *arguments)
{
  end (begin (arguments), ended);
}

#define RUN(ended, ...) run_agent (ended, (const char *const[]){ __VA_ARGS__, NULL })

static const struct
{
  const char *command;
  int code;
  const char *out;
  const char *err; /* a part of it; NULL: it stays empty */
} cases[] = {
  { "exit 0", 0, "out 0\n", "err 0\n" },
  { "exit 7", 7, "out 7\n", "err 7\n" },
  { "exit 255", 255, "out 255\n", "err 255\n" },
  { "signal 9", 137, "", NULL },
  { "stream", 0, "one\ntwo\n", "problem\n" },
  { "gap", 0, "one\n", "1000 bytes of its output are left out here; .perfica/outputs/7.log" },
  { "big", 0, "firstlast", "1000000 bytes of its output are left out here" },
  { "outcome refused", AGENT_EXIT_REFUSED, "", "Instead: echo instead" },
  { "outcome no-tool", AGENT_EXIT_NO_TOOL, "", "tools" },
  { "outcome denied", AGENT_EXIT_DENIED, "", "Denied by the person" },
  { "outcome nobody", AGENT_EXIT_NOBODY, "", "nobody answered" },
  { "outcome no-window", AGENT_EXIT_NO_WINDOW, "", "no Perfica window" },
  { "outcome unconfined", AGENT_EXIT_UNCONFINED, "", "could not be confined" },
  { "outcome not-attached", AGENT_EXIT_NOT_ATTACHED, "", "hasn't confirmed" },
  { "outcome limit", AGENT_EXIT_LIMIT, "", "time limit" },
  { "outcome cancelled", AGENT_EXIT_CANCELLED, "", "cancelled" },
  { "outcome gateway-stopped", AGENT_EXIT_GATEWAY_STOPPED, "", "gateway stopped" },
  { "outcome lost", AGENT_EXIT_LOST, "", "isn't known" },
  { "outcome agent-gone", AGENT_EXIT_LOST, "", "connection" },
  { "outcome error", AGENT_EXIT_ERROR, "", "word of the gateway" },
  { "fail -32004", AGENT_EXIT_BUSY, "", "failed so" },
  { "fail -32603", AGENT_EXIT_ERROR, "", "failed so" },
  { "drop", AGENT_EXIT_LOST, "", "Activity" },
};

static void
test_run (void)
{
  FakeGateway gateway;

  fake_gateway_init (&gateway);
  fake_gateway_listen (&gateway);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Ended) ended = { 0 };

      RUN (&ended, "run", "--", cases[i].command);
      if (ended.code != cases[i].code)
        g_error ("%s: exit code %d, %s", cases[i].command, ended.code, ended.err);
      g_assert_cmpstr (ended.out, ==, cases[i].out);
      if (cases[i].err == NULL)
        g_assert_cmpstr (ended.err, ==, "");
      else
        g_assert_nonnull (strstr (ended.err, cases[i].err));
    }
  fake_gateway_clear (&gateway);
}

/* Every outcome has a code of its own; only two ways of losing a command share one. */
static void
test_codes_are_distinct (void)
{
  guint seen[256] = { 0 };

  for (int i = PERFICA_OUTCOME_LIMIT; i <= PERFICA_OUTCOME_ERROR; i++)
    {
      int code = agent_exit_from_outcome ((PerficaOutcome) i);

      g_assert_cmpint (code, >=, 100);
      g_assert_cmpint (code, <, 128);
      if (i != PERFICA_OUTCOME_AGENT_GONE)
        g_assert_cmpuint (seen[code]++, ==, 0);
    }
  g_assert_cmpint (agent_exit_from_outcome (PERFICA_OUTCOME_RAN), ==, -1);
}

static void
test_words (void)
{
  FakeGateway gateway;
  g_autofree char *here = g_get_current_dir ();
  static const struct
  {
    const char *words[5];
    const char *command;
  } lines[] = {
    { { "run", "--", "echo $HOME | cat" }, "echo $HOME | cat" },
    { { "run", "echo $HOME" }, "echo $HOME" },
    { { "run", "--", "echo", "$HOME", "it's" }, "'echo' '$HOME' 'it'\\''s'" },
    { { "run", "ls", "--all", "--", "-x" }, "'ls' '--all' '--' '-x'" },
    { { "run", "--", "ls", "--help" }, "'ls' '--help'" },
  };

  fake_gateway_init (&gateway);
  fake_gateway_listen (&gateway);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (Ended) ended = { 0 };
      const char *argv[6] = { 0 };
      g_autofree char *wanted = g_strdup_printf ("%s\n%s\n", lines[i].command, here);

      memcpy (argv, lines[i].words, sizeof lines[i].words);
      run_agent (&ended, argv);
      g_assert_cmpstr (ended.out, ==, wanted);
      g_assert_cmpint (ended.code, ==, 0);
    }
  fake_gateway_clear (&gateway);
}

static void
test_usage (void)
{
  static const struct
  {
    const char *words[4];
    int code;
  } lines[] = {
    { { "run" }, AGENT_EXIT_USAGE },
    { { "run", "--" }, AGENT_EXIT_USAGE },
    { { "run", "--nonsense", "ls" }, AGENT_EXIT_USAGE },
    { { "run", "--timeout=-1", "ls" }, AGENT_EXIT_USAGE },
    { { "run", "--folder=/does/not/exist", "ls" }, AGENT_EXIT_USAGE },
    { { "run", "--", "\xff" }, AGENT_EXIT_USAGE },
    { { "run", "ls" }, AGENT_EXIT_NOT_RUNNING },
    { { "status" }, AGENT_EXIT_NOT_RUNNING },
    { { "nonsense" }, AGENT_EXIT_USAGE },
    { { "--help" }, AGENT_EXIT_OK },
    { { "run", "--help" }, AGENT_EXIT_OK },
    { { "--version" }, AGENT_EXIT_OK },
    { { "connect" }, AGENT_EXIT_USAGE },
    { { "connect", "word" }, AGENT_EXIT_USAGE },
  };
  FakeGateway gateway;

  fake_gateway_init (&gateway);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (Ended) ended = { 0 };

      run_agent (&ended, lines[i].words);
      if (ended.code != lines[i].code)
        g_error ("%s %s: exit code %d", lines[i].words[0], lines[i].words[1], ended.code);
      /* Said in exactly one place. */
      g_assert_cmpint (*ended.out == '\0', !=, *ended.err == '\0');
    }
  fake_gateway_clear (&gateway);
}

static void
test_interrupt (void)
{
  FakeGateway gateway;
  g_auto (Ended) ended = { 0 };
  GSubprocess *process;

  fake_gateway_init (&gateway);
  fake_gateway_listen (&gateway);
  process = begin ((const char *const[]){ "run", "ask", NULL });
  while (gateway.hellos == 0)
    g_main_context_iteration (NULL, TRUE);
  g_subprocess_send_signal (process, SIGINT);
  end (process, &ended);
  g_assert_cmpint (ended.code, ==, AGENT_EXIT_CANCELLED);
  fake_gateway_clear (&gateway);
}

static void
test_status (void)
{
  FakeGateway gateway;
  g_auto (Ended) text = { 0 };
  g_auto (Ended) json = { 0 };

  fake_gateway_init (&gateway);
  fake_gateway_listen (&gateway);
  RUN (&text, "status");
  g_assert_cmpint (text.code, ==, 0);
  g_assert_nonnull (strstr (text.out, "Perfica 9.9 answers. Commands that run now: 4"));
  g_assert_nonnull (strstr (text.out, "codex (process 42) as Bubble on Board, not confirmed yet"));
  RUN (&json, "status", "--json");
  g_assert_cmpint (json.code, ==, 0);
  g_assert_nonnull (strstr (json.out, "\"gateway\":true"));
  g_assert_nonnull (strstr (json.out, "\"pid\":42"));
  /* It asks without attaching. */
  g_assert_cmpuint (gateway.hellos, ==, 0);
  fake_gateway_clear (&gateway);
}

static void
test_connect (void)
{
  static const char *const clients[] = {
    "claude", "codex", "gemini", "cursor", "opencode", "vscode"
  };

  for (guint i = 0; i < G_N_ELEMENTS (clients); i++)
    {
      g_auto (Ended) ended = { 0 };

      RUN (&ended, "connect", clients[i], "--bubble", "a \"b\"");
      g_assert_cmpint (ended.code, ==, 0);
      g_assert_nonnull (strstr (ended.out, "perfica-agent\""));
      g_assert_nonnull (strstr (ended.out, "\"a \\\"b\\\"\""));
      g_assert_nonnull (strstr (ended.err, "add this to"));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/run/run", test_run);
  g_test_add_func ("/agent/run/codes-are-distinct", test_codes_are_distinct);
  g_test_add_func ("/agent/run/words", test_words);
  g_test_add_func ("/agent/run/usage", test_usage);
  g_test_add_func ("/agent/run/interrupt", test_interrupt);
  g_test_add_func ("/agent/run/status", test_status);
  g_test_add_func ("/agent/run/connect", test_connect);
  return g_test_run ();
}
