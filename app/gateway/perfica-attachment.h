/* A client that attached as a bubble; the window confirms its first time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-board.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_ATTACHMENT (perfica_attachment_get_type ())
G_DECLARE_FINAL_TYPE (PerficaAttachment, perfica_attachment, PERFICA, ATTACHMENT, GObject)

/* Properties (read): "confirmed", "connected". */
PerficaBoard *perfica_attachment_get_board (PerficaAttachment *self);
PerficaBubble *perfica_attachment_get_bubble (PerficaAttachment *self);
const char *perfica_attachment_get_program (
    PerficaAttachment *self); /* its executable and client name, escaped */
int perfica_attachment_get_pid (PerficaAttachment *self);
const char *perfica_attachment_get_folder (PerficaAttachment *self);
gboolean perfica_attachment_get_confirmed (PerficaAttachment *self);
gboolean perfica_attachment_get_connected (PerficaAttachment *self);

/* The person's word. Turned away: its connection is told so and closed. */
void perfica_attachment_confirm (PerficaAttachment *self);
void perfica_attachment_turn_away (PerficaAttachment *self);

G_END_DECLS
