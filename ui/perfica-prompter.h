/* Puts what waits in front of the person: one at a time, first come first shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

#include "perfica-gateway.h"
#include "perfica-prompt.h"
#include "perfica-settings.h"

G_BEGIN_DECLS

/* Signal "changed": perfica_prompter_get_waiting() may be another. */
#define PERFICA_TYPE_PROMPTER (perfica_prompter_get_type ())
G_DECLARE_FINAL_TYPE (PerficaPrompter, perfica_prompter, PERFICA, PROMPTER, GObject)

/**
 * perfica_prompter_new:
 * @window: (not nullable): the main window; not kept alive
 * @gateway: whose approvals and attachments
 * @settings: whether to notify
 *
 * Nothing is asked while @window isn't mapped. With an application it adds the actions
 * "app.review" and "app.deny" (string), which its notifications name. There is none that allows.
 *
 * Returns: (transfer full): the prompter
 */
PerficaPrompter *
perfica_prompter_new (GtkWindow *window, PerficaGateway *gateway, PerficaSettings *settings);

/**
 * perfica_prompter_review:
 *
 * The person asked to see what waits: also what was put aside. This one is presented.
 */
void perfica_prompter_review (PerficaPrompter *self);

/**
 * perfica_prompter_show:
 * @request: one that waits
 *
 * Shows this one instead, as the person chose in the overview.
 */
void perfica_prompter_show (PerficaPrompter *self, PerficaRequest *request);

/**
 * perfica_prompter_show_attachment:
 * @attachment: one that isn't confirmed; it may have left
 *
 * Shows the question about this one, as the person chose in the list of those that ask.
 */
void perfica_prompter_show_attachment (PerficaPrompter *self, PerficaAttachment *attachment);

/**
 * perfica_prompter_get_waiting:
 *
 * Returns: how many questions wait: commands, and clients that are connected
 */
guint perfica_prompter_get_waiting (PerficaPrompter *self);

/**
 * perfica_prompter_get_prompt:
 *
 * Returns: (transfer none) (nullable): what is on show
 */
PerficaPrompt *perfica_prompter_get_prompt (PerficaPrompter *self);

/**
 * perfica_prompter_get_attachment:
 *
 * Returns: (transfer none) (nullable): the client that the question on show is about
 */
PerficaAttachment *perfica_prompter_get_attachment (PerficaPrompter *self);

G_END_DECLS
