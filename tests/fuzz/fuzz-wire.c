/* The line reader and the codec on any bytes: no crash, no line beyond the limit, and what was
 * understood once reads the same after it was written again.
 *
 * The first byte says how the rest is cut into pieces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "perfica-wire-reader.h"
#include "perfica-wire.h"

/* Small, so that overlong lines are met too. */
#define LIMIT 4096

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size);

static GBytes *
write_again (const PerficaWireMessage *m)
{
  switch (m->type)
    {
    case PERFICA_WIRE_HELLO:
      return perfica_wire_encode_hello (m->id, m->hello);
    case PERFICA_WIRE_RUN:
      return perfica_wire_encode_run (m->id, m->run);
    case PERFICA_WIRE_CANCEL:
      return perfica_wire_encode_cancel (m->cancel->request);
    case PERFICA_WIRE_STATUS:
      return perfica_wire_encode_status_request (m->id);
    case PERFICA_WIRE_OPEN_FOLDER:
      return perfica_wire_encode_open_folder (m->id, m->ask->folder);
    case PERFICA_WIRE_HELLO_REPLY:
      return perfica_wire_encode_hello_reply (m->id, m->hello_reply);
    case PERFICA_WIRE_RESULT:
      return perfica_wire_encode_result (m->id, m->result);
    case PERFICA_WIRE_STATUS_REPLY:
      return perfica_wire_encode_status (m->id, m->status);
    case PERFICA_WIRE_OPENED:
      return perfica_wire_encode_opened (m->id, m->opened->board);
    case PERFICA_WIRE_STATE:
      return perfica_wire_encode_state (m->state->request, m->state->state, m->state->remaining_ms);
    case PERFICA_WIRE_OUTPUT:
      {
        gsize length;
        const guint8 *data = g_bytes_get_data (m->output->data, &length);

        return perfica_wire_encode_output (m->output->request, m->output->is_stderr, data, length);
      }
    case PERFICA_WIRE_FAILURE:
      return perfica_wire_encode_failure (m->id, m->failure->code, m->failure->message);
    }
  g_assert_not_reached ();
}

static void
check_line (PerficaWireSide side, const char *line, gsize length)
{
  g_autoptr (GError) error = NULL;
  gint64 id;
  g_autoptr (PerficaWireMessage) message = perfica_wire_decode (side, line, length, &id, &error);
  g_autoptr (PerficaWireMessage) again = NULL;
  g_autoptr (GBytes) first = NULL;
  g_autoptr (GBytes) second = NULL;
  const char *text;
  gsize written;

  g_assert (id >= 0);
  g_assert ((message == NULL) == (error != NULL));
  if (message == NULL)
    {
      g_assert (error->domain == PERFICA_WIRE_ERROR && error->code < 0);
      return;
    }
  first = write_again (message);
  text = g_bytes_get_data (first, &written);
  g_assert (memchr (text, '\n', written) == text + written - 1);
  again = perfica_wire_decode (side, text, written - 1, NULL, NULL);
  g_assert (again != NULL && again->type == message->type && again->id == message->id);
  second = write_again (again);
  g_assert (g_bytes_equal (first, second));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (PerficaWireReader) reader = perfica_wire_reader_new (LIMIT);
  const char *at = (const char *) bytes;
  gsize step;

  if (size < 1)
    return 0;
  step = (gsize) bytes[0] * 4 + 1;
  at++;
  size--;
  while (size > 0)
    {
      gsize length = MIN (step, size);
      const char *data = at, *line;
      gsize line_length;
      PerficaWireRead got;

      at += length;
      size -= length;
      while ((got = perfica_wire_reader_next (reader, &data, &length, &line, &line_length)) !=
             PERFICA_WIRE_READ_MORE)
        if (got == PERFICA_WIRE_READ_LINE)
          {
            g_assert (line_length <= LIMIT);
            check_line (PERFICA_WIRE_SIDE_GATEWAY, line, line_length);
            check_line (PERFICA_WIRE_SIDE_CLIENT, line, line_length);
          }
      g_assert (perfica_wire_reader_get_held (reader) <= LIMIT);
    }
  return 0;
}
