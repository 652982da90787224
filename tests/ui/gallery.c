/* Draws every page into PNGs, light and dark, wide and narrow: gallery FOLDER.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <adwaita.h>

#include "fake-gateway.h"
#include "perfica-activity-details.h"
#include "perfica-attach-prompt.h"
#include "perfica-bubble-dialog.h"
#include "perfica-confirm.h"
#include "perfica-prompt.h"
#include "perfica-settings-window.h"
#include "perfica-waiting-window.h"
#include "perfica-window.h"

static const char *folder;
static const char *suffix;

static gboolean
ring (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
spin (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, ring, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

static void
draw (GtkWidget *window, const char *name)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (window);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autofree char *path = g_strdup_printf ("%s/%s-%s.png", folder, name, suffix);
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  spin (600);
  gdk_paintable_snapshot (paintable, snapshot, gdk_paintable_get_intrinsic_width (paintable),
                          gdk_paintable_get_intrinsic_height (paintable));
  node = gtk_snapshot_to_node (snapshot);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node, NULL);
  gdk_texture_save_to_png (texture, path);
}

static void
fill (PerficaGateway *gateway)
{
  PerficaBoard *board = fake_board_add (gateway, "website", "/home/ada/projects/website");
  PerficaBoard *other = fake_board_add (gateway, "api-server", "/home/ada/projects/api-server");
  PerficaLoop *web = perfica_board_add_loop (board, "web", "packages/web", NULL);
  static const FakeEntry entries[] = {
    { .bubble = "coder-1",
      .folder = "packages/web",
      .command = "npm test",
      .outcome = PERFICA_OUTCOME_RAN,
      .duration = 14200000,
      .confinement = "bubblewrap",
      .output = "> web@1.0.0 test\n> vitest run\n\n ✓ 42 tests passed\n",
      .canonical = "'npm' 'test'" },
    { .bubble = "coder-1",
      .folder = ".",
      .command = "git push --force origin main",
      .outcome = PERFICA_OUTCOME_REFUSED,
      .reason = "A force push overwrites what others have. Push without it.",
      .offers_terminal = TRUE,
      .findings = "refuse git.push.force 9-16 A force push overwrites what others have." },
    { .bubble = "reviewer",
      .folder = ".",
      .command = "make check",
      .outcome = PERFICA_OUTCOME_RAN,
      .exit_code = 2,
      .duration = 2210000 },
    { .bubble = "coder-1",
      .folder = ".",
      .command = "npm run dev",
      .outcome = PERFICA_OUTCOME_REFUSED,
      .offers_terminal = TRUE,
      .reason = "It never ends. The person can run it in their terminal." },
    { .bubble = "coder-1",
      .folder = ".",
      .command = "git commit -am 'Mend the navigation'",
      .outcome = PERFICA_OUTCOME_NOBODY },
    { .bubble = "coder-1",
      .folder = "packages/web",
      .command = "npm run build -- --mode production",
      .outcome = PERFICA_OUTCOME_PENDING },
  };

  perfica_board_add_loop (board, "admin", "packages/web/admin", NULL);
  perfica_board_add_bubble (board, "reviewer", PERFICA_ROLE_REVIEWER, 0, web, NULL);
  perfica_board_set_sandbox (board, PERFICA_SANDBOX_ON);
  fake_board_add_grant (board, "git commit", 3);
  perfica_board_set_full_auto (other, TRUE);
  fake_board_set_waiting (board, 2);
  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
    fake_entry_add (gateway, board, &entries[i]);
}

static void
show_views (PerficaWindow *window, const char *prefix)
{
  static const char *const names[] = { "activity", "bubbles", "settings" };
  AdwViewStack *views = ADW_VIEW_STACK (
      gtk_widget_get_template_child (GTK_WIDGET (window), PERFICA_TYPE_WINDOW, "views"));

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = g_strconcat (prefix, names[i], NULL);

      adw_view_stack_set_visible_child_name (views, names[i]);
      draw (GTK_WIDGET (window), name);
    }
  adw_view_stack_set_visible_child_name (views, "activity");
}

static void
gallery (GtkApplication *app, gboolean dark)
{
  g_autoptr (PerficaGateway) gateway = fake_gateway_new ();
  g_autoptr (PerficaGateway) empty = fake_gateway_new ();
  PerficaWindow *window, *narrow, *welcome;
  PerficaSettingsWindow *settings;
  PerficaPrompt *prompt;
  PerficaRequest *request;
  static const char *const pages[] = { "sandbox", "prompts", "terminal", "agents", "about" };

  suffix = dark ? "dark" : "light";
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                           : ADW_COLOR_SCHEME_FORCE_LIGHT);
  fill (gateway);
  welcome = perfica_window_new (app, empty);
  gtk_window_set_default_size (GTK_WINDOW (welcome), 900, 640);
  gtk_window_present (GTK_WINDOW (welcome));
  draw (GTK_WIDGET (welcome), "welcome");
  fake_gateway_set_problem (empty, "boards.json, line 12: the text ends in the middle of a value");
  draw (GTK_WIDGET (welcome), "problem");
  gtk_window_destroy (GTK_WINDOW (welcome));

  narrow = perfica_window_new (app, gateway);
  gtk_window_set_default_size (GTK_WINDOW (narrow), 360, 640);
  gtk_window_present (GTK_WINDOW (narrow));
  draw (GTK_WIDGET (narrow), "narrow-list");
  g_signal_emit_by_name (gtk_widget_get_template_child (GTK_WIDGET (narrow), PERFICA_TYPE_WINDOW,
                                                        "boards"),
                         "row-activated", NULL);
  show_views (narrow, "narrow-");
  gtk_window_destroy (GTK_WINDOW (narrow));

  window = perfica_window_new (app, gateway);
  gtk_window_set_default_size (GTK_WINDOW (window), 1180, 760);
  gtk_window_present (GTK_WINDOW (window));
  show_views (window, "wide-");
  perfica_window_run_in_terminal (window, "npm run dev", "/tmp");
  spin (1500);
  draw (GTK_WIDGET (window), "wide-dock");

  settings = perfica_settings_window_new (gateway);
  gtk_window_set_transient_for (GTK_WINDOW (settings), GTK_WINDOW (window));
  fake_gateway_set_diagnosis (gateway, FALSE);
  gtk_window_present (GTK_WINDOW (settings));
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *name = g_strconcat ("settings-", pages[i], NULL);

      perfica_settings_window_show_page (settings, pages[i]);
      draw (GTK_WIDGET (settings), name);
    }
  gtk_window_destroy (GTK_WINDOW (settings));

  {
    g_autoptr (PerficaBoard) board =
        g_list_model_get_item (perfica_gateway_get_boards (gateway), 0);
    g_autoptr (GListModel) list = perfica_activity_list (perfica_gateway_get_activity (gateway),
                                                         NULL, "push", PERFICA_FILTER_ALL);
    g_autoptr (PerficaEntry) entry = g_list_model_get_item (list, 0);
    PerficaActivityDetails *details = perfica_activity_details_open (GTK_WIDGET (window), entry);
    PerficaAttachment *attachment;
    PerficaAttachPrompt *attach;
    PerficaBubbleDialog *dialog;
    PerficaWaitingWindow *overview;

    draw (GTK_WIDGET (details), "details");
    gtk_window_destroy (GTK_WINDOW (details));
    dialog = perfica_bubble_dialog_open (GTK_WIDGET (window), board);
    draw (GTK_WIDGET (dialog), "bubble-dialog");
    gtk_window_destroy (GTK_WINDOW (dialog));

    request = fake_request_add (
        gateway, board,
        "git commit -m 'Mend the naviga\u202etion' && git push origin main\nrm -rf build", 0, 10,
        "git commit, git push");
    fake_request_add (gateway, board, "rm -rf dist", 0, 6, "delete files");
    prompt = perfica_prompt_new (gateway, request);
    perfica_prompt_set_place (prompt, 1, 2);
    perfica_prompt_open (prompt);
    spin (1500);
    draw (GTK_WIDGET (prompt), "prompt");
    gtk_window_set_default_size (GTK_WINDOW (prompt), 360, -1);
    draw (GTK_WIDGET (prompt), "prompt-narrow");
    gtk_window_destroy (GTK_WINDOW (prompt));
    overview = perfica_waiting_window_new (gateway);
    gtk_window_present (GTK_WINDOW (overview));
    draw (GTK_WIDGET (overview), "overview");
    gtk_window_destroy (GTK_WINDOW (overview));

    attachment = fake_attachment_add (gateway, board);
    attach = perfica_attach_prompt_new (attachment);
    perfica_attach_prompt_open (attach);
    spin (1200);
    draw (GTK_WIDGET (attach), "attach");
    gtk_window_destroy (GTK_WINDOW (attach));
    draw (GTK_WIDGET (window), "wide-waiting");
  }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What breaks a layout: long names, many boards, long words, many who ask. */
