/* The launcher: many commands, much output, and its own death.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run-support.h"

#include "sandbox-protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static SandboxLauncher *launcher;

/* The long ones run when the whole set is asked for. */
static gboolean
is_full (void)
{
  return g_getenv ("PERFICA_TEST_FULL") != NULL;
}

static guint
count_descriptors_of (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd", (int) pid);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  guint count = 0;

  while (g_dir_read_name (folder) != NULL)
    count++;
  return count;
}

/* In KiB; 0 when the process is gone. */
static guint64
memory_of (GPid pid, const char *which)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", (int) pid);
  g_autofree char *text = NULL;
  const char *at;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  at = strstr (text, which);
  return at != NULL ? g_ascii_strtoull (at + strlen (which), NULL, 10) : 0;
}

/* A sanitizer keeps freed memory for a while. */
static void
assert_at_most (guint64 memory, guint64 limit)
{
#ifndef __SANITIZE_ADDRESS__
  g_assert_cmpuint (memory, <=, limit);
#endif
}

static GPid
supervisor_pid (void)
{
  GPid pid = sandbox_launcher_get_pid (launcher);
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%d/children", (int) pid, (int) pid);
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  return (GPid) g_ascii_strtoll (text, NULL, 10);
}

/* The launcher reaps a moment after the answer. */
static void
assert_no_children (void)
{
  for (int i = 0; i < 500 && count_children_of (sandbox_launcher_get_pid (launcher)) > 0; i++)
    g_usleep (10000);
  g_assert_cmpuint (count_children_of (sandbox_launcher_get_pid (launcher)), ==, 0);
}

/* ---- Many ---- */

typedef struct
{
  guint left;
  guint ended;
  gboolean done;
} Many;

static void
took_one (GObject *source, GAsyncResult *async, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SandboxResult) result = sandbox_run_finish (SANDBOX_LAUNCHER (source), async, &error);
  Many *many = data;

  g_assert_no_error (error);
  assert_exited (result, 3);
  g_assert_cmpuint (result->stdout_total, ==, 2);
  many->ended++;
  many->done = many->ended == many->left;
}

static void
test_at_once (gconstpointer data)
{
  const guint count = 64;
  Many many = { .left = count };
  gint64 before = g_get_monotonic_time ();

  for (guint i = 0; i < count; i++)
    {
      SandboxPlan *plan = plan_new_shell (GPOINTER_TO_INT (data), "sleep 1; echo x; exit 3");

      sandbox_run_async (launcher, plan, 60, -1, 0, NULL, NULL, NULL, took_one, &many);
      plan_done (plan);
    }
  wait_until (&many.done, 60);
  g_test_message ("%.1f s", (double) (g_get_monotonic_time () - before) / 1e6);
  /* One after the other would take 64. */
  g_assert_cmpint (g_get_monotonic_time () - before, <, 30 * G_USEC_PER_SEC);
  assert_no_children ();
}

static void
run_some (PlanKind kind, guint count)
{
  for (guint i = 0; i < count; i++)
    {
      const char *command[] = { "true", NULL };
      RunOptions options = { .limit = 60, .output_fd = -1 };
      g_autoptr (SandboxResult) result = run_plan (launcher, plan_new (kind, command), &options);

      assert_exited (result, 0);
    }
}

static void
test_in_a_row (gconstpointer data)
{
  PlanKind kind = GPOINTER_TO_INT (data);
  GPid pid = sandbox_launcher_get_pid (launcher);
  guint ours;
  guint theirs;
  guint64 our_memory;
  guint64 their_memory;

  run_some (kind, 20);
  assert_no_children ();
  ours = count_descriptors ();
  theirs = count_descriptors_of (pid);
  our_memory = memory_of (getpid (), "VmRSS:");
  their_memory = memory_of (pid, "VmRSS:");
  run_some (kind, is_full () ? 3400 : 100);
  assert_no_children ();
  g_assert_cmpint (sandbox_launcher_get_pid (launcher), ==, pid);
  g_assert_cmpuint (count_descriptors (), ==, ours);
  g_assert_cmpuint (count_descriptors_of (pid), ==, theirs);
  assert_at_most (memory_of (pid, "VmRSS:"), their_memory + 256);
  assert_at_most (memory_of (getpid (), "VmRSS:"), our_memory + 2048);
}

