/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-window.h"

#include <glib/gi18n.h>

#include "perfica-activity-page.h"
#include "perfica-board-page.h"
#include "perfica-board-row.h"
#include "perfica-bubbles-page.h"
#include "perfica-closures.h"
#include "perfica-compat.h"
#include "perfica-dock.h"
#include "perfica-escape.h"
#include "perfica-prompter.h"
#include "perfica-settings.h"

/* Below this the list and the content take turns, in pixels. */
#define NARROW 720

struct _PerficaWindow
{
  AdwApplicationWindow parent_instance;

  PerficaGateway *gateway;
  PerficaBoard *board;
  PerficaBoard *doomed; /* the one that the question about removing is about */
  PerficaSettings *settings;
  PerficaPrompter *prompter;
  GSignalGroup *board_signals;
  gboolean narrow;
  gboolean content_shown; /* narrow: the board, not the list */
  gboolean closing;
  guint relayout;

  GtkWidget *toasts;
  GtkWidget *pages;
  GtkWidget *problem;
  GtkWidget *way_out;
  GtkWidget *paned;
  GtkWidget *sidebar;
  GtkWidget *sidebar_header;
  GtkWidget *boards;
  GtkWidget *content;
  GtkWidget *content_header;
  GtkWidget *back;
  GtkWidget *title;
  GtkWidget *sandbox_mark;
  GtkWidget *full_auto_mark;
  GtkWidget *waiting;
  GtkWidget *terminal;
  GtkWidget *welcome;
  GtkWidget *welcome_menu;
  GtkWidget *main_menu;
  GtkWidget *banner;
  GtkWidget *tabs;
  GtkWidget *tabs_bar;
  GtkWidget *split;
  GtkWidget *views;
  PerficaActivityPage *activity;
  PerficaBubblesPage *bubbles;
  AdwViewStackPage *bubbles_tab;
  PerficaBoardPage *board_page;
  PerficaDock *dock;
};

G_DEFINE_FINAL_TYPE (PerficaWindow, perfica_window, ADW_TYPE_APPLICATION_WINDOW)

static void
say (PerficaWindow *self, const char *text)
{
  AdwToast *toast = adw_toast_new ("");
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_toast_set_title (toast, escaped);
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (self->toasts), toast);
}

static void
update_marks (PerficaWindow *self)
{
  gboolean full_auto = self->board != NULL && perfica_board_get_full_auto (self->board);
  gboolean sandboxed = self->board != NULL && perfica_board_get_sandbox_active (self->board);
  g_autofree char *name = self->board != NULL
                              ? perfica_escape_line (perfica_board_get_name (self->board), 200)
                              : g_strdup (_ ("Perfica"));

  adw_window_title_set_title (ADW_WINDOW_TITLE (self->title), name);
  gtk_window_set_title (GTK_WINDOW (self), name);
  /* A narrow header has room for the name; the list of boards has the marks, the banner says the
   * rest. */
  gtk_widget_set_visible (self->full_auto_mark, full_auto && !self->narrow);
  gtk_widget_set_visible (self->sandbox_mark, sandboxed && !self->narrow);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->banner), full_auto);
}

static void
update_waiting (PerficaWindow *self)
{
  guint n = self->prompter != NULL ? perfica_prompter_get_waiting (self->prompter) : 0;
  g_autofree char *label = perfica_waiting_label (n);

  g_autofree char *number = g_strdup_printf ("%u", n);

  gtk_button_set_label (GTK_BUTTON (self->waiting), self->narrow ? number : label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->waiting), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
  gtk_widget_set_visible (self->waiting, n > 0);
}

static void
show_problem (PerficaWindow *self, const char *problem)
{
  gboolean record = perfica_gateway_is_record_broken (self->gateway);
  g_autofree char *shown = g_markup_escape_text (problem, -1);

  adw_status_page_set_title (ADW_STATUS_PAGE (self->problem),
                             record ? _ ("The record cannot be used")
                                    : _ ("The boards cannot be read"));
  adw_status_page_set_description (ADW_STATUS_PAGE (self->problem), shown);
  gtk_label_set_label (
      GTK_LABEL (self->way_out),
      record ? _ ("Nothing runs that cannot be recorded. You can mend the file and try again, or "
                  "begin an empty record.")
             : _ ("Until you have chosen, every command is refused. You can mend the file and try "
                  "again, or begin with no boards."));
}

