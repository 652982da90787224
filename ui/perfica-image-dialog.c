/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-image-dialog.h"

#include <glib/gi18n.h>

#include "perfica-escape.h"

struct _PerficaImageDialog
{
  AdwWindow parent_instance;

  PerficaImage *image;
  GtkWidget *heading;
  GtkWidget *name;
  GtkWidget *spinner;
  GtkWidget *facts;
  GtkWidget *size;
  GtkWidget *space;
  GtkWidget *note;
  GtkWidget *progress;
  GtkWidget *problem;
  GtkWidget *cancel;
  GtkWidget *download;
};

G_DEFINE_FINAL_TYPE (PerficaImageDialog, perfica_image_dialog, ADW_TYPE_WINDOW)

static gboolean
is_at_work (PerficaImageState state)
{
  return state == PERFICA_IMAGE_DOWNLOADING || state == PERFICA_IMAGE_UNPACKING;
}

static const char *
heading_of (PerficaImageState state)
{
  switch (state)
    {
    case PERFICA_IMAGE_ASKING:
      return _ ("Asking how big it is…");
    case PERFICA_IMAGE_OFFERED:
      return _ ("Download this image?");
    case PERFICA_IMAGE_DOWNLOADING:
      return _ ("Downloading…");
    case PERFICA_IMAGE_UNPACKING:
      return _ ("Unpacking…");
    case PERFICA_IMAGE_DONE:
      return _ ("The image is here, and pinned");
    case PERFICA_IMAGE_FAILED:
      return _ ("The image can't be downloaded");
    case PERFICA_IMAGE_IDLE:
    default:
      return "";
    }
}

static void
show_facts (PerficaImageDialog *self)
{
  g_autofree char *size = g_format_size (perfica_image_get_size (self->image));
  guint64 free = perfica_image_get_free (self->image);
  g_autofree char *space = free != G_MAXUINT64 ? g_format_size (free) : NULL;

  gtk_label_set_label (GTK_LABEL (self->size), size);
  gtk_label_set_label (GTK_LABEL (self->space), space != NULL ? space : _ ("Not known"));
  gtk_label_set_label (
      GTK_LABEL (self->note),
      perfica_image_get_fits (self->image)
          ? _ ("That is the compressed size, as it is downloaded. Unpacked it takes more of the "
               "disk, often three times as much.")
          : _ ("That doesn't fit: while it is unpacked it needs at least twice its size."));
}

static void
show_progress (PerficaImageDialog *self, PerficaImageState state)
{
  guint64 size = perfica_image_get_size (self->image);
  guint64 done = perfica_image_get_done (self->image);
  g_autofree char *all = g_format_size (size);
  g_autofree char *part = g_format_size (done);
  /* Translators: how much was downloaded, of how much */
  g_autofree char *text = g_strdup_printf (_ ("%s of %s"), part, all);

  if (state == PERFICA_IMAGE_UNPACKING)
    {
      gtk_progress_bar_pulse (GTK_PROGRESS_BAR (self->progress));
      gtk_progress_bar_set_text (GTK_PROGRESS_BAR (self->progress), all);
      return;
    }
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                 size > 0 ? (double) done / (double) size : 0);
  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (self->progress), text);
}

static void
show_problem (PerficaImageDialog *self, PerficaImageState state)
{
  const char *problem = state == PERFICA_IMAGE_FAILED ? perfica_image_get_problem (self->image)
                        : state == PERFICA_IMAGE_DONE ? perfica_image_get_digest (self->image)
                                                      : NULL;
  g_autofree char *text = problem != NULL ? perfica_escape_line (problem, 1500) : NULL;

  gtk_label_set_label (GTK_LABEL (self->problem), text != NULL ? text : "");
  gtk_widget_set_visible (self->problem, text != NULL);
}

