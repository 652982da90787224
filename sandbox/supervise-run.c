/* One command: its streams, its limit, its end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "supervise-private.h"

#include "supervise-output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A holder of a stream that isn't of the tree (or can't be stopped) can print without end: after
 * the end of the tree only what a pipe may hold is still read. */
#define AFTER_END_MAX (1024u * 1024)
#define NICE 10

typedef struct
{
  const SuperviseRun *with;
  SandboxRequest request;
  SuperviseStart start;
  SuperviseFile file;
  SuperviseKept kept[2];
  char words[SANDBOX_DETAIL_MAX];
  size_t words_length;

  char piece[SANDBOX_PIECE_MAX]; /* not taken by the app yet: until then nothing more is read */
  size_t piece_length;
  bool piece_is_stderr;
  bool app_is_gone;

  int signals;
  bool has_ended; /* the program line's first process, and so everything in its namespace */
  int status;
  bool is_stopping;
  SandboxEnd stop_ending;
  SandboxReason stop_reason;
  int64_t limit_at;
  int64_t backstop_at;

  SuperviseReport report; /* the last one */
  bool was_alive;         /* its init */
  bool is_pid1;
  bool has_started;
  bool has_exit_code; /* its init's report of the end */
  SandboxReason reason;
  char detail[SANDBOX_DETAIL_MAX];
} Run;

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

/* ---- Stopping ---- */

static void
stop (Run *run, SandboxEnd ending, SandboxReason reason, bool politely)
{
  if (!run->is_stopping)
    {
      run->is_stopping = true;
      run->stop_ending = ending;
      run->stop_reason = reason;
      /* What our init needs to have a container stopped is longer than any grace. */
      run->backstop_at = supervise_now_us () + 1000 * (SUPERVISE_GRACE_MS + SUPERVISE_BACKSTOP_MS) +
                         (run->request.stop_argv != NULL ? 1000 * 45000 : 0);
    }
  if (run->start.lifeline < 0)
    return;
  if (politely)
    while (write (run->start.lifeline, "T", 1) < 0 && errno == EINTR)
      continue;
  else
    close_fd (&run->start.lifeline);
}

static void
read_socket (Run *run, short events)
{
  int socket = run->with->fds[SANDBOX_RUN_FD_SOCKET];
  SandboxMessage message;
  int got = events == 0 ? -1 : sandbox_message_receive (socket, &message, NULL, 0, NULL);

  if (got < 0 && (errno == EAGAIN || events == 0))
    return;
  if (got > 0 && message.type == SANDBOX_MESSAGE_CANCEL)
    stop (run, SANDBOX_END_CANCELLED, SANDBOX_REASON_NONE, true);
  else if (got <= 0)
    {
      run->app_is_gone = true;
      run->piece_length = 0;
      stop (run, SANDBOX_END_LOST, SANDBOX_REASON_NONE, false);
    }
}

/* ---- Streams ---- */

static void
send_piece (Run *run)
{
  if (run->piece_length == 0)
    return;
  if (sandbox_message_send (run->with->fds[SANDBOX_RUN_FD_SOCKET], SANDBOX_MESSAGE_OUTPUT,
                            run->piece_is_stderr, run->piece, run->piece_length, NULL, 0,
                            false) == 0)
    run->piece_length = 0;
  else if (errno != EAGAIN && errno != ENOBUFS)
    {
      run->app_is_gone = true;
      run->piece_length = 0;
    }
}

/* Returns how much came; 0 at the stream's end or when there is nothing now. */
static size_t
read_output (Run *run, int which)
{
  ssize_t got = read (run->start.output[which], run->piece, sizeof run->piece);

  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  if (got <= 0)
    {
      close_fd (&run->start.output[which]);
      return 0;
    }
  supervise_kept_add (&run->kept[which], run->piece, (size_t) got);
  supervise_file_add (&run->file, run->piece, (size_t) got);
  if ((run->request.flags & SANDBOX_REQUEST_STREAM) != 0 && !run->app_is_gone)
    {
      run->piece_length = (size_t) got;
      run->piece_is_stderr = which == 1;
      send_piece (run);
    }
  return (size_t) got;
}

static void
read_words (Run *run)
{
  char rest[1024];
  size_t room = sizeof run->words - 1 - run->words_length;
  ssize_t got = read (run->start.words, room > 0 ? run->words + run->words_length : rest,
                      room > 0 ? room : sizeof rest);

  if (got > 0 && room > 0)
    run->words_length += (size_t) got;
  else if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
    close_fd (&run->start.words);
}

