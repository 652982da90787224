/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-activity-row.h"

#include <glib/gi18n.h>

#include "perfica-closures.h"
#include "perfica-escape.h"

/* A row shows one line of the command; the details have the whole. */
#define SHOWN_BYTES 600

struct _PerficaActivityRow
{
  GtkBox parent_instance;

  PerficaEntry *entry;
  gulong changed;
  const char *style;

  GtkWidget *time;
  GtkWidget *who;
  GtkWidget *pill;
  GtkWidget *duration;
  GtkWidget *command;
  GtkWidget *reason;
  GtkWidget *run;
  GtkWidget *stop;
};

G_DEFINE_FINAL_TYPE (PerficaActivityRow, perfica_activity_row, GTK_TYPE_BOX)

enum
{
  RUN,
  STOP,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static void
show_outcome (PerficaActivityRow *self)
{
  PerficaOutcome outcome = perfica_entry_get_outcome (self->entry);
  int exit_code = perfica_entry_get_exit_code (self->entry);
  int signal_number = perfica_entry_get_signal (self->entry);
  const char *style = perfica_outcome_style (outcome, exit_code, signal_number);
  g_autofree char *label = perfica_outcome_label (outcome, exit_code, signal_number);
  g_autofree char *duration = perfica_duration_label (perfica_entry_get_duration (self->entry));

  if (self->style != NULL)
    gtk_widget_remove_css_class (self->pill, self->style);
  self->style = style;
  gtk_widget_add_css_class (self->pill, style);
  gtk_label_set_label (GTK_LABEL (self->pill), label);
  gtk_widget_set_tooltip_text (self->pill, perfica_outcome_sentence (outcome));
  gtk_label_set_label (GTK_LABEL (self->duration), duration);
  gtk_widget_set_visible (self->stop, outcome == PERFICA_OUTCOME_PENDING);
  gtk_widget_set_visible (self->duration, *duration != '\0');
}

static void
update (PerficaActivityRow *self)
{
  const char *folder = perfica_entry_get_folder (self->entry);
  gboolean whole = folder == NULL || *folder == '\0' || g_strcmp0 (folder, ".") == 0;
  g_autofree char *bubble = perfica_escape_line (perfica_entry_get_bubble (self->entry), 200);
  g_autofree char *inside = perfica_escape_line (folder, 500);
  g_autofree char *who = whole ? g_strdup (bubble) : g_strdup_printf ("%s / %s", bubble, inside);
  g_autofree char *command =
      perfica_escape_line (perfica_entry_get_command (self->entry), SHOWN_BYTES);
  g_autofree char *reason =
      perfica_escape_line (perfica_entry_get_reason (self->entry), SHOWN_BYTES);
  g_autofree char *time =
      perfica_time_label (perfica_entry_get_time (self->entry), g_get_real_time ());

  gtk_label_set_label (GTK_LABEL (self->time), time);
  gtk_label_set_label (GTK_LABEL (self->who), who);
  gtk_label_set_label (GTK_LABEL (self->command), command);
  gtk_label_set_label (GTK_LABEL (self->reason), reason);
  gtk_widget_set_visible (self->reason, *reason != '\0');
  gtk_widget_set_visible (self->run, perfica_entry_get_offers_terminal (self->entry));
  show_outcome (self);
}

static void
run_clicked (PerficaActivityRow *self)
{
  if (self->entry != NULL)
    g_signal_emit (self, signals[RUN], 0, self->entry);
}

static void
stop_clicked (PerficaActivityRow *self)
{
  if (self->entry != NULL)
    g_signal_emit (self, signals[STOP], 0, self->entry);
}

void
perfica_activity_row_set_entry (PerficaActivityRow *self, PerficaEntry *entry)
{
  g_return_if_fail (PERFICA_IS_ACTIVITY_ROW (self));

  if (self->entry != NULL)
    g_clear_signal_handler (&self->changed, self->entry);
  g_set_object (&self->entry, entry);
  if (entry == NULL)
    return;
  self->changed = g_signal_connect_swapped (entry, "notify", G_CALLBACK (update), self);
  update (self);
}

static void
perfica_activity_row_dispose (GObject *object)
{
  perfica_activity_row_set_entry (PERFICA_ACTIVITY_ROW (object), NULL);
  G_OBJECT_CLASS (perfica_activity_row_parent_class)->dispose (object);
}

static void
perfica_activity_row_class_init (PerficaActivityRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_activity_row_dispose;
  signals[RUN] = g_signal_new ("run", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 1, PERFICA_TYPE_ENTRY);
  signals[STOP] = g_signal_new ("stop", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 1, PERFICA_TYPE_ENTRY);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-activity-row.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityRow, time);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityRow, who);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityRow, pill);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityRow, duration);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityRow, command);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityRow, reason);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityRow, run);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityRow, stop);
  gtk_widget_class_bind_template_callback (widget_class, run_clicked);
  gtk_widget_class_bind_template_callback (widget_class, stop_clicked);
}

static void
perfica_activity_row_init (PerficaActivityRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
perfica_activity_row_new (void)
{
  return g_object_new (PERFICA_TYPE_ACTIVITY_ROW, NULL);
}
