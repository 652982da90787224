/* Reads NUL-separated texts from stdin and writes each one's tree out again, NUL-terminated:
 * "=" and the text, or "!" and the rule that refused it. For the differential tests.
 *
 *   read-lines raw|canonical
 *   read-lines argv: "=" and the words of what runs without a shell, \1 between them; "-" for
 * others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "guard-tree.h"
#include "guard.h"

static void
answer_argv (const char *text, gsize length)
{
  GuardScope scope = { .project = "/p", .loop = ".", .folder = ".", .app_folder = ".perfica" };
  g_autoptr (GuardVerdict) verdict = guard_read (text, length, &scope, NULL);
  g_autofree char *words = NULL;

  if (verdict->plan.argv != NULL)
    words = g_strjoinv ("\1", verdict->plan.argv);
  printf ("%s%s", words != NULL ? "=" : "-", words != NULL ? words : "");
  putchar ('\0');
}

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
      fprintf (stderr, "usage: read-lines raw|canonical|argv\n");
      return 2;
    }
  while ((n = fread (buffer, 1, sizeof buffer, stdin)) > 0)
    g_string_append_len (input, buffer, n);
  for (gsize i = 0; i < input->len; i++)
    if (input->str[i] == '\0')
      {
        if (strcmp (argv[1], "argv") == 0)
          answer_argv (input->str + start, i - start);
        else
          answer (input->str + start, i - start, strcmp (argv[1], "raw") == 0);
        start = i + 1;
      }
  return 0;
}
