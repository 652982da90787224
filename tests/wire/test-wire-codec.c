/* The codec: each struct comes back as it went; what is out of shape gets its own code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "perfica-wire.h"

/* For struct members that own their text; these are only read. */
#define T(literal) ((char *) (literal))

static PerficaWireMessage *
come_back (PerficaWireSide side, GBytes *line)
{
  g_autoptr (GBytes) owned G_GNUC_UNUSED = line;
  g_autoptr (GError) error = NULL;
  gsize length;
  const char *text = g_bytes_get_data (line, &length);
  PerficaWireMessage *message;

  g_assert_cmpint (text[length - 1], ==, '\n');
  g_assert_null (memchr (text, '\n', length - 1));
  g_assert_cmpuint (length - 1, <=,
                    side == PERFICA_WIRE_SIDE_GATEWAY ? PERFICA_WIRE_MAX_REQUEST
                                                      : PERFICA_WIRE_MAX_LINE);
  message = perfica_wire_decode (side, text, length - 1, NULL, &error);
  g_assert_no_error (error);
  return message;
}

static void
test_requests (void)
{
  PerficaWireHello hello = { .protocol = 1,
                             .client = T ("c\303\244"),
                             .version = T ("2"),
                             .folder = T ("/p"),
                             .board = T ("B"),
                             .bubble = T ("n"),
                             .role = T ("coder") };
  PerficaWireRun run = {
    .command = T ("echo \"a\\b\"\n\tx"), .folder = T ("src"), .timeout_seconds = 9, .stream = TRUE
  };
  PerficaWireRun plain = { .command = T ("") };
  g_autoptr (PerficaWireMessage) h =
      come_back (PERFICA_WIRE_SIDE_GATEWAY, perfica_wire_encode_hello (1, &hello));
  g_autoptr (PerficaWireMessage) r =
      come_back (PERFICA_WIRE_SIDE_GATEWAY, perfica_wire_encode_run (2, &run));
  g_autoptr (PerficaWireMessage) p =
      come_back (PERFICA_WIRE_SIDE_GATEWAY, perfica_wire_encode_run (3, &plain));
  g_autoptr (PerficaWireMessage) c =
      come_back (PERFICA_WIRE_SIDE_GATEWAY, perfica_wire_encode_cancel (2));
  g_autoptr (PerficaWireMessage) s =
      come_back (PERFICA_WIRE_SIDE_GATEWAY, perfica_wire_encode_status_request (4));
  g_autoptr (PerficaWireMessage) o =
      come_back (PERFICA_WIRE_SIDE_GATEWAY, perfica_wire_encode_open_folder (5, "/a b"));

  g_assert_cmpint (h->type, ==, PERFICA_WIRE_HELLO);
  g_assert_cmpint (h->id, ==, 1);
  g_assert_cmpint (h->hello->protocol, ==, 1);
  g_assert_cmpstr (h->hello->client, ==, "c\303\244");
  g_assert_cmpstr (h->hello->version, ==, "2");
  g_assert_cmpstr (h->hello->folder, ==, "/p");
  g_assert_cmpstr (h->hello->board, ==, "B");
  g_assert_cmpstr (h->hello->bubble, ==, "n");
  g_assert_cmpstr (h->hello->role, ==, "coder");
  g_assert_cmpstr (r->run->command, ==, run.command);
  g_assert_cmpstr (r->run->folder, ==, "src");
  g_assert_cmpuint (r->run->timeout_seconds, ==, 9);
  g_assert_true (r->run->stream);
  g_assert_cmpstr (p->run->command, ==, "");
  g_assert_null (p->run->folder);
  g_assert_false (p->run->stream);
  g_assert_cmpint (c->type, ==, PERFICA_WIRE_CANCEL);
  g_assert_cmpint (c->id, ==, 0);
  g_assert_cmpint (c->cancel->request, ==, 2);
  g_assert_cmpint (s->type, ==, PERFICA_WIRE_STATUS);
  g_assert_cmpint (o->type, ==, PERFICA_WIRE_OPEN_FOLDER);
  g_assert_cmpstr (o->ask->folder, ==, "/a b");
}

