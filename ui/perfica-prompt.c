/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-prompt.h"

#include <glib/gi18n.h>
#include <string.h>

#include "perfica-closures.h"
#include "perfica-command-view.h"
#include "perfica-compat.h"

struct _PerficaPrompt
{
  PerficaAskWindow parent_instance;

  PerficaGateway *gateway;
  PerficaRequest *request;
  guint tick;
  gint64 paused_at; /* what was left when the clock was paused, in µs */
  gboolean paused;
  gboolean rested; /* the second has passed */
  gboolean answered;

  GtkWidget *title;
  GtkWidget *place;
  GtkWidget *clock;
  GtkWidget *countdown;
  GtkWidget *clock_note;
  GtkWidget *why;
  GtkWidget *command_box;
  PerficaCommandView *command;
  GtkWidget *canonical_label;
  PerficaCommandView *canonical;
  GtkWidget *end_note;
  GtkWidget *who;
  GtkWidget *folder;
  GtkWidget *sandbox;
  GtkWidget *remember;
  GtkWidget *message;
  GtkWidget *deny;
  PerficaAnswerButton *always;
  PerficaAnswerButton *once;
};

enum
{
  ANSWERED,
  PUT_ASIDE,
  OVERVIEW,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (PerficaPrompt, perfica_prompt, PERFICA_TYPE_ASK_WINDOW)

static guint signals[N_SIGNALS];

static PerficaApprovals *
approvals (PerficaPrompt *self)
{
  return perfica_gateway_get_approvals (self->gateway);
}

static void
update_awake (PerficaPrompt *self)
{
  gboolean seen = perfica_command_view_get_end_seen (self->command) &&
                  (!gtk_widget_get_visible (GTK_WIDGET (self->canonical)) ||
                   perfica_command_view_get_end_seen (self->canonical));
  gboolean awake = self->rested && seen && !self->answered;

  perfica_answer_button_set_awake (self->once, awake);
  perfica_answer_button_set_awake (self->always, awake);
  gtk_widget_set_visible (self->end_note, self->rested && !seen);
}

static void
update_clock (PerficaPrompt *self)
{
  gint64 deadline = perfica_request_get_deadline (self->request);
  gint64 whole = (gint64) perfica_gateway_get_prompt_seconds (self->gateway) * G_USEC_PER_SEC;
  gint64 left = self->paused ? self->paused_at : deadline - g_get_monotonic_time ();
  g_autofree char *text = NULL;
  gboolean limited = self->paused ? self->paused_at > 0 : deadline > 0;

  gtk_widget_set_visible (self->clock, limited);
  gtk_widget_set_visible (self->countdown, limited);
  if (!limited)
    return;

  left = MAX (left, 0);
  whole = MAX (whole, left);
  text = perfica_countdown_label ((left + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC);
  gtk_label_set_label (GTK_LABEL (self->countdown), text);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->clock),
                                 whole > 0 ? (double) left / whole : 0);
  if (left < 10 * G_USEC_PER_SEC)
    gtk_widget_add_css_class (self->clock, "ending");
  else
    gtk_widget_remove_css_class (self->clock, "ending");
}

static void
show_going_on (PerficaPrompt *self)
{
  self->paused = FALSE;
  gtk_label_set_label (GTK_LABEL (self->clock_note), _ ("The clock goes on; it pauses only once"));
}

static gboolean
tick (gpointer data)
{
  PerficaPrompt *self = data;

  /* The gateway lets no pause last for ever. */
  if (self->paused && perfica_request_get_deadline (self->request) > 0)
    show_going_on (self);
  update_clock (self);
  return G_SOURCE_CONTINUE;
}

static void
perfica_prompt_fell_asleep (PerficaAskWindow *window)
{
  PerficaPrompt *self = PERFICA_PROMPT (window);

  self->rested = FALSE;
  perfica_approvals_set_shown (approvals (self), self->request, TRUE);
  update_awake (self);
}

static void
perfica_prompt_awoke (PerficaAskWindow *window)
{
  PerficaPrompt *self = PERFICA_PROMPT (window);

  self->rested = TRUE;
  update_awake (self);
}

