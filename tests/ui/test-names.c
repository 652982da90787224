/* Everything that takes a click has a name for those who hear the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <adwaita.h>

#include "fake-gateway.h"
#include "perfica-activity-details.h"
#include "perfica-attach-prompt.h"
#include "perfica-bubble-dialog.h"
#include "perfica-loop-dialog.h"
#include "perfica-prompt.h"
#include "perfica-settings-window.h"
#include "perfica-waiting-window.h"
#include "perfica-window.h"
#include "widgets.h"

/* The toolkit names these itself, or hides them from the tree. */
static gboolean
is_toolkits (GtkWidget *widget)
{
  static const char *const owners[] = {
    "GtkWindowControls",  "GtkSpinButton",      "AdwTabBar",   "AdwTab",
    "AdwViewSwitcherBar", "AdwViewSwitcher",    "GtkDropDown", "AdwComboRow",
    "GtkSearchEntry",     "GtkShortcutsWindow", "AdwEntryRow", "AdwExpanderRow"
  };

  for (GtkWidget *up = gtk_widget_get_parent (widget); up; up = gtk_widget_get_parent (up))
    if (g_strv_contains (owners, G_OBJECT_TYPE_NAME (up)))
      return TRUE;
    else if (GTK_IS_SEARCH_BAR (up) && GTK_IS_CENTER_BOX (gtk_widget_get_parent (widget)))
      return TRUE; /* its own closing button */
    else if (G_OBJECT_TYPE_NAME (up)[0] == 'P')
      return FALSE;
  return FALSE;
}

static gboolean
shows_text (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return *gtk_label_get_text (GTK_LABEL (widget)) != '\0';
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    if (shows_text (child))
      return TRUE;
  return FALSE;
}

static gboolean
wants_name (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget) || GTK_IS_SWITCH (widget) ||
         GTK_IS_ENTRY (widget) || GTK_IS_SEARCH_ENTRY (widget) || GTK_IS_TEXT_VIEW (widget) ||
         GTK_IS_PROGRESS_BAR (widget) || GTK_IS_LIST_VIEW (widget) || GTK_IS_SPIN_BUTTON (widget) ||
         GTK_IS_DROP_DOWN (widget);
}

static char *
path_of (GtkWidget *widget)
{
  GString *path = g_string_new (NULL);

  for (; widget; widget = gtk_widget_get_parent (widget))
    g_string_append_printf (path, " < %s", G_OBJECT_TYPE_NAME (widget));
  return g_string_free (path, FALSE);
}

static guint
check (GtkWidget *widget, const char *where)
{
  guint seen = 0;

  if (!gtk_widget_get_visible (widget))
    return 0;
  if (wants_name (widget) && !is_toolkits (widget))
    {
      seen = 1;
      if (!shows_text (widget) && !gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget),
                                                                     GTK_ACCESSIBLE_PROPERTY_LABEL))
        {
          g_autofree char *path = path_of (widget);

          g_test_message ("%s: no name for %s", where, path);
          g_test_fail ();
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    seen += check (child, where);
  return seen;
}

/* Looks at every window there is. */
static void
check_all (const char *where, guint least)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint seen = 0;

  widgets_spin (200);
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      seen += check (window, where);
    }
  g_assert_cmpuint (seen, >=, least);
}

static PerficaWindow *
new_window (PerficaGateway *gateway)
{
  PerficaWindow *window = perfica_window_new (NULL, gateway);

  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static void
test_welcome (void)
{
  g_autoptr (PerficaGateway) gateway = fake_gateway_new ();
  PerficaWindow *window = new_window (gateway);

  check_all ("welcome", 3);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_pages (void)
{
  g_autoptr (PerficaGateway) gateway = fake_gateway_new ();
  PerficaBoard *board = fake_board_add (gateway, "website", "/tmp");
  PerficaLoop *web = perfica_board_add_loop (board, "web", "packages/web", NULL);
  const FakeEntry refused = { .bubble = "coder",
                              .folder = ".",
                              .command = "npm run dev",
                              .outcome = PERFICA_OUTCOME_REFUSED,
                              .offers_terminal = TRUE };
  PerficaEntry *entry = fake_entry_add (gateway, board, &refused);
  PerficaWindow *window;

  perfica_board_add_bubble (board, "reviewer", PERFICA_ROLE_REVIEWER, 0, web, NULL);
  fake_board_add_grant (board, "git commit", 3);
  perfica_board_set_full_auto (board, TRUE);
  window = new_window (gateway);
  perfica_window_run_in_terminal (window, "ls", "/tmp");
  check_all ("board", 20);

  perfica_activity_details_open (GTK_WIDGET (window), entry);
  perfica_bubble_dialog_open (GTK_WIDGET (window), board);
  perfica_loop_dialog_open (GTK_WIDGET (window), board);
  check_all ("dialogs", 30);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_questions (void)
{
  g_autoptr (PerficaGateway) gateway = fake_gateway_new ();
  PerficaBoard *board = fake_board_add (gateway, "website", "/tmp");
  PerficaWaitingWindow *overview = perfica_waiting_window_new (gateway);
  PerficaPrompt *prompt;
  PerficaAttachPrompt *attach;

  fake_request_add (gateway, board, "rm -rf dist", 0, 6, "delete files");
  prompt = perfica_prompt_new (gateway, fake_request_add (gateway, board, "git push", 0, 8,
                                                          "git "
                                                          "push"));
  perfica_prompt_open (prompt);
  attach = perfica_attach_prompt_new (fake_attachment_add (gateway, board));
  perfica_attach_prompt_open (attach);
  gtk_window_present (GTK_WINDOW (overview));
  check_all ("questions", 8);
  gtk_window_destroy (GTK_WINDOW (prompt));
  gtk_window_destroy (GTK_WINDOW (attach));
  gtk_window_destroy (GTK_WINDOW (overview));
}

static void
test_settings (void)
{
  g_autoptr (PerficaGateway) gateway = fake_gateway_new ();
  const char *folders[] = { "/opt/tools", NULL };
  PerficaSettingsWindow *settings;

  perfica_gateway_set_visible_folders (gateway, folders);
  fake_gateway_set_diagnosis (gateway, FALSE);
  settings = perfica_settings_window_new (gateway);
  gtk_window_present (GTK_WINDOW (settings));
  check_all ("settings", 12);
  gtk_window_destroy (GTK_WINDOW (settings));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  /* With animations: a bar that vanishes at once makes GTK 4.8 warn of a negative height. */
  g_test_add_func ("/ui/names/welcome", test_welcome);
  g_test_add_func ("/ui/names/pages", test_pages);
  g_test_add_func ("/ui/names/questions", test_questions);
  g_test_add_func ("/ui/names/settings", test_settings);
  return g_test_run ();
}
