/* The queue of what waits for a person: its order, its clocks, and which answers count.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-approvals-private.h"
#include "perfica-board-private.h"
#include "perfica-request-private.h"

typedef struct
{
  PerficaApprovals *approvals;
  PerficaBoard *board;
  PerficaBubble *bubble;
} Desk;

static guint n_answered; /* all callbacks */
static guint n_nobody;   /* of those, by time */
static PerficaDecision last_decision;
static char *last_message;
static PerficaRequest *last_request; /* only compared */

static void
answered (PerficaRequest *request,
          gboolean was_answered,
          PerficaDecision decision,
          const char *message)
{
  n_answered++;
  n_nobody += !was_answered;
  last_request = request;
  last_decision = decision;
  g_free (last_message);
  last_message = g_strdup (message);
}

static void
set_up (Desk *desk, gconstpointer data)
{
  g_autoptr (PerficaLoop) loop = NULL;

  n_answered = n_nobody = 0;
  desk->approvals = perfica_approvals_new ();
  desk->board = perfica_board_new ("id", "Board", "/project");
  loop = perfica_loop_new ("all", ".");
  desk->bubble = perfica_bubble_new ("coder", PERFICA_ROLE_CODER, 0, loop);
}

static void
tear_down (Desk *desk, gconstpointer data)
{
  g_object_unref (desk->approvals);
  g_object_unref (desk->board);
  g_object_unref (desk->bubble);
  g_clear_pointer (&last_message, g_free);
}

static PerficaRequest *
add (Desk *desk, guint seconds)
{
  PerficaRequest *request =
      perfica_request_new (NULL, desk->board, desk->bubble, PERFICA_TOOL_RUN, "git push", NULL, 0);

  g_assert_true (perfica_approvals_add (desk->approvals, request, seconds, answered));
  return request;
}

static guint
count (Desk *desk)
{
  return g_list_model_get_n_items (G_LIST_MODEL (desk->approvals));
}

/* µs until it left the queue. */
static gint64
wait_for_end (guint wanted)
{
  gint64 began = g_get_monotonic_time ();

  while (n_answered < wanted)
    {
      g_assert_cmpint (g_get_monotonic_time () - began, <, 20 * G_USEC_PER_SEC);
      g_main_context_iteration (NULL, TRUE);
    }
  return g_get_monotonic_time () - began;
}

