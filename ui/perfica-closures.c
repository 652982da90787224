/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-closures.h"

#include <glib/gi18n.h>
#include <string.h>

#include "perfica-escape.h"

/* A path is at most so long on Linux (PATH_MAX). */
#define MAX_PATH 4096

typedef struct
{
  const char *label;
  const char *sentence;
  const char *style;
} OutcomeWords;

static const OutcomeWords outcome_words[] = {
  [PERFICA_OUTCOME_PENDING] = { N_ ("running"), N_ ("Still on its way."), "info" },
  [PERFICA_OUTCOME_RAN] = { N_ ("ok"), N_ ("It ran to its end."), "ok" },
  [PERFICA_OUTCOME_LIMIT] = { N_ ("time limit"),
                              N_ ("Stopped at the time limit, with all it had started."), "warn" },
  [PERFICA_OUTCOME_CANCELLED] = { N_ ("cancelled"),
                                  N_ ("Stopped because the agent or you asked for it."), "warn" },
  [PERFICA_OUTCOME_REFUSED] = { N_ ("refused"), N_ ("Refused by the guard."), "bad" },
  [PERFICA_OUTCOME_NO_TOOL] = { N_ ("no tool"), N_ ("Refused: this bubble may not run commands."),
                                "bad" },
  [PERFICA_OUTCOME_DENIED] = { N_ ("denied"), N_ ("You denied it."), "bad" },
  [PERFICA_OUTCOME_NOBODY] = { N_ ("nobody answered"), N_ ("Refused: nobody answered in time."),
                               "warn" },
  [PERFICA_OUTCOME_NO_WINDOW] = { N_ ("no window"), N_ ("Refused: no window was open to ask in."),
                                  "warn" },
  [PERFICA_OUTCOME_UNCONFINED] = { N_ ("not confined"), N_ ("Refused: it could not be confined."),
                                   "bad" },
  [PERFICA_OUTCOME_AGENT_GONE] = { N_ ("agent gone"), N_ ("The agent left before it was answered."),
                                   "warn" },
  [PERFICA_OUTCOME_GATEWAY_STOPPED] = { N_ ("gateway stopped"),
                                        N_ ("Stopped together with the gateway."), "warn" },
  [PERFICA_OUTCOME_LOST] = { N_ ("lost"),
                             N_ ("Perfica ended while it ran; how it ended is not known."),
                             "warn" },
  [PERFICA_OUTCOME_NOT_ATTACHED] = { N_ ("not confirmed"),
                                     N_ ("Refused: this agent has not been confirmed yet."),
                                     "bad" },
  [PERFICA_OUTCOME_ERROR] = { N_ ("error"), N_ ("Refused: Perfica could not do its part."), "bad" },
};

static const OutcomeWords *
words_for (PerficaOutcome outcome)
{
  if ((gsize) outcome >= G_N_ELEMENTS (outcome_words))
    return &outcome_words[PERFICA_OUTCOME_ERROR];
  return &outcome_words[outcome];
}

char *
perfica_outcome_label (PerficaOutcome outcome, int exit_code, int signal_number)
{
  if (outcome == PERFICA_OUTCOME_RAN && signal_number != 0)
    return g_strdup_printf (_ ("signal %d"), signal_number);
  if (outcome == PERFICA_OUTCOME_RAN && exit_code != 0)
    return g_strdup_printf (_ ("exit %d"), exit_code);
  return g_strdup (_ (words_for (outcome)->label));
}

const char *
perfica_outcome_sentence (PerficaOutcome outcome)
{
  return _ (words_for (outcome)->sentence);
}

const char *
perfica_outcome_style (PerficaOutcome outcome, int exit_code, int signal_number)
{
  if (outcome == PERFICA_OUTCOME_RAN && (exit_code != 0 || signal_number != 0))
    return "warn";
  return words_for (outcome)->style;
}