static void
layout (PerficaWindow *self)
{
  gboolean list = !self->narrow || !self->content_shown || self->board == NULL;
  gboolean content = !self->narrow || !list;

  gtk_widget_set_visible (self->sidebar, list);
  gtk_widget_set_visible (self->content, content);
  gtk_widget_set_visible (self->back, self->narrow);
  gtk_widget_set_visible (self->tabs, !self->narrow);
  adw_view_switcher_bar_set_reveal (ADW_VIEW_SWITCHER_BAR (self->tabs_bar), self->narrow);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (self->sidebar_header), self->narrow);
  adw_header_bar_set_decoration_layout (ADW_HEADER_BAR (self->content_header),
                                        self->narrow ? ":close" : NULL);
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (self->content_header), self->narrow);
  perfica_activity_page_set_narrow (self->activity, self->narrow);
  update_marks (self);
  update_waiting (self);
}

static gboolean
relayout (gpointer data)
{
  PerficaWindow *self = data;

  self->relayout = 0;
  layout (self);
  return G_SOURCE_REMOVE;
}

static void
surface_layout (PerficaWindow *self, int width, int height)
{
  gboolean narrow = width < NARROW;

  if (narrow == self->narrow)
    return;
  self->narrow = narrow;
  /* Not in the middle of a layout. */
  if (self->relayout == 0)
    self->relayout = g_idle_add_full (G_PRIORITY_HIGH_IDLE, relayout, self, NULL);
}

static void
update_page (PerficaWindow *self)
{
  g_autofree char *problem = NULL;
  guint boards = g_list_model_get_n_items (perfica_gateway_get_boards (self->gateway));

  g_object_get (self->gateway, "store-problem", &problem, NULL);
  if (problem != NULL)
    show_problem (self, problem);
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), problem != NULL ? "problem"
                                                             : boards == 0   ? "welcome"
                                                                             : "boards");
}

static void
refresh_rows (PerficaWindow *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->boards), i)); i++)
    perfica_board_row_refresh (PERFICA_BOARD_ROW (row));
  update_marks (self);
}

static void
gateway_changed (PerficaWindow *self)
{
  update_page (self);
  refresh_rows (self);
}

static void
select_board (PerficaWindow *self, PerficaBoard *board)
{
  if (g_set_object (&self->board, board))
    {
      g_signal_group_set_target (self->board_signals, board);
      perfica_activity_page_set_board (self->activity, self->gateway, board);
      perfica_bubbles_page_set_board (self->bubbles, self->gateway, board);
      perfica_board_page_set_board (self->board_page, self->gateway, board);
      perfica_dock_set_folder (self->dock, board != NULL ? perfica_board_get_folder (board) : NULL);
    }
  layout (self);
}

static void
row_selected (PerficaWindow *self, GtkListBoxRow *row)
{
  if (row != NULL)
    select_board (self, perfica_board_row_get_board (PERFICA_BOARD_ROW (row)));
}

static void
row_activated (PerficaWindow *self, GtkListBoxRow *row)
{
  self->content_shown = TRUE;
  layout (self);
}

static void
back_clicked (PerficaWindow *self)
{
  self->content_shown = FALSE;
  layout (self);
}

static void
boards_changed (PerficaWindow *self)
{
  GListModel *boards = perfica_gateway_get_boards (self->gateway);
  GtkListBoxRow *chosen = NULL;
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->boards), i)); i++)
    if (perfica_board_row_get_board (PERFICA_BOARD_ROW (row)) == self->board)
      chosen = row;
  if (chosen == NULL)
    chosen = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->boards), 0);
  if (g_list_model_get_n_items (boards) == 0)
    select_board (self, NULL);
  else
    gtk_list_box_select_row (GTK_LIST_BOX (self->boards), chosen);
  update_page (self);
}

static GtkWidget *
create_row (gpointer item, gpointer data)
{
  return perfica_board_row_new (PERFICA_BOARD (item));
}

