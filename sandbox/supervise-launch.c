/* The small process that forks every supervisor.
 *
 * It keeps an end of every run's socket until nothing of that run is left: then the app sees the
 * end of the connection only when it may say "nothing of the command is left".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "supervise-private.h"

#include "sandbox-seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Far above the 64 that the gateway lets run; a bound all the same. */
#define MOST_RUNS 256
/* What watches a container's client gets this long to have it stopped, in microseconds. */
#define PATIENCE_US 16000000
/* Orphans that don't end at once are looked at again after this many milliseconds. */
#define STRAYS_MS 20

typedef struct
{
  pid_t pid; /* 0: it has died, but something of it may be left */
  int socket;
  bool is_patient; /* its run has a service to stop, which takes a while */
} Child;

typedef struct
{
  int socket; /* -1 once the app is gone */
  int signals;
  int alive[2]; /* its write end is ours alone: supervisors see us die */
  int seccomp;
  char program[PATH_MAX];
  Child children[MOST_RUNS];
  size_t n_children;
  bool has_lost;
  int64_t lost_at;
} Launcher;

static int
compile_filter (void)
{
  int fd = memfd_create ("perfica-seccomp", MFD_CLOEXEC);

  if (fd >= 0 && !sandbox_seccomp_write (fd))
    {
      close (fd);
      return -1;
    }
  return fd;
}

static void
send_end (int socket, SandboxEnd ending, SandboxReason reason, const char *detail)
{
  SandboxResultMessage result = { .ending = ending, .exit_code = -1, .reason = reason };

  snprintf (result.detail, sizeof result.detail, "%s", detail);
  result.detail_length = (uint32_t) strlen (result.detail);
  sandbox_message_send (socket, SANDBOX_MESSAGE_RESULT, 0, &result, sizeof result, NULL, 0, false);
}

/* ---- Runs ---- */

static void
run_supervisor (Launcher *launcher, int fds[SANDBOX_RUN_FDS])
{
  SuperviseRun run = { .launcher = launcher->alive[0],
                       .seccomp = launcher->seccomp,
                       .program = launcher->program };
  int keep[SANDBOX_RUN_FDS + 2];
  size_t n_keep = 0;

  memcpy (run.fds, fds, sizeof run.fds);
  for (size_t i = 0; i < SANDBOX_RUN_FDS; i++)
    if (fds[i] >= 0)
      keep[n_keep++] = fds[i];
  keep[n_keep++] = launcher->alive[0];
  if (launcher->seccomp >= 0)
    keep[n_keep++] = launcher->seccomp;
  supervise_close_all_but (keep, n_keep, false);
  _exit (supervise_run (&run));
}

static void
start_run (Launcher *launcher, int fds[SANDBOX_RUN_FDS], bool is_patient)
{
  int kept;
  pid_t pid;

  if (launcher->n_children == MOST_RUNS)
    {
      send_end (fds[SANDBOX_RUN_FD_SOCKET], SANDBOX_END_SETUP_FAILED, SANDBOX_REASON_TOO_MANY, "");
      return;
    }
  kept = fcntl (fds[SANDBOX_RUN_FD_SOCKET], F_DUPFD_CLOEXEC, 3);
  pid = kept >= 0 ? fork () : -1;
  if (pid == 0)
    run_supervisor (launcher, fds);
  if (pid < 0)
    {
      send_end (fds[SANDBOX_RUN_FD_SOCKET], SANDBOX_END_SETUP_FAILED, SANDBOX_REASON_SYSTEM,
                strerror (errno));
      if (kept >= 0)
        close (kept);
      return;
    }
  launcher->children[launcher->n_children++] = (Child){ pid, kept, is_patient };
}

