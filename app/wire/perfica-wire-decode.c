/* The protocol: from lines to structs, strictly.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-wire.h"

#include <string.h>

#include "perfica-json.h"
#include "perfica-wire-private.h"

#define MAX_ID G_GINT64_CONSTANT (9007199254740992)

#define OPTIONAL PERFICA_JSON_OPTIONAL
#define REQUIRED PERFICA_JSON_REQUIRED

/* Fills the message's struct from params or the result; FALSE with a PERFICA_JSON_ERROR. */
typedef gboolean (*Filler) (PerficaWireMessage *message, JsonObject *object, GError **error);

static gboolean
get_protocol (JsonObject *object, int *protocol, GError **error)
{
  gint64 number = 0;

  if (!perfica_json_get_int (object, "protocol", REQUIRED, 0, G_MAXINT, &number, error))
    return FALSE;
  *protocol = (int) number;
  if (number == PERFICA_WIRE_VERSION)
    return TRUE;
  g_set_error (error, PERFICA_WIRE_ERROR, PERFICA_WIRE_CODE_VERSION,
               "protocol %d is spoken here, not %d", PERFICA_WIRE_VERSION, *protocol);
  return FALSE;
}

static gboolean
get_name (JsonObject *object, const char *name, PerficaJsonNeed need, char **value, GError **error)
{
  return perfica_json_get_string (object, name, need, PERFICA_WIRE_MAX_NAME, value, error);
}

static gboolean
get_path (JsonObject *object, const char *name, PerficaJsonNeed need, char **value, GError **error)
{
  return perfica_json_get_string (object, name, need, PERFICA_WIRE_MAX_PATH, value, error);
}

static gboolean
get_count (JsonObject *object, const char *name, gint64 max, guint *value, GError **error)
{
  gint64 number = 0;

  if (!perfica_json_get_int (object, name, OPTIONAL, 0, max, &number, error))
    return FALSE;
  *value = (guint) number;
  return TRUE;
}

static gboolean
absolute (const char *name, const char *path, GError **error)
{
  if (g_path_is_absolute (path))
    return TRUE;
  g_set_error (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE,
               "\"%s\" must be an absolute path", name);
  return FALSE;
}

static gboolean
fill_hello (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  PerficaWireHello *hello = message->hello = g_new0 (PerficaWireHello, 1);

  return get_protocol (o, &hello->protocol, error) &&
         get_name (o, "client", REQUIRED, &hello->client, error) &&
         get_name (o, "version", OPTIONAL, &hello->version, error) &&
         get_path (o, "folder", REQUIRED, &hello->folder, error) &&
         absolute ("folder", hello->folder, error) &&
         get_path (o, "board", OPTIONAL, &hello->board, error) &&
         get_name (o, "bubble", OPTIONAL, &hello->bubble, error) &&
         get_name (o, "role", OPTIONAL, &hello->role, error);
}

static gboolean
fill_run (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  PerficaWireRun *run = message->run = g_new0 (PerficaWireRun, 1);

  return perfica_json_get_string (o, "command", REQUIRED, PERFICA_WIRE_MAX_COMMAND, &run->command,
                                  error) &&
         get_path (o, "folder", OPTIONAL, &run->folder, error) &&
         get_count (o, "timeout_seconds", PERFICA_WIRE_MAX_TIMEOUT, &run->timeout_seconds, error) &&
         perfica_json_get_boolean (o, "stream", OPTIONAL, &run->stream, error);
}

static gboolean
fill_cancel (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  message->cancel = g_new0 (PerficaWireCancel, 1);
  return perfica_json_get_int (o, "request", REQUIRED, 1, MAX_ID, &message->cancel->request, error);
}

static gboolean
fill_status_request (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  message->ask = g_new0 (PerficaWireAsk, 1);
  return get_protocol (o, &message->ask->protocol, error);
}

static gboolean
fill_open_folder (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  message->ask = g_new0 (PerficaWireAsk, 1);
  return get_protocol (o, &message->ask->protocol, error) &&
         get_path (o, "folder", OPTIONAL, &message->ask->folder, error) &&
         (message->ask->folder == NULL || absolute ("folder", message->ask->folder, error));
}

