/* The gateway's own protocol: newline-delimited JSON-RPC 2.0, versioned, as typed structs.
 *
 *   client to gateway (requests; the answer is a result with the `type` named, or an error):
 *     hello        {protocol, client, version, folder, board?, bubble?, role?}      -> "hello"
 *     run          {command, folder?, timeout_seconds?, stream?}                    -> "result"
 *     status       {protocol}                                                       -> "status"
 *     open_folder  {protocol, folder?}                                              -> "opened"
 *                  without a folder the window is shown, nothing else
 *   client to gateway (notification):
 *     cancel       {request}          the id of a run of this connection
 *   gateway to client (notifications, about a run of this connection):
 *     state        {request, state, remaining_ms?}
 *     output       {request, stream, data}       data in base64; only if the run said stream
 *
 * `hello` comes first and once; `run` and `cancel` need it. `status` and `open_folder` work
 * without. Unknown members are ignored, so that later versions can add some; anything else out of
 * shape is an error with a JSON-RPC code. Ids are whole numbers from 1 up, chosen by the client.
 *
 * How the door uses it: a PerficaWireConnection (perfica-wire-connection.h) on the gateway's side
 * gives decoded PerficaWireMessage and answers malformed lines by itself; the door answers with
 * perfica_wire_encode_*() and perfica_wire_connection_send().
 *
 * No JsonNode leaves this room.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define PERFICA_WIRE_VERSION 1

/* Longest line from the gateway: four texts and the findings of a result at their limits, every
 * byte of them escaped, stay below it. */
#define PERFICA_WIRE_MAX_LINE (4 * 1024 * 1024)
/* Longest line from a client: a command of 131,072 characters, every one escaped, fits. */
#define PERFICA_WIRE_MAX_REQUEST (1024 * 1024)

/* Limits of single members, in bytes. Encoding cuts texts down to them at a character's border. */
#define PERFICA_WIRE_MAX_NAME 256
#define PERFICA_WIRE_MAX_PATH 4096
#define PERFICA_WIRE_MAX_COMMAND 140000     /* above the guard's limit, so that the guard says it */
#define PERFICA_WIRE_MAX_TEXT (64 * 1024)   /* head or tail of an output */
#define PERFICA_WIRE_MAX_MESSAGE 4096       /* a sentence */
#define PERFICA_WIRE_MAX_FINDINGS 24        /* in one result; the strictest come first */
#define PERFICA_WIRE_MAX_ALTERNATIVE 8192   /* a longer one is left out, as half a line is none */
#define PERFICA_WIRE_MAX_OUTPUT (64 * 1024) /* bytes in one output message, before base64 */
#define PERFICA_WIRE_MAX_ITEMS 256          /* boards, bubbles, clients in a status */
#define PERFICA_WIRE_MAX_LOOPS 512          /* other loops and boards in a hello's answer */
#define PERFICA_WIRE_MAX_TIMEOUT (24 * 60 * 60)

#define PERFICA_WIRE_ERROR (perfica_wire_error_quark ())
GQuark perfica_wire_error_quark (void);

/* JSON-RPC's own codes, and ours; never merged. Also the codes of PERFICA_WIRE_ERROR. */
typedef enum
{
  PERFICA_WIRE_CODE_PARSE = -32700,
  PERFICA_WIRE_CODE_INVALID = -32600,
  PERFICA_WIRE_CODE_UNKNOWN_METHOD = -32601,
  PERFICA_WIRE_CODE_BAD_PARAMS = -32602,
  PERFICA_WIRE_CODE_INTERNAL = -32603,
  PERFICA_WIRE_CODE_VERSION = -32001,   /* the other side speaks another version */
  PERFICA_WIRE_CODE_NO_BOARD = -32002,  /* no board for that folder or name */
  PERFICA_WIRE_CODE_NO_BUBBLE = -32003, /* none fits, or several do: the message lists them */
  PERFICA_WIRE_CODE_BUSY = -32004,      /* too many requests or connections */
  PERFICA_WIRE_CODE_TOO_LONG = -32005,  /* a line over the limit; the connection ends */
  PERFICA_WIRE_CODE_NO_HELLO = -32006,  /* run before hello, or a second hello */
  PERFICA_WIRE_CODE_FOLDER = -32007,    /* open_folder: it can't be a board; the message says why */
  PERFICA_WIRE_CODE_TURNED_AWAY = -32008, /* by the person, or it comes from inside a command */
  PERFICA_WIRE_CODE_STOPPED = -32009,     /* the gateway stops or restarts */
} PerficaWireCode;

/**
 * PerficaOutcome:
 *
 * How a command's journey ended. Distinct, never merged (ui.md "Activity", interfaces.md).
 */