void
perfica_window_open_folder (PerficaWindow *self, GFile *folder)
{
  g_autoptr (GError) error = NULL;
  PerficaBoard *board;
  GtkListBoxRow *row;

  g_return_if_fail (PERFICA_IS_WINDOW (self));

  board = perfica_gateway_open_folder (self->gateway, folder, &error);
  if (board == NULL)
    {
      perfica_alert (GTK_WIDGET (self), _ ("This folder cannot be a board"),
                     error != NULL ? error->message : "", NULL, FALSE, NULL, NULL);
      return;
    }
  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->boards), i)); i++)
    if (perfica_board_row_get_board (PERFICA_BOARD_ROW (row)) == board)
      gtk_list_box_select_row (GTK_LIST_BOX (self->boards), row);
  self->content_shown = TRUE;
  layout (self);
}

static void
folder_chosen (GFile *file, gpointer data)
{
  g_autoptr (PerficaWindow) self = data;

  if (file != NULL)
    perfica_window_open_folder (self, file);
}

static void
open_folder (GtkWidget *widget, const char *action, GVariant *parameter)
{
  perfica_choose_folder (widget, _ ("Open a Project's Folder"), NULL, folder_chosen,
                         g_object_ref (widget));
}

static gboolean
folder_dropped (GtkDropTarget *target, const GValue *value, double x, double y, PerficaWindow *self)
{
  GdkFileList *list = g_value_get_boxed (value);
  g_autoptr (GSList) files = gdk_file_list_get_files (list);

  for (GSList *l = files; l != NULL; l = l->next)
    perfica_window_open_folder (self, l->data);
  return files != NULL;
}

/* The first time; afterwards the handle is where the person left it. */
static void
set_dock_height (PerficaWindow *self)
{
  int height = gtk_widget_get_height (self->content);
  int width;
  gboolean set;

  g_object_get (self->split, "position-set", &set, NULL);
  if (set)
    return;
  if (height == 0)
    gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  /* What is above the pages takes about so much. */
  height -= 110 + perfica_settings_get_int (self->settings, "dock-height");
  gtk_paned_set_position (GTK_PANED (self->split), MAX (height, 120));
}

static void
reveal_dock (PerficaWindow *self, gboolean shown)
{
  gtk_widget_set_visible (GTK_WIDGET (self->dock), shown);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->terminal), shown);
  g_object_set (self->settings, "dock-visible", shown, NULL);
  if (shown)
    set_dock_height (self);
}

static void
show_dock (PerficaWindow *self, gboolean shown)
{
  reveal_dock (self, shown);
  if (shown)
    perfica_dock_open (self->dock);
}

static void
terminal_toggled (PerficaWindow *self)
{
  gboolean shown = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->terminal));

  if (shown != gtk_widget_get_visible (GTK_WIDGET (self->dock)))
    show_dock (self, shown);
}

static void
toggle_terminal (GtkWidget *widget, const char *action, GVariant *parameter)
{
  PerficaWindow *self = PERFICA_WINDOW (widget);

  show_dock (self, !gtk_widget_get_visible (GTK_WIDGET (self->dock)));
}

static void
dock_closed (PerficaWindow *self)
{
  show_dock (self, FALSE);
}

static void
find (GtkWidget *widget, const char *action, GVariant *parameter)
{
  PerficaWindow *self = PERFICA_WINDOW (widget);

  adw_view_stack_set_visible_child_name (ADW_VIEW_STACK (self->views), "activity");
  perfica_activity_page_focus_search (self->activity);
}

static void
show_page (GtkWidget *widget, const char *action, GVariant *parameter)
{
  PerficaWindow *self = PERFICA_WINDOW (widget);

  if (self->board == NULL)
    return;
  self->content_shown = TRUE;
  layout (self);
  adw_view_stack_set_visible_child_name (ADW_VIEW_STACK (self->views),
                                         g_variant_get_string (parameter, NULL));
}

/* @parameter: how many boards further down the list */
static void
step_board (GtkWidget *widget, const char *action, GVariant *parameter)
{
  PerficaWindow *self = PERFICA_WINDOW (widget);
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->boards));
  int at = row != NULL ? gtk_list_box_row_get_index (row) + g_variant_get_int32 (parameter) : 0;

  row = at >= 0 ? gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->boards), at) : NULL;
  if (row != NULL)
    gtk_list_box_select_row (GTK_LIST_BOX (self->boards), row);
}

static void
review (GtkWidget *widget, const char *action, GVariant *parameter)
{
  perfica_prompter_review (PERFICA_WINDOW (widget)->prompter);
}

