/* Cuts a byte stream into lines without ever holding more than one line's limit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-wire-reader.h"

#include <string.h>

struct _PerficaWireReader
{
  gsize max;
  GString *held;
  gboolean given;    /* the line in `held` went out by the last call */
  gboolean dropping; /* inside an overlong line */
};

/* A buffer that grew beyond this is given back after its line. */
#define KEEP_ALLOCATED (64 * 1024)

PerficaWireReader *
perfica_wire_reader_new (gsize max)
{
  PerficaWireReader *reader = g_new0 (PerficaWireReader, 1);

  reader->max = max;
  reader->held = g_string_new (NULL);
  return reader;
}

void
perfica_wire_reader_free (PerficaWireReader *reader)
{
  g_string_free (reader->held, TRUE);
  g_free (reader);
}

static void
forget_line (PerficaWireReader *reader)
{
  if (reader->held->allocated_len > KEEP_ALLOCATED)
    {
      g_string_free (reader->held, TRUE);
      reader->held = g_string_new (NULL);
    }
  g_string_truncate (reader->held, 0);
  reader->given = FALSE;
}

PerficaWireRead
perfica_wire_reader_next (PerficaWireReader *reader,
                          const char **data,
                          gsize *length,
                          const char **line,
                          gsize *line_length)
{
  if (reader->given)
    forget_line (reader);
  while (*length > 0)
    {
      const char *newline = memchr (*data, '\n', *length);
      gsize piece = newline != NULL ? (gsize) (newline - *data) : *length;
      gboolean was_dropping = reader->dropping;

      if (!was_dropping && piece > reader->max - reader->held->len)
        {
          reader->dropping = TRUE;
          forget_line (reader);
        }
      if (!reader->dropping)
        g_string_append_len (reader->held, *data, (gssize) piece);
      *data += piece + (newline != NULL);
      *length -= piece + (newline != NULL);
      if (newline != NULL && !reader->dropping)
        {
          if (reader->held->len > 0 && reader->held->str[reader->held->len - 1] == '\r')
            g_string_truncate (reader->held, reader->held->len - 1);
          reader->given = TRUE;
          *line = reader->held->str;
          *line_length = reader->held->len;
          return PERFICA_WIRE_READ_LINE;
        }
      if (newline != NULL)
        reader->dropping = FALSE;
      if (!was_dropping && (reader->dropping || newline != NULL))
        return PERFICA_WIRE_READ_TOO_LONG;
    }
  return PERFICA_WIRE_READ_MORE;
}

gsize
perfica_wire_reader_get_held (PerficaWireReader *reader)
{
  return reader->given ? 0 : reader->held->len;
}
