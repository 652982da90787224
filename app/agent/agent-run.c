/* perfica-agent run: one command through the whole journey, as if it had been run here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-commands.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "agent-result.h"

typedef struct
{
  GMainLoop *loop;
  GCancellable *cancellable;
  guint64 streamed[2];
  int exit_code;
  gboolean asks;
  gboolean done;
} Runner;

static void
on_state (const PerficaWireState *state, gpointer user_data)
{
  Runner *runner = user_data;
  gboolean asks = state->state == PERFICA_WIRE_STATE_ASKING;

  if (asks && !runner->asks && isatty (STDERR_FILENO))
    agent_complain (_ ("waiting for the person's answer in Perfica"));
  runner->asks = asks;
}

static void
on_output (const PerficaWireOutput *output, gpointer user_data)
{
  Runner *runner = user_data;
  gsize length;
  const char *data = g_bytes_get_data (output->data, &length);

  runner->streamed[output->is_stderr] += length;
  /* Like any program whose reader went away. */
  if (!agent_write_all (output->is_stderr ? STDERR_FILENO : STDOUT_FILENO, data, length))
    g_cancellable_cancel (runner->cancellable);
}

/* What the gateway didn't stream. Returns how many bytes are left out. */
static guint64
write_rest (int fd, guint64 streamed, guint64 total, const char *head, const char *tail)
{
  gsize shown = (head != NULL ? strlen (head) : 0) + (tail != NULL ? strlen (tail) : 0);

  if (streamed > 0)
    return total > streamed ? total - streamed : 0;
  if (head != NULL)
    agent_write_all (fd, head, strlen (head));
  if (tail == NULL)
    return 0;
  agent_write_all (fd, tail, strlen (tail));
  return total > shown ? total - shown : 0;
}

static void
write_outputs (Runner *runner, const PerficaWireResult *result)
{
  guint64 left_out = write_rest (STDOUT_FILENO, runner->streamed[0], result->stdout_total,
                                 result->stdout_head, result->stdout_tail) +
                     write_rest (STDERR_FILENO, runner->streamed[1], result->stderr_total,
                                 result->stderr_head, result->stderr_tail);
  g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, left_out);
  g_autofree char *message = NULL;

  if (left_out == 0)
    return;
  message = result->output_path != NULL
                ? g_strdup_printf (_ ("%s bytes of its output are left out here; %s has them."),
                                   count, result->output_path)
                : g_strdup_printf (_ ("%s bytes of its output are left out here."), count);
  agent_complain (message);
}

static void
finish (Runner *runner, const PerficaWireResult *result)
{
  write_outputs (runner, result);
  runner->exit_code = agent_exit_from_outcome (result->outcome);
  if (runner->exit_code >= 0)
    {
      g_autofree char *reason = agent_result_reason (result);

      agent_complain (reason);
      return;
    }
  runner->exit_code =
      result->signal_number != 0 ? 128 + result->signal_number : MAX (result->exit_code, 0);
  if (result->message != NULL && *result->message != '\0')
    agent_complain (result->message);
}

static void
run_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Runner *runner = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (PerficaWireMessage) message =
      agent_client_run_finish (AGENT_CLIENT (source), result, &error);

  if (message != NULL)
    finish (runner, message->result);
  else
    {
      runner->exit_code = agent_exit_from_error (error);
      agent_complain (error->message);
    }
  runner->done = TRUE;
  g_main_loop_quit (runner->loop);
}

static gboolean
on_interrupt (gpointer user_data)
{
  Runner *runner = user_data;

  /* The second time without waiting for the gateway. */
  if (g_cancellable_is_cancelled (runner->cancellable))
    {
      runner->exit_code = AGENT_EXIT_CANCELLED;
      g_main_loop_quit (runner->loop);
    }
  g_cancellable_cancel (runner->cancellable);
  return G_SOURCE_CONTINUE;
}

static int
run_command (const AgentIdentity *identity, const PerficaWireRun *run)
{
  Runner runner = { .exit_code = AGENT_EXIT_ERROR };
  AgentClient *client = agent_client_new (identity);

  runner.loop = g_main_loop_new (NULL, FALSE);
  runner.cancellable = g_cancellable_new ();
  g_unix_signal_add (SIGINT, on_interrupt, &runner);
  g_unix_signal_add (SIGTERM, on_interrupt, &runner);
  g_unix_signal_add (SIGHUP, on_interrupt, &runner);
  agent_client_run_async (client, run, runner.cancellable, on_state, on_output, run_done, &runner);
  if (!runner.done)
    g_main_loop_run (runner.loop);
  if (!runner.done)
    {
      int code = runner.exit_code;

      agent_client_close (client);
      while (!runner.done)
        g_main_context_iteration (NULL, TRUE);
      runner.exit_code = code;
    }
  agent_client_close (client);
  g_object_unref (client);
  g_object_unref (runner.cancellable);
  g_main_loop_unref (runner.loop);
  return runner.exit_code;
}

