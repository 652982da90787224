/* What the app, the launcher and the supervisors say to one another.
 *
 * libc only: the programs that speak it must stay small. Both ends are the same build on the same
 * machine, so numbers travel in the host's order; lengths are checked all the same.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define SANDBOX_PROTOCOL_MAGIC 0x50524631u
/* The kernel takes 2 MiB of words and environment by default; more than this is refused. */
#define SANDBOX_REQUEST_MAX (8u * 1024 * 1024)
#define SANDBOX_PIECE_MAX 65536u /* of output in one message, and of each head and tail */
#define SANDBOX_DETAIL_MAX 4096u
#define SANDBOX_RUN_FDS 4u

  typedef enum
  {
    SANDBOX_MESSAGE_RUN = 1, /* app to launcher, with the descriptors of SandboxRunFd */
    SANDBOX_MESSAGE_CANCEL,  /* app to supervisor */
    SANDBOX_MESSAGE_OUTPUT,  /* supervisor to app: a piece as it came */
    SANDBOX_MESSAGE_KEPT,    /* a head or a tail, at the end */
    SANDBOX_MESSAGE_RESULT,  /* the last one */
  } SandboxMessageType;

  typedef enum
  {
    SANDBOX_RUN_FD_REQUEST,  /* a memfd with the encoded SandboxRequest */
    SANDBOX_RUN_FD_SOCKET,   /* the supervisor's end of the run's own socket */
    SANDBOX_RUN_FD_LIFELINE, /* the app holds the other end */
    SANDBOX_RUN_FD_OUTPUT,   /* left out without an output file */
  } SandboxRunFd;

  /* Numbers as in SandboxEnding. */
  typedef enum
  {
    SANDBOX_END_EXITED,
    SANDBOX_END_LIMIT,
    SANDBOX_END_CANCELLED,
    SANDBOX_END_SETUP_FAILED,
    SANDBOX_END_LOST,
  } SandboxEnd;

  /* Why a command never ran or is lost; the app puts it into the person's language. */
  typedef enum
  {
    SANDBOX_REASON_NONE,
    SANDBOX_REASON_BACKEND,    /* detail: the backend's own words */
    SANDBOX_REASON_SILENT,     /* the backend ended without a word; detail: the program */
    SANDBOX_REASON_PROGRAM,    /* detail: "PROGRAM: words of the system" */
    SANDBOX_REASON_COMMAND,    /* detail: the same, of the command */
    SANDBOX_REASON_FOLDER,     /* detail: the same, of the folder it starts in */
    SANDBOX_REASON_PLACE,      /* detail: the path that isn't what it was */
    SANDBOX_REASON_SYSTEM,     /* detail: words of the system */
    SANDBOX_REASON_REQUEST,    /* the request can't be read */
    SANDBOX_REASON_TOO_MANY,   /* too many commands at once */
    SANDBOX_REASON_SUPERVISOR, /* the supervisor died */
    SANDBOX_REASON_LAUNCHER,   /* the launcher died */
    SANDBOX_REASON_INIT,       /* our init was ended from outside */
  } SandboxReason;

#define SANDBOX_RUN_PATIENT 1u /* the plan has a stop_argv */
#define SANDBOX_KEPT_STDERR 1u
#define SANDBOX_KEPT_TAIL 2u

  typedef struct
  {
    uint32_t magic;
    uint32_t type;
    uint32_t flags;  /* RUN: SANDBOX_RUN_PATIENT; OUTPUT: 1 = stderr; KEPT: SANDBOX_KEPT_… */
    uint32_t length; /* of what follows */
  } SandboxMessage;

  typedef struct
  {
    uint32_t ending;
    int32_t exit_code;
    int32_t signal_number;
    uint32_t output_cut;
    int32_t output_errno;
    uint32_t tree_is_certain;
    uint32_t reason;
    uint32_t detail_length;
    int64_t duration_us;
    uint64_t stdout_total;
    uint64_t stderr_total;
    char detail[SANDBOX_DETAIL_MAX];
  } SandboxResultMessage;

#define SANDBOX_REQUEST_INIT 1u
#define SANDBOX_REQUEST_SECCOMP 2u
#define SANDBOX_REQUEST_STATUS 4u
#define SANDBOX_REQUEST_CERTAIN 8u
#define SANDBOX_REQUEST_STREAM 16u
/* The stop line runs after an end of its own too. */
#define SANDBOX_REQUEST_CLEAR_AWAY 32u

  typedef struct
  {
    char *path;
    uint64_t device;
    uint64_t inode;
    bool is_folder;
  } SandboxRequestOpen;

  /* A plan as it travels. After decoding everything points into @buffer. */
  typedef struct
  {
    uint32_t flags;
    uint32_t limit_seconds;
    uint32_t command_index;
    uint64_t output_max;
    char **argv;
    char **environment;
    char **stop_argv; /* NULL if there is none */
    char *folder;
    char *cidfile; /* NULL if there is none */
    char *args;    /* NUL-terminated words one after the other, NULL if there are none */
    size_t args_length;
    SandboxRequestOpen *opens;
    size_t n_opens;
    char *buffer;
  } SandboxRequest;

  /**
   * sandbox_request_encode:
   * @request: what to encode; nothing is taken
   * @length: (out): in bytes
   *
   * Returns: (transfer full): malloc()ed, or NULL when it exceeds SANDBOX_REQUEST_MAX or memory is
   *   short
   */
  char *sandbox_request_encode (const SandboxRequest *request, size_t *length);

  /**
   * sandbox_request_decode:
   * @buffer: (transfer full): malloc()ed; kept by @request
   * @length: in bytes
   * @request: (out): free with sandbox_request_clear(), also after a failure
   *
   * Returns: whether @buffer was one whole, well-formed request
   */
  bool sandbox_request_decode (char *buffer, size_t length, SandboxRequest *request);
  void sandbox_request_clear (SandboxRequest *request);

  /**
   * sandbox_message_send:
   * @socket: a SOCK_SEQPACKET socket
   * @type: what
   * @flags: see SandboxMessage
   * @data: what follows
   * @length: of @data in bytes
   * @fds: descriptors to hand over, at most SANDBOX_RUN_FDS
   * @n_fds: how many
   * @wait: whether to wait while the socket is full
   *
   * Never raises SIGPIPE.
   *
   * Returns: 0, or -1 with errno (EAGAIN: full)
   */
  int sandbox_message_send (int socket,
                            SandboxMessageType type,
                            uint32_t flags,
                            const void *data,
                            size_t length,
                            const int *fds,
                            size_t n_fds,
                            bool wait);

  /**
   * sandbox_message_receive:
   * @socket: a SOCK_SEQPACKET socket
   * @message: (out): its head
   * @data: (out caller-allocates): what follows
   * @size: of @data in bytes
   * @fds: (out caller-allocates) (array length=4): descriptors that came, close-on-exec; -1 for the
   * rest; may be NULL, then none are taken
   *
   * Doesn't wait.
   *
   * Returns: 1, 0 at the end of the connection, or -1 with errno (EAGAIN: nothing there; EPROTO:
   * not a message of ours)
   */
  int sandbox_message_receive (
      int socket, SandboxMessage *message, void *data, size_t size, int fds[SANDBOX_RUN_FDS]);

#ifdef __cplusplus
}
#endif
