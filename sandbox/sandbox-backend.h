/* What every backend gives, and what they share. Private to this room and its tests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sandbox-docker.h"
#include "sandbox-plan.h"

G_BEGIN_DECLS

/**
 * SandboxWishes:
 * @image: (nullable): Docker's image
 * @environment: (array zero-terminated=1): the person's
 *
 * What a probe is to try with.
 */
typedef struct
{
  char *image;
  char **environment;
} SandboxWishes;

/**
 * SandboxBackend:
 * @type: which
 * @name: as it is written to settings and records
 * @probe: whether it can confine; blocking, 5 s at the most; call it on a worker
 * @plan: from a policy to a plan; blocking (looks at the disk)
 * @explain: (nullable): what the confinement did to a command that failed
 */
typedef struct
{
  SandboxBackendType type;
  const char *name;
  SandboxDiagnosis *(*probe) (const SandboxWishes *wishes, GCancellable *cancellable);
  SandboxPlan *(*plan) (const SandboxPolicy *policy,
                        const char *const *environment,
                        const char *const *argv,
                        GError **error);
  char *(*explain) (const SandboxPlan *plan,
                    const SandboxPolicy *policy,
                    int exit_code,
                    const char *output);
} SandboxBackend;

/* NULL for none that is known. */
const SandboxBackend *sandbox_backend_find (SandboxBackendType type);

extern const SandboxBackend sandbox_backend_none;
extern const SandboxBackend sandbox_backend_bubblewrap;
extern const SandboxBackend sandbox_backend_docker;
extern const SandboxBackend sandbox_backend_sandbox_exec;
extern const SandboxBackend sandbox_backend_wsl;

#define SANDBOX_BWRAP "/usr/bin/bwrap"
#define SANDBOX_PROBE_SECONDS 5

/**
 * SandboxBwrap:
 * @bind_fd: it has --bind-fd (Debian patched it into 0.8.0: the help tells, the version doesn't)
 * @disable_userns: it has --disable-userns
 * @perms_size: it has --perms and --size
 * @is_setuid: the file has the setuid bit
 *
 * What the installed bwrap can do.
 */
typedef struct
{
  gboolean bind_fd;
  gboolean disable_userns;
  gboolean perms_size;
  gboolean is_setuid;
} SandboxBwrap;

/* Asks SANDBOX_BWRAP once, and again when the file changes. Blocking. */
gboolean sandbox_bwrap_get (SandboxBwrap *bwrap, GError **error);
gboolean sandbox_bwrap_parse_help (const char *help, SandboxBwrap *bwrap);

/* The plan for a given bwrap; what the backend's vtable calls with the installed one. */
SandboxPlan *sandbox_bubblewrap_plan (const SandboxPolicy *policy,
                                      const SandboxBwrap *bwrap,
                                      const char *const *environment,
                                      const char *const *argv,
                                      GError **error);

/**
 * sandbox_docker_plan:
 * @engine: what it is for
 * @profile: path of the filter of system calls
 * @mountinfo: what /proc/self/mountinfo says
 *
 * The plan for a given engine; what the backend's vtable calls with the person's.
 */
SandboxPlan *sandbox_docker_plan (const SandboxPolicy *policy,
                                  const SandboxDockerEngine *engine,
                                  const char *profile,
                                  const char *mountinfo,
                                  const char *const *environment,
                                  const char *const *argv,
                                  GError **error);

/* Whether this system grants a process namespace; asked once, and again after a forget. Blocking.
 */
gboolean sandbox_none_has_namespace (void);
void sandbox_none_forget (void);

/**
 * SandboxWords:
 *
 * A list of words that grows: arguments of a program line.
 */
typedef GPtrArray SandboxWords;
SandboxWords *sandbox_words_new (void);
void sandbox_words_add (SandboxWords *words, ...) G_GNUC_NULL_TERMINATED;
char **sandbox_words_end (SandboxWords *words);
GByteArray *sandbox_words_end_args (SandboxWords *words);

SandboxPlan *sandbox_plan_alloc (SandboxBackendType backend, const SandboxPolicy *policy);
/* Takes @words, adds the command, sets command_index. */
void sandbox_plan_set_argv (SandboxPlan *plan, SandboxWords *words, const char *const *argv);
/* Adds a place to open at the run; returns its placeholder. */
char *sandbox_plan_open (SandboxPlan *plan, const char *path, GError **error);
char **sandbox_plan_environment (const SandboxPolicy *policy, const char *const *environment);

/**
 * SandboxPlaces:
 * @protected_paths: what is covered below the own folder, shortest first
 * @pins: the folders strictly between the own folder and those
 * @sockets: unix sockets below the project
 * @traps: what isn't there, can't be covered, and would steer the person's git if it came
 *
 * What a policy comes to on the disk as it is now.
 */
typedef struct
{
  GPtrArray *protected_paths;
  GPtrArray *pins;
  GPtrArray *sockets;
  GPtrArray *traps;
} SandboxPlaces;

void sandbox_places_clear (SandboxPlaces *places);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SandboxPlaces, sandbox_places_clear)

/* Checks that every folder is what the policy says: there, a folder, with no link in its path.
 * Blocking. */
gboolean sandbox_policy_check (const SandboxPolicy *policy, GError **error);
gboolean
sandbox_policy_find_places (const SandboxPolicy *policy, SandboxPlaces *places, GError **error);
gboolean sandbox_path_is_inside (const char *path, const char *folder);

/* The two ways a command fails for its plan: in a sandbox, and in a mere process namespace. */
char *sandbox_explain_confined (const SandboxPlan *plan,
                                const SandboxPolicy *policy,
                                int exit_code,
                                const char *output);
char *sandbox_explain_namespace (const SandboxPlan *plan,
                                 const SandboxPolicy *policy,
                                 int exit_code,
                                 const char *output);

SandboxDiagnosis *sandbox_diagnosis_new_ready (SandboxBackendType backend);

G_END_DECLS
