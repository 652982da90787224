/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "supervise-private.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int64_t
supervise_now_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int
compare_fds (const void *a, const void *b)
{
  int left = *(const int *) a;
  int right = *(const int *) b;

  return (left > right) - (left < right);
}

static void
close_one (int fd, bool only_on_exec)
{
  if (only_on_exec)
    fcntl (fd, F_SETFD, FD_CLOEXEC);
  else
    close (fd);
}

/* Kernels before 5.9 lack close_range(), those before 5.11 its flag. */
static void
close_listed (unsigned int first, unsigned int last, bool only_on_exec)
{
  DIR *folder = opendir ("/proc/self/fd");
  const struct dirent *entry;

  if (folder == NULL)
    {
      long most = sysconf (_SC_OPEN_MAX);

      for (unsigned int fd = first; fd <= last && fd < (unsigned int) (most > 0 ? most : 4096);
           fd++)
        close_one ((int) fd, only_on_exec);
      return;
    }
  while ((entry = readdir (folder)) != NULL)
    {
      char *end;
      unsigned long fd = strtoul (entry->d_name, &end, 10);

      if (end != entry->d_name && *end == '\0' && fd >= first && fd <= last &&
          (int) fd != dirfd (folder))
        close_one ((int) fd, only_on_exec);
    }
  closedir (folder);
}

static void
close_between (unsigned int first, unsigned int last, bool only_on_exec)
{
  if (first > last)
    return;
#ifdef SYS_close_range
  if (syscall (SYS_close_range, first, last, only_on_exec ? 4u : 0u) == 0)
    return;
#endif
  close_listed (first, last, only_on_exec);
}

void
supervise_close_all_but (int *keep, size_t n_keep, bool only_on_exec)
{
  unsigned int first = 3;

  if (n_keep > 0)
    qsort (keep, n_keep, sizeof *keep, compare_fds);
  for (size_t i = 0; i < n_keep; i++)
    {
      if (keep[i] < (int) first)
        continue;
      close_between (first, (unsigned int) keep[i] - 1, only_on_exec);
      first = (unsigned int) keep[i] + 1;
    }
  close_between (first, ~0u, only_on_exec);
}

void
supervise_reset_signals (void)
{
  struct sigaction action = { .sa_handler = SIG_DFL };
  sigset_t none;

  for (int number = 1; number < NSIG; number++)
    sigaction (number, &action, NULL);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

int
supervise_block_signals (void)
{
  sigset_t all;
  sigset_t child;

  sigfillset (&all);
  sigprocmask (SIG_SETMASK, &all, NULL);
  /* An inherited SIG_IGN would have the kernel reap our children behind our back. */
  signal (SIGCHLD, SIG_DFL);
  sigemptyset (&child);
  sigaddset (&child, SIGCHLD);
  return signalfd (-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}
