/* Small pure functions: how values are said to people.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-board.h"
#include "perfica-wire.h"
#include "sandbox-plan.h"

G_BEGIN_DECLS

/**
 * perfica_outcome_label:
 *
 * Returns: (transfer full): an outcome in a word or two, translated: "ok", "exit 2", "refused"
 */
char *perfica_outcome_label (PerficaOutcome outcome, int exit_code, int signal_number);

/**
 * perfica_outcome_sentence:
 *
 * Returns: (transfer none): what an outcome means, in a sentence, translated
 */
const char *perfica_outcome_sentence (PerficaOutcome outcome);

/**
 * perfica_outcome_style:
 *
 * Returns: (transfer none): the style class of its pill: "ok", "bad", "warn" or "info"
 */
const char *perfica_outcome_style (PerficaOutcome outcome, int exit_code, int signal_number);

/**
 * perfica_duration_label:
 * @duration: in microseconds; negative or 0 is unknown
 *
 * Returns: (transfer full): "0.3 s", "14.2 s", "3 min 20 s"; empty if unknown
 */
char *perfica_duration_label (gint64 duration);

/**
 * perfica_countdown_label:
 * @seconds: what is left
 *
 * Returns: (transfer full): "58 s", "2:05", "1:00:00"
 */
char *perfica_countdown_label (gint64 seconds);

/**
 * perfica_time_label:
 * @time: in microseconds, wall clock
 * @now: in microseconds, wall clock
 *
 * Returns: (transfer full): the hour on the same day, else day and hour, in the local zone
 */
char *perfica_time_label (gint64 time, gint64 now);

/**
 * perfica_role_label:
 *
 * Returns: (transfer none): the role's name, translated
 */
const char *perfica_role_label (PerficaRole role);

/**
 * perfica_tools_label:
 *
 * Returns: (transfer full): "Read files, run commands", translated
 */
char *perfica_tools_label (PerficaTools tools);

/**
 * perfica_waiting_label:
 *
 * Returns: (transfer full): "2 waiting", translated
 */
char *perfica_waiting_label (guint waiting);

/**
 * perfica_backend_label:
 *
 * Returns: (transfer none): the backend's name for people, translated
 */
const char *perfica_backend_label (SandboxBackendType backend);

/**
 * perfica_folder_label:
 * @folder: absolute
 * @home: (nullable): the person's home
 *
 * Returns: (transfer full): escaped, `~` for the home folder
 */
char *perfica_folder_label (const char *folder, const char *home);

/**
 * perfica_loop_folder_label:
 * @folder: (nullable): relative to the project
 *
 * Returns: (transfer full): escaped; "whole project" for "."
 */
char *perfica_loop_folder_label (const char *folder);

G_END_DECLS