/* ---- Much ---- */

typedef struct
{
  GChecksum *sum;
  guint64 total;
  guint64 most; /* of the supervisor's memory, in KiB */
  guint pause_us;
} Stream;

static void
take_piece (gboolean is_stderr, GBytes *data, gpointer user_data)
{
  Stream *stream = user_data;
  gsize length;
  const guchar *bytes = g_bytes_get_data (data, &length);

  g_assert_cmpuint (length, <=, 65536);
  g_assert_cmpuint (length, >, 0);
  g_checksum_update (stream->sum, bytes, (gssize) length);
  if (stream->total / (16 << 20) != (stream->total + length) / (16 << 20))
    stream->most = MAX (stream->most, memory_of (supervisor_pid (), "VmHWM:"));
  stream->total += length;
  if (stream->pause_us > 0)
    g_usleep (stream->pause_us);
}

static char *
sum_of_file (const char *path, guint64 *size)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA1);
  g_autofree guchar *piece = g_malloc (1 << 20);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  gssize got;

  *size = 0;
  while ((got = read (fd, piece, 1 << 20)) > 0)
    {
      g_checksum_update (sum, piece, got);
      *size += (guint64) got;
    }
  close (fd);
  return g_strdup (g_checksum_get_string (sum));
}

static void
test_much_output (gconstpointer data)
{
  guint64 size = is_full () ? 1u << 30 : 48u << 20;
  g_autofree char *text =
      g_strdup_printf ("yes 'some words that differ from one another' | head -c %" G_GUINT64_FORMAT
                       "; printf 'the end'",
                       size);
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("perfica-much-XXXXXX", &path, NULL);
  g_autofree char *written = NULL;
  Stream stream = { .sum = g_checksum_new (G_CHECKSUM_SHA1) };
  RunOptions options = { .limit = 100,
                         .output_fd = file,
                         .output_max = G_MAXUINT64,
                         .output = take_piece,
                         .output_data = &stream };
  g_autoptr (SandboxResult) result =
      run_plan (launcher, plan_new_shell (GPOINTER_TO_INT (data), text), &options);
  gsize tail_length;
  const char *tail = g_bytes_get_data (result->stdout_tail, &tail_length);
  guint64 file_size;

  assert_exited (result, 0);
  g_assert_cmpuint (result->stdout_total, ==, size + strlen ("the end"));
  g_assert_cmpuint (stream.total, ==, result->stdout_total);
  g_assert_cmpuint (g_bytes_get_size (result->stdout_head), ==, 65536);
  g_assert_cmpuint (tail_length, ==, 65536);
  g_assert_cmpmem (tail + tail_length - 7, 7, "the end", 7);
  written = sum_of_file (path, &file_size);
  g_assert_cmpuint (file_size, ==, stream.total);
  g_assert_cmpstr (written, ==, g_checksum_get_string (stream.sum));
  g_assert_false (result->output_cut);
  g_assert_cmpuint (stream.most, >, 0);
  g_test_message ("the supervisor had %" G_GUINT64_FORMAT " KiB at the most", stream.most);
  assert_at_most (stream.most, 8192);
  g_checksum_free (stream.sum);
  unlink (path);
}

static void
test_cut_output (gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;
  RunOptions options = { .limit = 60,
                         .output_fd = g_file_open_tmp ("perfica-cut-XXXXXX", &path, NULL),
                         .output_max = 1000 };
  g_autoptr (SandboxResult) result =
      run_plan (launcher, plan_new_shell (GPOINTER_TO_INT (data), "yes | head -c 100000; exit 5"),
                &options);

  assert_exited (result, 5);
  g_assert_true (result->output_cut);
  g_assert_cmpint (result->output_errno, ==, 0);
  g_assert_cmpuint (result->stdout_total, ==, 100000);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content + 1000, ==, "\n[perfica: output cut here, after 1000 bytes]\n");
  unlink (path);
}