static void
perfica_prompt_touched (PerficaAskWindow *window)
{
  PerficaPrompt *self = PERFICA_PROMPT (window);
  gint64 left = perfica_request_get_deadline (self->request) - g_get_monotonic_time ();

  if (self->answered || self->paused || left <= 0 ||
      !perfica_approvals_pause (approvals (self), self->request))
    return;
  self->paused = TRUE;
  self->paused_at = left;
  gtk_label_set_label (GTK_LABEL (self->clock_note), _ ("The clock is paused while you look"));
  gtk_widget_set_visible (self->clock_note, TRUE);
  update_clock (self);
}

static void
perfica_prompt_left (PerficaAskWindow *window)
{
  PerficaPrompt *self = PERFICA_PROMPT (window);

  if (!self->paused || self->answered)
    return;
  perfica_approvals_resume (approvals (self), self->request);
  show_going_on (self);
  update_clock (self);
}

static void
give (PerficaPrompt *self, PerficaDecision decision, const char *message)
{
  if (self->answered)
    return;
  if (!perfica_approvals_answer (approvals (self), self->request, decision, message))
    {
      gtk_label_set_label (GTK_LABEL (self->end_note),
                           _ ("That answer came too soon to count. Look again."));
      gtk_widget_set_visible (self->end_note, TRUE);
      return;
    }
  self->answered = TRUE;
  update_awake (self);
  gtk_widget_set_sensitive (self->deny, FALSE);
  g_signal_emit (self, signals[ANSWERED], 0);
}

static void
once_answered (PerficaPrompt *self)
{
  give (self, PERFICA_DECISION_ALLOW_ONCE, NULL);
}

static void
always_answered (PerficaPrompt *self)
{
  give (self, PERFICA_DECISION_ALLOW_ALWAYS, NULL);
}

static void
deny_clicked (PerficaPrompt *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->message));

  give (self, PERFICA_DECISION_DENY, *text != '\0' ? text : NULL);
}

static void
place_clicked (PerficaPrompt *self)
{
  g_signal_emit (self, signals[OVERVIEW], 0);
}

static gboolean
close_requested (PerficaPrompt *self)
{
  g_signal_emit (self, signals[PUT_ASIDE], 0);
  return GDK_EVENT_STOP;
}

static GArray *
marks_of (const GuardVerdict *verdict)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (PerficaSpan));

  for (guint i = 0; verdict != NULL && i < verdict->findings->len; i++)
    {
      const GuardFinding *finding = g_ptr_array_index (verdict->findings, i);
      PerficaSpan span = { finding->start, finding->end };

      if (finding->answer == GUARD_ANSWER_ASK)
        g_array_append_val (marks, span);
    }
  return marks;
}

static char *
why_of (const GuardVerdict *verdict)
{
  g_autoptr (GString) why = g_string_new (NULL);

  for (guint i = 0; verdict != NULL && i < verdict->findings->len; i++)
    {
      const GuardFinding *finding = g_ptr_array_index (verdict->findings, i);
      g_autofree char *text = guard_finding_text (finding, _ (finding->message));
      g_autofree char *line = perfica_escape_line (text, 1000);

      if (finding->answer != GUARD_ANSWER_ASK || strstr (why->str, line) != NULL)
        continue;
      g_string_append_printf (why, "%s%s", why->len > 0 ? "\n" : "", line);
    }
  if (why->len == 0)
    g_string_append (why, _ ("It needs your say."));
  return g_string_free (g_steal_pointer (&why), FALSE);
}

/* Whether the canonical form says the same to a person's eye: plain words, only quoted. */
static gboolean
reads_the_same (const char *command, const char *canonical)
{
  g_autofree char *bare = g_strdup (canonical);
  char *out = bare;

  for (const char *p = command; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr (" _./=:@%+,-", *p) == NULL)
      return g_strcmp0 (command, canonical) == 0;
  for (const char *p = bare; *p != '\0'; p++)
    if (*p != '\'')
      *out++ = *p;
  *out = '\0';
  return g_strcmp0 (command, bare) == 0;
}

/* The spans rest on the text as it came, the canonical form is what runs: both are shown where
 * they differ. */
