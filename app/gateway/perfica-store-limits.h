/* limits.json: lets tests shorten what takes minutes. It only ever lowers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* guard.md: two minutes, ten for package managers, compilers and test runners. */
#define PERFICA_LIMIT_SHORT_SECONDS 120
#define PERFICA_LIMIT_LONG_SECONDS 600
/* A client that has connected and not said hello within this time is closed. */
#define PERFICA_LIMIT_HELLO_SECONDS 10

/**
 * PerficaLimits:
 * @short_seconds: time limit of most commands, 1 … 120
 * @long_seconds: time limit of package managers, compilers and test runners, 1 … 600
 * @prompt_seconds: 0, or an upper bound for the time a prompt waits, in seconds
 * @pause_seconds: how long a prompt's clock may stand, 1 … 300
 * @hello_seconds: time for a client's hello, 1 … 10
 */
typedef struct
{
  guint short_seconds;
  guint long_seconds;
  guint prompt_seconds;
  guint pause_seconds;
  guint hello_seconds;
} PerficaLimits;

/**
 * perfica_limits_read:
 * @path: limits.json; members `short_seconds`, `long_seconds`, `prompt_seconds`, `pause_seconds`,
 *   `hello_seconds`
 * @limits: (out): filled always; what the file doesn't say, or says wrongly, is the product's own
 *
 * Reads at most 4 KiB.
 */
void perfica_limits_read (const char *path, PerficaLimits *limits);

G_END_DECLS
