/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-loop-dialog.h"

#include <glib/gi18n.h>

#include "perfica-compat.h"

struct _PerficaLoopDialog
{
  AdwWindow parent_instance;

  PerficaBoard *board;
  GtkWidget *name;
  GtkWidget *folder;
  GtkWidget *add;
  GtkWidget *problem;
};

G_DEFINE_FINAL_TYPE (PerficaLoopDialog, perfica_loop_dialog, ADW_TYPE_WINDOW)

static void
show_problem (PerficaLoopDialog *self, const char *text)
{
  gtk_label_set_label (GTK_LABEL (self->problem), text != NULL ? text : "");
  gtk_widget_set_visible (self->problem, text != NULL);
}

static void
changed (PerficaLoopDialog *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (self->name));
  const char *folder = gtk_editable_get_text (GTK_EDITABLE (self->folder));

  show_problem (self, NULL);
  gtk_widget_set_sensitive (self->add, *name != '\0' && *folder != '\0');
}

static void
add_clicked (PerficaLoopDialog *self)
{
  g_autoptr (GError) error = NULL;

  if (perfica_board_add_loop (self->board, gtk_editable_get_text (GTK_EDITABLE (self->name)),
                              gtk_editable_get_text (GTK_EDITABLE (self->folder)), &error) == NULL)
    {
      show_problem (self, error != NULL ? error->message : _ ("It could not be added."));
      return;
    }
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
folder_chosen (GFile *file, gpointer data)
{
  g_autoptr (PerficaLoopDialog) self = data;
  g_autoptr (GFile) project = NULL;
  g_autofree char *relative = NULL;

  if (file == NULL || self->board == NULL)
    return;
  project = g_file_new_for_path (perfica_board_get_folder (self->board));
  relative =
      g_file_equal (file, project) ? g_strdup (".") : g_file_get_relative_path (project, file);
  if (relative == NULL)
    {
      show_problem (self, _ ("That folder is not inside the project."));
      return;
    }
  gtk_editable_set_text (GTK_EDITABLE (self->folder), relative);
  if (*gtk_editable_get_text (GTK_EDITABLE (self->name)) == '\0')
    {
      g_autofree char *name = g_file_get_basename (file);

      gtk_editable_set_text (GTK_EDITABLE (self->name), name);
    }
}

static void
choose_clicked (PerficaLoopDialog *self)
{
  g_autoptr (GFile) project = g_file_new_for_path (perfica_board_get_folder (self->board));

  perfica_choose_folder (GTK_WIDGET (self), _ ("The Loop's Folder"), project, folder_chosen,
                         g_object_ref (self));
}

static void
perfica_loop_dialog_dispose (GObject *object)
{
  g_clear_object (&PERFICA_LOOP_DIALOG (object)->board);
  G_OBJECT_CLASS (perfica_loop_dialog_parent_class)->dispose (object);
}

static void
perfica_loop_dialog_class_init (PerficaLoopDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_loop_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-loop-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaLoopDialog, name);
  gtk_widget_class_bind_template_child (widget_class, PerficaLoopDialog, folder);
  gtk_widget_class_bind_template_child (widget_class, PerficaLoopDialog, add);
  gtk_widget_class_bind_template_child (widget_class, PerficaLoopDialog, problem);
  gtk_widget_class_bind_template_callback (widget_class, changed);
  gtk_widget_class_bind_template_callback (widget_class, add_clicked);
  gtk_widget_class_bind_template_callback (widget_class, choose_clicked);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
perfica_loop_dialog_init (PerficaLoopDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
perfica_loop_dialog_open (GtkWidget *parent, PerficaBoard *board)
{
  PerficaLoopDialog *self = g_object_new (PERFICA_TYPE_LOOP_DIALOG, NULL);
  GtkRoot *root = gtk_widget_get_root (parent);

  self->board = g_object_ref (board);
  if (GTK_IS_WINDOW (root))
    gtk_window_set_transient_for (GTK_WINDOW (self), GTK_WINDOW (root));
  gtk_widget_grab_focus (self->name);
  gtk_window_present (GTK_WINDOW (self));
}