static void
read_report (Run *run)
{
  SuperviseReport report;
  ssize_t got = read (run->start.report, &report, sizeof report);

  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
    close_fd (&run->start.report);
  if (got != (ssize_t) sizeof report)
    return;
  switch ((SuperviseReportKind) report.kind)
    {
    case SUPERVISE_REPORT_ALIVE:
      run->was_alive = true;
      run->is_pid1 = report.value == 1;
      break;
    case SUPERVISE_REPORT_STARTED:
      run->has_started = true;
      break;
    case SUPERVISE_REPORT_EXITED:
    case SUPERVISE_REPORT_SIGNALLED:
      run->has_exit_code = true;
      run->report = report;
      break;
    case SUPERVISE_REPORT_START_FAILED:
    case SUPERVISE_REPORT_FOLDER_FAILED:
    case SUPERVISE_REPORT_COMMAND_FAILED:
      run->report = report;
      break;
    default:
      break;
    }
}

/* ---- Watching ---- */

static int
milliseconds_left (const Run *run)
{
  int64_t at = run->is_stopping ? run->backstop_at : run->limit_at;
  int64_t left = (at - supervise_now_us () + 999) / 1000;

  if (left < 0)
    return 0;
  return left > 60000 ? 60000 : (int) left;
}

static void
look_at_clock (Run *run)
{
  int64_t now = supervise_now_us ();

  if (!run->is_stopping && now >= run->limit_at)
    stop (run, SANDBOX_END_LIMIT, SANDBOX_REASON_NONE, true);
  else if (run->is_stopping && now >= run->backstop_at)
    {
      /* Our init didn't end: something holds it. Nothing is left after this. */
      close_fd (&run->start.lifeline);
      supervise_tree_kill (SUPERVISE_CHASE_MS);
      run->has_ended = true;
    }
}

static void
reap (Run *run)
{
  struct signalfd_siginfo signals[8];
  int status;
  pid_t pid;

  while (read (run->signals, signals, sizeof signals) > 0)
    continue;
  while ((pid = waitpid (-1, &status, WNOHANG)) > 0)
    if (pid == run->start.pid)
      {
        run->has_ended = true;
        run->status = status;
      }
}

static void
watch (Run *run)
{
  while (!run->has_ended)
    {
      /* Held back: the app hasn't taken the last piece. */
      bool held = run->piece_length > 0;
      struct pollfd ends[] = {
        { .fd = run->app_is_gone ? -1 : run->with->fds[SANDBOX_RUN_FD_SOCKET],
          .events = (short) (POLLIN | (held ? POLLOUT : 0)) },
        { .fd = run->is_stopping && run->stop_reason == SANDBOX_REASON_LAUNCHER
                    ? -1
                    : run->with->launcher,
          .events = POLLIN },
        { .fd = run->signals, .events = POLLIN },
        { .fd = run->start.report, .events = POLLIN },
        { .fd = run->start.words, .events = POLLIN },
        { .fd = held ? -1 : run->start.output[0], .events = POLLIN },
        { .fd = held ? -1 : run->start.output[1], .events = POLLIN },
      };

      if (poll (ends, sizeof ends / sizeof *ends, milliseconds_left (run)) > 0)
        {
          read_socket (run, ends[0].revents & ~POLLOUT);
          if (ends[1].revents != 0)
            stop (run, SANDBOX_END_LOST, SANDBOX_REASON_LAUNCHER, false);
          if (ends[3].revents != 0)
            read_report (run);
          if (ends[4].revents != 0)
            read_words (run);
          send_piece (run);
          for (int which = 0; which < 2; which++)
            if (ends[5 + which].revents != 0 && run->piece_length == 0)
              read_output (run, which);
          if (ends[2].revents != 0)
            reap (run);
        }
      look_at_clock (run);
    }
}

/* ---- The end ---- */

static void
wait_for_app (Run *run)
{
  struct pollfd end = { .fd = run->with->fds[SANDBOX_RUN_FD_SOCKET], .events = POLLOUT };

  while (run->piece_length > 0)
    {
      poll (&end, 1, 1000);
      send_piece (run);
    }
}

static void
read_reports (Run *run)
{
  while (run->start.report >= 0)
    {
      struct pollfd end = { .fd = run->start.report, .events = POLLIN };

      if (poll (&end, 1, 0) <= 0)
        break;
      read_report (run);
    }
}

/* Everything of the tree is dead: what it printed lies in the pipes. */
static void
drain (Run *run)
{
  for (int which = 0; which < 2; which++)
    {
      size_t total = 0;
      size_t got;

      wait_for_app (run);
      while (run->start.output[which] >= 0 && total < AFTER_END_MAX &&
             (got = read_output (run, which)) > 0)
        {
          total += got;
          wait_for_app (run);
        }
    }
  read_reports (run);
  while (run->start.words >= 0)
    {
      struct pollfd end = { .fd = run->start.words, .events = POLLIN };

      if (poll (&end, 1, 0) <= 0)
        break;
      read_words (run);
    }
}

