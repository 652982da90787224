/* A command's journey: eight steps, one function each, from top to bottom.
 *
 * A step that has to wait continues in the function right below it. Each first looks whether the
 * request has to end meanwhile. Whatever isn't clearly allowed ends the journey.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-journey.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "perfica-approvals-private.h"
#include "perfica-board-folder.h"
#include "perfica-board-private.h"
#include "perfica-confine.h"
#include "perfica-gateway-private.h"
#include "perfica-outputs.h"
#include "perfica-result.h"
#include "perfica-scratch.h"

static void step_2_read (PerficaRequest *self);
static void step_3_ask (PerficaRequest *self);
static void step_4_verify (PerficaRequest *self);
static void step_5_confine (PerficaRequest *self);
static void step_6_record (PerficaRequest *self);
static void step_7_run (PerficaRequest *self);
static void step_8_answer (PerficaRequest *self, PerficaWireResult *result);

/* Ends a journey that never got to run. @message: (transfer full) (nullable) */
static void
refuse (PerficaRequest *self, PerficaOutcome outcome, char *message)
{
  PerficaWireResult *result = perfica_wire_result_new (outcome);

  result->exit_code = -1;
  if (message)
    {
      g_free (self->message);
      self->message = message;
    }
  step_8_answer (self, result);
}

/* Whether somebody ended it while a step waited; then it is over. */
static gboolean
has_ended (PerficaRequest *self)
{
  if (self->ending == PERFICA_OUTCOME_PENDING)
    return FALSE;
  refuse (self, self->ending, NULL);
  return TRUE;
}

void
perfica_journey_end (PerficaRequest *self, PerficaOutcome why)
{
  g_autoptr (PerficaRequest) held G_GNUC_UNUSED = g_object_ref (self);

  if (self->ending != PERFICA_OUTCOME_PENDING || self->state == PERFICA_STATE_DONE)
    return;
  self->ending = why;
  g_cancellable_cancel (self->cancellable);
  if (perfica_approvals_withdraw (perfica_gateway_get_approvals (self->gateway), self))
    has_ended (self);
}

/* Step 1: may this bubble run commands? */
void
perfica_journey_start (PerficaRequest *self)
{
  const char *problem = perfica_gateway_get_store_problem (self->gateway);

  perfica_gateway_take_request (self->gateway, self);
  perfica_request_set_state (self, PERFICA_STATE_READING);
  if (perfica_gateway_is_stopping (self->gateway))
    refuse (self, PERFICA_OUTCOME_GATEWAY_STOPPED, NULL);
  else if (problem)
    refuse (self, PERFICA_OUTCOME_ERROR, g_strdup (problem));
  else if (perfica_board_find_bubble (self->board, perfica_bubble_get_name (self->bubble)) !=
           self->bubble)
    refuse (self, PERFICA_OUTCOME_NOT_ATTACHED, g_strdup (_ ("This bubble was removed.")));
  else if (!(self->tools & PERFICA_TOOL_RUN))
    refuse (self, PERFICA_OUTCOME_NO_TOOL, NULL);
  else
    step_2_read (self);
}

static void was_read (GObject *source, GAsyncResult *result, gpointer data);

/* Step 2: the guard reads it, on a worker. */
static void
step_2_read (PerficaRequest *self)
{
  const PerficaPaths *paths = perfica_gateway_get_paths (self->gateway);
  PerficaReading *reading = g_new0 (PerficaReading, 1);

  if (!self->tmpdir)
    self->tmpdir = perfica_scratch_name (paths->scratch);
  reading->command = g_strdup (self->command);
  reading->project = g_strdup (perfica_board_get_folder (self->board));
  reading->loop = g_strdup (perfica_loop_get_folder (perfica_bubble_get_loop (self->bubble)));
  reading->wanted_folder = g_strdup (self->wanted_folder);
  reading->home = g_strdup (paths->home);
  reading->tmpdir = g_strdup (self->tmpdir);
  reading->sandbox = self->sandboxed;
  reading->loops =
      perfica_gateway_list_owned (self->gateway, self->board,
                                  perfica_bubble_get_loop (self->bubble), &reading->inner);
  perfica_reader_read_async (perfica_gateway_get_reader (self->gateway), reading, was_read,
                             g_object_ref (self));
}

