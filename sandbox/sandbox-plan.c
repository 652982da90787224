/* Plans as values, and which backend makes them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-backend.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

static const SandboxBackend *const backends[] = {
  &sandbox_backend_none,         &sandbox_backend_bubblewrap, &sandbox_backend_docker,
  &sandbox_backend_sandbox_exec, &sandbox_backend_wsl,
};

const SandboxBackend *
sandbox_backend_find (SandboxBackendType type)
{
  for (guint i = 0; i < G_N_ELEMENTS (backends); i++)
    if (backends[i]->type == type)
      return backends[i];
  return NULL;
}

const SandboxBackendType *
sandbox_backends (void)
{
#if defined(__APPLE__)
  static const SandboxBackendType here[] = { SANDBOX_BACKEND_SANDBOX_EXEC, SANDBOX_BACKEND_NONE };
#elif defined(_WIN32)
  static const SandboxBackendType here[] = { SANDBOX_BACKEND_WSL, SANDBOX_BACKEND_DOCKER,
                                             SANDBOX_BACKEND_NONE };
#else
  static const SandboxBackendType here[] = { SANDBOX_BACKEND_BUBBLEWRAP, SANDBOX_BACKEND_DOCKER,
                                             SANDBOX_BACKEND_NONE };
#endif

  return here;
}

const char *
sandbox_backend_to_string (SandboxBackendType backend)
{
  const SandboxBackend *found = sandbox_backend_find (backend);

  return found != NULL ? found->name : "none";
}

SandboxBackendType
sandbox_backend_from_string (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (backends); i++)
    if (g_strcmp0 (backends[i]->name, name) == 0)
      return backends[i]->type;
  return SANDBOX_BACKEND_NONE;
}

/* ---- Words ---- */

SandboxWords *
sandbox_words_new (void)
{
  return g_ptr_array_new_with_free_func (g_free);
}

void
sandbox_words_add (SandboxWords *words, ...)
{
  va_list list;
  const char *word;

  va_start (list, words);
  while ((word = va_arg (list, const char *)) != NULL)
    g_ptr_array_add (words, g_strdup (word));
  va_end (list);
}

char **
sandbox_words_end (SandboxWords *words)
{
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

GByteArray *
sandbox_words_end_args (SandboxWords *words)
{
  GByteArray *args = g_byte_array_new ();

  for (guint i = 0; i < words->len; i++)
    {
      const char *word = g_ptr_array_index (words, i);

      g_byte_array_append (args, (const guint8 *) word, strlen (word) + 1);
    }
  g_ptr_array_unref (words);
  return args;
}

/* ---- Plans ---- */

static void
open_free (gpointer data)
{
  SandboxOpen *place = data;

  g_free (place->path);
  g_free (place);
}

SandboxPlan *
sandbox_plan_alloc (SandboxBackendType backend, const SandboxPolicy *policy)
{
  SandboxPlan *plan = g_new0 (SandboxPlan, 1);

  plan->backend = backend;
  plan->folder = g_strdup (policy->folder);
  plan->opens = g_ptr_array_new_with_free_func (open_free);
  return plan;
}

void
sandbox_plan_set_argv (SandboxPlan *plan, SandboxWords *words, const char *const *argv)
{
  plan->command_index = words->len;
  for (guint i = 0; argv[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (argv[i]));
  plan->argv = sandbox_words_end (words);
}

char *
sandbox_plan_open (SandboxPlan *plan, const char *path, GError **error)
{
  SandboxOpen *place;
  struct stat status;

  if (lstat (path, &status) != 0)
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE, _ ("“%s” can't be used: %s"), path,
                   g_strerror (errno));
      return NULL;
    }
  if (S_ISLNK (status.st_mode))
    {
      g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_UNSAFE, _ ("“%s” is a link"), path);
      return NULL;
    }
  place = g_new0 (SandboxOpen, 1);
  place->path = g_strdup (path);
  place->device = status.st_dev;
  place->inode = status.st_ino;
  place->is_folder = S_ISDIR (status.st_mode);
  g_ptr_array_add (plan->opens, place);
  return g_strdup_printf ("@OPEN%u@", plan->opens->len - 1);
}

char **
sandbox_plan_environment (const SandboxPolicy *policy, const char *const *environment)
{
  char **result = environment != NULL ? g_strdupv ((char **) environment) : g_new0 (char *, 1);

  result = g_environ_setenv (result, "PWD", policy->folder, TRUE);
  if (policy->tmpdir != NULL)
    result = g_environ_setenv (result, "TMPDIR", policy->tmpdir, TRUE);
  return result;
}

SandboxPlan *
sandbox_plan_copy (const SandboxPlan *plan)
{
  SandboxPlan *copy = g_new0 (SandboxPlan, 1);

  *copy = *plan;
  copy->argv = g_strdupv (plan->argv);
  copy->environment = g_strdupv (plan->environment);
  copy->stop_argv = g_strdupv (plan->stop_argv);
  copy->traps = g_strdupv (plan->traps);
  copy->folder = g_strdup (plan->folder);
  copy->cidfile = g_strdup (plan->cidfile);
  copy->args = NULL;
  if (plan->args != NULL)
    {
      copy->args = g_byte_array_sized_new (plan->args->len);
      g_byte_array_append (copy->args, plan->args->data, plan->args->len);
    }
  copy->opens = g_ptr_array_new_with_free_func (open_free);
  for (guint i = 0; plan->opens != NULL && i < plan->opens->len; i++)
    {
      SandboxOpen *place = g_memdup2 (g_ptr_array_index (plan->opens, i), sizeof *place);

      place->path = g_strdup (place->path);
      g_ptr_array_add (copy->opens, place);
    }
  return copy;
}

void
sandbox_plan_free (SandboxPlan *plan)
{
  if (plan == NULL)
    return;
  g_strfreev (plan->argv);
  g_strfreev (plan->environment);
  g_strfreev (plan->stop_argv);
  g_strfreev (plan->traps);
  g_clear_pointer (&plan->args, g_byte_array_unref);
  g_clear_pointer (&plan->opens, g_ptr_array_unref);
  g_free (plan->folder);
  g_free (plan->cidfile);
  g_free (plan);
}

SandboxPlan *
sandbox_plan_new (SandboxBackendType backend,
                  const SandboxPolicy *policy,
                  const char *const *environment,
                  const char *const *argv,
                  GError **error)
{
  const SandboxBackend *found = sandbox_backend_find (backend);

  g_return_val_if_fail (policy != NULL, NULL);
  g_return_val_if_fail (argv != NULL && argv[0] != NULL, NULL);
  if (found == NULL)
    {
      g_set_error_literal (error, SANDBOX_ERROR, SANDBOX_ERROR_UNAVAILABLE,
                           _ ("There is no such sandbox"));
      return NULL;
    }
  return found->plan (policy, environment, argv, error);
}

char *
sandbox_explain_failure (const SandboxPlan *plan,
                         const SandboxPolicy *policy,
                         int exit_code,
                         const char *output)
{
  const SandboxBackend *found = sandbox_backend_find (plan->backend);

  if (found == NULL || found->explain == NULL || output == NULL)
    return NULL;
  return found->explain (plan, policy, exit_code, output);
}
