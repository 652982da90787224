/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-filter-popover.h"

#include <glib/gi18n.h>

#include "perfica-board.h"
#include "perfica-escape.h"

struct _PerficaFilterPopover
{
  GtkPopover parent_instance;

  GListModel *bubbles;
  GSignalGroup *bubbles_signals;
  GPtrArray *names; /* of the bubbles as they are; the list shows them escaped */
  char *bubble;
  gboolean quiet; /* choices are being set, not made */

  GtkWidget *bubble_choice;
  GtkWidget *answer_choice;
  GtkWidget *exit_choice;
  GtkWidget *reset;
};

G_DEFINE_FINAL_TYPE (PerficaFilterPopover, perfica_filter_popover, GTK_TYPE_POPOVER)

static guint changed_signal;

static guint
selected (GtkWidget *choice)
{
  guint position = gtk_drop_down_get_selected (GTK_DROP_DOWN (choice));

  return position == GTK_INVALID_LIST_POSITION ? 0 : position;
}

static void
chosen (PerficaFilterPopover *self)
{
  guint bubble;

  if (self->quiet)
    return;
  bubble = selected (self->bubble_choice);
  g_free (self->bubble);
  self->bubble = bubble > 0 && bubble <= self->names->len
                     ? g_strdup (g_ptr_array_index (self->names, bubble - 1))
                     : NULL;
  gtk_widget_set_sensitive (self->reset, perfica_filter_popover_is_active (self));
  g_signal_emit (self, changed_signal, 0);
}

static void
reset_clicked (PerficaFilterPopover *self)
{
  self->quiet = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->bubble_choice), 0);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->answer_choice), 0);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->exit_choice), 0);
  self->quiet = FALSE;
  chosen (self);
}

/* The chosen name stays chosen while it is there. */
static void
update_names (PerficaFilterPopover *self)
{
  g_autoptr (GtkStringList) shown = gtk_string_list_new (NULL);
  guint position = 0;

  g_ptr_array_set_size (self->names, 0);
  gtk_string_list_append (shown, _ ("All bubbles"));
  for (guint i = 0; self->bubbles != NULL && i < g_list_model_get_n_items (self->bubbles); i++)
    {
      g_autoptr (PerficaBubble) bubble = g_list_model_get_item (self->bubbles, i);
      const char *name = perfica_bubble_get_name (bubble);
      g_autofree char *escaped = perfica_escape_line (name, 60);

      g_ptr_array_add (self->names, g_strdup (name));
      gtk_string_list_append (shown, escaped);
      if (g_strcmp0 (name, self->bubble) == 0)
        position = i + 1;
    }
  self->quiet = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->bubble_choice), G_LIST_MODEL (shown));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->bubble_choice), position);
  self->quiet = FALSE;
}

static void
bubbles_changed (PerficaFilterPopover *self)
{
  gboolean had = self->bubble != NULL;

  update_names (self);
  if (had && selected (self->bubble_choice) == 0)
    chosen (self);
}

void
perfica_filter_popover_set_bubbles (PerficaFilterPopover *self, GListModel *bubbles)
{
  g_return_if_fail (PERFICA_IS_FILTER_POPOVER (self));

  g_clear_pointer (&self->bubble, g_free);
  g_set_object (&self->bubbles, bubbles);
  g_signal_group_set_target (self->bubbles_signals, bubbles);
  self->quiet = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->answer_choice), 0);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->exit_choice), 0);
  update_names (self);
  gtk_widget_set_sensitive (self->reset, FALSE);
}

const char *
perfica_filter_popover_get_bubble (PerficaFilterPopover *self)
{
  return self->bubble;
}

PerficaAnswerFilter
perfica_filter_popover_get_answer (PerficaFilterPopover *self)
{
  return selected (self->answer_choice);
}

PerficaExitFilter
perfica_filter_popover_get_exit (PerficaFilterPopover *self)
{
  return selected (self->exit_choice);
}

gboolean
perfica_filter_popover_is_active (PerficaFilterPopover *self)
{
  return self->bubble != NULL || selected (self->answer_choice) != 0 ||
         selected (self->exit_choice) != 0;
}

static void
perfica_filter_popover_dispose (GObject *object)
{
  PerficaFilterPopover *self = PERFICA_FILTER_POPOVER (object);

  self->quiet = TRUE;
  g_clear_object (&self->bubbles_signals);
  g_clear_object (&self->bubbles);
  G_OBJECT_CLASS (perfica_filter_popover_parent_class)->dispose (object);
}

static void
perfica_filter_popover_finalize (GObject *object)
{
  PerficaFilterPopover *self = PERFICA_FILTER_POPOVER (object);

  g_ptr_array_unref (self->names);
  g_free (self->bubble);
  G_OBJECT_CLASS (perfica_filter_popover_parent_class)->finalize (object);
}

static void
perfica_filter_popover_class_init (PerficaFilterPopoverClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_filter_popover_dispose;
  G_OBJECT_CLASS (klass)->finalize = perfica_filter_popover_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-filter-popover.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaFilterPopover, bubble_choice);
  gtk_widget_class_bind_template_child (widget_class, PerficaFilterPopover, answer_choice);
  gtk_widget_class_bind_template_child (widget_class, PerficaFilterPopover, exit_choice);
  gtk_widget_class_bind_template_child (widget_class, PerficaFilterPopover, reset);
  gtk_widget_class_bind_template_callback (widget_class, chosen);
  gtk_widget_class_bind_template_callback (widget_class, reset_clicked);
}

static void
set_choices (GtkWidget *choice, const char *const *labels, guint n)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (list, _ (labels[i]));
  gtk_drop_down_set_model (GTK_DROP_DOWN (choice), G_LIST_MODEL (list));
}

static void
perfica_filter_popover_init (PerficaFilterPopover *self)
{
  static const char *const answers[PERFICA_N_ANSWERS] = {
    [PERFICA_ANSWER_ANY] = N_ ("Any answer"),
    [PERFICA_ANSWER_ONCE] = N_ ("You allowed it"),
    [PERFICA_ANSWER_ALWAYS] = N_ ("Allowed always"),
    [PERFICA_ANSWER_FULL_AUTO] = N_ ("Full Auto"),
    [PERFICA_ANSWER_DENIED] = N_ ("You denied it"),
    [PERFICA_ANSWER_NOBODY] = N_ ("Nobody answered"),
  };
  static const char *const exits[PERFICA_N_EXITS] = {
    [PERFICA_EXIT_ANY] = N_ ("Any end"),
    [PERFICA_EXIT_OK] = N_ ("Exit code 0"),
    [PERFICA_EXIT_FAILED] = N_ ("Other exit code"),
    [PERFICA_EXIT_STOPPED] = N_ ("Stopped or lost"),
    [PERFICA_EXIT_NEVER] = N_ ("Never ran"),
    [PERFICA_EXIT_RUNNING] = N_ ("Still running"),
  };

  self->quiet = TRUE;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->bubbles_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->bubbles_signals, "items-changed",
                                  G_CALLBACK (bubbles_changed), self);
  gtk_widget_init_template (GTK_WIDGET (self));
  set_choices (self->answer_choice, answers, G_N_ELEMENTS (answers));
  set_choices (self->exit_choice, exits, G_N_ELEMENTS (exits));
  update_names (self);
}