static void
receive (Launcher *launcher)
{
  SandboxMessage message;
  int fds[SANDBOX_RUN_FDS];
  int got = sandbox_message_receive (launcher->socket, &message, NULL, 0, fds);

  if (got < 0 && errno == EAGAIN)
    return;
  if (got <= 0 && !(got < 0 && errno == EPROTO))
    {
      close (launcher->socket);
      launcher->socket = -1;
      return;
    }
  if (got > 0 && message.type == SANDBOX_MESSAGE_RUN && fds[SANDBOX_RUN_FD_LIFELINE] >= 0)
    start_run (launcher, fds, (message.flags & SANDBOX_RUN_PATIENT) != 0);
  for (size_t i = 0; got > 0 && i < SANDBOX_RUN_FDS; i++)
    if (fds[i] >= 0)
      close (fds[i]);
}

/* ---- Ends ---- */

static void
end_run (Launcher *launcher, pid_t pid, int status)
{
  for (size_t i = 0; i < launcher->n_children; i++)
    {
      Child *child = &launcher->children[i];

      if (child->pid != pid)
        continue;
      if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
        {
          close (child->socket);
          *child = launcher->children[--launcher->n_children];
        }
      else
        {
          child->pid = 0;
          launcher->has_lost = true;
          launcher->lost_at = supervise_now_us ();
        }
      return;
    }
}

/* What a dead supervisor leaves becomes our child: it is killed, then its run is called lost. */
static void
clean_up_after_lost (Launcher *launcher)
{
  pid_t keep[MOST_RUNS];

  bool wait = false;

  for (size_t i = 0; i < launcher->n_children; i++)
    {
      keep[i] = launcher->children[i].pid;
      wait = wait || (keep[i] == 0 && launcher->children[i].is_patient);
    }
  wait = wait && supervise_now_us () - launcher->lost_at < PATIENCE_US;
  if (supervise_tree_signal_strays (wait ? 0 : SIGKILL, keep, launcher->n_children) > 0)
    return;
  for (size_t i = 0; i < launcher->n_children;)
    {
      Child *child = &launcher->children[i];

      if (child->pid != 0)
        {
          i++;
          continue;
        }
      send_end (child->socket, SANDBOX_END_LOST, SANDBOX_REASON_SUPERVISOR, "");
      close (child->socket);
      *child = launcher->children[--launcher->n_children];
    }
  launcher->has_lost = false;
}

static void
reap (Launcher *launcher)
{
  struct signalfd_siginfo signals[8];
  int status;
  pid_t pid;

  while (read (launcher->signals, signals, sizeof signals) > 0)
    continue;
  while ((pid = waitpid (-1, &status, WNOHANG)) > 0)
    end_run (launcher, pid, status);
}

static bool
prepare (Launcher *launcher, int socket)
{
  ssize_t length = readlink ("/proc/self/exe", launcher->program, sizeof launcher->program - 1);
  struct rlimit files;

  launcher->socket = socket;
  if (length <= 0)
    return false;
  launcher->program[length] = '\0';
  /* The app's terminal must not take us along: supervisors end their trees in order. */
  setsid ();
  prctl (PR_SET_NAME, "perfica-launch");
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  if (getrlimit (RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 1024)
    {
      files.rlim_cur = files.rlim_max < 1024 ? files.rlim_max : 1024;
      setrlimit (RLIMIT_NOFILE, &files);
    }
  launcher->signals = supervise_block_signals ();
  launcher->seccomp = compile_filter ();
  return launcher->signals >= 0 && pipe2 (launcher->alive, O_CLOEXEC) == 0;
}

int
supervise_launch (int socket)
{
  static Launcher launcher;
  int keep[] = { socket };

  supervise_close_all_but (keep, 1, false);
  fcntl (socket, F_SETFD, FD_CLOEXEC);
  if (!prepare (&launcher, socket))
    return 1;
  while (launcher.socket >= 0 || launcher.n_children > 0)
    {
      struct pollfd ends[2] = { { .fd = launcher.socket, .events = POLLIN },
                                { .fd = launcher.signals, .events = POLLIN } };

      if (poll (ends, 2, launcher.has_lost ? STRAYS_MS : -1) < 0 && errno != EINTR)
        return 1;
      reap (&launcher);
      if (launcher.has_lost)
        clean_up_after_lost (&launcher);
      if (ends[0].revents != 0)
        receive (&launcher);
    }
  return 0;
}
