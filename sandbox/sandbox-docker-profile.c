/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-docker-profile.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <sys/ioctl.h>

#include "sandbox-backend.h"
#include "sandbox-seccomp-table.h"

#define LOW "4294967295"

static void
begin_rule (GString *text, const char *name, int error)
{
  if (text->str[text->len - 1] != '[')
    g_string_append (text, ",\n");
  g_string_append_printf (text, "{\"names\":[\"%s\"],\"action\":\"SCMP_ACT_ERRNO\",\"errnoRet\":%d",
                          name, error);
}

/* Where (argument & mask) == value; only there when @more says so (which processors). */
static void
add_masked (GString *text,
            const char *name,
            int error,
            guint argument,
            const char *mask,
            gulong value,
            const char *more)
{
  begin_rule (text, name, error);
  g_string_append_printf (text,
                          ",\"args\":[{\"index\":%u,\"value\":%s,\"valueTwo\":%lu,"
                          "\"op\":\"SCMP_CMP_MASKED_EQ\"}]%s}",
                          argument, mask, value, more);
}

static void
add_families (GString *text)
{
  int highest = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sandbox_families); i++)
    highest = MAX (highest, sandbox_families[i]);
  for (int family = 0; family < highest; family++)
    {
      gboolean allowed = FALSE;

      for (guint i = 0; i < G_N_ELEMENTS (sandbox_families); i++)
        allowed = allowed || sandbox_families[i] == family;
      if (!allowed)
        add_masked (text, "socket", EAFNOSUPPORT, 0, LOW, (gulong) family, "");
    }
  begin_rule (text, "socket", EAFNOSUPPORT);
  g_string_append_printf (text, ",\"args\":[{\"index\":0,\"value\":%d,\"op\":\"SCMP_CMP_GT\"}]}",
                          highest);
}

char *
sandbox_docker_profile_text (void)
{
  GString *text = g_string_new ("{\"defaultAction\":\"SCMP_ACT_ALLOW\",\n\"archMap\":["
                                "{\"architecture\":\"SCMP_ARCH_X86_64\",\"subArchitectures\":"
                                "[\"SCMP_ARCH_X86\",\"SCMP_ARCH_X32\"]},\n"
                                "{\"architecture\":\"SCMP_ARCH_AARCH64\",\"subArchitectures\":"
                                "[\"SCMP_ARCH_ARM\"]}],\n\"syscalls\":[");
  g_autofree char *new_user = g_strdup_printf ("%lu", (gulong) CLONE_NEWUSER);

  for (guint i = 0; i < G_N_ELEMENTS (sandbox_refusals); i++)
    {
      begin_rule (text, sandbox_refusals[i].name, sandbox_refusals[i].error);
      g_string_append_c (text, '}');
    }
  add_masked (text, "unshare", EPERM, 0, new_user, CLONE_NEWUSER, "");
  /* s390 has the flags second. */
  add_masked (text, "clone", EPERM, 0, new_user, CLONE_NEWUSER,
              ",\"excludes\":{\"arches\":[\"s390\",\"s390x\"]}");
  add_masked (text, "clone", EPERM, 1, new_user, CLONE_NEWUSER,
              ",\"includes\":{\"arches\":[\"s390\",\"s390x\"]}");
  add_masked (text, "ioctl", EPERM, 1, LOW, TIOCSTI, "");
  add_masked (text, "ioctl", EPERM, 1, LOW, TIOCLINUX, "");
  add_families (text);
  g_string_append (text, "]}\n");
  return g_string_free (text, FALSE);
}

char *
sandbox_docker_profile_file (GError **error)
{
  g_autofree char *text = sandbox_docker_profile_text ();
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "perfica", NULL);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_autofree char *name = g_strdup_printf ("docker-%.16s.json", sum);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *there = NULL;
  g_autoptr (GError) reason = NULL;

  if (g_file_get_contents (path, &there, NULL, NULL) && g_str_equal (there, text))
    return g_steal_pointer (&path);
  if (g_mkdir_with_parents (folder, 0700) == 0 &&
      g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &reason))
    return g_steal_pointer (&path);
  g_set_error (error, SANDBOX_ERROR, SANDBOX_ERROR_SETUP, _ ("“%s” can't be written: %s"), path,
               reason != NULL ? reason->message : g_strerror (errno));
  return NULL;
}
