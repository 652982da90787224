/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-run-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The launcher's descriptor in its own table. */
#define LAUNCHER_FD 3

struct _SandboxLauncher
{
  GObject parent_instance;

  GMutex mutex; /* of everything below but @program */
  char *program;
  int socket;
  GPid pid;
  gboolean was_lost;
};

G_DEFINE_FINAL_TYPE (SandboxLauncher, sandbox_launcher, G_TYPE_OBJECT)

static void
drop_socket (SandboxLauncher *self)
{
  if (self->socket >= 0)
    close (self->socket);
  self->socket = -1;
}

static void
sandbox_launcher_finalize (GObject *object)
{
  SandboxLauncher *self = SANDBOX_LAUNCHER (object);

  /* The launcher ends with its supervisors, and they with their trees. */
  drop_socket (self);
  g_free (self->program);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (sandbox_launcher_parent_class)->finalize (object);
}

static void
sandbox_launcher_class_init (SandboxLauncherClass *class)
{
  G_OBJECT_CLASS (class)->finalize = sandbox_launcher_finalize;
}

static void
sandbox_launcher_init (SandboxLauncher *self)
{
  g_mutex_init (&self->mutex);
  self->socket = -1;
}

static gboolean
start (SandboxLauncher *self, GError **error)
{
  /* Nothing of the app's environment: each command brings its own. */
  const char *no_environment[] = { NULL };
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) reason = NULL;
  int ends[2];

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_LAUNCHER,
                   _ ("Commands cannot be started: %s"), g_strerror (errno));
      return FALSE;
    }
  g_subprocess_launcher_set_environ (launcher, (char **) no_environment);
  g_subprocess_launcher_set_cwd (launcher, "/");
  g_subprocess_launcher_take_fd (launcher, ends[1], LAUNCHER_FD);
  process = g_subprocess_launcher_spawn (launcher, &reason, self->program, "--launch",
                                         G_STRINGIFY (LAUNCHER_FD), NULL);
  if (process == NULL)
    {
      close (ends[0]);
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_LAUNCHER,
                   _ ("Commands cannot be started: %s"), reason->message);
      return FALSE;
    }
  self->socket = ends[0];
  self->pid = (GPid) g_ascii_strtoll (g_subprocess_get_identifier (process), NULL, 10);
  return TRUE;
}

SandboxLauncher *
sandbox_launcher_new (const char *program, GError **error)
{
  g_autoptr (SandboxLauncher) self = NULL;

  g_return_val_if_fail (program != NULL, NULL);
  self = g_object_new (SANDBOX_TYPE_LAUNCHER, NULL);
  self->program = g_strdup (program);
  return start (self, error) ? g_steal_pointer (&self) : NULL;
}

static gboolean
is_gone (SandboxLauncher *self)
{
  struct pollfd end = { .fd = self->socket };

  return self->socket < 0 || (poll (&end, 1, 0) > 0 && end.revents != 0);
}

static gboolean
ensure (SandboxLauncher *self, GError **error)
{
  if (!is_gone (self))
    return TRUE;
  drop_socket (self);
  self->was_lost = TRUE;
  return start (self, error);
}

static gboolean
try_to_send (SandboxLauncher *self, guint flags, const int *fds, gsize n_fds)
{
  return sandbox_message_send (self->socket, SANDBOX_MESSAGE_RUN, flags, NULL, 0, fds, n_fds,
                               false) == 0;
}

static gboolean
send_locked (SandboxLauncher *self,
             guint flags,
             const int *fds,
             gsize n_fds,
             gboolean *again,
             GError **error)
{
  *again = FALSE;
  if (!ensure (self, error))
    return FALSE;
  if (try_to_send (self, flags, fds, n_fds))
    return TRUE;
  /* It may have died since the look. */
  if ((errno == EPIPE || errno == ECONNRESET) && ensure (self, error) &&
      try_to_send (self, flags, fds, n_fds))
    return TRUE;
  /* ETOOMANYREFS: too many descriptors are on their way at once. */
  *again = errno == EAGAIN || errno == ENOBUFS || errno == ETOOMANYREFS;
  if (error != NULL && *error == NULL)
    g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_LAUNCHER, _ ("Commands cannot be started: %s"),
                 g_strerror (errno));
  return FALSE;
}

gboolean
sandbox_launcher_send (SandboxLauncher *self,
                       guint flags,
                       const int *fds,
                       gsize n_fds,
                       gboolean *again,
                       GError **error)
{
  gboolean sent;

  g_mutex_lock (&self->mutex);
  sent = send_locked (self, flags, fds, n_fds, again, error);
  g_mutex_unlock (&self->mutex);
  return sent;
}

GPid
sandbox_launcher_get_pid (SandboxLauncher *self)
{
  GPid pid;

  g_return_val_if_fail (SANDBOX_IS_LAUNCHER (self), 0);
  g_mutex_lock (&self->mutex);
  pid = self->pid;
  g_mutex_unlock (&self->mutex);
  return pid;
}

gboolean
sandbox_launcher_was_lost (SandboxLauncher *self)
{
  gboolean lost;

  g_mutex_lock (&self->mutex);
  lost = self->was_lost || is_gone (self);
  g_mutex_unlock (&self->mutex);
  return lost;
}
