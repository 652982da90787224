/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-run-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The detail comes from the backend or names a path: whatever bytes it has, people get UTF-8. */
static char *
explain (SandboxReason reason, const char *detail)
{
  g_autofree char *text = g_utf8_make_valid (detail, -1);

  switch (reason)
    {
    case SANDBOX_REASON_NONE:
      return NULL;
    case SANDBOX_REASON_BACKEND:
      return g_steal_pointer (&text);
    case SANDBOX_REASON_SILENT:
      /* Translators: %s is a program such as /usr/bin/bwrap */
      return g_strdup_printf (_ ("%s ended before the command started, without a word"), text);
    case SANDBOX_REASON_PROGRAM:
    case SANDBOX_REASON_COMMAND:
      /* Translators: %s is a program and the system's words: "bash: No such file or directory" */
      return g_strdup_printf (_ ("The command could not be started: %s"), text);
    case SANDBOX_REASON_FOLDER:
      return g_strdup_printf (_ ("The command's folder could not be entered: %s"), text);
    case SANDBOX_REASON_PLACE:
      /* Translators: %s is a path */
      return g_strdup_printf (_ ("%s is no longer what it was when the command was allowed"), text);
    case SANDBOX_REASON_SYSTEM:
      return g_strdup_printf (_ ("The system could not start the command: %s"), text);
    case SANDBOX_REASON_REQUEST:
      return g_strdup (_ ("The command line is too long or cannot be read"));
    case SANDBOX_REASON_TOO_MANY:
      return g_strdup (_ ("Too many commands are running"));
    case SANDBOX_REASON_SUPERVISOR:
      return g_strdup (_ ("The process that watched the command died; the command was stopped"));
    case SANDBOX_REASON_LAUNCHER:
      return g_strdup (_ ("The process that starts commands died; the command was stopped"));
    case SANDBOX_REASON_INIT:
      return g_strdup (_ ("The command was ended from outside"));
    default:
      return g_steal_pointer (&text);
    }
}

SandboxResult *
sandbox_result_new (SandboxEnding ending, SandboxReason reason, const char *detail)
{
  SandboxResult *result = g_new0 (SandboxResult, 1);

  result->ending = ending;
  result->exit_code = -1;
  result->message = explain (reason, detail);
  result->stdout_head = g_bytes_new (NULL, 0);
  result->stdout_tail = g_bytes_new (NULL, 0);
  result->stderr_head = g_bytes_new (NULL, 0);
  result->stderr_tail = g_bytes_new (NULL, 0);
  return result;
}

static void
set_kept (GBytes **bytes, GByteArray *const kept)
{
  g_bytes_unref (*bytes);
  *bytes = g_bytes_new (kept->data, kept->len);
}

SandboxResult *
sandbox_result_new_from_message (const SandboxResultMessage *message, GByteArray *const kept[4])
{
  g_autofree char *detail =
      g_strndup (message->detail, MIN (message->detail_length, sizeof message->detail));
  SandboxEnding ending =
      message->ending <= SANDBOX_END_LOST ? (SandboxEnding) message->ending : SANDBOX_ENDING_LOST;
  SandboxResult *result = sandbox_result_new (ending, (SandboxReason) message->reason, detail);

  result->exit_code = message->exit_code;
  result->signal_number = message->signal_number;
  result->duration_us = message->duration_us;
  result->stdout_total = message->stdout_total;
  result->stderr_total = message->stderr_total;
  result->output_cut = message->output_cut != 0;
  result->output_errno = message->output_errno;
  result->tree_is_certain = message->tree_is_certain != 0;
  set_kept (&result->stdout_head, kept[0]);
  set_kept (&result->stderr_head, kept[SANDBOX_KEPT_STDERR]);
  set_kept (&result->stdout_tail, kept[SANDBOX_KEPT_TAIL]);
  set_kept (&result->stderr_tail, kept[SANDBOX_KEPT_STDERR | SANDBOX_KEPT_TAIL]);
  return result;
}

void
sandbox_result_free (SandboxResult *result)
{
  if (result == NULL)
    return;
  g_bytes_unref (result->stdout_head);
  g_bytes_unref (result->stdout_tail);
  g_bytes_unref (result->stderr_head);
  g_bytes_unref (result->stderr_tail);
  g_free (result->message);
  g_free (result);
}
