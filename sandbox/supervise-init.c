/* Pid 1 of a command's pid namespace: when it ends, the kernel ends everything in there.
 *
 * Where no namespace is to be had the same loop runs as an ordinary process that adopts orphans,
 * and where the command is a client of some service (a container), it also says there to stop.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "supervise-private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* A lifeline that breaks during a storm of orphans must not wait for its end. */
#define REAPS_BETWEEN_LOOKS 64

typedef struct
{
  const SuperviseInit *with;
  bool is_pid1;
  pid_t main;
  int signals;
  int exec_result; /* read end: errno of a failed exec, or its end */
  int exec_errno;
  bool main_ended;
  int main_status;
  bool broken; /* a lifeline */
  bool stopping;
  int64_t started;
  int64_t ended;
  int64_t deadline;
  SuperviseGroup group;
} Init;

static void
report (const Init *init, SuperviseReportKind kind, int value, int64_t duration_us)
{
  SuperviseReport text = { kind, value, duration_us };
  ssize_t done;

  do
    done = write (init->with->report, &text, sizeof text);
  while (done < 0 && errno == EINTR);
}

/* ---- Starting ---- */

static void
run_command (const Init *init, int exec_result)
{
  int failure;

  setsid ();
  supervise_group_join (&init->group);
  if (init->with->command_stderr > 2)
    dup2 (init->with->command_stderr, STDERR_FILENO);
  supervise_reset_signals ();
  execvp (init->with->argv[0], init->with->argv);
  failure = errno;
  while (write (exec_result, &failure, sizeof failure) < 0 && errno == EINTR)
    continue;
  _exit (127);
}

static bool
start_command (Init *init)
{
  int ends[2];

  if (pipe2 (ends, O_CLOEXEC) != 0)
    return false;
  init->started = supervise_now_us ();
  init->main = fork ();
  if (init->main == 0)
    run_command (init, ends[1]);
  close (ends[1]);
  init->exec_result = ends[0];
  return init->main > 0;
}

static void
read_exec_result (Init *init)
{
  int failure = 0;
  ssize_t got = read (init->exec_result, &failure, sizeof failure);

  close (init->exec_result);
  init->exec_result = -1;
  if (got == (ssize_t) sizeof failure)
    init->exec_errno = failure;
  else
    report (init, SUPERVISE_REPORT_STARTED, 0, 0);
}

/* ---- Watching ---- */

static void
ask_to_stop (Init *init)
{
  if (init->stopping)
    return;
  init->stopping = true;
  init->deadline = supervise_now_us () + SUPERVISE_GRACE_MS * 1000;
  if (init->with->stop_argv != NULL)
    return;
  if (init->is_pid1)
    {
      kill (-1, SIGTERM);
      kill (-1, SIGCONT);
    }
  else
    supervise_tree_signal (SIGTERM);
}

static void
look_at_lifelines (Init *init, const struct pollfd *app, const struct pollfd *supervisor)
{
  char byte;

  if (app->revents != 0)
    init->broken = true;
  if (supervisor->revents == 0)
    return;
  if ((supervisor->revents & POLLIN) != 0 && read (supervisor->fd, &byte, 1) == 1)
    ask_to_stop (init);
  else
    init->broken = true;
}

static void
check_lifelines (Init *init)
{
  struct pollfd ends[2] = { { .fd = init->with->app, .events = POLLIN },
                            { .fd = init->with->supervisor, .events = POLLIN } };

  if (poll (ends, 2, 0) > 0)
    look_at_lifelines (init, &ends[0], &ends[1]);
}

static void
reap (Init *init)
{
  int reaps = 0;
  int status;
  pid_t pid;

  while (!init->broken && !init->main_ended && (pid = waitpid (-1, &status, WNOHANG)) > 0)
    {
      if (pid == init->main)
        {
          init->ended = supervise_now_us ();
          init->main_ended = true;
          init->main_status = status;
        }
      if (++reaps % REAPS_BETWEEN_LOOKS == 0)
        check_lifelines (init);
    }
}

static int
wait_for (const Init *init)
{
  int64_t left;

  if (!init->stopping)
    return -1;
  left = (init->deadline - supervise_now_us () + 999) / 1000;
  return left > 0 ? (int) left : 0;
}

