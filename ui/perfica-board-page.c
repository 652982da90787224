/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-board-page.h"

#include <glib/gi18n.h>

#include "perfica-closures.h"
#include "perfica-confirm.h"
#include "perfica-escape.h"
#include "perfica-folder-tree.h"
#include "perfica-rows.h"

struct _PerficaBoardPage
{
  AdwBin parent_instance;

  PerficaGateway *gateway;
  PerficaBoard *board;
  GSignalGroup *board_signals;
  GSignalGroup *grants_signals;
  GSignalGroup *loops_signals;
  GSignalGroup *gateway_signals;
  gboolean updating;
  PerficaBoard *asked;         /* the board that a question is open about */
  PerficaSandboxChoice wanted; /* what that question would set */
  GPtrArray *grant_rows;
  GPtrArray *tree_rows;

  GtkWidget *full_auto;
  GtkWidget *sandbox;
  GtkWidget *trees;
  GtkWidget *grants;
  GtkWidget *tree;
  GtkWidget *loop;
  GtkWidget *folder;
};

G_DEFINE_FINAL_TYPE (PerficaBoardPage, perfica_board_page, ADW_TYPE_BIN)

static guint remove_signal;

static void
update_grant (PerficaGrant *grant, GParamSpec *pspec, GtkWidget *row)
{
  g_autofree char *since = perfica_time_label (perfica_grant_get_since (grant), g_get_real_time ());
  guint used = perfica_grant_get_used (grant);
  g_autofree char *subtitle =
      g_strdup_printf (ngettext ("since %s, used %u time", "since %s, used %u times", used), since,
                       used);

  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
}

static void
revoke_clicked (GtkWidget *button, PerficaBoardPage *self)
{
  PerficaGrant *grant = g_object_get_data (G_OBJECT (button), "grant");

  perfica_board_revoke (self->board, grant);
}

static void
update_grants (PerficaBoardPage *self)
{
  GListModel *grants = perfica_board_get_grants (self->board);
  guint n = g_list_model_get_n_items (grants);

  perfica_rows_clear (self->grants, self->grant_rows);
  if (n == 0)
    perfica_rows_add (
        self->grants, self->grant_rows,
        perfica_rows_new (_ ("Nothing is allowed always"),
                          _ ("“Allow always this session” in a question adds to this list")));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (PerficaGrant) grant = g_list_model_get_item (grants, i);
      g_autofree char *kind = perfica_escape_line (perfica_grant_get_kind (grant), 300);
      g_autofree char *spoken = g_strdup_printf (_ ("Revoke %s"), kind);
      GtkWidget *row = perfica_rows_new (kind, NULL);
      GtkWidget *button = gtk_button_new_with_label (_ ("Revoke"));

      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      spoken, -1);
      g_object_set_data_full (G_OBJECT (button), "grant", g_object_ref (grant), g_object_unref);
      g_signal_connect (button, "clicked", G_CALLBACK (revoke_clicked), self);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
      g_signal_connect_object (grant, "notify", G_CALLBACK (update_grant), row, 0);
      update_grant (grant, NULL, row);
      perfica_rows_add (self->grants, self->grant_rows, row);
    }
}

static GtkWidget *
tree_row (PerficaFolderLine *line)
{
  g_autofree char *name = perfica_escape_line (line->name, 400);
  GtkWidget *row = perfica_rows_new (name, NULL);
  GtkWidget *icon =
      gtk_image_new_from_icon_name (line->is_loop ? "perfica-bubble-symbolic" : "folder-symbolic");
  GtkWidget *pill = gtk_label_new (line->writable ? _ ("writable") : _ ("read-only"));

  gtk_widget_set_margin_start (icon, 24 * (int) MIN (line->depth, 6));
  gtk_widget_add_css_class (pill, "perfica-pill");
  if (line->writable)
    gtk_widget_add_css_class (pill, "ok");
  gtk_widget_set_valign (pill, GTK_ALIGN_CENTER);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), pill);
  return row;
}

static void
update_tree (PerficaBoardPage *self)
{
  GListModel *loops = perfica_board_get_loops (self->board);
  guint chosen = adw_combo_row_get_selected (ADW_COMBO_ROW (self->loop));
  g_autoptr (GStrvBuilder) folders = g_strv_builder_new ();
  g_autofree char *project = g_path_get_basename (perfica_board_get_folder (self->board));
  g_auto (GStrv) list = NULL;
  g_autoptr (GPtrArray) lines = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (loops); i++)
    {
      g_autoptr (PerficaLoop) loop = g_list_model_get_item (loops, i);

      g_strv_builder_add (folders, perfica_loop_get_folder (loop));
    }
  list = g_strv_builder_end (folders);

  perfica_rows_clear (self->tree, self->tree_rows);
  if (chosen >= g_strv_length (list))
    return;
  lines = perfica_folder_tree (project, list[chosen], (const char *const *) list);
  for (guint i = 0; i < lines->len; i++)
    perfica_rows_add (self->tree, self->tree_rows, tree_row (g_ptr_array_index (lines, i)));
}

