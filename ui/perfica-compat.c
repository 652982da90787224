/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-compat.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#ifdef GDK_WINDOWING_X11
#  include <gdk/x11/gdkx.h>
#endif

#define RESOURCES "/app/perfica/Perfica"

void
perfica_ui_init (void)
{
  static gboolean done = FALSE;
  GdkDisplay *display = gdk_display_get_default ();
  g_autoptr (GtkCssProvider) style = NULL;

  if (done || display == NULL)
    return;

  done = TRUE;
  style = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (style, RESOURCES "/style.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (display), RESOURCES "/icons");
}

static GtkWindow *
window_of (GtkWidget *widget)
{
  GtkRoot *root = widget != NULL ? gtk_widget_get_root (widget) : NULL;

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

typedef struct
{
  PerficaAlertFunc alert;
  PerficaFileFunc file;
  gpointer user_data;
} Call;

static void
alert_response (AdwMessageDialog *dialog, const char *response, gpointer data)
{
  Call *call = data;

  if (call->alert != NULL)
    call->alert (response, call->user_data);
}

static void
call_free (gpointer data, GClosure *closure)
{
  g_free (data);
}

void
perfica_alert (GtkWidget *parent,
               const char *heading,
               const char *body,
               const char *accept,
               gboolean destructive,
               PerficaAlertFunc callback,
               gpointer user_data)
{
  GtkWidget *widget = adw_message_dialog_new (window_of (parent), heading, body);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  Call *call = g_new0 (Call, 1);

  call->alert = callback;
  call->user_data = user_data;
  if (accept != NULL)
    {
      adw_message_dialog_add_response (dialog, "cancel", _ ("_Cancel"));
      adw_message_dialog_add_response (dialog, "accept", accept);
      adw_message_dialog_set_response_appearance (
          dialog, "accept", destructive ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_SUGGESTED);
    }
  else
    adw_message_dialog_add_response (dialog, "cancel", _ ("_Close"));
  adw_message_dialog_set_close_response (dialog, "cancel");
  adw_message_dialog_set_default_response (dialog, "cancel");
  g_signal_connect_data (dialog, "response", G_CALLBACK (alert_response), call, call_free, 0);
  gtk_window_present (GTK_WINDOW (widget));
}

static void
file_response (GtkNativeDialog *dialog, int response, gpointer data)
{
  Call *call = data;
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  gtk_native_dialog_hide (dialog);
  call->file (file, call->user_data);
  g_object_unref (dialog);
}

static void
choose (GtkFileChooserNative *native, PerficaFileFunc callback, gpointer user_data)
{
  Call *call = g_new0 (Call, 1);

  call->file = callback;
  call->user_data = user_data;
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (native), TRUE);
  g_signal_connect_data (native, "response", G_CALLBACK (file_response), call, call_free, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
}

void
perfica_choose_folder (GtkWidget *parent,
                       const char *title,
                       GFile *start,
                       PerficaFileFunc callback,
                       gpointer user_data)
{
  GtkFileChooserNative *native =
      gtk_file_chooser_native_new (title, window_of (parent), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                   _ ("_Open"), NULL);

  if (start != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (native), start, NULL);
  choose (native, callback, user_data);
}

void
perfica_choose_save (GtkWidget *parent,
                     const char *title,
                     const char *name,
                     PerficaFileFunc callback,
                     gpointer user_data)
{
  GtkFileChooserNative *native =
      gtk_file_chooser_native_new (title, window_of (parent), GTK_FILE_CHOOSER_ACTION_SAVE,
                                   _ ("_Save"), NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (native), name);
  choose (native, callback, user_data);
}

void
perfica_surface_keep_unfocused (GtkWindow *window)
{
#ifdef GDK_WINDOWING_X11
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));

  if (GDK_IS_X11_SURFACE (surface))
    gdk_x11_surface_set_user_time (surface, 0);
#endif
}

char *
perfica_terminal_dup_title (VteTerminal *terminal)
{
#if VTE_CHECK_VERSION(0, 78, 0)
  return vte_terminal_dup_termprop_string (terminal, VTE_TERMPROP_XTERM_TITLE, NULL);
#else
  return g_strdup (vte_terminal_get_window_title (terminal));
#endif
}

void
perfica_menu_button_name (GtkWidget *button, const char *name)
{
  GtkWidget *inside = gtk_widget_get_first_child (button);

  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (inside != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (inside), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                    -1);
}
