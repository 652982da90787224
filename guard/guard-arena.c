/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-arena.h"

#include <string.h>

#define ALIGNMENT 16
#define FIRST_SIZE 4096
#define LARGEST_SIZE (256 * 1024)

struct _GuardArenaChunk
{
  GuardArenaChunk *previous;
  gsize size;
};

#define HEADER ((sizeof (GuardArenaChunk) + ALIGNMENT - 1) & ~(gsize) (ALIGNMENT - 1))

static void
guard_arena_grow (GuardArena *arena, gsize size)
{
  gsize wanted = arena->chunk ? MIN (arena->chunk->size * 2, LARGEST_SIZE) : FIRST_SIZE;
  GuardArenaChunk *chunk;

  if (wanted < size)
    wanted = size;

  chunk = g_malloc (HEADER + wanted);
  chunk->previous = arena->chunk;
  chunk->size = wanted;
  arena->chunk = chunk;
  arena->next = (char *) chunk + HEADER;
  arena->left = wanted;
}

gpointer
guard_arena_alloc (GuardArena *arena, gsize size)
{
  gpointer memory;

  size = (size + ALIGNMENT - 1) & ~(gsize) (ALIGNMENT - 1);
  if (arena->left < size)
    guard_arena_grow (arena, size);

  memory = arena->next;
  arena->next += size;
  arena->left -= size;
  memset (memory, 0, size);
  return memory;
}

char *
guard_arena_strndup (GuardArena *arena, const char *text, gsize length)
{
  char *copy = guard_arena_alloc (arena, length + 1);

  if (length > 0)
    memcpy (copy, text, length);
  return copy;
}

void
guard_arena_clear (GuardArena *arena)
{
  GuardArenaChunk *chunk = arena->chunk;

  while (chunk)
    {
      GuardArenaChunk *previous = chunk->previous;

      g_free (chunk);
      chunk = previous;
    }
  memset (arena, 0, sizeof *arena);
}
