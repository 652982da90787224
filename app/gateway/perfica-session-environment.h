/* The person's login shell's environment, read once for each life of the gateway.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _PerficaSessionEnvironment PerficaSessionEnvironment;

/* Starts to read it. Main thread. */
PerficaSessionEnvironment *perfica_session_environment_new (void);
/* Those who wait are called back with the app's own. */
void perfica_session_environment_free (PerficaSessionEnvironment *self);

/**
 * perfica_session_environment_get_async:
 *
 * Waits for it (10 s at the most, then it is the app's own).
 *
 * Returns (finish): (transfer full) (array zero-terminated=1): NAME=VALUE, not scrubbed
 */
void perfica_session_environment_get_async (PerficaSessionEnvironment *self,
                                            GAsyncReadyCallback callback,
                                            gpointer user_data);
char **perfica_session_environment_get_finish (GAsyncResult *result);

G_END_DECLS
