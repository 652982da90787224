/* The protocol: from structs to lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-wire.h"

#include <string.h>

#include "perfica-json.h"

/* Bytes of loops' folders in a hello's answer; every one escaped, they fit in its line. */
#define LOOPS_ENOUGH (PERFICA_WIRE_MAX_LINE / 8)

static void
begin (PerficaJsonWriter *w)
{
  perfica_json_writer_init (w);
  perfica_json_writer_open (w, NULL, '{');
  perfica_json_writer_string (w, "jsonrpc", "2.0");
}

/* A request, or with id 0 a notification; params stays open. */
static void
begin_call (PerficaJsonWriter *w, gint64 id, const char *method)
{
  begin (w);
  if (id != 0)
    perfica_json_writer_int (w, "id", id);
  perfica_json_writer_string (w, "method", method);
  perfica_json_writer_open (w, "params", '{');
}

static void
begin_answer (PerficaJsonWriter *w, gint64 id, const char *type)
{
  begin (w);
  perfica_json_writer_int (w, "id", id);
  perfica_json_writer_open (w, "result", '{');
  perfica_json_writer_string (w, "type", type);
}

/* Closes params, result or error, and the message. */
static GBytes *
end (PerficaJsonWriter *w)
{
  gsize length;
  char *text;

  perfica_json_writer_close (w, '}');
  perfica_json_writer_close (w, '}');
  g_string_append_c (w->text, '\n');
  length = w->text->len;
  text = perfica_json_writer_end (w);
  return g_bytes_new_take (text, length);
}

static void
add_name (PerficaJsonWriter *w, const char *name, const char *value)
{
  perfica_json_writer_string_max (w, name, value, PERFICA_WIRE_MAX_NAME);
}

static void
add_path (PerficaJsonWriter *w, const char *name, const char *value)
{
  perfica_json_writer_string_max (w, name, value, PERFICA_WIRE_MAX_PATH);
}

/* More than a line should hold is told as "/": all of it is somebody's, and nothing passes by
 * having been left out. */
static void
add_loops (PerficaJsonWriter *w, char **loops)
{
  gsize length = 0;
  guint n = 0;

  for (; loops[n] != NULL && length <= LOOPS_ENOUGH; n++)
    length += strlen (loops[n]);
  perfica_json_writer_open (w, "loops", '[');
  if (length > LOOPS_ENOUGH || n > PERFICA_WIRE_MAX_LOOPS)
    perfica_json_writer_string (w, NULL, "/");
  else
    for (guint i = 0; i < n; i++)
      add_path (w, NULL, loops[i]);
  perfica_json_writer_close (w, ']');
}

GBytes *
perfica_wire_encode_hello (gint64 id, const PerficaWireHello *hello)
{
  PerficaJsonWriter w;

  begin_call (&w, id, "hello");
  perfica_json_writer_int (&w, "protocol", hello->protocol);
  add_name (&w, "client", hello->client);
  add_name (&w, "version", hello->version);
  add_path (&w, "folder", hello->folder);
  add_path (&w, "board", hello->board);
  add_name (&w, "bubble", hello->bubble);
  add_name (&w, "role", hello->role);
  return end (&w);
}

GBytes *
perfica_wire_encode_run (gint64 id, const PerficaWireRun *run)
{
  PerficaJsonWriter w;

  begin_call (&w, id, "run");
  /* Never cut: half a command is another command. The gateway refuses one that is too long. */
  perfica_json_writer_string (&w, "command", run->command);
  add_path (&w, "folder", run->folder);
  if (run->timeout_seconds != 0)
    perfica_json_writer_int (&w, "timeout_seconds", run->timeout_seconds);
  if (run->stream)
    perfica_json_writer_boolean (&w, "stream", TRUE);
  return end (&w);
}

GBytes *
perfica_wire_encode_cancel (gint64 request)
{
  PerficaJsonWriter w;

  begin_call (&w, 0, "cancel");
  perfica_json_writer_int (&w, "request", request);
  return end (&w);
}

GBytes *
perfica_wire_encode_status_request (gint64 id)
{
  PerficaJsonWriter w;

  begin_call (&w, id, "status");
  perfica_json_writer_int (&w, "protocol", PERFICA_WIRE_VERSION);
  return end (&w);
}

