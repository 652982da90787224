/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-bubbles-page.h"

#include <glib/gi18n.h>

#include "perfica-bubble-dialog.h"
#include "perfica-closures.h"
#include "perfica-compat.h"
#include "perfica-escape.h"
#include "perfica-joining-group.h"
#include "perfica-loop-dialog.h"
#include "perfica-rows.h"

struct _PerficaBubblesPage
{
  AdwBin parent_instance;

  PerficaGateway *gateway;
  PerficaBoard *board;
  GSignalGroup *loops_signals;
  GSignalGroup *bubbles_signals;
  GSignalGroup *attachments_signals;
  GPtrArray *loop_rows;
  GPtrArray *bubble_rows;
  GObject *doomed; /* the loop or bubble that a question is open about */

  PerficaJoiningGroup *joining;
  GtkWidget *loops;
  GtkWidget *bubbles;
};

G_DEFINE_FINAL_TYPE (PerficaBubblesPage, perfica_bubbles_page, ADW_TYPE_BIN)

enum
{
  FOLDER_SELECTED,
  REVIEW,
  JOINING,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void
removal_answered (const char *response, gpointer data)
{
  PerficaBubblesPage *self = data;
  g_autoptr (GObject) doomed = g_steal_pointer (&self->doomed);
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (response, "accept") != 0 || doomed == NULL || self->board == NULL)
    return;
  if (PERFICA_IS_LOOP (doomed))
    perfica_board_remove_loop (self->board, PERFICA_LOOP (doomed), &error);
  else
    perfica_board_remove_bubble (self->board, PERFICA_BUBBLE (doomed), &error);
  if (error != NULL)
    perfica_alert (GTK_WIDGET (self), _ ("It could not be removed"), error->message, NULL, FALSE,
                   NULL, NULL);
}

static void
remove_clicked (GtkWidget *button, PerficaBubblesPage *self)
{
  GObject *object = g_object_get_data (G_OBJECT (button), "object");
  gboolean loop = PERFICA_IS_LOOP (object);
  g_autofree char *name =
      perfica_escape_line (loop ? perfica_loop_get_name (PERFICA_LOOP (object))
                                : perfica_bubble_get_name (PERFICA_BUBBLE (object)),
                           200);
  g_autofree char *heading = g_strdup_printf (_ ("Remove %s?"), name);

  g_set_object (&self->doomed, object);
  perfica_alert (GTK_WIDGET (self), heading,
                 loop ? _ ("The folder and its files stay where they are.")
                      : _ ("An agent that is attached as this bubble is turned away."),
                 _ ("_Remove"), TRUE, removal_answered, self);
}

static GtkWidget *
remove_button (PerficaBubblesPage *self, GObject *object, const char *spoken)
{
  GtkWidget *button = perfica_rows_button ("user-trash-symbolic", spoken);

  g_object_set_data_full (G_OBJECT (button), "object", g_object_ref (object), g_object_unref);
  g_signal_connect (button, "clicked", G_CALLBACK (remove_clicked), self);
  return button;
}

static GtkWidget *
new_row (GtkWidget *group, GPtrArray *rows, const char *title, const char *subtitle)
{
  GtkWidget *row = perfica_rows_new (title, subtitle);

  perfica_rows_add (group, rows, row);
  return row;
}

static void
loop_activated (GtkWidget *row, PerficaBubblesPage *self)
{
  PerficaLoop *loop = g_object_get_data (G_OBJECT (row), "loop");

  g_signal_emit (self, signals[FOLDER_SELECTED], 0, perfica_loop_get_folder (loop));
}

