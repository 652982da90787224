/* Cuts a byte stream into lines without ever holding more than one line's limit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PerficaWireReader:
 *
 * A bounded line reader. Not thread-safe: one owner at a time.
 */
typedef struct _PerficaWireReader PerficaWireReader;

/**
 * perfica_wire_reader_new:
 * @max: the longest line in bytes, its newline not counted
 *
 * Returns: (transfer full): a reader
 */
PerficaWireReader *perfica_wire_reader_new (gsize max);
void perfica_wire_reader_free (PerficaWireReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaWireReader, perfica_wire_reader_free)

typedef enum
{
  PERFICA_WIRE_READ_MORE, /* all of the data is used up */
  PERFICA_WIRE_READ_LINE,
  PERFICA_WIRE_READ_TOO_LONG, /* once for each overlong line; the rest of it is dropped unseen */
} PerficaWireRead;

/**
 * perfica_wire_reader_next:
 * @data: (inout): bytes that came in; moved on past what was used
 * @length: (inout): how many are left
 * @line: (out) (transfer none): the line without newline and a carriage return before it;
 *   NUL-terminated (it may hold NULs too); valid until the next call
 * @line_length: (out): in bytes
 *
 * Call it until it answers %PERFICA_WIRE_READ_MORE, then feed the next bytes.
 * Each byte is looked at once and copied at most once.
 */
PerficaWireRead perfica_wire_reader_next (PerficaWireReader *reader,
                                          const char **data,
                                          gsize *length,
                                          const char **line,
                                          gsize *line_length);

/* How many bytes of an unfinished line it holds; never more than the limit. */
gsize perfica_wire_reader_get_held (PerficaWireReader *reader);

G_END_DECLS
