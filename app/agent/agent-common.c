/* What several of perfica-agent's commands need.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "agent-commands.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
agent_exit_from_outcome (PerficaOutcome outcome)
{
  switch (outcome)
    {
    case PERFICA_OUTCOME_RAN:
      return -1;
    case PERFICA_OUTCOME_LIMIT:
      return AGENT_EXIT_LIMIT;
    case PERFICA_OUTCOME_CANCELLED:
      return AGENT_EXIT_CANCELLED;
    case PERFICA_OUTCOME_REFUSED:
      return AGENT_EXIT_REFUSED;
    case PERFICA_OUTCOME_NO_TOOL:
      return AGENT_EXIT_NO_TOOL;
    case PERFICA_OUTCOME_DENIED:
      return AGENT_EXIT_DENIED;
    case PERFICA_OUTCOME_NOBODY:
      return AGENT_EXIT_NOBODY;
    case PERFICA_OUTCOME_NO_WINDOW:
      return AGENT_EXIT_NO_WINDOW;
    case PERFICA_OUTCOME_UNCONFINED:
      return AGENT_EXIT_UNCONFINED;
    case PERFICA_OUTCOME_GATEWAY_STOPPED:
      return AGENT_EXIT_GATEWAY_STOPPED;
    case PERFICA_OUTCOME_AGENT_GONE:
    case PERFICA_OUTCOME_LOST:
      return AGENT_EXIT_LOST;
    case PERFICA_OUTCOME_NOT_ATTACHED:
      return AGENT_EXIT_NOT_ATTACHED;
    case PERFICA_OUTCOME_PENDING:
    case PERFICA_OUTCOME_ERROR:
      break;
    }
  return AGENT_EXIT_ERROR;
}

int
agent_exit_from_error (const GError *error)
{
  if (error->domain != AGENT_ERROR)
    return AGENT_EXIT_USAGE; /* no place for the socket */
  switch ((AgentError) error->code)
    {
    case AGENT_ERROR_NOT_RUNNING:
    case AGENT_ERROR_SILENT:
      return AGENT_EXIT_NOT_RUNNING;
    case AGENT_ERROR_LOST:
      return AGENT_EXIT_LOST;
    case AGENT_ERROR_BOARD:
      return AGENT_EXIT_NO_BOARD;
    case AGENT_ERROR_VERSION:
      return AGENT_EXIT_VERSION;
    case AGENT_ERROR_TURNED_AWAY:
      return AGENT_EXIT_TURNED_AWAY;
    case AGENT_ERROR_BUSY:
      return AGENT_EXIT_BUSY;
    case AGENT_ERROR_CANCELLED:
      return AGENT_EXIT_CANCELLED;
    case AGENT_ERROR_GATEWAY:
      break;
    }
  return AGENT_EXIT_ERROR;
}

void
agent_complain (const char *message)
{
  g_autofree char *valid = g_utf8_make_valid (message, -1);
  GString *line = g_string_new ("perfica-agent: ");

  /* Words of the gateway and of commands end up here: nothing may drive the terminal. */
  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c != '\n' && g_unichar_iscntrl (c))
        c = 0xfffd;
      g_string_append_unichar (line, c);
    }
  g_string_append_c (line, '\n');
  agent_write_all (STDERR_FILENO, line->str, line->len);
  g_string_free (line, TRUE);
}

gboolean
agent_parse_options (GOptionContext *context, gboolean strict, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  g_option_context_set_strict_posix (context, strict);
  if (g_option_context_parse (context, &argc, &argv, &error))
    return TRUE;
  agent_complain (error->message);
  return FALSE;
}

char *
agent_join_words (char **words)
{
  GString *text;

  if (words == NULL || words[0] == NULL)
    return NULL;
  for (char **word = words; *word != NULL; word++)
    if (!g_utf8_validate (*word, -1, NULL))
      return NULL;
  if (words[1] == NULL)
    return g_strdup (words[0]);
  text = g_string_new (NULL);
  for (char **word = words; *word != NULL; word++)
    {
      g_autofree char *quoted = g_shell_quote (*word);

      if (text->len > 0)
        g_string_append_c (text, ' ');
      g_string_append (text, quoted);
    }
  return g_string_free (text, FALSE);
}

char *
agent_folder (const char *folder)
{
  char *physical = realpath (folder != NULL ? folder : ".", NULL);
  char *copy;

  if (physical == NULL)
    {
      g_autofree char *message =
          g_strdup_printf (_ ("The folder %s can't be used: %s"), folder != NULL ? folder : ".",
                           g_strerror (errno));

      agent_complain (message);
      return NULL;
    }
  copy = g_strdup (physical);
  free (physical);
  return copy;
}

gboolean
agent_write_all (int fd, const char *data, gsize length)
{
  while (length > 0)
    {
      gssize n = write (fd, data, length);

      if (n < 0 && errno == EAGAIN)
        {
          /* Somebody else made the other end not block. */
          struct pollfd wait = { .fd = fd, .events = POLLOUT };

          poll (&wait, 1, -1);
          continue;
        }
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      data += n;
      length -= (gsize) n;
    }
  return TRUE;
}