GBytes *
perfica_wire_encode_open_folder (gint64 id, const char *folder)
{
  PerficaJsonWriter w;

  begin_call (&w, id, "open_folder");
  perfica_json_writer_int (&w, "protocol", PERFICA_WIRE_VERSION);
  add_path (&w, "folder", folder);
  return end (&w);
}

GBytes *
perfica_wire_encode_hello_reply (gint64 id, const PerficaWireHelloReply *reply)
{
  PerficaJsonWriter w;

  begin_answer (&w, id, "hello");
  perfica_json_writer_int (&w, "protocol", reply->protocol);
  add_name (&w, "board", reply->board);
  add_path (&w, "board_folder", reply->board_folder);
  add_name (&w, "bubble", reply->bubble);
  add_name (&w, "role", reply->role);
  add_path (&w, "loop", reply->loop);
  if (reply->loops != NULL)
    add_loops (&w, reply->loops);
  perfica_json_writer_strv (&w, "tools", (const char *const *) reply->tools);
  perfica_json_writer_boolean (&w, "attached", reply->attached);
  perfica_json_writer_boolean (&w, "sandbox", reply->sandbox);
  return end (&w);
}

static void
add_finding (PerficaJsonWriter *w, const PerficaWireFinding *finding)
{
  perfica_json_writer_open (w, NULL, '{');
  add_name (w, "answer", finding->answer);
  add_name (w, "rule", finding->rule);
  perfica_json_writer_int (w, "start", finding->start);
  perfica_json_writer_int (w, "end", finding->end);
  perfica_json_writer_string_max (w, "text", finding->text, PERFICA_WIRE_MAX_MESSAGE);
  add_name (w, "kind", finding->kind);
  add_name (w, "intent", finding->intent);
  if (finding->alternative != NULL && strlen (finding->alternative) <= PERFICA_WIRE_MAX_ALTERNATIVE)
    perfica_json_writer_string (w, "alternative", finding->alternative);
  perfica_json_writer_close (w, '}');
}

static void
add_stream (
    PerficaJsonWriter *w, const char *name, const char *head, const char *tail, guint64 total)
{
  perfica_json_writer_open (w, name, '{');
  perfica_json_writer_string_max (w, "head", head, PERFICA_WIRE_MAX_TEXT);
  perfica_json_writer_string_max (w, "tail", tail, PERFICA_WIRE_MAX_TEXT);
  perfica_json_writer_int (w, "total", (gint64) MIN (total, G_MAXINT64));
  perfica_json_writer_close (w, '}');
}

GBytes *
perfica_wire_encode_result (gint64 id, const PerficaWireResult *result)
{
  PerficaJsonWriter w;
  guint n = result->findings != NULL ? result->findings->len : 0;

  begin_answer (&w, id, "result");
  perfica_json_writer_string (&w, "outcome", perfica_outcome_to_string (result->outcome));
  perfica_json_writer_int (&w, "exit_code", result->exit_code);
  perfica_json_writer_int (&w, "signal", result->signal_number);
  perfica_json_writer_int (&w, "duration_us", result->duration_us);
  perfica_json_writer_int (&w, "limit_seconds", result->limit_seconds);
  add_stream (&w, "stdout", result->stdout_head, result->stdout_tail, result->stdout_total);
  add_stream (&w, "stderr", result->stderr_head, result->stderr_tail, result->stderr_total);
  perfica_json_writer_boolean (&w, "output_cut", result->output_cut);
  add_path (&w, "output_path", result->output_path);
  add_name (&w, "answer", result->answer);
  perfica_json_writer_open (&w, "findings", '[');
  for (guint i = 0; i < MIN (n, PERFICA_WIRE_MAX_FINDINGS); i++)
    add_finding (&w, g_ptr_array_index (result->findings, i));
  perfica_json_writer_close (&w, ']');
  perfica_json_writer_string_max (&w, "message", result->message, PERFICA_WIRE_MAX_MESSAGE);
  add_name (&w, "confinement", result->confinement);
  perfica_json_writer_int (&w, "record", result->record);
  return end (&w);
}