static void
was_read (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PerficaRequest) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (PerficaReading) reading =
      perfica_reader_read_finish (perfica_gateway_get_reader (self->gateway), result, &error);

  if (has_ended (self))
    return;
  if (!reading)
    {
      gboolean busy = g_error_matches (error, PERFICA_ERROR, PERFICA_ERROR_BUSY);

      refuse (self, busy ? PERFICA_OUTCOME_ERROR : PERFICA_OUTCOME_REFUSED,
              g_strdup (error->message));
      return;
    }
  g_free (self->folder);
  self->folder = g_steal_pointer (&reading->folder);
  perfica_request_set_verdict (self, g_steal_pointer (&reading->verdict));
  if (self->verdict->answer == GUARD_ANSWER_REFUSE)
    refuse (self, PERFICA_OUTCOME_REFUSED, perfica_result_refusal (self->verdict));
  else
    step_3_ask (self);
}

static void answered (PerficaRequest *self,
                      gboolean was_answered,
                      PerficaDecision decision,
                      const char *message);

/* Step 3: where a person's say is needed, have it. */
static void
step_3_ask (PerficaRequest *self)
{
  g_auto (GStrv) kinds = NULL;
  g_autofree char *names = NULL;

  if (self->verdict->answer == GUARD_ANSWER_ALLOW)
    {
      step_4_verify (self);
      return;
    }
  self->asked = TRUE;
  g_clear_pointer (&self->answered_by, g_free);
  kinds = perfica_request_get_kinds (self);
  if (perfica_board_get_full_auto (self->board))
    self->answered_by = g_strdup ("Full Auto");
  else if (perfica_grants_use (perfica_board_get_grant_store (self->board),
                               (const char *const *) kinds))
    {
      names = g_strjoinv (", ", kinds);
      self->answered_by = g_strdup_printf ("always: %s", names);
    }
  if (self->answered_by)
    {
      step_4_verify (self);
      return;
    }
  if (!perfica_gateway_get_window_open (self->gateway))
    {
      refuse (self, PERFICA_OUTCOME_NO_WINDOW, NULL);
      return;
    }
  if (perfica_approvals_add (perfica_gateway_get_approvals (self->gateway), self,
                             perfica_gateway_get_prompt_limit (self->gateway), answered))
    perfica_request_set_state (self, PERFICA_STATE_ASKING);
  else
    refuse (self, PERFICA_OUTCOME_ERROR,
            g_strdup (_ ("Too many commands wait for the person already; try again later.")));
}

static void
answered (PerficaRequest *self,
          gboolean was_answered,
          PerficaDecision decision,
          const char *message)
{
  g_autoptr (PerficaRequest) held G_GNUC_UNUSED = g_object_ref (self);
  g_auto (GStrv) kinds = NULL;

  if (!was_answered)
    {
      refuse (self, PERFICA_OUTCOME_NOBODY, NULL);
      return;
    }
  self->answered_by = g_strdup ("person");
  if (decision == PERFICA_DECISION_DENY)
    {
      refuse (self, PERFICA_OUTCOME_DENIED, message && *message ? g_strdup (message) : NULL);
      return;
    }
  if (decision == PERFICA_DECISION_ALLOW_ALWAYS)
    kinds = perfica_request_get_kinds (self);
  for (guint i = 0; kinds && kinds[i]; i++)
    perfica_grants_add (perfica_board_get_grant_store (self->board), kinds[i]);
  step_4_verify (self);
}

static void was_verified (GObject *source, GAsyncResult *result, gpointer data);

/* Step 4: is all that the verdict rests on still what was read? */
static void
step_4_verify (PerficaRequest *self)
{
  perfica_request_set_state (self, PERFICA_STATE_STARTING);
  if (!self->verdict->plan.pins || !self->verdict->plan.pins[0])
    {
      step_5_confine (self);
      return;
    }
  perfica_reader_verify_async (perfica_gateway_get_reader (self->gateway),
                               (const char *const *) self->verdict->plan.pins, was_verified,
                               g_object_ref (self));
}

static void
was_verified (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PerficaRequest) self = data;
  g_autofree char *changed = NULL;
  gboolean same =
      perfica_reader_verify_finish (perfica_gateway_get_reader (self->gateway), result, &changed);

  if (has_ended (self))
    return;
  if (same)
    step_5_confine (self);
  else if (self->read_again)
    refuse (self, PERFICA_OUTCOME_REFUSED,
            g_strdup_printf (_ ("%s keeps changing while the command is read; try again when it "
                                "has settled."),
                             changed));
  else
    {
      /* A new verdict needs a new answer: step 3 comes again too. */
      self->read_again = TRUE;
      perfica_request_set_state (self, PERFICA_STATE_READING);
      step_2_read (self);
    }
}

static void has_environment (GObject *source, GAsyncResult *result, gpointer data);
static void was_confined (GObject *source, GAsyncResult *result, gpointer data);

