/* The main window: its pages, boards and layout, and that nothing of it outlives it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <adwaita.h>

#include "fake-gateway.h"
#include "perfica-activity-details.h"
#include "perfica-activity-page.h"
#include "perfica-board-page.h"
#include "perfica-bubble-dialog.h"
#include "perfica-bubbles-page.h"
#include "perfica-dock.h"
#include "perfica-filter-popover.h"
#include "perfica-waiting-window.h"
#include "perfica-window.h"
#include "widgets.h"

typedef struct
{
  PerficaGateway *gateway;
  PerficaBoard *first;
  PerficaBoard *second;
  PerficaWindow *window;
} Fixture;

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *) data == NULL;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  const FakeEntry running = {
    .bubble = "coder-1", .folder = ".", .command = "make", .outcome = PERFICA_OUTCOME_PENDING
  };

  f->gateway = fake_gateway_new ();
  f->first = fake_board_add (f->gateway, "first", "/tmp");
  f->second = fake_board_add (f->gateway, "second", "/tmp");
  fake_entry_add (f->gateway, f->first, &running);
  f->window = perfica_window_new (NULL, f->gateway);
  gtk_window_set_default_size (GTK_WINDOW (f->window), data != NULL ? 400 : 1100, 640);
  g_object_add_weak_pointer (G_OBJECT (f->window), (gpointer *) &f->window);
  gtk_window_present (GTK_WINDOW (f->window));
  widgets_spin (300);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  if (f->window != NULL)
    gtk_window_destroy (GTK_WINDOW (f->window));
  widgets_wait (is_gone, &f->window, 10);
  g_clear_object (&f->gateway);
}

static gpointer
part (Fixture *f, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (f->window), PERFICA_TYPE_WINDOW, name);
}

static const char *
page (Fixture *f)
{
  return adw_view_stack_get_visible_child_name (part (f, "views"));
}

static int
board (Fixture *f)
{
  return gtk_list_box_row_get_index (gtk_list_box_get_selected_row (part (f, "boards")));
}

static void
test_keys (Fixture *f, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (f->window);

  g_assert_cmpstr (page (f), ==, "activity");
  gtk_widget_activate_action (window, "win.page", "s", "settings");
  g_assert_cmpstr (page (f), ==, "settings");
  gtk_widget_activate_action (window, "win.page", "s", "bubbles");
  g_assert_cmpstr (page (f), ==, "bubbles");
  gtk_widget_activate_action (window, "win.find", NULL);
  g_assert_cmpstr (page (f), ==, "activity");

  g_assert_cmpint (board (f), ==, 0);
  gtk_widget_activate_action (window, "win.board", "i", 1);
  g_assert_cmpint (board (f), ==, 1);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "second");
  /* Beyond the last there is none. */
  gtk_widget_activate_action (window, "win.board", "i", 1);
  g_assert_cmpint (board (f), ==, 1);
  gtk_widget_activate_action (window, "win.board", "i", -1);
  g_assert_cmpint (board (f), ==, 0);
}

static void
test_stop (Fixture *f, gconstpointer data)
{
  GtkWidget *stop;

  widgets_spin (200);
  stop = widgets_find_icon (part (f, "activity"), "media-playback-stop-symbolic");
  g_assert_nonnull (stop);
  g_signal_emit_by_name (stop, "clicked");
  g_assert_null (widgets_find_icon (part (f, "activity"), "media-playback-stop-symbolic"));
}

/* The list and the board take turns; what waits is a number alone, but says all to a reader. */
static void
test_narrow (Fixture *f, gconstpointer data)
{
  g_assert_true (gtk_widget_get_visible (part (f, "sidebar")));
  g_assert_false (gtk_widget_get_visible (part (f, "content")));
  gtk_widget_activate_action (GTK_WIDGET (f->window), "win.page", "s", "bubbles");
  g_assert_false (gtk_widget_get_visible (part (f, "sidebar")));
  g_assert_true (gtk_widget_get_visible (part (f, "content")));
  perfica_board_set_full_auto (f->first, TRUE);
  g_assert_false (gtk_widget_get_visible (part (f, "full_auto_mark")));
  g_assert_true (gtk_revealer_get_reveal_child (part (f, "banner")));
  fake_request_add (f->gateway, f->first, "git push", 0, 8, "git push");
  g_assert_cmpstr (gtk_button_get_label (part (f, "waiting")), ==, "1");
  gtk_test_accessible_assert_property (part (f, "waiting"), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "1 waiting");
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (f->window)), <=, 460);
}

