/* A board's settings: what loosens is asked about, and the answer is for the board it was about.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <adwaita.h>
#include <string.h>

#include "fake-gateway.h"
#include "perfica-answer-button.h"
#include "perfica-board-page.h"
#include "perfica-confirm.h"
#include "widgets.h"

typedef struct
{
  PerficaGateway *gateway;
  PerficaBoard *first;
  PerficaBoard *second;
  GtkWidget *window;
  PerficaBoardPage *page;
} Fixture;

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *) data == NULL;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->gateway = fake_gateway_new ();
  f->first = fake_board_add (f->gateway, "first", "/tmp");
  f->second = fake_board_add (f->gateway, "second", "/tmp");
  f->page = g_object_new (PERFICA_TYPE_BOARD_PAGE, NULL);
  g_object_add_weak_pointer (G_OBJECT (f->page), (gpointer *) &f->page);
  f->window = gtk_window_new ();
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->page));
  perfica_board_page_set_board (f->page, f->gateway, f->first);
  gtk_window_present (GTK_WINDOW (f->window));
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  widgets_wait (is_gone, &f->page, 10);
  g_clear_object (&f->gateway);
}

static gpointer
part (Fixture *f, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (f->page), PERFICA_TYPE_BOARD_PAGE, name);
}

/* The question that is open, and how many are. */
static GtkWidget *
question (guint *n)
{
  GListModel *windows = gtk_window_get_toplevels ();
  GtkWidget *found = NULL;

  *n = 0;
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (!PERFICA_IS_CONFIRM (window))
        continue;
      found = window;
      ++*n;
    }
  return found;
}

static GtkWidget *
find_answer (GtkWidget *root)
{
  if (PERFICA_IS_ANSWER_BUTTON (root))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_answer (child);

      if (found)
        return found;
    }
  return NULL;
}

static void
answer (gboolean yes)
{
  guint n;
  GtkWidget *window = question (&n);

  g_assert_cmpuint (n, ==, 1);
  if (yes)
    g_signal_emit_by_name (find_answer (window), "answered");
  else
    gtk_window_close (GTK_WINDOW (window));
  widgets_spin (50);
}

static void
test_full_auto (Fixture *f, gconstpointer data)
{
  GtkSwitch *full_auto = part (f, "full_auto");

  gtk_switch_set_active (full_auto, TRUE);
  g_assert_false (perfica_board_get_full_auto (f->first));
  answer (FALSE);
  g_assert_false (gtk_switch_get_active (full_auto));
  g_assert_false (perfica_board_get_full_auto (f->first));

  gtk_switch_set_active (full_auto, TRUE);
  answer (TRUE);
  g_assert_true (perfica_board_get_full_auto (f->first));
  /* Off needs no question. */
  gtk_switch_set_active (full_auto, FALSE);
  g_assert_false (perfica_board_get_full_auto (f->first));
}

/* The question doesn't hold the window: another board may be chosen before the answer. */
static void
test_other_board (Fixture *f, gconstpointer data)
{
  GtkSwitch *full_auto = part (f, "full_auto");
  guint n;

  gtk_switch_set_active (full_auto, TRUE);
  g_assert_nonnull (strstr (gtk_window_get_title (GTK_WINDOW (question (&n))), "first"));
  perfica_board_page_set_board (f->page, f->gateway, f->second);
  g_assert_false (gtk_switch_get_active (full_auto));
  /* A second question waits for the first. */
  gtk_switch_set_active (full_auto, TRUE);
  g_assert_false (gtk_switch_get_active (full_auto));
  answer (TRUE);
  g_assert_true (perfica_board_get_full_auto (f->first));
  g_assert_false (perfica_board_get_full_auto (f->second));
  g_assert_false (gtk_switch_get_active (full_auto));
}

static void
test_sandbox (Fixture *f, gconstpointer data)
{
  AdwComboRow *sandbox = part (f, "sandbox");

  /* Stricter needs no question. */
  adw_combo_row_set_selected (sandbox, PERFICA_SANDBOX_ON);
  g_assert_cmpint (perfica_board_get_sandbox (f->first), ==, PERFICA_SANDBOX_ON);
  adw_combo_row_set_selected (sandbox, PERFICA_SANDBOX_OFF);
  g_assert_cmpint (perfica_board_get_sandbox (f->first), ==, PERFICA_SANDBOX_ON);
  perfica_board_page_set_board (f->page, f->gateway, f->second);
  answer (TRUE);
  g_assert_cmpint (perfica_board_get_sandbox (f->first), ==, PERFICA_SANDBOX_OFF);
  g_assert_cmpint (perfica_board_get_sandbox (f->second), !=, PERFICA_SANDBOX_OFF);
}

static void
test_revoke (Fixture *f, gconstpointer data)
{
  fake_board_add_grant (f->first, "git commit", 3);
  g_assert_nonnull (widgets_find_button (GTK_WIDGET (f->page), "Revoke"));
  g_signal_emit_by_name (widgets_find_button (GTK_WIDGET (f->page), "Revoke"), "clicked");
  g_assert_null (widgets_find_button (GTK_WIDGET (f->page), "Revoke"));
  g_assert_cmpuint (g_list_model_get_n_items (perfica_board_get_grants (f->first)), ==, 0);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)
  ADD ("/ui/board/full-auto", test_full_auto);
  ADD ("/ui/board/other-board", test_other_board);
  ADD ("/ui/board/sandbox", test_sandbox);
  ADD ("/ui/board/revoke", test_revoke);
  return g_test_run ();
}