/* bwrap's own evidence that the command ran, for plans without our init. */
static bool
status_has_exit_code (int status)
{
  char text[4096];
  ssize_t length = pread (status, text, sizeof text - 1, 0);

  if (length <= 0)
    return false;
  text[length] = '\0';
  return strstr (text, "\"exit-code\"") != NULL;
}

/* A line that begins so. */
static bool
has_line (const char *text, size_t length, const char *begin)
{
  size_t wanted = strlen (begin);

  for (const char *at = text; length >= wanted;)
    {
      const char *end = memchr (at, '\n', length);

      if (memcmp (at, begin, wanted) == 0)
        return true;
      if (end == NULL)
        return false;
      length -= (size_t) (end + 1 - at);
      at = end + 1;
    }
  return false;
}

/* Docker's exit codes for "it couldn't be started" are also those of a shell. Then its client, or
 * the container's own init, has said so on a line of its own. */
static bool
client_says_so (Run *run)
{
  static const char *const begins[] = { "docker: Error response from daemon:", "[FATAL tini (",
                                        "ERROR (catatonit:" };
  SuperviseKept *kept = &run->kept[1];
  size_t tail_length = 0;
  const char *tail = supervise_kept_tail (kept, &tail_length);

  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (has_line (tail, tail_length, begins[i]) ||
        (tail_length == 0 && has_line (kept->head, kept->head_length, begins[i])))
      return true;
  return false;
}

static bool
has_service_run (Run *run)
{
  /* 1 is what Podman's init ends with. */
  bool telling = run->report.value == 1 || (run->report.value >= 125 && run->report.value <= 127);

  if (run->report.kind != SUPERVISE_REPORT_EXITED || !telling)
    return true;
  return access (run->request.cidfile, F_OK) == 0 && !client_says_so (run);
}

static bool
has_run (Run *run)
{
  if (!run->has_started)
    return false;
  if ((run->request.flags & SANDBOX_REQUEST_INIT) != 0)
    return true;
  if (run->request.cidfile != NULL)
    return has_service_run (run);
  return run->start.status < 0 || status_has_exit_code (run->start.status);
}

static void
set_words (Run *run, SandboxReason reason, const char *what, int error)
{
  run->reason = reason;
  snprintf (run->detail, sizeof run->detail, "%.3500s: %s", what, strerror (error));
}

static void
explain_setup_failure (Run *run)
{
  const char *command = run->request.argv[run->request.command_index];
  const char *words = run->words;
  size_t length = run->words_length;

  switch ((SuperviseReportKind) run->report.kind)
    {
    case SUPERVISE_REPORT_START_FAILED:
      set_words (run, SANDBOX_REASON_PROGRAM, run->request.argv[0], run->report.value);
      return;
    case SUPERVISE_REPORT_FOLDER_FAILED:
      set_words (run, SANDBOX_REASON_FOLDER, run->request.folder, run->report.value);
      return;
    case SUPERVISE_REPORT_COMMAND_FAILED:
      set_words (run, SANDBOX_REASON_COMMAND, command != NULL ? command : run->request.argv[0],
                 run->report.value);
      return;
    default:
      break;
    }
  if (length == 0)
    {
      words = run->kept[1].head;
      length = run->kept[1].head_length;
    }
  while (length > 0 && (words[length - 1] == '\n' || words[length - 1] == '\r'))
    length--;
  run->reason = length > 0 ? SANDBOX_REASON_BACKEND : SANDBOX_REASON_SILENT;
  if (length > 0)
    snprintf (run->detail, sizeof run->detail, "%.*s", (int) (length < 3500 ? length : 3500),
              words);
  else
    snprintf (run->detail, sizeof run->detail, "%.3500s", run->request.argv[0]);
}

static SandboxEnd
judge (Run *run)
{
  if (!has_run (run))
    {
      if (run->is_stopping)
        {
          run->reason = run->stop_reason;
          return run->stop_ending;
        }
      explain_setup_failure (run);
      return SANDBOX_END_SETUP_FAILED;
    }
  if (run->is_stopping)
    {
      run->reason = run->stop_reason;
      return run->stop_ending;
    }
  if (run->has_exit_code)
    return SANDBOX_END_EXITED;
  run->reason = SANDBOX_REASON_INIT;
  return SANDBOX_END_LOST;
}

