/* perfica-agent mcp: a server on standard input and output.
 *
 * Its words are for agents and stay English: main() sets no locale for this command.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-commands.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "agent-mcp-message.h"
#include "perfica-wire-reader.h"

/* Clients give up after 60 s of silence (seen with opencode). */
#define PROGRESS_SECONDS 5
/* An agent runs a few commands at once; the gateway has its own limit. */
#define MAX_CALLS 32

typedef struct
{
  GMainLoop *loop;
  AgentClient *client;
  PerficaWireReader *reader;
  GHashTable *calls; /* id as JSON to Call, those that still want an answer */
  gboolean initialized;
} Server;

typedef struct
{
  Server *server;
  char *id;
  gboolean modern;
  char *token;
  gint64 began;
  gint64 progress;
  guint timer;
  PerficaWireRunState state;
  gint64 deadline; /* monotonic, 0 = none */
  GCancellable *cancellable;
} Call;

/* A tools/list that waits for the gateway's word. */
typedef struct
{
  Server *server;
  AgentMcpMessage *request;
} Listing;

static void
say (Server *server, char *line)
{
  g_autofree char *owned = line;
  g_autofree char *whole = g_strconcat (owned, "\n", NULL);

  if (agent_write_all (STDOUT_FILENO, whole, strlen (whole)))
    return;
  g_main_loop_quit (server->loop);
}

static void
call_free (Call *call)
{
  g_clear_handle_id (&call->timer, g_source_remove);
  g_clear_object (&call->cancellable);
  g_free (call->id);
  g_free (call->token);
  g_free (call);
}

static char *
progress_message (Call *call)
{
  gint64 left =
      call->deadline != 0 ? (call->deadline - g_get_monotonic_time ()) / G_USEC_PER_SEC : -1;

  if (call->state == PERFICA_WIRE_STATE_ASKING && left >= 0)
    return g_strdup_printf ("Waiting for the person's answer, %d s left", (int) left);
  if (call->state == PERFICA_WIRE_STATE_ASKING)
    return g_strdup ("Waiting for the person's answer");
  if (call->state == PERFICA_WIRE_STATE_RUNNING)
    return g_strdup ("Running");
  return g_strdup ("Reading the command");
}

static gboolean
report_progress (gpointer user_data)
{
  Call *call = user_data;
  g_autofree char *message = progress_message (call);
  gint64 seconds = (g_get_monotonic_time () - call->began) / G_USEC_PER_SEC;

  /* The protocol wants it to grow each time. */
  call->progress = MAX (call->progress + 1, seconds);
  say (call->server, agent_mcp_encode_progress (call->token, call->progress, message));
  return G_SOURCE_CONTINUE;
}

static void
on_state (const PerficaWireState *state, gpointer user_data)
{
  Call *call = user_data;
  gboolean asks = state->state == PERFICA_WIRE_STATE_ASKING && call->state != state->state;

  call->state = state->state;
  call->deadline =
      state->remaining_ms >= 0 ? g_get_monotonic_time () + state->remaining_ms * 1000 : 0;
  if (asks && call->timer != 0)
    report_progress (call);
}

static const char *
error_outcome (const GError *error)
{
  if (error->domain != AGENT_ERROR)
    return "error";
  switch ((AgentError) error->code)
    {
    case AGENT_ERROR_NOT_RUNNING:
      return "not-running";
    case AGENT_ERROR_SILENT:
      return "silent";
    case AGENT_ERROR_LOST:
      return "lost";
    case AGENT_ERROR_BOARD:
      return "no-board";
    case AGENT_ERROR_VERSION:
      return "version";
    case AGENT_ERROR_TURNED_AWAY:
      return "turned-away";
    case AGENT_ERROR_BUSY:
      return "busy";
    case AGENT_ERROR_CANCELLED:
      return "cancelled";
    case AGENT_ERROR_GATEWAY:
      break;
    }
  return "error";
}

static void
call_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (PerficaWireMessage) message =
      agent_client_run_finish (AGENT_CLIENT (source), result, &error);

  /* A cancelled one gets no answer. */
  if (!g_cancellable_is_cancelled (call->cancellable))
    {
      if (message != NULL)
        say (call->server, agent_mcp_encode_result (call->id, call->modern, message->result));
      else
        say (call->server, agent_mcp_encode_problem (call->id, call->modern, error_outcome (error),
                                                     error->message));
      g_hash_table_remove (call->server->calls, call->id);
    }
  call_free (call);
}

static void
call_tool (Server *server, AgentMcpMessage *request)
{
  Call *call;

  if (request->argument_error != NULL)
    {
      say (server, agent_mcp_encode_problem (request->id, request->modern, "bad-arguments",
                                             request->argument_error));
      return;
    }
  if (g_hash_table_contains (server->calls, request->id))
    {
      say (server, agent_mcp_encode_error (request->id, -32600, "this id is in use"));
      return;
    }
  if (g_hash_table_size (server->calls) >= MAX_CALLS)
    {
      say (server, agent_mcp_encode_problem (request->id, request->modern, "busy",
                                             "Too many commands at a time; wait for some to end."));
      return;
    }
  call = g_new0 (Call, 1);
  call->server = server;
  call->id = g_strdup (request->id);
  call->modern = request->modern;
  call->token = g_strdup (request->progress_token);
  call->began = g_get_monotonic_time ();
  call->cancellable = g_cancellable_new ();
  if (call->token != NULL)
    call->timer = g_timeout_add_seconds (PROGRESS_SECONDS, report_progress, call);
  g_hash_table_insert (server->calls, call->id, call);
  agent_client_run_async (server->client, &request->run, call->cancellable, on_state, NULL,
                          call_done, call);
}

