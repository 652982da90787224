/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-placing.h"

#include <glib/gi18n.h>
#include <string.h>

#include "perfica-escape.h"

PerficaPlacing
perfica_placing_check (const char *text, gssize length)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  gboolean blank = TRUE;

  if (size > PERFICA_PLACING_MAX)
    return PERFICA_PLACING_LONG;
  if (memchr (text, '\n', size) != NULL || memchr (text, '\r', size) != NULL)
    return PERFICA_PLACING_LINES;
  /* g_utf8_validate_len() refuses a NUL inside. */
  if (!g_utf8_validate_len (text, size, NULL))
    return PERFICA_PLACING_ENCODING;

  for (const char *p = text; p < text + size; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == 0x2028 || c == 0x2029 || c == 0x85)
        return PERFICA_PLACING_LINES;
      if (!perfica_char_is_visible (c))
        return PERFICA_PLACING_INVISIBLE;
      blank = blank && c == ' ';
    }

  return blank ? PERFICA_PLACING_EMPTY : PERFICA_PLACING_OK;
}

const char *
perfica_placing_reason (PerficaPlacing placing)
{
  switch (placing)
    {
    case PERFICA_PLACING_EMPTY:
      return _ ("There is nothing to place in the terminal");
    case PERFICA_PLACING_LONG:
      return _ ("Copied instead: too long for a terminal's input line");
    case PERFICA_PLACING_LINES:
      return _ ("Copied instead: it has several lines, and a terminal may run each at once");
    case PERFICA_PLACING_ENCODING:
      return _ ("Copied instead: it is not valid text");
    case PERFICA_PLACING_INVISIBLE:
      return _ ("Copied instead: it has characters that cannot be seen");
    case PERFICA_PLACING_OK:
    default:
      return NULL;
    }
}

PerficaShellKind
perfica_shell_kind (const char *program)
{
  g_autofree char *name = program != NULL ? g_path_get_basename (program) : NULL;

  for (const char *const *known = (const char *const[]){ "bash", "zsh", "fish", NULL }; *known;
       known++)
    if (g_strcmp0 (name, *known) == 0)
      return PERFICA_SHELL_LINE_EDITOR;

  return PERFICA_SHELL_OTHER;
}

gboolean
perfica_terminal_state_takes (const PerficaTerminalState *state)
{
  if (!state->shell_in_front || state->typed)
    return FALSE;
  if (state->shell == PERFICA_SHELL_LINE_EDITOR)
    return !state->canonical;

  /* Canonical without echo is a password. Neither is an editor of its own: it can't be told. */
  return state->echo;
}

static gboolean
is_reply (const char *data, gsize length)
{
  if (length < 3 || data[0] != '\033')
    return FALSE;

  /* OSC, DCS */
  if (data[1] == ']' || data[1] == 'P')
    return TRUE;

  if (data[1] != '[')
    return FALSE;
  for (gsize i = 2; i + 1 < length; i++)
    if (!g_ascii_isdigit (data[i]) && strchr ("?>=;$", data[i]) == NULL)
      return FALSE;

  /* Device attributes, cursor position, status, modes, keyboard flags; focus in and out. */
  return (data[length - 1] != '\0' && strchr ("cRnyuIO", data[length - 1]) != NULL);
}

gboolean
perfica_typed_after (gboolean typed, const char *data, gsize length)
{
  if (length == 0 || is_reply (data, length))
    return typed;

  switch (data[length - 1])
    {
    case '\r':
    case '\n':
    case '\003': /* Ctrl+C */
      return FALSE;
    default:
      return TRUE;
    }
}
