/* The question: Allow once, Allow always this session, Deny.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-ask-window.h"
#include "perfica-gateway.h"

G_BEGIN_DECLS

/* One request, for as long as it lives. Signals: "answered" (after the answer counted),
 * "put-aside" (closed without an answer: the question stays), "overview" ("1 of 3" was clicked). */
#define PERFICA_TYPE_PROMPT (perfica_prompt_get_type ())
G_DECLARE_FINAL_TYPE (PerficaPrompt, perfica_prompt, PERFICA, PROMPT, PerficaAskWindow)

/**
 * perfica_prompt_new:
 * @gateway: whose approvals are told
 * @request: a waiting request
 *
 * Returns: (transfer none): a window that isn't shown yet; owned by the toolkit
 */
PerficaPrompt *perfica_prompt_new (PerficaGateway *gateway, PerficaRequest *request);
PerficaRequest *perfica_prompt_get_request (PerficaPrompt *self);

/**
 * perfica_prompt_set_place:
 * @place: from 1
 * @total: how many wait; 1 hides the line
 */
void perfica_prompt_set_place (PerficaPrompt *self, guint place, guint total);

void perfica_prompt_open (PerficaPrompt *self);

G_END_DECLS
