/* A gateway for tests: a socket in a temporary folder that answers by the command's own text.
 *
 *   outcome NAME   a result of that outcome (with findings where the guard would have some)
 *   exit N         ran, exit code N, "out N\n" on stdout and "err N\n" on stderr
 *   signal N       ran, ended by signal N
 *   stream         sends "one\n" and "two\n" as output, then ran
 *   gap            sends "one\n" as output, then ran and printed 1,000 bytes more
 *   big            a head and a tail of a long output
 *   ask            says "asking", then never answers until cancelled
 *   drop           closes the connection
 *   fail CODE      answers the run with that failure
 *   anything else  ran with exit code 0; stdout is the command, a line, and the folder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-wire-connection.h"

G_BEGIN_DECLS

typedef struct
{
  char *folder; /* temporary; XDG_RUNTIME_DIR points to it */
  GSocketListener *listener;
  GPtrArray *connections;
  guint hellos;
  guint cancels;
  char *last_client; /* of the last hello */
  char *last_board;
  char *last_bubble;
  char *last_role;
  char *last_folder;
  const char *board_folder; /* or NULL: "/board" */
  const char *loop;         /* or NULL: "." */
  char **loops;
  gboolean unconfirmed;
  int refuse_hello; /* a PerficaWireCode, or 0 */
  gboolean mute;    /* takes connections and says nothing */
  gboolean no_run;  /* the bubble has no "run" */
  gboolean no_write;
  gboolean no_read;
} FakeGateway;

/* Makes the folder and sets XDG_RUNTIME_DIR; nothing listens yet. */
void fake_gateway_init (FakeGateway *gateway);
void fake_gateway_listen (FakeGateway *gateway);
/* Closes the door and every connection. */
void fake_gateway_stop (FakeGateway *gateway);
void fake_gateway_clear (FakeGateway *gateway);

/* Path of the perfica-agent that was built. */
const char *fake_gateway_agent (void);

G_END_DECLS
