/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-bubble-dialog.h"

#include <glib/gi18n.h>

#include "perfica-escape.h"

struct _PerficaBubbleDialog
{
  AdwWindow parent_instance;

  PerficaBoard *board;
  GtkWidget *name;
  GtkWidget *role;
  GtkWidget *loop;
  GtkWidget *read;
  GtkWidget *write;
  GtkWidget *run;
  GtkWidget *tools;
  GtkWidget *add;
  GtkWidget *problem;
};

G_DEFINE_FINAL_TYPE (PerficaBubbleDialog, perfica_bubble_dialog, ADW_TYPE_WINDOW)

static PerficaRole
chosen_role (PerficaBubbleDialog *self)
{
  return (PerficaRole) adw_combo_row_get_selected (ADW_COMBO_ROW (self->role));
}

static PerficaTools
chosen_tools (PerficaBubbleDialog *self)
{
  PerficaTools tools = 0;

  if (gtk_switch_get_active (GTK_SWITCH (self->read)))
    tools |= PERFICA_TOOL_READ;
  if (gtk_switch_get_active (GTK_SWITCH (self->write)))
    tools |= PERFICA_TOOL_WRITE;
  if (gtk_switch_get_active (GTK_SWITCH (self->run)))
    tools |= PERFICA_TOOL_RUN;
  return tools;
}

static void
show_problem (PerficaBubbleDialog *self, const char *text)
{
  gtk_label_set_label (GTK_LABEL (self->problem), text != NULL ? text : "");
  gtk_widget_set_visible (self->problem, text != NULL);
}

static void
name_changed (PerficaBubbleDialog *self)
{
  show_problem (self, NULL);
  gtk_widget_set_sensitive (self->add, *gtk_editable_get_text (GTK_EDITABLE (self->name)) != '\0');
}

/* The three roles' tools are shown, and fixed. */
static void
role_changed (PerficaBubbleDialog *self)
{
  PerficaRole role = chosen_role (self);
  gboolean custom = role == PERFICA_ROLE_CUSTOM;

  if (!custom)
    {
      PerficaTools tools = perfica_role_get_tools (role);

      gtk_switch_set_active (GTK_SWITCH (self->read), (tools & PERFICA_TOOL_READ) != 0);
      gtk_switch_set_active (GTK_SWITCH (self->write), (tools & PERFICA_TOOL_WRITE) != 0);
      gtk_switch_set_active (GTK_SWITCH (self->run), (tools & PERFICA_TOOL_RUN) != 0);
    }
  gtk_widget_set_sensitive (self->read, custom);
  gtk_widget_set_sensitive (self->write, custom);
  gtk_widget_set_sensitive (self->run, custom);
  adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (self->tools),
      custom ? _ ("Choose what this bubble may do")
             : _ ("This role's tools are fixed; “Custom” lets you choose"));
}

static void
add_clicked (PerficaBubbleDialog *self)
{
  GListModel *loops = perfica_board_get_loops (self->board);
  g_autoptr (PerficaLoop) loop =
      g_list_model_get_item (loops, adw_combo_row_get_selected (ADW_COMBO_ROW (self->loop)));
  PerficaRole role = chosen_role (self);
  g_autoptr (GError) error = NULL;

  if (loop == NULL)
    return;
  if (perfica_board_add_bubble (self->board, gtk_editable_get_text (GTK_EDITABLE (self->name)),
                                role, role == PERFICA_ROLE_CUSTOM ? chosen_tools (self) : 0, loop,
                                &error) == NULL)
    {
      show_problem (self, error != NULL ? error->message : _ ("It could not be added."));
      return;
    }
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
perfica_bubble_dialog_dispose (GObject *object)
{
  g_clear_object (&PERFICA_BUBBLE_DIALOG (object)->board);
  G_OBJECT_CLASS (perfica_bubble_dialog_parent_class)->dispose (object);
}

static void
perfica_bubble_dialog_class_init (PerficaBubbleDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_bubble_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-bubble-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaBubbleDialog, name);
  gtk_widget_class_bind_template_child (widget_class, PerficaBubbleDialog, role);
  gtk_widget_class_bind_template_child (widget_class, PerficaBubbleDialog, loop);
  gtk_widget_class_bind_template_child (widget_class, PerficaBubbleDialog, read);
  gtk_widget_class_bind_template_child (widget_class, PerficaBubbleDialog, write);
  gtk_widget_class_bind_template_child (widget_class, PerficaBubbleDialog, run);
  gtk_widget_class_bind_template_child (widget_class, PerficaBubbleDialog, tools);
  gtk_widget_class_bind_template_child (widget_class, PerficaBubbleDialog, add);
  gtk_widget_class_bind_template_child (widget_class, PerficaBubbleDialog, problem);
  gtk_widget_class_bind_template_callback (widget_class, name_changed);
  gtk_widget_class_bind_template_callback (widget_class, role_changed);
  gtk_widget_class_bind_template_callback (widget_class, add_clicked);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
perfica_bubble_dialog_init (PerficaBubbleDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  role_changed (self);
}

PerficaBubbleDialog *
perfica_bubble_dialog_open (GtkWidget *parent, PerficaBoard *board)
{
  PerficaBubbleDialog *self = g_object_new (PERFICA_TYPE_BUBBLE_DIALOG, NULL);
  GtkRoot *root = gtk_widget_get_root (parent);
  GListModel *loops = perfica_board_get_loops (board);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  self->board = g_object_ref (board);
  for (guint i = 0; i < g_list_model_get_n_items (loops); i++)
    {
      g_autoptr (PerficaLoop) loop = g_list_model_get_item (loops, i);
      g_autofree char *name = perfica_escape_line (perfica_loop_get_name (loop), 200);

      gtk_string_list_append (names, name);
    }
  adw_combo_row_set_model (ADW_COMBO_ROW (self->loop), G_LIST_MODEL (names));
  if (GTK_IS_WINDOW (root))
    gtk_window_set_transient_for (GTK_WINDOW (self), GTK_WINDOW (root));
  gtk_widget_grab_focus (self->name);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
