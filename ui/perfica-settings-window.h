/* Settings of the app: the sandbox, prompts, the terminal, agents.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

#include "perfica-gateway.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_SETTINGS_WINDOW (perfica_settings_window_get_type ())
G_DECLARE_FINAL_TYPE (
    PerficaSettingsWindow, perfica_settings_window, PERFICA, SETTINGS_WINDOW, AdwWindow)

/**
 * perfica_settings_window_new:
 * @gateway: whose settings
 *
 * Make it transient for the main window: "Run in terminal" goes to that one's dock.
 *
 * Returns: (transfer none): a window that isn't shown yet; owned by the toolkit
 */
PerficaSettingsWindow *perfica_settings_window_new (PerficaGateway *gateway);

/**
 * perfica_settings_window_show_page:
 * @name: "sandbox", "prompts", "terminal", "agents" or "about"
 */
void perfica_settings_window_show_page (PerficaSettingsWindow *self, const char *name);

G_END_DECLS
