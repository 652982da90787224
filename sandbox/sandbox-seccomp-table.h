/* The calls that a confined command may not make: bubblewrap's filter and Docker's profile are both
 * made of this.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <errno.h>
#include <sys/socket.h>

/* What a call is answered with. A name that this libseccomp doesn't know is left out: newer mount
 * calls need capabilities that a confined command hasn't got anyway. */
typedef struct
{
  const char *name;
  int error;
} SandboxRefusal;

static const SandboxRefusal sandbox_refusals[] = {
  { "keyctl", EPERM },
  { "add_key", EPERM },
  { "request_key", EPERM },
  { "bpf", EPERM },
  { "perf_event_open", EPERM },
  { "userfaultfd", EPERM },
  { "quotactl", EPERM },
  { "quotactl_fd", EPERM },
  { "acct", EPERM },
  { "kexec_load", EPERM },
  { "kexec_file_load", EPERM },
  { "open_by_handle_at", EPERM },
  { "syslog", EPERM },
  { "setns", EPERM },
  { "mount", EPERM },
  { "umount", EPERM },
  { "umount2", EPERM },
  { "pivot_root", EPERM },
  { "chroot", EPERM },
  /* "Not there" makes the C library fall back to the call that can be looked into. */
  { "clone3", ENOSYS },
  { "io_uring_setup", ENOSYS },
  { "io_uring_enter", ENOSYS },
  { "io_uring_register", ENOSYS },
  { "open_tree", ENOSYS },
  { "move_mount", ENOSYS },
  { "fsopen", ENOSYS },
  { "fsconfig", ENOSYS },
  { "fsmount", ENOSYS },
  { "fspick", ENOSYS },
  { "mount_setattr", ENOSYS },
  { "open_tree_attr", ENOSYS },
};

/* AF_VSOCK reaches the machine's host (and WSL's) past any network namespace. */
static const int sandbox_families[] = { AF_UNIX, AF_INET, AF_INET6, AF_NETLINK };
