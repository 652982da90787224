/* A client that reads slowly, or not at all: its command waits for it, nothing else does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "house.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfica-wire-reader.h"

#define MB (1000 * 1000)

/* A client that reads when it is told to. */
typedef struct
{
  GSocketConnection *stream;
  PerficaWireReader *reader;
  guint64 output;
  PerficaWireMessage *result;
  gboolean is_over;
} Slow;

static void
send_line (Slow *slow, GBytes *line)
{
  g_autoptr (GBytes) owned = line;
  gsize length;
  const char *data = g_bytes_get_data (owned, &length);

  g_assert_true (g_output_stream_write_all (
      g_io_stream_get_output_stream (G_IO_STREAM (slow->stream)), data, length, NULL, NULL, NULL));
}

static void
slow_begin (Slow *slow, House *house, const char *command)
{
  PerficaWireHello hello = { .protocol = PERFICA_WIRE_VERSION,
                             .client = (char *) "test",
                             .folder = house->project };
  PerficaWireRun run = { .command = (char *) command, .stream = TRUE };

  slow->stream = house_dial ();
  slow->reader = perfica_wire_reader_new (PERFICA_WIRE_MAX_LINE);
  send_line (slow, perfica_wire_encode_hello (1, &hello));
  send_line (slow, perfica_wire_encode_run (2, &run));
}

static void
slow_end (Slow *slow)
{
  g_object_unref (slow->stream);
  perfica_wire_reader_free (slow->reader);
  g_clear_pointer (&slow->result, perfica_wire_message_unref);
}

static void
take_line (Slow *slow, const char *line, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PerficaWireMessage) message =
      perfica_wire_decode (PERFICA_WIRE_SIDE_CLIENT, line, length, NULL, &error);

  g_assert_no_error (error);
  if (message->type == PERFICA_WIRE_OUTPUT)
    {
      g_assert_null (slow->result);
      slow->output += g_bytes_get_size (message->output->data);
    }
  else if (message->type == PERFICA_WIRE_RESULT)
    slow->result = perfica_wire_message_ref (message);
}

/* Reads what is there now; never waits. */
static gboolean
slow_read (gpointer data)
{
  static char buffer[64 * 1024];
  Slow *slow = data;
  GSocket *socket = g_socket_connection_get_socket (slow->stream);
  gssize n = recv (g_socket_get_fd (socket), buffer, sizeof buffer, MSG_DONTWAIT);
  const char *at = buffer;
  gsize left = n > 0 ? (gsize) n : 0;
  const char *line;
  gsize length;

  slow->is_over = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
  while (perfica_wire_reader_next (slow->reader, &at, &left, &line, &length) ==
         PERFICA_WIRE_READ_LINE)
    take_line (slow, line, length);
  return slow->result || slow->is_over;
}

static guint
count_running (House *house)
{
  guint running;

  g_object_get (house->gateway, "running", &running, NULL);
  return running;
}

static gboolean
one_runs (gpointer data)
{
  return count_running (data) == 1;
}

static gboolean
none_runs (gpointer data)
{
  return count_running (data) == 0;
}

static guint64
written (House *house)
{
  g_autofree char *path = g_build_filename (house->project, ".perfica", "outputs", NULL);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;
  guint64 most = 0;

  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      struct stat info;

      if (g_stat (file, &info) == 0)
        most = MAX (most, (guint64) info.st_size);
    }
  return most;
}

/* Whole commands of others run meanwhile; how far the held one came doesn't change. */
static void
look_at_others (House *house)
{
  guint64 before, after = 0;

  for (int i = 0; i < 50; i++)
    {
      before = after;
      g_assert_cmpint (house_run (house, "echo other")->outcome, ==, PERFICA_OUTCOME_RAN);
      g_assert_cmpstr (house->last->result->stdout_head, ==, "other\n");
      after = written (house);
      if (after > 0 && after == before)
        return;
    }
  g_assert_not_reached ();
}

static void
test_slow (House *house, gconstpointer data)
{
  Slow slow = { 0 };

  house_confirm (house);
  slow_begin (&slow, house, "head -c 30000000 /dev/zero");
  house_spin_until (one_runs, house);
  look_at_others (house);
  g_assert_cmpuint (count_running (house), ==, 1);
  g_assert_cmpuint (written (house), <, 8 * MB);
  house_spin_until (slow_read, &slow);
  g_assert_nonnull (slow.result);
  g_assert_cmpint (slow.result->result->outcome, ==, PERFICA_OUTCOME_RAN);
  g_assert_cmpuint (slow.output, ==, 30 * MB);
  g_assert_cmpuint (slow.result->result->stdout_total, ==, 30 * MB);
  g_assert_cmpuint (written (house), ==, 30 * MB);
  slow_end (&slow);
}

/* The limit comes for it as for any other, and what it printed until then is all there. */
static void
test_never_reads (House *house, gconstpointer data)
{
  Slow slow = { 0 };

  house_confirm (house);
  slow_begin (&slow, house, "head -c 300000000 /dev/zero");
  house_spin_until (one_runs, house);
  house_spin_until (none_runs, house);
  g_assert_cmpint (house_run (house, "echo after")->outcome, ==, PERFICA_OUTCOME_RAN);
  house_spin_until (slow_read, &slow);
  g_assert_nonnull (slow.result);
  g_assert_cmpint (slow.result->result->outcome, ==, PERFICA_OUTCOME_LIMIT);
  g_assert_cmpuint (slow.output, >, MB / 2);
  g_assert_cmpuint (slow.output, <, 8 * MB);
  g_assert_cmpuint (slow.output, ==, slow.result->result->stdout_total);
  g_assert_cmpuint (written (house), ==, slow.output);
  slow_end (&slow);
}

/* One that goes away while its command is held: the command ends at once. */
static void
test_goes (House *house, gconstpointer data)
{
  Slow slow = { 0 };
  gint64 began;

  house_confirm (house);
  slow_begin (&slow, house, "head -c 300000000 /dev/zero");
  house_spin_until (one_runs, house);
  look_at_others (house);
  began = g_get_monotonic_time ();
  slow_end (&slow);
  house_spin_until (none_runs, house);
  g_assert_cmpint (g_get_monotonic_time () - began, <, 10 * G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/pressure/slow", House, "{\"short_seconds\":60}", house_set_up, test_slow,
              house_tear_down);
  g_test_add ("/pressure/never-reads", House, NULL, house_set_up, test_never_reads,
              house_tear_down);
  g_test_add ("/pressure/goes", House, "{\"short_seconds\":60}", house_set_up, test_goes,
              house_tear_down);
  return g_test_run ();
}
