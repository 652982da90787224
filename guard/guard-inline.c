/* Code written on the line: its readable literals are judged as what they are used for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-context.h"

#include <string.h>

#define MAX_CALLS 32
#define MAX_WORDS 32
#define MAX_DEPTH 3
#define MAX_VALUES 64

/* Calls that only show their arguments. */
static const char *const printing[] = { "print",
                                        "println",
                                        "printf",
                                        "puts",
                                        "echo",
                                        "say",
                                        "p",
                                        "pp",
                                        "console.log",
                                        "console.error",
                                        "console.info",
                                        "console.warn",
                                        "console.debug",
                                        "log",
                                        "logging.info",
                                        "sys.stdout.write",
                                        "process.stdout.write",
                                        "io.puts",
                                        "io.write",
                                        "write_line",
                                        "die",
                                        "warn",
                                        "raise",
                                        "error",
                                        "exception",
                                        "assert",
                                        "describe",
                                        "it",
                                        "test",
                                        "match",
                                        "re.match",
                                        "re.search",
                                        "re.sub",
                                        "re.compile",
                                        "replace",
                                        "split",
                                        "includes",
                                        "startswith",
                                        "endswith",
                                        "indexof",
                                        "regexp",
                                        "fprintf",
                                        NULL };

/* Calls whose argument is a command. */
static const char *const commanding[] = { "system",
                                          "os.system",
                                          "popen",
                                          "os.popen",
                                          "popen2",
                                          "run",
                                          "subprocess.run",
                                          "call",
                                          "check_call",
                                          "check_output",
                                          "getoutput",
                                          "getstatusoutput",
                                          "exec",
                                          "execsync",
                                          "execfile",
                                          "execfilesync",
                                          "spawn",
                                          "spawnsync",
                                          "execa",
                                          "shell_exec",
                                          "passthru",
                                          "proc_open",
                                          "pcntl_exec",
                                          "execvp",
                                          "execv",
                                          "execl",
                                          "execlp",
                                          "os.execvp",
                                          "os.execute",
                                          "io.popen",
                                          "open3",
                                          "capture2",
                                          "capture3",
                                          "qx",
                                          "bun.spawn",
                                          "$",
                                          "deno.command",
                                          "command",
                                          "sh",
                                          "system.cmd",
                                          "os.cmd",
                                          "cmd",
                                          "shell",
                                          "exec.command",
                                          "create_subprocess_shell",
                                          "create_subprocess_exec",
                                          "pty.spawn",
                                          "spawnl",
                                          "spawnlp",
                                          "spawnv",
                                          NULL };

/* Calls that run code which is a text. */
static const char *const evaluating[] = { "eval",
                                          "exec",
                                          "compile",
                                          "function",
                                          "newfunction",
                                          "vm.runinnewcontext",
                                          "runinthiscontext",
                                          "instance_eval",
                                          "class_eval",
                                          "loadstring",
                                          "load",
                                          "assert",
                                          NULL };

/* Calls that are given a host. */
static const char *const connecting[] = {
  "create_connection", "createconnection", "net.connect",    "tls.connect",   "httpconnection",
  "httpsconnection",   "tcpsocket.new",    "tcpsocket.open", "gethostbyname", "getaddrinfo",
  "socket.connect",    "s.connect",        "sock.connect",   "fsockopen",     NULL
};

static const char *const decoding[] = { "b64decode",     "base64",        "atob",
                                        "frombase64",    "unhexlify",     "fromhex",
                                        "bytes.fromhex", "decode64",      "unpack",
                                        "fromcharcode",  "base64_decode", "gzinflate",
                                        "rot13",         "decodeurl",     NULL };

typedef struct
{
  char name[64];
  gboolean command;
  gboolean prints;
  gboolean deletes;
  GPtrArray *words; /* literals seen as its arguments */
  gboolean unknown; /* something that is no literal was among them */
} Frame;

typedef struct
{
  GuardContext *context;
  GuardState *state;
  const char *language;
  GuardSpan span;
  Frame frames[MAX_CALLS];
  guint n_frames;
  guint depth_over;
  gboolean encoded;   /* something is decoded in the code */
  gboolean runs;      /* something is run or evaluated in it */
  gboolean on_line;   /* the code stands on the line, or was written by it */
  gboolean can_run;   /* names something that starts programs, however it is called then */
  guint depth;        /* code in code */
  GHashTable *values; /* (nullable): names that were given a literal */
  GPtrArray *list;    /* (nullable): the literals of the list that is open */
} Scan;

