/* One connection at the door: what it asks and what it is told.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-door-client.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "perfica-attachment-private.h"
#include "perfica-board-folder.h"
#include "perfica-board-private.h"
#include "perfica-door-held.h"
#include "perfica-door.h"
#include "perfica-gateway-private.h"
#include "perfica-journey.h"
#include "perfica-origin.h"

/* Commands whose output a client doesn't read as fast as it comes are held back while so much waits
 * for it. */
#define HOLD_STREAMED (1024 * 1024)
/* At its end a held command's last output comes at once; what would wait beyond this isn't streamed
 * any more. The answer counts it, the file has it. */
#define MAX_STREAMED (4 * 1024 * 1024)

/* As many as the window asks about (perfica-application.c). */
#define MAX_OPENING 16

struct _PerficaDoorClient
{
  GObject parent_instance;
  PerficaGateway *gateway;
  PerficaWireConnection *connection;
  PerficaAttachment *attachment;
  PerficaTools tools;
  GHashTable *runs;      /* wire id -> PerficaRequest */
  PerficaDoorHeld *held; /* runs that wait until the person has confirmed it */
  guint opening;         /* folders that are looked at */
  pid_t pid;
  char *starter; /* (nullable) */
  char *origin;  /* of this connection; NULL before its hello */
  guint timer;
};

G_DEFINE_FINAL_TYPE (PerficaDoorClient, perfica_door_client, G_TYPE_OBJECT)

static guint closed_signal;

static void
fail (PerficaDoorClient *self, gint64 id, int code, const char *message)
{
  perfica_wire_connection_send (self->connection, perfica_wire_encode_failure (id, code, message));
}

/* A run of this connection: which wire id its request has. */
typedef struct
{
  PerficaDoorClient *client;
  gint64 id;
  gboolean stream;
} Run;

static void
run_free (gpointer data, GClosure *closure)
{
  Run *run = data;

  g_object_unref (run->client);
  g_free (run);
}

static void
tell_state (PerficaRequest *request, GParamSpec *pspec, Run *run)
{
  gint64 until = 0;
  PerficaWireRunState state;

  switch (request->state)
    {
    case PERFICA_STATE_READING:
      state = PERFICA_WIRE_STATE_READING;
      break;
    case PERFICA_STATE_ASKING:
      state = PERFICA_WIRE_STATE_ASKING;
      until = request->deadline;
      break;
    case PERFICA_STATE_STARTING:
      state = PERFICA_WIRE_STATE_STARTING;
      break;
    case PERFICA_STATE_RUNNING:
      state = PERFICA_WIRE_STATE_RUNNING;
      until = request->limit_end;
      break;
    case PERFICA_STATE_DONE:
    default:
      return;
    }
  perfica_wire_connection_send (
      run->client->connection,
      perfica_wire_encode_state (
          run->id, state, until > 0 ? MAX (0, (until - g_get_monotonic_time ()) / 1000) : -1));
}

/* A clock that is paused or goes on; the states themselves say the rest. */
static void
tell_deadline (PerficaRequest *request, GParamSpec *pspec, Run *run)
{
  if (request->state == PERFICA_STATE_ASKING)
    tell_state (request, pspec, run);
}

static void
tell_output (PerficaRequest *request, gboolean is_stderr, GBytes *data, Run *run)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (data, &length);

  if (!run->stream || perfica_wire_connection_is_closed (run->client->connection))
    return;
  while (length > 0 && perfica_wire_connection_get_queued (run->client->connection) < MAX_STREAMED)
    {
      gsize part = MIN (length, PERFICA_WIRE_MAX_OUTPUT);

      perfica_wire_connection_send (run->client->connection,
                                    perfica_wire_encode_output (run->id, is_stderr, bytes, part));
      bytes += part;
      length -= part;
    }
  if (perfica_wire_connection_get_queued (run->client->connection) >= HOLD_STREAMED)
    sandbox_valve_set_open (request->valve, FALSE);
}