static void
update_loops (PerficaBubblesPage *self)
{
  GListModel *loops = perfica_board_get_loops (self->board);

  perfica_rows_clear (self->loops, self->loop_rows);
  for (guint i = 0; i < g_list_model_get_n_items (loops); i++)
    {
      g_autoptr (PerficaLoop) loop = g_list_model_get_item (loops, i);
      g_autofree char *name = perfica_escape_line (perfica_loop_get_name (loop), 200);
      g_autofree char *folder = perfica_loop_folder_label (perfica_loop_get_folder (loop));
      g_autofree char *spoken = g_strdup_printf (_ ("Remove loop %s"), name);
      GtkWidget *row = new_row (self->loops, self->loop_rows, name, folder);

      adw_action_row_add_prefix (ADW_ACTION_ROW (row),
                                 gtk_image_new_from_icon_name ("folder-symbolic"));
      if (g_strcmp0 (perfica_loop_get_folder (loop), ".") != 0)
        adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                                   remove_button (self, G_OBJECT (loop), spoken));
      gtk_widget_set_tooltip_text (row, _ ("New terminals start in this folder once it is chosen"));
      g_object_set_data_full (G_OBJECT (row), "loop", g_object_ref (loop), g_object_unref);
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
      g_signal_connect (row, "activated", G_CALLBACK (loop_activated), self);
    }
}

static void watch_attachment (PerficaBubblesPage *self, PerficaAttachment *attachment);

/* Says who is attached as @bubble, in the row's second line. */
static char *
attached_text (PerficaBubblesPage *self, PerficaBubble *bubble, gboolean *attached)
{
  GListModel *attachments = perfica_gateway_get_attachments (self->gateway);

  for (guint i = 0; i < g_list_model_get_n_items (attachments); i++)
    {
      g_autoptr (PerficaAttachment) attachment = g_list_model_get_item (attachments, i);
      g_autofree char *program = NULL;

      watch_attachment (self, attachment);
      if (perfica_attachment_get_bubble (attachment) != bubble ||
          !perfica_attachment_get_connected (attachment) ||
          !perfica_attachment_get_confirmed (attachment))
        continue;
      program = perfica_escape_line (perfica_attachment_get_program (attachment), 300);
      *attached = TRUE;
      return g_strdup_printf (_ ("attached: %s (%d)"), program,
                              perfica_attachment_get_pid (attachment));
    }
  *attached = FALSE;
  return g_strdup (_ ("no agent attached"));
}

static GtkWidget *
bubble_row (PerficaBubblesPage *self, PerficaBubble *bubble)
{
  gboolean attached = FALSE;
  g_autofree char *name = perfica_escape_line (perfica_bubble_get_name (bubble), 200);
  g_autofree char *loop =
      perfica_escape_line (perfica_loop_get_name (perfica_bubble_get_loop (bubble)), 200);
  g_autofree char *tools = perfica_tools_label (perfica_bubble_get_tools (bubble));
  g_autofree char *who = attached_text (self, bubble, &attached);
  g_autofree char *spoken = g_strdup_printf (_ ("Remove bubble %s"), name);
  /* Translators: role, loop, tools, who is attached */
  g_autofree char *subtitle =
      g_strdup_printf (_ ("%s in %s — %s\n%s"),
                       perfica_role_label (perfica_bubble_get_role (bubble)), loop, tools, who);
  GtkWidget *row = new_row (self->bubbles, self->bubble_rows, name, subtitle);
  GtkWidget *icon = gtk_image_new_from_icon_name ("perfica-bubble-symbolic");

  if (attached)
    gtk_widget_add_css_class (icon, "success");
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 3);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), remove_button (self, G_OBJECT (bubble), spoken));
  return row;
}

static void
update_bubbles (PerficaBubblesPage *self)
{
  GListModel *bubbles;

  if (self->board == NULL)
    return;
  bubbles = perfica_board_get_bubbles (self->board);
  perfica_rows_clear (self->bubbles, self->bubble_rows);
  if (g_list_model_get_n_items (bubbles) == 0)
    new_row (self->bubbles, self->bubble_rows, _ ("No bubbles yet"),
             _ ("Each agent needs one: a name, a role and a loop"));
  for (guint i = 0; i < g_list_model_get_n_items (bubbles); i++)
    {
      g_autoptr (PerficaBubble) bubble = g_list_model_get_item (bubbles, i);

      bubble_row (self, bubble);
    }
}