void
perfica_window_run_in_terminal (PerficaWindow *self, const char *command, const char *folder)
{
  g_return_if_fail (PERFICA_IS_WINDOW (self));

  self->content_shown = TRUE;
  layout (self);
  /* Its first tab starts where the command belongs, so no other is opened for it. */
  reveal_dock (self, TRUE);
  perfica_dock_run (self->dock, command, folder);
}

static void
entry_run (PerficaWindow *self, PerficaEntry *entry)
{
  const char *inside = perfica_entry_get_folder (entry);
  g_autofree char *folder = self->board == NULL
                                ? NULL
                                : g_canonicalize_filename (inside != NULL ? inside : ".",
                                                           perfica_board_get_folder (self->board));

  perfica_window_run_in_terminal (self, perfica_entry_get_command (entry), folder);
}

static void
loop_selected (PerficaWindow *self, const char *inside)
{
  g_autofree char *folder =
      g_canonicalize_filename (inside, perfica_board_get_folder (self->board));

  perfica_dock_set_folder (self->dock, folder);
  say (self, _ ("New terminals start in this loop's folder"));
}

static void
full_auto_off_clicked (PerficaWindow *self)
{
  if (self->board != NULL)
    perfica_board_set_full_auto (self->board, FALSE);
}

static void
waiting_clicked (PerficaWindow *self)
{
  perfica_prompter_review (self->prompter);
}

static void
review_attachment (PerficaWindow *self, PerficaAttachment *attachment)
{
  perfica_prompter_show_attachment (self->prompter, attachment);
}

static void
joining_changed (PerficaWindow *self)
{
  guint n = perfica_bubbles_page_get_joining (self->bubbles);

  adw_view_stack_page_set_badge_number (self->bubbles_tab, n);
  adw_view_stack_page_set_needs_attention (self->bubbles_tab, n > 0);
}

static void
removal_answered (const char *response, gpointer data)
{
  PerficaWindow *self = data;
  g_autoptr (PerficaBoard) doomed = g_steal_pointer (&self->doomed);

  if (g_strcmp0 (response, "accept") == 0 && doomed != NULL)
    perfica_gateway_remove_board (self->gateway, doomed);
}

static void
remove_board (PerficaWindow *self)
{
  g_autofree char *name = perfica_escape_line (perfica_board_get_name (self->board), 200);
  g_autofree char *heading = g_strdup_printf (_ ("Remove %s from the list?"), name);

  /* Another may be on show by the time of the answer: one that was handed over. */
  g_set_object (&self->doomed, self->board);

  perfica_alert (GTK_WIDGET (self), heading,
                 _ ("Its loops, bubbles and settings are forgotten, and its agents are turned "
                    "away. The project's files stay where they are."),
                 _ ("_Remove"), TRUE, removal_answered, self);
}

static void
afresh_answered (const char *response, gpointer data)
{
  PerficaWindow *self = data;

  if (g_strcmp0 (response, "accept") == 0)
    perfica_gateway_start_afresh (self->gateway);
}

static void
start_afresh_clicked (PerficaWindow *self)
{
  gboolean record = perfica_gateway_is_record_broken (self->gateway);

  perfica_alert (GTK_WIDGET (self),
                 record ? _ ("Start with an empty record?") : _ ("Start with no boards?"),
                 _ ("The file that cannot be read stays beside the new one."), _ ("_Start Afresh"),
                 TRUE, afresh_answered, self);
}

static void
try_again_clicked (PerficaWindow *self)
{
  perfica_gateway_read_again (self->gateway);
}

static void
close_answered (const char *response, gpointer data)
{
  PerficaWindow *self = data;

  if (g_strcmp0 (response, "accept") != 0)
    return;
  self->closing = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

static void
save_state (PerficaWindow *self)
{
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_object_set (self->settings, "window-maximized", gtk_window_is_maximized (GTK_WINDOW (self)),
                "window-width", MAX (width, 360), "window-height", MAX (height, 294), NULL);
  if (gtk_widget_get_visible (GTK_WIDGET (self->dock)))
    g_object_set (self->settings, "dock-height",
                  MAX (gtk_widget_get_height (GTK_WIDGET (self->dock)), 80), NULL);
}

static gboolean
perfica_window_close_request (GtkWindow *window)
{
  PerficaWindow *self = PERFICA_WINDOW (window);

  if (!self->closing && perfica_dock_is_busy (self->dock))
    {
      perfica_alert (GTK_WIDGET (self), _ ("Close the window?"),
                     _ ("A program still runs in the terminal; it would be ended."), _ ("_Close"),
                     TRUE, close_answered, self);
      return GDK_EVENT_STOP;
    }
  save_state (self);
  return GTK_WINDOW_CLASS (perfica_window_parent_class)->close_request (window);
}

static void
perfica_window_realize (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (perfica_window_parent_class)->realize (widget);
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (widget)), "layout",
                           G_CALLBACK (surface_layout), widget, G_CONNECT_SWAPPED);
}