static void
update (PerficaImageDialog *self)
{
  PerficaImageState state = perfica_image_get_state (self->image);
  g_autofree char *name = perfica_escape_line (perfica_image_get_name (self->image), 300);

  if (state == PERFICA_IMAGE_IDLE)
    {
      gtk_window_destroy (GTK_WINDOW (self));
      return;
    }
  gtk_label_set_label (GTK_LABEL (self->heading), heading_of (state));
  gtk_label_set_label (GTK_LABEL (self->name), name);
  gtk_widget_set_visible (self->spinner, state == PERFICA_IMAGE_ASKING);
  gtk_widget_set_visible (self->facts, state == PERFICA_IMAGE_OFFERED);
  gtk_widget_set_visible (self->note, state == PERFICA_IMAGE_OFFERED);
  if (state == PERFICA_IMAGE_OFFERED)
    show_facts (self);
  gtk_widget_set_visible (self->progress, is_at_work (state));
  if (is_at_work (state))
    show_progress (self, state);
  show_problem (self, state);
  gtk_button_set_label (GTK_BUTTON (self->cancel),
                        state == PERFICA_IMAGE_DONE || state == PERFICA_IMAGE_FAILED
                            ? _ ("_Close")
                            : _ ("_Cancel"));
  gtk_widget_set_visible (self->download, state == PERFICA_IMAGE_ASKING ||
                                              state == PERFICA_IMAGE_OFFERED ||
                                              state == PERFICA_IMAGE_FAILED);
  gtk_widget_set_sensitive (self->download, state == PERFICA_IMAGE_FAILED ||
                                                (state == PERFICA_IMAGE_OFFERED &&
                                                 perfica_image_get_fits (self->image)));
  gtk_button_set_label (GTK_BUTTON (self->download),
                        state == PERFICA_IMAGE_FAILED ? _ ("_Try Again") : _ ("_Download"));
}

static void
download_clicked (PerficaImageDialog *self)
{
  if (perfica_image_get_state (self->image) == PERFICA_IMAGE_FAILED)
    perfica_image_ask (self->image);
  else
    perfica_image_download (self->image);
}

/* An Escape that was meant for something else mustn't cost a long download. */
static gboolean
escape_pressed (GtkWidget *widget, GVariant *args, gpointer data)
{
  PerficaImageDialog *self = PERFICA_IMAGE_DIALOG (widget);

  if (!is_at_work (perfica_image_get_state (self->image)))
    gtk_window_close (GTK_WINDOW (self));
  return TRUE;
}

static void
perfica_image_dialog_dispose (GObject *object)
{
  PerficaImageDialog *self = PERFICA_IMAGE_DIALOG (object);

  if (self->image != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->image, self);
      perfica_image_cancel (self->image);
    }
  g_clear_object (&self->image);
  G_OBJECT_CLASS (perfica_image_dialog_parent_class)->dispose (object);
}

static void
perfica_image_dialog_class_init (PerficaImageDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_image_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-image-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaImageDialog, heading);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageDialog, name);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageDialog, facts);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageDialog, size);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageDialog, space);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageDialog, note);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageDialog, progress);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageDialog, problem);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageDialog, cancel);
  gtk_widget_class_bind_template_child (widget_class, PerficaImageDialog, download);
  gtk_widget_class_bind_template_callback (widget_class, download_clicked);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_pressed, NULL);
}

static void
perfica_image_dialog_init (PerficaImageDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

PerficaImageDialog *
perfica_image_dialog_open (GtkWidget *parent, PerficaImage *image)
{
  PerficaImageDialog *self = g_object_new (PERFICA_TYPE_IMAGE_DIALOG, NULL);
  GtkRoot *root = gtk_widget_get_root (parent);

  self->image = g_object_ref (image);
  perfica_image_ask (image);
  g_signal_connect_object (image, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  if (GTK_IS_WINDOW (root))
    gtk_window_set_transient_for (GTK_WINDOW (self), GTK_WINDOW (root));
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
