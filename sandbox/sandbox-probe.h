/* Running something small to see whether a backend works. Private to this room and its tests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sandbox-backend.h"

G_BEGIN_DECLS

/**
 * SandboxProbe:
 * @status: exit code, or -1 when it was stopped, died of a signal, or never started
 * @timed_out: it was stopped at the limit
 * @output: the first 4 MiB of its standard output
 * @words: the first 64 KiB of its standard error, or why it didn't start; valid UTF-8
 */
typedef struct
{
  int status;
  gboolean timed_out;
  GBytes *output;
  char *words;
} SandboxProbe;

void sandbox_probe_clear (SandboxProbe *probe);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SandboxProbe, sandbox_probe_clear)

/* Runs a program line in a group of its own, stopped after that many seconds. Blocking. Takes
 * the descriptors (ended by -1), which keep their numbers 10, 11 … in the child. */
#define SANDBOX_PROBE_FIRST_FD 10
void sandbox_probe_run (SandboxProbe *probe,
                        const char *const *argv,
                        const char *const *environment,
                        const int *fds,
                        guint seconds,
                        GCancellable *cancellable);

/* Runs a whole plan with `true` as pid 1 in place of our init. Blocking. */
gboolean sandbox_probe_plan (SandboxProbe *probe,
                             const SandboxPlan *plan,
                             GCancellable *cancellable,
                             GError **error);

/**
 * SandboxFacts:
 * @distribution: ID and ID_LIKE of os-release, lower case, with spaces around
 * @version: VERSION_ID, or ""
 * @is_ostree: packages come by rpm-ostree
 * @is_container: this system is a container
 * @apparmor_restricts: kernel.apparmor_restrict_unprivileged_userns is 1
 * @apparmor_profile: AppArmor's package has bwrap-userns-restrict, or this system's has it to
 * install
 * @clone_refused: kernel.unprivileged_userns_clone is 0
 * @limit_is_zero: user.max_user_namespaces is 0
 * @bwrap_missing: there is no bwrap
 * @bwrap_not_executable: there is one that can't be run
 * @bwrap_setuid: it has the setuid bit
 * @docker_missing: there is no docker in PATH
 * @docker_remote: its engine is on another computer
 * @docker_old: its engine is too old
 * @image_missing: the engine runs, and hasn't got the image
 * @image_differs: it has another one of that name than the pinned one
 * @wsl_missing: there is no wsl.exe in PATH
 *
 * What the steps depend on beside a program's own words.
 */
typedef struct
{
  char *distribution;
  char *version;
  gboolean is_ostree;
  gboolean is_container;
  gboolean apparmor_restricts;
  gboolean apparmor_profile;
  gboolean clone_refused;
  gboolean limit_is_zero;
  gboolean bwrap_missing;
  gboolean bwrap_not_executable;
  gboolean bwrap_setuid;
  gboolean docker_missing;
  gboolean docker_remote;
  gboolean docker_old;
  gboolean image_missing;
  gboolean image_differs;
  gboolean wsl_missing;
} SandboxFacts;

/* @root: "" for this system, or a folder that stands for its top. Blocking. */
void sandbox_facts_read (SandboxFacts *facts, const char *root);
void sandbox_facts_clear (SandboxFacts *facts);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SandboxFacts, sandbox_facts_clear)

/* Which step mends what was seen. Pure. @words is NULL when nothing was run. */
SandboxDiagnosis *
sandbox_diagnosis_choose (SandboxBackendType backend, const SandboxFacts *facts, const char *words);

G_END_DECLS
