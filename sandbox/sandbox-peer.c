/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-run-private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Linux 6.5; older headers lack it. */
#ifndef SO_PEERPIDFD
#  define SO_PEERPIDFD 77
#endif

/* A tree this deep isn't one that a person's agent stands in. */
#define MOST_ANCESTORS 256
/* A process of the line may end while it is walked: then it is walked again. */
#define WALKS 5

typedef struct
{
  pid_t pids[MOST_ANCESTORS];
  guint count;
} Line;

static gboolean
has_ended (int pidfd)
{
  struct pollfd end = { .fd = pidfd, .events = POLLIN };

  return poll (&end, 1, 0) != 0;
}

static pid_t
read_parent (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/stat", (long) pid);
  g_autofree char *text = NULL;
  const char *at;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return -1;
  at = strrchr (text, ')');
  if (at == NULL || strlen (at) < 5 || at[2] == 'Z' || at[2] == 'X')
    return -1;
  return (pid_t) atol (at + 4);
}

/* From the peer up to pid 1. Returns whether the whole line was there. */
static gboolean
walk (pid_t peer, Line *line)
{
  line->count = 0;
  for (pid_t pid = peer; pid > 0; pid = read_parent (pid))
    {
      if (line->count == MOST_ANCESTORS)
        return FALSE;
      line->pids[line->count++] = pid;
      if (pid == 1)
        return TRUE;
    }
  /* 0: the top of our own namespace, or a process whose parent is outside of it. */
  return line->count > 0 && read_parent (line->pids[line->count - 1]) == 0;
}

static gboolean
walk_twice (pid_t peer, Line *line)
{
  Line second;

  for (int i = 0; i < WALKS; i++)
    if (walk (peer, line) && walk (peer, &second) && line->count == second.count &&
        memcmp (line->pids, second.pids, line->count * sizeof *line->pids) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_in_other_namespace (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/ns/pid", (long) pid);
  struct stat theirs;
  struct stat ours;

  return stat (path, &theirs) != 0 || stat ("/proc/self/ns/pid", &ours) != 0 ||
         theirs.st_ino != ours.st_ino || theirs.st_dev != ours.st_dev;
}

/* What is asked here is asked of a number; the descriptor says that it still means the same one. */
static gboolean
descends (SandboxLauncher *launcher, pid_t pid)
{
  pid_t top = sandbox_launcher_get_pid (launcher);
  Line line;

  if (!walk_twice (pid, &line))
    return TRUE;
  for (guint i = 0; i < line.count; i++)
    if (line.pids[i] == top)
      return TRUE;
  /* Without its launcher a dying tree hangs below nobody we know; only its namespace tells. */
  return sandbox_launcher_was_lost (launcher) && is_in_other_namespace (pid);
}

gboolean
sandbox_peer_is_descendant (SandboxLauncher *launcher, int peer)
{
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  int pidfd = -1;
  gboolean answer;

  g_return_val_if_fail (SANDBOX_IS_LAUNCHER (launcher), TRUE);
  if (getsockopt (peer, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0 ||
      credentials.pid <= 0)
    return TRUE;
  length = sizeof pidfd;
  if (getsockopt (peer, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &length) != 0)
    {
      pidfd = -1;
      /* Any other answer than "unknown here" is about a process that is gone. */
      if (errno != ENOPROTOOPT)
        return TRUE;
    }
  answer = (pidfd >= 0 && has_ended (pidfd)) || descends (launcher, credentials.pid) ||
           (pidfd >= 0 && has_ended (pidfd));
  if (pidfd >= 0)
    close (pidfd);
  return answer;
}
