/* What became of a command, told to an agent and to programs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-result.h"

#include <string.h>

gboolean
agent_result_ran (const PerficaWireResult *result)
{
  return result->outcome == PERFICA_OUTCOME_RAN;
}

static const char *
outcome_sentence (PerficaOutcome outcome)
{
  switch (outcome)
    {
    case PERFICA_OUTCOME_LIMIT:
      return "Stopped at the time limit, with everything it had started.";
    case PERFICA_OUTCOME_CANCELLED:
      return "Stopped before it finished, because somebody cancelled it.";
    case PERFICA_OUTCOME_REFUSED:
      return "Refused by Perfica's rules. It did not run.";
    case PERFICA_OUTCOME_NO_TOOL:
      return "Refused: \"Run commands\" isn't among your tools. It did not run.";
    case PERFICA_OUTCOME_DENIED:
      return "Denied by the person. It did not run.";
    case PERFICA_OUTCOME_NOBODY:
      return "It needs the person's say, and nobody answered in time. It did not run.";
    case PERFICA_OUTCOME_NO_WINDOW:
      return "It needs the person's say, and no Perfica window is open. It did not run.";
    case PERFICA_OUTCOME_UNCONFINED:
      return "It could not be confined, and never runs without that. It did not run.";
    case PERFICA_OUTCOME_AGENT_GONE:
      return "Stopped, because the connection it came from ended.";
    case PERFICA_OUTCOME_GATEWAY_STOPPED:
      return "Stopped, because Perfica's gateway stopped or restarts.";
    case PERFICA_OUTCOME_LOST:
      return "It began, and how it ended isn't known. Nothing of it runs any more.";
    case PERFICA_OUTCOME_NOT_ATTACHED:
      return "The person hasn't confirmed this agent in Perfica's window yet. Ask them to, then "
             "try again. It did not run.";
    case PERFICA_OUTCOME_PENDING:
    case PERFICA_OUTCOME_ERROR:
    case PERFICA_OUTCOME_RAN:
      break;
    }
  return "Perfica could not run it.";
}

static const char *
intent_sentence (const char *intent)
{
  static const struct
  {
    const char *intent;
    const char *sentence;
  } sentences[] = {
    { "stop", "Don't look for another spelling of it; do without it or ask the person." },
    { "narrow", "Narrow it down to what is yours." },
    { "person", "This is for the person: they can take it over with \"Run in terminal\" in "
                "Perfica." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    if (g_strcmp0 (sentences[i].intent, intent) == 0)
      return sentences[i].sentence;
  return NULL;
}

/* Refusing findings alone matter where the guard refused, asking ones where a person was asked. */
static void
add_findings (GString *text, const PerficaWireResult *result)
{
  for (guint i = 0; result->findings != NULL && i < result->findings->len; i++)
    {
      const PerficaWireFinding *finding = result->findings->pdata[i];
      const char *advice = intent_sentence (finding->intent);

      if (g_strcmp0 (finding->answer, result->answer) != 0)
        continue;
      g_string_append_printf (text, "\n- %s (%s)", finding->text, finding->rule);
      if (finding->alternative != NULL)
        g_string_append_printf (text, "\n  Instead: %s", finding->alternative);
      else if (advice != NULL)
        g_string_append_printf (text, "\n  %s", advice);
    }
}

char *
agent_result_reason (const PerficaWireResult *result)
{
  GString *text = g_string_new (outcome_sentence (result->outcome));

  if (result->message != NULL && *result->message != '\0')
    g_string_append_printf (text, "\n%s", result->message);
  if (g_strcmp0 (result->answer, "allow") != 0)
    add_findings (text, result);
  return g_string_free (text, FALSE);
}

static void
add_duration (GString *text, gint64 us)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.3f", (double) us / 1e6));
  g_string_append (text, " s");
}

/* Head and tail with what lies between them counted. */
static char *
join_stream (const char *head, const char *tail, guint64 total)
{
  gsize shown;

  if (head == NULL)
    head = "";
  if (tail == NULL || *tail == '\0')
    return g_strdup (head);
  shown = strlen (head) + strlen (tail);
  return g_strdup_printf ("%s\n[... %" G_GUINT64_FORMAT " bytes left out ...]\n%s", head,
                          total > shown ? total - shown : 0, tail);
}

