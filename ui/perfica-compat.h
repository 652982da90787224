/* What differs between versions and platforms of the toolkit; nothing else has such #ifs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>
#include <vte/vte.h>

G_BEGIN_DECLS

/**
 * perfica_ui_init:
 *
 * Makes the style sheet and the icons known to the default display. Main thread; harmless when
 * repeated.
 */
void perfica_ui_init (void);

/**
 * PerficaAlertFunc:
 * @response: the id of the response, "cancel" when the dialog was closed
 */
typedef void (*PerficaAlertFunc) (const char *response, gpointer user_data);

/**
 * perfica_alert:
 * @parent: a widget in the window that asks
 * @heading: plain text
 * @body: plain text
 * @accept: (nullable): label of the response "accept"; without it there is only "Close"
 * @destructive: whether accepting destroys something
 * @callback: (nullable): what is told the answer
 *
 * A modal question. Never for the prompt: a modal window takes the keys.
 */
void perfica_alert (GtkWidget *parent,
                    const char *heading,
                    const char *body,
                    const char *accept,
                    gboolean destructive,
                    PerficaAlertFunc callback,
                    gpointer user_data);

/**
 * PerficaFileFunc:
 * @file: (nullable): what was chosen, %NULL if nothing was
 */
typedef void (*PerficaFileFunc) (GFile *file, gpointer user_data);

void perfica_choose_folder (GtkWidget *parent,
                            const char *title,
                            GFile *start,
                            PerficaFileFunc callback,
                            gpointer user_data);
void perfica_choose_save (GtkWidget *parent,
                          const char *title,
                          const char *name,
                          PerficaFileFunc callback,
                          gpointer user_data);

/**
 * perfica_surface_keep_unfocused:
 * @window: a realized window, not yet mapped
 *
 * X11: user time 0, so that a window manager doesn't give it the focus.
 */
void perfica_surface_keep_unfocused (GtkWindow *window);

/**
 * perfica_terminal_dup_title:
 *
 * Returns: (transfer full) (nullable): the window title that the program set
 */
char *perfica_terminal_dup_title (VteTerminal *terminal);

/**
 * perfica_menu_button_name:
 * @button: a GtkMenuButton that shows an icon alone
 * @name: what a screen reader says
 *
 * The button inside is what takes the focus, and before GTK 4.12 it has no name of its own.
 */
void perfica_menu_button_name (GtkWidget *button, const char *name);

G_END_DECLS
