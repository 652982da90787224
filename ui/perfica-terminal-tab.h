/* One terminal with the person's own shell. The guard does not apply here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>
#include <vte/vte.h>

#include "perfica-settings.h"

G_BEGIN_DECLS

/* Property (read) "title". Signal "ended": the shell is gone. */
#define PERFICA_TYPE_TERMINAL_TAB (perfica_terminal_tab_get_type ())
G_DECLARE_FINAL_TYPE (PerficaTerminalTab, perfica_terminal_tab, PERFICA, TERMINAL_TAB, AdwBin)

/**
 * perfica_terminal_tab_new:
 * @settings: shell, font, scrollback
 * @folder: (nullable): absolute; where the shell starts
 *
 * Returns: (transfer floating): a tab whose shell is being started
 */
PerficaTerminalTab *perfica_terminal_tab_new (PerficaSettings *settings, const char *folder);
VteTerminal *perfica_terminal_tab_get_terminal (PerficaTerminalTab *self);

/**
 * perfica_terminal_tab_is_busy:
 *
 * Returns: whether something else than the shell is in front
 */
gboolean perfica_terminal_tab_is_busy (PerficaTerminalTab *self);

/**
 * perfica_terminal_tab_is_starting:
 *
 * Returns: whether the shell has yet to come to its first prompt
 */
gboolean perfica_terminal_tab_is_starting (PerficaTerminalTab *self);

/**
 * perfica_terminal_tab_place:
 * @text: what perfica_placing_check() let through
 * @folder: (nullable): absolute; where the shell must stand
 *
 * Puts @text on the input line if the shell waits at an empty prompt in @folder.
 *
 * Returns: whether it did
 */
gboolean
perfica_terminal_tab_place (PerficaTerminalTab *self, const char *text, const char *folder);

/**
 * perfica_terminal_tab_place_when_ready:
 * @text: what perfica_placing_check() let through
 * @folder: (nullable): absolute; where the shell must have been started
 *
 * Like perfica_terminal_tab_place(), for a tab whose shell is still starting: waits for its first
 * prompt, ten seconds at the most. "unplaced" (string) is emitted when it never came.
 *
 * Returns: %FALSE if the shell has come to its first prompt before, starts elsewhere, or something
 *   was typed or waits already
 */
gboolean perfica_terminal_tab_place_when_ready (PerficaTerminalTab *self,
                                                const char *text,
                                                const char *folder);

void perfica_terminal_tab_copy (PerficaTerminalTab *self);

/**
 * perfica_terminal_tab_paste:
 * @primary: the primary selection rather than the clipboard
 *
 * Asks first where the text has several lines.
 */
void perfica_terminal_tab_paste (PerficaTerminalTab *self, gboolean primary);
void perfica_terminal_tab_find (PerficaTerminalTab *self);

/**
 * perfica_terminal_tab_zoom:
 * @step: 1 larger, -1 smaller, 0 the normal size
 */
void perfica_terminal_tab_zoom (PerficaTerminalTab *self, int step);

G_END_DECLS