static void
cancel_call (Server *server, const char *id)
{
  Call *call = g_hash_table_lookup (server->calls, id);

  if (call == NULL)
    return;
  g_hash_table_remove (server->calls, id);
  g_clear_handle_id (&call->timer, g_source_remove);
  g_cancellable_cancel (call->cancellable);
}

static void
list_tools (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Listing *listing = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (PerficaWireMessage) hello =
      agent_client_hello_finish (AGENT_CLIENT (source), result, &error);
  gboolean can_run = TRUE;

  /* Not attached yet: the tool is listed, and calling it says what to do. */
  if (hello != NULL)
    can_run = g_strv_contains ((const char *const *) hello->hello_reply->tools, "run");
  say (listing->server, agent_mcp_encode_tools (listing->request, can_run, hello != NULL));
  agent_mcp_message_free (listing->request);
  g_free (listing);
}

/* Takes @message. */
static void
answer (Server *server, AgentMcpMessage *message)
{
  g_autoptr (AgentMcpMessage) owned = message;
  Listing *listing;

  agent_client_set_name (server->client, message->client_name, message->client_version);
  switch (message->kind)
    {
    case AGENT_MCP_INITIALIZE:
      server->initialized = TRUE;
      say (server, agent_mcp_encode_initialize (message));
      break;
    case AGENT_MCP_DISCOVER:
      say (server, agent_mcp_encode_discover (message));
      break;
    case AGENT_MCP_PING:
      say (server, agent_mcp_encode_pong (message));
      break;
    case AGENT_MCP_TOOLS_LIST:
      listing = g_new0 (Listing, 1);
      listing->server = server;
      listing->request = g_steal_pointer (&owned);
      agent_client_hello_async (server->client, list_tools, listing);
      break;
    case AGENT_MCP_TOOLS_CALL:
      call_tool (server, message);
      break;
    case AGENT_MCP_CANCELLED:
      cancel_call (server, message->cancelled_id);
      break;
    case AGENT_MCP_IGNORED:
      break;
    }
}

static void
take_bytes (Server *server, const char *data, gsize length)
{
  const char *line;
  gsize line_length;
  PerficaWireRead got;

  while ((got = perfica_wire_reader_next (server->reader, &data, &length, &line, &line_length)) !=
         PERFICA_WIRE_READ_MORE)
    {
      AgentMcpMessage *message;
      char *failure = NULL;

      if (got == PERFICA_WIRE_READ_TOO_LONG)
        {
          say (server, agent_mcp_encode_error ("null", -32700, "the line is too long"));
          continue;
        }
      if (line_length == 0)
        continue;
      message = agent_mcp_decode (line, line_length, server->initialized, &failure);
      if (message != NULL)
        answer (server, message);
      else if (failure != NULL)
        say (server, failure);
    }
}

static gboolean
on_input (int fd, GIOCondition condition, gpointer user_data)
{
  Server *server = user_data;
  char buffer[16384];
  gssize n = read (fd, buffer, sizeof buffer);

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return G_SOURCE_CONTINUE;
  if (n <= 0)
    {
      /* The client is gone; so is everything it asked for. */
      g_main_loop_quit (server->loop);
      return G_SOURCE_REMOVE;
    }
  take_bytes (server, buffer, (gsize) n);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_end (gpointer user_data)
{
  g_main_loop_quit (((Server *) user_data)->loop);
  return G_SOURCE_CONTINUE;
}

static void
serve (const AgentIdentity *identity)
{
  Server server = { 0 };
  GHashTableIter iter;
  Call *call;

  server.loop = g_main_loop_new (NULL, FALSE);
  server.client = agent_client_new (identity);
  server.reader = perfica_wire_reader_new (AGENT_MCP_MAX_LINE);
  server.calls = g_hash_table_new (g_str_hash, g_str_equal);
  g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP | G_IO_ERR, on_input, &server);
  g_unix_signal_add (SIGTERM, on_end, &server);
  g_unix_signal_add (SIGINT, on_end, &server);
  g_main_loop_run (server.loop);

  /* Nobody listens any more; the gateway stops what runs when the connection ends. */
  g_hash_table_iter_init (&iter, server.calls);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &call))
    g_cancellable_cancel (call->cancellable);
  g_hash_table_remove_all (server.calls);
  agent_client_close (server.client);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (server.client);
  perfica_wire_reader_free (server.reader);
  g_hash_table_unref (server.calls);
  g_main_loop_unref (server.loop);
}

int
agent_mcp_main (int argc, char **argv)
{
  g_auto (AgentIdentity) identity = { 0 };
  GOptionEntry entries[] = {
    { "board", 'b', 0, G_OPTION_ARG_STRING, &identity.board,
      N_ ("The board, by name or folder (default: the one around the working folder)"),
      N_ ("BOARD") },
    { "bubble", 'n', 0, G_OPTION_ARG_STRING, &identity.bubble,
      N_ ("The bubble to attach as (default: the only one that fits)"), N_ ("NAME") },
    { "role", 'r', 0, G_OPTION_ARG_STRING, &identity.role,
      N_ ("Narrow the bubble's role: coder, reviewer or researcher"), N_ ("ROLE") },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (
      context, _ ("Serves the bubble's tools over the Model Context Protocol on standard input and "
                  "output. Agents start it; perfica-agent connect prints how."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!agent_parse_options (context, TRUE, argc, argv))
    return AGENT_EXIT_USAGE;
  identity.client = g_strdup ("perfica-agent mcp");
  identity.version = g_strdup (PERFICA_VERSION);
  identity.folder = agent_folder (NULL);
  if (identity.folder == NULL)
    return AGENT_EXIT_USAGE;
  serve (&identity);
  return AGENT_EXIT_OK;
}
