/* Text from an untrusted side, made visible before it is shown for approval.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PerficaSpan:
 * @start: first byte
 * @end: one past the last byte
 */
typedef struct
{
  guint start;
  guint end;
} PerficaSpan;

/**
 * PerficaEscaped:
 * @text: valid UTF-8 with nothing in it that can't be seen; line breaks stay, behind a mark
 * @escapes: (element-type PerficaSpan): what in @text stands for something else, in order
 * @length: of the original, in bytes
 * @map: for each byte of the original and one past it, where it begins in @text
 */
typedef struct
{
  char *text;
  GArray *escapes;
  gsize length;
  guint *map;
} PerficaEscaped;

/**
 * PerficaEscapeMode:
 * @PERFICA_ESCAPE_COMMAND: every control character is marked, line breaks too
 * @PERFICA_ESCAPE_OUTPUT: line breaks and tabs are what they are
 */
typedef enum
{
  PERFICA_ESCAPE_COMMAND,
  PERFICA_ESCAPE_OUTPUT,
} PerficaEscapeMode;

/**
 * perfica_escape_new:
 * @mode: what the text is
 * @text: bytes, not trusted to be UTF-8
 * @length: of @text in bytes, or -1 if it ends with NUL
 * @max: at most so many bytes of @text are taken, the rest is counted in a last escape; 0 = all
 *
 * Pure; safe on any thread. Control and format characters, unusual spaces and line separators,
 * private and unassigned code points, fillers that draw nothing and bytes that are no UTF-8
 * become `\x1b`, `\u{202e}`; a line feed becomes `⏎` and a line feed.
 *
 * Returns: (transfer full): free with perfica_escaped_free()
 */
PerficaEscaped *
perfica_escape_new (PerficaEscapeMode mode, const char *text, gssize length, gsize max);

/**
 * perfica_escaped_map:
 * @self: an escaped text
 * @start: first byte in the original
 * @end: one past the last byte in the original
 *
 * Returns: the same span in the escaped text; empty if it lies outside
 */
PerficaSpan perfica_escaped_map (const PerficaEscaped *self, guint start, guint end);

void perfica_escaped_free (PerficaEscaped *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaEscaped, perfica_escaped_free)

/**
 * perfica_escape_line:
 * @text: (nullable): text from an untrusted side
 * @max: at most so many bytes of it
 *
 * For a label of one line: escaped, with line breaks as `⏎` alone.
 *
 * Returns: (transfer full): valid UTF-8, never %NULL
 */
char *perfica_escape_line (const char *text, gsize max);

/**
 * perfica_char_is_visible:
 * @c: a code point
 *
 * Returns: whether it may be shown as itself: it draws what it is, and only there
 */
gboolean perfica_char_is_visible (gunichar c);

G_END_DECLS
