/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-seccomp.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "sandbox-seccomp-table.h"

#define N_ELEMENTS(array) (sizeof (array) / sizeof *(array))

static bool
refuse (scmp_filter_ctx filter, const SandboxRefusal *refusal)
{
  int number = seccomp_syscall_resolve_name (refusal->name);

  return number == __NR_SCMP_ERROR ||
         seccomp_rule_add (filter, SCMP_ACT_ERRNO ((uint32_t) refusal->error), number, 0) == 0;
}

/* s390 has the flags second. */
static unsigned int
clone_flags_argument (void)
{
  uint32_t arch = seccomp_arch_native ();

  return arch == SCMP_ARCH_S390 || arch == SCMP_ARCH_S390X ? 1 : 0;
}

static bool
refuse_arguments (scmp_filter_ctx filter)
{
  const uint32_t no = SCMP_ACT_ERRNO (EPERM);
  const scmp_datum_t low = 0xffffffffu;
  bool done = seccomp_rule_add (filter, no, SCMP_SYS (unshare), 1,
                                SCMP_A0 (SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER)) == 0 &&
              seccomp_rule_add (filter, no, SCMP_SYS (clone), 1,
                                SCMP_CMP (clone_flags_argument (), SCMP_CMP_MASKED_EQ,
                                          CLONE_NEWUSER, CLONE_NEWUSER)) == 0 &&
              /* The kernel looks at the low half only: so must we. */
              seccomp_rule_add (filter, no, SCMP_SYS (ioctl), 1,
                                SCMP_A1 (SCMP_CMP_MASKED_EQ, low, TIOCSTI)) == 0 &&
              seccomp_rule_add (filter, no, SCMP_SYS (ioctl), 1,
                                SCMP_A1 (SCMP_CMP_MASKED_EQ, low, TIOCLINUX)) == 0;

  return done;
}

/* Each family that isn't allowed, one rule a number: comparisons of one argument can't be joined
 * with "and" in one rule. Families above the highest allowed one go with a single rule. */
static bool
refuse_families (scmp_filter_ctx filter)
{
  const uint32_t no = SCMP_ACT_ERRNO (EAFNOSUPPORT);
  int highest = 0;

  for (size_t i = 0; i < N_ELEMENTS (sandbox_families); i++)
    if (sandbox_families[i] > highest)
      highest = sandbox_families[i];
  for (int family = 0; family < highest; family++)
    {
      bool allowed = false;

      for (size_t i = 0; i < N_ELEMENTS (sandbox_families); i++)
        allowed = allowed || sandbox_families[i] == family;
      if (!allowed &&
          seccomp_rule_add (filter, no, SCMP_SYS (socket), 1,
                            SCMP_A0 (SCMP_CMP_MASKED_EQ, 0xffffffffu, (scmp_datum_t) family)) != 0)
        return false;
    }
  return seccomp_rule_add (filter, no, SCMP_SYS (socket), 1,
                           SCMP_A0 (SCMP_CMP_GT, (scmp_datum_t) highest)) == 0;
}

/* The 32-bit calls of the same processor would pass beside the filter. */
static void
add_foreign_architectures (scmp_filter_ctx filter)
{
  switch (seccomp_arch_native ())
    {
    case SCMP_ARCH_X86_64:
      seccomp_arch_add (filter, SCMP_ARCH_X86);
      seccomp_arch_add (filter, SCMP_ARCH_X32);
      break;
    case SCMP_ARCH_AARCH64:
      seccomp_arch_add (filter, SCMP_ARCH_ARM);
      break;
    default:
      break;
    }
}

bool
sandbox_seccomp_write (int fd)
{
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ALLOW);
  bool done = filter != NULL;

  if (!done)
    return false;
  add_foreign_architectures (filter);
  for (size_t i = 0; i < N_ELEMENTS (sandbox_refusals) && done; i++)
    done = refuse (filter, &sandbox_refusals[i]);
  done = done && refuse_arguments (filter) && refuse_families (filter) &&
         seccomp_export_bpf (filter, fd) == 0;
  seccomp_release (filter);
  return done;
}
