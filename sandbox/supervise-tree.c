/* Finding and ending processes where no pid namespace does it for us.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "supervise-private.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  pid_t pid;
  pid_t parent;
  bool ours;
  bool dead;
} Process;

/* pid_max is 4,194,304 at the most; a table of that many is 64 MiB. */
#define MOST_PROCESSES 4194304u

/* "PID (NAME) STATE PARENT …"; NAME may hold anything, so what counts follows the last ')'. */
static bool
read_process (int proc, const char *name, Process *process)
{
  char path[32];
  char text[512];
  const char *at;
  ssize_t length;
  int fd;

  snprintf (path, sizeof path, "%.20s/stat", name);
  fd = openat (proc, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  length = read (fd, text, sizeof text - 1);
  close (fd);
  if (length <= 0)
    return false;
  text[length] = '\0';
  at = strrchr (text, ')');
  if (at == NULL || strlen (at) < 5)
    return false;
  process->pid = (pid_t) atol (name);
  process->dead = at[2] == 'Z' || at[2] == 'X';
  process->parent = (pid_t) atol (at + 4);
  process->ours = false;
  return true;
}

static Process *
list_processes (size_t *count)
{
  DIR *proc = opendir ("/proc");
  const struct dirent *entry;
  Process *processes = NULL;
  size_t size = 0;

  *count = 0;
  if (proc == NULL)
    return NULL;
  while ((entry = readdir (proc)) != NULL && *count < MOST_PROCESSES)
    {
      if (!isdigit ((unsigned char) entry->d_name[0]))
        continue;
      if (*count == size)
        {
          Process *grown = realloc (processes, (size * 2 + 256) * sizeof *processes);

          if (grown == NULL)
            break;
          processes = grown;
          size = size * 2 + 256;
        }
      if (read_process (dirfd (proc), entry->d_name, &processes[*count]))
        ++*count;
    }
  closedir (proc);
  return processes;
}

static int
compare_processes (const void *a, const void *b)
{
  pid_t left = ((const Process *) a)->pid;
  pid_t right = ((const Process *) b)->pid;

  return (left > right) - (left < right);
}

/* Parents may come after their children, so it goes round until nothing changes. */
static void
mark_descendants (Process *processes, size_t count)
{
  pid_t self = getpid ();
  bool changed = true;

  qsort (processes, count, sizeof *processes, compare_processes);
  while (changed)
    {
      changed = false;
      for (size_t i = 0; i < count; i++)
        {
          Process key = { .pid = processes[i].parent };
          const Process *parent;

          if (processes[i].ours)
            continue;
          parent = bsearch (&key, processes, count, sizeof *processes, compare_processes);
          if (processes[i].parent == self || (parent != NULL && parent->ours))
            {
              processes[i].ours = true;
              changed = true;
            }
        }
    }
}

size_t
supervise_tree_signal (int number)
{
  size_t count;
  size_t seen = 0;
  Process *processes = list_processes (&count);

  if (processes == NULL)
    return 0;
  mark_descendants (processes, count);
  for (size_t i = 0; i < count; i++)
    if (processes[i].ours && !processes[i].dead && processes[i].pid > 1)
      {
        seen++;
        kill (processes[i].pid, number);
        if (number == SIGTERM)
          kill (processes[i].pid, SIGCONT);
      }
  free (processes);
  return seen;
}

bool
supervise_tree_kill (int milliseconds)
{
  int64_t deadline = supervise_now_us () + (int64_t) milliseconds * 1000;

  for (;;)
    {
      pid_t pid;

      /* No child means no descendant: orphans become children. Then /proc needn't be read. */
      while ((pid = waitpid (-1, NULL, WNOHANG)) > 0)
        continue;
      if (pid < 0 && errno == ECHILD)
        return true;
      if (supervise_now_us () > deadline)
        return false;
      /* What was just killed needs a moment; what keeps forking gets none. */
      if (supervise_tree_signal (SIGKILL) == 0)
        poll (NULL, 0, 1);
    }
}

size_t
supervise_tree_signal_strays (int number, const pid_t *keep, size_t n_keep)
{
  size_t count;
  size_t seen = 0;
  pid_t self = getpid ();
  Process *processes = list_processes (&count);

  for (size_t i = 0; i < count; i++)
    {
      bool kept = processes[i].parent != self || processes[i].dead;

      for (size_t k = 0; k < n_keep && !kept; k++)
        kept = keep[k] == processes[i].pid;
      if (kept)
        continue;
      seen++;
      kill (processes[i].pid, number);
    }
  free (processes);
  return seen;
}

/* ---- Control groups ---- */

/* Our own group in the unified tree, "0::/PATH". */
static bool
read_own_group (char *path, size_t size)
{
  static const char *const roots[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
  char text[4096];
  char *line;
  char *end;
  ssize_t length;
  int fd = open ("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    return false;
  length = read (fd, text, sizeof text - 1);
  close (fd);
  if (length <= 0)
    return false;
  text[length] = '\0';
  line = strncmp (text, "0::/", 4) == 0 ? text : strstr (text, "\n0::/");
  if (line == NULL)
    return false;
  line += *line == '\n' ? 4 : 3;
  end = strchr (line, '\n');
  if (end == NULL)
    return false;
  *end = '\0';
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
    {
      char probe[64];

      snprintf (probe, sizeof probe, "%s/cgroup.procs", roots[i]);
      if (access (probe, F_OK) == 0)
        return (size_t) snprintf (path, size, "%s%s", roots[i], line) < size;
    }
  return false;
}

bool
supervise_group_new (SuperviseGroup *group)
{
  char path[4200];

  group->parent = -1;
  group->folder = -1;
  if (!read_own_group (path, sizeof path))
    return false;
  group->parent = open (path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (group->parent < 0)
    return false;
  snprintf (group->name, sizeof group->name, "perfica-%ld-%lld", (long) getpid (),
            (long long) supervise_now_us ());
  if (mkdirat (group->parent, group->name, 0700) == 0)
    group->folder = openat (group->parent, group->name, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (group->folder >= 0 && faccessat (group->folder, "cgroup.kill", W_OK, 0) == 0)
    return true;
  supervise_group_kill (group);
  return false;
}

static bool
write_word (int folder, const char *name, const char *word)
{
  int fd = openat (folder, name, O_WRONLY | O_CLOEXEC);
  bool done;

  if (fd < 0)
    return false;
  done = write (fd, word, strlen (word)) > 0;
  close (fd);
  return done;
}

void
supervise_group_join (const SuperviseGroup *group)
{
  if (group->folder >= 0)
    write_word (group->folder, "cgroup.procs", "0");
}

void
supervise_group_kill (SuperviseGroup *group)
{
  if (group->folder >= 0)
    {
      write_word (group->folder, "cgroup.kill", "1");
      /* Busy until the last of it is reaped. */
      for (int i = 0; i < 200 && unlinkat (group->parent, group->name, AT_REMOVEDIR) != 0; i++)
        {
          while (waitpid (-1, NULL, WNOHANG) > 0)
            continue;
          poll (NULL, 0, 1);
        }
      close (group->folder);
    }
  else if (group->parent >= 0)
    unlinkat (group->parent, group->name, AT_REMOVEDIR);
  if (group->parent >= 0)
    close (group->parent);
  group->folder = -1;
  group->parent = -1;
}
