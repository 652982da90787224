/* Who may attach as whom: what a hello says, and what it is answered.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "house.h"

#include <glib/gstdio.h>
#include <string.h>

/* @folder: "@" stands for the project. @code: 0: it attaches as @bubble */
static const struct
{
  const char *folder;
  const char *board;
  const char *bubble;
  const char *role;
  int code;
  const char *wanted; /* the bubble, or a part of the failure's words */
  const char *tools;
} cases[] = {
  /* The only one that fits the folder best. */
  { "@", NULL, NULL, NULL, 0, "whole", "read write run" },
  { "@/.", NULL, NULL, NULL, 0, "whole", "read write run" },
  { "@/docs/deep", NULL, NULL, NULL, 0, "whole", "read write run" },
  { "@/api", NULL, NULL, NULL, 0, "api", "read run" },
  { "@/api/src/gone", NULL, NULL, NULL, 0, "api", "read run" },
  { "@/web/../api", NULL, NULL, NULL, 0, "api", "read run" },
  { "@/apix", NULL, NULL, NULL, 0, "whole", "read write run" },
  { "@/web", NULL, NULL, NULL, PERFICA_WIRE_CODE_NO_BUBBLE, "web-1, web-2", NULL },
  /* Named. */
  { "@/web", NULL, "web-2", NULL, 0, "web-2", "read" },
  { "@", NULL, "web-1", NULL, 0, "web-1", "read write run" },
  { "@", NULL, "nobody", NULL, PERFICA_WIRE_CODE_NO_BUBBLE, "whole, api", NULL },
  { "@", NULL, "", NULL, PERFICA_WIRE_CODE_NO_BUBBLE, NULL, NULL },
  { "/", "project", "api", NULL, 0, "api", "read run" },
  { "/", "@", "api", NULL, 0, "api", "read run" },
  { "@", "elsewhere", NULL, NULL, PERFICA_WIRE_CODE_NO_BOARD, NULL, NULL },
  /* No board around it; nobody looks whether it is there. */
  { "/", NULL, NULL, NULL, PERFICA_WIRE_CODE_NO_BOARD, NULL, NULL },
  { "/does/not/exist", NULL, NULL, NULL, PERFICA_WIRE_CODE_NO_BOARD, NULL, NULL },
  { "@/..", NULL, NULL, NULL, PERFICA_WIRE_CODE_NO_BOARD, NULL, NULL },
  { "@/../other", NULL, NULL, NULL, PERFICA_WIRE_CODE_NO_BOARD, NULL, NULL },
  { "@x", NULL, NULL, NULL, PERFICA_WIRE_CODE_NO_BOARD, NULL, NULL },
  { "relative", NULL, NULL, NULL, PERFICA_WIRE_CODE_BAD_PARAMS, NULL, NULL },
  { ".", NULL, NULL, NULL, PERFICA_WIRE_CODE_BAD_PARAMS, NULL, NULL },
  /* A role narrows and never widens. */
  { "@", NULL, NULL, "reviewer", 0, "whole", "read run" },
  { "@", NULL, NULL, "researcher", 0, "whole", "read" },
  { "@", NULL, NULL, "coder", 0, "whole", "read write run" },
  { "@/api", NULL, NULL, "coder", 0, "api", "read run" },
  { "@/web", NULL, "web-2", "coder", 0, "web-2", "read" },
  { "@", NULL, NULL, "custom", PERFICA_WIRE_CODE_BAD_PARAMS, NULL, NULL },
  { "@", NULL, NULL, "root", PERFICA_WIRE_CODE_BAD_PARAMS, NULL, NULL },
};

static void
fill (House *house)
{
  static const char *const folders[] = { "web", "api" };
  PerficaBoard *board = house->board;
  g_autoptr (PerficaLoop) all = g_list_model_get_item (perfica_board_get_loops (board), 0);
  g_autoptr (PerficaBubble) first = g_list_model_get_item (perfica_board_get_bubbles (board), 0);
  PerficaLoop *loops[2];

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (house->project, folders[i], NULL);

      g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
      loops[i] = perfica_board_add_loop (board, folders[i], folders[i], NULL);
      g_assert_nonnull (loops[i]);
    }
  g_assert_true (perfica_board_remove_bubble (board, first, NULL));
  perfica_board_add_bubble (board, "whole", PERFICA_ROLE_CODER, 0, all, NULL);
  perfica_board_add_bubble (board, "api", PERFICA_ROLE_REVIEWER, 0, loops[1], NULL);
  perfica_board_add_bubble (board, "web-1", PERFICA_ROLE_CODER, 0, loops[0], NULL);
  perfica_board_add_bubble (board, "web-2", PERFICA_ROLE_RESEARCHER, 0, loops[0], NULL);
}

