/* How the app looks: one typed object over GSettings; nothing else opens it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Properties (read/write): "window-width", "window-height", "dock-height", "terminal-scrollback"
 * (int), "window-maximized", "dock-visible", "notifications" (boolean), "terminal-font",
 * "terminal-shell" (string, empty is the system's). */
#define PERFICA_TYPE_SETTINGS (perfica_settings_get_type ())
G_DECLARE_FINAL_TYPE (PerficaSettings, perfica_settings, PERFICA, SETTINGS, GObject)

/**
 * perfica_settings_check:
 *
 * Whether the schema is there. main() asks this first, and ends with the sentence otherwise.
 *
 * Returns: %TRUE, or %FALSE with a %G_IO_ERROR_NOT_FOUND that says what to do
 */
gboolean perfica_settings_check (GError **error);

/**
 * perfica_settings_new:
 *
 * Without the schema it holds the defaults and keeps nothing.
 *
 * Returns: (transfer full): the settings. Main thread only.
 */
PerficaSettings *perfica_settings_new (void);

int perfica_settings_get_int (PerficaSettings *self, const char *property);
gboolean perfica_settings_get_boolean (PerficaSettings *self, const char *property);

/**
 * perfica_settings_dup_shell:
 *
 * Returns: (transfer full): path of the person's shell: theirs by choice, else the login shell,
 *   else /bin/sh
 */
char *perfica_settings_dup_shell (PerficaSettings *self);

/**
 * perfica_settings_dup_font:
 *
 * Returns: (transfer full) (nullable): a font's description, %NULL for the system's monospace
 */
char *perfica_settings_dup_font (PerficaSettings *self);

G_END_DECLS