static void
update_loops (PerficaBoardPage *self)
{
  GListModel *loops = perfica_board_get_loops (self->board);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint chosen = adw_combo_row_get_selected (ADW_COMBO_ROW (self->loop));

  for (guint i = 0; i < g_list_model_get_n_items (loops); i++)
    {
      g_autoptr (PerficaLoop) loop = g_list_model_get_item (loops, i);
      g_autofree char *name = perfica_escape_line (perfica_loop_get_name (loop), 200);

      gtk_string_list_append (names, name);
    }
  self->updating = TRUE;
  adw_combo_row_set_model (ADW_COMBO_ROW (self->loop), G_LIST_MODEL (names));
  if (chosen < g_list_model_get_n_items (loops))
    adw_combo_row_set_selected (ADW_COMBO_ROW (self->loop), chosen);
  self->updating = FALSE;
  update_tree (self);
}

static void
update_board (PerficaBoardPage *self)
{
  PerficaSandboxChoice choice = perfica_board_get_sandbox (self->board);
  g_autofree char *folder =
      perfica_folder_label (perfica_board_get_folder (self->board), g_get_home_dir ());

  self->updating = TRUE;
  gtk_switch_set_active (GTK_SWITCH (self->full_auto), perfica_board_get_full_auto (self->board));
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->sandbox), choice);
  adw_action_row_set_subtitle (
      ADW_ACTION_ROW (self->sandbox),
      perfica_board_get_sandbox_active (self->board)
          ? _ ("Now on: a command writes in its loop's folder only, and has no network")
          : _ ("Now off: an allowed command runs with your rights"));
  adw_combo_row_set_selected (ADW_COMBO_ROW (self->trees),
                              perfica_board_get_best_effort_tree (self->board) ? 1 : 0);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->folder), folder);
  self->updating = FALSE;
}

/* One question at a time, and its answer is for the board it was asked about, whatever is on show
 * by then. @heading: (transfer full) */
static void
ask (PerficaBoardPage *self,
     char *heading,
     const char *body,
     const char *accept,
     PerficaConfirmFunc callback)
{
  g_autofree char *owned = heading;

  if (self->asked != NULL)
    {
      update_board (self);
      return;
    }
  self->asked = g_object_ref (self->board);
  perfica_confirm_ask (GTK_WIDGET (self), owned, body, accept, callback, self);
}

static void
full_auto_confirmed (gboolean confirmed, gpointer owner)
{
  PerficaBoardPage *self = owner;
  g_autoptr (PerficaBoard) board = g_steal_pointer (&self->asked);

  if (confirmed && board != NULL)
    perfica_board_set_full_auto (board, TRUE);
  if (self->board != NULL)
    update_board (self);
}

static void
full_auto_changed (PerficaBoardPage *self)
{
  g_autofree char *name = NULL;
  gboolean on = gtk_switch_get_active (GTK_SWITCH (self->full_auto));

  if (self->updating || self->board == NULL || on == perfica_board_get_full_auto (self->board))
    return;
  if (!on)
    {
      perfica_board_set_full_auto (self->board, FALSE);
      return;
    }
  name = perfica_escape_line (perfica_board_get_name (self->board), 100);
  /* Translators: a board's name */
  ask (self, g_strdup_printf (_ ("Turn Full Auto on for %s?"), name),
       _ ("Commands on this board that would ask you run at once: commits and pushes, deleted "
          "files, inline code. What the guard refuses stays refused. Full Auto stays on until "
          "you turn it off."),
       _ ("Turn On"), full_auto_confirmed);
}

static void
sandbox_confirmed (gboolean confirmed, gpointer owner)
{
  PerficaBoardPage *self = owner;
  g_autoptr (PerficaBoard) board = g_steal_pointer (&self->asked);

  if (confirmed && board != NULL)
    perfica_board_set_sandbox (board, self->wanted);
  if (self->board != NULL)
    update_board (self);
}

