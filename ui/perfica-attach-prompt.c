/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-attach-prompt.h"

#include <glib/gi18n.h>

#include "perfica-closures.h"
#include "perfica-compat.h"
#include "perfica-escape.h"

struct _PerficaAttachPrompt
{
  PerficaAskWindow parent_instance;

  PerficaAttachment *attachment;
  GtkWidget *heading;
  GtkWidget *explanation;
  GtkWidget *program;
  GtkWidget *pid;
  GtkWidget *folder;
  PerficaAnswerButton *confirm;
};

enum
{
  ANSWERED,
  PUT_ASIDE,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (PerficaAttachPrompt, perfica_attach_prompt, PERFICA_TYPE_ASK_WINDOW)

static guint signals[N_SIGNALS];

static void
confirm_answered (PerficaAttachPrompt *self)
{
  perfica_attachment_confirm (self->attachment);
  g_signal_emit (self, signals[ANSWERED], 0);
}

static void
turn_away_clicked (PerficaAttachPrompt *self)
{
  perfica_attachment_turn_away (self->attachment);
  g_signal_emit (self, signals[ANSWERED], 0);
}

static gboolean
close_requested (PerficaAttachPrompt *self)
{
  g_signal_emit (self, signals[PUT_ASIDE], 0);
  return GDK_EVENT_STOP;
}

static void
perfica_attach_prompt_fell_asleep (PerficaAskWindow *window)
{
  perfica_answer_button_set_awake (PERFICA_ATTACH_PROMPT (window)->confirm, FALSE);
}

static void
perfica_attach_prompt_awoke (PerficaAskWindow *window)
{
  perfica_answer_button_set_awake (PERFICA_ATTACH_PROMPT (window)->confirm, TRUE);
}

static void
perfica_attach_prompt_dispose (GObject *object)
{
  g_clear_object (&PERFICA_ATTACH_PROMPT (object)->attachment);
  G_OBJECT_CLASS (perfica_attach_prompt_parent_class)->dispose (object);
}

static void
perfica_attach_prompt_class_init (PerficaAttachPromptClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  PerficaAskWindowClass *ask_class = PERFICA_ASK_WINDOW_CLASS (klass);

  g_type_ensure (PERFICA_TYPE_ANSWER_BUTTON);
  G_OBJECT_CLASS (klass)->dispose = perfica_attach_prompt_dispose;
  ask_class->fell_asleep = perfica_attach_prompt_fell_asleep;
  ask_class->awoke = perfica_attach_prompt_awoke;

  signals[ANSWERED] = g_signal_new ("answered", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PUT_ASIDE] = g_signal_new ("put-aside", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/perfica/Perfica/perfica-attach-prompt.ui");
  gtk_widget_class_bind_template_child (widget_class, PerficaAttachPrompt, heading);
  gtk_widget_class_bind_template_child (widget_class, PerficaAttachPrompt, explanation);
  gtk_widget_class_bind_template_child (widget_class, PerficaAttachPrompt, program);
  gtk_widget_class_bind_template_child (widget_class, PerficaAttachPrompt, pid);
  gtk_widget_class_bind_template_child (widget_class, PerficaAttachPrompt, folder);
  gtk_widget_class_bind_template_child (widget_class, PerficaAttachPrompt, confirm);
  gtk_widget_class_bind_template_callback (widget_class, confirm_answered);
  gtk_widget_class_bind_template_callback (widget_class, turn_away_clicked);
  gtk_widget_class_bind_template_callback (widget_class, close_requested);
}

static void
perfica_attach_prompt_init (PerficaAttachPrompt *self)
{
  perfica_ui_init ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

PerficaAttachPrompt *
perfica_attach_prompt_new (PerficaAttachment *attachment)
{
  PerficaAttachPrompt *self = g_object_new (PERFICA_TYPE_ATTACH_PROMPT, NULL);
  PerficaBubble *bubble = perfica_attachment_get_bubble (attachment);
  PerficaBoard *board = perfica_attachment_get_board (attachment);
  g_autofree char *name = perfica_escape_line (perfica_bubble_get_name (bubble), 200);
  g_autofree char *board_name = perfica_escape_line (perfica_board_get_name (board), 200);
  g_autofree char *program =
      perfica_escape_line (perfica_attachment_get_program (attachment), 4096);
  g_autofree char *folder = perfica_folder_label (perfica_attachment_get_folder (attachment) != NULL
                                                      ? perfica_attachment_get_folder (attachment)
                                                      : "",
                                                  g_get_home_dir ());
  g_autofree char *pid = g_strdup_printf ("%d", perfica_attachment_get_pid (attachment));
  g_autofree char *tools = perfica_tools_label (perfica_bubble_get_tools (bubble));
  g_autofree char *heading = g_strdup_printf (_ ("Let this agent act as %s?"), name);
  /* Translators: role, board, tools */
  g_autofree char *explanation =
      g_strdup_printf (_ ("As %s on %s it may: %s. What it asks for is still read by the guard."),
                       perfica_role_label (perfica_bubble_get_role (bubble)), board_name, tools);

  self->attachment = g_object_ref (attachment);
  gtk_window_set_title (GTK_WINDOW (self), heading);
  gtk_label_set_label (GTK_LABEL (self->heading), heading);
  gtk_label_set_label (GTK_LABEL (self->explanation), explanation);
  gtk_label_set_label (GTK_LABEL (self->program), program);
  gtk_label_set_label (GTK_LABEL (self->pid), pid);
  gtk_label_set_label (GTK_LABEL (self->folder), folder);
  return self;
}

PerficaAttachment *
perfica_attach_prompt_get_attachment (PerficaAttachPrompt *self)
{
  return self->attachment;
}

void
perfica_attach_prompt_open (PerficaAttachPrompt *self)
{
  perfica_ask_window_open (PERFICA_ASK_WINDOW (self), self->program);
  /* The focus selects all of a label. */
  gtk_label_select_region (GTK_LABEL (self->program), 0, 0);
}
