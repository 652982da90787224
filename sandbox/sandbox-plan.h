/* From a policy to a plan: what confines a command, as data.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define SANDBOX_ERROR (sandbox_error_quark ())

/**
 * SandboxError:
 * @SANDBOX_ERROR_UNAVAILABLE: the backend isn't ready; the message says what to do
 * @SANDBOX_ERROR_UNSAFE: a folder is not what the policy says (a link, gone, not a folder)
 * @SANDBOX_ERROR_SETUP: the confinement could not be set up; the command never ran
 * @SANDBOX_ERROR_LAUNCHER: the launcher is gone or can't be started
 */
typedef enum
{
  SANDBOX_ERROR_UNAVAILABLE,
  SANDBOX_ERROR_UNSAFE,
  SANDBOX_ERROR_SETUP,
  SANDBOX_ERROR_LAUNCHER,
} SandboxError;
GQuark sandbox_error_quark (void);

typedef enum
{
  SANDBOX_BACKEND_NONE, /* not confined; still in a pid namespace where the system grants one */
  SANDBOX_BACKEND_BUBBLEWRAP,
  SANDBOX_BACKEND_DOCKER,
  SANDBOX_BACKEND_SANDBOX_EXEC,
  SANDBOX_BACKEND_WSL,
} SandboxBackendType;

/**
 * SandboxPolicy:
 * @project: absolute physical path
 * @own: absolute physical path of the loop's folder, inside or equal to @project: writable
 * @protected_paths: (array zero-terminated=1): absolute; other loops' folders below @own, the app's
 * folder
 * @visible: (array zero-terminated=1): "Also visible, read-only"
 * @folder: where the command starts, absolute, inside @project
 * @home: the person's home
 * @tmpdir: (nullable): the fresh TMPDIR on the host, bound writable at the same path
 * @uid: whose
 * @best_effort_tree: Board settings: "Stop whole process trees: best effort"
 *
 * What must hold; knows nothing of boards.
 */
typedef struct
{
  char *project;
  char *own;
  char **protected_paths;
  char **visible;
  char *folder;
  char *home;
  char *tmpdir;
  guint uid;
  gboolean best_effort_tree;
} SandboxPolicy;

SandboxPolicy *sandbox_policy_new (const char *project, const char *own);
void sandbox_policy_free (SandboxPolicy *policy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SandboxPolicy, sandbox_policy_free)

/**
 * SandboxPlan:
 * @backend: which
 * @argv: (array zero-terminated=1): the whole program line, the command last
 * @args: (nullable): NUL-separated arguments for `--args FD` (a memfd at run time); "@ARGS@" stands
 * for FD in @argv
 * @environment: (array zero-terminated=1): scrubbed, complete
 * @folder: working folder of the program line
 * @needs_init: our init is pid 1 ("@INIT@", "@LIFELINE@" in @argv/@args stand for its path and
 * descriptors)
 * @seccomp: the filter goes to "@SECCOMP@"
 * @status: bwrap's status channel goes to "@STATUS@"
 * @tree_is_certain: the whole tree is sure to be stopped; %FALSE is "best effort" in the record
 *
 * A plan is a value: tests read it word by word with no kernel.
 */
typedef struct
{
  SandboxBackendType backend;
  char **argv;
  GByteArray *args;
  char **environment;
  char *folder;
  gboolean needs_init;
  gboolean seccomp;
  gboolean status;
  gboolean tree_is_certain;
  char *cidfile;
} SandboxPlan;

void sandbox_plan_free (SandboxPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SandboxPlan, sandbox_plan_free)

/**
 * sandbox_plan_new:
 * @backend: what confines it
 * @policy: what must hold
 * @environment: already scrubbed
 * @argv: the command: an argv, or `bash --norc --noprofile -p -c TEXT`
 *
 * Blocking (looks at the disk): call it on a worker.
 *
 * Returns: (transfer full): the plan, or %NULL with a %SANDBOX_ERROR
 */
SandboxPlan *sandbox_plan_new (SandboxBackendType backend,
                               const SandboxPolicy *policy,
                               const char *const *environment,
                               const char *const *argv,
                               GError **error);

/**
 * SandboxDiagnosis:
 * @backend: which
 * @ready: commands can be confined with it
 * @summary: its state in one sentence (a gettext msgid)
 * @step: (nullable): the one step, a sentence
 * @command: (nullable): the exact command to copy
 * @warning: (nullable): what the step weakens
 * @detail: (nullable): the program's own words
 */
typedef struct
{
  SandboxBackendType backend;
  gboolean ready;
  char *summary;
  char *step;
  char *command;
  char *warning;
  char *detail;
} SandboxDiagnosis;

void sandbox_diagnosis_free (SandboxDiagnosis *diagnosis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SandboxDiagnosis, sandbox_diagnosis_free)

/* Runs the real plan with `true`, 5 s at the most. Never blocks the caller. */
void sandbox_diagnose_async (SandboxBackendType backend,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
SandboxDiagnosis *sandbox_diagnose_finish (GAsyncResult *result, GError **error);

/* The backends this system has, the default first; ends with SANDBOX_BACKEND_NONE. */
const SandboxBackendType *sandbox_backends (void);
const char *sandbox_backend_to_string (SandboxBackendType backend); /* "bubblewrap" … */
SandboxBackendType sandbox_backend_from_string (const char *name);

/**
 * sandbox_explain_failure:
 * @plan: what ran
 * @policy: under what
 * @exit_code: how it ended
 * @output: the end of what it printed
 *
 * Returns: (transfer full) (nullable): a sentence, marked as likely, when the output shows that
 *   the confinement made it fail ("no network inside the sandbox", the path and why it is
 * read-only)
 */
char *sandbox_explain_failure (const SandboxPlan *plan,
                               const SandboxPolicy *policy,
                               int exit_code,
                               const char *output);

G_END_DECLS
