/* The system calls that no confined command needs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdbool.h>

/**
 * sandbox_seccomp_write:
 * @fd: an empty file, positioned at its start
 *
 * Writes the filter as the kernel takes it (`struct sock_filter[]`, for bwrap's --seccomp). It
 * refuses what reaches the kernel past the namespaces (keyrings, bpf, mounts, new user namespaces),
 * other terminals' input (TIOCSTI) and sockets that namespaces don't hold (AF_VSOCK).
 *
 * Returns: whether it was written whole
 */
bool sandbox_seccomp_write (int fd);
