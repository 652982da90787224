/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-activity-details.h"

#include <glib/gi18n.h>

#include "perfica-closures.h"
#include "perfica-command-view.h"
#include "perfica-findings.h"

/* The record keeps head and tail; so much of them is drawn. */
#define SHOWN_OUTPUT (256 * 1024)

struct _PerficaActivityDetails
{
  AdwWindow parent_instance;

  PerficaEntry *entry;
  gulong changed;
  PerficaCommandView *command;
  PerficaCommandView *canonical;
  const char *style;
  GPtrArray *fact_rows;

  GtkWidget *pill;
  GtkWidget *sentence;
  GtkWidget *reason;
  GtkWidget *command_box;
  GtkWidget *canonical_box;
  GtkWidget *findings;
  GtkWidget *facts;
  GtkWidget *output;
  GtkWidget *output_box;
  GtkWidget *stop;
};

G_DEFINE_FINAL_TYPE (PerficaActivityDetails, perfica_activity_details, ADW_TYPE_WINDOW)

enum
{
  RUN,
  STOP,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static GtkWidget *
add_fact (PerficaActivityDetails *self, GtkWidget *group, const char *title, const char *value)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), value);
  adw_preferences_row_set_title_selectable (ADW_PREFERENCES_ROW (row), TRUE);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return row;
}

static void
add_fact_if (PerficaActivityDetails *self, const char *title, const char *value)
{
  g_autofree char *shown = perfica_escape_line (value, 4096);

  if (*shown != '\0')
    g_ptr_array_add (self->fact_rows, add_fact (self, self->facts, title, shown));
}

static void
show_facts (PerficaActivityDetails *self)
{
  PerficaEntry *entry = self->entry;
  g_autoptr (GDateTime) then =
      g_date_time_new_from_unix_local (perfica_entry_get_time (entry) / G_USEC_PER_SEC);
  /* Translators: day, month, year and time, as g_date_time_format() takes them */
  g_autofree char *time =
      then != NULL ? g_date_time_format (then, _ ("%-d %B %Y, %H:%M:%S")) : NULL;
  g_autofree char *duration = perfica_duration_label (perfica_entry_get_duration (entry));
  g_autofree char *folder = perfica_loop_folder_label (perfica_entry_get_folder (entry));
  g_autofree char *exit_code = g_strdup_printf ("%d", perfica_entry_get_exit_code (entry));
  g_autofree char *signal_number = g_strdup_printf ("%d", perfica_entry_get_signal (entry));

  for (guint i = 0; i < self->fact_rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self->facts),
                                  g_ptr_array_index (self->fact_rows, i));
  g_ptr_array_set_size (self->fact_rows, 0);

  add_fact_if (self, _ ("Bubble"), perfica_entry_get_bubble (entry));
  add_fact_if (self, _ ("Agent"), perfica_entry_get_client (entry));
  add_fact_if (self, _ ("Folder"), folder);
  add_fact_if (self, _ ("Time"), time);
  add_fact_if (self, _ ("Answered by"), perfica_entry_get_answered_by (entry));
  add_fact_if (self, _ ("Duration"), duration);
  if (perfica_entry_get_signal (entry) != 0)
    add_fact_if (self, _ ("Signal"), signal_number);
  else if (perfica_entry_get_outcome (entry) == PERFICA_OUTCOME_RAN)
    add_fact_if (self, _ ("Exit code"), exit_code);
  add_fact_if (self, _ ("Confinement"), perfica_entry_get_confinement (entry));
  add_fact_if (self, _ ("Whole output"), perfica_entry_get_output_path (entry));
}

static void
show_output (PerficaActivityDetails *self)
{
  const char *output = perfica_entry_get_output (self->entry);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->output));
  g_autoptr (PerficaEscaped) escaped = NULL;

  gtk_widget_set_visible (self->output_box, output != NULL && *output != '\0');
  if (output == NULL)
    return;
  escaped = perfica_escape_new (PERFICA_ESCAPE_OUTPUT, output, -1, SHOWN_OUTPUT);
  gtk_text_buffer_set_text (buffer, escaped->text, -1);
}

