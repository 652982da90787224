/* perfica-agent mcp as a process, against a gateway that answers as told.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "fake-gateway.h"

#define RPC "{\"jsonrpc\":\"2.0\","

typedef struct
{
  FakeGateway gateway;
  GSubprocess *process;
  GOutputStream *in;
  GDataInputStream *out;
} Fixture;

static void
put (Fixture *f, const char *line)
{
  g_autofree char *whole = g_strconcat (line, "\n", NULL);

  g_assert_true (g_output_stream_write_all (f->in, whole, strlen (whole), NULL, NULL, NULL));
}

static void
got_line (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* The next line it writes; NULL at its end. */
static char *
get (Fixture *f)
{
  g_autoptr (GAsyncResult) result = NULL;

  g_data_input_stream_read_line_async (f->out, G_PRIORITY_DEFAULT, NULL, got_line, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return g_data_input_stream_read_line_finish (f->out, result, NULL, NULL);
}

static void
expect (Fixture *f, const char *line, const char *part)
{
  g_autofree char *answer = NULL;

  put (f, line);
  answer = get (f);
  if (answer == NULL || strstr (answer, part) == NULL)
    g_error ("%s\n  answered %s\n  wanted %s", line, answer, part);
}

static void
start (Fixture *f, const char *const *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();

  g_ptr_array_add (argv, (char *) fake_gateway_agent ());
  g_ptr_array_add (argv, (char *) "mcp");
  for (; arguments != NULL && *arguments != NULL; arguments++)
    g_ptr_array_add (argv, (char *) *arguments);
  g_ptr_array_add (argv, NULL);
  f->process =
      g_subprocess_newv ((const char *const *) argv->pdata,
                         G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  f->in = g_subprocess_get_stdin_pipe (f->process);
  f->out = g_data_input_stream_new (g_subprocess_get_stdout_pipe (f->process));
}

static void
set_up (Fixture *f, gconstpointer listen)
{
  fake_gateway_init (&f->gateway);
  if (GPOINTER_TO_INT (listen))
    fake_gateway_listen (&f->gateway);
  start (f, NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  /* It ends by itself once its input does. */
  g_output_stream_close (f->in, NULL, NULL);
  g_subprocess_wait (f->process, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (f->process));
  g_assert_cmpint (g_subprocess_get_exit_status (f->process), ==, 0);
  g_object_unref (f->out);
  g_object_unref (f->process);
  fake_gateway_clear (&f->gateway);
}

static void
initialize (Fixture *f)
{
  expect (f,
          RPC "\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
              "\"capabilities\":{},\"clientInfo\":{\"name\":\"tester\",\"version\":\"3\"}}}",
          "\"protocolVersion\":\"2025-06-18\"");
  put (f, RPC "\"method\":\"notifications/initialized\"}");
}

static char *
call_line (int id, const char *command)
{
  return g_strdup_printf (RPC "\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
                              "\"run_command\",\"arguments\":{\"command\":\"%s\"}}}",
                          id, command);
}

static void
expect_call (Fixture *f, int id, const char *command, const char *part)
{
  g_autofree char *line = call_line (id, command);

  expect (f, line, part);
}

static const struct
{
  const char *command;
  const char *parts[5];
} outcomes[] = {
  { "exit 0",
    { "Exit code 0, 1.234 s.", "stdout:\\nout 0", "\"exit_code\":0", "\"isError\":false" } },
  { "exit 7", { "Exit code 7", "stderr:\\nerr 7", "\"exit_code\":7", "\"isError\":false" } },
  { "signal 11", { "Ended by signal 11", "\"signal\":11", "\"outcome\":\"ran\"" } },
  { "big",
    { "first\\n[... 1000000 bytes left out ...]\\nlast",
      "The whole output is in .perfica/outputs/7.log", "\"output_file\"" } },
  { "outcome limit",
    { "Stopped at the time limit", "It ran for 120.000 s; the limit is 120 s",
      "\"outcome\":\"limit\"", "\"isError\":true" } },
  { "outcome cancelled", { "cancelled it", "\"outcome\":\"cancelled\"", "\"isError\":true" } },
  { "outcome refused",
    { "Refused by Perfica's rules", "Instead: echo instead", "Run in terminal",
      "\"outcome\":\"refused\"", "\"isError\":true" } },
  { "outcome no-tool",
    { "isn't among your tools", "\"outcome\":\"no-tool\"", "\"isError\":true" } },
  { "outcome denied",
    { "Denied by the person", "word of the gateway: denied", "\"outcome\":\"denied\"",
      "\"isError\":true" } },
  { "outcome nobody", { "nobody answered", "\"outcome\":\"nobody\"", "\"isError\":true" } },
  { "outcome no-window", { "no Perfica window", "\"outcome\":\"no-window\"", "\"isError\":true" } },
  { "outcome unconfined",
    { "could not be confined", "\"outcome\":\"unconfined\"", "\"isError\":true" } },
  { "outcome agent-gone", { "\"outcome\":\"agent-gone\"", "\"isError\":true" } },
  { "outcome gateway-stopped",
    { "gateway stopped", "\"outcome\":\"gateway-stopped\"", "\"isError\":true" } },
  { "outcome lost", { "isn't known", "\"outcome\":\"lost\"", "\"isError\":true" } },
  { "outcome not-attached",
    { "hasn't confirmed", "\"outcome\":\"not-attached\"", "\"isError\":true" } },
  { "outcome error", { "could not run it", "\"outcome\":\"error\"", "\"isError\":true" } },
  { "outcome of-tomorrow", { "\"outcome\":\"error\"", "\"isError\":true" } },
  { "fail -32004", { "failed so", "\"outcome\":\"busy\"", "\"isError\":true" } },
  { "fail -32008", { "failed so", "\"outcome\":\"turned-away\"", "\"isError\":true" } },
  { "fail -32603", { "failed so", "\"outcome\":\"error\"", "\"isError\":true" } },
  { "drop", { "Activity", "\"outcome\":\"lost\"", "\"isError\":true" } },
};

static void
test_outcomes (Fixture *f, gconstpointer data)
{
  initialize (f);
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    {
      g_autofree char *line = call_line ((int) i + 10, outcomes[i].command);
      g_autofree char *id = g_strdup_printf ("\"id\":%d,", i + 10);
      g_autofree char *answer = NULL;

      put (f, line);
      answer = get (f);
      g_assert_nonnull (strstr (answer, id));
      for (guint j = 0; j < 5 && outcomes[i].parts[j] != NULL; j++)
        if (strstr (answer, outcomes[i].parts[j]) == NULL)
          g_error ("%s\n  answered %s\n  wanted %s", line, answer, outcomes[i].parts[j]);
    }
  g_assert_cmpstr (f->gateway.last_client, ==, "tester");
  /* Attached once, and again after the gateway dropped the connection: not for each call. */
  expect_call (f, 99, "exit 0", "\"exit_code\":0");
  g_assert_cmpuint (f->gateway.hellos, ==, 2);
}

static void
test_absent_then_there (Fixture *f, gconstpointer data)
{
  initialize (f);
  expect (f, RPC "\"id\":1,\"method\":\"tools/list\"}", "\"run_command\"");
  expect_call (f, 2, "exit 0", "Perfica isn't running");
  fake_gateway_listen (&f->gateway);
  expect_call (f, 3, "exit 0", "\"exit_code\":0");
  fake_gateway_stop (&f->gateway);
  expect_call (f, 4, "exit 0", "Perfica isn't running");
  fake_gateway_listen (&f->gateway);
  expect_call (f, 5, "exit 3", "\"exit_code\":3");
}

static void
test_no_board (Fixture *f, gconstpointer data)
{
  initialize (f);
  f->gateway.refuse_hello = PERFICA_WIRE_CODE_NO_BUBBLE;
  expect_call (f, 1, "exit 0", "\"outcome\":\"no-board\"");
  expect_call (f, 2, "exit 0", "hello refused");
  f->gateway.refuse_hello = PERFICA_WIRE_CODE_VERSION;
  expect_call (f, 3, "exit 0", "different versions");
  f->gateway.refuse_hello = 0;
  expect_call (f, 4, "exit 0", "\"exit_code\":0");
}

static void
test_tools_by_the_bubble (Fixture *f, gconstpointer data)
{
  f->gateway.no_run = TRUE;
  initialize (f);
  expect (f, RPC "\"id\":1,\"method\":\"tools/list\"}", "\"tools\":[]");
}

static void
test_cancel (Fixture *f, gconstpointer data)
{
  g_autofree char *line = call_line (7, "ask");

  initialize (f);
  put (f, line);
  /* An answer in between: the call has reached the gateway. */
  expect_call (f, 8, "exit 0", "\"id\":8");
  put (f, RPC "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}");
  while (f->gateway.cancels == 0)
    g_main_context_iteration (NULL, TRUE);
  /* The cancelled call gets no answer: the next line is the ping's. */
  expect (f, RPC "\"id\":9,\"method\":\"ping\"}", "\"id\":9");
  expect_call (f, 7, "exit 0", "\"id\":7");
}

static void
test_progress (Fixture *f, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *foreign G_GNUC_UNUSED = NULL;

  initialize (f);
  put (f, RPC "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"run_command\",\"_meta\":"
              "{\"progressToken\":\"tok\"},\"arguments\":{\"command\":\"ask\"}}}");
  first = get (f);
  g_assert_nonnull (strstr (first, "\"method\":\"notifications/progress\""));
  g_assert_nonnull (strstr (first, "\"progressToken\":\"tok\""));
  g_assert_nonnull (strstr (first, "Waiting for the person's answer"));
  g_assert_nonnull (strstr (first, "\"progress\":1,"));
  second = get (f);
  g_assert_nonnull (strstr (second, "notifications/progress"));
  g_assert_null (strstr (second, "\"progress\":1,"));
}

static void
test_same_id_twice (Fixture *f, gconstpointer data)
{
  g_autofree char *line = call_line (1, "ask");

  initialize (f);
  put (f, line);
  expect (f, line, "-32600");
}

static void
test_modern (Fixture *f, gconstpointer data)
{
#define META                                                                                       \
  "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                         \
  "\"io.modelcontextprotocol/clientCapabilities\":{},\"io.modelcontextprotocol/clientInfo\":"      \
  "{\"name\":\"newer\",\"version\":\"1\"}}"
  expect (f, RPC "\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}",
          "\"supportedVersions\"");
  expect (f, RPC "\"id\":2,\"method\":\"tools/list\",\"params\":{" META "}}",
          "\"resultType\":\"complete\"");
  expect (f,
          RPC "\"id\":3,\"method\":\"tools/call\",\"params\":{" META ",\"name\":\"run_command\","
              "\"arguments\":{\"command\":\"exit 0\"}}}",
          "\"resultType\":\"complete\"");
  g_assert_cmpstr (f->gateway.last_client, ==, "newer");
  /* A client that tries the new era first, then the old one (seen with Claude Code). */
  initialize (f);
  expect (f, RPC "\"id\":4,\"method\":\"tools/list\"}", "\"run_command\"");
#undef META
}

static void
test_garbage (Fixture *f, gconstpointer data)
{
  g_autofree char *piece = g_strnfill (1 << 20, 'x');
  g_autofree char *answer = NULL;
  char nul[] = "{\"a\":\0}\n";

  initialize (f);
  expect (f, "nonsense", "-32700");
  expect (f, "{}", "-32600");
  g_output_stream_write_all (f->in, nul, sizeof nul - 1, NULL, NULL, NULL);
  answer = get (f);
  g_assert_nonnull (strstr (answer, "-32700"));
  g_clear_pointer (&answer, g_free);
  put (f, "");
  for (int i = 0; i < 8; i++)
    g_output_stream_write_all (f->in, piece, strlen (piece), NULL, NULL, NULL);
  put (f, "");
  answer = get (f);
  g_assert_nonnull (strstr (answer, "too long"));
  expect (f, RPC "\"id\":9,\"method\":\"ping\"}", "\"id\":9");
}

static void
test_arguments (void)
{
  const char *const arguments[] = { "--board", "B", "--bubble", "N", "--role", "reviewer", NULL };
  g_autofree char *here = g_get_current_dir ();
  Fixture f;

  fake_gateway_init (&f.gateway);
  fake_gateway_listen (&f.gateway);
  start (&f, arguments);
  initialize (&f);
  expect_call (&f, 1, "exit 0", "\"exit_code\":0");
  g_assert_cmpstr (f.gateway.last_board, ==, "B");
  g_assert_cmpstr (f.gateway.last_bubble, ==, "N");
  g_assert_cmpstr (f.gateway.last_role, ==, "reviewer");
  g_assert_cmpstr (f.gateway.last_folder, ==, here);
  tear_down (&f, NULL);
}

/* Its own reader going away ends it too, with a command under way. */
static void
test_end_while_running (Fixture *f, gconstpointer data)
{
  g_autofree char *line = call_line (1, "ask");

  initialize (f);
  put (f, line);
  expect_call (f, 2, "exit 0", "\"id\":2");
}

#define ADD(name, listen, function)                                                                \
  g_test_add ("/agent/mcp/" name, Fixture, GINT_TO_POINTER (listen), set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  ADD ("outcomes", 1, test_outcomes);
  ADD ("absent-then-there", 0, test_absent_then_there);
  ADD ("no-board", 1, test_no_board);
  ADD ("tools-by-the-bubble", 1, test_tools_by_the_bubble);
  ADD ("cancel", 1, test_cancel);
  ADD ("progress", 1, test_progress);
  ADD ("same-id-twice", 1, test_same_id_twice);
  ADD ("modern", 1, test_modern);
  ADD ("garbage", 1, test_garbage);
  ADD ("end-while-running", 1, test_end_while_running);
  g_test_add_func ("/agent/mcp/arguments", test_arguments);
  return g_test_run ();
}