static gboolean
fill_hello_reply (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  PerficaWireHelloReply *reply = message->hello_reply = g_new0 (PerficaWireHelloReply, 1);

  return get_protocol (o, &reply->protocol, error) &&
         get_name (o, "board", REQUIRED, &reply->board, error) &&
         get_path (o, "board_folder", REQUIRED, &reply->board_folder, error) &&
         get_name (o, "bubble", REQUIRED, &reply->bubble, error) &&
         get_name (o, "role", REQUIRED, &reply->role, error) &&
         get_path (o, "loop", REQUIRED, &reply->loop, error) &&
         perfica_json_get_strv (o, "loops", OPTIONAL, PERFICA_WIRE_MAX_LOOPS, PERFICA_WIRE_MAX_PATH,
                                &reply->loops, error) &&
         perfica_json_get_strv (o, "tools", REQUIRED, 16, PERFICA_WIRE_MAX_NAME, &reply->tools,
                                error) &&
         perfica_json_get_boolean (o, "attached", REQUIRED, &reply->attached, error) &&
         perfica_json_get_boolean (o, "sandbox", OPTIONAL, &reply->sandbox, error);
}

static gboolean
fill_finding (PerficaWireFinding *finding, JsonObject *o, GError **error)
{
  return get_name (o, "answer", REQUIRED, &finding->answer, error) &&
         get_name (o, "rule", REQUIRED, &finding->rule, error) &&
         get_count (o, "start", G_MAXINT, &finding->start, error) &&
         get_count (o, "end", G_MAXINT, &finding->end, error) &&
         perfica_json_get_string (o, "text", REQUIRED, PERFICA_WIRE_MAX_MESSAGE, &finding->text,
                                  error) &&
         get_name (o, "kind", OPTIONAL, &finding->kind, error) &&
         get_name (o, "intent", OPTIONAL, &finding->intent, error) &&
         perfica_json_get_string (o, "alternative", OPTIONAL, PERFICA_WIRE_MAX_ALTERNATIVE,
                                  &finding->alternative, error);
}

static gboolean
item_object (JsonArray *array, guint i, const char *name, JsonObject **object, GError **error)
{
  JsonNode *node = json_array_get_element (array, i);

  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      *object = json_node_get_object (node);
      return TRUE;
    }
  g_set_error (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE, "\"%s\" must hold objects only",
               name);
  return FALSE;
}