typedef enum
{
  PERFICA_OUTCOME_PENDING,    /* still on its way */
  PERFICA_OUTCOME_RAN,        /* exit code or signal */
  PERFICA_OUTCOME_LIMIT,      /* stopped at the time limit */
  PERFICA_OUTCOME_CANCELLED,  /* the agent or the person stopped it */
  PERFICA_OUTCOME_REFUSED,    /* by the guard */
  PERFICA_OUTCOME_NO_TOOL,    /* the bubble has no "Run commands" */
  PERFICA_OUTCOME_DENIED,     /* by the person */
  PERFICA_OUTCOME_NOBODY,     /* nobody answered in time */
  PERFICA_OUTCOME_NO_WINDOW,  /* no window was open */
  PERFICA_OUTCOME_UNCONFINED, /* could not be confined */
  PERFICA_OUTCOME_AGENT_GONE,
  PERFICA_OUTCOME_GATEWAY_STOPPED,
  PERFICA_OUTCOME_LOST,         /* the app or supervisor died while it ran */
  PERFICA_OUTCOME_NOT_ATTACHED, /* the window hasn't confirmed this client yet */
  PERFICA_OUTCOME_ERROR,        /* of ours: the record can't be written, no launcher … */
} PerficaOutcome;

/* "ran", "limit", "cancelled", "refused", "no-tool", "denied", "nobody", "no-window",
 * "unconfined", "agent-gone", "gateway-stopped", "lost", "not-attached", "error", "pending". */
const char *perfica_outcome_to_string (PerficaOutcome outcome);
/* An unknown or NULL name is %PERFICA_OUTCOME_ERROR. */
PerficaOutcome perfica_outcome_from_string (const char *name);

/* Where a run is on its way, as the client hears it. */
typedef enum
{
  PERFICA_WIRE_STATE_READING,
  PERFICA_WIRE_STATE_ASKING, /* a person is asked; remaining_ms is what is left of the deadline */
  PERFICA_WIRE_STATE_STARTING,
  PERFICA_WIRE_STATE_RUNNING, /* remaining_ms is what is left of the time limit */
} PerficaWireRunState;

const char *perfica_wire_run_state_to_string (PerficaWireRunState state);

/* What a message is. */
typedef enum
{
  PERFICA_WIRE_HELLO,
  PERFICA_WIRE_RUN,
  PERFICA_WIRE_CANCEL,
  PERFICA_WIRE_STATUS,
  PERFICA_WIRE_OPEN_FOLDER,
  /* from the gateway: */
  PERFICA_WIRE_HELLO_REPLY,
  PERFICA_WIRE_RESULT,
  PERFICA_WIRE_STATUS_REPLY,
  PERFICA_WIRE_OPENED,
  PERFICA_WIRE_STATE,
  PERFICA_WIRE_OUTPUT,
  PERFICA_WIRE_FAILURE,
} PerficaWireType;

/**
 * PerficaWireHello:
 * @protocol: %PERFICA_WIRE_VERSION; another one is an error of its own
 * @client: name of the agent's program as it calls itself ("claude-code"); not trusted
 * @version: (nullable): its version
 * @folder: absolute path of where the agent works
 * @board: (nullable): a board's name or folder; else the innermost board around @folder
 * @bubble: (nullable): a bubble's name; else the only one that fits
 * @role: (nullable): may only narrow the bubble's role
 */
typedef struct
{
  int protocol;
  char *client;
  char *version;
  char *folder;
  char *board;
  char *bubble;
  char *role;
} PerficaWireHello;

/**
 * PerficaWireHelloReply:
 * @board: the board's name
 * @board_folder: its absolute folder
 * @bubble: the bubble's name
 * @role: its role after narrowing
 * @loop: its loop's folder, relative to the board ("." = all)
 * @loops: (array zero-terminated=1) (nullable): what else is owned by somebody, relative to the
 *   board: other loops, and boards inside this one; only "/" when they are too many to list
 * @tools: (array zero-terminated=1): "read", "write", "run"
 * @attached: the window has confirmed this client; until then each run answers NOT_ATTACHED
 * @sandbox: its commands are confined
 */
typedef struct
{
  int protocol;
  char *board;
  char *board_folder;
  char *bubble;
  char *role;
  char *loop;
  char **loops;
  char **tools;
  gboolean attached;
  gboolean sandbox;
} PerficaWireHelloReply;

/**
 * PerficaWireRun:
 * @command: bash text
 * @folder: (nullable): where it starts: absolute, or relative to the loop's folder
 * @timeout_seconds: 0 = the guard's class decides; more than that is cut down to it
 * @stream: send the output while it comes
 */
typedef struct
{
  char *command;
  char *folder;
  guint timeout_seconds;
  gboolean stream;
} PerficaWireRun;

