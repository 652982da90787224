/* The gateway: boards, who is attached, approvals, activity and the door.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-activity.h"
#include "perfica-approvals.h"
#include "perfica-attachment.h"
#include "perfica-board.h"
#include "perfica-error.h"
#include "perfica-image.h"
#include "perfica-paths.h"
#include "sandbox-run.h"

G_BEGIN_DECLS

#define PERFICA_TYPE_GATEWAY (perfica_gateway_get_type ())
G_DECLARE_FINAL_TYPE (PerficaGateway, perfica_gateway, PERFICA, GATEWAY, GObject)

/**
 * perfica_gateway_new:
 * @launcher: (transfer none): runs commands
 *
 * Properties: "window-open" (read/write: the ui says whether a window is open; asks are refused
 * without one), "running" (read: commands that run now), "store-problem" (read, nullable string:
 * boards.json or the record couldn't be read; everything is refused until
 * perfica_gateway_start_afresh()).
 *
 * Signals: "diagnosis-changed"; "notice" (const char *sentence): something couldn't be written, for
 * a toast; "open-folder" (GFile *folder): a second `perfica FOLDER` wants this folder (%NULL: the
 * window) shown: select its board if there is one, else ask the person before
 * perfica_gateway_open_folder().
 *
 * Lists, activity and settings exist from perfica_gateway_start() on.
 */
PerficaGateway *perfica_gateway_new (SandboxLauncher *launcher);

/**
 * perfica_gateway_take_paths:
 * @paths: (transfer full): with the lock, if the caller has it: then it is never free in between
 *
 * Before perfica_gateway_start(), which else finds and locks them itself.
 */
void perfica_gateway_take_paths (PerficaGateway *self, PerficaPaths *paths);

/* Locks the socket's folder, reads boards, opens the record and the door. PERFICA_ERROR_RUNNING:
 * another one has it. */
gboolean perfica_gateway_start (PerficaGateway *self, GError **error);

/* Stops every tree, records it, answers "gateway stopped"; then the door is closed. */
void
perfica_gateway_stop_async (PerficaGateway *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean perfica_gateway_stop_finish (PerficaGateway *self, GAsyncResult *result, GError **error);

/* Menu: Restart Gateway. Forgets what was allowed "always", drops attachments, opens the door
 * again. */
void perfica_gateway_restart_async (PerficaGateway *self,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean
perfica_gateway_restart_finish (PerficaGateway *self, GAsyncResult *result, GError **error);

GListModel *perfica_gateway_get_boards (PerficaGateway *self); /* PerficaBoard */
PerficaApprovals *
perfica_gateway_get_approvals (PerficaGateway *self); /* a GListModel of PerficaRequest */
GListModel *
perfica_gateway_get_attachments (PerficaGateway *self); /* PerficaAttachment, confirmed or not */
PerficaActivity *perfica_gateway_get_activity (PerficaGateway *self);
SandboxLauncher *perfica_gateway_get_launcher (PerficaGateway *self);

/* Opens a folder as a board (or finds the one it is). PERFICA_ERROR_FOLDER with the reason
 * otherwise. */
PerficaBoard *perfica_gateway_open_folder (PerficaGateway *self, GFile *folder, GError **error);
void perfica_gateway_remove_board (PerficaGateway *self, PerficaBoard *board);

/* The process ends: closes the record. Blocks; only unref may follow. */
void perfica_gateway_close (PerficaGateway *self);

/* The store couldn't be read and the person chose to begin with no boards, or with an empty record;
 * the old file stays beside it. */
void perfica_gateway_start_afresh (PerficaGateway *self);
/* The person mended the file, or what held it is gone: "store-problem" says how it went. */
void perfica_gateway_read_again (PerficaGateway *self);
/* Whether "store-problem" is about the record of activity; else it is about boards.json. */
gboolean perfica_gateway_is_record_broken (PerficaGateway *self);

/* The person stops a command that runs (or its question); its outcome is
 * %PERFICA_OUTCOME_CANCELLED, and the agent hears who stopped it. %FALSE if it doesn't run any
 * more. */
gboolean perfica_gateway_stop_entry (PerficaGateway *self, PerficaEntry *entry);

/* Settings that loosen or grant; kept in boards.json, never in GSettings. */
gboolean perfica_gateway_get_sandbox_default (PerficaGateway *self);
void perfica_gateway_set_sandbox_default (PerficaGateway *self, gboolean on);
SandboxBackendType perfica_gateway_get_backend (PerficaGateway *self);
void perfica_gateway_set_backend (PerficaGateway *self, SandboxBackendType backend);
guint perfica_gateway_get_prompt_seconds (PerficaGateway *self); /* 0 = no limit; 10 … 3600 */
void perfica_gateway_set_prompt_seconds (PerficaGateway *self, guint seconds);
char **perfica_gateway_get_visible_folders (PerficaGateway *self);
void perfica_gateway_set_visible_folders (PerficaGateway *self, const char *const *folders);

/* The last diagnosis of the chosen backend, NULL before the first; "diagnosis-changed" signal. */
const SandboxDiagnosis *perfica_gateway_get_diagnosis (PerficaGateway *self);
void perfica_gateway_check_backend (PerficaGateway *self); /* Check again */

/* Docker's image: the window shows it, and asks for it. Lives as long as the gateway. */
PerficaImage *perfica_gateway_get_image (PerficaGateway *self);

G_END_DECLS