static gboolean
fill_findings (GPtrArray *findings, JsonObject *o, GError **error)
{
  JsonArray *array;
  JsonObject *item;

  if (!perfica_json_get_array (o, "findings", OPTIONAL, PERFICA_WIRE_MAX_FINDINGS, &array, error))
    return FALSE;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      PerficaWireFinding *finding = perfica_wire_finding_new ();

      g_ptr_array_add (findings, finding);
      if (!item_object (array, i, "findings", &item, error) || !fill_finding (finding, item, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
fill_stream (
    JsonObject *o, const char *name, char **head, char **tail, guint64 *total, GError **error)
{
  JsonObject *stream;
  gint64 number = 0;

  if (!perfica_json_get_object (o, name, OPTIONAL, &stream, error))
    return FALSE;
  if (stream == NULL)
    return TRUE;
  if (!perfica_json_get_string (stream, "head", OPTIONAL, PERFICA_WIRE_MAX_TEXT, head, error) ||
      !perfica_json_get_string (stream, "tail", OPTIONAL, PERFICA_WIRE_MAX_TEXT, tail, error) ||
      !perfica_json_get_int (stream, "total", OPTIONAL, 0, G_MAXINT64, &number, error))
    return FALSE;
  *total = (guint64) number;
  return TRUE;
}

static gboolean
fill_outcome (PerficaWireResult *result, JsonObject *o, GError **error)
{
  g_autofree char *name = NULL;

  if (!get_name (o, "outcome", REQUIRED, &name, error))
    return FALSE;
  result->outcome = perfica_outcome_from_string (name);
  if (result->outcome != PERFICA_OUTCOME_PENDING)
    return TRUE;
  g_set_error_literal (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE,
                       "\"outcome\" of a result can't be pending");
  return FALSE;
}

static gboolean
fill_result (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  PerficaWireResult *result = message->result = perfica_wire_result_new (PERFICA_OUTCOME_ERROR);
  gint64 exit_code = -1, signal_number = 0;

  if (!fill_outcome (result, o, error) ||
      !perfica_json_get_int (o, "exit_code", OPTIONAL, -1, 255, &exit_code, error) ||
      !perfica_json_get_int (o, "signal", OPTIONAL, 0, 128, &signal_number, error) ||
      !perfica_json_get_int (o, "duration_us", OPTIONAL, 0, G_MAXINT64, &result->duration_us,
                             error) ||
      !get_count (o, "limit_seconds", G_MAXINT, &result->limit_seconds, error) ||
      !fill_stream (o, "stdout", &result->stdout_head, &result->stdout_tail, &result->stdout_total,
                    error) ||
      !fill_stream (o, "stderr", &result->stderr_head, &result->stderr_tail, &result->stderr_total,
                    error) ||
      !perfica_json_get_boolean (o, "output_cut", OPTIONAL, &result->output_cut, error) ||
      !get_path (o, "output_path", OPTIONAL, &result->output_path, error) ||
      !get_name (o, "answer", OPTIONAL, &result->answer, error) ||
      !fill_findings (result->findings, o, error) ||
      !perfica_json_get_string (o, "message", OPTIONAL, PERFICA_WIRE_MAX_MESSAGE, &result->message,
                                error) ||
      !get_name (o, "confinement", OPTIONAL, &result->confinement, error) ||
      !perfica_json_get_int (o, "record", OPTIONAL, 0, G_MAXINT64, &result->record, error))
    return FALSE;
  result->exit_code = (int) exit_code;
  result->signal_number = (int) signal_number;
  return TRUE;
}

static gboolean
fill_bubbles (GPtrArray *bubbles, JsonObject *o, GError **error)
{
  JsonArray *array;
  JsonObject *item;

  if (!perfica_json_get_array (o, "bubbles", OPTIONAL, PERFICA_WIRE_MAX_ITEMS, &array, error))
    return FALSE;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      PerficaWireBubble *bubble = perfica_wire_bubble_new (NULL, NULL, NULL);

      g_ptr_array_add (bubbles, bubble);
      if (!item_object (array, i, "bubbles", &item, error) ||
          !get_name (item, "name", REQUIRED, &bubble->name, error) ||
          !get_name (item, "role", REQUIRED, &bubble->role, error) ||
          !get_path (item, "loop", REQUIRED, &bubble->loop, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
fill_boards (GPtrArray *boards, JsonObject *o, GError **error)
{
  JsonArray *array;
  JsonObject *item;

  if (!perfica_json_get_array (o, "boards", REQUIRED, PERFICA_WIRE_MAX_ITEMS, &array, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      PerficaWireBoard *board = perfica_wire_board_new (NULL, NULL);

      g_ptr_array_add (boards, board);
      if (!item_object (array, i, "boards", &item, error) ||
          !get_name (item, "name", REQUIRED, &board->name, error) ||
          !get_path (item, "folder", REQUIRED, &board->folder, error) ||
          !get_count (item, "waiting", G_MAXINT, &board->waiting, error) ||
          !perfica_json_get_boolean (item, "full_auto", OPTIONAL, &board->full_auto, error) ||
          !perfica_json_get_boolean (item, "sandbox", OPTIONAL, &board->sandbox, error) ||
          !fill_bubbles (board->bubbles, item, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
fill_clients (GPtrArray *clients, JsonObject *o, GError **error)
{
  JsonArray *array;
  JsonObject *item;

  if (!perfica_json_get_array (o, "clients", REQUIRED, PERFICA_WIRE_MAX_ITEMS, &array, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      PerficaWireClient *client = perfica_wire_client_new (NULL, 0, NULL, NULL, FALSE);

      g_ptr_array_add (clients, client);
      if (!item_object (array, i, "clients", &item, error) ||
          !get_name (item, "client", REQUIRED, &client->client, error) ||
          !perfica_json_get_int (item, "pid", OPTIONAL, 0, G_MAXINT, &client->pid, error) ||
          !get_name (item, "board", OPTIONAL, &client->board, error) ||
          !get_name (item, "bubble", OPTIONAL, &client->bubble, error) ||
          !perfica_json_get_boolean (item, "confirmed", OPTIONAL, &client->confirmed, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
fill_status (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  PerficaWireStatus *status = message->status = perfica_wire_status_new ();

  return get_name (o, "version", REQUIRED, &status->version, error) &&
         get_count (o, "running", G_MAXINT, &status->running, error) &&
         fill_boards (status->boards, o, error) && fill_clients (status->clients, o, error);
}

static gboolean
fill_opened (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  message->opened = g_new0 (PerficaWireOpened, 1);
  return get_name (o, "board", REQUIRED, &message->opened->board, error);
}

static gboolean
fill_state (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  PerficaWireState *state = message->state = g_new0 (PerficaWireState, 1);
  g_autofree char *name = NULL;

  state->remaining_ms = -1;
  if (!perfica_json_get_int (o, "request", REQUIRED, 1, MAX_ID, &state->request, error) ||
      !get_name (o, "state", REQUIRED, &name, error) ||
      !perfica_json_get_int (o, "remaining_ms", OPTIONAL, 0, MAX_ID, &state->remaining_ms, error))
    return FALSE;
  if (perfica_wire_run_state_from_string (name, &state->state))
    return TRUE;
  g_set_error_literal (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE, "\"state\" is unknown");
  return FALSE;
}

/* g_base64_decode() skips what isn't base64; here it is an error. */
static GBytes *
decode_base64 (const char *text)
{
  gsize length = strlen (text), decoded = 0;
  gsize letters = strspn (text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  guchar *data;

  if (length % 4 != 0 || length - letters > 2 || strspn (text + letters, "=") != length - letters)
    return NULL;
  data = g_base64_decode (text, &decoded);
  return g_bytes_new_take (data, decoded);
}

static gboolean
fill_output (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  PerficaWireOutput *output = message->output = g_new0 (PerficaWireOutput, 1);
  g_autofree char *stream = NULL;
  g_autofree char *base64 = NULL;

  if (!perfica_json_get_int (o, "request", REQUIRED, 1, MAX_ID, &output->request, error) ||
      !get_name (o, "stream", REQUIRED, &stream, error) ||
      !perfica_json_get_string (o, "data", REQUIRED, (PERFICA_WIRE_MAX_OUTPUT + 2) / 3 * 4, &base64,
                                error))
    return FALSE;
  output->is_stderr = strcmp (stream, "stderr") == 0;
  output->data = decode_base64 (base64);
  if (output->data != NULL && (output->is_stderr || strcmp (stream, "stdout") == 0))
    return TRUE;
  g_set_error (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE, "\"%s\" is malformed",
               output->data == NULL ? "data" : "stream");
  return FALSE;
}

static gboolean
fill_failure (PerficaWireMessage *message, JsonObject *o, GError **error)
{
  PerficaWireFailure *failure = message->failure = g_new0 (PerficaWireFailure, 1);
  gint64 code = 0;

  if (!perfica_json_get_int (o, "code", REQUIRED, G_MININT, G_MAXINT, &code, error) ||
      !perfica_json_get_string (o, "message", REQUIRED, PERFICA_WIRE_MAX_MESSAGE, &failure->message,
                                error))
    return FALSE;
  failure->code = (int) code;
  return TRUE;
}

typedef struct
{
  const char *name;
  PerficaWireType type;
  gboolean has_id;
  Filler fill;
} Kind;

static const Kind calls_of_clients[] = {
  { "hello", PERFICA_WIRE_HELLO, TRUE, fill_hello },
  { "run", PERFICA_WIRE_RUN, TRUE, fill_run },
  { "cancel", PERFICA_WIRE_CANCEL, FALSE, fill_cancel },
  { "status", PERFICA_WIRE_STATUS, TRUE, fill_status_request },
  { "open_folder", PERFICA_WIRE_OPEN_FOLDER, TRUE, fill_open_folder },
  { NULL },
};

static const Kind calls_of_the_gateway[] = {
  { "state", PERFICA_WIRE_STATE, FALSE, fill_state },
  { "output", PERFICA_WIRE_OUTPUT, FALSE, fill_output },
  { NULL },
};

/* Found by the result's "type". */
static const Kind results[] = {
  { "hello", PERFICA_WIRE_HELLO_REPLY, TRUE, fill_hello_reply },
  { "result", PERFICA_WIRE_RESULT, TRUE, fill_result },
  { "status", PERFICA_WIRE_STATUS_REPLY, TRUE, fill_status },
  { "opened", PERFICA_WIRE_OPENED, TRUE, fill_opened },
  { NULL },
};

static const Kind failure_kind = { "error", PERFICA_WIRE_FAILURE, TRUE, fill_failure };

static gboolean
invalid (GError **error, const char *text)
{
  g_set_error_literal (error, PERFICA_WIRE_ERROR, PERFICA_WIRE_CODE_INVALID, text);
  return FALSE;
}

static const Kind *
find_kind (const Kind *kinds, const char *name)
{
  for (; kinds->name != NULL; kinds++)
    if (strcmp (kinds->name, name) == 0)
      return kinds;
  return NULL;
}

static const Kind *
find_call (PerficaWireSide side, JsonObject *root, gint64 id, JsonObject **params, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *method = NULL;
  const Kind *kind;

  if (!perfica_json_get_string (root, "method", REQUIRED, PERFICA_WIRE_MAX_NAME, &method, &local) ||
      !perfica_json_get_object (root, "params", OPTIONAL, params, &local))
    {
      invalid (error, local->message);
      return NULL;
    }
  kind = find_kind (side == PERFICA_WIRE_SIDE_GATEWAY ? calls_of_clients : calls_of_the_gateway,
                    method);
  if (kind == NULL)
    g_set_error_literal (error, PERFICA_WIRE_ERROR, PERFICA_WIRE_CODE_UNKNOWN_METHOD,
                         "unknown method");
  else if (kind->has_id != (id != 0))
    {
      invalid (error, kind->has_id ? "a request needs an id" : "a notification has no id");
      return NULL;
    }
  return kind;
}

static const Kind *
find_answer (JsonObject *root, gint64 id, JsonObject **body, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *type = NULL;
  const Kind *kind;

  if (!perfica_json_get_object (root, "error", OPTIONAL, body, &local))
    goto bad;
  if (*body != NULL)
    return &failure_kind;
  if (id == 0)
    {
      invalid (error, "an answer needs an id");
      return NULL;
    }
  if (!perfica_json_get_object (root, "result", REQUIRED, body, &local) ||
      !perfica_json_get_string (*body, "type", REQUIRED, PERFICA_WIRE_MAX_NAME, &type, &local))
    goto bad;
  kind = find_kind (results, type);
  if (kind == NULL)
    invalid (error, "a result of an unknown type");
  return kind;

bad:
  invalid (error, local->message);
  return NULL;
}

static gboolean
read_envelope (JsonObject *root, gint64 *id, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *version = NULL;

  /* First the id, so that also a broken envelope can be answered. */
  if (!perfica_json_get_int (root, "id", OPTIONAL, 1, MAX_ID, id, &local))
    return invalid (error, local->message);
  if (!perfica_json_get_string (root, "jsonrpc", REQUIRED, 3, &version, &local))
    return invalid (error, local->message);
  return strcmp (version, "2.0") == 0 || invalid (error, "\"jsonrpc\" must be \"2.0\"");
}

static PerficaWireMessage *
fill_message (const Kind *kind, gint64 id, JsonObject *body, GError **error)
{
  g_autoptr (PerficaWireMessage) message = perfica_wire_message_new (kind->type, id);
  g_autoptr (JsonObject) nothing = body == NULL ? json_object_new () : NULL;
  g_autoptr (GError) local = NULL;

  if (kind->fill (message, body != NULL ? body : nothing, &local))
    return g_steal_pointer (&message);
  if (local->domain == PERFICA_WIRE_ERROR)
    g_propagate_error (error, g_steal_pointer (&local));
  else
    g_set_error_literal (error, PERFICA_WIRE_ERROR, PERFICA_WIRE_CODE_BAD_PARAMS, local->message);
  return NULL;
}

PerficaWireMessage *
perfica_wire_decode (
    PerficaWireSide side, const char *line, gsize length, gint64 *id, GError **error)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) local = NULL;
  JsonObject *root, *body = NULL;
  const Kind *kind;
  gint64 number = 0;

  if (id != NULL)
    *id = 0;
  node = perfica_json_parse (line, length, &local);
  if (node == NULL && g_error_matches (local, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SYNTAX))
    {
      g_set_error_literal (error, PERFICA_WIRE_ERROR, PERFICA_WIRE_CODE_PARSE, local->message);
      return NULL;
    }
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      invalid (error, "a message must be an object");
      return NULL;
    }
  root = json_node_get_object (node);
  if (!read_envelope (root, &number, error))
    {
      if (id != NULL)
        *id = number;
      return NULL;
    }
  if (id != NULL)
    *id = number;
  if (side == PERFICA_WIRE_SIDE_CLIENT && !json_object_has_member (root, "method"))
    kind = find_answer (root, number, &body, error);
  else
    kind = find_call (side, root, number, &body, error);
  return kind != NULL ? fill_message (kind, number, body, error) : NULL;
}