static void
test_joining (Fixture *f, gconstpointer data)
{
  AdwViewStackPage *tab = part (f, "bubbles_tab");
  PerficaAttachment *one = fake_attachment_add (f->gateway, f->first);

  g_assert_cmpuint (adw_view_stack_page_get_badge_number (tab), ==, 1);
  g_assert_true (adw_view_stack_page_get_needs_attention (tab));
  g_assert_cmpstr (gtk_button_get_label (part (f, "waiting")), ==, "1 waiting");
  perfica_attachment_confirm (one);
  g_assert_cmpuint (adw_view_stack_page_get_badge_number (tab), ==, 0);
  g_assert_false (gtk_widget_get_visible (part (f, "waiting")));
}

static void
test_filters (Fixture *f, gconstpointer data)
{
  GtkWidget *popover = GTK_WIDGET (
      gtk_widget_get_template_child (part (f, "activity"), PERFICA_TYPE_ACTIVITY_PAGE, "popover"));
  GtkDropDown *bubbles = GTK_DROP_DOWN (
      gtk_widget_get_template_child (popover, PERFICA_TYPE_FILTER_POPOVER, "bubble_choice"));
  GtkDropDown *ends = GTK_DROP_DOWN (
      gtk_widget_get_template_child (popover, PERFICA_TYPE_FILTER_POPOVER, "exit_choice"));
  PerficaFilterPopover *filters = PERFICA_FILTER_POPOVER (popover);

  g_assert_false (perfica_filter_popover_is_active (filters));
  gtk_drop_down_set_selected (bubbles, 1);
  g_assert_cmpstr (perfica_filter_popover_get_bubble (filters), ==, "coder-1");
  gtk_drop_down_set_selected (ends, PERFICA_EXIT_STOPPED);
  g_assert_cmpint (perfica_filter_popover_get_exit (filters), ==, PERFICA_EXIT_STOPPED);
  g_assert_true (perfica_filter_popover_is_active (filters));
  g_signal_emit_by_name (
      gtk_widget_get_template_child (popover, PERFICA_TYPE_FILTER_POPOVER, "reset"), "clicked");
  g_assert_false (perfica_filter_popover_is_active (filters));
  /* Another board has other bubbles: nothing stays chosen. */
  gtk_drop_down_set_selected (bubbles, 1);
  gtk_widget_activate_action (GTK_WIDGET (f->window), "win.board", "i", 1);
  g_assert_false (perfica_filter_popover_is_active (filters));
}

/* Each part goes with its window, and what the gateway says afterwards reaches nobody. */
static void
test_goes (Fixture *f, gconstpointer data)
{
  static const char *const names[] = { "activity", "bubbles", "board_page", "dock" };
  gpointer parts[G_N_ELEMENTS (names)];

  perfica_window_run_in_terminal (f->window, "true", "/tmp");
  fake_request_add (f->gateway, f->first, "git push", 0, 8, "git push");
  fake_attachment_add (f->gateway, f->first);
  widgets_spin (300);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      parts[i] = part (f, names[i]);
      g_object_add_weak_pointer (parts[i], &parts[i]);
    }
  gtk_window_destroy (GTK_WINDOW (f->window));
  widgets_wait (is_gone, &f->window, 10);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    widgets_wait (is_gone, &parts[i], 10);
  fake_board_add (f->gateway, "third", "/tmp");
  fake_request_add (f->gateway, f->first, "git push", 0, 8, "git push");
  fake_attachment_add (f->gateway, f->first);
  perfica_board_set_full_auto (f->first, TRUE);
}

/* Dialogs, likewise. */
static void
test_dialogs_go (Fixture *f, gconstpointer data)
{
  const FakeEntry refused = {
    .bubble = "coder-1", .folder = ".", .command = "npm run dev", .outcome = PERFICA_OUTCOME_REFUSED
  };
  PerficaEntry *entry = fake_entry_add (f->gateway, f->first, &refused);
  gpointer windows[] = {
    perfica_activity_details_open (GTK_WIDGET (f->window), entry),
    perfica_bubble_dialog_open (GTK_WIDGET (f->window), f->first),
    perfica_waiting_window_new (f->gateway),
  };

  gtk_window_present (windows[2]);
  widgets_spin (200);
  for (gsize i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      g_object_add_weak_pointer (windows[i], &windows[i]);
      gtk_window_destroy (windows[i]);
      widgets_wait (is_gone, &windows[i], 10);
    }
  fake_entry_print (entry, "more");
  fake_request_add (f->gateway, f->first, "git push", 0, 8, "git push");
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
#define ADD(name, narrow, func) g_test_add (name, Fixture, narrow, set_up, func, tear_down)
  ADD ("/ui/window/keys", NULL, test_keys);
  ADD ("/ui/window/stop", NULL, test_stop);
  ADD ("/ui/window/narrow", "narrow", test_narrow);
  ADD ("/ui/window/joining", NULL, test_joining);
  ADD ("/ui/window/filters", NULL, test_filters);
  ADD ("/ui/window/goes", NULL, test_goes);
  ADD ("/ui/window/dialogs-go", NULL, test_dialogs_go);
  return g_test_run ();
}