static PerficaWireFinding *
new_finding (const char *text, const char *alternative)
{
  PerficaWireFinding *finding = perfica_wire_finding_new ();

  finding->answer = g_strdup ("refuse");
  finding->rule = g_strdup ("git.force");
  finding->start = 4;
  finding->end = 9;
  finding->text = g_strdup (text);
  finding->intent = g_strdup ("alternative");
  finding->alternative = g_strdup (alternative);
  return finding;
}

static void
test_result (void)
{
  for (int outcome = PERFICA_OUTCOME_RAN; outcome <= PERFICA_OUTCOME_ERROR; outcome++)
    {
      g_autoptr (PerficaWireResult) result = perfica_wire_result_new ((PerficaOutcome) outcome);
      g_autoptr (PerficaWireMessage) back = NULL;

      result->exit_code = 3;
      result->signal_number = 9;
      result->duration_us = 12345;
      result->limit_seconds = 120;
      result->stdout_head = g_strdup ("head\n");
      result->stderr_tail = g_strdup ("tail");
      result->stdout_total = 5;
      result->stderr_total = G_GUINT64_CONSTANT (5000000000);
      result->output_cut = TRUE;
      result->output_path = g_strdup (".perfica/outputs/1.log");
      result->answer = g_strdup ("refuse");
      result->message = g_strdup ("because");
      result->confinement = g_strdup ("bubblewrap");
      result->record = 77;
      g_ptr_array_add (result->findings, new_finding ("no", "git push"));
      back = come_back (PERFICA_WIRE_SIDE_CLIENT, perfica_wire_encode_result (8, result));
      g_assert_cmpint (back->type, ==, PERFICA_WIRE_RESULT);
      g_assert_cmpint (back->id, ==, 8);
      g_assert_cmpint (back->result->outcome, ==, outcome);
      g_assert_cmpint (back->result->exit_code, ==, 3);
      g_assert_cmpint (back->result->signal_number, ==, 9);
      g_assert_cmpint (back->result->duration_us, ==, 12345);
      g_assert_cmpuint (back->result->limit_seconds, ==, 120);
      g_assert_cmpstr (back->result->stdout_head, ==, "head\n");
      g_assert_null (back->result->stdout_tail);
      g_assert_cmpstr (back->result->stderr_tail, ==, "tail");
      g_assert_cmpuint (back->result->stderr_total, ==, G_GUINT64_CONSTANT (5000000000));
      g_assert_true (back->result->output_cut);
      g_assert_cmpstr (back->result->output_path, ==, ".perfica/outputs/1.log");
      g_assert_cmpstr (back->result->answer, ==, "refuse");
      g_assert_cmpstr (back->result->message, ==, "because");
      g_assert_cmpstr (back->result->confinement, ==, "bubblewrap");
      g_assert_cmpint (back->result->record, ==, 77);
      g_assert_cmpuint (back->result->findings->len, ==, 1);
      {
        PerficaWireFinding *f = g_ptr_array_index (back->result->findings, 0);

        g_assert_cmpstr (f->answer, ==, "refuse");
        g_assert_cmpstr (f->rule, ==, "git.force");
        g_assert_cmpuint (f->start, ==, 4);
        g_assert_cmpuint (f->end, ==, 9);
        g_assert_cmpstr (f->text, ==, "no");
        g_assert_null (f->kind);
        g_assert_cmpstr (f->intent, ==, "alternative");
        g_assert_cmpstr (f->alternative, ==, "git push");
      }
    }
}

