/* Docker's image in Settings: what its dialog shows, and what only a click makes it do.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <adwaita.h>

#include "fake-gateway.h"
#include "perfica-image-dialog.h"
#include "perfica-image-group.h"
#include "perfica-settings-window.h"
#include "widgets.h"

#define DIGEST "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

typedef struct
{
  PerficaGateway *gateway;
  FakeImage *says;
  GtkWidget *window;
  PerficaImageDialog *dialog;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->gateway = fake_gateway_new ();
  f->says = fake_gateway_image (f->gateway);
  f->says->free = G_MAXUINT64;
  f->window = gtk_window_new ();
  gtk_window_present (GTK_WINDOW (f->window));
  f->dialog = perfica_image_dialog_open (f->window, perfica_gateway_get_image (f->gateway));
  g_object_add_weak_pointer (G_OBJECT (f->dialog), (gpointer *) &f->dialog);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  if (f->dialog != NULL)
    gtk_window_destroy (GTK_WINDOW (f->dialog));
  gtk_window_destroy (GTK_WINDOW (f->window));
  g_clear_object (&f->gateway);
}

static void
become (Fixture *f, PerficaImageState state)
{
  f->says->state = state;
  fake_gateway_image_changed (f->gateway);
}

/* What is seen of it, joined by "|". */
static void
add_text (GtkWidget *widget, GString *text)
{
  if (!gtk_widget_get_visible (widget))
    return;
  if (GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0')
    g_string_append_printf (text, "|%s", gtk_label_get_text (GTK_LABEL (widget)));
  else if (GTK_IS_PROGRESS_BAR (widget))
    g_string_append_printf (text, "|%s", gtk_progress_bar_get_text (GTK_PROGRESS_BAR (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_PROGRESS_BAR (widget))
      add_text (child, text);
}

static gboolean
shows (gpointer widget, const char *wanted)
{
  g_autoptr (GString) text = g_string_new (NULL);

  add_text (GTK_WIDGET (widget), text);
  if (strstr (text->str, wanted) == NULL)
    g_test_message ("“%s” is not in “%s”", wanted, text->str);
  return strstr (text->str, wanted) != NULL;
}

/* The button of that label, if it can be seen. */
static GtkWidget *
find_button (GtkWidget *widget, const char *label)
{
  if (!gtk_widget_get_visible (widget))
    return NULL;
  if (GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
click (gpointer window, const char *label)
{
  GtkWidget *button = find_button (GTK_WIDGET (window), label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
}

static void
test_download (Fixture *f, gconstpointer data)
{
  g_assert_cmpuint (f->says->asked, ==, 1);
  g_assert_true (shows (f->dialog, "Asking how big"));
  g_assert_false (gtk_widget_is_sensitive (find_button (GTK_WIDGET (f->dialog), "_Download")));

  f->says->size = 400000000;
  f->says->free = 9000000000;
  become (f, PERFICA_IMAGE_OFFERED);
  g_assert_true (shows (f->dialog, SANDBOX_DEFAULT_IMAGE));
  g_assert_true (shows (f->dialog, "400.0"));
  g_assert_true (shows (f->dialog, "9.0"));
  g_assert_cmpuint (f->says->downloads, ==, 0);

  click (f->dialog, "_Download");
  g_assert_cmpuint (f->says->downloads, ==, 1);
  g_assert_null (find_button (GTK_WIDGET (f->dialog), "_Download"));
  f->says->done = 100000000;
  become (f, PERFICA_IMAGE_DOWNLOADING);
  g_assert_true (shows (f->dialog, "100.0"));
  become (f, PERFICA_IMAGE_UNPACKING);
  g_assert_true (shows (f->dialog, "Unpacking"));

  f->says->digest = DIGEST;
  become (f, PERFICA_IMAGE_DONE);
  g_assert_true (shows (f->dialog, DIGEST));
  g_assert_nonnull (find_button (GTK_WIDGET (f->dialog), "_Close"));
}

static void
test_too_big (Fixture *f, gconstpointer data)
{
  f->says->size = 400000000;
  f->says->free = 700000000;
  become (f, PERFICA_IMAGE_OFFERED);
  g_assert_true (shows (f->dialog, "doesn't fit"));
  g_assert_false (gtk_widget_is_sensitive (find_button (GTK_WIDGET (f->dialog), "_Download")));
}

static void
test_unknown_space (Fixture *f, gconstpointer data)
{
  f->says->size = 400000000;
  become (f, PERFICA_IMAGE_OFFERED);
  g_assert_true (shows (f->dialog, "Not known"));
  g_assert_true (gtk_widget_is_sensitive (find_button (GTK_WIDGET (f->dialog), "_Download")));
}

static void
test_failure (Fixture *f, gconstpointer data)
{
  f->says->problem = "no\xe2\x80\xaesuch\nimage";
  become (f, PERFICA_IMAGE_FAILED);
  g_assert_true (shows (f->dialog, "can't be downloaded"));
  g_assert_false (shows (f->dialog, "\xe2\x80\xae"));
  click (f->dialog, "_Try Again");
  g_assert_cmpuint (f->says->asked, ==, 2);
  g_assert_cmpuint (f->says->downloads, ==, 0);
}

static gboolean
is_gone (gpointer data)
{
  return ((Fixture *) data)->dialog == NULL;
}

static void
test_closing (Fixture *f, gconstpointer data)
{
  become (f, PERFICA_IMAGE_DOWNLOADING);
  gtk_window_close (GTK_WINDOW (f->dialog));
  widgets_wait (is_gone, f, 10);
  g_assert_cmpuint (f->says->cancels, ==, 1);
  g_assert_cmpint (f->says->state, ==, PERFICA_IMAGE_IDLE);
}

/* ---- In Settings ---- */

static GtkWidget *
find_type (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_type (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
test_group (void)
{
  g_autoptr (PerficaGateway) gateway = fake_gateway_new ();
  FakeImage *says = fake_gateway_image (gateway);
  PerficaSettingsWindow *settings = perfica_settings_window_new (gateway);
  GtkWidget *group = find_type (GTK_WIDGET (settings), PERFICA_TYPE_IMAGE_GROUP);
  GtkWidget *entry = find_type (group, ADW_TYPE_ENTRY_ROW);

  gtk_window_present (GTK_WINDOW (settings));
  /* Only where Docker is what confines. */
  g_assert_false (gtk_widget_get_visible (group));
  gtk_window_destroy (GTK_WINDOW (settings));

  perfica_gateway_set_backend (gateway, SANDBOX_BACKEND_DOCKER);
  settings = perfica_settings_window_new (gateway);
  group = find_type (GTK_WIDGET (settings), PERFICA_TYPE_IMAGE_GROUP);
  entry = find_type (group, ADW_TYPE_ENTRY_ROW);
  gtk_window_present (GTK_WINDOW (settings));
  g_assert_true (gtk_widget_get_visible (group));
  g_assert_null (find_button (group, "Forget"));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, SANDBOX_DEFAULT_IMAGE);

  says->digest = DIGEST;
  gtk_editable_set_text (GTK_EDITABLE (entry), "half writ");
  fake_gateway_image_changed (gateway);
  g_assert_true (shows (group, DIGEST));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "half writ");
  click (group, "Forget");
  g_assert_null (says->digest);

  gtk_editable_set_text (GTK_EDITABLE (entry), "--privileged");
  g_signal_emit_by_name (entry, "apply");
  g_assert_true (shows (group, "That is no name"));
  gtk_editable_set_text (GTK_EDITABLE (entry), " ghcr.io/a/b:1 ");
  g_signal_emit_by_name (entry, "apply");
  g_assert_false (shows (group, "That is no name"));
  g_assert_cmpstr (perfica_image_get_name (perfica_gateway_get_image (gateway)), ==,
                   "ghcr.io/a/b:1");
  g_assert_cmpuint (says->asked, ==, 0);
  g_assert_cmpuint (says->downloads, ==, 0);
  gtk_window_destroy (GTK_WINDOW (settings));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
#define DIALOG(name, function)                                                                     \
  g_test_add ("/image/dialog/" name, Fixture, NULL, set_up, function, tear_down)
  DIALOG ("download", test_download);
  DIALOG ("too-big", test_too_big);
  DIALOG ("unknown-space", test_unknown_space);
  DIALOG ("failure", test_failure);
  DIALOG ("closing", test_closing);
  g_test_add_func ("/image/settings", test_group);
  return g_test_run ();
}
