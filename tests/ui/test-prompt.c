/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <adwaita.h>

#include "fake-gateway.h"
#include "perfica-attach-prompt.h"
#include "perfica-prompter.h"
#include "widgets.h"

typedef struct
{
  PerficaGateway *gateway;
  PerficaBoard *board;
  GtkWidget *window;
  PerficaSettings *settings;
  PerficaPrompter *prompter;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->gateway = fake_gateway_new ();
  f->board = fake_board_add (f->gateway, "website", "/home/ada/website");
  f->settings = perfica_settings_new ();
  f->window = adw_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (f->window), 400, 300);
  f->prompter = perfica_prompter_new (GTK_WINDOW (f->window), f->gateway, f->settings);
  gtk_window_present (GTK_WINDOW (f->window));
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_object (&f->prompter);
  gtk_window_destroy (GTK_WINDOW (f->window));
  g_clear_object (&f->settings);
  g_clear_object (&f->gateway);
}

static GtkWidget *
part (PerficaPrompt *prompt, const char *name)
{
  return GTK_WIDGET (
      gtk_widget_get_template_child (GTK_WIDGET (prompt), PERFICA_TYPE_PROMPT, name));
}

static gboolean
is_awake (gpointer data)
{
  return perfica_answer_button_get_awake (PERFICA_ANSWER_BUTTON (data));
}

static void
test_order (Fixture *f, gconstpointer data)
{
  PerficaRequest *first = fake_request_add (f->gateway, f->board, "git push", 0, 8, "git push");
  PerficaRequest *second =
      fake_request_add (f->gateway, f->board, "rm -rf build", 0, 6, "delete files");
  PerficaPrompt *prompt = perfica_prompter_get_prompt (f->prompter);

  g_assert_nonnull (prompt);
  g_assert_true (perfica_prompt_get_request (prompt) == first);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (part (prompt, "place"))), ==, "1 of 2");

  /* What is on show stays, also when what is behind it goes; then the next follows. */
  fake_request_withdraw (f->gateway, second);
  g_assert_true (perfica_prompter_get_prompt (f->prompter) == prompt);
  second = fake_request_add (f->gateway, f->board, "rm -rf build", 0, 6, "delete files");
  fake_request_withdraw (f->gateway, first);
  g_assert_true (perfica_prompt_get_request (perfica_prompter_get_prompt (f->prompter)) == second);
}

static void
test_second (Fixture *f, gconstpointer data)
{
  PerficaPrompt *prompt;
  GtkWidget *once, *always;
  gint64 before = g_get_monotonic_time ();

  fake_request_add (f->gateway, f->board, "git push", 0, 8, "git push");
  prompt = perfica_prompter_get_prompt (f->prompter);
  once = part (prompt, "once");
  always = part (prompt, "always");
  g_assert_false (is_awake (once));
  g_assert_false (is_awake (always));
  g_assert_true (gtk_widget_is_sensitive (part (prompt, "deny")));
  widgets_wait (is_awake, once, 10);
  g_assert_cmpint (g_get_monotonic_time () - before, >=, G_USEC_PER_SEC);
  g_assert_true (is_awake (always));
  g_assert_true (fake_approvals_answers (f->gateway)->shown == perfica_prompt_get_request (prompt));
}

static void
test_nothing_without_event (Fixture *f, gconstpointer data)
{
  PerficaPrompt *prompt;
  GtkWidget *once;

  fake_request_add (f->gateway, f->board, "git push", 0, 8, "git push");
  prompt = perfica_prompter_get_prompt (f->prompter);
  once = part (prompt, "once");
  widgets_wait (is_awake, once, 10);

  /* What accessibility, mnemonics and defaults do. */
  gtk_widget_activate (once);
  gtk_widget_activate_default (GTK_WIDGET (prompt));
  gtk_widget_mnemonic_activate (once, FALSE);
  g_assert_null (gtk_window_get_default_widget (GTK_WINDOW (prompt)));
  g_assert_false (GTK_IS_BUTTON (once));
  widgets_spin (50);
  g_assert_cmpuint (fake_approvals_answers (f->gateway)->answers, ==, 0);
  g_assert_true (perfica_prompter_get_prompt (f->prompter) == prompt);
}