/* Every text at its limit and made of what costs six bytes: the line must still be readable. */
static void
test_largest_result (void)
{
  g_autofree char *text = g_strnfill (200000, '\001');
  g_autofree char *fits = g_strnfill (PERFICA_WIRE_MAX_ALTERNATIVE, '\001');
  g_autoptr (PerficaWireResult) result = perfica_wire_result_new (PERFICA_OUTCOME_RAN);
  g_autoptr (PerficaWireMessage) back = NULL;

  result->stdout_head = g_strdup (text);
  result->stdout_tail = g_strdup (text);
  result->stderr_head = g_strdup (text);
  result->stderr_tail = g_strdup (text);
  result->output_path = g_strdup (text);
  result->answer = g_strdup (text);
  result->message = g_strdup (text);
  result->confinement = g_strdup (text);
  for (int i = 0; i < 2 * PERFICA_WIRE_MAX_FINDINGS; i++)
    {
      PerficaWireFinding *finding = new_finding (text, i == 0 ? text : fits);

      g_free (finding->rule);
      finding->rule = g_strdup (text);
      finding->kind = g_strdup (text);
      g_ptr_array_add (result->findings, finding);
    }
  back = come_back (PERFICA_WIRE_SIDE_CLIENT, perfica_wire_encode_result (1, result));
  g_assert_cmpuint (strlen (back->result->stdout_head), ==, PERFICA_WIRE_MAX_TEXT);
  g_assert_cmpuint (back->result->findings->len, ==, PERFICA_WIRE_MAX_FINDINGS);
  /* Too long a line is left out, never cut. */
  g_assert_null (((PerficaWireFinding *) back->result->findings->pdata[0])->alternative);
  g_assert_cmpstr (((PerficaWireFinding *) back->result->findings->pdata[1])->alternative, ==,
                   fits);
}

static void
test_longest_command (void)
{
  g_autofree char *text = g_strnfill (PERFICA_WIRE_MAX_COMMAND, '\001');
  PerficaWireRun run = { .command = text };
  g_autoptr (PerficaWireMessage) back =
      come_back (PERFICA_WIRE_SIDE_GATEWAY, perfica_wire_encode_run (1, &run));

  g_assert_cmpstr (back->run->command, ==, text);
}

static void
test_replies (void)
{
  char *tools[] = { T ("read"), T ("run"), NULL };
  PerficaWireHelloReply reply = { .protocol = 1,
                                  .board = T ("B"),
                                  .board_folder = T ("/b"),
                                  .bubble = T ("n"),
                                  .role = T ("coder"),
                                  .loop = T ("src"),
                                  .tools = tools,
                                  .attached = TRUE,
                                  .sandbox = TRUE };
  g_autoptr (PerficaWireMessage) h =
      come_back (PERFICA_WIRE_SIDE_CLIENT, perfica_wire_encode_hello_reply (1, &reply));
  g_autoptr (PerficaWireMessage) o =
      come_back (PERFICA_WIRE_SIDE_CLIENT, perfica_wire_encode_opened (2, "B"));
  g_autoptr (PerficaWireMessage) s =
      come_back (PERFICA_WIRE_SIDE_CLIENT,
                 perfica_wire_encode_state (3, PERFICA_WIRE_STATE_ASKING, 60000));
  g_autoptr (PerficaWireMessage) t =
      come_back (PERFICA_WIRE_SIDE_CLIENT,
                 perfica_wire_encode_state (3, PERFICA_WIRE_STATE_RUNNING, -1));
  g_autoptr (PerficaWireMessage) f =
      come_back (PERFICA_WIRE_SIDE_CLIENT,
                 perfica_wire_encode_failure (0, PERFICA_WIRE_CODE_BUSY, "busy"));

  g_assert_cmpstr (h->hello_reply->board, ==, "B");
  g_assert_cmpstr (h->hello_reply->loop, ==, "src");
  g_assert_cmpuint (g_strv_length (h->hello_reply->tools), ==, 2);
  g_assert_true (h->hello_reply->attached && h->hello_reply->sandbox);
  g_assert_cmpstr (o->opened->board, ==, "B");
  g_assert_cmpint (s->state->state, ==, PERFICA_WIRE_STATE_ASKING);
  g_assert_cmpint (s->state->remaining_ms, ==, 60000);
  g_assert_cmpint (t->state->remaining_ms, ==, -1);
  g_assert_cmpint (f->type, ==, PERFICA_WIRE_FAILURE);
  g_assert_cmpint (f->id, ==, 0);
  g_assert_cmpint (f->failure->code, ==, PERFICA_WIRE_CODE_BUSY);
}

