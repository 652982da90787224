/* The terminal dock: tabs with the person's own shell.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-settings.h"
#include "perfica-terminal-tab.h"

G_BEGIN_DECLS

/* Signals: "closed": the last tab is gone, or the dock's own button was clicked. "toast" (string):
 * something to say. */
#define PERFICA_TYPE_DOCK (perfica_dock_get_type ())
G_DECLARE_FINAL_TYPE (PerficaDock, perfica_dock, PERFICA, DOCK, AdwBin)

void perfica_dock_set_settings (PerficaDock *self, PerficaSettings *settings);

/**
 * perfica_dock_set_folder:
 * @folder: (nullable): absolute; where new tabs start
 */
void perfica_dock_set_folder (PerficaDock *self, const char *folder);

/**
 * perfica_dock_open:
 *
 * It came on show: makes the first tab and gives it the focus.
 */
void perfica_dock_open (PerficaDock *self);

/**
 * perfica_dock_run:
 * @command: not trusted
 * @folder: (nullable): absolute; where it is meant to run
 *
 * Puts @command on an input line, never presses Enter: on the selected tab's if its shell waits
 * there at an empty prompt or is still on its way to the first, else on a new tab's. What can't be
 * placed goes to the clipboard, with a toast that says why.
 */
void perfica_dock_run (PerficaDock *self, const char *command, const char *folder);

/**
 * perfica_dock_is_busy:
 *
 * Returns: whether a tab runs something else than its shell
 */
gboolean perfica_dock_is_busy (PerficaDock *self);

guint perfica_dock_get_n_tabs (PerficaDock *self);

/**
 * perfica_dock_get_tab:
 *
 * Returns: (transfer none) (nullable): the selected tab
 */
PerficaTerminalTab *perfica_dock_get_tab (PerficaDock *self);

G_END_DECLS