/* The disk is full: the command doesn't notice, the answer says so. */
static void
test_full_disk (gconstpointer data)
{
  RunOptions options = { .limit = 60,
                         .output_fd = open ("/dev/full", O_WRONLY | O_CLOEXEC),
                         .output_max = G_MAXUINT64 };
  g_autoptr (SandboxResult) result =
      run_plan (launcher, plan_new_shell (GPOINTER_TO_INT (data), "yes | head -c 1000000; exit 5"),
                &options);

  assert_exited (result, 5);
  g_assert_true (result->output_cut);
  g_assert_cmpint (result->output_errno, ==, ENOSPC);
  g_assert_cmpuint (result->stdout_total, ==, 1000000);
}

/* While nobody takes the output the command stands still, and can be stopped all the same. */
static void
test_back_pressure (gconstpointer data)
{
  Stream stream = { .sum = g_checksum_new (G_CHECKSUM_SHA1) };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *path = NULL;
  RunOptions options = { .limit = 60,
                         .output_fd = g_file_open_tmp ("perfica-held-XXXXXX", &path, NULL),
                         .output_max = G_MAXUINT64,
                         .cancellable = cancellable,
                         .output = take_piece,
                         .output_data = &stream };
  SandboxPlan *plan = plan_new_shell (GPOINTER_TO_INT (data), "yes");
  Many unused = { 0 };
  struct stat before;
  struct stat after;
  g_autoptr (SandboxResult) result G_GNUC_UNUSED = NULL;

  /* Started, but this thread's main context isn't turned. */
  sandbox_run_async (launcher, plan, options.limit, options.output_fd, options.output_max,
                     cancellable, take_piece, &stream, NULL, &unused);
  g_usleep (500000);
  g_assert_cmpint (stat (path, &before), ==, 0);
  g_usleep (300000);
  g_assert_cmpint (stat (path, &after), ==, 0);
  g_assert_cmpint (before.st_size, >, 0);
  g_assert_cmpint (before.st_size, <, 2 << 20);
  g_assert_cmpint (after.st_size, ==, before.st_size);
  g_assert_cmpuint (stream.total, ==, 0);
  g_cancellable_cancel (cancellable);
  for (int i = 0; i < 500 && count_children_of (supervisor_pid ()) > 0; i++)
    g_usleep (10000);
  g_assert_cmpuint (count_children_of (supervisor_pid ()), ==, 0);
  while (count_children_of (sandbox_launcher_get_pid (launcher)) > 0)
    g_main_context_iteration (NULL, FALSE);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpint (stat (path, &after), ==, 0);
  g_assert_cmpuint (stream.total, ==, (guint64) after.st_size);
  plan_done (plan);
  g_checksum_free (stream.sum);
  unlink (path);
}

/* ---- Deaths ---- */

static void
took_lost (GObject *source, GAsyncResult *async, gpointer data)
{
  g_autoptr (SandboxResult) result = sandbox_run_finish (SANDBOX_LAUNCHER (source), async, NULL);
  gboolean *done = data;

  g_assert_nonnull (result);
  g_assert_cmpint (result->ending, ==, SANDBOX_ENDING_LOST);
  g_assert_nonnull (result->message);
  *done = TRUE;
}

static void
test_restart (gconstpointer data)
{
  GPid first = sandbox_launcher_get_pid (launcher);
  SandboxPlan *plan = plan_new_shell (GPOINTER_TO_INT (data), "sleep 60");
  g_autofree char *marker = marker_new ();
  gboolean done = FALSE;

  plan_set_environment (plan, "MARKER", marker);
  sandbox_run_async (launcher, plan, 60, -1, 0, NULL, NULL, NULL, took_lost, &done);
  plan_done (plan);
  while (count_marked (marker, NULL) == 0)
    g_usleep (1000);
  kill (first, SIGKILL);
  wait_until (&done, 20);
  g_assert_cmpuint (count_marked (marker, NULL), ==, 0);
  {
    g_autoptr (SandboxResult) result = run_shell (launcher, GPOINTER_TO_INT (data), "exit 6");

    assert_exited (result, 6);
  }
  g_assert_cmpint (sandbox_launcher_get_pid (launcher), !=, first);
}

static void
test_no_program (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (sandbox_launcher_new ("/no/such/program", &error));
  g_assert_error (error, SANDBOX_ERROR, SANDBOX_ERROR_LAUNCHER);
}