/* @request: the id of the run to stop, or whose question to withdraw */
typedef struct
{
  gint64 request;
} PerficaWireCancel;

/* Of status (folder %NULL) and open_folder. @folder: (nullable): absolute path */
typedef struct
{
  int protocol;
  char *folder;
} PerficaWireAsk;

/**
 * PerficaWireFinding:
 * @answer: "allow", "ask" or "refuse"
 * @rule: the rule's id
 * @start: first byte of what it rests on, in the command
 * @end: one past the last
 * @text: a sentence
 * @kind: (nullable): for asks
 * @intent: (nullable): for refusals: "stop", "alternative", "narrow", "person", "explain"
 * @alternative: (nullable): a whole line, itself allowed
 */
typedef struct
{
  char *answer;
  char *rule;
  guint start;
  guint end;
  char *text;
  char *kind;
  char *intent;
  char *alternative;
} PerficaWireFinding;

PerficaWireFinding *perfica_wire_finding_new (void);
void perfica_wire_finding_free (PerficaWireFinding *finding);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaWireFinding, perfica_wire_finding_free)

/**
 * PerficaWireResult:
 * @outcome: how it ended; never %PERFICA_OUTCOME_PENDING on the wire
 * @exit_code: 0-255; -1 when a signal ended it or it never ran
 * @signal_number: 0, or what ended it
 * @duration_us: in microseconds, 0 if it never ran
 * @limit_seconds: the time limit it ran under, 0 if none was set
 * @stdout_head: (nullable): the first of its output as text (perfica_wire_text())
 * @stdout_tail: (nullable): the last; %NULL when the head has all
 * @stdout_total: bytes it printed in all
 * @output_cut: the whole output reached its size limit on disk
 * @output_path: (nullable): the whole output, relative to the board's folder
 * @answer: (nullable): the guard's: "allow", "ask", "refuse"; %NULL when it wasn't read
 * @findings: (element-type PerficaWireFinding) (nullable): the guard's, strictest first
 * @message: (nullable): a sentence for the agent: why it didn't run, what to do instead, why it
 *   probably failed; the person's words when denied
 * @confinement: (nullable): "bubblewrap", "none" …
 * @record: id of its row in the activity, 0 if none
 *
 * The answer to a run, whatever became of it.
 */
typedef struct
{
  PerficaOutcome outcome;
  int exit_code;
  int signal_number;
  gint64 duration_us;
  guint limit_seconds;
  char *stdout_head;
  char *stdout_tail;
  guint64 stdout_total;
  char *stderr_head;
  char *stderr_tail;
  guint64 stderr_total;
  gboolean output_cut;
  char *output_path;
  char *answer;
  GPtrArray *findings;
  char *message;
  char *confinement;
  gint64 record;
} PerficaWireResult;

PerficaWireResult *perfica_wire_result_new (PerficaOutcome outcome);
void perfica_wire_result_free (PerficaWireResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaWireResult, perfica_wire_result_free)

/* @remaining_ms: milliseconds, -1 when there is no deadline */
typedef struct
{
  gint64 request;
  PerficaWireRunState state;
  gint64 remaining_ms;
} PerficaWireState;

/* @data: at most %PERFICA_WIRE_MAX_OUTPUT bytes, as they came */
typedef struct
{
  gint64 request;
  gboolean is_stderr;
  GBytes *data;
} PerficaWireOutput;

/* A bubble in a status. */
typedef struct
{
  char *name;
  char *role;
  char *loop; /* folder, relative to the board */
} PerficaWireBubble;

/* A board in a status. @bubbles: (element-type PerficaWireBubble) */
typedef struct
{
  char *name;
  char *folder;
  guint waiting;
  gboolean full_auto;
  gboolean sandbox;
  GPtrArray *bubbles;
} PerficaWireBoard;

/* A client in a status. */
typedef struct
{
  char *client;
  gint64 pid;
  char *board; /* name */
  char *bubble;
  gboolean confirmed;
} PerficaWireClient;

PerficaWireBubble *perfica_wire_bubble_new (const char *name, const char *role, const char *loop);
void perfica_wire_bubble_free (PerficaWireBubble *bubble);
PerficaWireBoard *perfica_wire_board_new (const char *name, const char *folder);
void perfica_wire_board_free (PerficaWireBoard *board);
PerficaWireClient *perfica_wire_client_new (
    const char *client, gint64 pid, const char *board, const char *bubble, gboolean confirmed);
void perfica_wire_client_free (PerficaWireClient *client);

/**
 * PerficaWireStatus:
 * @version: the app's version
 * @running: commands that run now
 * @boards: (element-type PerficaWireBoard)
 * @clients: (element-type PerficaWireClient)
 */
typedef struct
{
  char *version;
  guint running;
  GPtrArray *boards;
  GPtrArray *clients;
} PerficaWireStatus;

