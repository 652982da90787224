/* From how a journey went to its answer and its row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-result.h"

#include <glib/gi18n-lib.h>

#include "perfica-gateway-private.h"
#include "perfica-journey.h"

/* A refusal of a long line may have thousands of findings. */
#define MAX_FINDINGS 32

static char *
finding_text (const GuardFinding *finding)
{
  return guard_finding_text (finding, g_dgettext (GETTEXT_PACKAGE, finding->message));
}

static const GuardFinding *
strictest (const GuardVerdict *verdict)
{
  const GuardFinding *best = NULL;

  for (guint i = 0; i < verdict->findings->len; i++)
    {
      const GuardFinding *finding = verdict->findings->pdata[i];

      if (!best || finding->answer > best->answer)
        best = finding;
    }
  return best;
}

char *
perfica_result_refusal (const GuardVerdict *verdict)
{
  const GuardFinding *finding = strictest (verdict);
  g_autofree char *text = NULL;

  if (!finding || finding->answer != GUARD_ANSWER_REFUSE)
    return NULL;
  text = finding_text (finding);
  if (finding->alternative)
    return g_strdup_printf (_ ("%s. Instead: %s"), text, finding->alternative);
  if (finding->intent == GUARD_INTENT_PERSON)
    return g_strdup_printf (
        _ ("%s. The person can run it in a terminal: ask them, if it is needed."), text);
  return g_steal_pointer (&text);
}

char *
perfica_result_unconfined (PerficaGateway *gateway, const char *why)
{
  const SandboxDiagnosis *diagnosis = perfica_gateway_get_diagnosis (gateway);

  perfica_gateway_check_backend (gateway);
  if (!diagnosis || diagnosis->ready || !diagnosis->command)
    return g_strdup (why);
  return g_strdup_printf (_ ("%s The person can mend it with: %s"), why, diagnosis->command);
}

static PerficaOutcome
outcome_of (PerficaRequest *request, const SandboxResult *run)
{
  switch (run->ending)
    {
    case SANDBOX_ENDING_EXITED:
      return PERFICA_OUTCOME_RAN;
    case SANDBOX_ENDING_LIMIT:
      return PERFICA_OUTCOME_LIMIT;
    case SANDBOX_ENDING_CANCELLED:
      return request->ending == PERFICA_OUTCOME_PENDING ? PERFICA_OUTCOME_CANCELLED
                                                        : request->ending;
    case SANDBOX_ENDING_SETUP_FAILED:
      return request->sandboxed ? PERFICA_OUTCOME_UNCONFINED : PERFICA_OUTCOME_ERROR;
    case SANDBOX_ENDING_LOST:
    default:
      return PERFICA_OUTCOME_LOST;
    }
}

static char *
text_or_null (GBytes *bytes)
{
  return bytes && g_bytes_get_size (bytes) > 0 ? perfica_wire_text (bytes) : NULL;
}

/* What the end of its output says about why it failed. */
static char *
explain (PerficaRequest *request, const SandboxResult *run)
{
  g_autofree char *out_head = text_or_null (run->stdout_head);
  g_autofree char *out_tail = text_or_null (run->stdout_tail);
  g_autofree char *err_head = text_or_null (run->stderr_head);
  g_autofree char *err_tail = text_or_null (run->stderr_tail);
  g_autofree char *all = g_strconcat (out_head ? out_head : "", out_tail ? out_tail : "", "\n",
                                      err_head ? err_head : "", err_tail ? err_tail : "", NULL);

  return sandbox_explain_failure (request->plan, request->policy, run->exit_code, all);
}

PerficaWireResult *
perfica_result_from_run (PerficaRequest *request, const SandboxResult *run)
{
  PerficaWireResult *result = perfica_wire_result_new (outcome_of (request, run));

  result->exit_code = run->exit_code;
  result->signal_number = run->signal_number;
  result->duration_us = run->duration_us;
  result->stdout_head = text_or_null (run->stdout_head);
  result->stdout_tail = text_or_null (run->stdout_tail);
  result->stdout_total = run->stdout_total;
  result->stderr_head = text_or_null (run->stderr_head);
  result->stderr_tail = text_or_null (run->stderr_tail);
  result->stderr_total = run->stderr_total;
  result->output_cut = run->output_cut;
  request->plan->tree_is_certain = request->plan->tree_is_certain && run->tree_is_certain;
  if (run->ending == SANDBOX_ENDING_SETUP_FAILED)
    {
      const char *words = run->message ? run->message : _ ("The command could not be started.");

      result->exit_code = -1;
      request->message = request->sandboxed ? perfica_result_unconfined (request->gateway, words)
                                            : g_strdup (words);
    }
  else if (!request->message && (run->exit_code != 0 || run->signal_number != 0))
    request->message = explain (request, run);
  return result;
}