/* ---- A launcher that is told nonsense ---- */

static GPid
start_raw (int *socket_fd)
{
  int ends[2];
  GPid pid;

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_SEQPACKET, 0, ends), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      g_autofree char *number = g_strdup_printf ("%d", ends[1]);

      close (ends[0]);
      execl (PERFICA_SUPERVISE, PERFICA_SUPERVISE, "--launch", number, NULL);
      _exit (127);
    }
  close (ends[1]);
  *socket_fd = ends[0];
  return pid;
}

static void
test_nonsense (void)
{
  static SandboxResultMessage result;
  int launcher_socket;
  GPid pid = start_raw (&launcher_socket);
  int fds[SANDBOX_RUN_FDS];
  int own[2];
  SandboxMessage message;
  struct pollfd end;

  g_assert_cmpint (send (launcher_socket, "nonsense", 8, 0), ==, 8);
  sandbox_message_send (launcher_socket, SANDBOX_MESSAGE_RESULT, 0, NULL, 0, NULL, 0, true);
  sandbox_message_send (launcher_socket, SANDBOX_MESSAGE_RUN, 0, NULL, 0, NULL, 0, true);
  /* A request that can't be read is answered on its own socket. */
  fds[SANDBOX_RUN_FD_REQUEST] = memfd_create ("nonsense", MFD_CLOEXEC);
  g_assert_cmpint (write (fds[0], "no request", 10), ==, 10);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_SEQPACKET, 0, own), ==, 0);
  fds[SANDBOX_RUN_FD_SOCKET] = own[1];
  fds[SANDBOX_RUN_FD_LIFELINE] = own[1];
  sandbox_message_send (launcher_socket, SANDBOX_MESSAGE_RUN, 0, NULL, 0, fds, 3, true);
  end = (struct pollfd){ .fd = own[0], .events = POLLIN };
  g_assert_cmpint (poll (&end, 1, 10000), ==, 1);
  g_assert_cmpint (sandbox_message_receive (own[0], &message, &result, sizeof result, NULL), ==, 1);
  g_assert_cmpuint (message.type, ==, SANDBOX_MESSAGE_RESULT);
  g_assert_cmpuint (result.ending, ==, SANDBOX_END_SETUP_FAILED);
  g_assert_cmpuint (result.reason, ==, SANDBOX_REASON_REQUEST);
  close (launcher_socket);
  close (own[0]);
  close (own[1]);
  close (fds[0]);
  {
    int status;

    g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
    g_assert_cmpint (status, ==, 0);
  }
}

static void
test_usage (void)
{
  static const char *const lines[][4] = {
    { NULL },
    { "--launch", NULL },
    { "--launch", "x", NULL },
    { "--launch", "0", NULL },
    { "--init", NULL },
    { "--init", "1,2,3", "--", NULL },
    { "--init", "1,2,3,4x", "--", "true" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *argv[] = { PERFICA_SUPERVISE, lines[i][0], lines[i][1],
                             lines[i][2],       lines[i][3], NULL };
      int status;

      g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL, NULL,
                    &status, &error);
      g_assert_no_error (error);
      g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 2);
    }
}

static void
add (const char *name, GTestDataFunc test)
{
  for (int kind = 0; kind < 3; kind++)
    {
      g_autofree char *path = g_strdup_printf ("/sandbox/launcher/%s/%s", name, plan_names[kind]);

      g_test_add_data_func (path, GINT_TO_POINTER (kind), test);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  launcher = launcher_new ();
  add ("in-a-row", test_in_a_row);
  add ("at-once", test_at_once);
  add ("much-output", test_much_output);
  add ("cut-output", test_cut_output);
  add ("full-disk", test_full_disk);
  add ("back-pressure", test_back_pressure);
  add ("restart", test_restart);
  g_test_add_func ("/sandbox/launcher/no-program", test_no_program);
  g_test_add_func ("/sandbox/launcher/nonsense", test_nonsense);
  g_test_add_func ("/sandbox/launcher/usage", test_usage);
  status = g_test_run ();
  launcher_done (launcher);
  return status;
}