/* Names that start programs; seen anywhere in code of the line, what looks like a command is one.
 */
static const char *const starting[] = {
  "system",        "popen",        "exec",     "spawn",     "subprocess",
  "child_process", "open3",        "passthru", "shell",     "getoutput",
  "check_call",    "check_output", "qx",       "proc_open", "processbuilder",
  "deno.command",  "bun.$",        "execa",    NULL
};

/* First words that make a command of any text. */
static const char *const telling[] = { "sudo",   "git",    "rm",      "kill", "pkill", "killall",
                                       "chmod",  "npm",    "chown",   "curl", "wget",  "ssh",
                                       "scp",    "bash",   "sh",      "zsh",  "eval",  "dd",
                                       "mkfs",   "docker", "kubectl", "nc",   "rsync", "shutdown",
                                       "reboot", NULL };

typedef struct
{
  const char *call; /* the last parts of its name */
  const char *rule;
} Refused;

/* Calls that do what a rule refuses, whatever they are given. */
static const Refused refused_calls[] = {
  { "os.kill", "process.end" },
  { "os.killpg", "process.end" },
  { "process.kill", "process.end" },
  { "os.chmod", "permission.change" },
  { "os.fchmod", "permission.change" },
  { "os.chown", "permission.change" },
  { "fs.chmodsync", "permission.change" },
  { "chmodsync", "permission.change" },
  { "chownsync", "permission.change" },
  { "file.chmod", "permission.change" },
  { "file.chown", "permission.change" },
  { "fileutils.chmod", "permission.change" },
  { "fileutils.chmod_r", "permission.change" },
  { "fileutils.chown", "permission.change" },
  { "serve_forever", "never.server" },
  { "http.server.test", "never.server" },
  { "run_forever", "never.server" },
  { "uvicorn.run", "never.server" },
  { "app.run", "never.server" },
  { "listen", "never.server" },
  { "bun.serve", "never.server" },
  { "deno.serve", "never.server" },
  { "setinterval", "never.endless" },
};

static gboolean
in_list (const char *const *list, const char *name)
{
  const char *last = strrchr (name, '.');

  if (name[0] == '\0')
    return FALSE;
  return g_strv_contains (list, name) || (last != NULL && g_strv_contains (list, last + 1));
}

static gboolean
in_decoding (const char *name)
{
  for (guint i = 0; decoding[i] != NULL; i++)
    if (strstr (name, decoding[i]) != NULL)
      return TRUE;
  return FALSE;
}

static const Frame *
innermost (const Scan *scan, gboolean named)
{
  for (guint i = scan->n_frames; i-- > 0;)
    if (!named || scan->frames[i].name[0] != '\0')
      return &scan->frames[i];
  return NULL;
}

/* Shell text in code of the line: as strict as the line, but spans are the code's. */
static void
run_line_text (Scan *scan, const char *text)
{
  GuardContext *context = scan->context;
  GuardTree *tree = guard_tree_read (text, strlen (text));
  GuardTree *before = context->tree;
  GuardState own = *scan->state;

  g_ptr_array_add (context->trees, tree);
  guard_step (context, 1 + strlen (text) / 16);
  if (guard_tree_get_error (tree) != NULL || guard_tree_get_root (tree) == NULL ||
      context->body_depth >= GUARD_MAX_BODY_DEPTH)
    return;
  own.parameters_known = FALSE;
  memset (&own.input, 0, sizeof own.input);
  context->tree = tree;
  context->body_depth++;
  guard_walk (context, &own, guard_tree_get_root (tree));
  context->body_depth--;
  context->tree = before;
}

static void
run_text (Scan *scan, const char *text)
{
  GuardState own = *scan->state;

  if (scan->on_line)
    run_line_text (scan, text);
  else
    guard_bodies_text (scan->context, &own, text, strlen (text), scan->span);
}

