/* Stand-ins for the gateway's objects: the widgets' tests link these instead of the gateway, and
 * see what the widgets asked of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-gateway.h"

G_BEGIN_DECLS

PerficaGateway *fake_gateway_new (void);
void fake_gateway_set_problem (PerficaGateway *self, const char *problem);
void fake_gateway_set_diagnosis (PerficaGateway *self, gboolean ready);
/* What the image says now; what was asked of it is counted. */
typedef struct
{
  PerficaImageState state;
  guint64 size;
  guint64 done;
  guint64 free;
  const char *digest;
  const char *problem;
  guint asked;
  guint downloads;
  guint cancels;
} FakeImage;
FakeImage *fake_gateway_image (PerficaGateway *self);
void fake_gateway_image_changed (PerficaGateway *self);
gboolean fake_gateway_get_window_open (PerficaGateway *self);

PerficaBoard *fake_board_add (PerficaGateway *gateway, const char *name, const char *folder);
void fake_board_set_waiting (PerficaBoard *self, guint waiting);
void fake_board_add_grant (PerficaBoard *self, const char *kind, guint used);

/* A request that waits: one finding over [start, end) of the command. */
PerficaRequest *fake_request_add (PerficaGateway *gateway,
                                  PerficaBoard *board,
                                  const char *command,
                                  guint start,
                                  guint end,
                                  const char *kind);
/* The gateway withdrew it. */
void fake_request_withdraw (PerficaGateway *gateway, PerficaRequest *request);

/* What the approvals were told. */
typedef struct
{
  guint answers;
  guint too_soon; /* an Allow that the gateway turned down */
  PerficaDecision decision;
  PerficaRequest *request; /* not owned */
  char *message;
  PerficaRequest *shown; /* not owned */
  gint64 shown_at;
  guint pauses;
  guint resumes;
} FakeAnswers;
FakeAnswers *fake_approvals_answers (PerficaGateway *gateway);

PerficaAttachment *fake_attachment_add (PerficaGateway *gateway, PerficaBoard *board);
/* Its last connection ended. */
void fake_attachment_leave (PerficaAttachment *self);
gboolean fake_attachment_turned_away (PerficaAttachment *self);

typedef struct
{
  const char *bubble;
  const char *folder;
  const char *command;
  const char *canonical;
  const char *reason;
  const char *findings;
  const char *output;
  const char *confinement;
  PerficaOutcome outcome;
  int exit_code;
  gint64 duration;
  gboolean offers_terminal;
} FakeEntry;
PerficaEntry *
fake_entry_add (PerficaGateway *gateway, PerficaBoard *board, const FakeEntry *values);
void fake_entry_print (PerficaEntry *self, const char *more);

G_END_DECLS
