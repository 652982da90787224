/* The filter, tried in a child of this program, without any sandbox around it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sandbox-seccomp.h"

#include <errno.h>
#include <glib.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_INSTRUCTIONS 4096
#define HIGH (1l << 32)
#define ALLOWED -1 /* by the filter; what the kernel then says is its own */

typedef struct
{
  const char *name;
  long number;
  long arguments[4];
  int error;
} Try;

static const Try tries[] = {
  { "keyctl", SYS_keyctl, { 0, 0 }, EPERM },
  { "add_key", SYS_add_key, { 0 }, EPERM },
  { "request_key", SYS_request_key, { 0 }, EPERM },
  { "bpf", SYS_bpf, { 0 }, EPERM },
  { "perf_event_open", SYS_perf_event_open, { 0 }, EPERM },
  { "userfaultfd", SYS_userfaultfd, { 0 }, EPERM },
  { "quotactl", SYS_quotactl, { 0 }, EPERM },
  { "acct", SYS_acct, { 0 }, EPERM },
  { "kexec_load", SYS_kexec_load, { 0 }, EPERM },
  { "open_by_handle_at", SYS_open_by_handle_at, { 0 }, EPERM },
  { "syslog", SYS_syslog, { 10 }, EPERM },
  { "setns", SYS_setns, { -1 }, EPERM },
  { "mount", SYS_mount, { 0 }, EPERM },
  { "umount2", SYS_umount2, { 0 }, EPERM },
  { "pivot_root", SYS_pivot_root, { 0 }, EPERM },
  { "chroot", SYS_chroot, { 0 }, EPERM },
  { "unshare user", SYS_unshare, { CLONE_NEWUSER }, EPERM },
  { "unshare user and more", SYS_unshare, { CLONE_NEWUSER | CLONE_NEWNS | CLONE_FS }, EPERM },
  { "unshare user, high bits", SYS_unshare, { HIGH | CLONE_NEWUSER }, EPERM },
  { "clone user", SYS_clone, { CLONE_NEWUSER | SIGCHLD }, EPERM },
  { "clone user and pid", SYS_clone, { CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD }, EPERM },
  { "clone3", SYS_clone3, { 0 }, ENOSYS },
  { "io_uring_setup", SYS_io_uring_setup, { 1 }, ENOSYS },
  { "io_uring_enter", SYS_io_uring_enter, { 0 }, ENOSYS },
  { "io_uring_register", SYS_io_uring_register, { 0 }, ENOSYS },
  { "open_tree", SYS_open_tree, { 0 }, ENOSYS },
  { "move_mount", SYS_move_mount, { 0 }, ENOSYS },
  { "fsopen", SYS_fsopen, { 0 }, ENOSYS },
  { "fsconfig", SYS_fsconfig, { 0 }, ENOSYS },
  { "fsmount", SYS_fsmount, { 0 }, ENOSYS },
  { "fspick", SYS_fspick, { 0 }, ENOSYS },
  { "mount_setattr", SYS_mount_setattr, { 0 }, ENOSYS },
  { "TIOCSTI", SYS_ioctl, { 0, TIOCSTI, 0 }, EPERM },
  { "TIOCSTI, high bits", SYS_ioctl, { 0, HIGH | TIOCSTI, 0 }, EPERM },
  { "TIOCLINUX", SYS_ioctl, { 0, TIOCLINUX, 0 }, EPERM },
  { "AF_VSOCK", SYS_socket, { AF_VSOCK, SOCK_STREAM, 0 }, EAFNOSUPPORT },
  { "AF_VSOCK, high bits", SYS_socket, { HIGH | AF_VSOCK, SOCK_STREAM, 0 }, EAFNOSUPPORT },
  { "AF_PACKET", SYS_socket, { AF_PACKET, SOCK_RAW, 0 }, EAFNOSUPPORT },
  { "AF_ALG", SYS_socket, { AF_ALG, SOCK_SEQPACKET, 0 }, EAFNOSUPPORT },
  { "AF_KEY", SYS_socket, { AF_KEY, SOCK_RAW, 0 }, EAFNOSUPPORT },
  { "AF_AX25, high bits", SYS_socket, { HIGH | AF_AX25, SOCK_RAW, 0 }, EAFNOSUPPORT },
  { "family -1", SYS_socket, { -1, SOCK_STREAM, 0 }, EAFNOSUPPORT },
  { "AF_UNIX", SYS_socket, { AF_UNIX, SOCK_STREAM, 0 }, 0 },
  { "AF_NETLINK", SYS_socket, { AF_NETLINK, SOCK_RAW, 0 }, 0 },
  { "AF_INET", SYS_socket, { AF_INET, SOCK_STREAM, 0 }, 0 },
  { "unshare files", SYS_unshare, { CLONE_FILES }, 0 },
  { "ioctl FIONREAD", SYS_ioctl, { -1, FIONREAD, 0 }, EBADF },
  /* The leak checker of sanitizers needs it. */
  { "ptrace", SYS_ptrace, { -1 }, ALLOWED },
  { "getpid", SYS_getpid, { 0 }, 0 },
};

