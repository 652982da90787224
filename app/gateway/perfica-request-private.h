/* What the journey knows of a request; for the gateway's own files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-activity-private.h"
#include "perfica-request.h"
#include "sandbox-run.h"

G_BEGIN_DECLS

typedef struct _PerficaGateway PerficaGateway;

/**
 * PerficaRequest:
 * @ending: %PERFICA_OUTCOME_PENDING, or why it has to end: the next step that returns ends it so
 * @cancellable: ends what is under way
 * @tools: the bubble's, narrowed by the client's role
 * @client: (nullable): where it comes from, perfica_origin_describe()
 * @wanted_folder: (nullable): as the client gave it
 * @wanted_seconds: 0 = the guard's class decides
 * @tmpdir: its TMPDIR; made in step 5
 * @asked: the guard wanted a person's word
 * @valve: while it is closed, its output is held back
 * @answered_by: (nullable): "person", "always: git push", "Full Auto"
 * @read_again: the second reading is under way
 * @result: (nullable): the answer, once it is done
 * @connection: (unowned) (nullable): opaque to the journey: whose request it is
 *
 * Signals: "output" (gboolean is_stderr, GBytes *data), "done". Main thread only.
 */
struct _PerficaRequest
{
  GObject parent_instance;
  PerficaGateway *gateway;
  PerficaBoard *board;
  PerficaBubble *bubble;
  PerficaTools tools;
  char *client;
  char *command;
  char *wanted_folder;
  char *folder;
  guint wanted_seconds;
  gint64 time;
  gboolean sandboxed;
  PerficaState state;
  PerficaOutcome outcome;
  PerficaOutcome ending;
  GCancellable *cancellable;
  SandboxValve *valve;
  gint64 deadline;
  GuardVerdict *verdict;
  char *tmpdir;
  gboolean tmpdir_made;
  gboolean asked;
  gboolean read_again;
  char *answered_by;
  char *message;
  SandboxPolicy *policy;
  SandboxPlan *plan;
  guint limit_seconds;
  gint64 limit_end; /* µs, monotonic */
  PerficaEntry *entry;
  char *output_path;
  PerficaWireResult *result;
};

PerficaRequest *perfica_request_new (PerficaGateway *gateway,
                                     PerficaBoard *board,
                                     PerficaBubble *bubble,
                                     PerficaTools tools,
                                     const char *command,
                                     const char *folder,
                                     guint timeout_seconds);
void perfica_request_set_state (PerficaRequest *self, PerficaState state);
void perfica_request_set_verdict (PerficaRequest *self, GuardVerdict *verdict);
void perfica_request_set_deadline (PerficaRequest *self, gint64 deadline);
/* The kinds of its asks, each once. %NULL when one of them has no kind: nothing can cover it. */
char **perfica_request_get_kinds (PerficaRequest *self);
void perfica_request_emit_output (PerficaRequest *self, gboolean is_stderr, GBytes *data);
/* @result: (transfer full) */
void perfica_request_finish (PerficaRequest *self, PerficaWireResult *result);

G_END_DECLS
