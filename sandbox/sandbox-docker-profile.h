/* The plan's filter of system calls in Docker's own form.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the profile, JSON. Pure. */
char *sandbox_docker_profile_text (void);

/**
 * sandbox_docker_profile_file:
 * @error: return location, %SANDBOX_ERROR_SETUP
 *
 * Has the profile in a file that only this person can change, as Docker's client wants it.
 * Blocking.
 *
 * Returns: (transfer full): its path
 */
char *sandbox_docker_profile_file (GError **error);

G_END_DECLS
