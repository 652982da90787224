/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-placing.h"

#include <string.h>

typedef struct
{
  const char *text;
  gssize length;
  PerficaPlacing placing;
} Case;

static const Case cases[] = {
  { "npm run dev", -1, PERFICA_PLACING_OK },
  { "echo 'grüß 日本'", -1, PERFICA_PLACING_OK },
  { "", -1, PERFICA_PLACING_EMPTY },
  { "   ", -1, PERFICA_PLACING_EMPTY },
  { "a\nb", -1, PERFICA_PLACING_LINES },
  { "a\n", -1, PERFICA_PLACING_LINES },
  { "a\rb", -1, PERFICA_PLACING_LINES },
  { "a\xc2\x85z", -1, PERFICA_PLACING_LINES },
  { "a\xe2\x80\xa8z", -1, PERFICA_PLACING_LINES },
  { "a\xe2\x80\xa9z", -1, PERFICA_PLACING_LINES },
  { "a\tb", -1, PERFICA_PLACING_INVISIBLE },
  { "a\033[201~b", -1, PERFICA_PLACING_INVISIBLE },
  { "a\x03z", -1, PERFICA_PLACING_INVISIBLE },
  { "a\x7fz", -1, PERFICA_PLACING_INVISIBLE },
  { "a\xe2\x80\xaez", -1, PERFICA_PLACING_INVISIBLE },
  { "a\xe2\x80\x8bz", -1, PERFICA_PLACING_INVISIBLE },
  { "a\xc2\xa0z", -1, PERFICA_PLACING_INVISIBLE },
  { "a\xee\x80\x80z", -1, PERFICA_PLACING_INVISIBLE },
  { "a\xef\xb8\x8fz", -1, PERFICA_PLACING_INVISIBLE },
  { "a\xe3\x85\xa4z", -1, PERFICA_PLACING_INVISIBLE },
  { "a\xe2\xa0\x80z", -1, PERFICA_PLACING_INVISIBLE },
  { "a\xffz", -1, PERFICA_PLACING_ENCODING },
  { "a\0z", 3, PERFICA_PLACING_ENCODING },
};

static void
test_check (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("case %" G_GSIZE_FORMAT, i);
      g_assert_cmpint (perfica_placing_check (cases[i].text, cases[i].length), ==,
                       cases[i].placing);
      g_assert_true ((perfica_placing_reason (cases[i].placing) == NULL) ==
                     (cases[i].placing == PERFICA_PLACING_OK));
    }
}

static void
test_length (void)
{
  g_autofree char *fits = g_strnfill (PERFICA_PLACING_MAX, 'a');
  g_autofree char *longer = g_strnfill (PERFICA_PLACING_MAX + 1, 'a');

  g_assert_cmpint (perfica_placing_check (fits, -1), ==, PERFICA_PLACING_OK);
  g_assert_cmpint (perfica_placing_check (longer, -1), ==, PERFICA_PLACING_LONG);
}

static void
test_state (void)
{
  static const struct
  {
    PerficaTerminalState state;
    gboolean takes;
  } states[] = {
    /* shell, in front, canonical, echo, typed */
    { { PERFICA_SHELL_LINE_EDITOR, TRUE, FALSE, FALSE, FALSE }, TRUE },
    { { PERFICA_SHELL_LINE_EDITOR, TRUE, TRUE, TRUE, FALSE }, FALSE },  /* the builtin read */
    { { PERFICA_SHELL_LINE_EDITOR, TRUE, TRUE, FALSE, FALSE }, FALSE }, /* a password */
    { { PERFICA_SHELL_LINE_EDITOR, FALSE, FALSE, FALSE, FALSE }, FALSE },
    { { PERFICA_SHELL_LINE_EDITOR, TRUE, FALSE, FALSE, TRUE }, FALSE }, /* half-typed */
    { { PERFICA_SHELL_OTHER, TRUE, TRUE, TRUE, FALSE }, TRUE },
    { { PERFICA_SHELL_OTHER, TRUE, TRUE, FALSE, FALSE }, FALSE },
    { { PERFICA_SHELL_OTHER, FALSE, TRUE, TRUE, FALSE }, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    g_assert_cmpint (perfica_terminal_state_takes (&states[i].state), ==, states[i].takes);
  g_assert_cmpint (perfica_shell_kind ("/bin/bash"), ==, PERFICA_SHELL_LINE_EDITOR);
  g_assert_cmpint (perfica_shell_kind ("/bin/dash"), ==, PERFICA_SHELL_OTHER);
}

static void
test_typed (void)
{
  static const struct
  {
    gboolean before;
    const char *data;
    gboolean after;
  } typed[] = {
    { FALSE, "l", TRUE },           { TRUE, "\r", FALSE },    { TRUE, "\003", FALSE },
    { FALSE, "\033[A", TRUE },      /* history */
    { FALSE, "\033[12;4R", FALSE }, /* the terminal's own reply */
    { TRUE, "\033[?65;1c", TRUE },  { FALSE, "ls\r", FALSE }, { FALSE, "ls\rx", TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (typed); i++)
    g_assert_cmpint (perfica_typed_after (typed[i].before, typed[i].data, strlen (typed[i].data)),
                     ==, typed[i].after);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/placing/check", test_check);
  g_test_add_func ("/ui/placing/length", test_length);
  g_test_add_func ("/ui/placing/state", test_state);
  g_test_add_func ("/ui/placing/typed", test_typed);
  return g_test_run ();
}