static char *
place (House *house, const char *text)
{
  g_auto (GStrv) parts = text ? g_strsplit (text, "@", -1) : NULL;

  return text ? g_strjoinv (house->project, parts) : NULL;
}

static void
expect (House *house, guint i)
{
  const PerficaWireMessage *last = house->last;
  g_autofree char *tools = NULL;

  g_test_message ("%u: %s", i, cases[i].folder);
  g_assert_nonnull (last);
  if (cases[i].code != 0)
    {
      g_assert_cmpint (last->type, ==, PERFICA_WIRE_FAILURE);
      g_assert_cmpint (last->failure->code, ==, cases[i].code);
      g_assert_true (!cases[i].wanted || strstr (last->failure->message, cases[i].wanted));
      return;
    }
  g_assert_cmpint (last->type, ==, PERFICA_WIRE_HELLO_REPLY);
  g_assert_cmpstr (last->hello_reply->bubble, ==, cases[i].wanted);
  g_assert_false (last->hello_reply->attached);
  tools = g_strjoinv (" ", last->hello_reply->tools);
  g_assert_cmpstr (tools, ==, cases[i].tools);
}

static void
test_cases (House *house, gconstpointer data)
{
  fill (house);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *folder = place (house, cases[i].folder);
      g_autofree char *board = place (house, cases[i].board);
      PerficaWireHello hello = { .protocol = PERFICA_WIRE_VERSION,
                                 .client = (char *) "test",
                                 .folder = folder,
                                 .board = board,
                                 .bubble = (char *) cases[i].bubble,
                                 .role = (char *) cases[i].role };

      house_hang_up (house);
      house_send_hello (house, &hello);
      house_spin_until (house_has_answer, house);
      expect (house, i);
    }
}

/* It is said once, and a run needs it. */
static void
test_once (House *house, gconstpointer data)
{
  PerficaWireHello hello = { .protocol = PERFICA_WIRE_VERSION,
                             .client = (char *) "test",
                             .folder = house->project };

  g_clear_pointer (&house->last, perfica_wire_message_unref);
  perfica_wire_connection_send (house->client, perfica_wire_encode_hello (2, &hello));
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->failure->code, ==, PERFICA_WIRE_CODE_NO_HELLO);
  house_hang_up (house);
  hello.folder = (char *) "/";
  house_send_hello (house, &hello);
  house_spin_until (house_has_answer, house);
  house_send_run (house, "true");
  house_spin_until (house_has_answer, house);
  g_assert_cmpint (house->last->failure->code, ==, PERFICA_WIRE_CODE_NO_HELLO);
}

/* A name can't steer what the window shows. */
static void
test_name (House *house, gconstpointer data)
{
  PerficaWireHello hello = { .protocol = PERFICA_WIRE_VERSION,
                             .client = (char *) "good\n\033[2J\342\200\256evil",
                             .folder = house->project };
  GListModel *list = perfica_gateway_get_attachments (house->gateway);
  g_autoptr (PerficaAttachment) one = NULL;

  house_hang_up (house);
  house_send_hello (house, &hello);
  house_spin_until (house_has_answer, house);
  one = g_list_model_get_item (list, g_list_model_get_n_items (list) - 1);
  g_assert_nonnull (
      strstr (perfica_attachment_get_program (one), "(good\\u{a}\\u{1b}[2J\\u{202e}evil)"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/hello/cases", House, NULL, house_set_up, test_cases, house_tear_down);
  g_test_add ("/hello/once", House, NULL, house_set_up, test_once, house_tear_down);
  g_test_add ("/hello/name", House, NULL, house_set_up, test_name, house_tear_down);
  return g_test_run ();
}
