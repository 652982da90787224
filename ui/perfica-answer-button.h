/* A button whose answer counts: it takes a real click or key.
 *
 * Not a GtkButton on purpose: that one can be activated by accessibility's doAction, by a
 * mnemonic or by a default, with no event behind it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Properties: "label" (string). Signal "answered": pressed and released on it, or Enter or Space
 * on it after Tab or an arrow had led there; never emitted while it sleeps. */
#define PERFICA_TYPE_ANSWER_BUTTON (perfica_answer_button_get_type ())
G_DECLARE_FINAL_TYPE (PerficaAnswerButton, perfica_answer_button, PERFICA, ANSWER_BUTTON, GtkWidget)

/**
 * perfica_answer_button_set_awake:
 * @awake: whether it takes an answer
 *
 * It sleeps at first.
 */
void perfica_answer_button_set_awake (PerficaAnswerButton *self, gboolean awake);
gboolean perfica_answer_button_get_awake (PerficaAnswerButton *self);

G_END_DECLS
