/* perfica-agent hook: answers for an agent's own shell and file tools.
 *
 * A command is read here, so that a refusal comes with its reasons; what isn't refused is rewritten
 * into `perfica-agent run`, which takes it through the whole journey. A file tool is read as the
 * shell command that does the same to the file. Whatever goes wrong here denies.
 *
 * Its words are for agents and stay English.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "agent-commands.h"
#include "agent-hook-dialect.h"
#include "agent-verdict.h"
#include "perfica-snippets.h"

#define APP_FOLDER ".perfica"

typedef struct
{
  AgentHookDialect dialect;
  AgentIdentity identity;
  AgentHookCall *call;
  PerficaWireMessage *message; /* the hello's answer */
  GError *error;
} Hook;

/* ---- Answers ---- */

static int
say (char *answer)
{
  g_autofree char *owned = answer;

  return agent_write_all (STDOUT_FILENO, owned, strlen (owned)) ? AGENT_EXIT_OK : AGENT_EXIT_USAGE;
}

static int
deny (const Hook *hook, const char *reason)
{
  return say (agent_hook_encode_deny (hook->dialect, reason));
}

/* A failure of ours: said in both ways that agents listen to; exit code 2 denies too. */
static int
fail (const Hook *hook, const char *reason)
{
  g_autofree char *whole =
      g_strdup_printf ("Perfica couldn't look at this, so it is denied. %s", reason);

  deny (hook, whole);
  agent_complain (whole);
  return AGENT_EXIT_USAGE;
}

/* ---- Reading ---- */

/* @folder from @project, "." for itself; NULL outside. */
static const char *
inside (const char *project, const char *folder)
{
  gsize length = strlen (project);

  if (strcmp (project, folder) == 0)
    return ".";
  return strncmp (project, folder, length) == 0 && folder[length] == '/' ? folder + length + 1
                                                                         : NULL;
}

static GuardVerdict *
read_command (const Hook *hook, const char *command)
{
  const PerficaWireHelloReply *reply = hook->message->hello_reply;
  const char *folder = inside (reply->board_folder, hook->identity.folder);
  GuardScope scope = {
    .project = reply->board_folder,
    .loop = reply->loop,
    .loops = (const char *const *) reply->loops,
    .folder = folder != NULL ? folder : ".",
    .app_folder = APP_FOLDER,
    .home = g_get_home_dir (),
    .sandbox = reply->sandbox,
    .bash_available = TRUE, /* the gateway looks */
  };

  return guard_read (command, strlen (command), &scope, guard_files_disk ());
}

static gboolean
has_tool (const Hook *hook, const char *tool)
{
  return g_strv_contains ((const char *const *) hook->message->hello_reply->tools, tool);
}

/* ---- Commands ---- */

static char *
quote_words (char **words)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (char **word = words; *word != NULL; word++)
    {
      g_autofree char *quoted = g_shell_quote (*word);

      g_string_append_printf (line, "%s%s", word > words ? " " : "", quoted);
    }
  return g_string_free (g_steal_pointer (&line), FALSE);
}

static char *
rewrite (const Hook *hook, const char *program)
{
  const AgentIdentity *who = &hook->identity;
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_auto (GStrv) line = NULL;

  g_strv_builder_add_many (words, program, "run", "--client", who->client, NULL);
  if (who->board != NULL)
    g_strv_builder_add_many (words, "--board", who->board, NULL);
  if (who->bubble != NULL)
    g_strv_builder_add_many (words, "--bubble", who->bubble, NULL);
  if (who->role != NULL)
    g_strv_builder_add_many (words, "--role", who->role, NULL);
  g_strv_builder_add_many (words, "--", hook->call->command, NULL);
  line = g_strv_builder_end (words);
  return quote_words (line);
}

/* One that was rewritten before, word by word as rewrite() writes it, goes the same way. */
static gboolean
is_ours (const char *command, const char *program)
{
  g_auto (GStrv) words = NULL;
  g_autofree char *again = NULL;

  if (!g_shell_parse_argv (command, NULL, &words, NULL) || strcmp (words[0], program) != 0 ||
      g_strcmp0 (words[1], "run") != 0)
    return FALSE;
  again = quote_words (words);
  return strcmp (again, command) == 0;
}

static int
answer_run (const Hook *hook)
{
  g_autofree char *program = perfica_snippet_agent ();
  g_autoptr (GuardVerdict) verdict = NULL;
  g_autofree char *command = NULL;
  g_autofree char *reason = NULL;

  if (!has_tool (hook, "run"))
    return deny (hook, "Refused: \"Run commands\" isn't among your tools in Perfica.");
  if (is_ours (hook->call->command, program))
    return say (agent_hook_encode_pass (hook->dialect));
  verdict = read_command (hook, hook->call->command);
  if (verdict->answer == GUARD_ANSWER_REFUSE)
    {
      reason = agent_verdict_reason (verdict);
      return deny (hook, reason);
    }
  command = rewrite (hook, program);
  if (agent_hook_dialect_rewrites (hook->dialect))
    return say (agent_hook_encode_rewrite (hook->dialect, hook->call, command));
  reason = g_strdup_printf ("Commands go through Perfica. Use its run_command tool, or run exactly "
                            "this instead: %s",
                            command);
  return deny (hook, reason);
}

/* ---- Files ---- */