char *
perfica_duration_label (gint64 duration)
{
  gint64 seconds = duration / G_USEC_PER_SEC;

  if (duration <= 0)
    return g_strdup ("");
  if (seconds < 60)
    return g_strdup_printf (_ ("%.1f s"), (double) duration / G_USEC_PER_SEC);
  return g_strdup_printf (_ ("%d min %d s"), (int) (seconds / 60), (int) (seconds % 60));
}

char *
perfica_countdown_label (gint64 seconds)
{
  int left = (int) CLAMP (seconds, 0, 359999);

  if (left < 100)
    return g_strdup_printf (_ ("%d s"), left);
  if (left < 3600)
    return g_strdup_printf ("%d:%02d", left / 60, left % 60);
  return g_strdup_printf ("%d:%02d:%02d", left / 3600, left / 60 % 60, left % 60);
}

char *
perfica_time_label (gint64 time, gint64 now)
{
  g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (time / G_USEC_PER_SEC);
  g_autoptr (GDateTime) today = g_date_time_new_from_unix_local (now / G_USEC_PER_SEC);

  if (then == NULL || today == NULL)
    return g_strdup ("");
  if (g_date_time_get_year (then) == g_date_time_get_year (today) &&
      g_date_time_get_day_of_year (then) == g_date_time_get_day_of_year (today))
    return g_date_time_format (then, "%H:%M");
  if (g_date_time_get_year (then) == g_date_time_get_year (today))
    return g_date_time_format (then, _ ("%-d %b %H:%M"));
  return g_date_time_format (then, _ ("%-d %b %Y"));
}

const char *
perfica_role_label (PerficaRole role)
{
  switch (role)
    {
    case PERFICA_ROLE_CODER:
      return _ ("Coder");
    case PERFICA_ROLE_REVIEWER:
      return _ ("Reviewer");
    case PERFICA_ROLE_RESEARCHER:
      return _ ("Researcher");
    case PERFICA_ROLE_CUSTOM:
    default:
      return _ ("Custom");
    }
}

char *
perfica_tools_label (PerficaTools tools)
{
  const char *names[4] = { NULL };
  int n = 0;

  if (tools & PERFICA_TOOL_READ)
    names[n++] = _ ("read files");
  if (tools & PERFICA_TOOL_WRITE)
    names[n++] = _ ("write files");
  if (tools & PERFICA_TOOL_RUN)
    names[n++] = _ ("run commands");
  if (n == 0)
    return g_strdup (_ ("no tools"));
  return g_strjoinv (", ", (char **) names);
}

char *
perfica_waiting_label (guint waiting)
{
  return g_strdup_printf (ngettext ("%u waiting", "%u waiting", waiting), waiting);
}

const char *
perfica_backend_label (SandboxBackendType backend)
{
  switch (backend)
    {
    case SANDBOX_BACKEND_BUBBLEWRAP:
      return _ ("bubblewrap");
    case SANDBOX_BACKEND_DOCKER:
      return _ ("Docker");
    case SANDBOX_BACKEND_SANDBOX_EXEC:
      return _ ("sandbox-exec");
    case SANDBOX_BACKEND_WSL:
      return _ ("WSL with bubblewrap");
    case SANDBOX_BACKEND_NONE:
    default:
      return _ ("None");
    }
}

char *
perfica_folder_label (const char *folder, const char *home)
{
  gsize length = home != NULL ? strlen (home) : 0;
  g_autofree char *escaped = NULL;

  if (length > 1 && strncmp (folder, home, length) == 0 &&
      (folder[length] == '/' || folder[length] == '\0'))
    {
      escaped = perfica_escape_line (folder + length, MAX_PATH);
      return g_strconcat ("~", escaped, NULL);
    }
  return perfica_escape_line (folder, MAX_PATH);
}

char *
perfica_loop_folder_label (const char *folder)
{
  if (folder == NULL || *folder == '\0' || strcmp (folder, ".") == 0)
    return g_strdup (_ ("whole project"));
  return perfica_escape_line (folder, MAX_PATH);
}
