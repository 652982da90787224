/* Runs plans under a supervisor.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sandbox-plan.h"
#include "sandbox-valve.h"

G_BEGIN_DECLS

/**
 * SandboxEnding:
 * @SANDBOX_ENDING_EXITED: it exited or died of a signal by itself
 * @SANDBOX_ENDING_LIMIT: stopped at the time limit
 * @SANDBOX_ENDING_CANCELLED: stopped because somebody asked
 * @SANDBOX_ENDING_SETUP_FAILED: it never ran; `message` has the backend's own words
 * @SANDBOX_ENDING_LOST: the supervisor died; nothing of the command is left, but how it ended isn't
 * known
 */
typedef enum
{
  SANDBOX_ENDING_EXITED,
  SANDBOX_ENDING_LIMIT,
  SANDBOX_ENDING_CANCELLED,
  SANDBOX_ENDING_SETUP_FAILED,
  SANDBOX_ENDING_LOST,
} SandboxEnding;

/**
 * SandboxResult:
 * @exit_code: 0-255, or -1 when a signal ended it
 * @signal_number: 0, or the signal as the kernel reported it
 * @duration_us: in microseconds, from the start of the command to its end
 * @stdout_head: the first bytes (bounded); @stdout_tail the last, empty if the head has all
 * @stdout_total: how many bytes it printed
 * @output_cut: the output file lacks something: it reached its size limit, or @output_errno
 * @output_errno: 0, or why the file couldn't be written on (ENOSPC …)
 * @tree_is_certain: see SandboxPlan; also %FALSE where our init turned out not to be pid 1
 * @message: (nullable): for people, in their language: why it never ran or is lost
 */
typedef struct
{
  SandboxEnding ending;
  int exit_code;
  int signal_number;
  gint64 duration_us;
  GBytes *stdout_head;
  GBytes *stdout_tail;
  guint64 stdout_total;
  GBytes *stderr_head;
  GBytes *stderr_tail;
  guint64 stderr_total;
  gboolean output_cut;
  int output_errno;
  gboolean tree_is_certain;
  char *message;
} SandboxResult;

void sandbox_result_free (SandboxResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SandboxResult, sandbox_result_free)

#define SANDBOX_TYPE_LAUNCHER (sandbox_launcher_get_type ())
G_DECLARE_FINAL_TYPE (SandboxLauncher, sandbox_launcher, SANDBOX, LAUNCHER, GObject)

/**
 * sandbox_launcher_new:
 * @program: path of perfica-supervise
 *
 * Starts the small process that forks every supervisor. Call it before anything big is mapped.
 * One that dies is started again at the next run. With the last reference it stops every command.
 *
 * Returns: (transfer full): the launcher, or %NULL with %SANDBOX_ERROR_LAUNCHER
 */
SandboxLauncher *sandbox_launcher_new (const char *program, GError **error);

/**
 * sandbox_launcher_get_pid:
 * @launcher: the launcher
 *
 * Any thread.
 *
 * Returns: the process that runs now or ran last
 */
GPid sandbox_launcher_get_pid (SandboxLauncher *launcher);

/**
 * SandboxOutputFunc:
 * @is_stderr: which stream
 * @data: a piece of output as it came, at most 64 KiB
 *
 * Called on the thread-default main context of the caller of sandbox_run_async().
 */
typedef void (*SandboxOutputFunc) (gboolean is_stderr, GBytes *data, gpointer user_data);

/**
 * sandbox_run_async:
 * @launcher: the launcher
 * @plan: (transfer none): what to run; copied
 * @limit_seconds: then the whole tree is stopped
 * @output_fd: (transfer full): the file that the supervisor itself writes the whole output to, or
 * -1
 * @output_max: size limit of that file in bytes; a clear mark is written where it was cut
 * @cancellable: (nullable): stops the whole tree; the result says CANCELLED
 * @output: (nullable): streams the output; while it doesn't return, and while this main context
 * does something else, the command is held
 *
 * Runs a command with its standard input from /dev/null. At its end, at the limit (SIGTERM, then
 * SIGKILL 2 s later) and when this process, the launcher or the supervisor dies, every process of
 * its tree is stopped. Any thread with a main context that runs; everything is called back there.
 *
 * The run itself never fails with an error once it is handed to the launcher: how it ended is the
 * result's @ending. %SANDBOX_ERROR_LAUNCHER: it could not be handed over, and never ran.
 */
void sandbox_run_async (SandboxLauncher *launcher,
                        const SandboxPlan *plan,
                        guint limit_seconds,
                        int output_fd,
                        guint64 output_max,
                        GCancellable *cancellable,
                        SandboxOutputFunc output,
                        gpointer output_data,
                        GAsyncReadyCallback callback,
                        gpointer user_data);

/**
 * sandbox_run_held_async:
 * @valve: (transfer none) (nullable): while it is closed the command is held back, but not beyond
 * its end: 2.5 s after its time limit, or after it was cancelled, the rest of its output (what the
 * pipes and the socket hold, some MiB at the most) comes through all the same
 *
 * sandbox_run_async() with back-pressure; everything else is said there.
 */
void sandbox_run_held_async (SandboxLauncher *launcher,
                             const SandboxPlan *plan,
                             guint limit_seconds,
                             int output_fd,
                             guint64 output_max,
                             GCancellable *cancellable,
                             SandboxValve *valve,
                             SandboxOutputFunc output,
                             gpointer output_data,
                             GAsyncReadyCallback callback,
                             gpointer user_data);

/* Returns: (transfer full): how it ended, or %NULL with an error: then it never ran. */
SandboxResult *sandbox_run_finish (SandboxLauncher *launcher, GAsyncResult *result, GError **error);

/**
 * sandbox_peer_is_descendant:
 * @launcher: the launcher
 * @peer: a connected unix socket
 *
 * Whether the process at the other end descends from a command that runs here: SO_PEERPIDFD where
 * the kernel has it, its pid namespace, its ancestors. A peer that is already dead counts as one.
 */
gboolean sandbox_peer_is_descendant (SandboxLauncher *launcher, int peer);

G_END_DECLS
