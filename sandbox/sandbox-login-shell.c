/* Reads the environment of the person's login shell: an app started from the desktop lacks what
 * their shell files set up (nvm, cargo).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-environment.h"

#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define LIMIT_SECONDS 10
#define LIMIT_BYTES (1024 * 1024)
/* What a shell file left running may hold the pipe open for ever. */
#define GRACE_MILLISECONDS 200
/* From being hung up on to being killed. */
#define HANGUP_MILLISECONDS 1000

typedef struct
{
  GSubprocess *process;
  GInputStream *output;
  GByteArray *bytes;
  GCancellable *stop;
  GSource *timer;
  pid_t group;
  gboolean exited;
  gboolean ended;
  gboolean bad;
  gboolean asked; /* to end */
} Reading;

static void read_more (GTask *task);
static void set_timer (GTask *task, guint milliseconds);

static void
clear_timer (Reading *reading)
{
  if (reading->timer != NULL)
    {
      g_source_destroy (reading->timer);
      g_clear_pointer (&reading->timer, g_source_unref);
    }
}

static void
reading_free (Reading *reading)
{
  clear_timer (reading);
  g_clear_object (&reading->process);
  g_clear_object (&reading->output);
  g_clear_object (&reading->stop);
  g_clear_pointer (&reading->bytes, g_byte_array_unref);
  g_free (reading);
}

/* A group of its own, so that all of it can be stopped, and no terminal to grab. */
static void
child_setup (gpointer data)
{
  setsid ();
}

static gboolean
is_name (const char *text, gsize length)
{
  if (length == 0 || g_ascii_isdigit (text[0]))
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '_')
      return FALSE;
  return TRUE;
}

/* What the shell's files print comes before the first NUL or after the last: neither counts. */
static char **
parse (const GByteArray *bytes)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  const char *at = (const char *) bytes->data;
  gsize left = bytes->len;
  gboolean has_path = FALSE;
  gboolean first = TRUE;

  while (left > 0)
    {
      const char *end = memchr (at, '\0', left);
      const char *equals;

      if (end == NULL)
        break;
      equals = memchr (at, '=', end - at);
      if (!first && equals != NULL && is_name (at, equals - at))
        {
          g_strv_builder_add (list, at);
          has_path = has_path || g_str_has_prefix (at, "PATH=/");
        }
      first = FALSE;
      left -= end + 1 - at;
      at = end + 1;
    }
  return has_path ? g_strv_builder_end (list) : NULL;
}

static void
maybe_return (GTask *task)
{
  Reading *reading = g_task_get_task_data (task);
  char **environment = NULL;

  if (!reading->exited || !reading->ended)
    return;
  clear_timer (reading);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (!reading->bad)
    environment = parse (reading->bytes);
  if (environment == NULL)
    environment = g_get_environ ();
  g_task_return_pointer (task, environment, (GDestroyNotify) g_strfreev);
}

/* What shell files run may hold a lock (pyenv's rehash does; one that is left makes each new shell
 * of the person wait a minute): it is hung up on first, and killed when it doesn't end by that. */
static void
stop_group (GTask *task)
{
  Reading *reading = g_task_get_task_data (task);

  if (reading->exited || reading->group <= 1)
    return;
  kill (-reading->group, reading->asked ? SIGKILL : SIGHUP);
  if (!reading->asked)
    set_timer (task, HANGUP_MILLISECONDS);
  reading->asked = TRUE;
}

static gboolean
on_timer (gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);
  Reading *reading = g_task_get_task_data (task);

  reading->bad = reading->bad || !reading->exited;
  stop_group (task);
  g_cancellable_cancel (reading->stop);
  return G_SOURCE_REMOVE;
}

static void
set_timer (GTask *task, guint milliseconds)
{
  Reading *reading = g_task_get_task_data (task);

  clear_timer (reading);
  reading->timer = g_timeout_source_new (milliseconds);
  g_source_set_callback (reading->timer, on_timer, g_object_ref (task), g_object_unref);
  g_source_attach (reading->timer, g_task_get_context (task));
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Reading *reading = g_task_get_task_data (task);
  g_autoptr (GBytes) piece =
      g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, NULL);
  gsize size = 0;
  const guint8 *data_read = piece != NULL ? g_bytes_get_data (piece, &size) : NULL;

  if (size == 0)
    {
      reading->ended = TRUE;
      maybe_return (task);
      return;
    }
  if (reading->bytes->len + size > LIMIT_BYTES)
    {
      reading->bad = TRUE;
      reading->ended = TRUE;
      stop_group (task);
      maybe_return (task);
      return;
    }
  g_byte_array_append (reading->bytes, data_read, size);
  read_more (task);
}

static void
read_more (GTask *task)
{
  Reading *reading = g_task_get_task_data (task);

  g_input_stream_read_bytes_async (reading->output, 65536, G_PRIORITY_DEFAULT, reading->stop,
                                   on_read, g_object_ref (task));
}

static void
on_exited (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Reading *reading = g_task_get_task_data (task);

  g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL);
  reading->exited = TRUE;
  if (!reading->ended)
    set_timer (task, GRACE_MILLISECONDS);
  maybe_return (task);
}

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  GTask *task = data;
  Reading *reading = g_task_get_task_data (task);

  stop_group (task);
  g_cancellable_cancel (reading->stop);
}

static char *
find_shell (void)
{
  const char *shell = g_getenv ("SHELL");
  struct passwd entry;
  struct passwd *found = NULL;
  g_autofree char *buffer = g_malloc (16384);

  if ((shell == NULL || !g_path_is_absolute (shell)) &&
      getpwuid_r (getuid (), &entry, buffer, 16384, &found) == 0 && found != NULL)
    shell = found->pw_shell;
  if (shell == NULL || !g_path_is_absolute (shell) || access (shell, X_OK) != 0)
    return NULL;
  if (g_str_has_suffix (shell, "/nologin") || g_str_has_suffix (shell, "/false"))
    return NULL;
  return g_strdup (shell);
}

void
sandbox_environment_read_async (GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autofree char *shell = find_shell ();
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GSubprocess) process = NULL;
  Reading *reading;

  g_task_set_source_tag (task, sandbox_environment_read_async);
  if (shell != NULL)
    {
      launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                            G_SUBPROCESS_FLAGS_STDERR_SILENCE);
      g_subprocess_launcher_set_child_setup (launcher, child_setup, NULL, NULL);
      g_subprocess_launcher_set_cwd (launcher, g_get_home_dir ());
      process =
          g_subprocess_launcher_spawn (launcher, NULL, shell, "-ilc", "printf '\\0'; env -0", NULL);
    }
  if (process == NULL)
    {
      g_task_return_pointer (task, g_get_environ (), (GDestroyNotify) g_strfreev);
      return;
    }

  reading = g_new0 (Reading, 1);
  reading->process = g_steal_pointer (&process);
  reading->output = g_object_ref (g_subprocess_get_stdout_pipe (reading->process));
  reading->bytes = g_byte_array_new ();
  reading->stop = g_cancellable_new ();
  if (g_subprocess_get_identifier (reading->process) != NULL)
    reading->group =
        (pid_t) g_ascii_strtoll (g_subprocess_get_identifier (reading->process), NULL, 10);
  g_task_set_task_data (task, reading, (GDestroyNotify) reading_free);

  set_timer (task, LIMIT_SECONDS * 1000);
  read_more (task);
  g_subprocess_wait_async (reading->process, NULL, on_exited, g_object_ref (task));
  if (cancellable != NULL)
    g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (on_cancelled), task, 0);
}

char **
sandbox_environment_read_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