/* A list of words: ['git', 'push', '--force']. */
static void
run_words (Scan *scan, GPtrArray *words)
{
  g_autoptr (GArray) args = g_array_new (FALSE, FALSE, sizeof (GuardArg));
  GuardContext *context = scan->context;
  GuardState own = *scan->state;
  gboolean in_body = context->in_body;
  GuardSpan before = context->body_span;

  for (guint i = 0; i < words->len; i++)
    {
      const char *text = g_ptr_array_index (words, i);
      GuardArg arg = { guard_copy (context, text, -1), scan->span, guard_has_holes (text), FALSE,
                       TRUE };

      g_array_append_val (args, arg);
    }
  if (!in_body)
    context->body_span = scan->span;
  context->in_body = !scan->on_line;
  context->body_depth++;
  if (args->len > 0 && context->body_depth < GUARD_MAX_BODY_DEPTH)
    guard_command_run (context, &own, (const GuardArg *) (gpointer) args->data, args->len, NULL, 0,
                       1);
  context->body_depth--;
  context->in_body = in_body;
  context->body_span = before;
}

/* Keeps what was refused since @from, but for what only never exits: a guess must be sure. */
static void
keep_sure (GuardContext *context, guint from)
{
  for (guint i = context->findings->len; i-- > from;)
    {
      const GuardFinding *finding = g_ptr_array_index (context->findings, i);

      if (finding->answer != GUARD_ANSWER_REFUSE || g_str_has_prefix (finding->rule, "never."))
        g_ptr_array_remove_index (context->findings, i);
    }
}

static gboolean
reads_like_command (const char *text)
{
  g_autofree char *first = g_strndup (text, strcspn (text, " \t\n"));

  if (strpbrk (text, " \t") == NULL || strlen (text) > 1024)
    return FALSE;
  if (g_strv_contains (telling, first))
    return TRUE;
  for (const char *p = strpbrk (text, " \t"); p != NULL; p = strpbrk (p + 1, " \t"))
    if (p[1] != '\0' && strchr ("-/~|&;>", p[1]) != NULL && g_ascii_isalnum (text[0]))
      return TRUE;
  return FALSE;
}

/* A literal that no call was seen to run, in code that can run something. */
static void
guess_text (Scan *scan, const char *text)
{
  GuardContext *context = scan->context;
  guint before = context->findings->len;
  guint8 time_class = context->time_class;

  if (!scan->on_line || !scan->can_run || !reads_like_command (text))
    return;
  run_text (scan, text);
  keep_sure (context, before);
  context->time_class = time_class;
}

static void
guess_words (Scan *scan, GPtrArray *words)
{
  GuardContext *context = scan->context;
  guint before = context->findings->len;
  guint8 time_class = context->time_class;

  if (!scan->on_line || !scan->can_run || words->len < 2)
    return;
  run_words (scan, words);
  keep_sure (context, before);
  context->time_class = time_class;
}

static void
judge_path (Scan *scan, const char *text, gboolean deletes)
{
  GuardContext *context = scan->context;
  gboolean in_code = context->in_code;

  context->in_code = TRUE;
  if (guard_url_has_scheme (text) && !g_str_has_prefix (text, "node:"))
    guard_url_check (context, scan->state, text, scan->span, TRUE);
  else
    guard_path_check (context, scan->state, text, scan->span,
                      deletes ? GUARD_ACCESS_DELETE : GUARD_ACCESS_READ);
  context->in_code = in_code;
}

/* A route, a pattern or a piece of text is not a path: a path has no blanks and names folders. */
static gboolean
looks_like_path (const char *text)
{
  if (text[0] == '\0' || strlen (text) > 1024 || strpbrk (text, " \t\n<>|*(){}$%\\") != NULL)
    return FALSE;
  if (guard_url_has_scheme (text))
    return TRUE;
  if (text[0] == '~' && text[1] == '/')
    return TRUE;
  if (text[0] == '/' && text[1] != '\0' && text[1] != '/')
    return TRUE;
  return g_str_has_prefix (text, "../") || strstr (text, "/../") != NULL ||
         strcmp (text, "/") == 0 || strcmp (text, "..") == 0;
}

