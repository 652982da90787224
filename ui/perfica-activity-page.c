/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-activity-page.h"

#include <glib/gi18n.h>

#include "perfica-activity-details.h"
#include "perfica-activity-row.h"
#include "perfica-compat.h"
#include "perfica-filter-popover.h"

struct _PerficaActivityPage
{
  AdwBin parent_instance;

  PerficaGateway *gateway;
  PerficaBoard *board;
  GListModel *model;
  GListModel *coming; /* looked for; what is on show stays until it is there */
  GtkNoSelection *selection;

  GtkWidget *toolbar;
  GtkWidget *line; /* the search, and on a narrow window the icons */
  GtkWidget *kinds;
  GtkWidget *icons;
  GtkWidget *search;
  GtkWidget *filter_all;
  GtkWidget *filter_asked;
  GtkWidget *filter_refused;
  GtkWidget *filter_failed;
  GtkWidget *filters;
  PerficaFilterPopover *popover;
  GtkWidget *stack;
  GtkWidget *list;
  GtkWidget *scroller;
  GtkWidget *empty;
  GtkWidget *connect;
};

enum
{
  RUN,
  TOAST,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (PerficaActivityPage, perfica_activity_page, ADW_TYPE_BIN)

static guint signals[N_SIGNALS];

static PerficaFilter
chosen_filter (PerficaActivityPage *self)
{
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->filter_asked)))
    return PERFICA_FILTER_ASKED;
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->filter_refused)))
    return PERFICA_FILTER_REFUSED;
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->filter_failed)))
    return PERFICA_FILTER_FAILED;
  return PERFICA_FILTER_ALL;
}

static const char *
search_text (PerficaActivityPage *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));

  return *text != '\0' ? text : NULL;
}

/* A list that shows its newest row goes on showing it. */
static gboolean
scroll_to_top (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  PerficaActivityPage *self = PERFICA_ACTIVITY_PAGE (widget);

  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), 0);
  return G_SOURCE_REMOVE;
}

static void
items_changed (PerficaActivityPage *self)
{
  gboolean filtered = search_text (self) != NULL || chosen_filter (self) != PERFICA_FILTER_ALL ||
                      perfica_filter_popover_is_active (self->popover);
  gboolean any = self->model != NULL && g_list_model_get_n_items (self->model) > 0;
  AdwStatusPage *empty = ADW_STATUS_PAGE (self->empty);
  GtkAdjustment *adjustment =
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), any ? "list" : "empty");
  if (any && gtk_adjustment_get_value (adjustment) < 8)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), scroll_to_top, NULL, NULL);
  gtk_widget_set_visible (self->connect, !filtered);
  adw_status_page_set_title (empty, filtered ? _ ("Nothing found") : _ ("Nothing yet"));
  adw_status_page_set_description (
      empty, filtered ? _ ("No entry fits the search and the filter.")
                      : _ ("What agents ask for on this board appears here as it happens."));
}

static void
drop_model (PerficaActivityPage *self, GListModel **model)
{
  if (*model != NULL)
    g_signal_handlers_disconnect_by_data (*model, self);
  g_clear_object (model);
}

/* What was looked for takes the place of what is on show. */
static void
adopt (PerficaActivityPage *self)
{
  if (self->coming != NULL && perfica_activity_list_is_loading (self->coming))
    return;
  drop_model (self, &self->model);
  self->model = g_steal_pointer (&self->coming);
  if (self->model != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->model, self);
      g_signal_connect_swapped (self->model, "items-changed", G_CALLBACK (items_changed), self);
    }
  gtk_no_selection_set_model (self->selection, self->model);
  items_changed (self);
}

static void
reload (PerficaActivityPage *self)
{
  PerficaActivityQuery query = { .search = search_text (self), .filter = chosen_filter (self) };

  drop_model (self, &self->coming);
  if (self->board != NULL)
    {
      query.board = perfica_board_get_id (self->board);
      query.bubble = perfica_filter_popover_get_bubble (self->popover);
      query.answer = perfica_filter_popover_get_answer (self->popover);
      query.exit = perfica_filter_popover_get_exit (self->popover);
      self->coming = perfica_activity_query (perfica_gateway_get_activity (self->gateway), &query);
      g_signal_connect_swapped (self->coming, "notify::loading", G_CALLBACK (adopt), self);
    }
  adopt (self);
}

static void
filters_changed (PerficaActivityPage *self)
{
  if (perfica_filter_popover_is_active (self->popover))
    gtk_widget_add_css_class (self->filters, "perfica-filtered");
  else
    gtk_widget_remove_css_class (self->filters, "perfica-filtered");
  reload (self);
}

static void
filter_toggled (PerficaActivityPage *self, GtkToggleButton *button)
{
  if (gtk_toggle_button_get_active (button))
    reload (self);
}

static void
row_run (PerficaActivityPage *self, PerficaEntry *entry)
{
  g_signal_emit (self, signals[RUN], 0, entry);
}

static void
entry_stop (PerficaActivityPage *self, PerficaEntry *entry)
{
  if (!perfica_gateway_stop_entry (self->gateway, entry))
    g_signal_emit (self, signals[TOAST], 0, _ ("It has ended already"));
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item, PerficaActivityPage *self)
{
  GtkWidget *row = perfica_activity_row_new ();

  g_signal_connect_swapped (row, "run", G_CALLBACK (row_run), self);
  g_signal_connect_swapped (row, "stop", G_CALLBACK (entry_stop), self);
  gtk_list_item_set_child (item, row);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item, PerficaActivityPage *self)
{
  perfica_activity_row_set_entry (PERFICA_ACTIVITY_ROW (gtk_list_item_get_child (item)),
                                  gtk_list_item_get_item (item));
}

