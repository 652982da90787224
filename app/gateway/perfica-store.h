/* boards.json: boards, loops, bubbles and whatever loosens or grants.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-board.h"
#include "perfica-paths.h"
#include "sandbox-plan.h"

G_BEGIN_DECLS

#define PERFICA_MAX_BOARDS 256
#define PERFICA_MAX_VISIBLE 64
#define PERFICA_MAX_IMAGE 512
/* ui.md: 10 s to 1 h, or no limit; 120 s unless somebody changed it. */
#define PERFICA_PROMPT_SECONDS 120
#define PERFICA_PROMPT_SECONDS_MIN 10
#define PERFICA_PROMPT_SECONDS_MAX 3600

/* What boards.json holds beside the boards. */
typedef struct
{
  gboolean sandbox;
  SandboxBackendType backend;
  guint prompt_seconds; /* 0 = no limit */
  char **visible;       /* absolute folders */
  char *image;          /* Docker's; NULL = SANDBOX_DEFAULT_IMAGE */
  char *image_digest;   /* what was pinned at the first download, or NULL */
} PerficaSettings;

/**
 * PerficaStore:
 *
 * Main thread only; what is written is written by one worker, in order. Signals:
 * - "failed" (const char *sentence): a change couldn't be written; what is in memory still holds
 */
#define PERFICA_TYPE_STORE (perfica_store_get_type ())
G_DECLARE_FINAL_TYPE (PerficaStore, perfica_store, PERFICA, STORE, GObject)

/* @paths: borrowed, must outlive the store. */
PerficaStore *perfica_store_new (const PerficaPaths *paths);

/**
 * perfica_store_load:
 * @error: %PERFICA_ERROR_STORE when there is a file and it can't be used; then nothing was read
 *   and nothing is written until perfica_store_start_afresh()
 */
gboolean perfica_store_load (PerficaStore *self, GError **error);

/* Sets the unreadable file aside and begins with no boards. */
gboolean perfica_store_start_afresh (PerficaStore *self, GError **error);
/* Whether boards.json was read, or there was none. */
gboolean perfica_store_is_usable (PerficaStore *self);

GListModel *perfica_store_get_boards (PerficaStore *self); /* PerficaBoard */
const PerficaSettings *perfica_store_get_settings (PerficaStore *self);

/* Each keeps the change and has it written. */
void perfica_store_set_sandbox (PerficaStore *self, gboolean on);
void perfica_store_set_backend (PerficaStore *self, SandboxBackendType backend);
void perfica_store_set_prompt_seconds (PerficaStore *self, guint seconds);
void perfica_store_set_visible (PerficaStore *self, const char *const *folders);
/* @image: (nullable): checked by the caller; another one forgets the digest. */
void perfica_store_set_image (PerficaStore *self, const char *image);
void perfica_store_set_image_digest (PerficaStore *self, const char *digest); /* nullable */

/**
 * perfica_store_add_board:
 * @folder: any path; checked by perfica_board_folder_check()
 * @error: %PERFICA_ERROR_FOLDER, %PERFICA_ERROR_LIMIT, or %PERFICA_ERROR_STORE while there is an
 *   unreadable file
 *
 * Returns: (transfer none): the board of that folder, new with one loop ".", or the one there was
 */
PerficaBoard *perfica_store_add_board (PerficaStore *self, const char *folder, GError **error);
void perfica_store_remove_board (PerficaStore *self, PerficaBoard *board);

/* The innermost board whose folder holds @path (absolute, physical), or %NULL. */
PerficaBoard *perfica_store_find_board (PerficaStore *self, const char *path);

/* Something inside a board changed: have it written. */
void perfica_store_save (PerficaStore *self);
/* Waits until all is written. For the end and for tests. */
void perfica_store_flush (PerficaStore *self);

G_END_DECLS
