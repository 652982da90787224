/* perfica-agent status: is the gateway up, which boards, who is attached.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-commands.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "perfica-json.h"

typedef struct
{
  PerficaWireMessage *message;
  GError *error;
} Asked;

static void
status_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Asked *asked = user_data;

  asked->message = agent_client_status_finish (AGENT_CLIENT (source), result, &asked->error);
}

static void
write_board (PerficaJsonWriter *w, const PerficaWireBoard *board)
{
  perfica_json_writer_open (w, NULL, '{');
  perfica_json_writer_string (w, "name", board->name);
  perfica_json_writer_string (w, "folder", board->folder);
  perfica_json_writer_int (w, "waiting", board->waiting);
  perfica_json_writer_boolean (w, "full_auto", board->full_auto);
  perfica_json_writer_boolean (w, "sandbox", board->sandbox);
  perfica_json_writer_open (w, "bubbles", '[');
  for (guint i = 0; i < board->bubbles->len; i++)
    {
      const PerficaWireBubble *bubble = board->bubbles->pdata[i];

      perfica_json_writer_open (w, NULL, '{');
      perfica_json_writer_string (w, "name", bubble->name);
      perfica_json_writer_string (w, "role", bubble->role);
      perfica_json_writer_string (w, "loop", bubble->loop);
      perfica_json_writer_close (w, '}');
    }
  perfica_json_writer_close (w, ']');
  perfica_json_writer_close (w, '}');
}

static char *
status_json (const PerficaWireStatus *status)
{
  PerficaJsonWriter w;

  perfica_json_writer_init (&w);
  perfica_json_writer_open (&w, NULL, '{');
  perfica_json_writer_boolean (&w, "gateway", TRUE);
  perfica_json_writer_string (&w, "version", status->version);
  perfica_json_writer_int (&w, "running", status->running);
  perfica_json_writer_open (&w, "boards", '[');
  for (guint i = 0; i < status->boards->len; i++)
    write_board (&w, status->boards->pdata[i]);
  perfica_json_writer_close (&w, ']');
  perfica_json_writer_open (&w, "attached", '[');
  for (guint i = 0; i < status->clients->len; i++)
    {
      const PerficaWireClient *client = status->clients->pdata[i];

      perfica_json_writer_open (&w, NULL, '{');
      perfica_json_writer_string (&w, "client", client->client);
      perfica_json_writer_int (&w, "pid", client->pid);
      perfica_json_writer_string (&w, "board", client->board);
      perfica_json_writer_string (&w, "bubble", client->bubble);
      perfica_json_writer_boolean (&w, "confirmed", client->confirmed);
      perfica_json_writer_close (&w, '}');
    }
  perfica_json_writer_close (&w, ']');
  perfica_json_writer_close (&w, '}');
  g_string_append_c (w.text, '\n');
  return perfica_json_writer_end (&w);
}

static char *
status_text (const PerficaWireStatus *status)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, _ ("Perfica %s answers. Commands that run now: %u\n"),
                          status->version, status->running);
  for (guint i = 0; i < status->boards->len; i++)
    {
      const PerficaWireBoard *board = status->boards->pdata[i];

      g_string_append_printf (text, _ ("Board %s in %s\n"), board->name, board->folder);
      g_string_append_printf (text, _ ("  Full Auto: %s. Sandbox: %s. Waiting: %u\n"),
                              board->full_auto ? _ ("on") : _ ("off"),
                              board->sandbox ? _ ("on") : _ ("off"), board->waiting);
      for (guint j = 0; j < board->bubbles->len; j++)
        {
          const PerficaWireBubble *bubble = board->bubbles->pdata[j];

          g_string_append_printf (text, _ ("  Bubble %s: %s in %s\n"), bubble->name, bubble->role,
                                  bubble->loop);
        }
    }
  for (guint i = 0; i < status->clients->len; i++)
    {
      const PerficaWireClient *client = status->clients->pdata[i];
      g_autofree char *pid = g_strdup_printf ("%" G_GINT64_FORMAT, client->pid);

      g_string_append_printf (text, _ ("Attached: %s (process %s) as %s on %s%s\n"), client->client,
                              pid, client->bubble != NULL ? client->bubble : "?",
                              client->board != NULL ? client->board : "?",
                              client->confirmed ? "" : _ (", not confirmed yet"));
    }
  return g_string_free (text, FALSE);
}

static int
show (const Asked *asked, gboolean json)
{
  g_autofree char *text = NULL;

  if (asked->message != NULL)
    {
      text = json ? status_json (asked->message->status) : status_text (asked->message->status);
      return agent_write_all (STDOUT_FILENO, text, strlen (text)) ? AGENT_EXIT_OK
                                                                  : AGENT_EXIT_FAILED;
    }
  if (json)
    {
      PerficaJsonWriter w;

      perfica_json_writer_init (&w);
      perfica_json_writer_open (&w, NULL, '{');
      perfica_json_writer_boolean (&w, "gateway", FALSE);
      perfica_json_writer_string (&w, "message", asked->error->message);
      perfica_json_writer_close (&w, '}');
      g_string_append_c (w.text, '\n');
      text = perfica_json_writer_end (&w);
      agent_write_all (STDOUT_FILENO, text, strlen (text));
    }
  else
    agent_complain (asked->error->message);
  return agent_exit_from_error (asked->error);
}

int
agent_status_main (int argc, char **argv)
{
  gboolean json = FALSE;
  GOptionEntry entries[] = {
    { "json", 'j', 0, G_OPTION_ARG_NONE, &json, N_ ("Print JSON"), NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  AgentIdentity identity = { .client = (char *) "perfica-agent status" };
  g_autoptr (AgentClient) client = NULL;
  Asked asked = { 0 };
  int code;

  g_option_context_set_summary (
      context, _ ("Says whether Perfica's gateway answers, which boards it has and who is "
                  "attached."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!agent_parse_options (context, TRUE, argc, argv))
    return AGENT_EXIT_USAGE;
  client = agent_client_new (&identity);
  agent_client_status_async (client, status_done, &asked);
  while (asked.message == NULL && asked.error == NULL)
    g_main_context_iteration (NULL, TRUE);
  code = show (&asked, json);
  agent_client_close (client);
  g_clear_pointer (&asked.message, perfica_wire_message_unref);
  g_clear_error (&asked.error);
  return code;
}