static void
watch (Init *init)
{
  while (!init->main_ended && !init->broken)
    {
      struct pollfd ends[4] = { { .fd = init->with->app, .events = POLLIN },
                                { .fd = init->with->supervisor, .events = POLLIN },
                                { .fd = init->signals, .events = POLLIN },
                                { .fd = init->exec_result, .events = POLLIN } };
      int timeout = wait_for (init);
      struct signalfd_siginfo signals[8];

      if (timeout == 0 || (init->stopping && init->with->stop_argv != NULL))
        return;
      if (poll (ends, 4, timeout) <= 0)
        continue;
      look_at_lifelines (init, &ends[0], &ends[1]);
      if (ends[3].revents != 0)
        read_exec_result (init);
      if (ends[2].revents != 0)
        {
          while (read (init->signals, signals, sizeof signals) > 0)
            continue;
          reap (init);
        }
    }
}

/* ---- Ending ---- */

/* A container's client ends by itself once its container was stopped: then its status is known. */
static void
await_client (Init *init)
{
  int64_t deadline = supervise_now_us () + SUPERVISE_GRACE_MS * 1000;

  while (!init->main_ended && supervise_now_us () < deadline)
    {
      if (waitpid (init->main, &init->main_status, WNOHANG) == init->main)
        {
          init->ended = supervise_now_us ();
          init->main_ended = true;
        }
      else
        poll (NULL, 0, 5);
    }
}

static void
report_end (Init *init)
{
  int64_t duration = init->ended - init->started;

  if (init->exec_result >= 0 && init->main_ended)
    read_exec_result (init);
  if (init->exec_errno != 0)
    report (init, SUPERVISE_REPORT_COMMAND_FAILED, init->exec_errno, 0);
  else if (init->main_ended && WIFSIGNALED (init->main_status))
    report (init, SUPERVISE_REPORT_SIGNALLED, WTERMSIG (init->main_status), duration);
  else if (init->main_ended)
    report (init, SUPERVISE_REPORT_EXITED, WEXITSTATUS (init->main_status), duration);
  else
    /* The grace is over; what follows is the kernel's SIGKILL. */
    report (init, SUPERVISE_REPORT_SIGNALLED, SIGKILL, supervise_now_us () - init->started);
}

static void
finish (Init *init)
{
  if (init->with->stop_argv != NULL && (!init->main_ended || init->with->clear_away))
    {
      supervise_service_stop (init->with->cidfile, init->with->stop_argv, init->main,
                              &init->main_ended, &init->main_status);
      await_client (init);
    }
  if (init->with->cidfile != NULL && init->broken)
    unlink (init->with->cidfile);
  report_end (init);
  if (init->is_pid1)
    return;
  supervise_group_kill (&init->group);
  supervise_tree_kill (SUPERVISE_CHASE_MS);
}

int
supervise_init (const SuperviseInit *with)
{
  Init init = { .with = with, .is_pid1 = getpid () == 1, .exec_result = -1 };
  int keep[] = { with->app, with->supervisor, with->report, with->command_stderr };

  init.group.parent = init.group.folder = -1;
  init.signals = supervise_block_signals ();
  /* The command must not get at our descriptors, by exec or by ptrace. */
  prctl (PR_SET_DUMPABLE, 0);
  supervise_close_all_but (NULL, 0, true);
  for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
    if (fcntl (keep[i], F_GETFD) < 0)
      return 1;
  if (init.is_pid1)
    prctl (PR_SET_PDEATHSIG, SIGKILL);
  else
    prctl (PR_SET_CHILD_SUBREAPER, 1);
  check_lifelines (&init);
  if (init.broken || init.stopping || init.signals < 0)
    return 1;
  report (&init, SUPERVISE_REPORT_ALIVE, init.is_pid1, 0);
  if (!init.is_pid1 && with->stop_argv == NULL)
    supervise_group_new (&init.group);
  if (!start_command (&init))
    report (&init, SUPERVISE_REPORT_COMMAND_FAILED, errno, 0);
  else
    {
      watch (&init);
      finish (&init);
    }
  return 0;
}

int
supervise_init_main (int argc, char **argv)
{
  SuperviseInit init = { 0 };
  int length = 0;

  if (argc < 5 || strcmp (argv[3], "--") != 0 ||
      sscanf (argv[2], "%d,%d,%d,%d%n", &init.app, &init.supervisor, &init.report,
              &init.command_stderr, &length) != 4 ||
      argv[2][length] != '\0')
    return 2;
  init.argv = argv + 4;
  return supervise_init (&init);
}