static void
send_kept (Run *run)
{
  int socket = run->with->fds[SANDBOX_RUN_FD_SOCKET];

  for (uint32_t which = 0; which < 2; which++)
    {
      size_t length;
      const char *tail = supervise_kept_tail (&run->kept[which], &length);

      if (run->kept[which].head_length > 0)
        sandbox_message_send (socket, SANDBOX_MESSAGE_KEPT, which, run->kept[which].head,
                              run->kept[which].head_length, NULL, 0, true);
      if (length > 0)
        sandbox_message_send (socket, SANDBOX_MESSAGE_KEPT, which | SANDBOX_KEPT_TAIL, tail, length,
                              NULL, 0, true);
    }
}

/* A plan may say so; whether a namespace was really there, only our init has seen. */
static bool
is_certain (const Run *run)
{
  return (run->request.flags & SANDBOX_REQUEST_CERTAIN) != 0 &&
         ((run->request.flags & SANDBOX_REQUEST_INIT) == 0 || run->is_pid1 || !run->has_started);
}

static void
send_result (Run *run, SandboxEnd ending)
{
  SandboxResultMessage result = {
    .ending = ending,
    .exit_code = -1,
    .output_cut = run->file.cut,
    .output_errno = run->file.error,
    .tree_is_certain = is_certain (run),
    .reason = run->reason,
    .stdout_total = run->kept[0].total,
    .stderr_total = run->kept[1].total,
  };

  if (run->has_exit_code && ending != SANDBOX_END_SETUP_FAILED)
    {
      result.duration_us = run->report.duration_us;
      if (run->report.kind == SUPERVISE_REPORT_EXITED)
        result.exit_code = run->report.value;
      else
        result.signal_number = run->report.value;
    }
  snprintf (result.detail, sizeof result.detail, "%s", run->detail);
  result.detail_length = (uint32_t) strlen (result.detail);
  send_kept (run);
  sandbox_message_send (run->with->fds[SANDBOX_RUN_FD_SOCKET], SANDBOX_MESSAGE_RESULT, 0, &result,
                        sizeof result, NULL, 0, true);
}

/* ---- The beginning ---- */

static bool
read_request (Run *run)
{
  int fd = run->with->fds[SANDBOX_RUN_FD_REQUEST];
  struct stat file;
  size_t length;
  char *buffer;

  if (fstat (fd, &file) != 0 || file.st_size <= 0 || (uint64_t) file.st_size > SANDBOX_REQUEST_MAX)
    return false;
  length = (size_t) file.st_size;
  buffer = malloc (length);
  if (buffer == NULL || pread (fd, buffer, length, 0) != (ssize_t) length)
    {
      free (buffer);
      return false;
    }
  return sandbox_request_decode (buffer, length, &run->request);
}

static bool
begin (Run *run)
{
  setsid ();
  setpriority (PRIO_PROCESS, 0, NICE);
  prctl (PR_SET_NAME, "perfica-run");
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  run->signals = supervise_block_signals ();
  run->reason = SANDBOX_REASON_REQUEST;
  if (!read_request (run))
    return false;
  run->file.max = run->request.output_max;
  run->limit_at = supervise_now_us () + (int64_t) run->request.limit_seconds * 1000000;
  return supervise_start (run->with, &run->request, &run->start, &run->reason, run->detail);
}

/* Our init, which would have had its container stopped, was killed itself. */
static void
stop_service (Run *run)
{
  bool client_ended = false;
  int client_status = 0;

  read_reports (run);
  if (run->request.stop_argv == NULL || !run->was_alive || run->report.kind != 0)
    return;
  environ = run->request.environment;
  supervise_service_stop (run->request.cidfile, run->request.stop_argv, 0, &client_ended,
                          &client_status);
}

static void
finish (Run *run)
{
  SandboxEnd ending;

  stop_service (run);
  /* With a namespace nothing is left to kill; without one, what fled our init has come to us. */
  supervise_tree_kill (SUPERVISE_CHASE_MS);
  close_fd (&run->start.lifeline);
  drain (run);
  supervise_file_finish (&run->file);
  ending = judge (run);
  if (run->request.cidfile != NULL)
    unlink (run->request.cidfile);
  send_result (run, ending);
}

int
supervise_run (SuperviseRun *with)
{
  static Run run;

  run.with = with;
  run.file.fd = with->fds[SANDBOX_RUN_FD_OUTPUT];
  if (!begin (&run))
    {
      send_result (&run, SANDBOX_END_SETUP_FAILED);
      return 0;
    }
  for (int which = 0; which < 2; which++)
    fcntl (run.start.output[which], F_SETFL, O_NONBLOCK);
  if (run.start.words >= 0)
    fcntl (run.start.words, F_SETFL, O_NONBLOCK);
  /* A request to stop that came before the start is seen in the first round. */
  watch (&run);
  finish (&run);
  return 0;
}