static gboolean
wake (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
turn_for (guint milliseconds)
{
  gboolean over = FALSE;

  g_timeout_add (milliseconds, wake, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_order (Desk *desk, gconstpointer data)
{
  g_autoptr (PerficaRequest) first = add (desk, 0);
  g_autoptr (PerficaRequest) second = add (desk, 0);
  g_autoptr (PerficaRequest) shown = NULL;

  g_assert_cmpuint (perfica_board_get_waiting (desk->board), ==, 2);
  shown = g_list_model_get_item (G_LIST_MODEL (desk->approvals), 0);
  g_assert_true (shown == first);
  /* The second one's answer leaves the first where it is. */
  g_assert_true (
      perfica_approvals_answer (desk->approvals, second, PERFICA_DECISION_DENY, "no, thanks"));
  g_assert_true (last_request == second);
  g_assert_cmpint (last_decision, ==, PERFICA_DECISION_DENY);
  g_assert_cmpstr (last_message, ==, "no, thanks");
  g_assert_cmpuint (count (desk), ==, 1);
  g_assert_cmpuint (perfica_board_get_waiting (desk->board), ==, 1);
  /* Withdrawn: nobody is called, and no answer counts any more. */
  g_assert_true (perfica_approvals_withdraw (desk->approvals, first));
  g_assert_false (perfica_approvals_withdraw (desk->approvals, first));
  g_assert_false (perfica_approvals_answer (desk->approvals, first, PERFICA_DECISION_DENY, NULL));
  g_assert_cmpuint (n_answered, ==, 1);
  g_assert_cmpuint (perfica_board_get_waiting (desk->board), ==, 0);
}

static void
test_full (Desk *desk, gconstpointer data)
{
  g_autoptr (PerficaRequest) more = NULL;

  for (guint i = 0; i < PERFICA_MAX_WAITING; i++)
    g_object_unref (add (desk, 0));
  more = perfica_request_new (NULL, desk->board, desk->bubble, PERFICA_TOOL_RUN, "true", NULL, 0);
  g_assert_false (perfica_approvals_add (desk->approvals, more, 0, answered));
  g_assert_cmpuint (count (desk), ==, PERFICA_MAX_WAITING);
  g_assert_cmpuint (n_answered, ==, 0);
}

/* An Allow counts a second after it was put on show, not before and not once it is hidden. */
static void
test_delay (Desk *desk, gconstpointer data)
{
  static const PerficaDecision allows[] = { PERFICA_DECISION_ALLOW_ONCE,
                                            PERFICA_DECISION_ALLOW_ALWAYS };

  for (guint i = 0; i < G_N_ELEMENTS (allows); i++)
    {
      g_autoptr (PerficaRequest) request = add (desk, 0);

      g_assert_false (perfica_approvals_answer (desk->approvals, request, allows[i], NULL));
      perfica_approvals_set_shown (desk->approvals, request, TRUE);
      turn_for (700);
      g_assert_false (perfica_approvals_answer (desk->approvals, request, allows[i], NULL));
      /* Shown anew, the second begins anew. */
      perfica_approvals_set_shown (desk->approvals, request, TRUE);
      turn_for (700);
      g_assert_false (perfica_approvals_answer (desk->approvals, request, allows[i], NULL));
      turn_for (400);
      perfica_approvals_set_shown (desk->approvals, request, FALSE);
      g_assert_false (perfica_approvals_answer (desk->approvals, request, allows[i], NULL));
      perfica_approvals_set_shown (desk->approvals, request, TRUE);
      turn_for (1100);
      g_assert_true (perfica_approvals_answer (desk->approvals, request, allows[i], NULL));
      g_assert_cmpint (last_decision, ==, allows[i]);
    }
}

static void
test_time (Desk *desk, gconstpointer data)
{
  g_autoptr (PerficaRequest) request = add (desk, 1);
  g_autoptr (PerficaRequest) forever = add (desk, 0);
  gint64 took;

  g_assert_cmpint (perfica_request_get_deadline (request), >, g_get_monotonic_time ());
  g_assert_cmpint (perfica_request_get_deadline (forever), ==, 0);
  took = wait_for_end (1);
  g_assert_cmpint (took, >=, G_USEC_PER_SEC * 9 / 10);
  g_assert_true (last_request == request);
  g_assert_cmpuint (n_nobody, ==, 1);
  g_assert_cmpuint (count (desk), ==, 1);
}

/* A clock that was paused goes on by itself. */
static void
test_pause_ends (Desk *desk, gconstpointer data)
{
  g_autoptr (PerficaRequest) request = add (desk, 1);
  gint64 took;

  perfica_approvals_set_pause_seconds (desk->approvals, 2);
  g_assert_true (perfica_approvals_pause (desk->approvals, request));
  g_assert_cmpint (perfica_request_get_deadline (request), ==, 0);
  turn_for (1300);
  g_assert_cmpuint (n_answered, ==, 0);
  took = wait_for_end (1);
  g_assert_cmpint (took, >=, G_USEC_PER_SEC);
  g_assert_cmpint (took, <, 8 * G_USEC_PER_SEC);
  g_assert_cmpuint (n_nobody, ==, 1);
}

/* It pauses once, and goes on with what was left. */
static void
test_pause_once (Desk *desk, gconstpointer data)
{
  g_autoptr (PerficaRequest) request = add (desk, 2);
  gint64 left;

  perfica_approvals_resume (desk->approvals, request);
  turn_for (500);
  left = perfica_request_get_deadline (request) - g_get_monotonic_time ();
  g_assert_true (perfica_approvals_pause (desk->approvals, request));
  g_assert_false (perfica_approvals_pause (desk->approvals, request));
  turn_for (1000);
  perfica_approvals_resume (desk->approvals, request);
  perfica_approvals_resume (desk->approvals, request);
  g_assert_cmpint (ABS (perfica_request_get_deadline (request) - g_get_monotonic_time () - left), <,
                   200000);
  g_assert_false (perfica_approvals_pause (desk->approvals, request));
  wait_for_end (1);
  g_assert_cmpuint (n_answered, ==, 1);
  g_assert_cmpuint (n_nobody, ==, 1);
}

/* Without a clock there is nothing to pause; an answer in a pause leaves no timer behind. */
static void
test_pause_answered (Desk *desk, gconstpointer data)
{
  g_autoptr (PerficaRequest) forever = add (desk, 0);
  g_autoptr (PerficaRequest) request = add (desk, 1);

  perfica_approvals_set_pause_seconds (desk->approvals, 1);
  g_assert_false (perfica_approvals_pause (desk->approvals, forever));
  g_assert_true (perfica_approvals_pause (desk->approvals, request));
  g_assert_true (perfica_approvals_answer (desk->approvals, request, PERFICA_DECISION_DENY, NULL));
  g_assert_true (perfica_approvals_withdraw (desk->approvals, forever));
  turn_for (1500);
  g_assert_cmpuint (n_answered, ==, 1);
  g_assert_cmpuint (n_nobody, ==, 0);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (Desk *, gconstpointer);
  } tests[] = {
    { "/approvals/order", test_order },
    { "/approvals/full", test_full },
    { "/approvals/delay", test_delay },
    { "/approvals/time", test_time },
    { "/approvals/pause-ends", test_pause_ends },
    { "/approvals/pause-once", test_pause_once },
    { "/approvals/pause-answered", test_pause_answered },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Desk, NULL, set_up, tests[i].run, tear_down);
  return g_test_run ();
}