static void
show_command (PerficaPrompt *self)
{
  const GuardVerdict *verdict = perfica_request_get_verdict (self->request);
  const char *command = perfica_request_get_command (self->request);
  const char *canonical = verdict != NULL ? verdict->canonical : NULL;
  gboolean both = canonical != NULL && !reads_the_same (command, canonical);
  g_autoptr (GArray) marks = marks_of (verdict);

  perfica_command_view_set_command (self->command, command, marks);
  gtk_widget_set_visible (self->canonical_label, both);
  gtk_widget_set_visible (GTK_WIDGET (self->canonical), both);
  if (!both)
    return;
  perfica_command_view_set_max_height (self->command, 150);
  perfica_command_view_set_max_height (self->canonical, 150);
  perfica_command_view_set_command (self->canonical, canonical, NULL);
}

static void
show_request (PerficaPrompt *self)
{
  PerficaBubble *bubble = perfica_request_get_bubble (self->request);
  PerficaBoard *board = perfica_request_get_board (self->request);
  PerficaLoop *loop = perfica_bubble_get_loop (bubble);
  gboolean sandboxed = perfica_request_get_sandboxed (self->request);
  g_autofree char *why = why_of (perfica_request_get_verdict (self->request));
  g_autofree char *kinds = perfica_request_dup_kinds (self->request);
  g_autofree char *bubble_name = perfica_escape_line (perfica_bubble_get_name (bubble), 200);
  g_autofree char *board_name = perfica_escape_line (perfica_board_get_name (board), 200);
  g_autofree char *loop_name = perfica_escape_line (perfica_loop_get_name (loop), 200);
  g_autofree char *kinds_shown = perfica_escape_line (kinds, 500);
  g_autofree char *folder =
      perfica_folder_label (perfica_board_get_folder (board), g_get_home_dir ());
  g_autofree char *inside = perfica_escape_line (perfica_request_get_folder (self->request), 4096);
  g_autofree char *where = g_strcmp0 (inside, ".") == 0 || *inside == '\0'
                               ? g_strdup (folder)
                               : g_strconcat (folder, "/", inside, NULL);
  /* Translators: bubble, role, board, loop */
  g_autofree char *who = g_strdup_printf (_ ("%s (%s) on %s, loop %s"), bubble_name,
                                          perfica_role_label (perfica_bubble_get_role (bubble)),
                                          board_name, loop_name);
  g_autofree char *title = g_strdup_printf (_ ("%s asks to run"), bubble_name);
  g_autofree char *remember =
      g_strdup_printf (_ ("“Always” remembers: %s, on this board, until the gateway restarts"),
                       kinds_shown);

  gtk_window_set_title (GTK_WINDOW (self), title);
  gtk_label_set_label (GTK_LABEL (self->title), title);
  gtk_label_set_label (GTK_LABEL (self->why), why);
  gtk_label_set_label (GTK_LABEL (self->who), who);
  gtk_label_set_label (GTK_LABEL (self->folder), where);
  gtk_label_set_label (GTK_LABEL (self->sandbox),
                       sandboxed ? _ ("Inside the sandbox: it can write in the loop's folder, "
                                      "and has no network")
                                 : _ ("Outside the sandbox: it runs with your rights"));
  gtk_label_set_label (GTK_LABEL (self->remember), remember);
  gtk_widget_set_visible (self->remember, *kinds_shown != '\0');
  gtk_widget_set_visible (GTK_WIDGET (self->always), *kinds_shown != '\0');
  show_command (self);
}

static void
message_activated (PerficaPrompt *self)
{
  gtk_widget_grab_focus (self->deny);
}

static void
perfica_prompt_dispose (GObject *object)
{
  PerficaPrompt *self = PERFICA_PROMPT (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->gateway != NULL && self->request != NULL)
    perfica_approvals_set_shown (approvals (self), self->request, FALSE);
  g_clear_object (&self->request);
  g_clear_object (&self->gateway);
  G_OBJECT_CLASS (perfica_prompt_parent_class)->dispose (object);
}

