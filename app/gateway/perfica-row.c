/* One row of the record, as a plain value that may cross threads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-row.h"

#include <string.h>

#include "perfica-json.h"

/* More words than a person types into a search field. */
#define MAX_WORDS 16

PerficaRow *
perfica_row_new (void)
{
  PerficaRow *row = g_new0 (PerficaRow, 1);

  row->outcome = PERFICA_OUTCOME_PENDING;
  row->exit_code = -1;
  return row;
}

static char **
texts (PerficaRow *row, guint i)
{
  char **const all[] = { &row->board,       &row->bubble,      &row->folder,   &row->command,
                         &row->canonical,   &row->reason,      &row->findings, &row->rule,
                         &row->confinement, &row->output_path, &row->output,   &row->answered_by,
                         &row->client };

  return i < G_N_ELEMENTS (all) ? all[i] : NULL;
}

PerficaRow *
perfica_row_copy (const PerficaRow *row)
{
  PerficaRow *copy = g_memdup2 (row, sizeof *row);
  char **text;

  for (guint i = 0; (text = texts (copy, i)); i++)
    *text = g_strdup (*text);
  return copy;
}

void
perfica_row_free (PerficaRow *row)
{
  char **text;

  for (guint i = 0; (text = texts (row, i)); i++)
    g_free (*text);
  g_free (row);
}

PerficaQuery *
perfica_query_new (const PerficaActivityQuery *wanted)
{
  PerficaQuery *query = g_new0 (PerficaQuery, 1);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_auto (GStrv) parts = g_strsplit_set (wanted->search ? wanted->search : "", " \t\n", -1);
  guint n = 0;

  query->board = g_strdup (wanted->board);
  query->bubble = g_strdup (wanted->bubble);
  query->filter = wanted->filter;
  query->answer = wanted->answer;
  query->exit = wanted->exit;
  for (guint i = 0; parts[i] && n < MAX_WORDS; i++)
    if (*parts[i])
      {
        g_strv_builder_add (words, parts[i]);
        n++;
      }
  query->words = g_strv_builder_end (words);
  return query;
}

PerficaQuery *
perfica_query_copy (const PerficaQuery *query)
{
  PerficaQuery *copy = g_new0 (PerficaQuery, 1);

  copy->board = g_strdup (query->board);
  copy->bubble = g_strdup (query->bubble);
  copy->filter = query->filter;
  copy->answer = query->answer;
  copy->exit = query->exit;
  copy->words = g_strdupv (query->words);
  return copy;
}

void
perfica_query_free (PerficaQuery *query)
{
  g_free (query->board);
  g_free (query->bubble);
  g_strfreev (query->words);
  g_free (query);
}

gboolean
perfica_filter_matches (PerficaFilter filter, const PerficaRow *row)
{
  switch (filter)
    {
    case PERFICA_FILTER_ALL:
      return TRUE;
    case PERFICA_FILTER_ASKED:
      return row->asked;
    case PERFICA_FILTER_REFUSED:
      switch (row->outcome)
        {
        case PERFICA_OUTCOME_REFUSED:
        case PERFICA_OUTCOME_NO_TOOL:
        case PERFICA_OUTCOME_DENIED:
        case PERFICA_OUTCOME_NOBODY:
        case PERFICA_OUTCOME_NO_WINDOW:
        case PERFICA_OUTCOME_UNCONFINED:
        case PERFICA_OUTCOME_NOT_ATTACHED:
          return TRUE;
        default:
          return FALSE;
        }
    case PERFICA_FILTER_FAILED:
      return row->outcome == PERFICA_OUTCOME_LIMIT || row->outcome == PERFICA_OUTCOME_LOST ||
             row->outcome == PERFICA_OUTCOME_ERROR ||
             (row->outcome == PERFICA_OUTCOME_RAN &&
              (row->exit_code != 0 || row->signal_number != 0));
    }
  return FALSE;
}

static gboolean
answer_matches (PerficaAnswerFilter answer, const PerficaRow *row)
{
  switch (answer)
    {
    case PERFICA_ANSWER_ONCE:
      return g_strcmp0 (row->answered_by, "person") == 0 && row->outcome != PERFICA_OUTCOME_DENIED;
    case PERFICA_ANSWER_ALWAYS:
      return row->answered_by && g_str_has_prefix (row->answered_by, "always:");
    case PERFICA_ANSWER_FULL_AUTO:
      return g_strcmp0 (row->answered_by, "Full Auto") == 0;
    case PERFICA_ANSWER_DENIED:
      return row->outcome == PERFICA_OUTCOME_DENIED;
    case PERFICA_ANSWER_NOBODY:
      return row->outcome == PERFICA_OUTCOME_NOBODY || row->outcome == PERFICA_OUTCOME_NO_WINDOW;
    case PERFICA_ANSWER_ANY:
    default:
      return TRUE;
    }
}