/* @room: how many bubbles may still be listed in all, so that the reader's limit of values holds */
static void
add_board (PerficaJsonWriter *w, const PerficaWireBoard *board, guint *room)
{
  perfica_json_writer_open (w, NULL, '{');
  add_name (w, "name", board->name);
  add_path (w, "folder", board->folder);
  perfica_json_writer_int (w, "waiting", board->waiting);
  perfica_json_writer_boolean (w, "full_auto", board->full_auto);
  perfica_json_writer_boolean (w, "sandbox", board->sandbox);
  perfica_json_writer_open (w, "bubbles", '[');
  for (guint i = 0; i < MIN (board->bubbles->len, PERFICA_WIRE_MAX_ITEMS) && *room > 0; i++)
    {
      const PerficaWireBubble *bubble = g_ptr_array_index (board->bubbles, i);

      --*room;
      perfica_json_writer_open (w, NULL, '{');
      add_name (w, "name", bubble->name);
      add_name (w, "role", bubble->role);
      add_path (w, "loop", bubble->loop);
      perfica_json_writer_close (w, '}');
    }
  perfica_json_writer_close (w, ']');
  perfica_json_writer_close (w, '}');
}

static void
add_client (PerficaJsonWriter *w, const PerficaWireClient *client)
{
  perfica_json_writer_open (w, NULL, '{');
  add_name (w, "client", client->client);
  perfica_json_writer_int (w, "pid", client->pid);
  add_name (w, "board", client->board);
  add_name (w, "bubble", client->bubble);
  perfica_json_writer_boolean (w, "confirmed", client->confirmed);
  perfica_json_writer_close (w, '}');
}

/* Leaves the rest of a list out once this much is written, so that the line stays in its limit. */
#define STATUS_ENOUGH (PERFICA_WIRE_MAX_LINE / 4)
#define STATUS_BUBBLES 1024

GBytes *
perfica_wire_encode_status (gint64 id, const PerficaWireStatus *status)
{
  PerficaJsonWriter w;
  guint room = STATUS_BUBBLES;

  begin_answer (&w, id, "status");
  add_name (&w, "version", status->version);
  perfica_json_writer_int (&w, "running", status->running);
  perfica_json_writer_open (&w, "boards", '[');
  for (guint i = 0;
       i < MIN (status->boards->len, PERFICA_WIRE_MAX_ITEMS) && w.text->len < STATUS_ENOUGH; i++)
    add_board (&w, g_ptr_array_index (status->boards, i), &room);
  perfica_json_writer_close (&w, ']');
  perfica_json_writer_open (&w, "clients", '[');
  for (guint i = 0; i < MIN (status->clients->len, PERFICA_WIRE_MAX_ITEMS); i++)
    add_client (&w, g_ptr_array_index (status->clients, i));
  perfica_json_writer_close (&w, ']');
  return end (&w);
}

GBytes *
perfica_wire_encode_opened (gint64 id, const char *board)
{
  PerficaJsonWriter w;

  begin_answer (&w, id, "opened");
  add_name (&w, "board", board);
  return end (&w);
}

GBytes *
perfica_wire_encode_state (gint64 request, PerficaWireRunState state, gint64 remaining_ms)
{
  PerficaJsonWriter w;

  begin_call (&w, 0, "state");
  perfica_json_writer_int (&w, "request", request);
  perfica_json_writer_string (&w, "state", perfica_wire_run_state_to_string (state));
  if (remaining_ms >= 0)
    perfica_json_writer_int (&w, "remaining_ms", remaining_ms);
  return end (&w);
}

GBytes *
perfica_wire_encode_output (gint64 request, gboolean is_stderr, const guint8 *data, gsize length)
{
  PerficaJsonWriter w;
  g_autofree char *base64 = g_base64_encode (data, MIN (length, PERFICA_WIRE_MAX_OUTPUT));

  begin_call (&w, 0, "output");
  perfica_json_writer_int (&w, "request", request);
  perfica_json_writer_string (&w, "stream", is_stderr ? "stderr" : "stdout");
  perfica_json_writer_string (&w, "data", base64);
  return end (&w);
}

GBytes *
perfica_wire_encode_failure (gint64 id, int code, const char *message)
{
  PerficaJsonWriter w;

  begin (&w);
  if (id != 0)
    perfica_json_writer_int (&w, "id", id);
  else
    perfica_json_writer_raw (&w, "id", "null");
  perfica_json_writer_open (&w, "error", '{');
  perfica_json_writer_int (&w, "code", code);
  perfica_json_writer_string_max (&w, "message", message, PERFICA_WIRE_MAX_MESSAGE);
  return end (&w);
}
