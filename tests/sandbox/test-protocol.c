/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- Requests ---- */

/* Words that may be pointed to by what isn't const. */
#define W(text) ((char[]){ text })

static char *argv_full[] = { W ("/usr/bin/bwrap"), W ("--args"), W ("@ARGS@"), W ("--"),
                             W ("bash"),           W ("-c"),     W (""),       NULL };
static char *environment_full[] = { W ("PATH=/usr/bin"), W ("EMPTY="), NULL };
static char *stop_full[] = { W ("docker"), W ("kill"), W ("@CID@"), NULL };
static SandboxRequestOpen opens_full[] = { { W ("/a"), 1, 2, true },
                                           { W ("/b c"), 3, G_MAXUINT64, false } };
static char *argv_least[] = { W ("x"), NULL };
static char *none[] = { NULL };

static const SandboxRequest requests[] = {
  { .argv = argv_least, .environment = none, .folder = W ("/") },
  { .argv = argv_least, .environment = none, .folder = W ("/"), .args = W (""), .args_length = 0 },
  { .flags = SANDBOX_REQUEST_INIT | SANDBOX_REQUEST_STREAM,
    .limit_seconds = G_MAXUINT32,
    .command_index = 4,
    .output_max = G_MAXUINT64,
    .argv = argv_full,
    .environment = environment_full,
    .stop_argv = stop_full,
    .folder = W ("/home/a b"),
    .cidfile = W ("/run/x/cid"),
    .args = W ("--ro-bind\0/\0/"),
    .args_length = sizeof "--ro-bind\0/\0/",
    .opens = opens_full,
    .n_opens = G_N_ELEMENTS (opens_full) },
};

static void
assert_same_strings (char **got, char **wanted)
{
  g_assert_true ((got == NULL) == (wanted == NULL));
  if (wanted != NULL)
    g_assert_cmpstrv (got, wanted);
}

static void
test_round_trip (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      const SandboxRequest *wanted = &requests[i];
      SandboxRequest got;
      size_t length;
      char *text = sandbox_request_encode (wanted, &length);

      g_assert_nonnull (text);
      g_assert_true (sandbox_request_decode (text, length, &got));
      g_assert_cmpuint (got.flags, ==, wanted->flags);
      g_assert_cmpuint (got.limit_seconds, ==, wanted->limit_seconds);
      g_assert_cmpuint (got.command_index, ==, wanted->command_index);
      g_assert_cmpuint (got.output_max, ==, wanted->output_max);
      assert_same_strings (got.argv, wanted->argv);
      assert_same_strings (got.environment, wanted->environment);
      assert_same_strings (got.stop_argv, wanted->stop_argv);
      g_assert_cmpstr (got.folder, ==, wanted->folder);
      g_assert_cmpstr (got.cidfile, ==, wanted->cidfile);
      g_assert_cmpmem (got.args, got.args_length, wanted->args, wanted->args_length);
      g_assert_cmpuint (got.n_opens, ==, wanted->n_opens);
      for (gsize k = 0; k < got.n_opens; k++)
        {
          g_assert_cmpstr (got.opens[k].path, ==, wanted->opens[k].path);
          g_assert_cmpuint (got.opens[k].device, ==, wanted->opens[k].device);
          g_assert_cmpuint (got.opens[k].inode, ==, wanted->opens[k].inode);
          g_assert_cmpint (got.opens[k].is_folder, ==, wanted->opens[k].is_folder);
        }
      sandbox_request_clear (&got);
    }
}

static bool
decodes (const char *text, size_t length)
{
  SandboxRequest request;
  /* Exactly so long: a sanitizer sees the first byte read beyond. */
  char *copy = malloc (length > 0 ? length : 1);
  bool done;

  memcpy (copy, text, length);
  done = sandbox_request_decode (copy, length, &request);
  sandbox_request_clear (&request);
  return done;
}

