/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-prompter.h"

#include <glib/gi18n.h>

#include "perfica-attach-prompt.h"
#include "perfica-escape.h"
#include "perfica-waiting-window.h"

struct _PerficaPrompter
{
  GObject parent_instance;

  GtkWindow *window; /* weak */
  PerficaGateway *gateway;
  PerficaSettings *settings;
  PerficaPrompt *prompt;
  PerficaAttachPrompt *attach;
  PerficaWaitingWindow *overview;
  gboolean aside;            /* the person closed the question; it waits for "N waiting" */
  gboolean attach_aside;     /* likewise, for a client */
  PerficaAttachment *chosen; /* the person wants to see this one, even if it left */
  GHashTable *ids;           /* PerficaRequest -> its notification's id */
  guint next_id;
};

G_DEFINE_FINAL_TYPE (PerficaPrompter, perfica_prompter, G_TYPE_OBJECT)

static guint changed_signal;

static void update (PerficaPrompter *self);

static GListModel *
waiting (PerficaPrompter *self)
{
  return G_LIST_MODEL (perfica_gateway_get_approvals (self->gateway));
}

static GApplication *
application (PerficaPrompter *self)
{
  return self->window != NULL ? G_APPLICATION (gtk_window_get_application (self->window)) : NULL;
}

static guint
place_of (PerficaPrompter *self, PerficaRequest *request)
{
  GListModel *model = waiting (self);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (PerficaRequest) item = g_list_model_get_item (model, i);

      if (item == request)
        return i + 1;
    }
  return 0;
}

static gboolean
is_focused (PerficaPrompter *self)
{
  return (self->window != NULL && gtk_window_is_active (self->window)) ||
         (self->prompt != NULL && gtk_window_is_active (GTK_WINDOW (self->prompt)));
}

static void
close_prompt (PerficaPrompter *self)
{
  PerficaPrompt *prompt = g_steal_pointer (&self->prompt);

  if (prompt == NULL)
    return;
  g_signal_handlers_disconnect_by_data (prompt, self);
  gtk_window_destroy (GTK_WINDOW (prompt));
}

static void
close_attach (PerficaPrompter *self)
{
  PerficaAttachPrompt *attach = g_steal_pointer (&self->attach);

  if (attach == NULL)
    return;
  g_signal_handlers_disconnect_by_data (attach, self);
  gtk_window_destroy (GTK_WINDOW (attach));
}

static void
prompt_answered (PerficaPrompter *self)
{
  close_prompt (self);
  update (self);
}

static void
prompt_put_aside (PerficaPrompter *self)
{
  self->aside = TRUE;
  close_prompt (self);
}

static void
overview_show (PerficaPrompter *self, PerficaRequest *request)
{
  perfica_prompter_show (self, request);
}

static void
open_overview (PerficaPrompter *self)
{
  if (self->overview == NULL)
    {
      self->overview = perfica_waiting_window_new (self->gateway);
      g_object_add_weak_pointer (G_OBJECT (self->overview), (gpointer *) &self->overview);
      g_signal_connect_object (self->overview, "show-request", G_CALLBACK (overview_show), self,
                               G_CONNECT_SWAPPED);
      gtk_window_set_transient_for (GTK_WINDOW (self->overview), self->window);
    }
  gtk_window_present (GTK_WINDOW (self->overview));
}

static void
open_prompt (PerficaPrompter *self, PerficaRequest *request)
{
  self->prompt = perfica_prompt_new (self->gateway, request);
  gtk_window_set_transient_for (GTK_WINDOW (self->prompt), self->window);
  g_signal_connect_swapped (self->prompt, "answered", G_CALLBACK (prompt_answered), self);
  g_signal_connect_swapped (self->prompt, "put-aside", G_CALLBACK (prompt_put_aside), self);
  g_signal_connect_swapped (self->prompt, "overview", G_CALLBACK (open_overview), self);
  perfica_prompt_open (self->prompt);
}

static void
attach_answered (PerficaPrompter *self)
{
  close_attach (self);
  update (self);
}

static void
attach_put_aside (PerficaPrompter *self)
{
  self->attach_aside = TRUE;
  close_attach (self);
  update (self);
}

static gboolean
wants_confirmation (PerficaAttachment *attachment)
{
  return !perfica_attachment_get_confirmed (attachment) &&
         perfica_attachment_get_connected (attachment);
}

static gboolean
still_asks (PerficaPrompter *self, PerficaAttachment *attachment)
{
  GListModel *model = perfica_gateway_get_attachments (self->gateway);

  if (attachment != self->chosen || perfica_attachment_get_confirmed (attachment))
    return wants_confirmation (attachment);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (PerficaAttachment) item = g_list_model_get_item (model, i);

      if (item == attachment)
        return TRUE;
    }
  return FALSE;
}

