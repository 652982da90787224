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
 * @image: (nullable): Docker: the image with its digest; %NULL is SANDBOX_DEFAULT_IMAGE
 * @distribution: (nullable): WSL: the distribution; %NULL is the default one
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
  char *image;
  char *distribution;
} SandboxPolicy;

/* Compilers, git, Python and node; the person may name another one. */
#define SANDBOX_DEFAULT_IMAGE "docker.io/library/node:22-bookworm"

/* More protected or visible folders than this are refused, not left out. */
#define SANDBOX_MAX_PATHS 256

/**
 * sandbox_policy_new:
 * @project: absolute physical path of the project
 * @own: absolute physical path of the loop's folder
 *
 * @folder starts as @own, @home and @uid as this process's, @protected_paths and @visible empty.
 * The fields may be set afterwards (they are owned: g_free() before). Any thread.
 *
 * Returns: (transfer full): the policy
 */
SandboxPolicy *sandbox_policy_new (const char *project, const char *own);
SandboxPolicy *sandbox_policy_copy (const SandboxPolicy *policy);
void sandbox_policy_free (SandboxPolicy *policy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SandboxPolicy, sandbox_policy_free)

/* Where our init lies inside a bubblewrap plan; the plan binds its program there, read-only. */
#define SANDBOX_INIT_INSIDE "/run/perfica/init"

/**
 * SandboxOpen:
 * @path: absolute, with no link in it
 * @device: st_dev when the plan was made
 * @inode: st_ino when the plan was made
 * @is_folder: what it was
 *
 * A place that the run opens itself, O_PATH | O_NOFOLLOW with no link in any part of the path
 * (openat2 with RESOLVE_NO_SYMLINKS, or part by part), and compares with @device and @inode:
 * another thing there means the command is refused (SETUP_FAILED), never run.
 */
typedef struct
{
  char *path;
  guint64 device;
  guint64 inode;
  gboolean is_folder;
} SandboxOpen;

/**
 * SandboxPlan:
 * @backend: which
 * @argv: (array zero-terminated=1): the whole program line, the command last
 * @command_index: index in @argv of the first word of the command itself. Words from there on are
 *   the command's and are never looked at for placeholders
 * @args: (nullable): NUL-terminated arguments for `--args FD` (a memfd at run time)
 * @environment: (array zero-terminated=1): scrubbed, complete, TMPDIR included
 * @folder: working folder of the program line
 * @opens: (element-type SandboxOpen): what the run opens before it starts @argv
 * @needs_init: our init is pid 1; @argv has "… @INIT@ or SANDBOX_INIT_INSIDE, --init, @LIFELINE@,
 * --, COMMAND"
 * @seccomp: the filter goes to "@SECCOMP@"
 * @status: bwrap's status channel goes to "@STATUS@". Read it to its end: without an "exit-code"
 *   line the command never ran, and what is on stderr are bwrap's own words
 * @tree_is_certain: the whole tree is sure to be stopped; %FALSE is "best effort" in the record
 * @cidfile: (nullable): Docker: the file that holds the container's id once it was made. Absent
 * with exit code 125 = set-up failure. The run removes it at the end
 * @stop_argv: (nullable) (array zero-terminated=1): Docker: the program line that stops the
 * container, to be run with @environment at the limit, at cancellation and when a lifeline breaks;
 *   "@CID@" stands for the content of @cidfile (trimmed)
 * @clear_away: @stop_argv is run after every end, since nothing else removes the container
 * @traps: (nullable) (array zero-terminated=1): absolute paths that were not there when the plan
 * was made, can't be covered, and would steer the person's own git if the command made them
 *   (.git/commondir, a first .git/hooks): sandbox_plan_spring_traps() after the run
 *
 * A plan is a value: tests read it word by word with no kernel.
 *
 * Placeholders are whole words, only in @argv before @command_index and in @args:
 *
 * - "@ARGS@", "@SECCOMP@", "@STATUS@": the number of an inherited descriptor.
 * - "@INIT@": the host path of perfica-supervise. In a bubblewrap plan it is the source of the bind
 *   onto SANDBOX_INIT_INSIDE; in a plan of %SANDBOX_BACKEND_NONE also what is run, since that one
 *   sees the host's files.
 * - "@LIFELINE@": one word that our init understands (the numbers of both lifelines).
 * - "@OPEN0@", "@OPEN1@" …: the descriptor of that element of @opens.
 * - "@LIMIT@": the time limit in whole seconds (WSL: the limit also lies inside).
 *
 * Every other descriptor above 2 is closed before the command starts: bwrap itself closes those of
 * @args, @seccomp and @opens, our init the lifelines.
 */
typedef struct
{
  SandboxBackendType backend;
  char **argv;
  guint command_index;
  GByteArray *args;
  char **environment;
  char *folder;
  GPtrArray *opens;
  gboolean needs_init;
  gboolean seccomp;
  gboolean status;
  gboolean tree_is_certain;
  gboolean clear_away;
  char *cidfile;
  char **stop_argv;
  char **traps;
} SandboxPlan;

SandboxPlan *sandbox_plan_copy (const SandboxPlan *plan);
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
 * sandbox_plan_spring_traps:
 * @plan: what ran
 *
 * Renames whatever the command made at one of the plan's traps to NAME.perfica-kept, beside it, so
 * that the person's own git doesn't obey it and nothing is lost. Call it after every run. Blocking.
 *
 * Returns: (transfer full) (nullable) (array zero-terminated=1): the paths that were there, for the
 *   record and the answer; %NULL when there was none
 */
char **sandbox_plan_spring_traps (const SandboxPlan *plan);

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

SandboxDiagnosis *sandbox_diagnosis_copy (const SandboxDiagnosis *diagnosis);
void sandbox_diagnosis_free (SandboxDiagnosis *diagnosis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SandboxDiagnosis, sandbox_diagnosis_free)

/* Runs the real plan with `true`, 5 s at the most. Never blocks the caller. */
void sandbox_diagnose_async (SandboxBackendType backend,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
/**
 * sandbox_diagnose_image_async:
 * @image: (nullable): Docker: the reference that commands are to run in; %NULL is the default one
 * @environment: (nullable) (array zero-terminated=1): the person's; %NULL is this process's
 *
 * The same for what commands will really run with. Finish with sandbox_diagnose_finish().
 */
void sandbox_diagnose_image_async (SandboxBackendType backend,
                                   const char *image,
                                   const char *const *environment,
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
