/* Private to guard/: reading with a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "guard.h"

G_BEGIN_DECLS

GuardVerdict *guard_read_traced (const char *text,
                                 gsize length,
                                 const GuardScope *scope,
                                 const GuardFiles *files,
                                 GString *trace);

/* The verdict without alternatives: for a line that is offered as one. */
GuardVerdict *
guard_read_plain (const char *text, gsize length, const GuardScope *scope, const GuardFiles *files);

G_END_DECLS
