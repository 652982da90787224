/* One makefile while it is read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "guard-project-private.h"

G_BEGIN_DECLS

typedef struct _GuardMake GuardMake;

/* The text with its variables filled in; unknown ones as the shell's `${NAME}`. */
char *guard_make_expand (GuardMake *make, const char *text);
void guard_make_read_text (GuardMake *make, const char *text);
void guard_make_read_file (GuardMake *make, const char *path);

G_END_DECLS
