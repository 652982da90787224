/* What the door and the gateway do with attachments.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <sys/types.h>

#include "perfica-attachment.h"

G_BEGIN_DECLS

/* Signals: "confirmed", "turned-away", "expired": it left unconfirmed, long ago. */
PerficaAttachment *perfica_attachment_new (PerficaBoard *board,
                                           PerficaBubble *bubble,
                                           const char *program,
                                           const char *starter,
                                           const char *client,
                                           pid_t pid,
                                           const char *folder);
/* What tells clients apart: the same program under the same name for the same bubble. */
const char *perfica_attachment_get_key (PerficaAttachment *self);
char *perfica_attachment_make_key (PerficaBoard *board,
                                   PerficaBubble *bubble,
                                   const char *program,
                                   const char *client);
/* Remembers it, without asking: the person did confirm this client before. */
void perfica_attachment_set_confirmed (PerficaAttachment *self);
/* A connection of it comes or goes. @starter: (nullable): what started that process */
void perfica_attachment_connect (PerficaAttachment *self, pid_t pid, const char *starter);
void perfica_attachment_disconnect (PerficaAttachment *self);

G_END_DECLS
