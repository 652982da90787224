/* Reads NUL-separated texts from stdin and writes each one's tree out again, NUL-terminated:
 * "=" and the text, or "!" and the rule that refused it. For the differential tests.
 *
 *   read-lines raw|canonical
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "guard-tree.h"

static void
answer (const char *text, gsize length, gboolean raw)
{
  g_autoptr (GuardTree) tree = guard_tree_read (text, length);
  const GuardReadError *error = guard_tree_get_error (tree);
  g_autofree char *written = NULL;

  if (!error)
    written = raw ? guard_tree_write_raw (tree, guard_tree_get_root (tree))
                  : guard_tree_write (tree, guard_tree_get_root (tree));
  if (written)
    printf ("=%s", written);
  else
    printf ("!%s", error ? error->rule : "writer");
  putchar ('\0');
}

int
main (int argc, char **argv)
{
  g_autoptr (GString) input = g_string_new (NULL);
  char buffer[65536];
  gsize n, start = 0;

  if (argc != 2)
    {
      fprintf (stderr, "usage: read-lines raw|canonical\n");
      return 2;
    }
  while ((n = fread (buffer, 1, sizeof buffer, stdin)) > 0)
    g_string_append_len (input, buffer, n);
  for (gsize i = 0; i < input->len; i++)
    if (input->str[i] == '\0')
      {
        answer (input->str + start, i - start, strcmp (argv[1], "raw") == 0);
        start = i + 1;
      }
  return 0;
}
