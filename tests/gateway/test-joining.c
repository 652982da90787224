/* A client that nobody has confirmed: what it asks for waits for the person, within bounds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "house.h"

static void
turn (guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  while (g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (500);
    }
}

static void
waits_still (House *house)
{
  turn (100);
  g_assert_false (house_has_answer (house));
}

static void
set_window (House *house, gboolean open)
{
  g_object_set (house->gateway, "window-open", open, NULL);
}

/* It runs nothing before the person's word, and goes its way after it. */
static void
test_confirmed (House *house, gconstpointer data)
{
  g_autofree char *marker = g_build_filename (house->project, "ran", NULL);

  set_window (house, TRUE);
  house_send_run (house, "touch ran");
  waits_still (house);
  g_assert_false (g_file_test (marker, G_FILE_TEST_EXISTS));
  house_confirm (house);
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->result->outcome, ==, PERFICA_OUTCOME_RAN);
  g_assert_true (g_file_test (marker, G_FILE_TEST_EXISTS));
}

static void
test_nobody (House *house, gconstpointer data)
{
  set_window (house, TRUE);
  g_assert_cmpint (house_run (house, "true")->outcome, ==, PERFICA_OUTCOME_NOT_ATTACHED);
}

static void
test_window_closed (House *house, gconstpointer data)
{
  set_window (house, TRUE);
  house_send_run (house, "true");
  waits_still (house);
  set_window (house, FALSE);
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->result->outcome, ==, PERFICA_OUTCOME_NOT_ATTACHED);
}

static void
test_cancelled (House *house, gconstpointer data)
{
  set_window (house, TRUE);
  house_send_run (house, "true");
  perfica_wire_connection_send (house->client, perfica_wire_encode_cancel (house->last_run));
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->result->outcome, ==, PERFICA_OUTCOME_CANCELLED);
}

static void
test_turned_away (House *house, gconstpointer data)
{
  g_autoptr (PerficaAttachment) one =
      g_list_model_get_item (perfica_gateway_get_attachments (house->gateway), 0);

  set_window (house, TRUE);
  house_send_run (house, "true");
  waits_still (house);
  perfica_attachment_turn_away (one);
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->type, ==, PERFICA_WIRE_FAILURE);
  g_assert_cmpint (house->last->failure->code, ==, PERFICA_WIRE_CODE_TURNED_AWAY);
}

static void
test_gateway_stopped (House *house, gconstpointer data)
{
  set_window (house, TRUE);
  house_send_run (house, "true");
  waits_still (house);
  house_restart (house);
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->type, ==, PERFICA_WIRE_FAILURE);
  g_assert_cmpint (house->last->failure->code, ==, PERFICA_WIRE_CODE_STOPPED);
}

/* So many wait (PERFICA_MAX_RUNS), not one more. */
static void
test_bound (House *house, gconstpointer data)
{
  set_window (house, TRUE);
  for (guint i = 0; i < 8; i++)
    house_send_run (house, "true");
  waits_still (house);
  house_send_run (house, "true");
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->type, ==, PERFICA_WIRE_FAILURE);
  g_assert_cmpint (house->last->failure->code, ==, PERFICA_WIRE_CODE_BUSY);
}

static gboolean
has_left (gpointer data)
{
  return !perfica_attachment_get_connected (data);
}

/* A client that went stays listed, and a later yes is remembered. */
static void
test_left (House *house, gconstpointer data)
{
  GListModel *list = perfica_gateway_get_attachments (house->gateway);
  g_autoptr (PerficaAttachment) one = g_list_model_get_item (list, 0);

  g_assert_cmpint (perfica_attachment_get_left (one), ==, 0);
  perfica_wire_connection_close (house->client);
  house_spin_until (has_left, one);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 1);
  g_assert_cmpint (perfica_attachment_get_left (one), >, 0);
  perfica_attachment_confirm (one);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 0);
  g_object_unref (house->client);
  house_say_hello (house);
  g_assert_true (house->last->hello_reply->attached);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    const char *limits;
    void (*run) (House *, gconstpointer);
  } tests[] = {
    { "/joining/confirmed", "{}", test_confirmed },
    { "/joining/nobody", "{\"prompt_seconds\":1}", test_nobody },
    { "/joining/window-closed", "{}", test_window_closed },
    { "/joining/cancelled", "{}", test_cancelled },
    { "/joining/turned-away", "{}", test_turned_away },
    { "/joining/gateway-stopped", "{}", test_gateway_stopped },
    { "/joining/bound", "{}", test_bound },
    { "/joining/left", "{}", test_left },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, House, tests[i].limits, house_set_up, tests[i].run, house_tear_down);
  return g_test_run ();
}
