/* What a command needs on the disk before it runs: plan, TMPDIR, app's folder. All on workers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-request-private.h"

G_BEGIN_DECLS

/**
 * perfica_confine_async:
 * @request: read and allowed
 * @environment: the session's, not scrubbed
 *
 * Makes the app's folder and the TMPDIR, scrubs the environment and makes the plan; sets them in
 * the request. %PERFICA_ERROR_OUTPUT for the folders, %SANDBOX_ERROR for the plan.
 */
void perfica_confine_async (PerficaRequest *request,
                            char **environment,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean perfica_confine_finish (PerficaRequest *request, GAsyncResult *result, GError **error);

/* Opens the file of the whole output; sets its path in the request. Returns (finish): (transfer
 * full): its descriptor, or -1 with %PERFICA_ERROR_OUTPUT. */
void perfica_confine_open_output_async (PerficaRequest *request,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);
int
perfica_confine_open_output_finish (PerficaRequest *request, GAsyncResult *result, GError **error);

/**
 * perfica_confine_spring_traps_async:
 * @request: one whose command has ended
 *
 * Sets aside what the command made where it would steer the person's own git
 * (sandbox_plan_spring_traps()), before anybody is answered.
 */
void perfica_confine_spring_traps_async (PerficaRequest *request,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
/* Returns: (transfer full) (nullable): a sentence that names what was set aside, %NULL if nothing
 */
char *perfica_confine_spring_traps_finish (PerficaRequest *request, GAsyncResult *result);

/* Removes the TMPDIR, some time soon. */
void perfica_confine_clean_up (PerficaRequest *request);

G_END_DECLS