static void
fill_hard (PerficaGateway *gateway)
{
  PerficaBoard *first = NULL;
  static const char *const commands[] = {
    "node_modules/.bin/vitest run --coverage --reporter=verbose --config "
    "vitest.config.production.ts "
    "packages/web/src/components/navigation/__tests__",
    "./gradlew "
    ":app:assembleReleaseUniversalWithAVeryLongNameThatHasNoPlaceToBreakAtAllxxxxxxxxxxxx",
    "true",
  };

  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *name = g_strdup_printf (
          i % 5 == 0 ? "a-project-with-a-name-that-goes-on-and-on-without-an-end-%u" : "board-%u",
          i);
      g_autofree char *place =
          g_strdup_printf ("/home/ada/projects/customers/the-one-with-the-long-name/2026/%s", name);
      PerficaBoard *board = fake_board_add (gateway, name, place);

      if (first == NULL)
        first = board;
      if (i % 7 == 1)
        fake_board_set_waiting (board, i * 30);
      if (i % 3 == 1)
        perfica_board_set_full_auto (board, TRUE);
      if (i % 2 == 1)
        perfica_board_set_sandbox (board, PERFICA_SANDBOX_ON);
    }
  perfica_board_set_full_auto (first, TRUE);
  perfica_board_set_sandbox (first, PERFICA_SANDBOX_ON);
  for (guint i = 0; i < 30; i++)
    {
      const FakeEntry entry = {
        .bubble = i % 2 ? "the-coder-who-looks-after-the-navigation-of-the-web-packages" : "coder",
        .folder = i % 3 ? "packages/web/src/components/navigation/__tests__/snapshots" : ".",
        .command = commands[i % G_N_ELEMENTS (commands)],
        .outcome = i % 5,
        .exit_code = i % 4,
        .duration = i * 1234567,
        .offers_terminal = i % 3 == 0,
        .reason = i % 2 ? "It was stopped at its time limit with everything it had started: run a "
                          "smaller part of it, or ask the person for more time than that."
                        : NULL,
      };

      fake_entry_add (gateway, first, &entry);
    }
  fake_attachment_add (gateway, first);
  fake_attachment_leave (fake_attachment_add (gateway, first));
}

