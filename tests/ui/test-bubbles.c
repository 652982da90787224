/* The page of bubbles and loops, and the agents that ask to join.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <adwaita.h>

#include "fake-gateway.h"
#include "perfica-bubbles-page.h"
#include "perfica-joining-group.h"
#include "perfica-prompter.h"
#include "widgets.h"

typedef struct
{
  PerficaGateway *gateway;
  PerficaBoard *board;
  GtkWidget *window;
  PerficaJoiningGroup *group;
  PerficaAttachment *reviewed;
} Fixture;

static void
reviewed (PerficaJoiningGroup *group, PerficaAttachment *attachment, Fixture *f)
{
  f->reviewed = attachment;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->gateway = fake_gateway_new ();
  f->board = fake_board_add (f->gateway, "website", "/home/ada/website");
  f->group = g_object_new (PERFICA_TYPE_JOINING_GROUP, NULL);
  g_signal_connect (f->group, "review", G_CALLBACK (reviewed), f);
  f->window = gtk_window_new ();
  gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->group));
  perfica_joining_group_set_board (f->group, f->gateway, f->board);
  gtk_window_present (GTK_WINDOW (f->window));
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  g_clear_object (&f->gateway);
}

static void
test_nobody (Fixture *f, gconstpointer data)
{
  g_assert_cmpuint (perfica_joining_group_get_count (f->group), ==, 0);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (f->group)));
}

static void
test_asks (Fixture *f, gconstpointer data)
{
  PerficaAttachment *one = fake_attachment_add (f->gateway, f->board);
  PerficaBoard *other = fake_board_add (f->gateway, "other", "/home/ada/other");
  GtkWidget *button;

  fake_attachment_add (f->gateway, other);
  g_assert_cmpuint (perfica_joining_group_get_count (f->group), ==, 1);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (f->group)));
  button = widgets_find_button (GTK_WIDGET (f->group), "Confirm…");
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  g_assert_true (f->reviewed == one);
  /* The list itself never lets anybody in. */
  g_assert_false (perfica_attachment_get_confirmed (one));

  perfica_attachment_confirm (one);
  g_assert_cmpuint (perfica_joining_group_get_count (f->group), ==, 0);
  perfica_joining_group_set_board (f->group, f->gateway, other);
  g_assert_cmpuint (perfica_joining_group_get_count (f->group), ==, 1);
  perfica_joining_group_set_board (f->group, f->gateway, NULL);
  g_assert_cmpuint (perfica_joining_group_get_count (f->group), ==, 0);
}

static void
test_decline (Fixture *f, gconstpointer data)
{
  PerficaAttachment *one = fake_attachment_add (f->gateway, f->board);

  g_signal_emit_by_name (widgets_find_button (GTK_WIDGET (f->group), "Decline"), "clicked");
  g_assert_true (fake_attachment_turned_away (one));
}

/* Clicking "Confirm…" on one that has left shows its question, which would not come by itself. */
static void
test_left (Fixture *f, gconstpointer data)
{
  g_autoptr (PerficaSettings) settings = perfica_settings_new ();
  g_autoptr (PerficaPrompter) prompter =
      perfica_prompter_new (GTK_WINDOW (f->window), f->gateway, settings);
  PerficaAttachment *one = fake_attachment_add (f->gateway, f->board);

  g_assert_cmpuint (perfica_prompter_get_waiting (prompter), ==, 1);
  g_assert_true (perfica_prompter_get_attachment (prompter) == one);
  fake_attachment_leave (one);
  g_assert_null (perfica_prompter_get_attachment (prompter));
  g_assert_cmpuint (perfica_prompter_get_waiting (prompter), ==, 0);
  g_assert_cmpuint (perfica_joining_group_get_count (f->group), ==, 1);
  perfica_prompter_show_attachment (prompter, one);
  g_assert_true (perfica_prompter_get_attachment (prompter) == one);
  /* One question at a time. */
  fake_request_add (f->gateway, f->board, "git push", 0, 8, "git push");
  g_assert_null (perfica_prompter_get_prompt (prompter));
  perfica_attachment_confirm (one);
  g_assert_null (perfica_prompter_get_attachment (prompter));
  g_assert_nonnull (perfica_prompter_get_prompt (prompter));
}

static void
test_page_goes (Fixture *f, gconstpointer data)
{
  GtkWidget *page = g_object_new (PERFICA_TYPE_BUBBLES_PAGE, NULL);
  GtkWidget *window = gtk_window_new ();

  g_object_add_weak_pointer (G_OBJECT (page), (gpointer *) &page);
  gtk_window_set_child (GTK_WINDOW (window), page);
  perfica_bubbles_page_set_board (PERFICA_BUBBLES_PAGE (page), f->gateway, f->board);
  fake_attachment_add (f->gateway, f->board);
  g_assert_cmpuint (perfica_bubbles_page_get_joining (PERFICA_BUBBLES_PAGE (page)), ==, 1);
  gtk_window_present (GTK_WINDOW (window));
  widgets_spin (50);
  gtk_window_destroy (GTK_WINDOW (window));
  widgets_spin (50);
  g_assert_null (page);
  fake_attachment_add (f->gateway, f->board);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)
  ADD ("/ui/bubbles/nobody", test_nobody);
  ADD ("/ui/bubbles/asks", test_asks);
  ADD ("/ui/bubbles/decline", test_decline);
  ADD ("/ui/bubbles/left", test_left);
  ADD ("/ui/bubbles/page-goes", test_page_goes);
  return g_test_run ();
}
