/* Shared by the files of this room only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-wire.h"

G_BEGIN_DECLS

PerficaWireMessage *perfica_wire_message_new (PerficaWireType type, gint64 id);
gboolean perfica_wire_run_state_from_string (const char *name, PerficaWireRunState *state);

G_END_DECLS
