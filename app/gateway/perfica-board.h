/* A board: one project folder with its settings, loops and bubbles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  PERFICA_ROLE_CODER,      /* read, write, run */
  PERFICA_ROLE_REVIEWER,   /* read, run */
  PERFICA_ROLE_RESEARCHER, /* read */
  PERFICA_ROLE_CUSTOM,
} PerficaRole;

typedef enum
{
  PERFICA_TOOL_READ = 1 << 0,
  PERFICA_TOOL_WRITE = 1 << 1,
  PERFICA_TOOL_RUN = 1 << 2,
} PerficaTools;

typedef enum
{
  PERFICA_SANDBOX_DEFAULT,
  PERFICA_SANDBOX_ON,
  PERFICA_SANDBOX_OFF,
} PerficaSandboxChoice;

const char *perfica_role_to_string (PerficaRole role);
gboolean perfica_role_from_string (const char *name, PerficaRole *role);
PerficaTools perfica_role_get_tools (PerficaRole role);

/* A loop: a name and a folder of the project. Properties "name", "folder" ("." = the whole
 * project). */
#define PERFICA_TYPE_LOOP (perfica_loop_get_type ())
G_DECLARE_FINAL_TYPE (PerficaLoop, perfica_loop, PERFICA, LOOP, GObject)
const char *perfica_loop_get_name (PerficaLoop *self);
const char *perfica_loop_get_folder (PerficaLoop *self);

/* A bubble: one agent. Properties "name", "role", "loop", "tools". */
#define PERFICA_TYPE_BUBBLE (perfica_bubble_get_type ())
G_DECLARE_FINAL_TYPE (PerficaBubble, perfica_bubble, PERFICA, BUBBLE, GObject)
const char *perfica_bubble_get_name (PerficaBubble *self);
PerficaRole perfica_bubble_get_role (PerficaBubble *self);
PerficaTools perfica_bubble_get_tools (PerficaBubble *self);
PerficaLoop *perfica_bubble_get_loop (PerficaBubble *self);

/* What was allowed "always" this session on a board. Properties "kind", "since" (µs, wall clock),
 * "used". */
#define PERFICA_TYPE_GRANT (perfica_grant_get_type ())
G_DECLARE_FINAL_TYPE (PerficaGrant, perfica_grant, PERFICA, GRANT, GObject)
const char *perfica_grant_get_kind (PerficaGrant *self);
gint64 perfica_grant_get_since (PerficaGrant *self);
guint perfica_grant_get_used (PerficaGrant *self);

/* Properties: "id", "name", "folder" (absolute path), "full-auto", "sandbox" (choice),
 * "sandbox-active" (read), "best-effort-tree", "waiting" (count, read). */
#define PERFICA_TYPE_BOARD (perfica_board_get_type ())
G_DECLARE_FINAL_TYPE (PerficaBoard, perfica_board, PERFICA, BOARD, GObject)
const char *perfica_board_get_id (PerficaBoard *self);
const char *perfica_board_get_name (PerficaBoard *self);
const char *perfica_board_get_folder (PerficaBoard *self);
gboolean perfica_board_get_full_auto (PerficaBoard *self);
void perfica_board_set_full_auto (PerficaBoard *self, gboolean on);
PerficaSandboxChoice perfica_board_get_sandbox (PerficaBoard *self);
void perfica_board_set_sandbox (PerficaBoard *self, PerficaSandboxChoice choice);
gboolean
perfica_board_get_sandbox_active (PerficaBoard *self); /* the choice with the default applied */
gboolean perfica_board_get_best_effort_tree (PerficaBoard *self);
void perfica_board_set_best_effort_tree (PerficaBoard *self, gboolean on);
guint perfica_board_get_waiting (PerficaBoard *self);

GListModel *perfica_board_get_loops (PerficaBoard *self);   /* PerficaLoop; the first is "." */
GListModel *perfica_board_get_bubbles (PerficaBoard *self); /* PerficaBubble */
GListModel *perfica_board_get_grants (PerficaBoard *self);  /* PerficaGrant */

/* Errors of PERFICA_ERROR carry a reason for people. What is returned belongs to the board. */
PerficaLoop *
perfica_board_add_loop (PerficaBoard *self, const char *name, const char *folder, GError **error);
gboolean perfica_board_remove_loop (PerficaBoard *self, PerficaLoop *loop, GError **error);
PerficaBubble *perfica_board_add_bubble (PerficaBoard *self,
                                         const char *name,
                                         PerficaRole role,
                                         PerficaTools custom_tools,
                                         PerficaLoop *loop,
                                         GError **error);
gboolean perfica_board_remove_bubble (PerficaBoard *self, PerficaBubble *bubble, GError **error);
void perfica_board_revoke (PerficaBoard *self, PerficaGrant *grant);

G_END_DECLS
