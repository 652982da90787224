/* Stopping what isn't below us: a container, by its engine's own program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "supervise-private.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STOP_MS 10000
#define CID_MS 10000
#define STOP_ATTEMPTS 3

typedef struct
{
  pid_t pid;
  bool *ended;
  int *status;
} Client;

static bool
read_cid (const char *path, char *cid, size_t size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  ssize_t length;

  if (fd < 0)
    return false;
  length = read (fd, cid, size - 1);
  close (fd);
  while (length > 0 && isspace ((unsigned char) cid[length - 1]))
    length--;
  if (length <= 0)
    return false;
  cid[length] = '\0';
  for (ssize_t i = 0; i < length; i++)
    if (!isalnum ((unsigned char) cid[i]))
      return false;
  return true;
}

/* Whether it did what it was asked to. */
static bool
wait_at_most (pid_t pid, int milliseconds)
{
  int status = 0;

  int64_t deadline = supervise_now_us () + (int64_t) milliseconds * 1000;

  while (waitpid (pid, &status, WNOHANG) == 0)
    {
      if (supervise_now_us () > deadline)
        {
          kill (pid, SIGKILL);
          waitpid (pid, NULL, 0);
          return false;
        }
      poll (NULL, 0, 5);
    }
  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

/* The service may still be making what has to be stopped: its id comes a moment later. */
static bool
wait_for_cid (Client *client, const char *cidfile, char *cid, size_t size)
{
  int64_t deadline = supervise_now_us () + (int64_t) CID_MS * 1000;

  while (!read_cid (cidfile, cid, size))
    {
      if (!*client->ended && client->pid > 0 &&
          waitpid (client->pid, client->status, WNOHANG) == client->pid)
        *client->ended = true;
      if (*client->ended || supervise_now_us () > deadline)
        return read_cid (cidfile, cid, size);
      poll (NULL, 0, 5);
    }
  return true;
}

static bool
run_stop (char **argv)
{
  pid_t pid = fork ();

  if (pid == 0)
    {
      int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

      for (int fd = 0; null >= 0 && fd < 3; fd++)
        dup2 (null, fd);
      supervise_reset_signals ();
      execvp (argv[0], argv);
      _exit (127);
    }
  return pid > 0 && wait_at_most (pid, STOP_MS);
}

void
supervise_service_stop (
    const char *cidfile, char **stop_argv, pid_t client, bool *client_ended, int *client_status)
{
  Client watched = { client, client_ended, client_status };
  char cid[160] = "";
  size_t words = 0;
  char **argv;

  if (cidfile != NULL && !wait_for_cid (&watched, cidfile, cid, sizeof cid))
    return;
  while (stop_argv[words] != NULL)
    words++;
  argv = calloc (words + 1, sizeof *argv);
  if (argv == NULL)
    return;
  for (size_t i = 0; i < words; i++)
    argv[i] = strcmp (stop_argv[i], "@CID@") == 0 ? cid : stop_argv[i];
  /* An engine that is just starting it may refuse at first. */
  for (int attempt = 0; attempt < STOP_ATTEMPTS && !run_stop (argv); attempt++)
    poll (NULL, 0, 300);
  free (argv);
}