PerficaWireStatus *perfica_wire_status_new (void);
void perfica_wire_status_free (PerficaWireStatus *status);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaWireStatus, perfica_wire_status_free)

/* @board: the name of the board that the folder is now */
typedef struct
{
  char *board;
} PerficaWireOpened;

/* @code: a #PerficaWireCode. @message: a sentence for people */
typedef struct
{
  int code;
  char *message;
} PerficaWireFailure;

/**
 * PerficaWireMessage:
 * @type: which member of the union counts
 * @id: of a request or an answer; 0 for a notification, and for a failure whose request had no
 *   readable id
 *
 * One decoded line. Reference-counted and not changed after decoding.
 */
typedef struct
{
  PerficaWireType type;
  gint64 id;
  union
  {
    PerficaWireHello *hello;
    PerficaWireRun *run;
    PerficaWireCancel *cancel;
    PerficaWireAsk *ask; /* PERFICA_WIRE_STATUS and PERFICA_WIRE_OPEN_FOLDER */
    PerficaWireHelloReply *hello_reply;
    PerficaWireResult *result;
    PerficaWireStatus *status;
    PerficaWireOpened *opened;
    PerficaWireState *state;
    PerficaWireOutput *output;
    PerficaWireFailure *failure;
    gpointer any;
  };
} PerficaWireMessage;

PerficaWireMessage *perfica_wire_message_ref (PerficaWireMessage *message);
void perfica_wire_message_unref (PerficaWireMessage *message);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaWireMessage, perfica_wire_message_unref)

/* Which end of the socket one is. */
typedef enum
{
  PERFICA_WIRE_SIDE_GATEWAY,
  PERFICA_WIRE_SIDE_CLIENT,
} PerficaWireSide;

/**
 * perfica_wire_decode:
 * @side: who reads: the gateway understands what clients send, and the other way round
 * @line: one line without its newline; not trusted
 * @length: in bytes
 * @id: (out) (optional): the request's id if it could be read, else 0; also set on failure, for
 *   the error's answer
 * @error: return location for a %PERFICA_WIRE_ERROR, whose code is the JSON-RPC code to answer
 *
 * Any thread.
 *
 * Returns: (transfer full): the message, or %NULL with @error set
 */
PerficaWireMessage *perfica_wire_decode (
    PerficaWireSide side, const char *line, gsize length, gint64 *id, GError **error);

/* Each returns one whole line with its newline. Texts are cut to their limits and made valid
 * UTF-8, so these never fail. Any thread. */
GBytes *perfica_wire_encode_hello (gint64 id, const PerficaWireHello *hello);
GBytes *perfica_wire_encode_run (gint64 id, const PerficaWireRun *run);
GBytes *perfica_wire_encode_cancel (gint64 request);
GBytes *perfica_wire_encode_status_request (gint64 id);
/* @folder: (nullable): %NULL only shows the window */
GBytes *perfica_wire_encode_open_folder (gint64 id, const char *folder);
GBytes *perfica_wire_encode_hello_reply (gint64 id, const PerficaWireHelloReply *reply);
GBytes *perfica_wire_encode_result (gint64 id, const PerficaWireResult *result);
GBytes *perfica_wire_encode_status (gint64 id, const PerficaWireStatus *status);
GBytes *perfica_wire_encode_opened (gint64 id, const char *board);
GBytes *perfica_wire_encode_state (gint64 request, PerficaWireRunState state, gint64 remaining_ms);
/* @length: at most %PERFICA_WIRE_MAX_OUTPUT */
GBytes *
perfica_wire_encode_output (gint64 request, gboolean is_stderr, const guint8 *data, gsize length);
/* @id: 0 answers a line that had no readable id */
GBytes *perfica_wire_encode_failure (gint64 id, int code, const char *message);

/**
 * perfica_wire_text:
 * @bytes: (nullable): output of a command, any bytes
 *
 * Returns: (transfer full): it as text: what isn't UTF-8, and NUL, becomes U+FFFD; an incomplete
 *   character at either end is dropped, so that a head and a tail cut anywhere read well
 */
char *perfica_wire_text (GBytes *bytes);

/**
 * perfica_wire_socket_folder:
 * @error: return location for a %PERFICA_WIRE_ERROR with a sentence for people
 *
 * The folder of the gateway's socket: `perfica` in $XDG_RUNTIME_DIR, or in /run/user/UID when that
 * is this user's. It isn't made here.
 *
 * Returns: (transfer full) (type filename): an absolute path, or %NULL
 */
char *perfica_wire_socket_folder (GError **error);

/* The socket in it, by its name "gateway". */
#define PERFICA_WIRE_SOCKET_NAME "gateway"
char *perfica_wire_socket_path (GError **error);

G_END_DECLS