static int
filter_file (void)
{
  int fd = memfd_create ("filter", MFD_CLOEXEC);

  g_assert_true (sandbox_seccomp_write (fd));
  return fd;
}

static gboolean
apply_filter (int fd)
{
  static struct sock_filter instructions[MOST_INSTRUCTIONS];
  gssize length = pread (fd, instructions, sizeof instructions, 0);
  struct sock_fprog program = { (unsigned short) ((gsize) length / sizeof *instructions),
                                instructions };

  return length > 0 && prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

/* Calls that succeed in making a process must not be tried here; these all fail or are harmless. */
static int
try_call (const Try *try)
{
  long result = syscall (try->number, try->arguments[0], try->arguments[1], try->arguments[2],
                         try->arguments[3], 0l, 0l);

  return result >= 0 ? 0 : errno;
}

static void
test_calls (void)
{
  int results[G_N_ELEMENTS (tries)];
  int filter = filter_file ();
  int ends[2];
  pid_t child;

  g_assert_cmpint (pipe (ends), ==, 0);
  child = fork ();
  if (child == 0)
    {
      if (!apply_filter (filter))
        _exit (9);
      for (gsize i = 0; i < G_N_ELEMENTS (tries); i++)
        results[i] = try_call (&tries[i]);
      _exit (write (ends[1], results, sizeof results) == (gssize) sizeof results ? 0 : 8);
    }
  close (ends[1]);
  g_assert_cmpint (read (ends[0], results, sizeof results), ==, (gssize) sizeof results);
  close (ends[0]);
  close (filter);
  waitpid (child, NULL, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (tries); i++)
    {
      g_test_message ("%s: %s", tries[i].name, g_strerror (results[i]));
      if (tries[i].error == ALLOWED)
        g_assert_cmpint (results[i], !=, ENOSYS);
      else
        g_assert_cmpint (results[i], ==, tries[i].error);
    }
}

/* The same processor's other calls: there, keyctl has the number 288. */
static void
test_32_bits (void)
{
#ifdef __x86_64__
  int filter = filter_file ();
  pid_t child = fork ();
  int status;

  if (child == 0)
    {
      long result;

      if (!apply_filter (filter))
        _exit (9);
      __asm__ volatile("int $0x80"
                       : "=a"(result)
                       : "a"(288l), "b"(0l), "c"(0l), "d"(0l)
                       : "memory");
      _exit (result == -EPERM ? 0 : result == -ENOSYS ? 7 : 1);
    }
  close (filter);
  waitpid (child, &status, 0);
  g_assert_true (WIFEXITED (status));
  /* 7: the kernel has no such calls at all. */
  g_assert_true (WEXITSTATUS (status) == 0 || WEXITSTATUS (status) == 7);
#else
  g_test_skip ("this processor has one kind of calls");
#endif
}

static void
test_cannot_be_written (void)
{
  g_assert_false (sandbox_seccomp_write (-1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sandbox/seccomp/calls", test_calls);
  g_test_add_func ("/sandbox/seccomp/32-bits", test_32_bits);
  g_test_add_func ("/sandbox/seccomp/cannot-be-written", test_cannot_be_written);
  return g_test_run ();
}
