/* One of the guard's units on its own: a context over a small disk, with a line that was read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "fake-files.h"
#include "guard-context.h"

G_BEGIN_DECLS

typedef struct
{
  GuardContext context;
  GuardState state; /* at the project's root */
  FakeFiles *fake;
  GuardScope scope;
} Unit;

/* @text must be a line that can be read. The disk holds what unit.c puts on it. */
Unit *unit_new (const char *text);
void unit_free (Unit *unit);

/* Walks all of the line but its last command, which is returned. */
GuardNode *unit_last (Unit *unit);

/* The words of @node, expanded. (transfer full) (element-type GuardArg) */
GArray *unit_args (Unit *unit, const GuardNode *node);

/* The rules found so far, each once, with blanks between; "" if there is none. */
char *unit_rules (const Unit *unit);

/* @text with what isn't known made visible: <unknown>, <word>, <inside>, <scratch>, <flags>,
 * <home>, <mktemp>; live globs as <*>, <?>, <[…]>. */
char *unit_shown (const char *text);

/* Compares, and says which line it was. */
void unit_assert (const char *line, const char *got, const char *expected);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Unit, unit_free)

G_END_DECLS
