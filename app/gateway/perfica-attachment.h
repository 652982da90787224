/* A client that attached as a bubble; the window confirms its first time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-board.h"

G_BEGIN_DECLS

/* One that left before anybody confirmed it is listed for so long: a coffee break. */
#define PERFICA_ATTACHMENT_KEPT_SECONDS (15 * 60)

#define PERFICA_TYPE_ATTACHMENT (perfica_attachment_get_type ())
G_DECLARE_FINAL_TYPE (PerficaAttachment, perfica_attachment, PERFICA, ATTACHMENT, GObject)

/* Properties (read): "confirmed", "connected". */
PerficaBoard *perfica_attachment_get_board (PerficaAttachment *self);
PerficaBubble *perfica_attachment_get_bubble (PerficaAttachment *self);
/* What started it, its executable and the name it gave, escaped: "/usr/bin/claude →
 * /usr/bin/perfica-agent (claude-code)". Of its last connection. */
const char *perfica_attachment_get_program (PerficaAttachment *self);
int perfica_attachment_get_pid (PerficaAttachment *self);
const char *perfica_attachment_get_folder (PerficaAttachment *self);
gboolean perfica_attachment_get_confirmed (PerficaAttachment *self);
gboolean perfica_attachment_get_connected (PerficaAttachment *self);
/* When its last connection ended; µs, wall clock; 0 while it is connected. */
gint64 perfica_attachment_get_left (PerficaAttachment *self);

/* The person's word, also on one that has left: its next connection needs no question. Turned
 * away: its connection is told so and closed, and it stays away until the gateway restarts. */
void perfica_attachment_confirm (PerficaAttachment *self);
void perfica_attachment_turn_away (PerficaAttachment *self);

G_END_DECLS