static PerficaAttachment *
first_unconfirmed (PerficaPrompter *self)
{
  GListModel *model = perfica_gateway_get_attachments (self->gateway);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (PerficaAttachment) attachment = g_list_model_get_item (model, i);

      if (wants_confirmation (attachment))
        return g_steal_pointer (&attachment);
    }
  return NULL;
}

static void
open_attach (PerficaPrompter *self, PerficaAttachment *attachment)
{
  self->attach = perfica_attach_prompt_new (attachment);
  gtk_window_set_transient_for (GTK_WINDOW (self->attach), self->window);
  g_signal_connect_swapped (self->attach, "answered", G_CALLBACK (attach_answered), self);
  g_signal_connect_swapped (self->attach, "put-aside", G_CALLBACK (attach_put_aside), self);
  perfica_attach_prompt_open (self->attach);
}

/* What is on show stays until it is answered or gone; then the oldest follows. */
static void
update (PerficaPrompter *self)
{
  g_autoptr (PerficaRequest) first = g_list_model_get_item (waiting (self), 0);
  g_autoptr (PerficaAttachment) attachment = first_unconfirmed (self);
  gboolean open = self->window != NULL && gtk_widget_get_mapped (GTK_WIDGET (self->window));

  if (self->prompt != NULL &&
      (!open || place_of (self, perfica_prompt_get_request (self->prompt)) == 0))
    close_prompt (self);
  if (self->attach != NULL &&
      (!open || !still_asks (self, perfica_attach_prompt_get_attachment (self->attach))))
    close_attach (self);
  g_signal_emit (self, changed_signal, 0);
  if (!open)
    return;

  if (self->prompt == NULL && self->attach == NULL)
    {
      if (attachment != NULL && !self->attach_aside)
        open_attach (self, attachment);
      else if (first != NULL && !self->aside)
        open_prompt (self, first);
    }
  if (self->prompt != NULL)
    perfica_prompt_set_place (self->prompt,
                              place_of (self, perfica_prompt_get_request (self->prompt)),
                              g_list_model_get_n_items (waiting (self)));
}

static void
notify (PerficaPrompter *self, PerficaRequest *request)
{
  g_autofree char *id = g_strdup_printf ("waiting-%u", self->next_id++);
  g_autofree char *who =
      perfica_escape_line (perfica_bubble_get_name (perfica_request_get_bubble (request)), 100);
  g_autofree char *title = g_strdup_printf (_ ("%s asks to run"), who);
  g_autofree char *body = perfica_escape_line (perfica_request_get_command (request), 200);
  g_autoptr (GNotification) notification = g_notification_new (title);

  g_notification_set_body (notification, body);
  g_notification_set_priority (notification, G_NOTIFICATION_PRIORITY_HIGH);
  g_notification_set_default_action (notification, "app.review");
  g_notification_add_button (notification, _ ("Review"), "app.review");
  g_notification_add_button_with_target (notification, _ ("Deny"), "app.deny", "s", id);
  g_application_send_notification (application (self), id, notification);
  g_hash_table_insert (self->ids, g_object_ref (request), g_steal_pointer (&id));
}

static void
notify_new (PerficaPrompter *self, guint position, guint added)
{
  if (application (self) == NULL || is_focused (self) ||
      !perfica_settings_get_boolean (self->settings, "notifications"))
    return;
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (PerficaRequest) request = g_list_model_get_item (waiting (self), i);

      if (request != NULL)
        notify (self, request);
    }
}

static void
withdraw_old (PerficaPrompter *self)
{
  GHashTableIter iter;
  gpointer request, id;

  g_hash_table_iter_init (&iter, self->ids);
  while (g_hash_table_iter_next (&iter, &request, &id))
    {
      if (place_of (self, request) != 0)
        continue;
      if (application (self) != NULL)
        g_application_withdraw_notification (application (self), id);
      g_hash_table_iter_remove (&iter);
    }
}

static void
waiting_changed (PerficaPrompter *self, guint position, guint removed, guint added)
{
  if (added > 0)
    self->aside = FALSE;
  update (self);
  withdraw_old (self);
  notify_new (self, position, added);
}

static void
watch_attachments (PerficaPrompter *self, guint position, guint removed, guint added)
{
  GListModel *model = perfica_gateway_get_attachments (self->gateway);

  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (PerficaAttachment) attachment = g_list_model_get_item (model, i);

      g_signal_connect_object (attachment, "notify", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
    }
  if (added > 0)
    self->attach_aside = FALSE;
  update (self);
}

void
perfica_prompter_show (PerficaPrompter *self, PerficaRequest *request)
{
  g_return_if_fail (PERFICA_IS_PROMPTER (self));

  if (self->prompt != NULL && perfica_prompt_get_request (self->prompt) != request)
    close_prompt (self);
  self->aside = FALSE;
  if (self->prompt == NULL && self->attach == NULL && place_of (self, request) != 0)
    open_prompt (self, request);
  update (self);
  if (self->prompt != NULL)
    gtk_window_present (GTK_WINDOW (self->prompt));
}

