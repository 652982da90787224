/* Input made to take long: for the test that nothing breaks on it, and for the bench.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/**
 * Hostile:
 * @name: what it is, for people
 * @begin: how it begins, once
 * @unit: what is repeated until the length is reached
 * @middle: once, after the units
 * @close: repeated as often as @unit
 * @end: how it ends, once
 */
typedef struct
{
  const char *name;
  const char *begin;
  const char *unit;
  const char *middle;
  const char *close;
  const char *end;
} Hostile;

extern const Hostile hostile_kinds[];
extern const guint n_hostile_kinds;

/* As many units as @length bytes hold, one at least. */
char *hostile_text (const Hostile *kind, gsize length);