static void
add_stream (GString *text, const char *name, const char *head, const char *tail, guint64 total)
{
  g_autofree char *joined = join_stream (head, tail, total);

  if (*joined == '\0')
    return;
  g_string_append_printf (text, "\n\n%s:\n%s", name, joined);
  if (text->str[text->len - 1] == '\n')
    g_string_truncate (text, text->len - 1);
}

static void
add_ending (GString *text, const PerficaWireResult *result)
{
  if (result->signal_number != 0)
    g_string_append_printf (text, "Ended by signal %d (%s), ", result->signal_number,
                            g_strsignal (result->signal_number));
  else
    g_string_append_printf (text, "Exit code %d, ", result->exit_code);
  add_duration (text, result->duration_us);
  g_string_append_c (text, '.');
  if (result->message != NULL && *result->message != '\0')
    g_string_append_printf (text, " %s", result->message);
}

char *
agent_result_text (const PerficaWireResult *result)
{
  GString *text = g_string_new (NULL);

  if (agent_result_ran (result))
    add_ending (text, result);
  else
    {
      g_autofree char *reason = agent_result_reason (result);

      g_string_append (text, reason);
      if (result->duration_us > 0)
        {
          g_string_append (text, "\nIt ran for ");
          add_duration (text, result->duration_us);
          if (result->limit_seconds > 0)
            g_string_append_printf (text, "; the limit is %u s", result->limit_seconds);
          g_string_append_c (text, '.');
        }
    }
  add_stream (text, "stdout", result->stdout_head, result->stdout_tail, result->stdout_total);
  add_stream (text, "stderr", result->stderr_head, result->stderr_tail, result->stderr_total);
  if (result->output_path != NULL &&
      (result->output_cut || (result->stdout_tail != NULL && *result->stdout_tail != '\0') ||
       (result->stderr_tail != NULL && *result->stderr_tail != '\0')))
    g_string_append_printf (text, "\n\nThe whole output is in %s.", result->output_path);
  return g_string_free (text, FALSE);
}

static void
write_finding (PerficaJsonWriter *w, const PerficaWireFinding *finding)
{
  perfica_json_writer_open (w, NULL, '{');
  perfica_json_writer_string (w, "answer", finding->answer);
  perfica_json_writer_string (w, "rule", finding->rule);
  perfica_json_writer_int (w, "start", finding->start);
  perfica_json_writer_int (w, "end", finding->end);
  perfica_json_writer_string (w, "text", finding->text);
  perfica_json_writer_string (w, "kind", finding->kind);
  perfica_json_writer_string (w, "intent", finding->intent);
  perfica_json_writer_string (w, "alternative", finding->alternative);
  perfica_json_writer_close (w, '}');
}

void
agent_result_write (PerficaJsonWriter *w, const PerficaWireResult *result)
{
  g_autofree char *out =
      join_stream (result->stdout_head, result->stdout_tail, result->stdout_total);
  g_autofree char *err =
      join_stream (result->stderr_head, result->stderr_tail, result->stderr_total);

  perfica_json_writer_string (w, "outcome", perfica_outcome_to_string (result->outcome));
  if (result->exit_code >= 0)
    perfica_json_writer_int (w, "exit_code", result->exit_code);
  if (result->signal_number != 0)
    perfica_json_writer_int (w, "signal", result->signal_number);
  perfica_json_writer_int (w, "duration_ms", result->duration_us / 1000);
  if (result->limit_seconds != 0)
    perfica_json_writer_int (w, "time_limit_seconds", result->limit_seconds);
  perfica_json_writer_string (w, "stdout", out);
  perfica_json_writer_int (w, "stdout_bytes", (gint64) MIN (result->stdout_total, G_MAXINT64));
  perfica_json_writer_string (w, "stderr", err);
  perfica_json_writer_int (w, "stderr_bytes", (gint64) MIN (result->stderr_total, G_MAXINT64));
  perfica_json_writer_string (w, "output_file", result->output_path);
  if (result->output_cut)
    perfica_json_writer_boolean (w, "output_file_cut", TRUE);
  if (result->answer != NULL)
    {
      perfica_json_writer_open (w, "verdict", '{');
      perfica_json_writer_string (w, "answer", result->answer);
      perfica_json_writer_open (w, "findings", '[');
      for (guint i = 0; result->findings != NULL && i < result->findings->len; i++)
        write_finding (w, result->findings->pdata[i]);
      perfica_json_writer_close (w, ']');
      perfica_json_writer_close (w, '}');
    }
  perfica_json_writer_string (w, "message", result->message);
  perfica_json_writer_string (w, "confinement", result->confinement);
}