static void
update (PerficaActivityDetails *self)
{
  PerficaOutcome outcome = perfica_entry_get_outcome (self->entry);
  int exit_code = perfica_entry_get_exit_code (self->entry);
  int signal_number = perfica_entry_get_signal (self->entry);
  g_autofree char *label = perfica_outcome_label (outcome, exit_code, signal_number);
  g_autofree char *reason = perfica_escape_line (perfica_entry_get_reason (self->entry), 4096);

  if (self->style != NULL)
    gtk_widget_remove_css_class (self->pill, self->style);
  self->style = perfica_outcome_style (outcome, exit_code, signal_number);
  gtk_widget_add_css_class (self->pill, self->style);
  gtk_label_set_label (GTK_LABEL (self->pill), label);
  gtk_label_set_label (GTK_LABEL (self->sentence), perfica_outcome_sentence (outcome));
  gtk_label_set_label (GTK_LABEL (self->reason), reason);
  gtk_widget_set_visible (self->stop, outcome == PERFICA_OUTCOME_PENDING);
  gtk_widget_set_visible (self->reason, *reason != '\0');
  show_facts (self);
  show_output (self);
}

static void
show_reading (PerficaActivityDetails *self)
{
  const char *canonical = perfica_entry_get_canonical (self->entry);
  g_autoptr (GPtrArray) findings =
      perfica_findings_parse (perfica_entry_get_findings (self->entry));
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (PerficaSpan));

  for (guint i = 0; i < findings->len; i++)
    {
      PerficaFindingLine *finding = g_ptr_array_index (findings, i);
      g_autofree char *sentence = perfica_escape_line (finding->sentence, 1000);
      g_autofree char *rule = perfica_escape_line (finding->rule, 200);
      g_autofree char *subtitle = g_strdup_printf ("%s · %s", finding->answer, rule);

      if (g_strcmp0 (finding->answer, "allow") != 0)
        g_array_append_val (marks, finding->span);
      add_fact (self, self->findings, sentence, subtitle);
    }
  gtk_widget_set_visible (self->findings, findings->len > 0);
  perfica_command_view_set_command (self->command, perfica_entry_get_command (self->entry), marks);
  gtk_widget_set_visible (self->canonical_box, canonical != NULL && *canonical != '\0');
  perfica_command_view_set_command (self->canonical, canonical, NULL);
}

static void
copy_clicked (PerficaActivityDetails *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                          perfica_entry_get_command (self->entry));
}

static void
run_clicked (PerficaActivityDetails *self)
{
  g_signal_emit (self, signals[RUN], 0, self->entry);
  gtk_window_close (GTK_WINDOW (self));
}

static void
stop_clicked (PerficaActivityDetails *self)
{
  g_signal_emit (self, signals[STOP], 0, self->entry);
}

static void
perfica_activity_details_dispose (GObject *object)
{
  PerficaActivityDetails *self = PERFICA_ACTIVITY_DETAILS (object);

  if (self->entry != NULL)
    g_clear_signal_handler (&self->changed, self->entry);
  g_clear_object (&self->entry);
  g_clear_pointer (&self->fact_rows, g_ptr_array_unref);
  G_OBJECT_CLASS (perfica_activity_details_parent_class)->dispose (object);
}

static void
perfica_activity_details_class_init (PerficaActivityDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_activity_details_dispose;
  signals[RUN] = g_signal_new ("run", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 1, PERFICA_TYPE_ENTRY);
  signals[STOP] = g_signal_new ("stop", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 1, PERFICA_TYPE_ENTRY);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-activity-details.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityDetails, pill);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityDetails, sentence);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityDetails, reason);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityDetails, command_box);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityDetails, canonical_box);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityDetails, findings);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityDetails, facts);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityDetails, output);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityDetails, output_box);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityDetails, stop);
  gtk_widget_class_bind_template_callback (widget_class, copy_clicked);
  gtk_widget_class_bind_template_callback (widget_class, run_clicked);
  gtk_widget_class_bind_template_callback (widget_class, stop_clicked);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
perfica_activity_details_init (PerficaActivityDetails *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->fact_rows = g_ptr_array_new ();
  self->command = PERFICA_COMMAND_VIEW (perfica_command_view_new ());
  self->canonical = PERFICA_COMMAND_VIEW (perfica_command_view_new ());
  gtk_box_append (GTK_BOX (self->command_box), GTK_WIDGET (self->command));
  gtk_box_append (GTK_BOX (self->canonical_box), GTK_WIDGET (self->canonical));
}

PerficaActivityDetails *
perfica_activity_details_open (GtkWidget *parent, PerficaEntry *entry)
{
  PerficaActivityDetails *self = g_object_new (PERFICA_TYPE_ACTIVITY_DETAILS, NULL);
  GtkRoot *root = gtk_widget_get_root (parent);

  self->entry = g_object_ref (entry);
  self->changed = g_signal_connect_swapped (entry, "notify", G_CALLBACK (update), self);
  show_reading (self);
  update (self);
  if (GTK_IS_WINDOW (root))
    gtk_window_set_transient_for (GTK_WINDOW (self), GTK_WINDOW (root));
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
