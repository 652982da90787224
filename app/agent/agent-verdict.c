/* The guard's verdict, for people and for programs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-verdict.h"

#include <glib/gi18n.h>
#include <string.h>

#include "perfica-wire.h"

static void
string_or_null (PerficaJsonWriter *w, const char *name, const char *value)
{
  if (value != NULL)
    perfica_json_writer_string (w, name, value);
  else
    perfica_json_writer_raw (w, name, "null");
}

static void
write_finding (PerficaJsonWriter *w, const GuardFinding *finding)
{
  g_autofree char *text = guard_finding_text (finding, _ (finding->message));

  perfica_json_writer_open (w, NULL, '{');
  perfica_json_writer_string (w, "rule", finding->rule);
  perfica_json_writer_int (w, "start", finding->start);
  perfica_json_writer_int (w, "end", finding->end);
  perfica_json_writer_string (w, "text", text);
  string_or_null (w, "kind", finding->kind);
  string_or_null (w, "intent",
                  finding->intent != GUARD_INTENT_NONE ? guard_intent_to_string (finding->intent)
                                                       : NULL);
  string_or_null (w, "alternative", finding->alternative);
  perfica_json_writer_close (w, '}');
}

void
agent_verdict_write (PerficaJsonWriter *w, const GuardVerdict *verdict)
{
  perfica_json_writer_string (w, "answer", guard_answer_to_string (verdict->answer));
  perfica_json_writer_string (w, "time_class",
                              verdict->time_class == GUARD_TIME_LONG ? "long" : "short");
  perfica_json_writer_open (w, "findings", '[');
  for (guint i = 0; i < verdict->findings->len; i++)
    write_finding (w, verdict->findings->pdata[i]);
  perfica_json_writer_close (w, ']');
  string_or_null (w, "canonical", verdict->canonical);
}

/* Appends untrusted text: what would drive a terminal shows as U+FFFD. */
static void
append_shown (GString *line, const char *text, gssize length)
{
  g_autofree char *valid = g_utf8_make_valid (text, length);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (line, c != '\n' && g_unichar_iscntrl (c) ? 0xfffd : c);
    }
}

static void
append_finding (GString *text, const GuardFinding *finding, const char *command)
{
  g_autofree char *sentence = guard_finding_text (finding, _ (finding->message));
  gsize length = strlen (command);
  gsize start = MIN (finding->start, length);
  gsize end = CLAMP (finding->end, start, length);

  g_string_append (text, "- ");
  append_shown (text, sentence, -1);
  g_string_append_printf (text, " (%s)\n", finding->rule);
  g_string_append_printf (text, _ ("  at %u to %u: "), finding->start, finding->end);
  append_shown (text, command + start, (gssize) (end - start));
  g_string_append_c (text, '\n');
  if (finding->kind != NULL)
    {
      g_string_append (text, _ ("  kind: "));
      append_shown (text, finding->kind, -1);
      g_string_append_c (text, '\n');
    }
  if (finding->alternative != NULL)
    {
      g_string_append (text, _ ("  instead: "));
      append_shown (text, finding->alternative, -1);
      g_string_append_c (text, '\n');
    }
  else if (finding->intent == GUARD_INTENT_PERSON)
    g_string_append (text, _ ("  for the person: Run in terminal\n"));
}

char *
agent_verdict_text (const GuardVerdict *verdict, const char *command)
{
  GString *text = g_string_new (NULL);

  switch (verdict->answer)
    {
    case GUARD_ANSWER_ALLOW:
      g_string_append (text, _ ("Allowed.\n"));
      break;
    case GUARD_ANSWER_ASK:
      g_string_append (text, _ ("Asked: a person must agree first.\n"));
      break;
    case GUARD_ANSWER_REFUSE:
      g_string_append (text, _ ("Refused.\n"));
      break;
    }
  for (guint i = 0; i < verdict->findings->len; i++)
    append_finding (text, verdict->findings->pdata[i], command);
  if (verdict->answer == GUARD_ANSWER_REFUSE)
    return g_string_free (text, FALSE);
  g_string_append (text, verdict->time_class == GUARD_TIME_LONG ? _ ("Time limit: ten minutes.\n")
                                                                : _ ("Time limit: two minutes.\n"));
  if (verdict->canonical != NULL)
    {
      g_string_append (text, _ ("Runs as: "));
      append_shown (text, verdict->canonical, -1);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

char *
agent_verdict_reason (const GuardVerdict *verdict)
{
  GString *text =
      g_string_new (verdict->answer == GUARD_ANSWER_REFUSE ? "Refused by Perfica's rules."
                                                           : "It needs the person's say.");

  for (guint i = 0; i < verdict->findings->len; i++)
    {
      const GuardFinding *finding = verdict->findings->pdata[i];
      g_autofree char *sentence = NULL;

      if (finding->answer != verdict->answer || text->len > PERFICA_WIRE_MAX_MESSAGE)
        continue;
      sentence = guard_finding_text (finding, NULL);
      g_string_append (text, "\n- ");
      append_shown (text, sentence, -1);
      g_string_append_printf (text, " (%s)", finding->rule);
      if (finding->alternative != NULL)
        g_string_append_printf (text, "\n  Instead: %s", finding->alternative);
      else if (finding->intent == GUARD_INTENT_PERSON)
        g_string_append (text, "\n  This is for the person: they can run it in a terminal.");
    }
  return g_string_free (text, FALSE);
}

gboolean
agent_bash_available (void)
{
  g_autofree char *path = g_find_program_in_path ("bash");

  return path != NULL;
}