/* `rmtree('.git')`: a deleting call's own word is a path, however it looks. */
static gboolean
deletes_by_name (const Scan *scan, const Frame *frame, const char *text)
{
  if (frame == NULL || !frame->deletes || text[0] == '\0' ||
      strpbrk (text, " \t\n<>|*(){}$%\\") != NULL)
    return FALSE;
  /* What a project's own script clears away is its own affair, but for what nobody can rebuild. */
  return !scan->context->in_body || strcmp (text, ".") == 0 || strcmp (text, ".git") == 0 ||
         g_str_has_prefix (text, ".git/");
}

static void scan_code (Scan *scan, const char *code);

static void
judge_literal (Scan *scan, const char *text, const char *before)
{
  GuardContext *context = scan->context;
  const Frame *frame = innermost (scan, TRUE);
  const Frame *nearest = innermost (scan, FALSE);
  gboolean secret =
      guard_secret_what (text, TRUE) != NULL && strpbrk (text, " \t\n") == NULL && text[0] != '\0';

  for (guint i = 0; i < scan->n_frames; i++)
    if (scan->frames[i].command && scan->frames[i].words->len < MAX_WORDS)
      g_ptr_array_add (scan->frames[i].words, g_strdup (text));
  if (frame != NULL && frame->command)
    return;
  /* `print((home / '.ssh').read())`: within more brackets it is a value again. */
  if (frame != NULL && frame->prints && nearest == frame)
    return;
  if (scan->list != NULL && scan->list->len < MAX_WORDS)
    g_ptr_array_add (scan->list, g_strdup (text));
  guess_text (scan, text);
  if (frame != NULL && scan->depth < MAX_DEPTH && in_list (evaluating, frame->name))
    {
      Scan inner = *scan;

      inner.n_frames = inner.depth_over = 0;
      inner.list = NULL;
      inner.depth++;
      scan_code (&inner, text);
      scan->runs |= inner.runs;
      return;
    }
  if (frame != NULL && scan->on_line && in_list (connecting, frame->name) &&
      strchr (text, '.') != NULL && strpbrk (text, " /\\=,") == NULL)
    guard_host_check (context, text, scan->span);
  if (frame == NULL && g_str_has_suffix (before, "print"))
    return;
  if (frame == NULL && (g_str_has_suffix (before, "puts") || g_str_has_suffix (before, "echo") ||
                        g_str_has_suffix (before, "say")))
    return;
  /* In a script of the project only what a call is given counts. */
  if (context->in_body && frame == NULL && !secret)
    return;
  if (text[0] == '~' && text[1] == '/')
    guard_find (context, "paths.outside", scan->span, text, NULL);
  else if (looks_like_path (text) || deletes_by_name (scan, frame, text) ||
           (secret && (frame != NULL || !context->in_body)))
    judge_path (scan, text, frame != NULL && frame->deletes);
}

static void
open_frame (Scan *scan, const char *name)
{
  Frame *frame;
  static const char *const deleting[] = { "rmtree",    "shutil.rmtree", "rm_rf",  "rm_r",
                                          "rmsync",    "rmdirsync",     "unlink", "unlinksync",
                                          "os.remove", "os.unlink",     "rimraf", "remove_dir_all",
                                          NULL };

  if (scan->n_frames >= MAX_CALLS)
    {
      scan->depth_over++;
      return;
    }
  frame = &scan->frames[scan->n_frames++];
  g_strlcpy (frame->name, name, sizeof frame->name);
  frame->words = NULL;
  frame->unknown = FALSE;
  frame->command =
      in_list (commanding, name) &&
      !(strcmp (name, "exec") == 0 && strcmp (scan->language, "python") == 0) &&
      !g_str_has_suffix (name, ".exec") && !(strcmp (name, "run") == 0 && scan->context->in_body) &&
      !(strcmp (name, "call") == 0 && scan->context->in_body) && !(strcmp (name, "command") == 0);
  if (g_str_has_suffix (name, "child_process.exec") || g_str_has_suffix (name, "cp.exec"))
    frame->command = TRUE;
  frame->prints = in_list (printing, name);
  frame->deletes = in_list (deleting, name);
  if (frame->command)
    frame->words = g_ptr_array_new_with_free_func (g_free);
  for (gsize i = 0; scan->on_line && i < G_N_ELEMENTS (refused_calls); i++)
    if (g_str_equal (name, refused_calls[i].call) ||
        (g_str_has_suffix (name, refused_calls[i].call) &&
         name[strlen (name) - strlen (refused_calls[i].call) - 1] == '.'))
      guard_find (scan->context, refused_calls[i].rule, scan->span, name, NULL);
  if (frame->command || in_list (evaluating, name))
    scan->runs = TRUE;
  if (in_decoding (name))
    scan->encoded = TRUE;
}