/* Step 5: what confines it, and its environment, its TMPDIR and the app's folder. */
static void
step_5_confine (PerficaRequest *self)
{
  perfica_session_environment_get_async (perfica_gateway_get_environment (self->gateway),
                                         has_environment, g_object_ref (self));
}

static void
has_environment (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PerficaRequest) self = data;
  g_auto (GStrv) environment = perfica_session_environment_get_finish (result);

  if (!has_ended (self))
    perfica_confine_async (self, environment, was_confined, g_object_ref (self));
}

static void
was_confined (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PerficaRequest) self = data;
  g_autoptr (GError) error = NULL;
  gboolean done = perfica_confine_finish (self, result, &error);

  if (has_ended (self))
    return;
  if (done)
    step_6_record (self);
  else if (error->domain == PERFICA_ERROR || !self->sandboxed)
    refuse (self, PERFICA_OUTCOME_ERROR, g_strdup (error->message));
  else
    refuse (self, PERFICA_OUTCOME_UNCONFINED,
            perfica_result_unconfined (self->gateway, error->message));
}

static void was_recorded (GObject *source, GAsyncResult *result, gpointer data);

/* Step 6: the "started" row, committed before anything runs. */
static void
step_6_record (PerficaRequest *self)
{
  perfica_activity_add_async (perfica_gateway_get_activity (self->gateway),
                              perfica_result_row (self, NULL), was_recorded, g_object_ref (self));
}

static void
was_recorded (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PerficaRequest) self = data;
  g_autoptr (GError) error = NULL;

  self->entry = perfica_activity_add_finish (PERFICA_ACTIVITY (source), result, &error);
  if (has_ended (self))
    return;
  if (self->entry)
    step_7_run (self);
  else
    refuse (self, PERFICA_OUTCOME_ERROR, g_strdup (error->message));
}

static void output_was_opened (GObject *source, GAsyncResult *result, gpointer data);
static void has_output (gboolean is_stderr, GBytes *data, gpointer user_data);
static void has_run (GObject *source, GAsyncResult *result, gpointer data);

/* Step 7: run it under the supervisor, its whole output into the app's folder. */
static void
step_7_run (PerficaRequest *self)
{
  perfica_confine_open_output_async (self, output_was_opened, g_object_ref (self));
}

static guint
time_limit (PerficaRequest *self)
{
  const PerficaLimits *limits = perfica_gateway_get_limits (self->gateway);
  guint seconds =
      self->verdict->time_class == GUARD_TIME_LONG ? limits->long_seconds : limits->short_seconds;

  return self->wanted_seconds > 0 ? MIN (self->wanted_seconds, seconds) : seconds;
}

/* An empty file is of no use to anybody. */
static void
keep_output (PerficaRequest *self, guint64 bytes)
{
  perfica_gateway_output_written (self->gateway, self, bytes);
  if (bytes == 0)
    g_clear_pointer (&self->output_path, g_free);
}

static void
output_was_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PerficaRequest) self = data;
  g_autoptr (GError) error = NULL;
  int fd = perfica_confine_open_output_finish (self, result, &error);

  if (self->ending != PERFICA_OUTCOME_PENDING && fd >= 0)
    {
      close (fd);
      keep_output (self, 0);
    }
  if (has_ended (self))
    return;
  if (fd < 0)
    {
      refuse (self, PERFICA_OUTCOME_ERROR, g_strdup (error->message));
      return;
    }
  self->limit_seconds = time_limit (self);
  self->limit_end = g_get_monotonic_time () + (gint64) self->limit_seconds * G_USEC_PER_SEC;
  sandbox_run_held_async (perfica_gateway_get_launcher (self->gateway), self->plan,
                          self->limit_seconds, fd, PERFICA_OUTPUT_MAX, self->cancellable,
                          self->valve, has_output, self, has_run, g_object_ref (self));
  perfica_request_set_state (self, PERFICA_STATE_RUNNING);
  perfica_gateway_running_changed (self->gateway);
}

static void
has_output (gboolean is_stderr, GBytes *data, gpointer user_data)
{
  PerficaRequest *self = user_data;

  perfica_entry_append (self->entry, data);
  perfica_request_emit_output (self, is_stderr, data);
}

static void traps_were_sprung (GObject *source, GAsyncResult *result, gpointer data);

