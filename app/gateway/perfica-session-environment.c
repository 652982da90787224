/* The person's login shell's environment, read once for each life of the gateway.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-session-environment.h"

#include "sandbox-environment.h"

struct _PerficaSessionEnvironment
{
  char **values;
  GPtrArray *waiting; /* GTask */
  GCancellable *cancellable;
};

static void
answer_all (PerficaSessionEnvironment *self)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->waiting);

  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiting->len; i++)
    g_task_return_pointer (waiting->pdata[i], g_strdupv (self->values),
                           (GDestroyNotify) g_strfreev);
}

static void
was_read (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  char **values = sandbox_environment_read_finish (result, &error);
  PerficaSessionEnvironment *self;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) /* it is freed */
    return;
  self = data;
  self->values = values ? values : g_get_environ ();
  answer_all (self);
}

PerficaSessionEnvironment *
perfica_session_environment_new (void)
{
  PerficaSessionEnvironment *self = g_new0 (PerficaSessionEnvironment, 1);

  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  self->cancellable = g_cancellable_new ();
  sandbox_environment_read_async (self->cancellable, was_read, self);
  return self;
}

void
perfica_session_environment_free (PerficaSessionEnvironment *self)
{
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  if (!self->values)
    self->values = g_get_environ ();
  answer_all (self);
  g_ptr_array_unref (self->waiting);
  g_strfreev (self->values);
  g_free (self);
}

void
perfica_session_environment_get_async (PerficaSessionEnvironment *self,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data)
{
  g_ptr_array_add (self->waiting, g_task_new (NULL, NULL, callback, user_data));
  if (self->values)
    answer_all (self);
}

char **
perfica_session_environment_get_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
