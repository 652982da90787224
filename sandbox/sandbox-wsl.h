/* What WSL's own program says and how it names places. Private to this room and its tests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sandbox-backend.h"

G_BEGIN_DECLS

/**
 * SandboxWslDistribution:
 * @name: as `-d` takes it
 * @version: 1 or 2
 * @is_default: the line has a star
 */
typedef struct
{
  char *name;
  guint version;
  gboolean is_default;
} SandboxWslDistribution;

/* What wsl.exe printed: UTF-8 if it heeded WSL_UTF8, else UTF-16LE. (transfer full) */
char *sandbox_wsl_decode (gconstpointer data, gsize size);
/* `wsl -l -v`; the state is localised, so only the first and the last column count. Docker's own
 * distributions are left out. (transfer full) (element-type SandboxWslDistribution) */
GPtrArray *sandbox_wsl_parse_list (const char *text);
/* C:\a\b and \\wsl.localhost\Ubuntu\a to the distribution's side; a path with a slash in front
 * stays. (transfer full) (nullable) */
char *sandbox_wsl_path (const char *path);
/* /mnt/c and below: names there are not case-sensitive. */
gboolean sandbox_wsl_is_drive (const char *path);

G_END_DECLS
