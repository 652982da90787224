/* Where a connection comes from: its program, and what started that.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-origin.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What only hands a command on. */
static const char *const shells[] = { "sh",    "bash", "dash",    "zsh",   "fish",    "ksh",
                                      "mksh",  "ash",  "busybox", "env",   "timeout", "setsid",
                                      "nohup", "nice", "stdbuf",  "xargs", NULL };
/* What runs somebody else's text: the script says more. A version may follow: python3.11. */
static const char *const interpreters[] = { "node", "nodejs", "bun",  "deno", "python",
                                            "ruby", "perl",   "java", NULL };

char *
perfica_origin_escape (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *escaped = g_string_new (NULL);

  for (const char *at = valid; *at; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);
      GUnicodeType type = g_unichar_type (c);

      if (type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT || type == G_UNICODE_UNASSIGNED ||
          type == G_UNICODE_PRIVATE_USE || type == G_UNICODE_LINE_SEPARATOR ||
          type == G_UNICODE_PARAGRAPH_SEPARATOR || type == G_UNICODE_SURROGATE)
        g_string_append_printf (escaped, "\\u{%x}", c);
      else
        g_string_append_unichar (escaped, c);
    }
  return g_string_free (escaped, FALSE);
}

static char *
read_link (const char *proc, pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("%s/%ld/exe", proc, (long) pid);

  return g_file_read_link (path, NULL);
}

/* At most PERFICA_ORIGIN_MAX_LINE bytes and a NUL, whatever the file holds. */
static gsize
read_some (const char *proc, pid_t pid, const char *name, char buffer[PERFICA_ORIGIN_MAX_LINE + 1])
{
  g_autofree char *path = g_strdup_printf ("%s/%ld/%s", proc, (long) pid, name);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  gssize n = fd >= 0 ? read (fd, buffer, PERFICA_ORIGIN_MAX_LINE) : 0;

  if (fd >= 0)
    close (fd);
  n = MAX (n, 0);
  buffer[n] = '\0';
  return (gsize) n;
}

/* The name in stat may hold anything, brackets too: the last one ends it. */
static pid_t
parent_of (const char *proc, pid_t pid)
{
  char text[PERFICA_ORIGIN_MAX_LINE + 1];
  const char *after;
  long parent = 0;

  read_some (proc, pid, "stat", text);
  after = strrchr (text, ')');
  if (after && strlen (after) > 4)
    parent = strtol (after + 4, NULL, 10);
  return parent > 0 ? (pid_t) parent : 0;
}

static gboolean
is_interpreter (const char *name)
{
  for (guint i = 0; interpreters[i]; i++)
    {
      gsize length = strlen (interpreters[i]);

      if (strncmp (name, interpreters[i], length) == 0 &&
          name[length + strspn (name + length, "0123456789.")] == '\0')
        return TRUE;
    }
  return FALSE;
}

/* The first word of its command line that is no option. */
static char *
script_of (const char *proc, pid_t pid)
{
  char line[PERFICA_ORIGIN_MAX_LINE + 1];
  gsize length = read_some (proc, pid, "cmdline", line);

  for (const char *word = line + strlen (line) + 1; word < line + length; word += strlen (word) + 1)
    if (*word && *word != '-')
      return g_strdup (word);
  return NULL;
}

char *
perfica_origin_program (const char *proc, pid_t pid)
{
  g_autofree char *target = read_link (proc, pid);

  return target ? perfica_origin_escape (target) : g_strdup ("?");
}

static char *
describe_starter (const char *proc, pid_t pid, const char *program)
{
  g_autofree char *name = g_path_get_basename (program);
  g_autofree char *script = is_interpreter (name) ? script_of (proc, pid) : NULL;
  g_autofree char *both = script ? g_strdup_printf ("%s %s", program, script) : g_strdup (program);

  return perfica_origin_escape (both);
}

char *
perfica_origin_starter (const char *proc, pid_t pid)
{
  for (guint i = 0; i < PERFICA_ORIGIN_MAX_ANCESTORS; i++)
    {
      g_autofree char *program = NULL;
      g_autofree char *name = NULL;

      pid = parent_of (proc, pid);
      /* Nobody's child any more, or nobody's that we may look at. */
      if (pid <= 1 || !(program = read_link (proc, pid)))
        return NULL;
      name = g_path_get_basename (program);
      if (!g_strv_contains (shells, name))
        return describe_starter (proc, pid, program);
    }
  return NULL;
}

char *
perfica_origin_describe (const char *starter, const char *program, const char *client)
{
  g_autofree char *name = perfica_origin_escape (client);

  return g_strdup_printf ("%s%s%s (%s)", starter ? starter : "", starter ? " → " : "", program,
                          name);
}