void
perfica_prompter_show_attachment (PerficaPrompter *self, PerficaAttachment *attachment)
{
  g_return_if_fail (PERFICA_IS_PROMPTER (self));

  g_set_object (&self->chosen, attachment);
  if (!still_asks (self, attachment))
    return;
  if (self->attach != NULL && perfica_attach_prompt_get_attachment (self->attach) != attachment)
    close_attach (self);
  if (self->attach == NULL)
    {
      /* One question at a time; the command's comes back after this one. */
      close_prompt (self);
      open_attach (self, attachment);
    }
  gtk_window_present (GTK_WINDOW (self->attach));
}

guint
perfica_prompter_get_waiting (PerficaPrompter *self)
{
  GListModel *model = perfica_gateway_get_attachments (self->gateway);
  guint n = g_list_model_get_n_items (waiting (self));

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (PerficaAttachment) attachment = g_list_model_get_item (model, i);

      n += wants_confirmation (attachment);
    }
  return n;
}

void
perfica_prompter_review (PerficaPrompter *self)
{
  g_return_if_fail (PERFICA_IS_PROMPTER (self));

  self->aside = self->attach_aside = FALSE;
  update (self);
  if (self->attach != NULL)
    gtk_window_present (GTK_WINDOW (self->attach));
  else if (self->prompt != NULL)
    gtk_window_present (GTK_WINDOW (self->prompt));
}

PerficaPrompt *
perfica_prompter_get_prompt (PerficaPrompter *self)
{
  return self->prompt;
}

PerficaAttachment *
perfica_prompter_get_attachment (PerficaPrompter *self)
{
  return self->attach != NULL ? perfica_attach_prompt_get_attachment (self->attach) : NULL;
}

static void
review_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PerficaPrompter *self = data;

  if (self->window != NULL)
    gtk_window_present (self->window);
  perfica_prompter_review (self);
}

static void
deny_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PerficaPrompter *self = data;
  GHashTableIter iter;
  gpointer request, id;

  g_hash_table_iter_init (&iter, self->ids);
  while (g_hash_table_iter_next (&iter, &request, &id))
    if (g_str_equal (id, g_variant_get_string (parameter, NULL)))
      {
        g_autoptr (PerficaRequest) kept = g_object_ref (request);

        perfica_approvals_answer (perfica_gateway_get_approvals (self->gateway), kept,
                                  PERFICA_DECISION_DENY, NULL);
        return;
      }
}

static const GActionEntry actions[] = {
  { "review", review_activated, NULL, NULL, NULL, { 0 } },
  { "deny", deny_activated, "s", NULL, NULL, { 0 } },
};

static void
perfica_prompter_dispose (GObject *object)
{
  PerficaPrompter *self = PERFICA_PROMPTER (object);
  GApplication *app = application (self);

  for (gsize i = 0; app != NULL && i < G_N_ELEMENTS (actions); i++)
    g_action_map_remove_action (G_ACTION_MAP (app), actions[i].name);
  close_prompt (self);
  close_attach (self);
  if (self->overview != NULL)
    {
      g_object_remove_weak_pointer (G_OBJECT (self->overview), (gpointer *) &self->overview);
      gtk_window_destroy (GTK_WINDOW (g_steal_pointer (&self->overview)));
    }
  g_clear_weak_pointer (&self->window);
  g_clear_pointer (&self->ids, g_hash_table_unref);
  g_clear_object (&self->chosen);
  g_clear_object (&self->settings);
  g_clear_object (&self->gateway);
  G_OBJECT_CLASS (perfica_prompter_parent_class)->dispose (object);
}

static void
perfica_prompter_class_init (PerficaPrompterClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = perfica_prompter_dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
perfica_prompter_init (PerficaPrompter *self)
{
  self->ids = g_hash_table_new_full (NULL, NULL, g_object_unref, g_free);
}

PerficaPrompter *
perfica_prompter_new (GtkWindow *window, PerficaGateway *gateway, PerficaSettings *settings)
{
  PerficaPrompter *self = g_object_new (PERFICA_TYPE_PROMPTER, NULL);
  GListModel *attachments = perfica_gateway_get_attachments (gateway);

  g_set_weak_pointer (&self->window, window);
  self->gateway = g_object_ref (gateway);
  self->settings = g_object_ref (settings);
  g_signal_connect_object (window, "map", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (window, "unmap", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (waiting (self), "items-changed", G_CALLBACK (waiting_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (attachments, "items-changed", G_CALLBACK (watch_attachments), self,
                           G_CONNECT_SWAPPED);
  if (application (self) != NULL)
    g_action_map_add_action_entries (G_ACTION_MAP (application (self)), actions,
                                     G_N_ELEMENTS (actions), self);
  watch_attachments (self, 0, 0, g_list_model_get_n_items (attachments));
  return self;
}