static void
watch_attachment (PerficaBubblesPage *self, PerficaAttachment *attachment)
{
  g_signal_handlers_disconnect_by_func (attachment, update_bubbles, self);
  g_signal_connect_object (attachment, "notify", G_CALLBACK (update_bubbles), self,
                           G_CONNECT_SWAPPED);
}

static void
review (PerficaBubblesPage *self, PerficaAttachment *attachment)
{
  g_signal_emit (self, signals[REVIEW], 0, attachment);
}

static void
joining_changed (PerficaBubblesPage *self)
{
  g_signal_emit (self, signals[JOINING], 0);
}

guint
perfica_bubbles_page_get_joining (PerficaBubblesPage *self)
{
  return perfica_joining_group_get_count (self->joining);
}

static void
add_loop_clicked (PerficaBubblesPage *self)
{
  perfica_loop_dialog_open (GTK_WIDGET (self), self->board);
}

static void
add_bubble_clicked (PerficaBubblesPage *self)
{
  perfica_bubble_dialog_open (GTK_WIDGET (self), self->board);
}

void
perfica_bubbles_page_set_board (PerficaBubblesPage *self,
                                PerficaGateway *gateway,
                                PerficaBoard *board)
{
  g_return_if_fail (PERFICA_IS_BUBBLES_PAGE (self));

  g_set_object (&self->gateway, gateway);
  if (!g_set_object (&self->board, board))
    return;
  perfica_joining_group_set_board (self->joining, gateway, board);
  g_signal_group_set_target (self->attachments_signals, perfica_gateway_get_attachments (gateway));
  g_signal_group_set_target (self->loops_signals,
                             board != NULL ? perfica_board_get_loops (board) : NULL);
  g_signal_group_set_target (self->bubbles_signals,
                             board != NULL ? perfica_board_get_bubbles (board) : NULL);
  if (board == NULL)
    return;
  update_loops (self);
  update_bubbles (self);
}

static void
perfica_bubbles_page_dispose (GObject *object)
{
  PerficaBubblesPage *self = PERFICA_BUBBLES_PAGE (object);

  g_clear_object (&self->loops_signals);
  g_clear_object (&self->bubbles_signals);
  g_clear_object (&self->attachments_signals);
  g_clear_pointer (&self->loop_rows, g_ptr_array_unref);
  g_clear_pointer (&self->bubble_rows, g_ptr_array_unref);
  g_clear_object (&self->doomed);
  g_clear_object (&self->board);
  g_clear_object (&self->gateway);
  G_OBJECT_CLASS (perfica_bubbles_page_parent_class)->dispose (object);
}

static void
perfica_bubbles_page_class_init (PerficaBubblesPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_bubbles_page_dispose;
  g_type_ensure (PERFICA_TYPE_JOINING_GROUP);
  signals[FOLDER_SELECTED] =
      g_signal_new ("folder-selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[REVIEW] = g_signal_new ("review", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, PERFICA_TYPE_ATTACHMENT);
  signals[JOINING] = g_signal_new ("joining", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-bubbles-page.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaBubblesPage, joining);
  gtk_widget_class_bind_template_child (widget_class, PerficaBubblesPage, loops);
  gtk_widget_class_bind_template_child (widget_class, PerficaBubblesPage, bubbles);
  gtk_widget_class_bind_template_callback (widget_class, add_loop_clicked);
  gtk_widget_class_bind_template_callback (widget_class, review);
  gtk_widget_class_bind_template_callback (widget_class, joining_changed);
  gtk_widget_class_bind_template_callback (widget_class, add_bubble_clicked);
}

static void
perfica_bubbles_page_init (PerficaBubblesPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->loop_rows = g_ptr_array_new ();
  self->bubble_rows = g_ptr_array_new ();
  self->loops_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  self->bubbles_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  self->attachments_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->loops_signals, "items-changed", G_CALLBACK (update_loops),
                                  self);
  g_signal_group_connect_swapped (self->bubbles_signals, "items-changed",
                                  G_CALLBACK (update_bubbles), self);
  g_signal_group_connect_swapped (self->attachments_signals, "items-changed",
                                  G_CALLBACK (update_bubbles), self);
}
