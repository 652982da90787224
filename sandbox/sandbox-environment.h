/* The environment a command gets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * sandbox_environment_read_async:
 * @cancellable: (nullable): stops the shell and everything it started in its group
 * @callback: called on the thread-default main context
 * @user_data: for @callback
 *
 * Reads the environment of the person's login shell (`$SHELL -ilc 'env -0'`): at most 10 s and
 * 1 MiB, with no terminal and its input from /dev/null. A shell that takes longer, prints more, or
 * whose answer holds no PATH is passed over for this process's own environment.
 */
void sandbox_environment_read_async (GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

/**
 * sandbox_environment_read_finish:
 * @result: what the callback got
 * @error: %G_IO_ERROR_CANCELLED is the only one
 *
 * Returns: (transfer full) (array zero-terminated=1): NAME=VALUE, not scrubbed yet
 */
char **sandbox_environment_read_finish (GAsyncResult *result, GError **error);

/**
 * sandbox_environment_scrub:
 * @base: (array zero-terminated=1) (nullable): NAME=VALUE; the first of a repeated name counts
 * @project: (nullable): PATH loses its entries inside this folder, links into it too
 * @keep_ssh_agent: keeps SSH_AUTH_SOCK; for an allowed git network command outside the sandbox
 * @confined: adds what makes package managers fail at once without a network, and CI=1
 * @removed: (out) (optional) (transfer full): the names that went, for the record; the shell's own
 *   bookkeeping (PWD, SHLVL …) is not among them
 *
 * PATH never ends up empty. Adds PAGER=cat and its like: nobody sits at this terminal. TMPDIR is
 * the plan's to add. Entries above 128 KiB, beyond 1 MiB in all, or after the 4096th go.
 *
 * Any thread; looks at the disk (PATH), so not on the main one.
 *
 * Returns: (transfer full) (array zero-terminated=1): the environment
 */
char **sandbox_environment_scrub (const char *const *base,
                                  const char *project,
                                  gboolean keep_ssh_agent,
                                  gboolean confined,
                                  char ***removed);

/**
 * sandbox_environment_is_secret:
 * @name: a variable's name
 * @value: (nullable): its value, looked at for URLs that carry a password
 *
 * Returns: whether sandbox_environment_scrub() takes it out
 */
gboolean sandbox_environment_is_secret (const char *name, const char *value);

G_END_DECLS
