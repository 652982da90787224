/* The gateway as perfica-agent's commands use it: connects when needed, again after a restart.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "perfica-wire.h"

G_BEGIN_DECLS

#define AGENT_ERROR (agent_error_quark ())

/**
 * AgentError:
 * @AGENT_ERROR_NOT_RUNNING: no gateway answers at the socket
 * @AGENT_ERROR_SILENT: it took the connection and says nothing
 * @AGENT_ERROR_LOST: the connection ended before the answer; how a command ended isn't known
 * @AGENT_ERROR_BOARD: no board or bubble fits; the gateway's own words
 * @AGENT_ERROR_VERSION: app and agent are of different versions
 * @AGENT_ERROR_TURNED_AWAY: the gateway will not talk to this process
 * @AGENT_ERROR_BUSY: too much at a time
 * @AGENT_ERROR_CANCELLED: before the gateway had the command
 * @AGENT_ERROR_GATEWAY: anything else it answered
 *
 * Every message is one translated sentence that says what to do.
 */
typedef enum
{
  AGENT_ERROR_NOT_RUNNING,
  AGENT_ERROR_SILENT,
  AGENT_ERROR_LOST,
  AGENT_ERROR_BOARD,
  AGENT_ERROR_VERSION,
  AGENT_ERROR_TURNED_AWAY,
  AGENT_ERROR_BUSY,
  AGENT_ERROR_CANCELLED,
  AGENT_ERROR_GATEWAY,
} AgentError;
GQuark agent_error_quark (void);

/**
 * AgentIdentity:
 * @client: who it is for: the agent's own name, or "perfica-agent"
 * @version: (nullable): its version
 * @folder: absolute path of where it works
 * @board: (nullable): as the command line named it
 * @bubble: (nullable): likewise
 * @role: (nullable): likewise
 *
 * What hello says.
 */
typedef struct
{
  char *client;
  char *version;
  char *folder;
  char *board;
  char *bubble;
  char *role;
} AgentIdentity;

void agent_identity_clear (AgentIdentity *identity);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AgentIdentity, agent_identity_clear)

/* Main thread only, like the main context it uses. */
#define AGENT_TYPE_CLIENT (agent_client_get_type ())
G_DECLARE_FINAL_TYPE (AgentClient, agent_client, AGENT, CLIENT, GObject)

/**
 * agent_client_new:
 * @identity: (transfer none): copied
 *
 * Connects to nothing yet.
 */
AgentClient *agent_client_new (const AgentIdentity *identity);

/* Who the agent says it is, known only once it has spoken. No effect once hello was said. */
void agent_client_set_name (AgentClient *self, const char *client, const char *version);

/* Ends the connection; what was under way fails with %AGENT_ERROR_LOST. */
void agent_client_close (AgentClient *self);

/* Attaches if that hasn't happened. The answer is a message with a hello_reply. */
void agent_client_hello_async (AgentClient *self, GAsyncReadyCallback callback, gpointer user_data);
PerficaWireMessage *
agent_client_hello_finish (AgentClient *self, GAsyncResult *result, GError **error);

typedef void (*AgentStateFunc) (const PerficaWireState *state, gpointer user_data);
typedef void (*AgentOutputFunc) (const PerficaWireOutput *output, gpointer user_data);

/**
 * agent_client_run_async:
 * @run: (transfer none): copied
 * @cancellable: (nullable): withdraws the question or stops the tree; the gateway's answer still
 *   comes and says so
 * @state: (nullable): hears where it is on its way
 * @output: (nullable): hears the output, if @run says stream
 *
 * Attaches first if that hasn't happened. The answer is a message with a result.
 */
void agent_client_run_async (AgentClient *self,
                             const PerficaWireRun *run,
                             GCancellable *cancellable,
                             AgentStateFunc state,
                             AgentOutputFunc output,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
PerficaWireMessage *
agent_client_run_finish (AgentClient *self, GAsyncResult *result, GError **error);

/* Asks without attaching. The answer is a message with a status. */
void
agent_client_status_async (AgentClient *self, GAsyncReadyCallback callback, gpointer user_data);
PerficaWireMessage *
agent_client_status_finish (AgentClient *self, GAsyncResult *result, GError **error);

G_END_DECLS
