/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-confirm.h"

#include <glib/gi18n.h>

#include "perfica-compat.h"

struct _PerficaConfirm
{
  PerficaAskWindow parent_instance;

  GtkWidget *heading;
  GtkWidget *body;
  GtkWidget *cancel;
  GtkWidget *accept;
  PerficaConfirmFunc callback;
  GObject *owner;
};

G_DEFINE_FINAL_TYPE (PerficaConfirm, perfica_confirm, PERFICA_TYPE_ASK_WINDOW)

static void
finish (PerficaConfirm *self, gboolean confirmed)
{
  g_autoptr (GObject) owner = g_steal_pointer (&self->owner);

  if (owner == NULL)
    return;
  self->callback (confirmed, owner);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
accepted (PerficaConfirm *self)
{
  finish (self, TRUE);
}

static void
cancelled (PerficaConfirm *self)
{
  finish (self, FALSE);
}

static gboolean
close_requested (PerficaConfirm *self)
{
  finish (self, FALSE);
  return GDK_EVENT_STOP;
}

static void
perfica_confirm_fell_asleep (PerficaAskWindow *window)
{
  perfica_answer_button_set_awake (PERFICA_ANSWER_BUTTON (PERFICA_CONFIRM (window)->accept), FALSE);
}

static void
perfica_confirm_awoke (PerficaAskWindow *window)
{
  perfica_answer_button_set_awake (PERFICA_ANSWER_BUTTON (PERFICA_CONFIRM (window)->accept), TRUE);
}

static void
perfica_confirm_dispose (GObject *object)
{
  g_clear_object (&PERFICA_CONFIRM (object)->owner);
  G_OBJECT_CLASS (perfica_confirm_parent_class)->dispose (object);
}

static void
perfica_confirm_class_init (PerficaConfirmClass *klass)
{
  PerficaAskWindowClass *ask_class = PERFICA_ASK_WINDOW_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_confirm_dispose;
  ask_class->fell_asleep = perfica_confirm_fell_asleep;
  ask_class->awoke = perfica_confirm_awoke;
}

static GtkWidget *
add_label (GtkWidget *box, const char *style)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_width_chars (GTK_LABEL (label), 30);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_widget_set_margin_start (label, 18);
  gtk_widget_set_margin_end (label, 18);
  gtk_widget_set_margin_top (label, 12);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
perfica_confirm_init (PerficaConfirm *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *handle = gtk_window_handle_new ();
  GtkWidget *actions = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  perfica_ui_init ();
  self->heading = add_label (box, "title-2");
  self->body = add_label (box, NULL);
  gtk_widget_set_vexpand (self->body, TRUE);

  gtk_box_set_homogeneous (GTK_BOX (actions), TRUE);
  gtk_widget_add_css_class (actions, "perfica-prompt-actions");
  self->cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));
  gtk_widget_add_css_class (self->cancel, "perfica-answer");
  g_signal_connect_swapped (self->cancel, "clicked", G_CALLBACK (cancelled), self);
  self->accept = g_object_new (PERFICA_TYPE_ANSWER_BUTTON, NULL);
  g_signal_connect_swapped (self->accept, "answered", G_CALLBACK (accepted), self);
  gtk_box_append (GTK_BOX (actions), self->cancel);
  gtk_box_append (GTK_BOX (actions), self->accept);
  gtk_box_append (GTK_BOX (box), actions);
  gtk_window_handle_set_child (GTK_WINDOW_HANDLE (handle), box);
  adw_window_set_content (ADW_WINDOW (self), handle);
  gtk_window_set_default_size (GTK_WINDOW (self), 420, -1);
  g_signal_connect (self, "close-request", G_CALLBACK (close_requested), NULL);
}

void
perfica_confirm_ask (GtkWidget *parent,
                     const char *heading,
                     const char *body,
                     const char *accept,
                     PerficaConfirmFunc callback,
                     gpointer owner)
{
  PerficaConfirm *self = g_object_new (PERFICA_TYPE_CONFIRM, NULL);
  GtkRoot *root = gtk_widget_get_root (parent);

  self->callback = callback;
  self->owner = g_object_ref (owner);
  gtk_window_set_title (GTK_WINDOW (self), heading);
  gtk_label_set_label (GTK_LABEL (self->heading), heading);
  gtk_label_set_label (GTK_LABEL (self->body), body);
  g_object_set (self->accept, "label", accept, NULL);
  if (GTK_IS_WINDOW (root))
    gtk_window_set_transient_for (GTK_WINDOW (self), GTK_WINDOW (root));
  perfica_ask_window_fit (PERFICA_ASK_WINDOW (self));
  gtk_window_set_focus (GTK_WINDOW (self), self->cancel);
  gtk_window_present (GTK_WINDOW (self));
}
