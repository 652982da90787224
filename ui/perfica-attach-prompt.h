/* The question whether a client may act as a bubble.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-ask-window.h"
#include "perfica-attachment.h"

G_BEGIN_DECLS

/* Signals: "answered", "put-aside". */
#define PERFICA_TYPE_ATTACH_PROMPT (perfica_attach_prompt_get_type ())
G_DECLARE_FINAL_TYPE (
    PerficaAttachPrompt, perfica_attach_prompt, PERFICA, ATTACH_PROMPT, PerficaAskWindow)

/**
 * perfica_attach_prompt_new:
 * @attachment: one that isn't confirmed
 *
 * Returns: (transfer none): a window that isn't shown yet; owned by the toolkit
 */
PerficaAttachPrompt *perfica_attach_prompt_new (PerficaAttachment *attachment);
PerficaAttachment *perfica_attach_prompt_get_attachment (PerficaAttachPrompt *self);
void perfica_attach_prompt_open (PerficaAttachPrompt *self);

G_END_DECLS