static void
stress (GtkApplication *app, const char *name)
{
  g_autoptr (PerficaGateway) gateway = fake_gateway_new ();
  static const int widths[] = { 360, 700, 1200 };

  suffix = name;
  fill_hard (gateway);
  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      PerficaWindow *window = perfica_window_new (app, gateway);
      g_autofree char *list = g_strdup_printf ("hard-%d-list", widths[i]);
      g_autofree char *prefix = g_strdup_printf ("hard-%d-", widths[i]);

      gtk_window_set_default_size (GTK_WINDOW (window), widths[i], 640);
      gtk_window_present (GTK_WINDOW (window));
      if (widths[i] < 720)
        draw (GTK_WIDGET (window), list);
      g_signal_emit_by_name (gtk_widget_get_template_child (GTK_WIDGET (window),
                                                            PERFICA_TYPE_WINDOW, "boards"),
                             "row-activated", NULL);
      show_views (window, prefix);
      gtk_window_destroy (GTK_WINDOW (window));
    }
}

static void
activate (GtkApplication *app)
{
  g_application_hold (G_APPLICATION (app));
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_LIGHT);
  stress (app, "ltr");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  stress (app, "rtl");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 144 * 1024, NULL);
  stress (app, "large");
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024, NULL);
  gallery (app, FALSE);
  gallery (app, TRUE);
  g_application_release (G_APPLICATION (app));
}

int
main (int argc, char **argv)
{
  g_autoptr (AdwApplication) app =
      adw_application_new ("app.perfica.Gallery", G_APPLICATION_NON_UNIQUE);

  if (argc != 2)
    return 2;
  folder = argv[1];
  g_signal_connect (app, "activate", G_CALLBACK (activate), NULL);
  return g_application_run (G_APPLICATION (app), 1, argv);
}