static char **
loops_back (char **loops)
{
  char *tools[] = { (char *) "run", NULL };
  PerficaWireHelloReply reply = { .protocol = 1,
                                  .board = (char *) "B",
                                  .board_folder = (char *) "/b",
                                  .bubble = (char *) "b",
                                  .role = (char *) "coder",
                                  .loop = (char *) "src",
                                  .loops = loops,
                                  .tools = tools };
  g_autoptr (PerficaWireMessage) back =
      come_back (PERFICA_WIRE_SIDE_CLIENT, perfica_wire_encode_hello_reply (1, &reply));

  return g_strdupv (back->hello_reply->loops);
}

/* Other loops come through as they are, or as "all of it": never cut short. */
static void
test_loops (void)
{
  char *few[] = { (char *) ".", (char *) "api \"x\"\n", (char *) "a/b", NULL };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) none = loops_back (NULL);
  g_auto (GStrv) some = loops_back (few);
  g_auto (GStrv) many = NULL;
  g_auto (GStrv) back = NULL;

  g_assert_cmpuint (g_strv_length (none), ==, 0);
  g_assert_true (g_strv_equal ((const char *const *) some, (const char *const *) few));
  for (guint i = 0; i < PERFICA_WIRE_MAX_LOOPS; i++)
    g_strv_builder_add (builder, "\1");
  many = g_strv_builder_end (builder);
  back = loops_back (many);
  g_assert_cmpuint (g_strv_length (back), ==, PERFICA_WIRE_MAX_LOOPS);
  g_strfreev (g_steal_pointer (&back));
  for (guint i = 0; i <= PERFICA_WIRE_MAX_LOOPS; i++)
    g_strv_builder_add (builder, "a");
  g_strfreev (g_steal_pointer (&many));
  many = g_strv_builder_end (builder);
  back = loops_back (many);
  g_assert_cmpuint (g_strv_length (back), ==, 1);
  g_assert_cmpstr (back[0], ==, "/");
  g_strfreev (g_steal_pointer (&back));
  g_strfreev (g_steal_pointer (&many));
  /* Few, but longer than a line may be once each byte is escaped. */
  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *folder = g_strnfill (PERFICA_WIRE_MAX_PATH, '\1');

      g_strv_builder_add (builder, folder);
    }
  many = g_strv_builder_end (builder);
  back = loops_back (many);
  g_assert_cmpuint (g_strv_length (back), ==, 1);
  g_assert_cmpstr (back[0], ==, "/");
}

static void
test_status (void)
{
  g_autoptr (PerficaWireStatus) status = perfica_wire_status_new ();
  g_autoptr (PerficaWireMessage) back = NULL;
  PerficaWireBoard *board = perfica_wire_board_new ("B", "/b");

  status->version = g_strdup ("1.0");
  status->running = 2;
  board->waiting = 3;
  board->full_auto = TRUE;
  g_ptr_array_add (board->bubbles, perfica_wire_bubble_new ("n", "coder", "."));
  g_ptr_array_add (status->boards, board);
  g_ptr_array_add (status->clients, perfica_wire_client_new ("claude", 42, "B", "n", TRUE));
  back = come_back (PERFICA_WIRE_SIDE_CLIENT, perfica_wire_encode_status (9, status));
  board = back->status->boards->pdata[0];
  g_assert_cmpstr (board->folder, ==, "/b");
  g_assert_cmpuint (board->waiting, ==, 3);
  g_assert_true (board->full_auto && !board->sandbox);
  g_assert_cmpstr (((PerficaWireBubble *) board->bubbles->pdata[0])->role, ==, "coder");
  g_assert_cmpint (((PerficaWireClient *) back->status->clients->pdata[0])->pid, ==, 42);
  g_assert_true (((PerficaWireClient *) back->status->clients->pdata[0])->confirmed);
}

