/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-escape.h"

#include <string.h>

/* Draw nothing, or draw blank, though their category says letter, mark or symbol. */
static const gunichar fillers[][2] = {
  { 0x00ad, 0x00ad }, { 0x034f, 0x034f }, { 0x115f, 0x1160 },   { 0x17b4, 0x17b5 },
  { 0x180b, 0x180f }, { 0x2800, 0x2800 }, { 0x3164, 0x3164 },   { 0xfe00, 0xfe0f },
  { 0xffa0, 0xffa0 }, { 0xfffc, 0xfffc }, { 0x1d159, 0x1d159 }, { 0xe0100, 0xe01ef },
};

gboolean
perfica_char_is_visible (gunichar c)
{
  if (c == ' ')
    return TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (fillers); i++)
    if (c >= fillers[i][0] && c <= fillers[i][1])
      return FALSE;

  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_UNASSIGNED:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_SPACE_SEPARATOR:
      return FALSE;
    default:
      return TRUE;
    }
}

static void
append_escape (GString *out, GArray *escapes, const char *escape)
{
  PerficaSpan span = { out->len, out->len + strlen (escape) };

  g_string_append (out, escape);
  g_array_append_val (escapes, span);
}

static void
append_char (PerficaEscapeMode mode, GString *out, GArray *escapes, gunichar c)
{
  char escape[16];

  if (perfica_char_is_visible (c) || (mode == PERFICA_ESCAPE_OUTPUT && (c == '\n' || c == '\t')))
    {
      g_string_append_unichar (out, c);
      return;
    }

  switch (c)
    {
    case '\n':
      append_escape (out, escapes, "⏎");
      g_string_append_c (out, '\n');
      return;
    case '\t':
      append_escape (out, escapes, "\\t");
      return;
    case '\r':
      append_escape (out, escapes, "\\r");
      return;
    default:
      g_snprintf (escape, sizeof escape, c < 0x80 ? "\\x%02x" : "\\u{%04x}", c);
      append_escape (out, escapes, escape);
    }
}

PerficaEscaped *
perfica_escape_new (PerficaEscapeMode mode, const char *text, gssize length, gsize max)
{
  PerficaEscaped *self = g_new0 (PerficaEscaped, 1);
  gsize all = length < 0 ? strlen (text) : (gsize) length;
  gsize taken = max > 0 && all > max ? max : all;
  g_autoptr (GString) out = g_string_sized_new (taken + 16);
  gsize i = 0;

  self->escapes = g_array_new (FALSE, FALSE, sizeof (PerficaSpan));
  self->length = all;
  self->map = g_new (guint, all + 1);

  while (i < taken)
    {
      gunichar c = g_utf8_get_char_validated (text + i, all - i);
      gsize width = 1;

      /* A NUL inside a given length comes back as -2 from the validator. */
      if (text[i] == '\0')
        c = 0;

      if (c == (gunichar) -1 || c == (gunichar) -2)
        {
          char escape[8];

          self->map[i] = out->len;
          g_snprintf (escape, sizeof escape, "\\x%02x", (guchar) text[i]);
          append_escape (out, self->escapes, escape);
        }
      else
        {
          width = c == 0 ? 1 : g_unichar_to_utf8 (c, NULL);
          for (gsize k = 0; k < width; k++)
            self->map[i + k] = out->len;
          append_char (mode, out, self->escapes, c);
        }
      i += width;
    }

  for (gsize k = i; k <= all; k++)
    self->map[k] = out->len;

  if (i < all)
    {
      g_autofree char *rest = g_strdup_printf ("… (+%" G_GSIZE_FORMAT ")", all - i);

      append_escape (out, self->escapes, rest);
    }

  self->text = g_strdup (out->str);
  return self;
}

PerficaSpan
perfica_escaped_map (const PerficaEscaped *self, guint start, guint end)
{
  PerficaSpan span = { 0, 0 };

  if (start > end || end > self->length)
    return span;

  span.start = self->map[start];
  span.end = self->map[end];
  return span;
}

void
perfica_escaped_free (PerficaEscaped *self)
{
  if (self == NULL)
    return;

  g_free (self->text);
  g_free (self->map);
  g_array_unref (self->escapes);
  g_free (self);
}

char *
perfica_escape_line (const char *text, gsize max)
{
  g_autoptr (PerficaEscaped) escaped = NULL;

  if (text == NULL)
    return g_strdup ("");

  escaped = perfica_escape_new (PERFICA_ESCAPE_COMMAND, text, -1, max);
  /* The mark already stands before each. */
  return g_strdelimit (g_steal_pointer (&escaped->text), "\n", ' ');
}
