/* The environment a command gets (sandbox.md, contract 6).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The person's login shell's environment, `$SHELL -ilc 'env -0'`, 10 s, else the app's own. */
void sandbox_environment_read_async (GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
char **sandbox_environment_read_finish (GAsyncResult *result, GError **error);

/**
 * sandbox_environment_scrub:
 * @base: (array zero-terminated=1): NAME=VALUE
 * @project: PATH loses its entries inside this folder
 * @keep_ssh_agent: an allowed git network command outside the sandbox
 * @confined: adds the fail-fast variables
 * @removed: (out) (optional): the names that went, for the record
 *
 * Returns: (transfer full): the environment, with PAGER=cat, CI=1 and the rest added
 */
char **sandbox_environment_scrub (const char *const *base,
                                  const char *project,
                                  gboolean keep_ssh_agent,
                                  gboolean confined,
                                  char ***removed);

/* Whether one variable would be taken out. */
gboolean sandbox_environment_is_secret (const char *name, const char *value);

G_END_DECLS