static int
answer_files (const Hook *hook)
{
  gboolean writes = hook->call->kind == AGENT_HOOK_WRITE;
  g_autofree char *ask = NULL;

  if (!has_tool (hook, writes ? "write" : "read"))
    return deny (hook, writes ? "Refused: \"Write files\" isn't among your tools in Perfica."
                              : "Refused: \"Read files\" isn't among your tools in Perfica.");
  if (!hook->message->hello_reply->attached)
    return deny (hook, "The person hasn't confirmed this agent in Perfica's window yet. Ask them "
                       "to, then try again.");
  if (g_strv_contains ((const char *const *) hook->message->hello_reply->loops, "/"))
    return deny (hook, "The board has too many loops to tell here whose file this is.");
  for (char **path = hook->call->paths; *path != NULL; path++)
    {
      g_autofree char *quoted = g_shell_quote (*path);
      g_autofree char *command = g_strdup_printf (writes ? "printf '' > %s" : "cat -- %s", quoted);
      g_autoptr (GuardVerdict) verdict = read_command (hook, command);
      g_autofree char *reason = agent_verdict_reason (verdict);

      if (verdict->answer == GUARD_ANSWER_REFUSE ||
          (verdict->answer == GUARD_ANSWER_ASK && !agent_hook_dialect_asks (hook->dialect)))
        return deny (hook, reason);
      if (verdict->answer == GUARD_ANSWER_ASK && ask == NULL)
        ask = g_steal_pointer (&reason);
    }
  return say (ask != NULL ? agent_hook_encode_ask (hook->dialect, ask)
                          : agent_hook_encode_pass (hook->dialect));
}

/* ---- The way ---- */

static void
hello_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Hook *hook = user_data;

  hook->message = agent_client_hello_finish (AGENT_CLIENT (source), result, &hook->error);
}

static int
ask_gateway (Hook *hook)
{
  g_autoptr (AgentClient) client = agent_client_new (&hook->identity);

  agent_client_hello_async (client, hello_done, hook);
  while (hook->message == NULL && hook->error == NULL)
    g_main_context_iteration (NULL, TRUE);
  agent_client_close (client);
  if (hook->message == NULL)
    return fail (hook, hook->error->message);
  return hook->call->kind == AGENT_HOOK_RUN ? answer_run (hook) : answer_files (hook);
}

static GBytes *
read_input (void)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  guint8 buffer[16384];
  gssize n;

  while ((n = read (STDIN_FILENO, buffer, sizeof buffer)) != 0)
    {
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 || all->len + (gsize) n > AGENT_HOOK_MAX_INPUT)
        return NULL;
      g_byte_array_append (all, buffer, (guint) n);
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&all));
}

static int
answer (Hook *hook)
{
  g_autoptr (GBytes) input = read_input ();
  g_autoptr (GError) error = NULL;
  gsize length = 0;
  const char *text = input != NULL ? g_bytes_get_data (input, &length) : NULL;

  if (input == NULL)
    return fail (hook, "The hook's input is too long or can't be read.");
  hook->call = agent_hook_decode (hook->dialect, text != NULL ? text : "", length, &error);
  if (hook->call == NULL)
    return fail (hook, error->message);
  if (hook->call->kind == AGENT_HOOK_OTHER)
    return say (agent_hook_encode_pass (hook->dialect));
  hook->identity.folder = agent_folder (hook->call->folder);
  if (hook->identity.folder == NULL)
    return fail (hook, "The working folder can't be used.");
  return ask_gateway (hook);
}

int
agent_hook_main (int argc, char **argv)
{
  Hook hook = { 0 };
  g_auto (GStrv) words = NULL;
  g_autofree char *list = agent_hook_dialect_list ();
  g_autofree char *usage = NULL;
  int code;
  GOptionEntry entries[] = {
    { "board", 'b', 0, G_OPTION_ARG_STRING, &hook.identity.board,
      "The board, by name or folder (default: the one around the working folder)", "BOARD" },
    { "bubble", 'n', 0, G_OPTION_ARG_STRING, &hook.identity.bubble,
      "The bubble to attach as (default: the only one that fits)", "NAME" },
    { "role", 'r', 0, G_OPTION_ARG_STRING, &hook.identity.role,
      "Narrow the bubble's role: coder, reviewer or researcher", "ROLE" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &words, NULL, list },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (
      context, "Answers an agent's hook on standard input and output: what its own shell and file "
               "tools may do. Agents start it; perfica-agent connect --hooks prints how.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!agent_parse_options (context, FALSE, argc, argv))
    return AGENT_EXIT_USAGE;
  if (words == NULL || words[0] == NULL || words[1] != NULL ||
      !agent_hook_dialect_from_string (words[0], &hook.dialect))
    {
      usage = g_strdup_printf ("Name one agent: %s.", list);
      agent_complain (usage);
      return AGENT_EXIT_USAGE;
    }
  hook.identity.client = g_strdup (agent_hook_dialect_client (hook.dialect));
  hook.identity.version = g_strdup (PERFICA_VERSION);
  code = answer (&hook);
  g_clear_pointer (&hook.call, agent_hook_call_free);
  g_clear_pointer (&hook.message, perfica_wire_message_unref);
  g_clear_error (&hook.error);
  agent_identity_clear (&hook.identity);
  return code;
}
