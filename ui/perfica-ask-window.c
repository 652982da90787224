/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-ask-window.h"

#include "perfica-compat.h"

typedef struct
{
  gboolean moving;
  guint wake;
} PerficaAskWindowPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (PerficaAskWindow, perfica_ask_window, ADW_TYPE_WINDOW)

static gboolean
wake (gpointer data)
{
  PerficaAskWindow *self = data;
  PerficaAskWindowPrivate *priv = perfica_ask_window_get_instance_private (self);
  PerficaAskWindowClass *klass = PERFICA_ASK_WINDOW_GET_CLASS (self);

  priv->wake = 0;
  if (klass->awoke != NULL)
    klass->awoke (self);
  return G_SOURCE_REMOVE;
}

static void
fall_asleep (PerficaAskWindow *self)
{
  PerficaAskWindowPrivate *priv = perfica_ask_window_get_instance_private (self);
  PerficaAskWindowClass *klass = PERFICA_ASK_WINDOW_GET_CLASS (self);

  g_clear_handle_id (&priv->wake, g_source_remove);
  if (klass->fell_asleep != NULL)
    klass->fell_asleep (self);
  priv->wake = g_timeout_add (PERFICA_WAKE_MS, wake, self);
}

static void
active_changed (PerficaAskWindow *self)
{
  PerficaAskWindowClass *klass = PERFICA_ASK_WINDOW_GET_CLASS (self);

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (gtk_window_is_active (GTK_WINDOW (self)))
    fall_asleep (self);
  else if (klass->left != NULL)
    klass->left (self);
}

static gboolean
any_event (PerficaAskWindow *self, GdkEvent *event)
{
  PerficaAskWindowClass *klass = PERFICA_ASK_WINDOW_GET_CLASS (self);

  switch (gdk_event_get_event_type (event))
    {
    case GDK_BUTTON_PRESS:
    case GDK_KEY_PRESS:
    case GDK_SCROLL:
    case GDK_TOUCH_BEGIN:
      if (klass->touched != NULL)
        klass->touched (self);
      break;
    default:
      break;
    }
  return GDK_EVENT_PROPAGATE;
}

/* Tab and the arrows come through here and nothing else does. */
static void
perfica_ask_window_move_focus (GtkWidget *widget, GtkDirectionType direction)
{
  PerficaAskWindowPrivate *priv =
      perfica_ask_window_get_instance_private (PERFICA_ASK_WINDOW (widget));

  priv->moving = TRUE;
  GTK_WIDGET_CLASS (perfica_ask_window_parent_class)->move_focus (widget, direction);
  priv->moving = FALSE;
}

static void
perfica_ask_window_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (perfica_ask_window_parent_class)->map (widget);
  fall_asleep (PERFICA_ASK_WINDOW (widget));
}

static void
perfica_ask_window_unmap (GtkWidget *widget)
{
  PerficaAskWindowPrivate *priv =
      perfica_ask_window_get_instance_private (PERFICA_ASK_WINDOW (widget));

  g_clear_handle_id (&priv->wake, g_source_remove);
  GTK_WIDGET_CLASS (perfica_ask_window_parent_class)->unmap (widget);
}

static void
perfica_ask_window_dispose (GObject *object)
{
  PerficaAskWindowPrivate *priv =
      perfica_ask_window_get_instance_private (PERFICA_ASK_WINDOW (object));

  g_clear_handle_id (&priv->wake, g_source_remove);
  G_OBJECT_CLASS (perfica_ask_window_parent_class)->dispose (object);
}

static void
perfica_ask_window_class_init (PerficaAskWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_ask_window_dispose;
  widget_class->move_focus = perfica_ask_window_move_focus;
  widget_class->map = perfica_ask_window_map;
  widget_class->unmap = perfica_ask_window_unmap;
}

static void
perfica_ask_window_init (PerficaAskWindow *self)
{
  GtkEventController *events = gtk_event_controller_legacy_new ();

  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (events, "event", G_CALLBACK (any_event), self);
  gtk_widget_add_controller (GTK_WIDGET (self), events);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (active_changed), NULL);
}

void
perfica_ask_window_fit (PerficaAskWindow *self)
{
  int width, height;

  g_return_if_fail (PERFICA_IS_ASK_WINDOW (self));

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  gtk_widget_measure (adw_window_get_content (ADW_WINDOW (self)), GTK_ORIENTATION_VERTICAL,
                      width > 0 ? width : 420, NULL, &height, NULL, NULL);
  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
}

void
perfica_ask_window_open (PerficaAskWindow *self, GtkWidget *focus)
{
  g_return_if_fail (PERFICA_IS_ASK_WINDOW (self));

  gtk_window_set_modal (GTK_WINDOW (self), FALSE);
  perfica_ask_window_fit (self);
  gtk_widget_realize (GTK_WIDGET (self));
  perfica_surface_keep_unfocused (GTK_WINDOW (self));
  if (focus != NULL)
    gtk_window_set_focus (GTK_WINDOW (self), focus);
  gtk_widget_show (GTK_WIDGET (self));
}

gboolean
perfica_ask_window_is_moving (PerficaAskWindow *self)
{
  PerficaAskWindowPrivate *priv;

  g_return_val_if_fail (PERFICA_IS_ASK_WINDOW (self), FALSE);
  priv = perfica_ask_window_get_instance_private (self);
  return priv->moving;
}