static void
perfica_prompt_unmap (GtkWidget *widget)
{
  PerficaPrompt *self = PERFICA_PROMPT (widget);

  perfica_prompt_left (PERFICA_ASK_WINDOW (self));
  self->rested = FALSE;
  update_awake (self);
  if (self->gateway != NULL)
    perfica_approvals_set_shown (approvals (self), self->request, FALSE);
  GTK_WIDGET_CLASS (perfica_prompt_parent_class)->unmap (widget);
}

static void
perfica_prompt_class_init (PerficaPromptClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  PerficaAskWindowClass *ask_class = PERFICA_ASK_WINDOW_CLASS (klass);

  g_type_ensure (PERFICA_TYPE_ANSWER_BUTTON);
  G_OBJECT_CLASS (klass)->dispose = perfica_prompt_dispose;
  widget_class->unmap = perfica_prompt_unmap;
  ask_class->fell_asleep = perfica_prompt_fell_asleep;
  ask_class->awoke = perfica_prompt_awoke;
  ask_class->touched = perfica_prompt_touched;
  ask_class->left = perfica_prompt_left;

  signals[ANSWERED] = g_signal_new ("answered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PUT_ASIDE] = g_signal_new ("put-aside", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[OVERVIEW] = g_signal_new ("overview", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-prompt.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, title);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, place);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, clock);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, countdown);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, clock_note);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, why);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, command_box);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, end_note);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, who);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, folder);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, sandbox);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, remember);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, message);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, deny);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, always);
  gtk_widget_class_bind_template_child (widget_class, PerficaPrompt, once);
  gtk_widget_class_bind_template_callback (widget_class, once_answered);
  gtk_widget_class_bind_template_callback (widget_class, always_answered);
  gtk_widget_class_bind_template_callback (widget_class, deny_clicked);
  gtk_widget_class_bind_template_callback (widget_class, place_clicked);
  gtk_widget_class_bind_template_callback (widget_class, close_requested);
  gtk_widget_class_bind_template_callback (widget_class, message_activated);
}

static void
perfica_prompt_init (PerficaPrompt *self)
{
  perfica_ui_init ();
  gtk_widget_init_template (GTK_WIDGET (self));
  self->command = PERFICA_COMMAND_VIEW (perfica_command_view_new ());
  self->canonical = PERFICA_COMMAND_VIEW (perfica_command_view_new ());
  self->canonical_label = gtk_label_new (_ ("Read by the guard, and run, as"));
  gtk_widget_set_halign (self->canonical_label, GTK_ALIGN_START);
  gtk_widget_add_css_class (self->canonical_label, "dim-label");
  gtk_box_append (GTK_BOX (self->command_box), GTK_WIDGET (self->command));
  gtk_box_append (GTK_BOX (self->command_box), self->canonical_label);
  gtk_box_append (GTK_BOX (self->command_box), GTK_WIDGET (self->canonical));
  g_signal_connect_swapped (self->command, "notify::end-seen", G_CALLBACK (update_awake), self);
  g_signal_connect_swapped (self->canonical, "notify::end-seen", G_CALLBACK (update_awake), self);
}

PerficaPrompt *
perfica_prompt_new (PerficaGateway *gateway, PerficaRequest *request)
{
  PerficaPrompt *self = g_object_new (PERFICA_TYPE_PROMPT, NULL);

  self->gateway = g_object_ref (gateway);
  self->request = g_object_ref (request);
  show_request (self);
  update_clock (self);
  self->tick = g_timeout_add (250, tick, self);
  return self;
}

PerficaRequest *
perfica_prompt_get_request (PerficaPrompt *self)
{
  return self->request;
}

void
perfica_prompt_set_place (PerficaPrompt *self, guint place, guint total)
{
  /* Translators: "1 of 3" commands that wait */
  g_autofree char *label = g_strdup_printf (_ ("%u of %u"), place, total);

  gtk_button_set_label (GTK_BUTTON (self->place), label);
  gtk_widget_set_visible (self->place, total > 1);
}

void
perfica_prompt_open (PerficaPrompt *self)
{
  perfica_ask_window_open (PERFICA_ASK_WINDOW (self),
                           perfica_command_view_get_text_widget (self->command));
}
