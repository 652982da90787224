/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-text-window.h"

#include <glib/gi18n.h>
#include <string.h>

#define FOLDER "/app/perfica/Perfica/legal/"

struct _PerficaTextWindow
{
  AdwWindow parent_instance;

  char *name;
  GtkWidget *title;
  GtkWidget *languages;
  GtkWidget *scroller;
  GtkWidget *text;
};

G_DEFINE_FINAL_TYPE (PerficaTextWindow, perfica_text_window, ADW_TYPE_WINDOW)

/* Names of languages are written in themselves. */
static const struct
{
  const char *code;
  const char *name;
} languages[] = { { "en", "English" }, { "es", "Español" } };

/* Its first line is the title; a line before which there is an empty one, and that doesn't end as a
 * sentence does, is a heading. */
static char *
to_markup (const char *body)
{
  g_auto (GStrv) lines = g_strsplit (body, "\n", -1);
  GString *markup = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = g_markup_escape_text (lines[i], -1);
      gsize length = strlen (lines[i]);
      gboolean heading = length > 0 && lines[i + 1] != NULL && *lines[i + 1] != '\0' &&
                         strchr (".:,", lines[i][length - 1]) == NULL &&
                         !g_str_has_prefix (lines[i], "•") && (i == 0 || *lines[i - 1] == '\0');

      g_string_append_printf (markup, heading ? "<b>%s</b>\n" : "%s\n", line);
    }
  return g_strchomp (g_string_free (markup, FALSE));
}

static void
show_language (PerficaTextWindow *self)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->languages));
  g_autofree char *path = NULL;
  g_autofree char *markup = NULL;
  g_autofree char *title = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const char *words, *body;

  if (i >= G_N_ELEMENTS (languages) || self->name == NULL)
    return;
  path = g_strconcat (FOLDER, self->name, ".", languages[i].code, ".txt", NULL);
  bytes = g_resources_lookup_data (path, 0, NULL);
  g_return_if_fail (bytes != NULL);
  words = g_bytes_get_data (bytes, NULL);
  body = strchr (words, '\n');
  g_return_if_fail (body != NULL);
  title = g_strndup (words, body - words);
  markup = to_markup (body + 2);
  gtk_window_set_title (GTK_WINDOW (self), title);
  adw_window_title_set_title (ADW_WINDOW_TITLE (self->title), title);
  gtk_label_set_markup (GTK_LABEL (self->text), markup);
  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), 0);
}

const char *
perfica_text_window_get_text (PerficaTextWindow *self)
{
  return gtk_label_get_text (GTK_LABEL (self->text));
}

static guint
preferred_language (void)
{
  const char *const *wanted = g_get_language_names ();

  for (; *wanted != NULL; wanted++)
    for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
      if (strcmp (*wanted, languages[i].code) == 0)
        return i;
  return 0;
}

static void
perfica_text_window_finalize (GObject *object)
{
  g_free (PERFICA_TEXT_WINDOW (object)->name);
  G_OBJECT_CLASS (perfica_text_window_parent_class)->finalize (object);
}

static void
perfica_text_window_class_init (PerficaTextWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = perfica_text_window_finalize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-text-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaTextWindow, title);
  gtk_widget_class_bind_template_child (widget_class, PerficaTextWindow, languages);
  gtk_widget_class_bind_template_child (widget_class, PerficaTextWindow, scroller);
  gtk_widget_class_bind_template_child (widget_class, PerficaTextWindow, text);
  gtk_widget_class_bind_template_callback (widget_class, show_language);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
perfica_text_window_init (PerficaTextWindow *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    gtk_string_list_append (names, languages[i].name);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->languages), G_LIST_MODEL (names));
}

PerficaTextWindow *
perfica_text_window_open (GtkWindow *parent, const char *name)
{
  PerficaTextWindow *self = g_object_new (PERFICA_TYPE_TEXT_WINDOW, NULL);

  self->name = g_strdup (name);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->languages), preferred_language ());
  show_language (self);
  if (parent != NULL)
    gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