static void
test_cut_short (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      size_t length;
      char *text = sandbox_request_encode (&requests[i], &length);

      for (size_t cut = 0; cut < length; cut++)
        g_assert_false (decodes (text, cut));
      g_assert_true (decodes (text, length));
      text = realloc (text, length + 1);
      text[length] = '\0';
      g_assert_false (decodes (text, length + 1));
      free (text);
    }
}

/* Whatever comes: an answer, and no byte read beyond the end. */
static void
test_changed (void)
{
  size_t length;
  char *text = sandbox_request_encode (&requests[2], &length);

  for (size_t at = 0; at < length; at++)
    for (int value = 0; value < 256; value += value < 4 || value > 250 ? 1 : 13)
      {
        char old = text[at];

        text[at] = (char) value;
        decodes (text, length);
        text[at] = old;
      }
  for (int i = 0; i < 20000; i++)
    {
      g_autofree char *copy = g_memdup2 (text, length);

      for (int n = g_test_rand_int_range (1, 5); n > 0; n--)
        copy[g_test_rand_int_range (0, (gint32) length)] = (char) g_test_rand_int_range (0, 256);
      decodes (copy, length);
    }
  free (text);
}

static void
test_refused (void)
{
  char *no_words[] = { NULL };
  SandboxRequest request = { .argv = no_words, .environment = none, .folder = W ("/") };
  g_autofree char *huge = g_strnfill (SANDBOX_REQUEST_MAX, 'x');
  char *words[] = { huge, NULL };
  size_t length;
  char *text = sandbox_request_encode (&request, &length);

  g_assert_false (decodes (text, length));
  free (text);
  request.argv = argv_least;
  request.command_index = 2;
  text = sandbox_request_encode (&request, &length);
  g_assert_false (decodes (text, length));
  free (text);
  request.command_index = 0;
  request.args = W ("no end");
  request.args_length = strlen ("no end");
  text = sandbox_request_encode (&request, &length);
  g_assert_false (decodes (text, length));
  free (text);
  request.args = NULL;
  request.argv = words;
  g_assert_null (sandbox_request_encode (&request, &length));
}

/* The kernel would see another word than we do. */
static void
test_nul_inside (void)
{
  size_t length;
  char *text = sandbox_request_encode (&requests[2], &length);
  char *word = memmem (text, length, "/usr/bin/bwrap", 14);

  word[4] = '\0';
  g_assert_false (decodes (text, length));
  free (text);
}

/* ---- Messages ---- */

typedef struct
{
  int ends[2];
} Pair;

static void
pair_setup (Pair *pair, gconstpointer data)
{
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair->ends), ==, 0);
}

static void
pair_teardown (Pair *pair, gconstpointer data)
{
  close (pair->ends[0]);
  close (pair->ends[1]);
}

static void
test_messages (Pair *pair, gconstpointer data)
{
  SandboxMessage message;
  char buffer[16];
  int fds[SANDBOX_RUN_FDS];

  g_assert_cmpint (sandbox_message_receive (pair->ends[1], &message, buffer, sizeof buffer, fds),
                   ==, -1);
  g_assert_cmpint (errno, ==, EAGAIN);
  g_assert_cmpint (sandbox_message_send (pair->ends[0], SANDBOX_MESSAGE_OUTPUT, 1,
                                         "sixteen bytes ok", 16, pair->ends, 2, false),
                   ==, 0);
  g_assert_cmpint (sandbox_message_receive (pair->ends[1], &message, buffer, sizeof buffer, fds),
                   ==, 1);
  g_assert_cmpuint (message.type, ==, SANDBOX_MESSAGE_OUTPUT);
  g_assert_cmpuint (message.flags, ==, 1);
  g_assert_cmpmem (buffer, message.length, "sixteen bytes ok", 16);
  g_assert_cmpint (fcntl (fds[0], F_GETFD), ==, FD_CLOEXEC);
  g_assert_cmpint (fcntl (fds[1], F_GETFD), ==, FD_CLOEXEC);
  g_assert_cmpint (fds[2], ==, -1);
  close (fds[0]);
  close (fds[1]);
  close (pair->ends[0]);
  pair->ends[0] = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  g_assert_cmpint (sandbox_message_receive (pair->ends[1], &message, buffer, sizeof buffer, fds),
                   ==, 0);
  g_assert_cmpint (sandbox_message_send (pair->ends[1], SANDBOX_MESSAGE_CANCEL, 0, NULL, 0, NULL, 0,
                                         true),
                   ==, -1);
  g_assert_cmpint (errno, ==, EPIPE);
}