/* The client has read everything, or never will. */
static void
let_go (PerficaDoorClient *self)
{
  g_autoptr (GList) requests = g_hash_table_get_values (self->runs);

  for (GList *at = requests; at; at = at->next)
    sandbox_valve_set_open (((PerficaRequest *) at->data)->valve, TRUE);
}

static void
tell_result (PerficaRequest *request, Run *run)
{
  PerficaDoorClient *self = run->client;
  gint64 id = run->id;

  perfica_wire_connection_send (self->connection, perfica_wire_encode_result (id, request->result));
  g_hash_table_remove (self->runs, &id);
}

static void
start_run (PerficaWireMessage *message, gpointer data)
{
  PerficaDoorClient *self = data;
  const PerficaWireRun *asked = message->run;
  PerficaRequest *request =
      perfica_request_new (self->gateway, perfica_attachment_get_board (self->attachment),
                           perfica_attachment_get_bubble (self->attachment), self->tools,
                           asked->command, asked->folder, asked->timeout_seconds);
  Run *run = g_new0 (Run, 1);

  request->client = g_strdup (self->origin);
  run->client = g_object_ref (self);
  run->id = message->id;
  run->stream = asked->stream;
  g_hash_table_insert (self->runs, g_memdup2 (&message->id, sizeof message->id), request);
  g_signal_connect_data (request, "done", G_CALLBACK (tell_result), run, run_free, 0);
  g_signal_connect (request, "notify::state", G_CALLBACK (tell_state), run);
  g_signal_connect (request, "notify::deadline", G_CALLBACK (tell_deadline), run);
  g_signal_connect (request, "output", G_CALLBACK (tell_output), run);
  perfica_journey_start (request);
}

/* It never got as far as a request, and isn't recorded: who isn't confirmed writes no rows. */
static void
drop_run (gint64 id, PerficaOutcome outcome, gpointer data)
{
  PerficaDoorClient *self = data;
  g_autoptr (PerficaWireResult) result = NULL;

  if (outcome == PERFICA_OUTCOME_GATEWAY_STOPPED)
    {
      fail (self, id, PERFICA_WIRE_CODE_STOPPED, perfica_journey_get_advice (outcome));
      return;
    }
  result = perfica_wire_result_new (outcome);
  result->exit_code = -1;
  result->message = g_strdup (perfica_journey_get_advice (outcome));
  perfica_wire_connection_send (self->connection, perfica_wire_encode_result (id, result));
}

/* The client waits for the window as it would for a prompt; with no window nobody could answer. */
static void
hold_run (PerficaDoorClient *self, PerficaWireMessage *message)
{
  guint seconds = perfica_gateway_get_prompt_limit (self->gateway);

  if (!perfica_gateway_get_window_open (self->gateway))
    {
      drop_run (message->id, PERFICA_OUTCOME_NOT_ATTACHED, self);
      return;
    }
  perfica_door_held_add (self->held, message, seconds);
  perfica_wire_connection_send (
      self->connection, perfica_wire_encode_state (message->id, PERFICA_WIRE_STATE_ASKING,
                                                   seconds > 0 ? (gint64) seconds * 1000 : -1));
}

static void
handle_run (PerficaDoorClient *self, PerficaWireMessage *message)
{
  gint64 id = message->id;

  if (!self->attachment)
    fail (self, id, PERFICA_WIRE_CODE_NO_HELLO, _ ("Say hello first."));
  else if (g_hash_table_contains (self->runs, &id) || perfica_door_held_contains (self->held, id))
    fail (self, id, PERFICA_WIRE_CODE_INVALID, _ ("A request with this id runs already."));
  else if (g_hash_table_size (self->runs) + perfica_door_held_get_size (self->held) >=
           PERFICA_MAX_RUNS)
    fail (self, id, PERFICA_WIRE_CODE_BUSY, _ ("Too many commands at one time; wait for one."));
  else if (!perfica_attachment_get_confirmed (self->attachment))
    hold_run (self, message);
  else
    start_run (message, self);
}