static void
sandbox_changed (PerficaBoardPage *self)
{
  g_autofree char *name = NULL;
  PerficaSandboxChoice choice = adw_combo_row_get_selected (ADW_COMBO_ROW (self->sandbox));
  gboolean loosens;

  if (self->updating || self->board == NULL || choice == perfica_board_get_sandbox (self->board))
    return;
  loosens =
      perfica_board_get_sandbox_active (self->board) &&
      (choice == PERFICA_SANDBOX_OFF ||
       (choice == PERFICA_SANDBOX_DEFAULT && !perfica_gateway_get_sandbox_default (self->gateway)));
  if (!loosens)
    {
      perfica_board_set_sandbox (self->board, choice);
      return;
    }
  if (self->asked == NULL)
    self->wanted = choice;
  name = perfica_escape_line (perfica_board_get_name (self->board), 100);
  /* Translators: a board's name */
  ask (
      self, g_strdup_printf (_ ("Turn the sandbox off for %s?"), name),
      _ ("Commands that are allowed then run with your rights, and can reach the network and every "
         "file you can."),
      _ ("Turn Off"), sandbox_confirmed);
}

static void
trees_changed (PerficaBoardPage *self)
{
  gboolean best_effort = adw_combo_row_get_selected (ADW_COMBO_ROW (self->trees)) == 1;

  if (!self->updating && self->board != NULL &&
      best_effort != perfica_board_get_best_effort_tree (self->board))
    perfica_board_set_best_effort_tree (self->board, best_effort);
}

static void
loop_changed (PerficaBoardPage *self)
{
  if (!self->updating && self->board != NULL)
    update_tree (self);
}

static void
remove_clicked (PerficaBoardPage *self)
{
  g_signal_emit (self, remove_signal, 0);
}

static void
open_clicked (PerficaBoardPage *self)
{
  g_autofree char *uri = g_filename_to_uri (perfica_board_get_folder (self->board), NULL, NULL);

  if (uri != NULL)
    g_app_info_launch_default_for_uri_async (uri, NULL, NULL, NULL, NULL);
}

void
perfica_board_page_set_board (PerficaBoardPage *self, PerficaGateway *gateway, PerficaBoard *board)
{
  g_return_if_fail (PERFICA_IS_BOARD_PAGE (self));

  g_set_object (&self->gateway, gateway);
  if (!g_set_object (&self->board, board))
    return;
  g_signal_group_set_target (self->gateway_signals, gateway);
  g_signal_group_set_target (self->board_signals, board);
  g_signal_group_set_target (self->grants_signals,
                             board != NULL ? perfica_board_get_grants (board) : NULL);
  g_signal_group_set_target (self->loops_signals,
                             board != NULL ? perfica_board_get_loops (board) : NULL);
  if (board == NULL)
    return;
  update_board (self);
  update_grants (self);
  update_loops (self);
}

static void
perfica_board_page_dispose (GObject *object)
{
  PerficaBoardPage *self = PERFICA_BOARD_PAGE (object);

  g_clear_object (&self->asked);
  g_clear_object (&self->board_signals);
  g_clear_object (&self->grants_signals);
  g_clear_object (&self->loops_signals);
  g_clear_object (&self->gateway_signals);
  g_clear_pointer (&self->grant_rows, g_ptr_array_unref);
  g_clear_pointer (&self->tree_rows, g_ptr_array_unref);
  g_clear_object (&self->board);
  g_clear_object (&self->gateway);
  G_OBJECT_CLASS (perfica_board_page_parent_class)->dispose (object);
}

static void
perfica_board_page_class_init (PerficaBoardPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_board_page_dispose;
  remove_signal = g_signal_new ("remove", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-board-page.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardPage, full_auto);
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardPage, sandbox);
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardPage, trees);
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardPage, grants);
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardPage, tree);
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardPage, loop);
  gtk_widget_class_bind_template_child (widget_class, PerficaBoardPage, folder);
  gtk_widget_class_bind_template_callback (widget_class, full_auto_changed);
  gtk_widget_class_bind_template_callback (widget_class, sandbox_changed);
  gtk_widget_class_bind_template_callback (widget_class, trees_changed);
  gtk_widget_class_bind_template_callback (widget_class, loop_changed);
  gtk_widget_class_bind_template_callback (widget_class, remove_clicked);
  gtk_widget_class_bind_template_callback (widget_class, open_clicked);
}

static void
perfica_board_page_init (PerficaBoardPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->grant_rows = g_ptr_array_new ();
  self->tree_rows = g_ptr_array_new ();
  self->gateway_signals = g_signal_group_new (PERFICA_TYPE_GATEWAY);
  self->board_signals = g_signal_group_new (PERFICA_TYPE_BOARD);
  self->grants_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  self->loops_signals = g_signal_group_new (G_TYPE_LIST_MODEL);
  g_signal_group_connect_swapped (self->gateway_signals, "notify", G_CALLBACK (update_board), self);
  g_signal_group_connect_swapped (self->board_signals, "notify", G_CALLBACK (update_board), self);
  g_signal_group_connect_swapped (self->grants_signals, "items-changed", G_CALLBACK (update_grants),
                                  self);
  g_signal_group_connect_swapped (self->loops_signals, "items-changed", G_CALLBACK (update_loops),
                                  self);
}