static void
assert_not_ours (Pair *pair, const void *data, size_t length)
{
  SandboxMessage message;
  char buffer[16];
  int fds[SANDBOX_RUN_FDS];

  g_assert_cmpint (send (pair->ends[0], data, length, 0), ==, (gssize) length);
  g_assert_cmpint (sandbox_message_receive (pair->ends[1], &message, buffer, sizeof buffer, fds),
                   ==, -1);
  g_assert_cmpint (errno, ==, EPROTO);
}

static void
test_not_ours (Pair *pair, gconstpointer data)
{
  struct
  {
    SandboxMessage head;
    char rest[17];
  } text = { { SANDBOX_PROTOCOL_MAGIC, SANDBOX_MESSAGE_OUTPUT, 0, 16 }, "" };

  assert_not_ours (pair, "x", 1);
  assert_not_ours (pair, &text, sizeof text.head);
  assert_not_ours (pair, &text, sizeof text.head + 15);
  text.head.length = 17; /* more than the receiver has room for */
  assert_not_ours (pair, &text, sizeof text.head + 17);
  text.head.length = 16;
  text.head.magic++;
  assert_not_ours (pair, &text, sizeof text.head + 16);
}

/* Descriptors of a message that is refused are closed, not kept. */
static void
test_no_leak (Pair *pair, gconstpointer data)
{
  SandboxMessage message;
  char buffer[4];
  int fds[SANDBOX_RUN_FDS];
  int next = dup (0);

  close (next);
  sandbox_message_send (pair->ends[0], SANDBOX_MESSAGE_RUN, 0, "too long", 8, pair->ends, 2, false);
  g_assert_cmpint (sandbox_message_receive (pair->ends[1], &message, buffer, sizeof buffer, fds),
                   ==, -1);
  g_assert_cmpint (fds[0], ==, -1);
  sandbox_message_send (pair->ends[0], SANDBOX_MESSAGE_RUN, 0, NULL, 0, pair->ends, 2, false);
  g_assert_cmpint (sandbox_message_receive (pair->ends[1], &message, buffer, sizeof buffer, NULL),
                   !=, 0);
  g_assert_cmpint (dup (0), ==, next);
  close (next);
}

static void
test_full (Pair *pair, gconstpointer data)
{
  g_autofree char *piece = g_malloc0 (SANDBOX_PIECE_MAX);
  int sent = 0;

  while (sandbox_message_send (pair->ends[0], SANDBOX_MESSAGE_OUTPUT, 0, piece, SANDBOX_PIECE_MAX,
                               NULL, 0, false) == 0)
    g_assert_cmpint (++sent, <, 1000);
  g_assert_cmpint (errno, ==, EAGAIN);
  g_assert_cmpint (sent, >=, 1);
}

#define ADD(name, function)                                                                        \
  g_test_add ("/sandbox/protocol/" name, Pair, NULL, pair_setup, function, pair_teardown)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sandbox/protocol/round-trip", test_round_trip);
  g_test_add_func ("/sandbox/protocol/cut-short", test_cut_short);
  g_test_add_func ("/sandbox/protocol/changed", test_changed);
  g_test_add_func ("/sandbox/protocol/refused", test_refused);
  g_test_add_func ("/sandbox/protocol/nul-inside", test_nul_inside);
  ADD ("messages", test_messages);
  ADD ("not-ours", test_not_ours);
  ADD ("no-leak", test_no_leak);
  ADD ("full", test_full);
  return g_test_run ();
}