static void
was_confirmed (PerficaDoorClient *self)
{
  if (self->attachment && perfica_attachment_get_confirmed (self->attachment))
    perfica_door_held_start_all (self->held);
}

static void
window_changed (PerficaDoorClient *self)
{
  if (!perfica_gateway_get_window_open (self->gateway))
    perfica_door_held_drop_all (self->held, PERFICA_OUTCOME_NOT_ATTACHED);
}

static PerficaBoard *
find_board (PerficaDoorClient *self, const PerficaWireHello *hello, const char *folder)
{
  GListModel *boards = perfica_gateway_get_boards (self->gateway);

  if (!hello->board)
    return perfica_store_find_board (perfica_gateway_get_store (self->gateway), folder);
  for (guint i = 0; i < g_list_model_get_n_items (boards); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (boards, i);

      if (g_str_equal (perfica_board_get_name (board), hello->board) ||
          g_str_equal (perfica_board_get_folder (board), hello->board))
        return board; /* the store keeps it alive */
    }
  return NULL;
}

/* How well a bubble's loop fits a folder: the innermost around it best, else one inside it. */
static int
fit (PerficaBubble *bubble, const char *relative)
{
  const char *loop = perfica_loop_get_folder (perfica_bubble_get_loop (bubble));

  if (!relative)
    return 1;
  if (perfica_board_folder_contains (loop, relative))
    return g_str_equal (loop, ".") ? 2 : 2 + (int) strlen (loop);
  return perfica_board_folder_contains (relative, loop) ? 1 : 0;
}

/* The bubble that was named, or the only one that fits; else NULL and a list of what there is. */
static PerficaBubble *
find_bubble (PerficaBoard *board, const char *name, const char *relative, char **list)
{
  GListModel *bubbles = perfica_board_get_bubbles (board);
  g_autoptr (GString) names = g_string_new (NULL);
  PerficaBubble *found = NULL;
  int best = 0, n_best = 0;

  if (name && (found = perfica_board_find_bubble (board, name)))
    return found;
  for (guint i = 0; i < g_list_model_get_n_items (bubbles); i++)
    {
      g_autoptr (PerficaBubble) bubble = g_list_model_get_item (bubbles, i);
      int fits = fit (bubble, relative);

      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                              perfica_bubble_get_name (bubble));
      if (fits > best)
        {
          best = fits;
          n_best = 0;
        }
      if (fits == best && fits > 0 && ++n_best == 1)
        found = bubble;
    }
  if (!name && n_best == 1)
    return found;
  *list = g_string_free (g_steal_pointer (&names), FALSE);
  return NULL;
}

static void
turned_away (PerficaDoorClient *self)
{
  fail (self, 0, PERFICA_WIRE_CODE_TURNED_AWAY,
        _ ("The person turned this agent away in Perfica's window."));
  perfica_wire_connection_finish (self->connection);
}

/* Room for one more: one that nobody confirmed and that has gone makes way. */
static gboolean
make_room (GListStore *attachments)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (attachments));

  if (n < PERFICA_MAX_ATTACHMENTS)
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (PerficaAttachment) old = g_list_model_get_item (G_LIST_MODEL (attachments), i);

      if (perfica_attachment_get_connected (old))
        continue;
      g_list_store_remove (attachments, i);
      return TRUE;
    }
  return FALSE;
}

