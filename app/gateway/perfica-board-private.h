/* What only the gateway's own files may do to boards, loops, bubbles and grants.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-board.h"

G_BEGIN_DECLS

/* As many as there may be; more is refused with a reason. Far above what a person keeps in view. */
#define PERFICA_MAX_LOOPS 64
#define PERFICA_MAX_BUBBLES 64
#define PERFICA_MAX_CLIENTS 64
#define PERFICA_MAX_NAME 64 /* bytes */

PerficaLoop *perfica_loop_new (const char *name, const char *folder);

PerficaBubble *
perfica_bubble_new (const char *name, PerficaRole role, PerficaTools tools, PerficaLoop *loop);

/* A client that the person confirmed: its program and the name it gave. Kept in boards.json. */
typedef struct
{
  char *program;
  char *client;
} PerficaClient;

/* (element-type PerficaClient) */
GPtrArray *perfica_bubble_get_clients (PerficaBubble *self);
gboolean perfica_bubble_knows_client (PerficaBubble *self, const char *program, const char *client);
/* The oldest goes when there are too many. */
void perfica_bubble_remember_client (PerficaBubble *self, const char *program, const char *client);

/* Signal "changed": something that boards.json holds changed. */
PerficaBoard *perfica_board_new (const char *id, const char *name, const char *folder);
void perfica_board_changed (PerficaBoard *self);
void perfica_board_set_sandbox_default (PerficaBoard *self, gboolean on);
void perfica_board_set_waiting (PerficaBoard *self, guint waiting);
PerficaLoop *perfica_board_find_loop (PerficaBoard *self, const char *name);
PerficaBubble *perfica_board_find_bubble (PerficaBoard *self, const char *name);
/* Puts back what boards.json held; the name must be free and the folder relative. */
gboolean perfica_board_restore_loop (PerficaBoard *self, PerficaLoop *loop);
gboolean perfica_board_restore_bubble (PerficaBoard *self, PerficaBubble *bubble);

/* What was allowed "always" on one board, for this session. */
PerficaGrant *perfica_grant_new (const char *kind);
void perfica_grants_add (GListStore *grants, const char *kind);
/* Whether each of @kinds was granted; then each is counted as used. No kinds at all: %FALSE. */
gboolean perfica_grants_use (GListStore *grants, const char *const *kinds);

GListStore *perfica_board_get_grant_store (PerficaBoard *self);

G_END_DECLS
