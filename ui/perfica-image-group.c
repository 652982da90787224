/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-image-group.h"

#include <glib/gi18n.h>

#include "perfica-escape.h"
#include "perfica-image-dialog.h"

struct _PerficaImageGroup
{
  AdwPreferencesGroup parent_instance;

  PerficaImage *image;
  char *shown; /* the name that was put into the entry */
  GtkWidget *name;
  GtkWidget *problem;
  GtkWidget *pin;
};

G_DEFINE_FINAL_TYPE (PerficaImageGroup, perfica_image_group, ADW_TYPE_PREFERENCES_GROUP)

static void
show_problem (PerficaImageGroup *self, const char *text)
{
  if (text != NULL)
    gtk_widget_add_css_class (self->name, "error");
  else
    gtk_widget_remove_css_class (self->name, "error");
  gtk_label_set_label (GTK_LABEL (self->problem), text != NULL ? text : "");
  gtk_widget_set_visible (self->problem, text != NULL);
}

/* What the person is writing is left alone. */
static void
update (PerficaImageGroup *self)
{
  const char *name = perfica_image_get_name (self->image);
  const char *digest = perfica_image_get_digest (self->image);

  if (g_strcmp0 (name, self->shown) != 0)
    {
      g_free (self->shown);
      self->shown = g_strdup (name);
      gtk_editable_set_text (GTK_EDITABLE (self->name), name);
    }
  gtk_widget_set_visible (self->pin, digest != NULL);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->pin), digest != NULL ? digest : "");
}

static void
name_applied (PerficaImageGroup *self)
{
  g_autofree char *name = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->name)));
  g_autoptr (GError) error = NULL;

  if (perfica_image_set_name (self->image, g_strstrip (name), &error))
    {
      show_problem (self, NULL);
      g_clear_pointer (&self->shown, g_free);
      update (self);
      return;
    }

  g_autofree char *text = perfica_escape_line (error->message, 500);

  show_problem (self, text);
}

static void
forget_clicked (PerficaImageGroup *self)
{
  perfica_image_forget (self->image);
}

static void
download_clicked (PerficaImageGroup *self)
{
  perfica_image_dialog_open (GTK_WIDGET (self), self->image);
}

static void
perfica_image_group_dispose (GObject *object)
{
  PerficaImageGroup *self = PERFICA_IMAGE_GROUP (object);

  g_clear_object (&self->image);
  g_clear_pointer (&self->shown, g_free);
  G_OBJECT_CLASS (perfica_image_group_parent_class)->dispose (object);
}

static void
perfica_image_group_class_init (PerficaImageGroupClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_image_group_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-image-group.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaImageGroup, name);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageGroup, problem);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageGroup, pin);
  gtk_widget_class_bind_template_callback (widget_class, name_applied);
  gtk_widget_class_bind_template_callback (widget_class, forget_clicked);
  gtk_widget_class_bind_template_callback (widget_class, download_clicked);
}

static void
perfica_image_group_init (PerficaImageGroup *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
perfica_image_group_set_image (PerficaImageGroup *self, PerficaImage *image)
{
  g_return_if_fail (PERFICA_IS_IMAGE_GROUP (self) && self->image == NULL);
  self->image = g_object_ref (image);
  g_signal_connect_object (image, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}
