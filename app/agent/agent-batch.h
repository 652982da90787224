/* perfica-agent check --batch: many lines through the guard, one process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "guard.h"

G_BEGIN_DECLS

/**
 * agent_batch:
 * @in: descriptor with JSON lines {"id", "command", "project"?, "loop"?, "loops"?, "folder"?,
 *   "sandbox"?, "case_insensitive"?}; folders are relative to the project
 * @out: descriptor for JSON lines {"id", "answer", "time_class", "findings", "canonical"}, in the
 *   same order; a line that can't be read is refused, with an "error"
 * @defaults: where a line doesn't say
 * @disk: whether the guard may look at the disk
 *
 * What is answered is written before the next wait for input.
 *
 * Returns: the exit code
 */
int agent_batch (int in, int out, const GuardScope *defaults, gboolean disk);

G_END_DECLS
