/* Runs something small, for a short time, and keeps its words.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-probe.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_WORDS 65536
/* A description of an image for every kind of computer is some hundred KiB. */
#define MAX_OUTPUT (4 * 1024 * 1024)

void
sandbox_probe_clear (SandboxProbe *probe)
{
  g_clear_pointer (&probe->output, g_bytes_unref);
  g_clear_pointer (&probe->words, g_free);
}

static void
own_group (gpointer data)
{
  setpgid (0, 0);
}

/* FALSE at its end. */
static gboolean
read_some (int fd, GByteArray *bytes, guint max)
{
  guint8 buffer[4096];
  gssize got = read (fd, buffer, sizeof buffer);

  if (got < 0 && (errno == EINTR || errno == EAGAIN))
    return TRUE;
  if (got <= 0)
    return FALSE;
  if (bytes->len + got <= max)
    g_byte_array_append (bytes, buffer, got);
  return TRUE;
}

/* Reads both pipes to their ends. FALSE when the time is up or somebody asked. */
static gboolean
read_both (int out, int err, GByteArray *bytes[2], gint64 deadline, GCancellable *cancellable)
{
  struct pollfd fds[3] = { { .fd = out, .events = POLLIN }, { .fd = err, .events = POLLIN } };

  fds[2].fd = cancellable != NULL ? g_cancellable_get_fd (cancellable) : -1;
  fds[2].events = POLLIN;
  while (fds[0].fd >= 0 || fds[1].fd >= 0)
    {
      gint64 left = (deadline - g_get_monotonic_time ()) / 1000;

      if (left <= 0 || g_cancellable_is_cancelled (cancellable))
        break;
      if (poll (fds, 3, (int) left) < 0 && errno != EINTR)
        break;
      for (guint i = 0; i < 2; i++)
        if (fds[i].fd >= 0 && (fds[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0 &&
            !read_some (fds[i].fd, bytes[i], i == 0 ? MAX_OUTPUT : MAX_WORDS))
          fds[i].fd = -1;
    }
  if (cancellable != NULL && fds[2].fd >= 0)
    g_cancellable_release_fd (cancellable);
  return fds[0].fd < 0 && fds[1].fd < 0;
}

/* The pipes are at their end: the process is about to be. */
static gboolean
wait_for (GPid pid, int *status, gint64 deadline)
{
  while (waitpid (pid, status, WNOHANG) == 0)
    {
      if (g_get_monotonic_time () > deadline)
        return FALSE;
      g_usleep (1000);
    }
  return TRUE;
}

void
sandbox_probe_run (SandboxProbe *probe,
                   const char *const *argv,
                   const char *const *environment,
                   const int *fds,
                   guint seconds,
                   GCancellable *cancellable)
{
  gint64 deadline = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  GByteArray *bytes[2] = { g_byte_array_new (), g_byte_array_new () };
  g_autoptr (GError) error = NULL;
  int targets[16];
  guint n_fds = 0;
  int out = -1;
  int err = -1;
  int status = 0;
  GPid pid;

  for (; fds != NULL && fds[n_fds] >= 0 && n_fds < G_N_ELEMENTS (targets); n_fds++)
    targets[n_fds] = SANDBOX_PROBE_FIRST_FD + (int) n_fds;
  memset (probe, 0, sizeof *probe);
  probe->status = -1;
  if (g_spawn_async_with_pipes_and_fds ("/", argv, environment,
                                        G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, own_group,
                                        NULL, -1, -1, -1, fds, n_fds > 0 ? targets : NULL, n_fds,
                                        &pid, NULL, &out, &err, &error))
    {
      if (read_both (out, err, bytes, deadline, cancellable) && wait_for (pid, &status, deadline))
        {
          probe->status = WIFEXITED (status) ? WEXITSTATUS (status) : -1;
        }
      else
        {
          probe->timed_out = !g_cancellable_is_cancelled (cancellable);
          kill (-pid, SIGKILL);
          kill (pid, SIGKILL);
          waitpid (pid, &status, 0);
        }
      close (out);
      close (err);
      g_spawn_close_pid (pid);
    }
  for (guint i = 0; i < n_fds; i++)
    close (fds[i]);
  probe->output = g_byte_array_free_to_bytes (bytes[0]);
  probe->words = error != NULL
                     ? g_strdup (error->message)
                     : g_utf8_make_valid (bytes[1]->len > 0 ? (const char *) bytes[1]->data : "",
                                          bytes[1]->len);
  g_byte_array_unref (bytes[1]);
}

static int
memory_file (const char *name, gconstpointer data, gsize size)
{
  int fd = memfd_create (name, MFD_CLOEXEC);

  if (fd >= 0 && (write (fd, data, size) != (gssize) size || lseek (fd, 0, SEEK_SET) != 0))
    {
      close (fd);
      return -1;
    }
  return fd;
}

enum
{
  FD_ARGS,
  FD_SECCOMP,
  FD_STATUS,
  N_FDS,
};

/* Descriptors by name: the places are opened by bwrap itself here. */
static char *
resolve (const SandboxPlan *plan, const char *word)
{
  static const char *const numbered[] = { "@ARGS@", "@SECCOMP@", "@STATUS@" };

  for (guint i = 0; i < G_N_ELEMENTS (numbered); i++)
    if (g_str_equal (word, numbered[i]))
      return g_strdup_printf ("%u", SANDBOX_PROBE_FIRST_FD + i);
  if (g_str_equal (word, "@INIT@"))
    return g_strdup ("/usr/bin/true");
  if (g_str_equal (word, "--bind-fd"))
    return g_strdup ("--bind");
  if (g_str_equal (word, "--ro-bind-fd"))
    return g_strdup ("--ro-bind");
  if (g_str_has_prefix (word, "@OPEN"))
    {
      guint64 index = g_ascii_strtoull (word + 5, NULL, 10);

      if (index < plan->opens->len)
        return g_strdup (((SandboxOpen *) g_ptr_array_index (plan->opens, index))->path);
    }
  return g_strdup (word);
}

gboolean
sandbox_probe_plan (SandboxProbe *probe,
                    const SandboxPlan *plan,
                    GCancellable *cancellable,
                    GError **error)
{
  static const struct sock_filter allow[] = { { BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW } };
  g_autoptr (GByteArray) args = g_byte_array_new ();
  SandboxWords *words = sandbox_words_new ();
  g_auto (GStrv) argv = NULL;
  int fds[N_FDS + 1];

  for (gsize at = 0; plan->args != NULL && at < plan->args->len;)
    {
      const char *word = (const char *) plan->args->data + at;
      g_autofree char *resolved = resolve (plan, word);

      g_byte_array_append (args, (const guint8 *) resolved, strlen (resolved) + 1);
      at += strlen (word) + 1;
    }
  for (guint i = 0; plan->argv[i] != NULL; i++)
    g_ptr_array_add (words, i < plan->command_index ? resolve (plan, plan->argv[i])
                                                    : g_strdup (plan->argv[i]));
  argv = sandbox_words_end (words);

  fds[FD_ARGS] = memory_file ("args", args->data, args->len);
  fds[FD_SECCOMP] = memory_file ("seccomp", allow, sizeof allow);
  fds[FD_STATUS] = memory_file ("status", "", 0);
  fds[N_FDS] = -1;
  for (guint i = 0; i < N_FDS; i++)
    if (fds[i] < 0)
      {
        g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_SETUP, "memfd_create: %s",
                     g_strerror (errno));
        for (guint j = 0; j < N_FDS; j++)
          if (fds[j] >= 0)
            close (fds[j]);
        return FALSE;
      }
  sandbox_probe_run (probe, (const char *const *) argv, (const char *const *) plan->environment,
                     fds, SANDBOX_PROBE_SECONDS, cancellable);
  return TRUE;
}
