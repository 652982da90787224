/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-waiting-window.h"

#include <glib/gi18n.h>

#include "perfica-compat.h"
#include "perfica-escape.h"

struct _PerficaWaitingWindow
{
  AdwWindow parent_instance;

  PerficaGateway *gateway;
  GHashTable *chosen; /* PerficaRequest, a set */

  GtkWidget *list;
  GtkWidget *deny;
};

G_DEFINE_FINAL_TYPE (PerficaWaitingWindow, perfica_waiting_window, ADW_TYPE_WINDOW)

static guint show_request;

static void
update_deny (PerficaWaitingWindow *self)
{
  gtk_widget_set_sensitive (self->deny, g_hash_table_size (self->chosen) > 0);
}

static PerficaRequest *
request_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), "request");
}

static void
check_toggled (GtkWidget *check, PerficaWaitingWindow *self)
{
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (check)))
    g_hash_table_add (self->chosen, g_object_ref (request_of (check)));
  else
    g_hash_table_remove (self->chosen, request_of (check));
  update_deny (self);
}

static void
show_clicked (GtkWidget *button, PerficaWaitingWindow *self)
{
  g_signal_emit (self, show_request, 0, request_of (button));
}

static void
keep_request (GtkWidget *widget, PerficaRequest *request)
{
  g_object_set_data_full (G_OBJECT (widget), "request", g_object_ref (request), g_object_unref);
}

static GtkWidget *
create_row (gpointer item, gpointer data)
{
  PerficaWaitingWindow *self = data;
  PerficaRequest *request = item;
  g_autofree char *command = perfica_escape_line (perfica_request_get_command (request), 1000);
  g_autofree char *bubble =
      perfica_escape_line (perfica_bubble_get_name (perfica_request_get_bubble (request)), 200);
  g_autofree char *board =
      perfica_escape_line (perfica_board_get_name (perfica_request_get_board (request)), 200);
  g_autofree char *who = g_strdup_printf (_ ("%s on %s"), bubble, board);
  g_autofree char *spoken = g_strdup_printf (_ ("Choose %s"), command);
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *check = gtk_check_button_new ();
  GtkWidget *button = gtk_button_new_with_label (_ ("Show"));

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), command);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 3);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), who);

  keep_request (check, request);
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                  -1);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check),
                               g_hash_table_contains (self->chosen, request));
  g_signal_connect (check, "toggled", G_CALLBACK (check_toggled), self);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);

  keep_request (button, request);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Show this one in the question"));
  g_signal_connect (button, "clicked", G_CALLBACK (show_clicked), self);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  return row;
}

static void
deny_clicked (PerficaWaitingWindow *self)
{
  PerficaApprovals *approvals = perfica_gateway_get_approvals (self->gateway);
  g_autoptr (GList) chosen = g_hash_table_get_keys (self->chosen);

  for (GList *l = chosen; l != NULL; l = l->next)
    g_object_ref (l->data);
  g_hash_table_remove_all (self->chosen);
  for (GList *l = chosen; l != NULL; l = l->next)
    {
      perfica_approvals_answer (approvals, l->data, PERFICA_DECISION_DENY, NULL);
      g_object_unref (l->data);
    }
  update_deny (self);
}

static gboolean
is_gone (gpointer key, gpointer value, gpointer data)
{
  return perfica_request_get_state (key) != PERFICA_STATE_ASKING;
}

static void
waiting_changed (PerficaWaitingWindow *self)
{
  GListModel *model = G_LIST_MODEL (perfica_gateway_get_approvals (self->gateway));

  g_hash_table_foreach_remove (self->chosen, is_gone, NULL);
  update_deny (self);
  if (g_list_model_get_n_items (model) == 0)
    gtk_window_close (GTK_WINDOW (self));
}

static void
perfica_waiting_window_dispose (GObject *object)
{
  PerficaWaitingWindow *self = PERFICA_WAITING_WINDOW (object);

  g_clear_pointer (&self->chosen, g_hash_table_unref);
  g_clear_object (&self->gateway);
  G_OBJECT_CLASS (perfica_waiting_window_parent_class)->dispose (object);
}

static void
perfica_waiting_window_class_init (PerficaWaitingWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_waiting_window_dispose;
  show_request = g_signal_new ("show-request", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                               NULL, NULL, NULL, G_TYPE_NONE, 1, PERFICA_TYPE_REQUEST);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-waiting-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaWaitingWindow, list);
  gtk_widget_class_bind_template_child (widget_class, PerficaWaitingWindow, deny);
  gtk_widget_class_bind_template_callback (widget_class, deny_clicked);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
perfica_waiting_window_init (PerficaWaitingWindow *self)
{
  self->chosen = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  perfica_ui_init ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

PerficaWaitingWindow *
perfica_waiting_window_new (PerficaGateway *gateway)
{
  PerficaWaitingWindow *self = g_object_new (PERFICA_TYPE_WAITING_WINDOW, NULL);
  GListModel *model = G_LIST_MODEL (perfica_gateway_get_approvals (gateway));

  self->gateway = g_object_ref (gateway);
  gtk_list_box_bind_model (GTK_LIST_BOX (self->list), model, create_row, self, NULL);
  g_signal_connect_object (model, "items-changed", G_CALLBACK (waiting_changed), self,
                           G_CONNECT_SWAPPED);
  update_deny (self);
  return self;
}