static void
has_run (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PerficaRequest) self = data;
  g_autoptr (GError) error = NULL;
  PerficaWireResult *ended;
  g_autoptr (SandboxResult) run =
      sandbox_run_finish (perfica_gateway_get_launcher (self->gateway), result, &error);

  if (!run)
    {
      keep_output (self, 0);
      refuse (self, PERFICA_OUTCOME_ERROR, g_strdup (error->message));
      return;
    }
  keep_output (self, MIN (run->stdout_total + run->stderr_total, PERFICA_OUTPUT_MAX));
  ended = perfica_result_from_run (self, run);
  if (self->plan->traps)
    perfica_confine_spring_traps_async (self, traps_were_sprung, ended);
  else
    step_8_answer (self, ended);
}

static void
traps_were_sprung (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PerficaRequest) self = g_object_ref (PERFICA_REQUEST (source));
  g_autofree char *sprung = perfica_confine_spring_traps_finish (self, result);

  if (sprung)
    {
      char *both = self->message ? g_strconcat (self->message, " ", sprung, NULL) : NULL;

      g_free (self->message);
      self->message = both ? both : g_steal_pointer (&sprung);
    }
  step_8_answer (self, data);
}

static void was_finished (GObject *source, GAsyncResult *result, gpointer data);

/* Step 8: record how it ended, then answer. @result: (transfer full) */
static void
step_8_answer (PerficaRequest *self, PerficaWireResult *result)
{
  PerficaActivity *activity = perfica_gateway_get_activity (self->gateway);
  GTask *task = g_task_new (self, NULL, NULL, NULL);
  PerficaRow *row;

  g_cancellable_cancel (self->cancellable); /* nothing of it may go on */
  perfica_result_complete (self, result);
  row = perfica_result_row (self, result);
  g_task_set_task_data (task, result, NULL);
  if (self->tmpdir_made)
    perfica_confine_clean_up (self);
  if (self->entry)
    perfica_activity_finish_async (activity, self->entry, row, was_finished, task);
  else
    perfica_activity_add_async (activity, row, was_finished, task);
}

static void
was_finished (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  PerficaRequest *self = g_task_get_source_object (task);
  PerficaWireResult *answer = g_task_get_task_data (task);

  /* It ended as it did, recorded or not: the activity tells the window when the file fails. */
  if (self->entry)
    perfica_activity_finish_finish (PERFICA_ACTIVITY (source), result, NULL);
  else
    self->entry = perfica_activity_add_finish (PERFICA_ACTIVITY (source), result, NULL);
  answer->record = perfica_request_get_record (self);
  perfica_gateway_drop_request (self->gateway, self);
  perfica_request_finish (self, answer);
  g_task_return_boolean (task, TRUE);
}

const char *
perfica_journey_get_advice (PerficaOutcome outcome)
{
  switch (outcome)
    {
    case PERFICA_OUTCOME_LIMIT:
      return _ ("It was stopped at its time limit with everything it had started: run a smaller "
                "part of it.");
    case PERFICA_OUTCOME_CANCELLED:
      return _ ("It was cancelled.");
    case PERFICA_OUTCOME_REFUSED:
      return _ ("Perfica's guard refused it: do what the findings suggest instead.");
    case PERFICA_OUTCOME_NO_TOOL:
      return _ ("This bubble has no “Run commands”: work without running anything, or ask the "
                "person for another bubble.");
    case PERFICA_OUTCOME_DENIED:
      return _ ("The person denied it: don't send it again, ask what they want instead.");
    case PERFICA_OUTCOME_NOBODY:
      return _ ("Nobody answered in time: go on with something that needs no answer, or try again "
                "later.");
    case PERFICA_OUTCOME_NO_WINDOW:
      return _ ("No Perfica window is open, so nobody could be asked: go on with something that "
                "needs no answer.");
    case PERFICA_OUTCOME_UNCONFINED:
      return _ ("The sandbox is on and the command can't be confined: the person has to set the "
                "sandbox up first.");
    case PERFICA_OUTCOME_AGENT_GONE:
      return _ ("The agent went away.");
    case PERFICA_OUTCOME_GATEWAY_STOPPED:
      return _ ("The gateway stopped: send it again once Perfica is back.");
    case PERFICA_OUTCOME_LOST:
      return _ ("Its supervisor ended before it did; nothing of it is left, how it ended isn't "
                "known: look at what it changed before you try again.");
    case PERFICA_OUTCOME_NOT_ATTACHED:
      return _ ("The person hasn't confirmed this agent in Perfica's window yet: ask them to, then "
                "try again.");
    case PERFICA_OUTCOME_ERROR:
      return _ ("Perfica couldn't run it: tell the person.");
    case PERFICA_OUTCOME_PENDING:
    case PERFICA_OUTCOME_RAN:
      break;
    }
  return NULL;
}
