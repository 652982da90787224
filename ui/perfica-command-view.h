/* A command as it will run: whole, wrapped, escaped, with what matters highlighted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

#include "perfica-escape.h"

G_BEGIN_DECLS

/* Property (read) "end-seen": the end of the text has been on show since it was set. */
#define PERFICA_TYPE_COMMAND_VIEW (perfica_command_view_get_type ())
G_DECLARE_FINAL_TYPE (PerficaCommandView, perfica_command_view, PERFICA, COMMAND_VIEW, GtkWidget)

GtkWidget *perfica_command_view_new (void);

/**
 * perfica_command_view_set_command:
 * @text: (nullable): not trusted
 * @marks: (nullable) (element-type PerficaSpan): spans of @text to highlight
 */
void perfica_command_view_set_command (PerficaCommandView *self, const char *text, GArray *marks);

/**
 * perfica_command_view_get_text_widget:
 *
 * Returns: (transfer none): what takes the focus; keys do nothing there but move
 */
GtkWidget *perfica_command_view_get_text_widget (PerficaCommandView *self);
gboolean perfica_command_view_get_end_seen (PerficaCommandView *self);

/**
 * perfica_command_view_set_max_height:
 * @height: in pixels; beyond it the text scrolls
 */
void perfica_command_view_set_max_height (PerficaCommandView *self, int height);

G_END_DECLS