static void
add_finding (PerficaWireResult *result, const GuardFinding *finding)
{
  PerficaWireFinding *copy = perfica_wire_finding_new ();

  copy->answer = g_strdup (guard_answer_to_string (finding->answer));
  copy->rule = g_strdup (finding->rule);
  copy->start = finding->start;
  copy->end = finding->end;
  copy->text = finding_text (finding);
  copy->kind = g_strdup (finding->kind);
  if (finding->intent != GUARD_INTENT_NONE)
    copy->intent = g_strdup (guard_intent_to_string (finding->intent));
  copy->alternative = g_strdup (finding->alternative);
  g_ptr_array_add (result->findings, copy);
}

static void
add_findings (PerficaWireResult *result, const GuardVerdict *verdict)
{
  if (!result->findings)
    result->findings = g_ptr_array_new_with_free_func ((GDestroyNotify) perfica_wire_finding_free);
  for (int answer = GUARD_ANSWER_REFUSE; answer >= GUARD_ANSWER_ALLOW; answer--)
    for (guint i = 0; i < verdict->findings->len; i++)
      {
        const GuardFinding *finding = verdict->findings->pdata[i];

        if ((int) finding->answer == answer && result->findings->len < MAX_FINDINGS)
          add_finding (result, finding);
      }
}

static const char *
confinement (PerficaRequest *request)
{
  if (!request->plan)
    return NULL;
  if (!request->plan->tree_is_certain)
    return "best effort";
  return sandbox_backend_to_string (request->plan->backend);
}

void
perfica_result_complete (PerficaRequest *request, PerficaWireResult *result)
{
  const char *advice = perfica_journey_get_advice (result->outcome);

  if (request->verdict)
    {
      result->answer = g_strdup (guard_answer_to_string (request->verdict->answer));
      add_findings (result, request->verdict);
    }
  result->limit_seconds = request->limit_seconds;
  result->output_path = g_strdup (request->output_path);
  result->confinement = g_strdup (confinement (request));
  if (request->message && advice && result->outcome != PERFICA_OUTCOME_REFUSED &&
      result->outcome != PERFICA_OUTCOME_CANCELLED)
    result->message = g_strdup_printf ("%s %s", request->message, advice);
  else
    result->message = g_strdup (request->message ? request->message : advice);
}

static char *
findings_text (const GuardVerdict *verdict)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < verdict->findings->len && i < MAX_FINDINGS; i++)
    {
      const GuardFinding *finding = verdict->findings->pdata[i];
      g_autofree char *sentence = finding_text (finding);

      g_string_append_printf (text, "%s%s %s %u-%u %s", i > 0 ? "\n" : "",
                              guard_answer_to_string (finding->answer), finding->rule,
                              finding->start, finding->end, sentence);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
offers_terminal (PerficaRequest *request)
{
  for (guint i = 0; request->verdict && i < request->verdict->findings->len; i++)
    {
      const GuardFinding *finding = request->verdict->findings->pdata[i];

      if (finding->answer == GUARD_ANSWER_REFUSE && finding->intent == GUARD_INTENT_PERSON)
        return TRUE;
    }
  /* A command that probably failed for its confinement. */
  return request->sandboxed && request->plan && request->message;
}

PerficaRow *
perfica_result_row (PerficaRequest *request, const PerficaWireResult *result)
{
  PerficaRow *row = perfica_row_new ();
  const GuardFinding *finding = request->verdict ? strictest (request->verdict) : NULL;

  row->time = request->time;
  row->board = g_strdup (perfica_board_get_id (request->board));
  row->bubble = g_strdup (perfica_bubble_get_name (request->bubble));
  row->client = g_strdup (request->client);
  row->folder = g_strdup (request->folder);
  row->command = g_strdup (request->command);
  row->asked = request->asked;
  row->answered_by = g_strdup (request->answered_by);
  row->confinement = g_strdup (confinement (request));
  row->output_path = g_strdup (request->output_path);
  row->terminal = offers_terminal (request);
  row->rule = finding ? g_strdup (finding->rule) : NULL;
  if (request->verdict)
    {
      row->canonical = g_strdup (request->verdict->canonical);
      row->findings = findings_text (request->verdict);
    }
  if (result)
    {
      row->outcome = result->outcome;
      row->exit_code = result->exit_code;
      row->signal_number = result->signal_number;
      row->duration = result->duration_us;
      row->reason = g_strdup (result->message);
    }
  return row;
}