static gboolean
exit_matches (PerficaExitFilter wanted, const PerficaRow *row)
{
  gboolean ran = row->outcome == PERFICA_OUTCOME_RAN;
  gboolean failed = row->exit_code != 0 || row->signal_number != 0;

  switch (wanted)
    {
    case PERFICA_EXIT_OK:
      return ran && !failed;
    case PERFICA_EXIT_FAILED:
      return ran && failed;
    case PERFICA_EXIT_STOPPED:
      return row->outcome == PERFICA_OUTCOME_LIMIT || row->outcome == PERFICA_OUTCOME_CANCELLED ||
             row->outcome == PERFICA_OUTCOME_AGENT_GONE ||
             row->outcome == PERFICA_OUTCOME_GATEWAY_STOPPED ||
             row->outcome == PERFICA_OUTCOME_LOST;
    case PERFICA_EXIT_NEVER:
      return perfica_filter_matches (PERFICA_FILTER_REFUSED, row) ||
             row->outcome == PERFICA_OUTCOME_ERROR;
    case PERFICA_EXIT_RUNNING:
      return row->outcome == PERFICA_OUTCOME_PENDING;
    case PERFICA_EXIT_ANY:
    default:
      return TRUE;
    }
}

/* As SQL's LIKE does it: case counts for none of A-Z. */
static gboolean
has_word (const char *text, const char *word)
{
  gsize length = strlen (word);

  for (const char *at = text; at && *at; at++)
    if (g_ascii_strncasecmp (at, word, length) == 0)
      return TRUE;
  return FALSE;
}

gboolean
perfica_query_matches (const PerficaQuery *query, const PerficaRow *row)
{
  if (query->board && g_strcmp0 (query->board, row->board) != 0)
    return FALSE;
  if (query->bubble && g_strcmp0 (query->bubble, row->bubble) != 0)
    return FALSE;
  if (!perfica_filter_matches (query->filter, row) || !answer_matches (query->answer, row) ||
      !exit_matches (query->exit, row))
    return FALSE;
  for (guint i = 0; query->words[i]; i++)
    if (!has_word (row->command, query->words[i]) && !has_word (row->output, query->words[i]) &&
        !has_word (row->bubble, query->words[i]) && !has_word (row->reason, query->words[i]))
      return FALSE;
  return TRUE;
}

char *
perfica_row_to_json (const PerficaRow *row)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (row->time / G_USEC_PER_SEC);
  g_autofree char *time = utc ? g_date_time_format (utc, "%Y-%m-%dT%H:%M:%S") : NULL;
  g_autofree char *stamp =
      g_strdup_printf ("%s.%06dZ", time ? time : "", (int) (row->time % G_USEC_PER_SEC));
  PerficaJsonWriter writer;

  perfica_json_writer_init (&writer);
  perfica_json_writer_open (&writer, NULL, '{');
  perfica_json_writer_int (&writer, "id", row->id);
  perfica_json_writer_string (&writer, "time", stamp);
  perfica_json_writer_string (&writer, "board", row->board);
  perfica_json_writer_string (&writer, "bubble", row->bubble);
  perfica_json_writer_string (&writer, "client", row->client);
  perfica_json_writer_string (&writer, "folder", row->folder);
  perfica_json_writer_string (&writer, "command", row->command);
  perfica_json_writer_string (&writer, "canonical", row->canonical);
  perfica_json_writer_string (&writer, "outcome", perfica_outcome_to_string (row->outcome));
  perfica_json_writer_string (&writer, "reason", row->reason);
  perfica_json_writer_string (&writer, "findings", row->findings);
  perfica_json_writer_string (&writer, "rule", row->rule);
  perfica_json_writer_boolean (&writer, "asked", row->asked);
  perfica_json_writer_string (&writer, "answered_by", row->answered_by);
  perfica_json_writer_int (&writer, "exit_code", row->exit_code);
  perfica_json_writer_int (&writer, "signal", row->signal_number);
  perfica_json_writer_int (&writer, "duration_us", row->duration);
  perfica_json_writer_string (&writer, "confinement", row->confinement);
  perfica_json_writer_string (&writer, "output_path", row->output_path);
  perfica_json_writer_string (&writer, "output", row->output);
  perfica_json_writer_close (&writer, '}');
  return perfica_json_writer_end (&writer);
}
