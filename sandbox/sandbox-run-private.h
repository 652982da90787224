/* What the pieces of the client side share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sandbox-protocol.h"
#include "sandbox-run.h"

G_BEGIN_DECLS

/**
 * sandbox_launcher_send:
 * @launcher: the launcher
 * @flags: of the message
 * @fds: what goes with it
 * @n_fds: how many
 * @again: (out): set when the launcher's queue is full: try again a little later
 *
 * Starts a launcher that has died again. Any thread.
 *
 * Returns: whether it was sent
 */
gboolean sandbox_launcher_send (SandboxLauncher *launcher,
                                guint flags,
                                const int *fds,
                                gsize n_fds,
                                gboolean *again,
                                GError **error);

/* Whether a launcher of this object ever died by itself: then its tree can't be walked up to it. */
gboolean sandbox_launcher_was_lost (SandboxLauncher *launcher);

SandboxResult *sandbox_result_new (SandboxEnding ending, SandboxReason reason, const char *detail);
SandboxResult *sandbox_result_new_from_message (const SandboxResultMessage *message,
                                                GByteArray *const kept[4]);

G_END_DECLS