static char *
exit_code_help (void)
{
  return g_strdup_printf (
      _ ("COMMAND in one word is shell text; several words are taken as they are.\n"
         "\n"
         "Exit codes: the command's own, or 128 and the signal that ended it. When it did not\n"
         "simply run, a line on standard error says why, and the code is\n"
         "  %d  refused by the rules          %d  stopped at the time limit\n"
         "  %d  no \"Run commands\" tool        %d  cancelled\n"
         "  %d  denied by the person          %d  the gateway stopped\n"
         "  %d  nobody answered in time       %d  lost: how it ended isn't known\n"
         "  %d  no window to ask in           %d  an error of Perfica's\n"
         "  %d  could not be confined         %d  Perfica isn't running\n"
         "  %d  not confirmed in the window   %d  no board or bubble fits\n"
         "  %d  different versions            %d  turned away\n"
         "  %d  too much at a time            %d  wrong usage"),
      AGENT_EXIT_REFUSED, AGENT_EXIT_LIMIT, AGENT_EXIT_NO_TOOL, AGENT_EXIT_CANCELLED,
      AGENT_EXIT_DENIED, AGENT_EXIT_GATEWAY_STOPPED, AGENT_EXIT_NOBODY, AGENT_EXIT_LOST,
      AGENT_EXIT_NO_WINDOW, AGENT_EXIT_ERROR, AGENT_EXIT_UNCONFINED, AGENT_EXIT_NOT_RUNNING,
      AGENT_EXIT_NOT_ATTACHED, AGENT_EXIT_NO_BOARD, AGENT_EXIT_VERSION, AGENT_EXIT_TURNED_AWAY,
      AGENT_EXIT_BUSY, AGENT_EXIT_USAGE);
}

int
agent_run_main (int argc, char **argv)
{
  g_auto (AgentIdentity) identity = { 0 };
  g_autofree char *folder = NULL;
  g_auto (GStrv) words = NULL;
  g_autofree char *command = NULL;
  g_autofree char *help = exit_code_help ();
  int timeout = 0;
  GOptionEntry entries[] = {
    { "board", 'b', 0, G_OPTION_ARG_STRING, &identity.board,
      N_ ("The board, by name or folder (default: the one around the folder)"), N_ ("BOARD") },
    { "bubble", 'n', 0, G_OPTION_ARG_STRING, &identity.bubble,
      N_ ("The bubble to run it as (default: the only one that fits)"), N_ ("NAME") },
    { "role", 'r', 0, G_OPTION_ARG_STRING, &identity.role,
      N_ ("Narrow the bubble's role: coder, reviewer or researcher"), N_ ("ROLE") },
    { "client", 0, 0, G_OPTION_ARG_STRING, &identity.client,
      N_ ("Who it is run for, as the window shows it (default: perfica-agent run)"), N_ ("NAME") },
    { "folder", 'C', 0, G_OPTION_ARG_FILENAME, &folder,
      N_ ("Where it starts (default: the working folder)"), N_ ("FOLDER") },
    { "timeout", 't', 0, G_OPTION_ARG_INT, &timeout,
      N_ ("Stop it after so many seconds, if that is sooner than Perfica's limit"),
      N_ ("SECONDS") },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words, NULL,
      N_ ("[--] COMMAND [ARGUMENT…]") },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  PerficaWireRun run = { .stream = TRUE };

  g_option_context_set_summary (context,
                                _ ("Runs a command the way an agent's commands run: read, asked "
                                   "about, confined and recorded by Perfica."));
  g_option_context_set_description (context, help);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!agent_parse_options (context, TRUE, argc, argv))
    return AGENT_EXIT_USAGE;
  command = agent_join_words (words);
  if (command == NULL || strlen (command) > PERFICA_WIRE_MAX_COMMAND || timeout < 0 ||
      timeout > PERFICA_WIRE_MAX_TIMEOUT)
    {
      agent_complain (command == NULL
                          ? _ ("There is no command, or it isn't text in UTF-8; see --help.")
                      : timeout < 0 || timeout > PERFICA_WIRE_MAX_TIMEOUT
                          ? _ ("The time limit must be between 1 second and a day.")
                          : _ ("The command is too long."));
      return AGENT_EXIT_USAGE;
    }
  if (identity.client == NULL || *identity.client == '\0')
    {
      g_free (identity.client);
      identity.client = g_strdup ("perfica-agent run");
    }
  identity.version = g_strdup (PERFICA_VERSION);
  identity.folder = agent_folder (folder);
  if (identity.folder == NULL)
    return AGENT_EXIT_USAGE;
  run.command = command;
  run.folder = identity.folder;
  run.timeout_seconds = (guint) timeout;
  return run_command (&identity, &run);
}
