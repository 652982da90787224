/* What the widgets' tests share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef gboolean (*WidgetsCondition) (gpointer data);

/* Runs the main loop until @condition holds; fails the test after @seconds. */
void widgets_wait (WidgetsCondition condition, gpointer data, guint seconds);

/* Runs the main loop for a while. */
void widgets_spin (guint ms);

/* The first visible button with that label, below @root; %NULL if there is none. */
GtkWidget *widgets_find_button (GtkWidget *root, const char *label);

/* Likewise, with that icon. */
GtkWidget *widgets_find_icon (GtkWidget *root, const char *icon);

G_END_DECLS