static void
perfica_window_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (perfica_window_parent_class)->map (widget);
  g_object_set (PERFICA_WINDOW (widget)->gateway, "window-open", TRUE, NULL);
}

static void
perfica_window_unmap (GtkWidget *widget)
{
  g_object_set (PERFICA_WINDOW (widget)->gateway, "window-open", FALSE, NULL);
  GTK_WIDGET_CLASS (perfica_window_parent_class)->unmap (widget);
}

static void
perfica_window_dispose (GObject *object)
{
  PerficaWindow *self = PERFICA_WINDOW (object);

  g_clear_handle_id (&self->relayout, g_source_remove);
  if (self->gateway != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->gateway, self);
      g_signal_handlers_disconnect_by_data (perfica_gateway_get_boards (self->gateway), self);
    }
  g_clear_object (&self->prompter);
  g_clear_object (&self->board_signals);
  g_clear_object (&self->board);
  g_clear_object (&self->doomed);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (perfica_window_parent_class)->dispose (object);
}

static void
perfica_window_finalize (GObject *object)
{
  g_clear_object (&PERFICA_WINDOW (object)->gateway);
  G_OBJECT_CLASS (perfica_window_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, problem);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, way_out);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, paned);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, sidebar);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, sidebar_header);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, boards);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, content);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, content_header);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, back);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, title);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, sandbox_mark);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, full_auto_mark);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, waiting);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, terminal);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, welcome);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, welcome_menu);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, main_menu);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, banner);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, tabs);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, tabs_bar);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, split);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, views);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, activity);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, bubbles);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, bubbles_tab);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, board_page);
  gtk_widget_class_bind_template_child (widget_class, PerficaWindow, dock);
  gtk_widget_class_bind_template_callback (widget_class, row_selected);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
  gtk_widget_class_bind_template_callback (widget_class, back_clicked);
  gtk_widget_class_bind_template_callback (widget_class, terminal_toggled);
  gtk_widget_class_bind_template_callback (widget_class, dock_closed);
  gtk_widget_class_bind_template_callback (widget_class, entry_run);
  gtk_widget_class_bind_template_callback (widget_class, loop_selected);
  gtk_widget_class_bind_template_callback (widget_class, full_auto_off_clicked);
  gtk_widget_class_bind_template_callback (widget_class, waiting_clicked);
  gtk_widget_class_bind_template_callback (widget_class, review_attachment);
  gtk_widget_class_bind_template_callback (widget_class, joining_changed);
  gtk_widget_class_bind_template_callback (widget_class, remove_board);
  gtk_widget_class_bind_template_callback (widget_class, start_afresh_clicked);
  gtk_widget_class_bind_template_callback (widget_class, try_again_clicked);
  gtk_widget_class_bind_template_callback (widget_class, say);
}

