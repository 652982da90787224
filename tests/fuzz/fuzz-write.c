/* The canonical writer on any text that can be read: what it wrote reads again, and writing that
 * changes nothing. So what runs is what was judged.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "guard-tree.h"
#include "guard.h"

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GuardTree) tree = guard_tree_read ((const char *) bytes, size);
  g_autoptr (GuardTree) again = NULL;
  g_autofree char *written = NULL, *twice = NULL, *raw = NULL;
  const GuardReadError *error;

  if (guard_tree_get_error (tree) || !guard_tree_get_root (tree))
    return 0;
  raw = guard_tree_write_raw (tree, guard_tree_get_root (tree));
  written = guard_tree_write (tree, guard_tree_get_root (tree));
  if (!written || strlen (written) > GUARD_MAX_LENGTH)
    return 0;

  again = guard_tree_read (written, strlen (written));
  error = guard_tree_get_error (again);
  /* One arithmetic bracket may become two, one level of a heredoc more. */
  if (error && g_str_has_prefix (error->rule, "limits."))
    return 0;
  if (!error)
    twice = guard_tree_write (again, guard_tree_get_root (again));
  if (error || g_strcmp0 (written, twice) != 0)
    g_error ("%s\n---\n%s\n---\n%s", error ? error->rule : "different", written, twice);
  return 0;
}
