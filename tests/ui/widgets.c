/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "widgets.h"

static gboolean
ring (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
widgets_spin (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, ring, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

void
widgets_wait (WidgetsCondition condition, gpointer data, guint seconds)
{
  gint64 end = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;

  while (!condition (data))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      widgets_spin (20);
    }
}

static GtkWidget *
find (GtkWidget *root, const char *(*get) (GtkButton *), const char *value)
{
  if (!gtk_widget_get_visible (root))
    return NULL;
  if (GTK_IS_BUTTON (root) && g_strcmp0 (get (GTK_BUTTON (root)), value) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, get, value);

      if (found)
        return found;
    }
  return NULL;
}

GtkWidget *
widgets_find_button (GtkWidget *root, const char *label)
{
  return find (root, gtk_button_get_label, label);
}

GtkWidget *
widgets_find_icon (GtkWidget *root, const char *icon)
{
  return find (root, gtk_button_get_icon_name, icon);
}