static void
close_frame (Scan *scan)
{
  Frame *frame;

  if (scan->depth_over > 0)
    {
      scan->depth_over--;
      return;
    }
  if (scan->n_frames == 0)
    return;
  frame = &scan->frames[--scan->n_frames];
  if (frame->words == NULL)
    return;
  /* execvp ("x", ["x", …]): the first is the file, the second its own name. */
  if (frame->words->len > 1 && strstr (frame->name, "execv") != NULL)
    g_ptr_array_remove_index (frame->words, 0);
  if (frame->words->len == 1 ||
      (frame->words->len > 0 && strpbrk (g_ptr_array_index (frame->words, 0), " \t\n|;&") != NULL))
    run_text (scan, g_ptr_array_index (frame->words, 0));
  else if (frame->words->len > 1)
    run_words (scan, frame->words);
  g_ptr_array_unref (frame->words);
  frame->words = NULL;
}

/* The name before @p, folded: `child_process').execSync` gives "execsync". */
static void
name_before (const char *code, const char *p, char *out, gsize size)
{
  const char *end = p;
  const char *start;
  gsize n = 0;

  while (end > code && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  start = end;
  while (start > code && (g_ascii_isalnum (start[-1]) || strchr ("_.:$!", start[-1]) != NULL) &&
         (gsize) (end - start) < size - 1)
    start--;
  for (; start < end && n + 1 < size; start++)
    if (*start != '!' && *start != ':')
      out[n++] = g_ascii_tolower (*start);
    else if (*start == ':')
      {
        if (n > 0 && out[n - 1] != '.')
          out[n++] = '.';
      }
  while (n > 0 && out[0] == '.')
    memmove (out, out + 1, --n);
  out[n] = '\0';
}

/* Reads the string that begins at @p; returns what follows. */
static const char *
read_string (const char *p, GString *out, gboolean *holes)
{
  char quote = *p;
  gboolean triple = p[1] == quote && p[2] == quote && quote != '`';

  g_string_truncate (out, 0);
  *holes = FALSE;
  p += triple ? 3 : 1;
  while (*p != '\0')
    {
      if (*p == quote && (!triple || (p[1] == quote && p[2] == quote)))
        return p + (triple ? 3 : 1);
      if (*p == '\\' && p[1] != '\0')
        {
          p++;
          if (*p == 'x' && g_ascii_isxdigit (p[1]) && g_ascii_isxdigit (p[2]))
            {
              g_string_append_c (out, (char) (g_ascii_xdigit_value (p[1]) * 16 +
                                              g_ascii_xdigit_value (p[2])));
              p += 3;
              continue;
            }
          g_string_append_c (out, *p == 'n' ? '\n' : *p == 't' ? '\t' : *p);
          p++;
          continue;
        }
      if ((quote == '`' && p[0] == '$' && p[1] == '{') ||
          (quote == '"' && p[0] == '#' && p[1] == '{'))
        *holes = TRUE;
      g_string_append_c (out, *p++);
    }
  return p;
}

static gboolean
comments_with_hash (const char *language)
{
  return strcmp (language, "javascript") != 0 && strcmp (language, "typescript") != 0 &&
         strcmp (language, "swift") != 0 && strcmp (language, "go") != 0 &&
         strcmp (language, "lua") != 0;
}

/* `system "rm -rf x"`, `exec 'ls'`: a call without parentheses. */
static gboolean
bare_command (const char *name)
{
  static const char *const names[] = { "system", "exec",       "spawn",    "qx",
                                       "popen",  "shell_exec", "passthru", NULL };

  return in_list (names, name);
}

/* The name that the string at @start is given to: `x = '…'`. */
static char *
assigned_name (const char *code, const char *start)
{
  const char *p = start;
  const char *end;

  while (p > code && strchr ("rbfuRBFU", p[-1]) != NULL && p[-1] != '\0' && start - p < 2)
    p--;
  while (p > code && (p[-1] == ' ' || p[-1] == '\t'))
    p--;
  if (p == code || p[-1] != '=' || p - 1 == code || strchr ("=!<>+", p[-2]) != NULL)
    return NULL;
  p -= p[-2] == ':' ? 2 : 1;
  while (p > code && (p[-1] == ' ' || p[-1] == '\t'))
    p--;
  end = p;
  while (p > code && (g_ascii_isalnum (p[-1]) || p[-1] == '_'))
    p--;
  return end > p ? g_strndup (p, end - p) : NULL;
}

static void
note_value (Scan *scan, const char *code, const char *start, const char *text)
{
  char *name = assigned_name (code, start);

  if (name == NULL)
    return;
  if (scan->values == NULL)
    scan->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (g_hash_table_size (scan->values) < MAX_VALUES)
    g_hash_table_insert (scan->values, name, g_strdup (text));
  else
    g_free (name);
}

/* A name among the arguments of a call that runs something is worth what it was given. */
static const char *
scan_name (Scan *scan, const char *p)
{
  const char *end = p;
  const char *value = NULL;

  while (g_ascii_isalnum (*end) || *end == '_')
    end++;
  if (scan->values != NULL && scan->n_frames > 0 && *end != '(' && *end != '=')
    {
      g_autofree char *name = g_strndup (p, end - p);

      value = g_hash_table_lookup (scan->values, name);
    }
  for (guint i = 0; value != NULL && i < scan->n_frames; i++)
    if (scan->frames[i].command && scan->frames[i].words->len < MAX_WORDS)
      g_ptr_array_add (scan->frames[i].words, g_strdup (value));
  return end;
}

static void
scan_list (Scan *scan, char bracket)
{
  if (bracket == '[' && scan->list == NULL)
    scan->list = g_ptr_array_new_with_free_func (g_free);
  else if (bracket == ']' && scan->list != NULL)
    {
      g_autoptr (GPtrArray) list = g_steal_pointer (&scan->list);

      guess_words (scan, list);
    }
}

static void
scan_string (Scan *scan, const char *code, const char *start, const char *text, gboolean holes)
{
  char name[64];
  char quote = *start;

  name_before (code, start, name, sizeof name);
  if (!holes)
    note_value (scan, code, start, text);
  if (quote == '`' && (strcmp (scan->language, "ruby") == 0 ||
                       strcmp (scan->language, "perl") == 0 || strcmp (scan->language, "php") == 0))
    {
      scan->runs = TRUE;
      run_text (scan, text);
      return;
    }
  if (quote == '`' && (strcmp (name, "$") == 0 || g_str_has_suffix (name, ".$")))
    {
      run_text (scan, text);
      return;
    }
  /* perl and ruby: open (F, "command |") */
  if (innermost (scan, TRUE) != NULL && strcmp (innermost (scan, TRUE)->name, "open") == 0 &&
      text[0] != '\0' && (text[0] == '|' || g_str_has_suffix (text, "|")))
    {
      g_autofree char *command = g_strdup (text);

      g_strdelimit (command, "|", ' ');
      scan->runs = TRUE;
      run_text (scan, command);
      return;
    }
  if (bare_command (name) && start > code && (start[-1] == ' ' || start[-1] == '\t'))
    {
      scan->runs = TRUE;
      run_text (scan, text);
      return;
    }
  if (holes && scan->context->in_body)
    return;
  judge_literal (scan, text, name);
}

static void
scan_code (Scan *scan, const char *code)
{
  g_autoptr (GString) string = g_string_new (NULL);
  const char *p = code;

  while (*p != '\0' && guard_step (scan->context, 1))
    {
      gboolean holes;
      char name[64];

      if (*p == '"' || *p == '\'' || *p == '`')
        {
          const char *start = p;

          /* An apostrophe inside a word is no quote. */
          if (*p == '\'' && p > code && g_ascii_isalpha (p[-1]) && g_ascii_isalpha (p[1]) &&
              strchr ("rbfuRBFU", p[-1]) == NULL)
            {
              p++;
              continue;
            }
          p = read_string (p, string, &holes);
          scan_string (scan, code, start, string->str, holes);
          guard_step (scan->context, string->len / 32);
          continue;
        }
      if (*p == '#' && comments_with_hash (scan->language) &&
          (p == code || p[-1] == ' ' || p[-1] == '\n'))
        {
          p += strcspn (p, "\n");
          continue;
        }
      if (*p == '/' && p[1] == '/' && (p == code || p[-1] != ':') &&
          !comments_with_hash (scan->language))
        {
          p += strcspn (p, "\n");
          continue;
        }
      if (*p == '%' && p[1] == 'x' && strcmp (scan->language, "ruby") == 0 &&
          strchr ("({[|", p[2]) != NULL && p[2] != '\0')
        {
          gsize length = strcspn (p + 3, ")}]|");
          g_autofree char *text = g_strndup (p + 3, length);

          run_text (scan, text);
          p += 3 + length;
          continue;
        }
      if (g_ascii_isalpha (*p) || *p == '_')
        {
          p = scan_name (scan, p);
          continue;
        }
      if (*p == '(')
        {
          name_before (code, p, name, sizeof name);
          open_frame (scan, name);
        }
      else if (*p == ')')
        close_frame (scan);
      else if (*p == '[' || *p == ']')
        scan_list (scan, *p);
      p++;
    }
  while (scan->n_frames > 0)
    close_frame (scan);
  g_clear_pointer (&scan->list, g_ptr_array_unref);
}

/* `while True:`, `while (1)`, `for (;;)`, `loop do` without a way out. */
static gboolean
is_endless (const char *lower)
{
  static const char *const loops[] = { "while true", "while (true)", "while(true)", "while 1",
                                       "while (1)",  "while(1)",     "for(;;)",     "for (;;)",
                                       "loop do",    "loop {",       NULL };
  static const char *const exits[] = { "break", "exit", "return",   "die",          "raise",
                                       "throw", "last", "sys.exit", "process.exit", NULL };
  gboolean endless = FALSE;

  for (guint i = 0; loops[i] != NULL && !endless; i++)
    endless = strstr (lower, loops[i]) != NULL;
  for (guint i = 0; exits[i] != NULL && endless; i++)
    endless = strstr (lower, exits[i]) == NULL;
  return endless;
}

static gboolean
names_any (const char *lower, const char *const *names)
{
  for (; *names != NULL; names++)
    if (strstr (lower, *names) != NULL)
      return TRUE;
  return FALSE;
}

void
guard_inline_check (GuardContext *context,
                    GuardState *state,
                    const char *language,
                    const char *code,
                    GuardSpan span,
                    gboolean ask,
                    guint wrappers)
{
  Scan scan = { 0 };
  g_autofree char *clean = NULL;
  gboolean in_code = context->in_code;
  GuardSpan body_span = context->body_span;

  scan.context = context;
  scan.state = state;
  scan.language = language;
  scan.span = span;
  if (ask)
    {
      const GuardFamily *family = guard_rules_family ("inline.code");
      const char *kind = guard_arena_printf (context, "inline code: %s", language);

      if (guard_has_unknown (code))
        guard_find_unknown (context, "inline.unseen", span, language);
      guard_find_full (context, family, GUARD_ANSWER_ASK, span, language, code, kind, NULL);
    }
  clean = g_strdup (code);
  for (char *p = clean; *p != '\0'; p++)
    if ((guchar) *p < 0x20 && *p != '\n' && *p != '\t')
      *p = '_';
  scan.on_line = !context->in_body;
  if (scan.on_line)
    {
      g_autofree char *lower = g_ascii_strdown (clean, -1);

      guard_step (context, strlen (clean) / 16);
      scan.can_run = names_any (lower, starting);
      if (is_endless (lower) && !state->bounded)
        guard_find (context, "never.loop", span, NULL, NULL);
      context->body_span = span;
      context->in_code = TRUE;
    }
  scan_code (&scan, clean);
  context->in_code = in_code;
  context->body_span = body_span;
  g_clear_pointer (&scan.values, g_hash_table_unref);
  if (scan.encoded && scan.runs && ask)
    guard_find (context, "inline.unseen", span, language, NULL);
}
