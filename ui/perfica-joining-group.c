/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-joining-group.h"

#include <glib/gi18n.h>

#include "perfica-closures.h"
#include "perfica-escape.h"

struct _PerficaJoiningGroup
{
  AdwPreferencesGroup parent_instance;

  PerficaBoard *board;
  GListModel *attachments;
  GSignalGroup *signals;
  GHashTable *rows; /* PerficaAttachment -> its row */
};

G_DEFINE_FINAL_TYPE (PerficaJoiningGroup, perfica_joining_group, ADW_TYPE_PREFERENCES_GROUP)

enum
{
  PROP_COUNT = 1,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

static guint review_signal;

static void update (PerficaJoiningGroup *self);

static gboolean
asks (PerficaJoiningGroup *self, PerficaAttachment *attachment)
{
  GListModel *bubbles = perfica_board_get_bubbles (self->board);

  if (perfica_attachment_get_confirmed (attachment) ||
      perfica_attachment_get_board (attachment) != self->board)
    return FALSE;
  for (guint i = 0; i < g_list_model_get_n_items (bubbles); i++)
    {
      g_autoptr (PerficaBubble) bubble = g_list_model_get_item (bubbles, i);

      if (bubble == perfica_attachment_get_bubble (attachment))
        return TRUE;
    }
  return FALSE; /* its bubble was removed */
}

static void
review_clicked (GtkWidget *button, PerficaAttachment *attachment)
{
  GtkWidget *self = gtk_widget_get_ancestor (button, PERFICA_TYPE_JOINING_GROUP);

  g_signal_emit (self, review_signal, 0, attachment);
}

static void
decline_clicked (GtkWidget *button, PerficaAttachment *attachment)
{
  perfica_attachment_turn_away (attachment);
}

static void
add_button (GtkWidget *box,
            const char *label,
            const char *spoken,
            const char *style,
            GCallback clicked,
            PerficaAttachment *attachment)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  if (style != NULL)
    gtk_widget_add_css_class (button, style);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  spoken, -1);
  g_signal_connect_object (button, "clicked", clicked, attachment, 0);
  gtk_box_append (GTK_BOX (box), button);
}

static GtkWidget *
add_label (GtkWidget *box, const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

/* The answers stand below the text: beside it, a narrow window would leave it no room. */
static GtkWidget *
new_row (PerficaJoiningGroup *self, PerficaAttachment *attachment)
{
  GtkWidget *row = adw_preferences_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *answers = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  g_autofree char *program = perfica_escape_line (perfica_attachment_get_program (attachment), 300);
  GtkWidget *about;

  add_label (box, program, NULL);
  about = add_label (box, "", "dim-label");
  gtk_widget_add_css_class (about, "caption");
  gtk_widget_add_css_class (box, "perfica-joining");
  gtk_widget_set_halign (answers, GTK_ALIGN_END);
  add_button (answers, _ ("Decline"), program, NULL, G_CALLBACK (decline_clicked), attachment);
  add_button (answers, _ ("Confirm…"), program, "suggested-action", G_CALLBACK (review_clicked),
              attachment);
  gtk_box_append (GTK_BOX (box), answers);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), program);
  g_object_set_data (G_OBJECT (row), "about", about);
  g_signal_connect_object (attachment, "notify", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
  return row;
}

static void
describe (GtkWidget *row, PerficaAttachment *attachment)
{
  gint64 left = perfica_attachment_get_left (attachment);
  g_autofree char *bubble =
      perfica_escape_line (perfica_bubble_get_name (perfica_attachment_get_bubble (attachment)),
                           200);
  g_autofree char *folder =
      perfica_folder_label (perfica_attachment_get_folder (attachment), g_get_home_dir ());
  g_autofree char *since = left > 0 ? perfica_time_label (left, g_get_real_time ()) : NULL;
  g_autofree char *text =
      since != NULL
          /* Translators: the bubble's name, a folder, a time of day */
          ? g_strdup_printf (_ ("as %s, from %s — left at %s"), bubble, folder, since)
          /* Translators: the bubble's name, a folder, a process's number */
          : g_strdup_printf (_ ("as %s, from %s — waits (process %d)"), bubble, folder,
                             perfica_attachment_get_pid (attachment));

  gtk_label_set_label (g_object_get_data (G_OBJECT (row), "about"), text);
}

static void
remove_old (PerficaJoiningGroup *self)
{
  GHashTableIter iter;
  gpointer attachment, row;

  g_hash_table_iter_init (&iter, self->rows);
  while (g_hash_table_iter_next (&iter, &attachment, &row))
    {
      gboolean listed = FALSE;

      for (guint i = 0; !listed && i < g_list_model_get_n_items (self->attachments); i++)
        {
          g_autoptr (PerficaAttachment) item = g_list_model_get_item (self->attachments, i);

          listed = item == attachment;
        }
      if (listed && self->board != NULL && asks (self, attachment))
        continue;
      g_signal_handlers_disconnect_by_func (attachment, update, self);
      adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), row);
      g_hash_table_iter_remove (&iter);
    }
}

/* Rows stay where they are while others come and go: somebody may be about to click one. */
static void
update (PerficaJoiningGroup *self)
{
  guint before = g_hash_table_size (self->rows);

  remove_old (self);
  for (guint i = 0; self->board != NULL && i < g_list_model_get_n_items (self->attachments); i++)
    {
      g_autoptr (PerficaAttachment) item = g_list_model_get_item (self->attachments, i);
      GtkWidget *row = g_hash_table_lookup (self->rows, item);

      if (!asks (self, item))
        continue;
      if (row == NULL)
        {
          row = new_row (self, item);
          g_hash_table_insert (self->rows, g_object_ref (item), row);
        }
      describe (row, item);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), g_hash_table_size (self->rows) > 0);
  if (g_hash_table_size (self->rows) != before)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COUNT]);
}

void
perfica_joining_group_set_board (PerficaJoiningGroup *self,
                                 PerficaGateway *gateway,
                                 PerficaBoard *board)
{
  g_return_if_fail (PERFICA_IS_JOINING_GROUP (self));

  g_set_object (&self->board, board);
  g_set_object (&self->attachments, perfica_gateway_get_attachments (gateway));
  g_signal_group_set_target (self->signals, self->attachments);
  update (self);
}

guint
perfica_joining_group_get_count (PerficaJoiningGroup *self)
{
  return g_hash_table_size (self->rows);
}

static void
perfica_joining_group_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_COUNT)
    g_value_set_uint (value, perfica_joining_group_get_count (PERFICA_JOINING_GROUP (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
perfica_joining_group_dispose (GObject *object)
{
  PerficaJoiningGroup *self = PERFICA_JOINING_GROUP (object);

  g_clear_object (&self->signals);
  g_clear_pointer (&self->rows, g_hash_table_unref);
  g_clear_object (&self->attachments);
  g_clear_object (&self->board);
  G_OBJECT_CLASS (perfica_joining_group_parent_class)->dispose (object);
}

static void
perfica_joining_group_class_init (PerficaJoiningGroupClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = perfica_joining_group_get_property;
  object_class->dispose = perfica_joining_group_dispose;
  properties[PROP_COUNT] =
      g_param_spec_uint ("count", NULL, NULL, 0, G_MAXUINT, 0,
                         G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  review_signal = g_signal_new ("review", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 1, PERFICA_TYPE_ATTACHMENT);
}

static void
perfica_joining_group_init (PerficaJoiningGroup *self)
{
  self->rows = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->signals, "items-changed", G_CALLBACK (update), self);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self), _ ("Agents that ask to join"));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
