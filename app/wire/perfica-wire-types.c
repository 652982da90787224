/* The protocol's structs: names, making and freeing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-wire.h"
#include "perfica-wire-private.h"

#include <string.h>

G_DEFINE_QUARK (perfica - wire - error - quark, perfica_wire_error)

static const char *const outcome_names[] = {
  [PERFICA_OUTCOME_PENDING] = "pending",
  [PERFICA_OUTCOME_RAN] = "ran",
  [PERFICA_OUTCOME_LIMIT] = "limit",
  [PERFICA_OUTCOME_CANCELLED] = "cancelled",
  [PERFICA_OUTCOME_REFUSED] = "refused",
  [PERFICA_OUTCOME_NO_TOOL] = "no-tool",
  [PERFICA_OUTCOME_DENIED] = "denied",
  [PERFICA_OUTCOME_NOBODY] = "nobody",
  [PERFICA_OUTCOME_NO_WINDOW] = "no-window",
  [PERFICA_OUTCOME_UNCONFINED] = "unconfined",
  [PERFICA_OUTCOME_AGENT_GONE] = "agent-gone",
  [PERFICA_OUTCOME_GATEWAY_STOPPED] = "gateway-stopped",
  [PERFICA_OUTCOME_LOST] = "lost",
  [PERFICA_OUTCOME_NOT_ATTACHED] = "not-attached",
  [PERFICA_OUTCOME_ERROR] = "error",
};

static const char *const state_names[] = {
  [PERFICA_WIRE_STATE_READING] = "reading",
  [PERFICA_WIRE_STATE_ASKING] = "asking",
  [PERFICA_WIRE_STATE_STARTING] = "starting",
  [PERFICA_WIRE_STATE_RUNNING] = "running",
};

const char *
perfica_outcome_to_string (PerficaOutcome outcome)
{
  if ((guint) outcome < G_N_ELEMENTS (outcome_names))
    return outcome_names[outcome];
  return outcome_names[PERFICA_OUTCOME_ERROR];
}

PerficaOutcome
perfica_outcome_from_string (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (outcome_names); i++)
    if (g_strcmp0 (name, outcome_names[i]) == 0)
      return (PerficaOutcome) i;
  return PERFICA_OUTCOME_ERROR;
}

const char *
perfica_wire_run_state_to_string (PerficaWireRunState state)
{
  return (guint) state < G_N_ELEMENTS (state_names) ? state_names[state] : state_names[0];
}

gboolean
perfica_wire_run_state_from_string (const char *name, PerficaWireRunState *state)
{
  for (guint i = 0; i < G_N_ELEMENTS (state_names); i++)
    if (g_strcmp0 (name, state_names[i]) == 0)
      {
        *state = (PerficaWireRunState) i;
        return TRUE;
      }
  return FALSE;
}

PerficaWireFinding *
perfica_wire_finding_new (void)
{
  return g_new0 (PerficaWireFinding, 1);
}

void
perfica_wire_finding_free (PerficaWireFinding *finding)
{
  g_free (finding->answer);
  g_free (finding->rule);
  g_free (finding->text);
  g_free (finding->kind);
  g_free (finding->intent);
  g_free (finding->alternative);
  g_free (finding);
}

PerficaWireResult *
perfica_wire_result_new (PerficaOutcome outcome)
{
  PerficaWireResult *result = g_new0 (PerficaWireResult, 1);

  result->outcome = outcome;
  result->exit_code = -1;
  result->findings = g_ptr_array_new_with_free_func ((GDestroyNotify) perfica_wire_finding_free);
  return result;
}

void
perfica_wire_result_free (PerficaWireResult *result)
{
  g_free (result->stdout_head);
  g_free (result->stdout_tail);
  g_free (result->stderr_head);
  g_free (result->stderr_tail);
  g_free (result->output_path);
  g_free (result->answer);
  g_clear_pointer (&result->findings, g_ptr_array_unref);
  g_free (result->message);
  g_free (result->confinement);
  g_free (result);
}

PerficaWireBubble *
perfica_wire_bubble_new (const char *name, const char *role, const char *loop)
{
  PerficaWireBubble *bubble = g_new0 (PerficaWireBubble, 1);

  bubble->name = g_strdup (name);
  bubble->role = g_strdup (role);
  bubble->loop = g_strdup (loop);
  return bubble;
}

void
perfica_wire_bubble_free (PerficaWireBubble *bubble)
{
  g_free (bubble->name);
  g_free (bubble->role);
  g_free (bubble->loop);
  g_free (bubble);
}

PerficaWireBoard *
perfica_wire_board_new (const char *name, const char *folder)
{
  PerficaWireBoard *board = g_new0 (PerficaWireBoard, 1);

  board->name = g_strdup (name);
  board->folder = g_strdup (folder);
  board->bubbles = g_ptr_array_new_with_free_func ((GDestroyNotify) perfica_wire_bubble_free);
  return board;
}

void
perfica_wire_board_free (PerficaWireBoard *board)
{
  g_free (board->name);
  g_free (board->folder);
  g_ptr_array_unref (board->bubbles);
  g_free (board);
}

PerficaWireClient *
perfica_wire_client_new (
    const char *client, gint64 pid, const char *board, const char *bubble, gboolean confirmed)
{
  PerficaWireClient *self = g_new0 (PerficaWireClient, 1);

  self->client = g_strdup (client);
  self->pid = pid;
  self->board = g_strdup (board);
  self->bubble = g_strdup (bubble);
  self->confirmed = confirmed;
  return self;
}

void
perfica_wire_client_free (PerficaWireClient *client)
{
  g_free (client->client);
  g_free (client->board);
  g_free (client->bubble);
  g_free (client);
}

PerficaWireStatus *
perfica_wire_status_new (void)
{
  PerficaWireStatus *status = g_new0 (PerficaWireStatus, 1);

  status->boards = g_ptr_array_new_with_free_func ((GDestroyNotify) perfica_wire_board_free);
  status->clients = g_ptr_array_new_with_free_func ((GDestroyNotify) perfica_wire_client_free);
  return status;
}

void
perfica_wire_status_free (PerficaWireStatus *status)
{
  g_free (status->version);
  g_ptr_array_unref (status->boards);
  g_ptr_array_unref (status->clients);
  g_free (status);
}

static void
hello_free (PerficaWireHello *hello)
{
  g_free (hello->client);
  g_free (hello->version);
  g_free (hello->folder);
  g_free (hello->board);
  g_free (hello->bubble);
  g_free (hello->role);
  g_free (hello);
}

static void
hello_reply_free (PerficaWireHelloReply *reply)
{
  g_free (reply->board);
  g_free (reply->board_folder);
  g_free (reply->bubble);
  g_free (reply->role);
  g_free (reply->loop);
  g_strfreev (reply->loops);
  g_strfreev (reply->tools);
  g_free (reply);
}

static void
run_free (PerficaWireRun *run)
{
  g_free (run->command);
  g_free (run->folder);
  g_free (run);
}

PerficaWireMessage *
perfica_wire_message_new (PerficaWireType type, gint64 id)
{
  PerficaWireMessage *message = g_atomic_rc_box_new0 (PerficaWireMessage);

  message->type = type;
  message->id = id;
  return message;
}

PerficaWireMessage *
perfica_wire_message_ref (PerficaWireMessage *message)
{
  return g_atomic_rc_box_acquire (message);
}

static void
message_clear (PerficaWireMessage *message)
{
  if (message->any == NULL)
    return;
  switch (message->type)
    {
    case PERFICA_WIRE_HELLO:
      hello_free (message->hello);
      break;
    case PERFICA_WIRE_RUN:
      run_free (message->run);
      break;
    case PERFICA_WIRE_STATUS:
    case PERFICA_WIRE_OPEN_FOLDER:
      g_free (message->ask->folder);
      g_free (message->ask);
      break;
    case PERFICA_WIRE_HELLO_REPLY:
      hello_reply_free (message->hello_reply);
      break;
    case PERFICA_WIRE_RESULT:
      perfica_wire_result_free (message->result);
      break;
    case PERFICA_WIRE_STATUS_REPLY:
      perfica_wire_status_free (message->status);
      break;
    case PERFICA_WIRE_OPENED:
      g_free (message->opened->board);
      g_free (message->opened);
      break;
    case PERFICA_WIRE_OUTPUT:
      g_clear_pointer (&message->output->data, g_bytes_unref);
      g_free (message->output);
      break;
    case PERFICA_WIRE_FAILURE:
      g_free (message->failure->message);
      g_free (message->failure);
      break;
    case PERFICA_WIRE_CANCEL:
    case PERFICA_WIRE_STATE:
      g_free (message->any);
      break;
    }
}

void
perfica_wire_message_unref (PerficaWireMessage *message)
{
  g_atomic_rc_box_release_full (message, (GDestroyNotify) message_clear);
}

/* Bytes at the start that belong to a character begun before it: at most three. */
static gsize
skip_cut_start (const char *data, gsize length)
{
  gsize n = 0;

  while (n < length && n < 3 && ((guchar) data[n] & 0xc0) == 0x80)
    n++;
  return n;
}

/* Bytes at the end that begin a character and don't finish it. */
static gsize
skip_cut_end (const char *data, gsize length)
{
  for (gsize n = 1; n <= 3 && n <= length; n++)
    {
      guchar c = (guchar) data[length - n];
      gsize need = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;

      if ((c & 0xc0) == 0x80)
        continue;
      return need > n ? n : 0;
    }
  return 0;
}

char *
perfica_wire_text (GBytes *bytes)
{
  gsize length = 0;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;
  g_autoptr (GString) text = NULL;
  gsize start;

  if (length == 0)
    return g_strdup ("");
  start = skip_cut_start (data, length);
  length -= start;
  length -= skip_cut_end (data + start, length);
  text = g_string_sized_new (length);
  for (const char *p = data + start, *end = p + length; p < end;)
    {
      gsize piece = strnlen (p, (gsize) (end - p));
      g_autofree char *valid = g_utf8_make_valid (p, (gssize) piece);

      g_string_append (text, valid);
      p += piece;
      if (p < end)
        {
          g_string_append (text, "\357\277\275");
          p++;
        }
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
