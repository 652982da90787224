/* Where a connection comes from: its program, and what started that.
 *
 * For people's eyes and the record. A process of this user can look like any other: nothing is
 * granted by it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* So many ancestors are looked at, and so much of a command line. */
#define PERFICA_ORIGIN_MAX_ANCESTORS 16
#define PERFICA_ORIGIN_MAX_LINE 4096

/* What a client says of itself is shown before it is trusted: nothing in it may steer the text.
 * Returns: (transfer full): valid UTF-8 on one line, what doesn't print as \u{…} */
char *perfica_origin_escape (const char *text);

/**
 * perfica_origin_program:
 * @proc: where the processes are ("/proc")
 * @pid: a process
 *
 * Returns: (transfer full): its executable, escaped; "?" if it can't be told
 */
char *perfica_origin_program (const char *proc, pid_t pid);

/**
 * perfica_origin_starter:
 *
 * The nearest ancestor of @pid that is no shell: the agent, where perfica-agent is started by one.
 * An interpreter comes with its script. Reads files below @proc, which doesn't block.
 *
 * Returns: (transfer full) (nullable): its executable, escaped; %NULL if there is none to be told
 */
char *perfica_origin_starter (const char *proc, pid_t pid);

/* Returns: (transfer full): "STARTER → PROGRAM (CLIENT)" in one line; @starter may be %NULL, and
 * @client is escaped here */
char *perfica_origin_describe (const char *starter, const char *program, const char *client);

G_END_DECLS