/* More of everything than a line may hold: it is cut, and can be read. */
static void
test_largest_status (void)
{
  g_autofree char *text = g_strnfill (2 * PERFICA_WIRE_MAX_PATH, '\001');
  g_autoptr (PerficaWireStatus) status = perfica_wire_status_new ();
  g_autoptr (PerficaWireMessage) back = NULL;

  status->version = g_strdup ("1");
  for (int i = 0; i < 2 * PERFICA_WIRE_MAX_ITEMS; i++)
    {
      PerficaWireBoard *board = perfica_wire_board_new (i % 2 ? text : "B", i % 2 ? text : "/b");

      for (int j = 0; j < 2 * PERFICA_WIRE_MAX_ITEMS; j++)
        g_ptr_array_add (board->bubbles, perfica_wire_bubble_new ("n", "r", "."));
      g_ptr_array_add (status->boards, board);
      g_ptr_array_add (status->clients, perfica_wire_client_new (text, 1, text, text, TRUE));
    }
  back = come_back (PERFICA_WIRE_SIDE_CLIENT, perfica_wire_encode_status (1, status));
  g_assert_cmpuint (back->status->boards->len, >, 10);
  g_assert_cmpuint (back->status->clients->len, ==, PERFICA_WIRE_MAX_ITEMS);
}

static void
test_output (void)
{
  for (gsize length = 0; length < 300; length++)
    {
      g_autofree guint8 *bytes = g_malloc0 (length + 1);
      g_autoptr (PerficaWireMessage) back = NULL;
      gsize got;
      gconstpointer data;

      for (gsize i = 0; i < length; i++)
        bytes[i] = (guint8) (i * 7);
      back = come_back (PERFICA_WIRE_SIDE_CLIENT,
                        perfica_wire_encode_output (4, length % 2, bytes, length));
      data = g_bytes_get_data (back->output->data, &got);
      g_assert_cmpmem (data, got, bytes, length);
      g_assert_cmpint (back->output->is_stderr, ==, length % 2);
      g_assert_cmpint (back->output->request, ==, 4);
    }
}

typedef struct
{
  PerficaWireSide side;
  const char *line;
  int code;
  gint64 id;
} Bad;

#define G PERFICA_WIRE_SIDE_GATEWAY
#define C PERFICA_WIRE_SIDE_CLIENT
#define RPC "{\"jsonrpc\":\"2.0\","

