/* The settings: how an agent is connected, and that what is shown goes with its window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <adwaita.h>
#include <string.h>

#include "fake-gateway.h"
#include "perfica-agent-row.h"
#include "perfica-settings-window.h"
#include "perfica-text-window.h"
#include "widgets.h"

static void
test_agent_names (void)
{
  static const struct
  {
    const char *id;
    const char *program;
    gboolean is;
  } cases[] = {
    { "claude", "/usr/bin/node (claude-code)", TRUE },
    { "claude", "/usr/bin/perfica-agent (Claude Code hook)", TRUE },
    { "codex", "/usr/bin/codex (codex-mcp-client)", TRUE },
    { "vscode", "/usr/share/code (Visual Studio Code)", TRUE },
    /* The name that it gave counts, not where it lies. */
    { "codex", "/home/ada/codex/node (claude-code)", FALSE },
    { "gemini", "/usr/bin/node (claude-code)", FALSE },
    { "opencode", "?", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const PerficaSnippet *snippet = perfica_snippet_find (cases[i].id);

      g_assert_nonnull (snippet);
      g_assert_cmpint (perfica_agent_is (snippet, cases[i].program), ==, cases[i].is);
    }
}

static void
copied (GtkWidget *row, const char *text, char **got)
{
  g_free (*got);
  *got = g_strdup (text);
}

static GtkWidget *
find_row (GtkWidget *root, const char *title)
{
  if (ADW_IS_PREFERENCES_ROW (root) &&
      g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (root)), title) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_row (child, title);

      if (found)
        return found;
    }
  return NULL;
}

/* The fake's clients call themselves claude-code. */
static void
test_fires (void)
{
  g_autoptr (PerficaGateway) gateway = fake_gateway_new ();
  PerficaBoard *board = fake_board_add (gateway, "website", "/tmp");
  GtkWidget *window = gtk_window_new ();
  GtkWidget *claude =
      perfica_agent_row_new (perfica_snippet_find ("claude"), "/usr/bin/perfica-agent", gateway);
  GtkWidget *codex =
      perfica_agent_row_new (perfica_snippet_find ("codex"), "/usr/bin/perfica-agent", gateway);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *text = NULL;

  gtk_box_append (GTK_BOX (box), claude);
  gtk_box_append (GTK_BOX (box), codex);
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (claude), TRUE);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (codex), TRUE);
  g_signal_connect (claude, "copy", G_CALLBACK (copied), &text);

  g_signal_emit_by_name (widgets_find_button (claude, "Check"), "clicked");
  g_signal_emit_by_name (widgets_find_button (codex, "Check"), "clicked");
  g_assert_false (gtk_widget_get_sensitive (widgets_find_button (claude, "Check")));
  fake_attachment_add (gateway, board);
  g_assert_true (gtk_widget_get_sensitive (widgets_find_button (claude, "Check")));
  g_assert_nonnull (strstr (adw_action_row_get_subtitle (
                                ADW_ACTION_ROW (find_row (claude, "Check that it fires"))),
                            "website"));
  /* It wasn't this one. */
  g_assert_false (gtk_widget_get_sensitive (widgets_find_button (codex, "Check")));
  gtk_window_destroy (GTK_WINDOW (window));
  fake_attachment_add (gateway, board);
  g_assert_null (text);
}

/* Each text is there in each language, and they are not the same. */
static void
test_texts (void)
{
  static const char *const names[] = { "privacy", "terms", "licences" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      PerficaTextWindow *window = perfica_text_window_open (NULL, names[i]);
      GtkWidget *languages =
          GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (window), PERFICA_TYPE_TEXT_WINDOW,
                                                     "languages"));
      g_autofree char *english = g_strdup (perfica_text_window_get_text (window));

      /* The test's own language is C. */
      g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (languages)), ==, 0);
      g_assert_cmpuint (strlen (english), >, 200);
      gtk_drop_down_set_selected (GTK_DROP_DOWN (languages), 1);
      g_assert_cmpuint (strlen (perfica_text_window_get_text (window)), >, 200);
      g_assert_cmpstr (perfica_text_window_get_text (window), !=, english);
      gtk_window_destroy (GTK_WINDOW (window));
    }
}

static void
test_goes (void)
{
  g_autoptr (PerficaGateway) gateway = fake_gateway_new ();
  PerficaSettingsWindow *settings = perfica_settings_window_new (gateway);

  g_object_add_weak_pointer (G_OBJECT (settings), (gpointer *) &settings);
  gtk_window_present (GTK_WINDOW (settings));
  widgets_spin (100);
  gtk_window_destroy (GTK_WINDOW (settings));
  widgets_spin (100);
  g_assert_null (settings);
  fake_gateway_set_diagnosis (gateway, FALSE);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/ui/settings/agent-names", test_agent_names);
  g_test_add_func ("/ui/settings/fires", test_fires);
  g_test_add_func ("/ui/settings/texts", test_texts);
  g_test_add_func ("/ui/settings/goes", test_goes);
  return g_test_run ();
}
