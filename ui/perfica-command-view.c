/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-command-view.h"

#include <adwaita.h>
#include <glib/gi18n.h>

struct _PerficaCommandView
{
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkWidget *view;
  GtkTextTag *mark;
  GtkTextTag *escape;
  gboolean end_seen;
  guint settling;
  int max_height;
};

#define SETTLE_MS 300

enum
{
  PROP_0,
  PROP_END_SEEN,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (PerficaCommandView, perfica_command_view, GTK_TYPE_WIDGET)

static GParamSpec *props[N_PROPS];

static void
look_for_end (PerficaCommandView *self)
{
  GtkAdjustment *adjustment =
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  double page = gtk_adjustment_get_page_size (adjustment);

  if (self->end_seen || self->settling != 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)) ||
      page < 1)
    return;
  if (gtk_adjustment_get_value (adjustment) + page + 1 < gtk_adjustment_get_upper (adjustment))
    return;
  self->end_seen = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_END_SEEN]);
}

/* A text view doesn't ask for the height that its text takes at its width. */
static void
fit_height (PerficaCommandView *self)
{
  GtkTextView *view = GTK_TEXT_VIEW (self->view);
  GtkTextIter end;
  GdkRectangle place;
  int height;

  gtk_text_buffer_get_end_iter (gtk_text_view_get_buffer (view), &end);
  gtk_text_view_get_iter_location (view, &end, &place);
  height = place.y + place.height + gtk_text_view_get_top_margin (view) +
           gtk_text_view_get_bottom_margin (view);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scroller),
                                              MIN (height, self->max_height));
}

static gboolean
settled (gpointer data)
{
  PerficaCommandView *self = data;

  self->settling = 0;
  fit_height (self);
  look_for_end (self);
  return G_SOURCE_REMOVE;
}

/* A text view measures a long text piece by piece, so its height grows for a while; where it ends
 * is known once it hasn't changed for a moment. */
static void
settle (PerficaCommandView *self)
{
  g_clear_handle_id (&self->settling, g_source_remove);
  self->settling = g_timeout_add (SETTLE_MS, settled, self);
}

static void
update_colors (PerficaCommandView *self)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());

  g_object_set (self->mark, "background", dark ? "#63452c" : "#f9e3a0", "weight", PANGO_WEIGHT_BOLD,
                NULL);
  g_object_set (self->escape, "background", dark ? "#a51d2d" : "#c01c28", "foreground", "#ffffff",
                NULL);
}

static void
apply (GtkTextBuffer *buffer, GtkTextTag *tag, const char *text, PerficaSpan span)
{
  GtkTextIter start, end;

  if (span.start >= span.end)
    return;
  gtk_text_buffer_get_iter_at_offset (buffer, &start, g_utf8_strlen (text, span.start));
  gtk_text_buffer_get_iter_at_offset (buffer, &end, g_utf8_strlen (text, span.end));
  gtk_text_buffer_apply_tag (buffer, tag, &start, &end);
}

void
perfica_command_view_set_command (PerficaCommandView *self, const char *text, GArray *marks)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));
  g_autoptr (PerficaEscaped) escaped =
      perfica_escape_new (PERFICA_ESCAPE_COMMAND, text != NULL ? text : "", -1, 0);
  GtkTextIter start;

  gtk_text_buffer_set_text (buffer, escaped->text, -1);
  for (guint i = 0; marks != NULL && i < marks->len; i++)
    {
      PerficaSpan *mark = &g_array_index (marks, PerficaSpan, i);

      apply (buffer, self->mark, escaped->text,
             perfica_escaped_map (escaped, mark->start, mark->end));
    }
  for (guint i = 0; i < escaped->escapes->len; i++)
    apply (buffer, self->escape, escaped->text, g_array_index (escaped->escapes, PerficaSpan, i));

  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  self->end_seen = FALSE;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_END_SEEN]);
  settle (self);
}

GtkWidget *
perfica_command_view_get_text_widget (PerficaCommandView *self)
{
  return self->view;
}

gboolean
perfica_command_view_get_end_seen (PerficaCommandView *self)
{
  return self->end_seen;
}

void
perfica_command_view_set_max_height (PerficaCommandView *self, int height)
{
  self->max_height = height;
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scroller), -1);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), height);
}

GtkWidget *
perfica_command_view_new (void)
{
  return g_object_new (PERFICA_TYPE_COMMAND_VIEW, NULL);
}

static void
perfica_command_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (perfica_command_view_parent_class)->map (widget);
  settle (PERFICA_COMMAND_VIEW (widget));
}

static void
perfica_command_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, PERFICA_COMMAND_VIEW (object)->end_seen);
}

static void
perfica_command_view_dispose (GObject *object)
{
  PerficaCommandView *self = PERFICA_COMMAND_VIEW (object);

  g_clear_handle_id (&self->settling, g_source_remove);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (perfica_command_view_parent_class)->dispose (object);
}

static void
perfica_command_view_class_init (PerficaCommandViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = perfica_command_view_dispose;
  object_class->get_property = perfica_command_view_get_property;
  GTK_WIDGET_CLASS (klass)->map = perfica_command_view_map;
  props[PROP_END_SEEN] = g_param_spec_boolean ("end-seen", NULL, NULL, FALSE,
                                               G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
perfica_command_view_init (PerficaCommandView *self)
{
  GtkTextView *view;
  GtkTextBuffer *buffer;
  GtkAdjustment *adjustment;

  self->view = gtk_text_view_new ();
  view = GTK_TEXT_VIEW (self->view);
  gtk_text_view_set_editable (view, FALSE);
  gtk_text_view_set_cursor_visible (view, FALSE);
  gtk_text_view_set_accepts_tab (view, FALSE);
  gtk_text_view_set_monospace (view, TRUE);
  gtk_text_view_set_wrap_mode (view, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (view, 12);
  gtk_text_view_set_right_margin (view, 12);
  gtk_text_view_set_top_margin (view, 9);
  gtk_text_view_set_bottom_margin (view, 9);
  gtk_widget_add_css_class (self->view, "perfica-command");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Command"), -1);

  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  self->max_height = 260;
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), 260);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->view);
  gtk_widget_add_css_class (self->scroller, "perfica-command-frame");
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));

  buffer = gtk_text_view_get_buffer (view);
  self->mark = gtk_text_buffer_create_tag (buffer, NULL, NULL);
  self->escape = gtk_text_buffer_create_tag (buffer, NULL, NULL);
  update_colors (self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (update_colors), self, G_CONNECT_SWAPPED);

  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (look_for_end), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (settle), self, G_CONNECT_SWAPPED);
}
