/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-answer-button.h"

#include "perfica-ask-window.h"

struct _PerficaAnswerButton
{
  GtkWidget parent_instance;

  GtkWidget *label;
  gboolean awake;
  gboolean pressed; /* the press, too, came while awake */
  gboolean armed;   /* Tab or an arrow brought the focus here */
};

enum
{
  PROP_0,
  PROP_LABEL,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (PerficaAnswerButton, perfica_answer_button, GTK_TYPE_WIDGET)

static GParamSpec *props[N_PROPS];
static guint answered;

/* The one way to the signal. */
static void
answer (PerficaAnswerButton *self, GtkEventController *controller)
{
  if (!self->awake || gtk_event_controller_get_current_event (controller) == NULL)
    return;
  g_signal_emit (self, answered, 0);
}

static void
click_pressed (GtkGestureClick *gesture, int n, double x, double y, PerficaAnswerButton *self)
{
  self->pressed = self->awake;
  if (self->pressed)
    gtk_widget_set_state_flags (GTK_WIDGET (self), GTK_STATE_FLAG_ACTIVE, FALSE);
}

static void
click_stopped (PerficaAnswerButton *self)
{
  gtk_widget_unset_state_flags (GTK_WIDGET (self), GTK_STATE_FLAG_ACTIVE);
}

static void
click_released (GtkGestureClick *gesture, int n, double x, double y, PerficaAnswerButton *self)
{
  gboolean pressed = self->pressed;

  click_stopped (self);
  self->pressed = FALSE;
  if (pressed && gtk_widget_contains (GTK_WIDGET (self), x, y))
    answer (self, GTK_EVENT_CONTROLLER (gesture));
}

static gboolean
key_pressed (GtkEventControllerKey *controller,
             guint key,
             guint code,
             GdkModifierType modifiers,
             PerficaAnswerButton *self)
{
  switch (key)
    {
    case GDK_KEY_space:
    case GDK_KEY_KP_Space:
    case GDK_KEY_Return:
    case GDK_KEY_ISO_Enter:
    case GDK_KEY_KP_Enter:
      if (self->armed && (modifiers & gtk_accelerator_get_default_mod_mask ()) == 0)
        answer (self, GTK_EVENT_CONTROLLER (controller));
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static void
focus_enter (PerficaAnswerButton *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  self->armed =
      PERFICA_IS_ASK_WINDOW (root) && perfica_ask_window_is_moving (PERFICA_ASK_WINDOW (root));
}

static void
focus_leave (PerficaAnswerButton *self)
{
  self->armed = FALSE;
}

void
perfica_answer_button_set_awake (PerficaAnswerButton *self, gboolean awake)
{
  g_return_if_fail (PERFICA_IS_ANSWER_BUTTON (self));

  if (self->awake == awake)
    return;
  self->awake = awake;
  self->pressed = FALSE;
  gtk_widget_set_sensitive (GTK_WIDGET (self), awake);
}

gboolean
perfica_answer_button_get_awake (PerficaAnswerButton *self)
{
  g_return_val_if_fail (PERFICA_IS_ANSWER_BUTTON (self), FALSE);
  return self->awake;
}

static void
perfica_answer_button_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PerficaAnswerButton *self = PERFICA_ANSWER_BUTTON (object);

  g_value_set_string (value, gtk_label_get_label (GTK_LABEL (self->label)));
}

static void
perfica_answer_button_set_property (GObject *object,
                                    guint id,
                                    const GValue *value,
                                    GParamSpec *pspec)
{
  PerficaAnswerButton *self = PERFICA_ANSWER_BUTTON (object);
  const char *label = g_value_get_string (value);

  gtk_label_set_label (GTK_LABEL (self->label), label != NULL ? label : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label != NULL ? label : "", -1);
}

static void
perfica_answer_button_dispose (GObject *object)
{
  PerficaAnswerButton *self = PERFICA_ANSWER_BUTTON (object);

  g_clear_pointer (&self->label, gtk_widget_unparent);
  G_OBJECT_CLASS (perfica_answer_button_parent_class)->dispose (object);
}

static void
perfica_answer_button_class_init (PerficaAnswerButtonClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = perfica_answer_button_get_property;
  object_class->set_property = perfica_answer_button_set_property;
  object_class->dispose = perfica_answer_button_dispose;

  props[PROP_LABEL] =
      g_param_spec_string ("label", NULL, NULL, "", G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  answered = g_signal_new ("answered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                           NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_css_name (widget_class, "button");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_BUTTON);
}

static void
perfica_answer_button_init (PerficaAnswerButton *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->label = gtk_label_new ("");
  gtk_label_set_wrap (GTK_LABEL (self->label), TRUE);
  gtk_label_set_justify (GTK_LABEL (self->label), GTK_JUSTIFY_CENTER);
  gtk_widget_set_halign (self->label, GTK_ALIGN_CENTER);
  gtk_widget_set_parent (self->label, widget);

  gtk_widget_add_css_class (widget, "perfica-answer");
  gtk_widget_add_css_class (widget, "text-button");
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_focus_on_click (widget, FALSE);
  gtk_widget_set_sensitive (widget, FALSE);

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_PRIMARY);
  g_signal_connect (click, "pressed", G_CALLBACK (click_pressed), self);
  g_signal_connect (click, "released", G_CALLBACK (click_released), self);
  g_signal_connect_swapped (click, "stopped", G_CALLBACK (click_stopped), self);
  g_signal_connect_swapped (click, "cancel", G_CALLBACK (click_stopped), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));

  g_signal_connect (key, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (widget, key);

  g_signal_connect_swapped (focus, "enter", G_CALLBACK (focus_enter), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (focus_leave), self);
  gtk_widget_add_controller (widget, focus);
}
