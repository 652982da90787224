/* A window with one of the product's texts, in the languages it is written in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define PERFICA_TYPE_TEXT_WINDOW (perfica_text_window_get_type ())
G_DECLARE_FINAL_TYPE (PerficaTextWindow, perfica_text_window, PERFICA, TEXT_WINDOW, AdwWindow)

/**
 * perfica_text_window_open:
 * @parent: what it belongs to
 * @name: "privacy", "terms" or "licences"
 *
 * Shows the text in the person's language if it is one of its own, else in English; the header
 * changes to the other.
 *
 * Returns: (transfer none): the window, on show
 */
PerficaTextWindow *perfica_text_window_open (GtkWindow *parent, const char *name);

/* The text on show; for the tests. (transfer none) */
const char *perfica_text_window_get_text (PerficaTextWindow *self);

G_END_DECLS
