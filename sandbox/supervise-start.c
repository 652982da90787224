/* From a request to a running program line: descriptors, placeholders, the first process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "supervise-private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Each way out of the limits that sandbox-plan.h sets. */
#define MOST_OPENS 1024
#define MOST_KEPT (MOST_OPENS + 8)

typedef struct
{
  const SuperviseRun *run;
  const SandboxRequest *request;
  int *opens;
  int args;
  int seccomp;
  int status;
  int lifeline[2];
  int report[2];
  int words[2];
  int output[2][2];
  SandboxReason reason;
  char *detail;
  char numbers[8][64]; /* the words that placeholders become */
  char (*open_numbers)[16];
} Start;

static bool
fail (Start *start, SandboxReason reason, const char *what, int error)
{
  start->reason = reason;
  if (what != NULL && error != 0)
    snprintf (start->detail, SANDBOX_DETAIL_MAX, "%.3500s: %s", what, strerror (error));
  else
    snprintf (start->detail, SANDBOX_DETAIL_MAX, "%.3500s", what != NULL ? what : strerror (error));
  return false;
}

/* ---- Places that are handed over open ---- */

static int
open_without_links_by_parts (const char *path)
{
  int folder = open ("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  char *copy = strdup (path);
  char *rest = NULL;

  for (char *part = copy != NULL ? strtok_r (copy, "/", &rest) : NULL; part != NULL && folder >= 0;
       part = strtok_r (NULL, "/", &rest))
    {
      int next =
          strcmp (part, "..") == 0 ? -1 : openat (folder, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);

      close (folder);
      folder = next;
    }
  free (copy);
  return folder;
}

static int
open_without_links (const char *path)
{
#ifdef SYS_openat2
  struct open_how how = { .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
                          .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS };
  int fd = (int) syscall (SYS_openat2, AT_FDCWD, path, &how, sizeof how);

  if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
    return fd;
#endif
  return open_without_links_by_parts (path);
}

static bool
open_place (const SandboxRequestOpen *place, int *fd)
{
  struct stat now;

  *fd = place->path[0] == '/' ? open_without_links (place->path) : -1;
  return *fd >= 0 && fstat (*fd, &now) == 0 && !S_ISLNK (now.st_mode) &&
         (uint64_t) now.st_dev == place->device && (uint64_t) now.st_ino == place->inode &&
         S_ISDIR (now.st_mode) == place->is_folder;
}

static bool
open_places (Start *start)
{
  const SandboxRequest *request = start->request;

  if (request->n_opens > MOST_OPENS)
    return fail (start, SANDBOX_REASON_REQUEST, "", 0);
  start->opens = calloc (request->n_opens + 1, sizeof *start->opens);
  start->open_numbers = calloc (request->n_opens + 1, sizeof *start->open_numbers);
  if (start->opens == NULL || start->open_numbers == NULL)
    return fail (start, SANDBOX_REASON_SYSTEM, NULL, ENOMEM);
  for (size_t i = 0; i < request->n_opens; i++)
    {
      if (!open_place (&request->opens[i], &start->opens[i]))
        return fail (start, SANDBOX_REASON_PLACE, request->opens[i].path, 0);
      snprintf (start->open_numbers[i], sizeof *start->open_numbers, "%d", start->opens[i]);
    }
  return true;
}

/* ---- Placeholders ---- */

enum
{
  WORD_ARGS,
  WORD_SECCOMP,
  WORD_STATUS,
  WORD_LIFELINE,
  WORD_LIMIT,
};

static const char *
resolve (const Start *start, const char *word)
{
  size_t length = strlen (word);

  if (length < 3 || word[0] != '@' || word[length - 1] != '@')
    return word;
  if (strcmp (word, "@INIT@") == 0)
    return start->run->program;
  if (strcmp (word, "@ARGS@") == 0)
    return start->numbers[WORD_ARGS];
  if (strcmp (word, "@SECCOMP@") == 0)
    return start->numbers[WORD_SECCOMP];
  if (strcmp (word, "@STATUS@") == 0)
    return start->numbers[WORD_STATUS];
  if (strcmp (word, "@LIFELINE@") == 0)
    return start->numbers[WORD_LIFELINE];
  if (strcmp (word, "@LIMIT@") == 0)
    return start->numbers[WORD_LIMIT];
  if (strncmp (word, "@OPEN", 5) == 0)
    {
      char *end;
      unsigned long index = strtoul (word + 5, &end, 10);

      if (end != word + 5 && strcmp (end, "@") == 0 && index < start->request->n_opens)
        return start->open_numbers[index];
    }
  return word;
}

static bool
write_whole (int fd, const char *data, size_t length)
{
  while (length > 0)
    {
      ssize_t done = write (fd, data, length);

      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        return false;
      data += done;
      length -= (size_t) done;
    }
  return true;
}

/* The words after --args lie in memory, not in /proc/1/cmdline. */
static bool
write_args (Start *start)
{
  const SandboxRequest *request = start->request;
  const char *end = request->args + request->args_length;
  FILE *file = fdopen (dup (start->args), "w");

  if (file == NULL)
    return fail (start, SANDBOX_REASON_SYSTEM, NULL, errno);
  for (const char *word = request->args; word < end; word += strlen (word) + 1)
    {
      const char *resolved = resolve (start, word);

      fwrite (resolved, 1, strlen (resolved) + 1, file);
    }
  if (fclose (file) != 0 || lseek (start->args, 0, SEEK_SET) != 0)
    return fail (start, SANDBOX_REASON_SYSTEM, NULL, errno);
  return true;
}

static char **
resolve_argv (const Start *start)
{
  const SandboxRequest *request = start->request;
  size_t words = 0;
  char **argv;

  while (request->argv[words] != NULL)
    words++;
  argv = calloc (words + 1, sizeof *argv);
  for (size_t i = 0; argv != NULL && i < words; i++)
    argv[i] =
        i < request->command_index ? (char *) resolve (start, request->argv[i]) : request->argv[i];
  return argv;
}

/* ---- Descriptors ---- */

/* The filter's own position: a descriptor shared with other runs would share theirs. Opening it
 * anew through /proc takes 0.3 ms, most of it when the kernel forgets what was looked up there. */
static int
copy_filter (int seccomp)
{
  int copy = seccomp < 0 ? -1 : memfd_create ("perfica-filter", MFD_CLOEXEC);
  char piece[4096];
  off_t offset = 0;
  ssize_t got = 0;

  while (copy >= 0 && (got = pread (seccomp, piece, sizeof piece, offset)) > 0 &&
         write_whole (copy, piece, (size_t) got))
    offset += got;
  if (copy >= 0 && got == 0 && offset > 0 && lseek (copy, 0, SEEK_SET) == 0)
    return copy;
  if (copy >= 0)
    close (copy);
  return -1;
}

static bool
make_descriptors (Start *start)
{
  const SandboxRequest *request = start->request;
  bool made = pipe2 (start->lifeline, O_CLOEXEC) == 0 && pipe2 (start->report, O_CLOEXEC) == 0 &&
              pipe2 (start->output[0], O_CLOEXEC) == 0 && pipe2 (start->output[1], O_CLOEXEC) == 0;

  if (made && (request->flags & SANDBOX_REQUEST_INIT) != 0)
    made = pipe2 (start->words, O_CLOEXEC) == 0;
  if (made && (request->flags & SANDBOX_REQUEST_STATUS) != 0)
    made = (start->status = memfd_create ("perfica-status", MFD_CLOEXEC)) >= 0;
  if (made && request->args != NULL)
    made = (start->args = memfd_create ("perfica-args", MFD_CLOEXEC)) >= 0;
  if (!made)
    return fail (start, SANDBOX_REASON_SYSTEM, NULL, errno);
  if ((request->flags & SANDBOX_REQUEST_SECCOMP) != 0 &&
      (start->seccomp = copy_filter (start->run->seccomp)) < 0)
    return fail (start, SANDBOX_REASON_SYSTEM, "seccomp", errno);
  return true;
}

static void
name_descriptors (Start *start)
{
  snprintf (start->numbers[WORD_ARGS], sizeof *start->numbers, "%d", start->args);
  snprintf (start->numbers[WORD_SECCOMP], sizeof *start->numbers, "%d", start->seccomp);
  snprintf (start->numbers[WORD_STATUS], sizeof *start->numbers, "%d", start->status);
  snprintf (start->numbers[WORD_LIMIT], sizeof *start->numbers, "%u",
            (unsigned int) start->request->limit_seconds);
  snprintf (start->numbers[WORD_LIFELINE], sizeof *start->numbers, "%d,%d,%d,%d",
            start->run->fds[SANDBOX_RUN_FD_LIFELINE], start->lifeline[0], start->report[1],
            start->output[1][1]);
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

/* ---- The first process ---- */

static void
report_failure (const Start *start, SuperviseReportKind kind)
{
  SuperviseReport report = { kind, errno, 0 };

  write_whole (start->report[1], (const char *) &report, sizeof report);
  _exit (127);
}

static void
keep_for_exec (const Start *start)
{
  int keep[MOST_KEPT];
  size_t n_keep = 0;
  const int ours[] = {
    start->args,        start->seccomp,      start->status,
    start->report[1],   start->output[1][1], start->run->fds[SANDBOX_RUN_FD_LIFELINE],
    start->lifeline[0],
  };

  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (ours[i] >= 0)
      keep[n_keep++] = ours[i];
  for (size_t i = 0; i < start->request->n_opens; i++)
    keep[n_keep++] = start->opens[i];
  for (size_t i = 0; i < n_keep; i++)
    fcntl (keep[i], F_SETFD, 0);
  supervise_close_all_but (keep, n_keep, true);
}

static void
run_program (const Start *start, char **argv)
{
  const SandboxRequest *request = start->request;
  bool with_init = (request->flags & SANDBOX_REQUEST_INIT) != 0;
  int null = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  SuperviseInit init = { .app = start->run->fds[SANDBOX_RUN_FD_LIFELINE],
                         .supervisor = start->lifeline[0],
                         .report = start->report[1],
                         .command_stderr = start->output[1][1],
                         .argv = argv,
                         .stop_argv = request->stop_argv,
                         .cidfile = request->cidfile,
                         .clear_away = (request->flags & SANDBOX_REQUEST_CLEAR_AWAY) != 0 };

  if (null < 0 || dup2 (null, STDIN_FILENO) < 0 || dup2 (start->output[0][1], STDOUT_FILENO) < 0 ||
      dup2 (with_init ? start->words[1] : start->output[1][1], STDERR_FILENO) < 0)
    report_failure (start, SUPERVISE_REPORT_START_FAILED);
  if (chdir (request->folder) != 0)
    report_failure (start, SUPERVISE_REPORT_FOLDER_FAILED);
  environ = request->environment;
  if (!with_init)
    {
      /* No namespace of ours holds this one: a process of ours watches it from outside. */
      int keep[] = { init.app, init.supervisor, init.report, init.command_stderr };

      supervise_close_all_but (keep, sizeof keep / sizeof *keep, false);
      _exit (supervise_init (&init));
    }
  supervise_reset_signals ();
  keep_for_exec (start);
  execvp (argv[0], argv);
  report_failure (start, SUPERVISE_REPORT_START_FAILED);
}

static bool
fork_program (Start *start, pid_t *pid)
{
  char **argv = resolve_argv (start);

  if (argv == NULL)
    return fail (start, SANDBOX_REASON_SYSTEM, NULL, ENOMEM);
  *pid = fork ();
  if (*pid == 0)
    run_program (start, argv);
  free (argv);
  return *pid > 0 || fail (start, SANDBOX_REASON_SYSTEM, NULL, errno);
}

bool
supervise_start (const SuperviseRun *run,
                 const SandboxRequest *request,
                 SuperviseStart *result,
                 SandboxReason *reason,
                 char detail[SANDBOX_DETAIL_MAX])
{
  Start start = { .run = run,
                  .request = request,
                  .args = -1,
                  .seccomp = -1,
                  .status = -1,
                  .lifeline = { -1, -1 },
                  .report = { -1, -1 },
                  .words = { -1, -1 },
                  .output = { { -1, -1 }, { -1, -1 } },
                  .detail = detail };
  bool started = open_places (&start) && make_descriptors (&start);

  if (started)
    {
      name_descriptors (&start);
      started =
          (request->args == NULL || write_args (&start)) && fork_program (&start, &result->pid);
    }
  *reason = start.reason;
  close_fd (&start.args);
  close_fd (&start.seccomp);
  close_fd (&start.lifeline[0]);
  close_fd (&start.report[1]);
  close_fd (&start.words[1]);
  close_fd (&start.output[0][1]);
  close_fd (&start.output[1][1]);
  for (size_t i = 0; start.opens != NULL && i < request->n_opens; i++)
    if (start.opens[i] > 0)
      close (start.opens[i]);
  free (start.opens);
  free (start.open_numbers);
  result->lifeline = start.lifeline[1];
  result->report = start.report[0];
  result->words = start.words[0];
  result->status = start.status;
  result->output[0] = start.output[0][0];
  result->output[1] = start.output[1][0];
  return started;
}