/* Returns: (transfer full) (nullable) */
static PerficaAttachment *
find_attachment (PerficaDoorClient *self,
                 PerficaBoard *board,
                 PerficaBubble *bubble,
                 const PerficaWireHello *hello)
{
  GListStore *attachments = perfica_gateway_get_attachment_store (self->gateway);
  g_autofree char *program = perfica_origin_program ("/proc", self->pid);
  g_autofree char *key = perfica_attachment_make_key (board, bubble, program, hello->client);
  PerficaAttachment *fresh;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (attachments)); i++)
    {
      g_autoptr (PerficaAttachment) old = g_list_model_get_item (G_LIST_MODEL (attachments), i);

      if (g_str_equal (perfica_attachment_get_key (old), key) &&
          perfica_attachment_get_bubble (old) == bubble)
        return g_steal_pointer (&old);
    }
  if (!make_room (attachments))
    return NULL;
  fresh = perfica_attachment_new (board, bubble, program, self->starter, hello->client, self->pid,
                                  hello->folder);
  if (perfica_bubble_knows_client (bubble, program, hello->client))
    perfica_attachment_set_confirmed (fresh);
  g_signal_connect_object (fresh, "turned-away", G_CALLBACK (perfica_gateway_turn_away),
                           self->gateway, G_CONNECT_SWAPPED);
  g_signal_connect_object (fresh, "expired", G_CALLBACK (perfica_gateway_forget_attachment),
                           self->gateway, G_CONNECT_SWAPPED);
  g_signal_connect_object (fresh, "confirmed", G_CALLBACK (perfica_gateway_forget_attachment),
                           self->gateway, G_CONNECT_SWAPPED);
  g_list_store_append (attachments, fresh);
  return fresh;
}

static void
answer_hello (PerficaDoorClient *self, gint64 id, PerficaRole role)
{
  PerficaBoard *board = perfica_attachment_get_board (self->attachment);
  PerficaBubble *bubble = perfica_attachment_get_bubble (self->attachment);
  PerficaLoop *loop = perfica_bubble_get_loop (bubble);
  g_auto (GStrv) loops = perfica_gateway_list_owned (self->gateway, board, loop, NULL);
  const char *tools[4] = { NULL };
  guint n = 0;
  PerficaWireHelloReply reply = {
    .protocol = PERFICA_WIRE_VERSION,
    .board = (char *) perfica_board_get_name (board),
    .board_folder = (char *) perfica_board_get_folder (board),
    .bubble = (char *) perfica_bubble_get_name (bubble),
    .role = (char *) perfica_role_to_string (role),
    .loop = (char *) perfica_loop_get_folder (loop),
    .loops = loops,
    .tools = (char **) tools,
    .attached = perfica_attachment_get_confirmed (self->attachment),
    .sandbox = perfica_board_get_sandbox_active (board),
  };

  if (self->tools & PERFICA_TOOL_READ)
    tools[n++] = "read";
  if (self->tools & PERFICA_TOOL_WRITE)
    tools[n++] = "write";
  if (self->tools & PERFICA_TOOL_RUN)
    tools[n++] = "run";
  perfica_wire_connection_send (self->connection, perfica_wire_encode_hello_reply (id, &reply));
}