static void
perfica_window_class_init (PerficaWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = perfica_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = perfica_window_finalize;
  widget_class->realize = perfica_window_realize;
  widget_class->map = perfica_window_map;
  widget_class->unmap = perfica_window_unmap;
  GTK_WINDOW_CLASS (klass)->close_request = perfica_window_close_request;

  g_type_ensure (PERFICA_TYPE_ACTIVITY_PAGE);
  g_type_ensure (PERFICA_TYPE_BUBBLES_PAGE);
  g_type_ensure (PERFICA_TYPE_BOARD_PAGE);
  g_type_ensure (PERFICA_TYPE_DOCK);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-window.ui");
  bind_children (widget_class);

  gtk_widget_class_install_action (widget_class, "win.open-folder", NULL, open_folder);
  gtk_widget_class_install_action (widget_class, "win.terminal", NULL, toggle_terminal);
  gtk_widget_class_install_action (widget_class, "win.find", NULL, find);
  gtk_widget_class_install_action (widget_class, "win.page", "s", show_page);
  gtk_widget_class_install_action (widget_class, "win.board", "i", step_board);
  gtk_widget_class_install_action (widget_class, "win.review", NULL, review);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_o, GDK_CONTROL_MASK, "win.open-folder",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_f, GDK_CONTROL_MASK, "win.find", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1, GDK_ALT_MASK, "win.page", "s",
                                       "activity");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_2, GDK_ALT_MASK, "win.page", "s",
                                       "bubbles");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_3, GDK_ALT_MASK, "win.page", "s",
                                       "settings");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Up, GDK_ALT_MASK, "win.board",
                                       "i", -1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Down, GDK_ALT_MASK, "win.board",
                                       "i", 1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_r, GDK_CONTROL_MASK, "win.review",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_w, GDK_CONTROL_MASK, "window.close",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_comma, GDK_CONTROL_MASK,
                                       "app.settings", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_q, GDK_CONTROL_MASK, "app.quit", NULL);
}

/* The terminal takes every key that reaches it, so this one is taken before. */
static void
add_terminal_shortcut (PerficaWindow *self)
{
  GtkEventController *shortcuts = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (shortcuts, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (shortcuts),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_grave,
                                                                                  GDK_CONTROL_MASK),
                                                          gtk_named_action_new ("win.terminal")));
  gtk_widget_add_controller (GTK_WIDGET (self), shortcuts);
}

static void
perfica_window_init (PerficaWindow *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  perfica_ui_init ();
  self->settings = perfica_settings_new ();
  self->board_signals = g_signal_group_new (PERFICA_TYPE_BOARD);
  g_signal_group_connect_swapped (self->board_signals, "notify", G_CALLBACK (update_marks), self);
  gtk_widget_init_template (GTK_WIDGET (self));
  perfica_menu_button_name (self->welcome_menu, _ ("Main Menu"));
  perfica_menu_button_name (self->main_menu, _ ("Main Menu"));

  g_signal_connect (drop, "drop", G_CALLBACK (folder_dropped), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
  add_terminal_shortcut (self);
  perfica_dock_set_settings (self->dock, self->settings);
  gtk_window_set_default_size (GTK_WINDOW (self),
                               perfica_settings_get_int (self->settings, "window-width"),
                               perfica_settings_get_int (self->settings, "window-height"));
  if (perfica_settings_get_boolean (self->settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  gtk_widget_set_size_request (GTK_WIDGET (self->dock), -1, 120);
}

static void
add_help (PerficaWindow *self)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/app/perfica/Perfica/perfica-shortcuts.ui");

  gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (self),
                                           GTK_SHORTCUTS_WINDOW (
                                               gtk_builder_get_object (builder, "shortcuts")));
}

PerficaWindow *
perfica_window_new (GtkApplication *app, PerficaGateway *gateway)
{
  PerficaWindow *self = g_object_new (PERFICA_TYPE_WINDOW, "application", app, NULL);
  GListModel *boards = perfica_gateway_get_boards (gateway);

  self->gateway = g_object_ref (gateway);
  self->prompter = perfica_prompter_new (GTK_WINDOW (self), gateway, self->settings);
  add_help (self);
  gtk_list_box_bind_model (GTK_LIST_BOX (self->boards), boards, create_row, NULL, NULL);
  g_signal_connect_swapped (boards, "items-changed", G_CALLBACK (boards_changed), self);
  g_signal_connect_object (self->prompter, "changed", G_CALLBACK (update_waiting), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (gateway, "notify", G_CALLBACK (gateway_changed), self);
  g_signal_connect_swapped (gateway, "notice", G_CALLBACK (say), self);
  boards_changed (self);
  update_waiting (self);
  show_dock (self, perfica_settings_get_boolean (self->settings, "dock-visible"));
  layout (self);
  return self;
}

void
perfica_about_show (GtkWindow *parent)
{
  const char *authors[] = { _ ("The Perfica authors"), NULL };

  gtk_show_about_dialog (parent, "program-name", "Perfica", "version", PERFICA_VERSION,
                         "logo-icon-name", "app.perfica.Perfica", "license-type",
                         GTK_LICENSE_GPL_3_0, "authors", authors, "comments",
                         _ ("Stands between coding agents and your computer"), NULL);
}
