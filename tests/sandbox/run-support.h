/* What the tests of running share: plans by hand, and a run that is waited for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sandbox-run.h"

typedef enum
{
  PLAN_NAMESPACE,   /* not confined, in a pid namespace */
  PLAN_CONFINED,    /* bubblewrap, arguments in memory, filter, status */
  PLAN_BEST_EFFORT, /* no namespace at all */
} PlanKind;

extern const char *const plan_names[3];

SandboxPlan *plan_new (PlanKind kind, const char *const *command);
SandboxPlan *plan_new_shell (PlanKind kind, const char *text);
void plan_set_environment (SandboxPlan *plan, const char *name, const char *value);
/* Not sandbox_plan_free(): what is tested here shouldn't need the planner. */
void plan_done (SandboxPlan *plan);

typedef struct
{
  guint limit;
  int output_fd;
  guint64 output_max;
  GCancellable *cancellable;
  SandboxOutputFunc output;
  gpointer output_data;
} RunOptions;

SandboxLauncher *launcher_new (void);
/* Drops the reference and waits until the process is gone. */
void launcher_done (SandboxLauncher *launcher);

/* Takes @plan. */
SandboxResult *run_plan (SandboxLauncher *launcher, SandboxPlan *plan, const RunOptions *options);
SandboxResult *run_shell (SandboxLauncher *launcher, PlanKind kind, const char *text);

void assert_exited (const SandboxResult *result, int exit_code);
void assert_text (GBytes *bytes, const char *text);

/* A word that only processes of one run have in their command line or environment. */
char *marker_new (void);
guint count_marked (const char *marker, char **seen);
/* Waits for there to be none, 5 s at the most; then says which are left. */
void assert_none_marked (const char *marker);

guint count_descriptors (void);
guint count_children_of (GPid pid);

/* Turns the default main context until *@done. Fails after @seconds. */
void wait_until (const gboolean *done, guint seconds);