static void
attach (PerficaDoorClient *self,
        gint64 id,
        PerficaBoard *board,
        PerficaBubble *bubble,
        const PerficaWireHello *hello)
{
  PerficaRole role = perfica_bubble_get_role (bubble);
  g_autoptr (PerficaAttachment) attachment = NULL;

  self->tools = perfica_bubble_get_tools (bubble);
  if (hello->role)
    {
      PerficaRole narrower;

      if (!perfica_role_from_string (hello->role, &narrower) || narrower == PERFICA_ROLE_CUSTOM)
        {
          fail (self, id, PERFICA_WIRE_CODE_BAD_PARAMS,
                _ ("The role is one of coder, reviewer, researcher."));
          return;
        }
      if ((self->tools & perfica_role_get_tools (narrower)) != self->tools)
        role = narrower;
      self->tools &= perfica_role_get_tools (narrower);
    }
  attachment = find_attachment (self, board, bubble, hello);
  if (!attachment)
    {
      fail (self, id, PERFICA_WIRE_CODE_BUSY, _ ("Too many agents wait to be confirmed."));
      return;
    }
  if (perfica_gateway_is_turned_away (self->gateway, perfica_attachment_get_key (attachment)))
    {
      turned_away (self);
      return;
    }
  g_clear_handle_id (&self->timer, g_source_remove);
  self->attachment = g_steal_pointer (&attachment);
  g_signal_connect_object (self->attachment, "turned-away", G_CALLBACK (turned_away), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->attachment, "notify::confirmed", G_CALLBACK (was_confirmed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->gateway, "notify::window-open", G_CALLBACK (window_changed), self,
                           G_CONNECT_SWAPPED);
  perfica_attachment_connect (self->attachment, self->pid, self->starter);
  self->origin = g_strdup (perfica_attachment_get_program (self->attachment));
  answer_hello (self, id, role);
}

/* By its words alone: looking at a folder that an agent names could block on a dead mount.
 * perfica-agent sends the physical path, as a board's is. */
static void
handle_hello (PerficaDoorClient *self, gint64 id, const PerficaWireHello *hello)
{
  const char *problem = perfica_gateway_get_store_problem (self->gateway);
  g_autofree char *relative = NULL;
  g_autofree char *list = NULL;
  g_autofree char *message = NULL;
  g_autofree char *folder = g_canonicalize_filename (hello->folder, "/");
  PerficaBoard *board;
  PerficaBubble *bubble;

  if (self->attachment)
    fail (self, id, PERFICA_WIRE_CODE_NO_HELLO, _ ("Hello was said already."));
  else if (problem)
    fail (self, id, PERFICA_WIRE_CODE_NO_BOARD, problem);
  else if (!g_path_is_absolute (hello->folder))
    fail (self, id, PERFICA_WIRE_CODE_BAD_PARAMS, _ ("The agent's folder must be a whole path."));
  else if (!(board = find_board (self, hello, folder)))
    fail (self, id, PERFICA_WIRE_CODE_NO_BOARD,
          _ ("There is no board for this folder: the person opens it in Perfica's window."));
  else
    {
      relative = perfica_board_folder_relative (perfica_board_get_folder (board), folder);
      bubble = find_bubble (board, hello->bubble, relative, &list);
      if (bubble)
        {
          attach (self, id, board, bubble, hello);
          return;
        }
      message = *list ? g_strdup_printf (_ ("Name one of the board's bubbles: %s."), list)
                      : g_strdup (_ ("The board has no bubble yet: the person makes one in "
                                     "Perfica's window."));
      fail (self, id, PERFICA_WIRE_CODE_NO_BUBBLE, message);
    }
}

static PerficaWireBoard *
board_status (PerficaBoard *board)
{
  PerficaWireBoard *status =
      perfica_wire_board_new (perfica_board_get_name (board), perfica_board_get_folder (board));
  GListModel *bubbles = perfica_board_get_bubbles (board);

  status->waiting = perfica_board_get_waiting (board);
  status->full_auto = perfica_board_get_full_auto (board);
  status->sandbox = perfica_board_get_sandbox_active (board);
  for (guint i = 0; i < g_list_model_get_n_items (bubbles); i++)
    {
      g_autoptr (PerficaBubble) bubble = g_list_model_get_item (bubbles, i);

      g_ptr_array_add (
          status->bubbles,
          perfica_wire_bubble_new (perfica_bubble_get_name (bubble),
                                   perfica_role_to_string (perfica_bubble_get_role (bubble)),
                                   perfica_loop_get_folder (perfica_bubble_get_loop (bubble))));
    }
  return status;
}

static void
handle_status (PerficaDoorClient *self, gint64 id)
{
  g_autoptr (PerficaWireStatus) status = perfica_wire_status_new ();
  GListModel *boards = perfica_gateway_get_boards (self->gateway);
  GListModel *attachments = perfica_gateway_get_attachments (self->gateway);

  g_free (status->version);
  status->version = g_strdup (PERFICA_VERSION);
  status->running = perfica_gateway_get_running (self->gateway);
  for (guint i = 0; i < g_list_model_get_n_items (boards); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (boards, i);

      g_ptr_array_add (status->boards, board_status (board));
    }
  for (guint i = 0; i < g_list_model_get_n_items (attachments); i++)
    {
      g_autoptr (PerficaAttachment) one = g_list_model_get_item (attachments, i);

      g_ptr_array_add (status->clients,
                       perfica_wire_client_new (
                           perfica_attachment_get_program (one), perfica_attachment_get_pid (one),
                           perfica_board_get_name (perfica_attachment_get_board (one)),
                           perfica_bubble_get_name (perfica_attachment_get_bubble (one)),
                           perfica_attachment_get_confirmed (one)));
    }
  perfica_wire_connection_send (self->connection, perfica_wire_encode_status (id, status));
}

/* A folder that somebody wants opened, looked at on a worker. */
typedef struct
{
  gint64 id;
  char *folder;
} Opening;

static void
opening_free (gpointer data)
{
  g_free (((Opening *) data)->folder);
  g_free (data);
}

static void
check_folder (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  PerficaDoorClient *self = source;
  GError *error = NULL;
  char *path = perfica_board_folder_check (((Opening *) data)->folder,
                                           perfica_gateway_get_paths (self->gateway), &error);

  if (path)
    g_task_return_pointer (task, path, g_free);
  else
    g_task_return_error (task, error);
}

/* The window asks the person; nothing is opened here. */
static void
was_checked (GObject *source, GAsyncResult *result, gpointer data)
{
  PerficaDoorClient *self = PERFICA_DOOR_CLIENT (source);
  const Opening *opening = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *name = path ? g_path_get_basename (path) : NULL;

  self->opening--;
  if (perfica_wire_connection_is_closed (self->connection))
    return;
  if (!path)
    {
      fail (self, opening->id, PERFICA_WIRE_CODE_FOLDER, error->message);
      return;
    }
  perfica_gateway_request_folder (self->gateway, path);
  perfica_wire_connection_send (self->connection, perfica_wire_encode_opened (opening->id, name));
}

static void
handle_open_folder (PerficaDoorClient *self, gint64 id, const char *folder)
{
  g_autoptr (GTask) task = NULL;
  Opening *opening;

  if (!folder)
    {
      perfica_gateway_request_folder (self->gateway, NULL);
      perfica_wire_connection_send (self->connection, perfica_wire_encode_opened (id, ""));
      return;
    }
  if (self->opening >= MAX_OPENING)
    {
      fail (self, id, PERFICA_WIRE_CODE_BUSY, _ ("Too many folders at one time."));
      return;
    }
  self->opening++;
  opening = g_new0 (Opening, 1);
  opening->id = id;
  opening->folder = g_strdup (folder);
  task = g_task_new (self, NULL, was_checked, NULL);
  g_task_set_task_data (task, opening, opening_free);
  g_task_run_in_thread (task, check_folder);
}

static void
has_message (PerficaDoorClient *self, PerficaWireMessage *message)
{
  PerficaRequest *request;

  if (perfica_gateway_is_stopping (self->gateway) && message->id > 0)
    {
      fail (self, message->id, PERFICA_WIRE_CODE_STOPPED,
            perfica_journey_get_advice (PERFICA_OUTCOME_GATEWAY_STOPPED));
      return;
    }
  switch (message->type)
    {
    case PERFICA_WIRE_HELLO:
      handle_hello (self, message->id, message->hello);
      break;
    case PERFICA_WIRE_RUN:
      handle_run (self, message);
      break;
    case PERFICA_WIRE_CANCEL:
      request = g_hash_table_lookup (self->runs, &message->cancel->request);
      if (request)
        perfica_journey_end (request, PERFICA_OUTCOME_CANCELLED);
      else
        perfica_door_held_drop (self->held, message->cancel->request, PERFICA_OUTCOME_CANCELLED);
      break;
    case PERFICA_WIRE_STATUS:
      handle_status (self, message->id);
      break;
    case PERFICA_WIRE_OPEN_FOLDER:
      handle_open_folder (self, message->id, message->ask->folder);
      break;
    default:
      fail (self, message->id, PERFICA_WIRE_CODE_UNKNOWN_METHOD, _ ("There is no such method."));
    }
}

static void
detach (PerficaDoorClient *self)
{
  if (!self->attachment)
    return;
  perfica_attachment_disconnect (self->attachment);
  /* One that waits for the person stays, so that a client of a moment can be confirmed too. */
  if (perfica_attachment_get_confirmed (self->attachment))
    perfica_gateway_forget_attachment (self->gateway, self->attachment);
  g_clear_object (&self->attachment);
}

static void
was_closed (PerficaDoorClient *self)
{
  g_autoptr (PerficaDoorClient) held G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GList) requests = g_hash_table_get_values (self->runs);

  g_clear_handle_id (&self->timer, g_source_remove);
  let_go (self);
  for (GList *at = requests; at; at = at->next)
    g_object_ref (at->data);
  for (GList *at = requests; at; at = at->next)
    {
      perfica_journey_end (at->data, PERFICA_OUTCOME_AGENT_GONE);
      g_object_unref (at->data);
    }
  perfica_door_held_drop_all (self->held, PERFICA_OUTCOME_AGENT_GONE);
  detach (self);
  g_signal_emit (self, closed_signal, 0);
}

