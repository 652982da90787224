/* One command's journey. Its state is a property the window binds to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "guard.h"
#include "perfica-board.h"
#include "perfica-wire.h"

G_BEGIN_DECLS

typedef enum
{
  PERFICA_STATE_READING,
  PERFICA_STATE_ASKING,
  PERFICA_STATE_STARTING,
  PERFICA_STATE_RUNNING,
  PERFICA_STATE_DONE,
} PerficaState;

#define PERFICA_TYPE_REQUEST (perfica_request_get_type ())
G_DECLARE_FINAL_TYPE (PerficaRequest, perfica_request, PERFICA, REQUEST, GObject)

/* Properties (read): "state", "outcome", "deadline" (µs monotonic, 0 = none), "record" (id of its
 * row, 0 before). */
PerficaBoard *perfica_request_get_board (PerficaRequest *self);
PerficaBubble *perfica_request_get_bubble (PerficaRequest *self);
const char *perfica_request_get_command (PerficaRequest *self); /* as it came */
const char *perfica_request_get_folder (PerficaRequest *self);  /* relative to the project */
const GuardVerdict *perfica_request_get_verdict (PerficaRequest *self); /* NULL while reading */
PerficaState perfica_request_get_state (PerficaRequest *self);
PerficaOutcome perfica_request_get_outcome (PerficaRequest *self);
gboolean perfica_request_get_sandboxed (PerficaRequest *self);
gint64 perfica_request_get_deadline (PerficaRequest *self);
gint64 perfica_request_get_record (PerficaRequest *self);
char *perfica_request_dup_kinds (
    PerficaRequest *self); /* what "always" would remember, by name: "git push, delete files"; NULL
                              when it can't be remembered */

G_END_DECLS