static const Bad bad[] = {
  { G, "", PERFICA_WIRE_CODE_PARSE, 0 },
  { G, "hello", PERFICA_WIRE_CODE_PARSE, 0 },
  { G, "[]", PERFICA_WIRE_CODE_INVALID, 0 },
  { G, "7", PERFICA_WIRE_CODE_INVALID, 0 },
  { G, "{}", PERFICA_WIRE_CODE_INVALID, 0 },
  { G, "{\"jsonrpc\":\"1.0\",\"id\":3}", PERFICA_WIRE_CODE_INVALID, 3 },
  { G, "{\"id\":3,\"method\":\"run\"}", PERFICA_WIRE_CODE_INVALID, 3 },
  { G, RPC "\"id\":3}", PERFICA_WIRE_CODE_INVALID, 3 },
  { G, RPC "\"id\":\"x\",\"method\":\"run\"}", PERFICA_WIRE_CODE_INVALID, 0 },
  { G, RPC "\"id\":0,\"method\":\"run\"}", PERFICA_WIRE_CODE_INVALID, 0 },
  { G, RPC "\"id\":-1,\"method\":\"run\"}", PERFICA_WIRE_CODE_INVALID, 0 },
  { G, RPC "\"id\":1.5,\"method\":\"run\"}", PERFICA_WIRE_CODE_INVALID, 0 },
  { G, RPC "\"id\":3,\"method\":7}", PERFICA_WIRE_CODE_INVALID, 3 },
  { G, RPC "\"id\":3,\"method\":\"approve\"}", PERFICA_WIRE_CODE_UNKNOWN_METHOD, 3 },
  { G, RPC "\"id\":3,\"method\":\"output\",\"params\":{}}", PERFICA_WIRE_CODE_UNKNOWN_METHOD, 3 },
  { G, RPC "\"id\":3,\"result\":{\"type\":\"opened\",\"board\":\"B\"}}", PERFICA_WIRE_CODE_INVALID,
    3 },
  { G, RPC "\"id\":3,\"method\":\"run\",\"params\":[]}", PERFICA_WIRE_CODE_INVALID, 3 },
  { G, RPC "\"id\":3,\"method\":\"run\"}", PERFICA_WIRE_CODE_BAD_PARAMS, 3 },
  { G, RPC "\"method\":\"run\",\"params\":{\"command\":\"x\"}}", PERFICA_WIRE_CODE_INVALID, 0 },
  { G, RPC "\"id\":3,\"method\":\"run\",\"params\":{\"command\":7}}", PERFICA_WIRE_CODE_BAD_PARAMS,
    3 },
  { G, RPC "\"id\":3,\"method\":\"run\",\"params\":{\"command\":null}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 3 },
  { G, RPC "\"id\":3,\"method\":\"run\",\"params\":{\"command\":\"x\",\"stream\":1}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 3 },
  { G, RPC "\"id\":3,\"method\":\"run\",\"params\":{\"command\":\"x\",\"timeout_seconds\":-1}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 3 },
  { G, RPC "\"id\":3,\"method\":\"run\",\"params\":{\"command\":\"x\",\"timeout_seconds\":1e9}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 3 },
  { G, RPC "\"id\":3,\"method\":\"cancel\",\"params\":{\"request\":1}}", PERFICA_WIRE_CODE_INVALID,
    3 },
  { G, RPC "\"method\":\"cancel\",\"params\":{\"request\":0}}", PERFICA_WIRE_CODE_BAD_PARAMS, 0 },
  { G, RPC "\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":2,\"client\":\"c\"}}",
    PERFICA_WIRE_CODE_VERSION, 1 },
  { G, RPC "\"id\":1,\"method\":\"hello\",\"params\":{\"client\":\"c\",\"folder\":\"/p\"}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 1 },
  { G, RPC "\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":1,\"folder\":\"/p\"}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 1 },
  { G,
    RPC "\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":1,\"client\":\"c\","
        "\"folder\":\"p\"}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 1 },
  { G, RPC "\"id\":1,\"method\":\"open_folder\",\"params\":{\"protocol\":1,\"folder\":\"../x\"}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 1 },
  { G, RPC "\"id\":1,\"method\":\"status\"}", PERFICA_WIRE_CODE_BAD_PARAMS, 1 },
  { C, RPC "\"id\":1,\"method\":\"run\",\"params\":{\"command\":\"x\"}}",
    PERFICA_WIRE_CODE_UNKNOWN_METHOD, 1 },
  { C, RPC "\"id\":1}", PERFICA_WIRE_CODE_INVALID, 1 },
  { C, RPC "\"result\":{\"type\":\"opened\",\"board\":\"B\"}}", PERFICA_WIRE_CODE_INVALID, 0 },
  { C, RPC "\"id\":1,\"result\":{\"board\":\"B\"}}", PERFICA_WIRE_CODE_INVALID, 1 },
  { C, RPC "\"id\":1,\"result\":{\"type\":\"granted\"}}", PERFICA_WIRE_CODE_INVALID, 1 },
  { C, RPC "\"id\":1,\"result\":{\"type\":\"opened\"}}", PERFICA_WIRE_CODE_BAD_PARAMS, 1 },
  { C, RPC "\"id\":1,\"result\":{\"type\":\"result\",\"outcome\":\"pending\"}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 1 },
  { C, RPC "\"id\":1,\"result\":{\"type\":\"result\",\"outcome\":\"ran\",\"exit_code\":256}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 1 },
  { C, RPC "\"id\":1,\"result\":{\"type\":\"result\",\"outcome\":\"ran\",\"findings\":[1]}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 1 },
  { C, RPC "\"id\":1,\"error\":\"x\"}", PERFICA_WIRE_CODE_INVALID, 1 },
  { C, RPC "\"id\":1,\"error\":{\"code\":1}}", PERFICA_WIRE_CODE_BAD_PARAMS, 1 },
  { C, RPC "\"method\":\"state\",\"params\":{\"request\":1,\"state\":\"dancing\"}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 0 },
  { C, RPC "\"method\":\"output\",\"params\":{\"request\":1,\"stream\":\"stdin\",\"data\":\"\"}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 0 },
  { C,
    RPC "\"method\":\"output\",\"params\":{\"request\":1,\"stream\":\"stdout\",\"data\":\"a*==\"}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 0 },
  { C,
    RPC "\"method\":\"output\",\"params\":{\"request\":1,\"stream\":\"stdout\",\"data\":\"aaa\"}}",
    PERFICA_WIRE_CODE_BAD_PARAMS, 0 },
};

static void
test_bad (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 id = -1;
      g_autoptr (PerficaWireMessage) message =
          perfica_wire_decode (bad[i].side, bad[i].line, strlen (bad[i].line), &id, &error);

      if (message != NULL)
        g_error ("was let in: %s", bad[i].line);
      if (error->domain != PERFICA_WIRE_ERROR || error->code != bad[i].code || id != bad[i].id)
        g_error ("%s: %d for id %d, %s", bad[i].line, error->code, (int) id, error->message);
    }
}

static void
test_unknown_members (void)
{
  const char *line = RPC "\"id\":1,\"later\":[{}],\"method\":\"run\",\"params\":"
                         "{\"command\":\"x\",\"ticket\":{\"a\":1}}}";
  g_autoptr (PerficaWireMessage) message = perfica_wire_decode (G, line, strlen (line), NULL, NULL);

  g_assert_nonnull (message);
  g_assert_cmpstr (message->run->command, ==, "x");
}

static void
test_outcome_names (void)
{
  for (int i = PERFICA_OUTCOME_PENDING; i <= PERFICA_OUTCOME_ERROR; i++)
    g_assert_cmpint (perfica_outcome_from_string (perfica_outcome_to_string ((PerficaOutcome) i)),
                     ==, i);
  g_assert_cmpint (perfica_outcome_from_string ("allowed"), ==, PERFICA_OUTCOME_ERROR);
  g_assert_cmpint (perfica_outcome_from_string (NULL), ==, PERFICA_OUTCOME_ERROR);
}

#define FFFD "\357\277\275"

static const struct
{
  const char *bytes;
  gsize length;
  const char *text;
} texts[] = {
  { "", 0, "" },
  { "abc", 3, "abc" },
  { "a\0b", 3, "a" FFFD "b" },
  { "a\377b", 3, "a" FFFD "b" },
  { "\244x", 2, "x" },         /* the second half of a character */
  { "x\303", 2, "x" },         /* the first half */
  { "x\360\237\230", 4, "x" }, /* three quarters */
  { "x\360\237\230\200", 5, "x\360\237\230\200" },
  { "\303\244", 2, "\303\244" },
  { "\200\200\200\200", 4, FFFD }, /* at most three belong to a cut character */
};

static void
test_text (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (texts[i].bytes, texts[i].length);
      g_autofree char *text = perfica_wire_text (bytes);

      g_assert_cmpstr (text, ==, texts[i].text);
    }
}

static void
test_address (void)
{
  g_autofree char *path = NULL;

  g_setenv ("XDG_RUNTIME_DIR", "/some/where", TRUE);
  path = perfica_wire_socket_path (NULL);
  g_assert_cmpstr (path, ==, "/some/where/perfica/gateway");
  /* Relative: as if it were not set (the XDG base directory specification). */
  g_setenv ("XDG_RUNTIME_DIR", "some/where", TRUE);
  g_clear_pointer (&path, g_free);
  path = perfica_wire_socket_path (NULL);
  g_assert_true (path == NULL || g_str_has_prefix (path, "/run/user/"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire/codec/requests", test_requests);
  g_test_add_func ("/wire/codec/result", test_result);
  g_test_add_func ("/wire/codec/largest-result", test_largest_result);
  g_test_add_func ("/wire/codec/longest-command", test_longest_command);
  g_test_add_func ("/wire/codec/replies", test_replies);
  g_test_add_func ("/wire/codec/loops", test_loops);
  g_test_add_func ("/wire/codec/status", test_status);
  g_test_add_func ("/wire/codec/largest-status", test_largest_status);
  g_test_add_func ("/wire/codec/output", test_output);
  g_test_add_func ("/wire/codec/bad", test_bad);
  g_test_add_func ("/wire/codec/unknown-members", test_unknown_members);
  g_test_add_func ("/wire/codec/outcome-names", test_outcome_names);
  g_test_add_func ("/wire/codec/text", test_text);
  g_test_add_func ("/wire/codec/address", test_address);
  return g_test_run ();
}
