/* The main window: boards, what happens on them, the terminal dock, and the questions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_WINDOW (perfica_window_get_type ())
G_DECLARE_FINAL_TYPE (PerficaWindow, perfica_window, PERFICA, WINDOW, AdwApplicationWindow)

/**
 * perfica_window_new:
 * @app: the application; its actions "app.settings", "app.restart-gateway", "app.about" and
 *   "app.quit" are in the menu
 * @gateway: a gateway, started or with a "store-problem"
 *
 * While it is mapped the gateway's "window-open" is %TRUE.
 *
 * Returns: (transfer none): the window, not shown yet; owned by the toolkit
 */
PerficaWindow *perfica_window_new (GtkApplication *app, PerficaGateway *gateway);

/**
 * perfica_window_open_folder:
 * @folder: what to open as a board
 *
 * Opens and selects it; one that can't be a board is explained in a dialog.
 */
void perfica_window_open_folder (PerficaWindow *self, GFile *folder);

/**
 * perfica_window_run_in_terminal:
 * @command: one line, not trusted
 * @folder: (nullable): absolute; where the command is meant to run
 *
 * Puts it on a shell's input line in the dock, never presses Enter. What can't be placed goes to
 * the clipboard, and a toast says why.
 */
void perfica_window_run_in_terminal (PerficaWindow *self, const char *command, const char *folder);

/**
 * perfica_about_show:
 * @parent: (nullable): the window that asks
 */
void perfica_about_show (GtkWindow *parent);

G_END_DECLS
