/* The line reader: the same lines however the bytes are cut, and never more held than the limit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "perfica-wire-reader.h"

#define LIMIT 8

typedef struct
{
  const char *input;
  const char *lines; /* each in brackets; ! is an overlong one */
} Case;

static const Case cases[] = {
  { "", "" },
  { "abc", "" },
  { "abc\n", "[abc]" },
  { "\n\n", "[][]" },
  { "a\r\nb\n", "[a][b]" },
  { "a\rb\n", "[a\rb]" },
  { "12345678\nx\n", "[12345678][x]" },
  { "123456789\nx\n", "![x]" },
  { "123456789", "!" },
  { "a\n1234567890123456789012345\n\nb\n", "[a]![][b]" },
  { "123456789\n123456789\nc\n", "!![c]" },
};

static char *
read_all (const char *input, gsize step)
{
  g_autoptr (PerficaWireReader) reader = perfica_wire_reader_new (LIMIT);
  GString *seen = g_string_new (NULL);
  gsize total = strlen (input);

  for (gsize at = 0; at < total; at += step)
    {
      const char *data = input + at;
      gsize length = MIN (step, total - at);
      const char *line;
      gsize line_length;
      PerficaWireRead got;

      while ((got = perfica_wire_reader_next (reader, &data, &length, &line, &line_length)) !=
             PERFICA_WIRE_READ_MORE)
        {
          g_assert_cmpuint (perfica_wire_reader_get_held (reader), <=, LIMIT);
          if (got == PERFICA_WIRE_READ_LINE)
            g_string_append_printf (seen, "[%.*s]", (int) line_length, line);
          else
            g_string_append_c (seen, '!');
        }
      g_assert_cmpuint (perfica_wire_reader_get_held (reader), <=, LIMIT);
    }
  return g_string_free (seen, FALSE);
}

static void
test_lines (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize step = 1; step <= 32; step++)
      {
        g_autofree char *seen = read_all (cases[i].input, step);

        g_assert_cmpstr (seen, ==, cases[i].lines);
      }
}

static void
test_nul (void)
{
  g_autoptr (PerficaWireReader) reader = perfica_wire_reader_new (LIMIT);
  const char *data = "a\0b\n";
  gsize length = 4, line_length;
  const char *line;

  g_assert_cmpint (perfica_wire_reader_next (reader, &data, &length, &line, &line_length), ==,
                   PERFICA_WIRE_READ_LINE);
  g_assert_cmpmem (line, line_length, "a\0b", 3);
}

static void
test_flood (void)
{
  g_autoptr (PerficaWireReader) reader = perfica_wire_reader_new (1024);
  g_autofree char *piece = g_strnfill (64 * 1024, 'x');
  guint too_long = 0;

  /* 100 MB without a newline. */
  for (int i = 0; i < 1600; i++)
    {
      const char *data = piece, *line;
      gsize length = 64 * 1024, line_length;

      while (perfica_wire_reader_next (reader, &data, &length, &line, &line_length) ==
             PERFICA_WIRE_READ_TOO_LONG)
        too_long++;
      g_assert_cmpuint (perfica_wire_reader_get_held (reader), ==, 0);
    }
  g_assert_cmpuint (too_long, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire/reader/lines", test_lines);
  g_test_add_func ("/wire/reader/nul", test_nul);
  g_test_add_func ("/wire/reader/flood", test_flood);
  return g_test_run ();
}
