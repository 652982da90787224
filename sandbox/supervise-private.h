/* The parts of perfica-supervise.
 *
 * libc and libseccomp only, single-threaded: each part runs in a process of its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sandbox-protocol.h"

#include <signal.h>
#include <sys/types.h>

/* After the polite SIGTERM, in milliseconds: enough for a test runner to write its report. */
#define SUPERVISE_GRACE_MS 2000
/* What a supervisor waits for its init after that before it kills the tree itself. */
#define SUPERVISE_BACKSTOP_MS 3000
/* How long an unconfined tree that keeps forking is chased: 13.9 s were measured against 200. */
#define SUPERVISE_CHASE_MS 20000

/* ---- Our init's reports to its supervisor; each is one write, so one read ---- */

typedef enum
{
  SUPERVISE_REPORT_START_FAILED = 1, /* of the program line, before any init; value: errno */
  SUPERVISE_REPORT_FOLDER_FAILED,    /* its working folder; value: errno */
  SUPERVISE_REPORT_ALIVE,            /* value: 1 if it is pid 1 */
  SUPERVISE_REPORT_STARTED,          /* the command itself runs */
  SUPERVISE_REPORT_COMMAND_FAILED,   /* it couldn't be started; value: errno */
  SUPERVISE_REPORT_EXITED,           /* value: its exit code */
  SUPERVISE_REPORT_SIGNALLED,        /* value: the signal */
} SuperviseReportKind;

typedef struct
{
  uint32_t kind;
  int32_t value;
  int64_t duration_us;
} SuperviseReport;

/**
 * SuperviseInit:
 * @app: read end of the app's lifeline
 * @supervisor: read end of the supervisor's; a byte in it means "stop politely"
 * @report: where reports go
 * @command_stderr: what becomes the command's standard error; ours stays the backend's
 * @argv: the command
 * @stop_argv: (nullable): what stops a tree that isn't ours (a container); "@CID@" in it stands for
 *   the content of @cidfile
 * @cidfile: (nullable): removed when a lifeline breaks
 * @clear_away: @stop_argv is run whatever happened
 */
typedef struct
{
  int app;
  int supervisor;
  int report;
  int command_stderr;
  char **argv;
  char **stop_argv;
  const char *cidfile;
  bool clear_away;
} SuperviseInit;

/* Runs the command and stops everything of it at its end. Returns the status to exit with. */
int supervise_init (const SuperviseInit *init);
/* The same from its command line: --init APP,SUPERVISOR,REPORT,STDERR -- COMMAND… */
int supervise_init_main (int argc, char **argv);

/* Serves the app over @socket until it closes it. Returns the status to exit with. */
int supervise_launch (int socket);

/**
 * SuperviseRun:
 * @fds: what came with the request
 * @launcher: read end of a pipe whose other end only the launcher holds
 * @seccomp: the compiled filter, or -1
 * @program: host path of perfica-supervise
 */
typedef struct
{
  int fds[SANDBOX_RUN_FDS];
  int launcher;
  int seccomp;
  const char *program;
} SuperviseRun;

/* One command from its request to its result, in a fresh child of the launcher. */
int supervise_run (SuperviseRun *run);

/**
 * SuperviseStart:
 * @pid: the program line's first process, our child
 * @lifeline: write end of our own lifeline
 * @report: read end of the init's reports
 * @words: read end of the backend's own standard error, or -1
 * @status: bwrap's status, a memfd, or -1
 * @output: read ends of the command's standard output and error
 */
typedef struct
{
  pid_t pid;
  int lifeline;
  int report;
  int words;
  int status;
  int output[2];
} SuperviseStart;

/* A failure has its reason and detail. */
bool supervise_start (const SuperviseRun *run,
                      const SandboxRequest *request,
                      SuperviseStart *start,
                      SandboxReason *reason,
                      char detail[SANDBOX_DETAIL_MAX]);

/* ---- Services (supervise-service.c) ---- */

/**
 * supervise_service_stop:
 * @cidfile: (nullable): waited for while the client lives, 5 s at the most
 * @stop_argv: run with this process's environment, 10 s at the most; "@CID@" is that file's content
 * @client: our child that started it, or 0 when that is somebody else's
 * @client_ended: (inout): it was reaped; its status is in @client_status
 */
void supervise_service_stop (
    const char *cidfile, char **stop_argv, pid_t client, bool *client_ended, int *client_status);

/* ---- Process trees (supervise-tree.c) ---- */

/* Sends @signal to every descendant of this process. Returns how many live ones were seen. */
size_t supervise_tree_signal (int signal);
/* SIGKILL to every descendant, reaping them, until none is left. Returns whether none is. */
bool supervise_tree_kill (int milliseconds);
/* @signal to every child that isn't among @keep. Returns how many live ones were seen. */
size_t supervise_tree_signal_strays (int signal, const pid_t *keep, size_t n_keep);

/* A control group of our own below the one we are in, where the system lets us make one. */
typedef struct
{
  int parent;
  int folder;
  char name[48];
} SuperviseGroup;

bool supervise_group_new (SuperviseGroup *group);
void supervise_group_join (const SuperviseGroup *group); /* in the child that is to be in it */
void supervise_group_kill (SuperviseGroup *group);       /* and removes it */

/* ---- Small things ---- */

int64_t supervise_now_us (void); /* CLOCK_MONOTONIC */
/* Closes every descriptor above 2 but those in @keep (sorted by this), or marks them close-on-exec.
 */
void supervise_close_all_but (int *keep, size_t n_keep, bool only_on_exec);
/* A child's signals as a program expects them: nothing blocked, nothing ignored. */
void supervise_reset_signals (void);
int supervise_block_signals (void); /* all; a signalfd for SIGCHLD */