static void
test_no_action_allows (Fixture *f, gconstpointer data)
{
  g_autoptr (GtkApplication) app =
      gtk_application_new ("app.perfica.Test", G_APPLICATION_NON_UNIQUE);
  g_autoptr (PerficaPrompter) prompter = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) actions = NULL;

  g_assert_true (g_application_register (G_APPLICATION (app), NULL, &error));
  gtk_window_set_application (GTK_WINDOW (f->window), app);
  prompter = perfica_prompter_new (GTK_WINDOW (f->window), f->gateway, f->settings);
  actions = g_action_group_list_actions (G_ACTION_GROUP (app));
  g_assert_cmpuint (g_strv_length (actions), ==, 2);
  g_assert_true (g_strv_contains ((const char *const *) actions, "review"));
  g_assert_true (g_strv_contains ((const char *const *) actions, "deny"));
  g_clear_object (&prompter);
  gtk_window_set_application (GTK_WINDOW (f->window), NULL);
}

static void
test_deny (Fixture *f, gconstpointer data)
{
  PerficaPrompt *prompt;
  FakeAnswers *answers = fake_approvals_answers (f->gateway);

  fake_request_add (f->gateway, f->board, "git push", 0, 8, "git push");
  prompt = perfica_prompter_get_prompt (f->prompter);
  gtk_editable_set_text (GTK_EDITABLE (part (prompt, "message")), "Not on a Friday");
  g_signal_emit_by_name (part (prompt, "deny"), "clicked");
  g_assert_cmpuint (answers->answers, ==, 1);
  g_assert_cmpint (answers->decision, ==, PERFICA_DECISION_DENY);
  g_assert_cmpstr (answers->message, ==, "Not on a Friday");
  g_assert_null (perfica_prompter_get_prompt (f->prompter));
}

static void
test_close_is_no_answer (Fixture *f, gconstpointer data)
{
  fake_request_add (f->gateway, f->board, "git push", 0, 8, "git push");
  gtk_window_close (GTK_WINDOW (perfica_prompter_get_prompt (f->prompter)));
  g_assert_null (perfica_prompter_get_prompt (f->prompter));
  g_assert_cmpuint (fake_approvals_answers (f->gateway)->answers, ==, 0);
  g_assert_null (fake_approvals_answers (f->gateway)->shown);
  perfica_prompter_review (f->prompter);
  g_assert_nonnull (perfica_prompter_get_prompt (f->prompter));
}

static void
test_long (Fixture *f, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("git push");
  PerficaPrompt *prompt;

  for (int i = 0; i < 400; i++)
    g_string_append (text, " --push-option=a-long-word-to-fill-the-view");
  fake_request_add (f->gateway, f->board, text->str, 0, 8, "git push");
  prompt = perfica_prompter_get_prompt (f->prompter);
  widgets_spin (2500);
  /* A second has passed; its end hasn't been seen. */
  g_assert_false (is_awake (part (prompt, "once")));
  g_assert_true (gtk_widget_get_visible (part (prompt, "end_note")));
}

static void
test_window (Fixture *f, gconstpointer data)
{
  fake_request_add (f->gateway, f->board, "git push", 0, 8, "git push");
  g_assert_false (gtk_window_get_modal (GTK_WINDOW (perfica_prompter_get_prompt (f->prompter))));
  gtk_widget_hide (f->window);
  g_assert_null (perfica_prompter_get_prompt (f->prompter));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
#define ADD(name, func) g_test_add (name, Fixture, NULL, set_up, func, tear_down)
  ADD ("/ui/prompt/order", test_order);
  ADD ("/ui/prompt/second", test_second);
  ADD ("/ui/prompt/nothing-without-event", test_nothing_without_event);
  ADD ("/ui/prompt/no-action-allows", test_no_action_allows);
  ADD ("/ui/prompt/deny", test_deny);
  ADD ("/ui/prompt/close-is-no-answer", test_close_is_no_answer);
  ADD ("/ui/prompt/long", test_long);
  ADD ("/ui/prompt/window", test_window);
  return g_test_run ();
}