static gboolean
is_silent (gpointer data)
{
  PerficaDoorClient *self = data;

  self->timer = 0;
  fail (self, 0, PERFICA_WIRE_CODE_NO_HELLO, _ ("No hello came in time."));
  perfica_wire_connection_finish (self->connection);
  return G_SOURCE_REMOVE;
}

static void
perfica_door_client_finalize (GObject *object)
{
  PerficaDoorClient *self = PERFICA_DOOR_CLIENT (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_free (self->starter);
  g_free (self->origin);
  g_clear_object (&self->connection);
  g_clear_object (&self->attachment);
  g_hash_table_unref (self->runs);
  perfica_door_held_free (self->held);
  g_clear_object (&self->gateway);
  G_OBJECT_CLASS (perfica_door_client_parent_class)->finalize (object);
}

static void
perfica_door_client_class_init (PerficaDoorClientClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = perfica_door_client_finalize;
  closed_signal = g_signal_new ("closed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 0);
}

static void
perfica_door_client_init (PerficaDoorClient *self)
{
  self->runs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
  self->held = perfica_door_held_new (start_run, drop_run, self);
}

PerficaDoorClient *
perfica_door_client_new (PerficaGateway *gateway, GSocketConnection *stream, pid_t pid)
{
  PerficaDoorClient *self = g_object_new (PERFICA_TYPE_DOOR_CLIENT, NULL);

  self->gateway = g_object_ref (gateway);
  self->pid = pid;
  /* Now, while it most likely still is there. */
  self->starter = perfica_origin_starter ("/proc", pid);
  self->connection = perfica_wire_connection_new (G_IO_STREAM (stream), PERFICA_WIRE_SIDE_GATEWAY);
  self->timer =
      g_timeout_add_seconds (perfica_gateway_get_limits (gateway)->hello_seconds, is_silent, self);
  g_signal_connect_object (self->connection, "message", G_CALLBACK (has_message), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->connection, "drained", G_CALLBACK (let_go), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->connection, "closed", G_CALLBACK (was_closed), self,
                           G_CONNECT_SWAPPED);
  perfica_wire_connection_start (self->connection);
  return self;
}

PerficaBoard *
perfica_door_client_get_board (PerficaDoorClient *self)
{
  return self->attachment ? perfica_attachment_get_board (self->attachment) : NULL;
}

void
perfica_door_client_finish (PerficaDoorClient *self)
{
  perfica_door_held_drop_all (self->held, perfica_gateway_is_stopping (self->gateway)
                                              ? PERFICA_OUTCOME_GATEWAY_STOPPED
                                              : PERFICA_OUTCOME_NOT_ATTACHED);
  perfica_wire_connection_finish (self->connection);
}