static void
unbind_row (GtkSignalListItemFactory *factory, GtkListItem *item, PerficaActivityPage *self)
{
  perfica_activity_row_set_entry (PERFICA_ACTIVITY_ROW (gtk_list_item_get_child (item)), NULL);
}

static void
row_activated (PerficaActivityPage *self, guint position)
{
  g_autoptr (PerficaEntry) entry = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  PerficaActivityDetails *details;

  if (entry == NULL)
    return;
  details = perfica_activity_details_open (GTK_WIDGET (self), entry);
  g_signal_connect_object (details, "run", G_CALLBACK (row_run), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (details, "stop", G_CALLBACK (entry_stop), self, G_CONNECT_SWAPPED);
}

static void
exported (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PerficaActivityPage) self = data;
  g_autoptr (GError) error = NULL;

  if (perfica_activity_export_finish (PERFICA_ACTIVITY (source), result, &error))
    g_signal_emit (self, signals[TOAST], 0, _ ("Exported"));
  else
    perfica_alert (GTK_WIDGET (self), _ ("It could not be exported"), error->message, NULL, FALSE,
                   NULL, NULL);
}

static void
export_chosen (GFile *file, gpointer data)
{
  g_autoptr (PerficaActivityPage) self = data;

  if (file == NULL || self->board == NULL)
    return;
  perfica_activity_export_async (perfica_gateway_get_activity (self->gateway),
                                 perfica_board_get_id (self->board), file, exported,
                                 g_object_ref (self));
}

static void
export_clicked (PerficaActivityPage *self)
{
  perfica_choose_save (GTK_WIDGET (self), _ ("Export Activity"), "activity.jsonl", export_chosen,
                       g_object_ref (self));
}

void
perfica_activity_page_set_board (PerficaActivityPage *self,
                                 PerficaGateway *gateway,
                                 PerficaBoard *board)
{
  g_return_if_fail (PERFICA_IS_ACTIVITY_PAGE (self));

  g_set_object (&self->gateway, gateway);
  if (!g_set_object (&self->board, board))
    return;
  /* Another board's rows never stay on show. */
  drop_model (self, &self->model);
  gtk_no_selection_set_model (self->selection, NULL);
  perfica_filter_popover_set_bubbles (self->popover,
                                      board != NULL ? perfica_board_get_bubbles (board) : NULL);
  reload (self);
}

void
perfica_activity_page_set_narrow (PerficaActivityPage *self, gboolean narrow)
{
  GtkWidget *home = narrow ? self->line : self->toolbar;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->toolbar),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_box_set_homogeneous (GTK_BOX (self->kinds), narrow);
  if (narrow)
    gtk_widget_add_css_class (self->toolbar, "narrow");
  else
    gtk_widget_remove_css_class (self->toolbar, "narrow");
  if (gtk_widget_get_parent (self->icons) == home)
    return;
  g_object_ref (self->icons);
  gtk_box_remove (GTK_BOX (gtk_widget_get_parent (self->icons)), self->icons);
  gtk_box_append (GTK_BOX (home), self->icons);
  g_object_unref (self->icons);
}

void
perfica_activity_page_focus_search (PerficaActivityPage *self)
{
  gtk_widget_grab_focus (self->search);
}

static void
perfica_activity_page_dispose (GObject *object)
{
  PerficaActivityPage *self = PERFICA_ACTIVITY_PAGE (object);

  drop_model (self, &self->model);
  drop_model (self, &self->coming);
  g_clear_object (&self->selection);
  g_clear_object (&self->board);
  g_clear_object (&self->gateway);
  G_OBJECT_CLASS (perfica_activity_page_parent_class)->dispose (object);
}

static void
perfica_activity_page_class_init (PerficaActivityPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (PERFICA_TYPE_FILTER_POPOVER);
  G_OBJECT_CLASS (klass)->dispose = perfica_activity_page_dispose;
  signals[RUN] = g_signal_new ("run", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 1, PERFICA_TYPE_ENTRY);
  signals[TOAST] = g_signal_new ("toast", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-activity-page.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, toolbar);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, line);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, kinds);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, icons);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, search);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, filter_all);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, filter_asked);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, filter_refused);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, filter_failed);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, filters);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, popover);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, stack);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, list);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, scroller);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, empty);
  gtk_widget_class_bind_template_child (widget_class, PerficaActivityPage, connect);
  gtk_widget_class_bind_template_callback (widget_class, reload);
  gtk_widget_class_bind_template_callback (widget_class, filter_toggled);
  gtk_widget_class_bind_template_callback (widget_class, filters_changed);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
  gtk_widget_class_bind_template_callback (widget_class, export_clicked);
}

static void
perfica_activity_page_init (PerficaActivityPage *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  perfica_menu_button_name (self->filters, _ ("More filters"));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), self);
  gtk_list_view_set_factory (GTK_LIST_VIEW (self->list), factory);
  self->selection = gtk_no_selection_new (NULL);
  gtk_list_view_set_model (GTK_LIST_VIEW (self->list), GTK_SELECTION_MODEL (self->selection));
  items_changed (self);
}
