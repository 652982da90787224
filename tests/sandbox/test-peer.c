/* Who is at the other end of a socket: somebody of a command that runs here, or not.
 *
 * This program is also the client: --connect PATH [MODE].
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run-support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char *self;

/* ---- The client ---- */

static int
connect_to (const char *path, gboolean stays)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int client = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  char byte;

  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  if (connect (client, (struct sockaddr *) &address, sizeof address) != 0)
    return 1;
  if (stays && read (client, &byte, 1) < 0)
    return 1;
  return 0;
}

/* ---- The server ---- */

typedef struct
{
  SandboxLauncher *launcher;
  char *folder;
  char *path;
  int server;
} Door;

static void
door_setup (Door *door, gconstpointer data)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  door->launcher = launcher_new ();
  door->folder = g_dir_make_tmp ("perfica-peer-XXXXXX", NULL);
  door->path = g_build_filename (door->folder, "door", NULL);
  g_strlcpy (address.sun_path, door->path, sizeof address.sun_path);
  door->server = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (bind (door->server, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (door->server, 4), ==, 0);
}

static void
door_teardown (Door *door, gconstpointer data)
{
  close (door->server);
  unlink (door->path);
  rmdir (door->folder);
  launcher_done (door->launcher);
  g_free (door->path);
  g_free (door->folder);
}

static int
accept_one (Door *door)
{
  struct pollfd end = { .fd = door->server, .events = POLLIN };
  int peer;

  for (int i = 0; i < 1000 && poll (&end, 1, 0) == 0; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  peer = accept4 (door->server, NULL, NULL, SOCK_CLOEXEC);
  g_assert_cmpint (peer, >=, 0);
  return peer;
}

static void
took_result (GObject *source, GAsyncResult *async, gpointer data)
{
  SandboxResult **result = data;

  *result = sandbox_run_finish (SANDBOX_LAUNCHER (source), async, NULL);
}

static void
start_command (Door *door, PlanKind kind, const char *format, SandboxResult **result)
{
  g_autoptr (GString) text = g_string_new (format);
  SandboxPlan *plan;

  g_string_replace (text, "SELF", self, 0);
  g_string_replace (text, "DOOR", door->path, 0);
  plan = plan_new_shell (kind, text->str);
  sandbox_run_async (door->launcher, plan, 60, -1, 0, NULL, NULL, NULL, took_result, result);
  plan_done (plan);
}

static const char *const commands[] = {
  "exec SELF --connect DOOR",
  "SELF --connect DOOR; true",
  "(setsid SELF --connect DOOR &) ; sleep 30",
  "(setsid setsid bash -c '(SELF --connect DOOR &)' &) ; sleep 30",
  "exec SELF --connect-and-end DOOR",
};

static void
test_commands (Door *door, gconstpointer data)
{
  PlanKind kind = GPOINTER_TO_INT (data);

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr (GError) error G_GNUC_UNUSED = NULL;
      SandboxResult *result = NULL;
      int peer;

      start_command (door, kind, commands[i], &result);
      peer = accept_one (door);
      g_test_message ("%s", commands[i]);
      g_assert_true (sandbox_peer_is_descendant (door->launcher, peer));
      close (peer);
      if (strstr (commands[i], "sleep") != NULL)
        /* Ending it by its supervisor is quicker than waiting. */
        kill (sandbox_launcher_get_pid (door->launcher), SIGKILL);
      while (result == NULL)
        g_main_context_iteration (NULL, TRUE);
      sandbox_result_free (result);
      if (strstr (commands[i], "sleep") != NULL)
        {
          launcher_done (door->launcher);
          door->launcher = launcher_new ();
        }
    }
}

static pid_t
start_stranger (const char *const *argv)
{
  pid_t pid = fork ();

  if (pid == 0)
    {
      execv (argv[0], (char **) argv);
      _exit (127);
    }
  return pid;
}

static void
assert_stranger (Door *door, const char *const *argv, gboolean counts)
{
  pid_t stranger = start_stranger (argv);
  int peer = accept_one (door);

  g_assert_cmpint (sandbox_peer_is_descendant (door->launcher, peer), ==, counts);
  close (peer);
  waitpid (stranger, NULL, 0);
}

static void
test_strangers (Door *door, gconstpointer data)
{
  g_autofree char *orphan = g_strdup_printf ("(setsid %s --connect %s &)", self, door->path);
  const char *plain[] = { self, "--connect", door->path, NULL };
  const char *alone[] = { "/bin/sh", "-c", orphan, NULL };
  const char *ending[] = { self, "--connect-and-end", door->path, NULL };
  const char *elsewhere[] = { "/usr/bin/bwrap",
                              "--unshare-user",
                              "--unshare-pid",
                              "--dev-bind",
                              "/",
                              "/",
                              "--proc",
                              "/proc",
                              self,
                              "--connect",
                              door->path,
                              NULL };
  pid_t stranger;
  int peer;

  assert_stranger (door, plain, FALSE);
  assert_stranger (door, alone, FALSE);
  /* A person's container isn't a command of ours. */
  assert_stranger (door, elsewhere, FALSE);
  /* Who it was can't be told any more. */
  stranger = start_stranger (ending);
  peer = accept_one (door);
  waitpid (stranger, NULL, 0);
  g_assert_true (sandbox_peer_is_descendant (door->launcher, peer));
  close (peer);
  /* After a launcher's death its trees can't be told from a container's. */
  kill (sandbox_launcher_get_pid (door->launcher), SIGKILL);
  g_usleep (50000);
  assert_stranger (door, plain, FALSE);
  assert_stranger (door, elsewhere, TRUE);
}

static void
test_not_a_socket (Door *door, gconstpointer data)
{
  int ends[2];

  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  g_assert_true (sandbox_peer_is_descendant (door->launcher, ends[0]));
  close (ends[0]);
  close (ends[1]);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && g_str_has_prefix (argv[1], "--connect"))
    return connect_to (argv[2], g_str_equal (argv[1], "--connect"));
  g_test_init (&argc, &argv, NULL);
  self = g_file_read_link ("/proc/self/exe", NULL);
  g_test_add ("/sandbox/peer/namespace", Door, GINT_TO_POINTER (PLAN_NAMESPACE), door_setup,
              test_commands, door_teardown);
  g_test_add ("/sandbox/peer/best-effort", Door, GINT_TO_POINTER (PLAN_BEST_EFFORT), door_setup,
              test_commands, door_teardown);
  g_test_add ("/sandbox/peer/strangers", Door, NULL, door_setup, test_strangers, door_teardown);
  g_test_add ("/sandbox/peer/not-a-socket", Door, NULL, door_setup, test_not_a_socket,
              door_teardown);
  return g_test_run ();
}
