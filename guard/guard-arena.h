/* A bump allocator: everything a tree holds is freed at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GuardArenaChunk GuardArenaChunk;

typedef struct
{
  GuardArenaChunk *chunk;
  char *next;
  gsize left;
} GuardArena;

/**
 * guard_arena_alloc:
 * @arena: an arena, zeroed when new
 * @size: in bytes
 *
 * Returns: (transfer none): zeroed memory, aligned for any type; never %NULL
 */
gpointer guard_arena_alloc (GuardArena *arena, gsize size);

/**
 * guard_arena_strndup:
 *
 * Returns: (transfer none): a NUL-terminated copy of the first @length bytes of @text
 */
char *guard_arena_strndup (GuardArena *arena, const char *text, gsize length);

/**
 * guard_arena_clear:
 *
 * Frees all that was allocated; the arena can be used again.
 */
void guard_arena_clear (GuardArena *arena);

#define guard_arena_new(arena, Type) ((Type *) guard_arena_alloc ((arena), sizeof (Type)))

G_END_DECLS
