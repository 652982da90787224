/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-agent-row.h"

#include <glib/gi18n.h>
#include <string.h>

#include "perfica-escape.h"
#include "perfica-rows.h"

struct _PerficaAgentRow
{
  AdwExpanderRow parent_instance;

  const PerficaSnippet *snippet;
  GListModel *attachments;
  GSignalGroup *signals;
  guint timeout;

  GtkWidget *check_row;
  GtkWidget *check;
  GtkWidget *spinner;
  GtkWidget *found;
};

G_DEFINE_FINAL_TYPE (PerficaAgentRow, perfica_agent_row, ADW_TYPE_EXPANDER_ROW)

static guint copy_signal;

gboolean
perfica_agent_is (const PerficaSnippet *snippet, const char *program)
{
  const char *client = strrchr (program, '(');
  g_autofree char *name = g_ascii_strdown (client != NULL ? client : program, -1);

  /* "vscode" calls itself by its whole name. */
  return strstr (name, snippet->id) != NULL ||
         (strcmp (snippet->id, "vscode") == 0 && strstr (name, "visual studio code") != NULL);
}

static void
stop_looking (PerficaAgentRow *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  g_signal_group_set_target (self->signals, NULL);
  gtk_spinner_stop (GTK_SPINNER (self->spinner));
  gtk_widget_set_visible (self->spinner, FALSE);
  gtk_widget_set_sensitive (self->check, TRUE);
}

static void
say (PerficaAgentRow *self, const char *text)
{
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->check_row), text);
}

static void
look (PerficaAgentRow *self)
{
  for (guint i = 0; i < g_list_model_get_n_items (self->attachments); i++)
    {
      g_autoptr (PerficaAttachment) attachment = g_list_model_get_item (self->attachments, i);
      g_autofree char *bubble = NULL;
      g_autofree char *board = NULL;
      g_autofree char *text = NULL;

      if (!perfica_agent_is (self->snippet, perfica_attachment_get_program (attachment)) ||
          !perfica_attachment_get_connected (attachment))
        continue;
      bubble =
          perfica_escape_line (perfica_bubble_get_name (perfica_attachment_get_bubble (attachment)),
                               200);
      board =
          perfica_escape_line (perfica_board_get_name (perfica_attachment_get_board (attachment)),
                               200);
      /* Translators: a bubble's and a board's name */
      text = g_strdup_printf (_ ("It reaches Perfica, as %s on %s"), bubble, board);
      stop_looking (self);
      gtk_widget_set_visible (self->found, TRUE);
      say (self, text);
      return;
    }
}

static gboolean
give_up (gpointer data)
{
  PerficaAgentRow *self = data;

  self->timeout = 0;
  stop_looking (self);
  say (self, _ ("Nothing came. Is the text in its place, and was the agent started after that, in "
                "a board's folder?"));
  return G_SOURCE_REMOVE;
}

static void
check_clicked (PerficaAgentRow *self)
{
  stop_looking (self);
  gtk_widget_set_visible (self->found, FALSE);
  gtk_widget_set_visible (self->spinner, TRUE);
  gtk_spinner_start (GTK_SPINNER (self->spinner));
  gtk_widget_set_sensitive (self->check, FALSE);
  say (self, _ ("Start the agent in a board's folder now and ask it to run “true”…"));
  self->timeout = g_timeout_add_seconds (PERFICA_AGENT_CHECK_SECONDS, give_up, self);
  g_signal_group_set_target (self->signals, self->attachments);
  look (self);
}

static void
copy_clicked (GtkWidget *button, PerficaAgentRow *self)
{
  g_signal_emit (self, copy_signal, 0, g_object_get_data (G_OBJECT (button), "text"));
}

static GtkWidget *
copy_button (PerficaAgentRow *self, const char *text, const char *spoken)
{
  GtkWidget *button = perfica_rows_button ("edit-copy-symbolic", spoken);

  g_object_set_data_full (G_OBJECT (button), "text", g_strdup (text), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (copy_clicked), self);
  return button;
}

static void
add_text (
    PerficaAgentRow *self, const char *title, const char *place, char *owned, const char *spoken)
{
  g_autofree char *text = owned;
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *label = gtk_label_new (text);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), place);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), copy_button (self, text, spoken));
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "monospace");
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "perfica-snippet");
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), label);
}

static void
add_check (PerficaAgentRow *self)
{
  self->check_row = adw_action_row_new ();
  self->check = gtk_button_new_with_label (_ ("Check"));
  self->spinner = gtk_spinner_new ();
  self->found = gtk_image_new_from_icon_name ("emblem-ok-symbolic");
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->check_row), _ ("Check that it fires"));
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (self->check_row), 4);
  say (self, _ ("Looks out for the agent while you start it"));
  gtk_widget_set_valign (self->check, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (self->spinner, FALSE);
  gtk_widget_set_visible (self->found, FALSE);
  gtk_widget_add_css_class (self->found, "success");
  g_signal_connect_swapped (self->check, "clicked", G_CALLBACK (check_clicked), self);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self->check_row), self->found);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self->check_row), self->spinner);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self->check_row), self->check);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self->check_row), self->check);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), self->check_row);
}

static void
perfica_agent_row_dispose (GObject *object)
{
  PerficaAgentRow *self = PERFICA_AGENT_ROW (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_object (&self->signals);
  g_clear_object (&self->attachments);
  G_OBJECT_CLASS (perfica_agent_row_parent_class)->dispose (object);
}

static void
perfica_agent_row_class_init (PerficaAgentRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = perfica_agent_row_dispose;
  copy_signal = g_signal_new ("copy", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                              NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
perfica_agent_row_init (PerficaAgentRow *self)
{
  self->signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->signals, "items-changed", G_CALLBACK (look), self);
}

GtkWidget *
perfica_agent_row_new (const PerficaSnippet *snippet, const char *program, PerficaGateway *gateway)
{
  PerficaAgentRow *self = g_object_new (PERFICA_TYPE_AGENT_ROW, NULL);
  g_autofree char *tools = g_strdup_printf (_ ("Copy the snippet for %s"), snippet->client);
  char *text;
  g_autofree char *hooks = g_strdup_printf (_ ("Copy the hooks for %s"), snippet->client);

  self->snippet = snippet;
  self->attachments = g_object_ref (perfica_gateway_get_attachments (gateway));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), snippet->client);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), snippet->place);
  text = perfica_snippet_make (snippet, program, NULL, NULL);
  adw_expander_row_add_action (ADW_EXPANDER_ROW (self), copy_button (self, text, tools));
  add_text (self, _ ("Perfica's tools"), snippet->place, text, tools);
  if (snippet->hooks_place != NULL)
    add_text (self, _ ("Its own shell and file tools ask Perfica first"), snippet->hooks_place,
              perfica_snippet_make_hooks (snippet, program, NULL, NULL), hooks);
  add_check (self);
  return GTK_WIDGET (self);
}
