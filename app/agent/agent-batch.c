/* perfica-agent check --batch: many lines through the guard, one process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent-commands.h"
#include "agent-verdict.h"
#include "perfica-json.h"
#include "perfica-wire-reader.h"

/* A command of the guard's limit, every character of it escaped, and the members around it. */
#define MAX_LINE PERFICA_WIRE_MAX_REQUEST
#define MAX_LOOPS 256
/* Written once so much has gathered. */
#define ENOUGH (256 * 1024)

typedef struct
{
  const GuardScope *defaults;
  const GuardFiles *files;
  GString *out;
  int fd;
  gboolean broken;
  char *project_given; /* the last line's, and what it came to */
  char *project;
} Batch;

/* One line of input. */
typedef struct
{
  char *id; /* as JSON */
  char *command;
  char *project;
  char *loop;
  char **loops;
  char *folder;
  gboolean sandbox;
  gboolean case_insensitive;
} Line;

static void
line_clear (Line *line)
{
  g_free (line->id);
  g_free (line->command);
  g_free (line->project);
  g_free (line->loop);
  g_strfreev (line->loops);
  g_free (line->folder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Line, line_clear)

static char *
id_json (JsonObject *o)
{
  JsonNode *node = json_object_get_member (o, "id");
  PerficaJsonWriter w;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  if (json_node_get_value_type (node) == G_TYPE_INT64)
    return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));
  if (json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  perfica_json_writer_init (&w);
  perfica_json_writer_string (&w, NULL, json_node_get_string (node));
  return perfica_json_writer_end (&w);
}

static gboolean
read_members (Line *line, JsonObject *o, GError **error)
{
  return perfica_json_get_string (o, "command", PERFICA_JSON_REQUIRED, G_MAXSIZE, &line->command,
                                  error) &&
         perfica_json_get_string (o, "project", PERFICA_JSON_OPTIONAL, PERFICA_WIRE_MAX_PATH,
                                  &line->project, error) &&
         perfica_json_get_string (o, "loop", PERFICA_JSON_OPTIONAL, PERFICA_WIRE_MAX_PATH,
                                  &line->loop, error) &&
         perfica_json_get_strv (o, "loops", PERFICA_JSON_OPTIONAL, MAX_LOOPS, PERFICA_WIRE_MAX_PATH,
                                &line->loops, error) &&
         perfica_json_get_string (o, "folder", PERFICA_JSON_OPTIONAL, PERFICA_WIRE_MAX_PATH,
                                  &line->folder, error) &&
         perfica_json_get_boolean (o, "sandbox", PERFICA_JSON_OPTIONAL, &line->sandbox, error) &&
         perfica_json_get_boolean (o, "case_insensitive", PERFICA_JSON_OPTIONAL,
                                   &line->case_insensitive, error);
}

static gboolean
read_line (Batch *batch, Line *line, const char *text, gsize length, GError **error)
{
  g_autoptr (JsonNode) node = perfica_json_parse (text, length, error);

  if (node == NULL)
    return FALSE;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      g_set_error_literal (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE,
                           "the line must be an object");
      return FALSE;
    }
  line->id = id_json (json_node_get_object (node));
  line->sandbox = batch->defaults->sandbox;
  line->case_insensitive = batch->defaults->case_insensitive;
  return read_members (line, json_node_get_object (node), error);
}

/* The guard wants a physical path; lines of one project resolve it once. */
static const char *
project_of (Batch *batch, const char *given)
{
  char *physical;

  if (given == NULL)
    return batch->defaults->project;
  if (g_strcmp0 (given, batch->project_given) == 0)
    return batch->project;
  g_free (batch->project_given);
  g_free (batch->project);
  batch->project_given = g_strdup (given);
  physical = batch->files != NULL ? realpath (given, NULL) : NULL;
  batch->project = physical != NULL ? g_strdup (physical) : g_canonicalize_filename (given, "/");
  free (physical);
  return batch->project;
}

static void
flush (Batch *batch)
{
  if (!batch->broken && !agent_write_all (batch->fd, batch->out->str, batch->out->len))
    batch->broken = TRUE;
  g_string_truncate (batch->out, 0);
}

/* What can't be read is refused. */
static void
write_error (PerficaJsonWriter *w, const char *message)
{
  perfica_json_writer_string (w, "answer", guard_answer_to_string (GUARD_ANSWER_REFUSE));
  perfica_json_writer_string (w, "time_class", "short");
  perfica_json_writer_raw (w, "findings", "[]");
  perfica_json_writer_raw (w, "canonical", "null");
  perfica_json_writer_string (w, "error", message);
}

static void
judge (Batch *batch, PerficaJsonWriter *w, const Line *line)
{
  GuardScope scope = *batch->defaults;
  g_autoptr (GuardVerdict) verdict = NULL;

  scope.project = project_of (batch, line->project);
  if (line->loop != NULL)
    scope.loop = line->loop;
  if (line->loops != NULL && line->loops[0] != NULL)
    scope.loops = (const char *const *) line->loops;
  if (line->folder != NULL)
    scope.folder = line->folder;
  scope.sandbox = line->sandbox;
  scope.case_insensitive = line->case_insensitive;
  verdict = guard_read (line->command, strlen (line->command), &scope, batch->files);
  agent_verdict_write (w, verdict);
}

static void
take_line (Batch *batch, const char *text, gsize length)
{
  PerficaJsonWriter w = { .text = batch->out };
  g_autoptr (GError) error = NULL;
  g_auto (Line) line = { 0 };
  gboolean good = text != NULL && read_line (batch, &line, text, length, &error);

  perfica_json_writer_open (&w, NULL, '{');
  perfica_json_writer_raw (&w, "id", line.id != NULL ? line.id : "null");
  if (good)
    judge (batch, &w, &line);
  else
    write_error (&w, error != NULL ? error->message : "the line is too long");
  perfica_json_writer_close (&w, '}');
  g_string_append_c (batch->out, '\n');
  if (batch->out->len > ENOUGH)
    flush (batch);
}

static void
take_bytes (Batch *batch, PerficaWireReader *reader, const char *data, gsize length)
{
  const char *line;
  gsize line_length;
  PerficaWireRead got;

  while (!batch->broken &&
         (got = perfica_wire_reader_next (reader, &data, &length, &line, &line_length)) !=
             PERFICA_WIRE_READ_MORE)
    if (got == PERFICA_WIRE_READ_TOO_LONG)
      take_line (batch, NULL, 0);
    else if (line_length > 0)
      take_line (batch, line, line_length);
}

int
agent_batch (int in, int out, const GuardScope *defaults, gboolean disk)
{
  g_autoptr (PerficaWireReader) reader = perfica_wire_reader_new (MAX_LINE);
  Batch batch = { .defaults = defaults,
                  .files = disk ? guard_files_disk () : NULL,
                  .out = g_string_sized_new (ENOUGH + 4096),
                  .fd = out };
  g_autofree char *buffer = g_malloc (65536);
  gssize n;

  while (!batch.broken)
    {
      n = read (in, buffer, 65536);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      take_bytes (&batch, reader, buffer, (gsize) n);
      flush (&batch);
    }
  /* A last line without its newline counts too. */
  if (perfica_wire_reader_get_held (reader) > 0)
    take_bytes (&batch, reader, "\n", 1);
  flush (&batch);
  g_string_free (batch.out, TRUE);
  g_free (batch.project_given);
  g_free (batch.project);
  return batch.broken ? AGENT_EXIT_FAILED : AGENT_EXIT_OK;
}
