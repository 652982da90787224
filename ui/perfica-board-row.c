/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-board-row.h"

#include <glib/gi18n.h>

#include "perfica-closures.h"
#include "perfica-escape.h"

struct _PerficaBoardRow
{
  GtkListBoxRow parent_instance;

  PerficaBoard *board;
  GtkWidget *name;
  GtkWidget *folder;
  GtkWidget *waiting;
  GtkWidget *full_auto;
  GtkWidget *sandbox;
};

G_DEFINE_FINAL_TYPE (PerficaBoardRow, perfica_board_row, GTK_TYPE_LIST_BOX_ROW)

void
perfica_board_row_refresh (PerficaBoardRow *self)
{
  g_autofree char *name = perfica_escape_line (perfica_board_get_name (self->board), 200);
  g_autofree char *folder =
      perfica_folder_label (perfica_board_get_folder (self->board), g_get_home_dir ());
  g_autofree char *waiting = g_strdup_printf ("%u", perfica_board_get_waiting (self->board));
  g_autofree char *spoken = perfica_waiting_label (perfica_board_get_waiting (self->board));

  gtk_label_set_label (GTK_LABEL (self->name), name);
  gtk_label_set_label (GTK_LABEL (self->folder), folder);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), folder);
  gtk_label_set_label (GTK_LABEL (self->waiting), waiting);
  gtk_widget_set_tooltip_text (self->waiting, spoken);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->waiting), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  spoken, -1);
  gtk_widget_set_visible (self->waiting, perfica_board_get_waiting (self->board) > 0);
  gtk_widget_set_visible (self->full_auto, perfica_board_get_full_auto (self->board));
  gtk_widget_set_visible (self->sandbox, perfica_board_get_sandbox_active (self->board));
}

static void
perfica_board_row_dispose (GObject *object)
{
  g_clear_object (&PERFICA_BOARD_ROW (object)->board);
  G_OBJECT_CLASS (perfica_board_row_parent_class)->dispose (object);
}

static void
perfica_board_row_class_init (PerficaBoardRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_board_row_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-board-row.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardRow, name);
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardRow, folder);
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardRow, waiting);
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardRow, full_auto);
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardRow, sandbox);
}

static void
perfica_board_row_init (PerficaBoardRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
perfica_board_row_new (PerficaBoard *board)
{
  PerficaBoardRow *self = g_object_new (PERFICA_TYPE_BOARD_ROW, NULL);

  self->board = g_object_ref (board);
  g_signal_connect_object (board, "notify", G_CALLBACK (perfica_board_row_refresh), self,
                           G_CONNECT_SWAPPED);
  perfica_board_row_refresh (self);
  return GTK_WIDGET (self);
}

PerficaBoard *
perfica_board_row_get_board (PerficaBoardRow *self)
{
  return self->board;
}
