/* The text of boards.json, version 1.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-store-json.h"

#include <glib/gi18n-lib.h>
#include <limits.h>

#include "perfica-board-folder.h"
#include "perfica-board-private.h"
#include "perfica-error.h"
#include "perfica-json.h"
#include "sandbox-docker.h"

static const char *const sandbox_choices[] = {
  [PERFICA_SANDBOX_DEFAULT] = "default",
  [PERFICA_SANDBOX_ON] = "on",
  [PERFICA_SANDBOX_OFF] = "off",
};

static const struct
{
  PerficaTools tool;
  const char *name;
} tool_names[] = {
  { PERFICA_TOOL_READ, "read" },
  { PERFICA_TOOL_WRITE, "write" },
  { PERFICA_TOOL_RUN, "run" },
};

void
perfica_settings_init (PerficaSettings *settings)
{
  settings->sandbox = FALSE;
  settings->backend = sandbox_backends ()[0];
  settings->prompt_seconds = PERFICA_PROMPT_SECONDS;
  settings->visible = g_new0 (char *, 1);
  settings->image = NULL;
  settings->image_digest = NULL;
}

void
perfica_settings_clear (PerficaSettings *settings)
{
  g_clear_pointer (&settings->visible, g_strfreev);
  g_clear_pointer (&settings->image, g_free);
  g_clear_pointer (&settings->image_digest, g_free);
}

static gboolean
wrong (GError **error, const char *what)
{
  g_set_error (error, PERFICA_ERROR, PERFICA_ERROR_STORE,
               _ ("The settings of the boards can't be read (%s)."), what);
  return FALSE;
}

static gboolean
get_name (JsonObject *object, const char *member, char **value, GError **error)
{
  if (!perfica_json_get_string (object, member, PERFICA_JSON_REQUIRED, PERFICA_MAX_NAME, value,
                                error))
    return FALSE;
  return perfica_board_folder_is_plain (*value, PERFICA_MAX_NAME) || wrong (error, member);
}

/* A relative folder as perfica_board_folder_check_loop() gives it: no "..", no empty parts. */
static gboolean
is_relative_folder (const char *folder)
{
  g_auto (GStrv) parts = NULL;

  if (!perfica_board_folder_is_plain (folder, PATH_MAX))
    return FALSE;
  if (g_str_equal (folder, "."))
    return TRUE;
  parts = g_strsplit (folder, "/", -1);
  for (guint i = 0; parts[i]; i++)
    if (!*parts[i] || g_str_equal (parts[i], ".") || g_str_equal (parts[i], ".."))
      return FALSE;
  return TRUE;
}

static gboolean
read_loop (JsonObject *object, PerficaBoard *board, GError **error)
{
  g_autoptr (PerficaLoop) loop = NULL;
  g_autofree char *name = NULL;
  g_autofree char *folder = NULL;

  if (!get_name (object, "name", &name, error) ||
      !perfica_json_get_string (object, "folder", PERFICA_JSON_REQUIRED, PATH_MAX, &folder, error))
    return FALSE;
  if (!is_relative_folder (folder))
    return wrong (error, "folder");
  loop = perfica_loop_new (name, folder);
  return perfica_board_restore_loop (board, loop) || wrong (error, "loops");
}

static gboolean
read_tools (JsonObject *object, PerficaTools *tools, GError **error)
{
  g_auto (GStrv) names = NULL;

  *tools = 0;
  if (!perfica_json_get_strv (object, "tools", PERFICA_JSON_REQUIRED, G_N_ELEMENTS (tool_names),
                              PERFICA_MAX_NAME, &names, error))
    return FALSE;
  for (guint i = 0; names[i]; i++)
    {
      PerficaTools found = 0;

      for (guint j = 0; j < G_N_ELEMENTS (tool_names); j++)
        if (g_str_equal (names[i], tool_names[j].name))
          found = tool_names[j].tool;
      if (!found)
        return wrong (error, "tools");
      *tools |= found;
    }
  return TRUE;
}

static gboolean
read_client (JsonObject *object, PerficaBubble *bubble, GError **error)
{
  g_autofree char *program = NULL;
  g_autofree char *client = NULL;

  if (!perfica_json_get_string (object, "program", PERFICA_JSON_REQUIRED, PATH_MAX, &program,
                                error) ||
      !perfica_json_get_string (object, "client", PERFICA_JSON_REQUIRED, PATH_MAX, &client, error))
    return FALSE;
  perfica_bubble_remember_client (bubble, program, client);
  return TRUE;
}

typedef gboolean (*ReadItem) (JsonObject *object, gpointer into, GError **error);

static gboolean
read_array (
    JsonObject *object, const char *member, guint max, ReadItem read, gpointer into, GError **error)
{
  JsonArray *array = NULL;

  if (!perfica_json_get_array (object, member, PERFICA_JSON_REQUIRED, max, &array, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (!JSON_NODE_HOLDS_OBJECT (node))
        return wrong (error, member);
      if (!read (json_node_get_object (node), into, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_bubble (JsonObject *object, PerficaBoard *board, GError **error)
{
  g_autoptr (PerficaBubble) bubble = NULL;
  g_autofree char *name = NULL;
  g_autofree char *role_name = NULL;
  g_autofree char *loop_name = NULL;
  PerficaLoop *loop;
  PerficaTools tools;
  PerficaRole role;

  if (!get_name (object, "name", &name, error) || !get_name (object, "role", &role_name, error) ||
      !get_name (object, "loop", &loop_name, error) || !read_tools (object, &tools, error))
    return FALSE;
  loop = perfica_board_find_loop (board, loop_name);
  if (!loop || !perfica_role_from_string (role_name, &role))
    return wrong (error, "bubbles");
  bubble = perfica_bubble_new (name, role, tools, loop);
  if (!read_array (object, "clients", PERFICA_MAX_CLIENTS, (ReadItem) read_client, bubble, error))
    return FALSE;
  return perfica_board_restore_bubble (board, bubble) || wrong (error, "bubbles");
}

static gboolean
read_choice (JsonObject *object, PerficaSandboxChoice *choice, GError **error)
{
  g_autofree char *name = NULL;

  if (!get_name (object, "sandbox", &name, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (sandbox_choices); i++)
    if (g_str_equal (name, sandbox_choices[i]))
      {
        *choice = i;
        return TRUE;
      }
  return wrong (error, "sandbox");
}

static gboolean
is_taken (GListModel *boards, const char *id, const char *folder)
{
  for (guint i = 0; i < g_list_model_get_n_items (boards); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (boards, i);

      if (g_str_equal (perfica_board_get_id (board), id) ||
          g_str_equal (perfica_board_get_folder (board), folder))
        return TRUE;
    }
  return FALSE;
}

static gboolean
read_board (JsonObject *object, GListStore *boards, GError **error)
{
  g_autoptr (PerficaBoard) board = NULL;
  g_autofree char *id = NULL;
  g_autofree char *name = NULL;
  g_autofree char *folder = NULL;
  PerficaSandboxChoice choice;
  gboolean full_auto = FALSE, best_effort = FALSE;

  if (!get_name (object, "id", &id, error) || !get_name (object, "name", &name, error) ||
      !perfica_json_get_string (object, "folder", PERFICA_JSON_REQUIRED, PATH_MAX, &folder,
                                error) ||
      !perfica_json_get_boolean (object, "full_auto", PERFICA_JSON_REQUIRED, &full_auto, error) ||
      !perfica_json_get_boolean (object, "best_effort_tree", PERFICA_JSON_REQUIRED, &best_effort,
                                 error) ||
      !read_choice (object, &choice, error))
    return FALSE;
  if (!g_path_is_absolute (folder) || !is_relative_folder (folder + 1) ||
      is_taken (G_LIST_MODEL (boards), id, folder))
    return wrong (error, "folder");
  board = perfica_board_new (id, name, folder);
  perfica_board_set_full_auto (board, full_auto);
  perfica_board_set_best_effort_tree (board, best_effort);
  perfica_board_set_sandbox (board, choice);
  if (!read_array (object, "loops", PERFICA_MAX_LOOPS, (ReadItem) read_loop, board, error) ||
      !read_array (object, "bubbles", PERFICA_MAX_BUBBLES, (ReadItem) read_bubble, board, error))
    return FALSE;
  g_list_store_append (boards, board);
  return TRUE;
}

/* A name that is none, or a digest that is none, must not come to mean "anything". */
static gboolean
read_image (JsonObject *object, PerficaSettings *settings, GError **error)
{
  g_autofree char *reference = NULL;

  g_clear_pointer (&settings->image, g_free);
  g_clear_pointer (&settings->image_digest, g_free);
  if (!perfica_json_get_string (object, "image", PERFICA_JSON_OPTIONAL, PERFICA_MAX_IMAGE,
                                &settings->image, error) ||
      !perfica_json_get_string (object, "image_digest", PERFICA_JSON_OPTIONAL, PERFICA_MAX_IMAGE,
                                &settings->image_digest, error))
    return FALSE;
  reference = sandbox_image_reference (settings->image, settings->image_digest);
  return reference || wrong (error, "image");
}

static gboolean
read_settings (JsonObject *object, PerficaSettings *settings, GError **error)
{
  g_autofree char *backend = NULL;
  gint64 seconds = PERFICA_PROMPT_SECONDS;

  if (!perfica_json_get_boolean (object, "sandbox", PERFICA_JSON_REQUIRED, &settings->sandbox,
                                 error) ||
      !get_name (object, "backend", &backend, error) ||
      !perfica_json_get_int (object, "prompt_seconds", PERFICA_JSON_REQUIRED, 0,
                             PERFICA_PROMPT_SECONDS_MAX, &seconds, error))
    return FALSE;
  settings->backend = sandbox_backend_from_string (backend);
  if (settings->backend == SANDBOX_BACKEND_NONE)
    return wrong (error, "backend");
  if (seconds != 0 && seconds < PERFICA_PROMPT_SECONDS_MIN)
    return wrong (error, "prompt_seconds");
  settings->prompt_seconds = seconds;
  g_clear_pointer (&settings->visible, g_strfreev);
  return perfica_json_get_strv (object, "visible", PERFICA_JSON_REQUIRED, PERFICA_MAX_VISIBLE,
                                PATH_MAX, &settings->visible, error) &&
         read_image (object, settings, error);
}

gboolean
perfica_store_json_read (
    const char *text, gsize length, GListStore *boards, PerficaSettings *settings, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (JsonNode) root = perfica_json_parse (text, length, &local);
  JsonObject *object;
  gint64 version = 0;

  if (!root)
    return wrong (error, local->message);
  if (!JSON_NODE_HOLDS_OBJECT (root))
    return wrong (error, "object");
  object = json_node_get_object (root);
  if (!perfica_json_get_int (object, "version", PERFICA_JSON_REQUIRED, 1, G_MAXINT32, &version,
                             &local))
    return wrong (error, local->message);
  if (version != PERFICA_STORE_VERSION)
    {
      g_set_error_literal (error, PERFICA_ERROR, PERFICA_ERROR_STORE,
                           _ ("The settings of the boards were written by a newer Perfica."));
      return FALSE;
    }
  if (!read_settings (object, settings, &local) ||
      !read_array (object, "boards", PERFICA_MAX_BOARDS, (ReadItem) read_board, boards, &local))
    return local->domain == PERFICA_ERROR
               ? (g_propagate_error (error, g_steal_pointer (&local)), FALSE)
               : wrong (error, local->message);
  return TRUE;
}

static void
write_bubble (PerficaJsonWriter *writer, PerficaBubble *bubble)
{
  GPtrArray *clients = perfica_bubble_get_clients (bubble);

  perfica_json_writer_open (writer, NULL, '{');
  perfica_json_writer_string (writer, "name", perfica_bubble_get_name (bubble));
  perfica_json_writer_string (writer, "role",
                              perfica_role_to_string (perfica_bubble_get_role (bubble)));
  perfica_json_writer_string (writer, "loop",
                              perfica_loop_get_name (perfica_bubble_get_loop (bubble)));
  perfica_json_writer_open (writer, "tools", '[');
  for (guint i = 0; i < G_N_ELEMENTS (tool_names); i++)
    if (perfica_bubble_get_tools (bubble) & tool_names[i].tool)
      perfica_json_writer_string (writer, NULL, tool_names[i].name);
  perfica_json_writer_close (writer, ']');
  perfica_json_writer_open (writer, "clients", '[');
  for (guint i = 0; i < clients->len; i++)
    {
      PerficaClient *client = clients->pdata[i];

      perfica_json_writer_open (writer, NULL, '{');
      perfica_json_writer_string (writer, "program", client->program);
      perfica_json_writer_string (writer, "client", client->client);
      perfica_json_writer_close (writer, '}');
    }
  perfica_json_writer_close (writer, ']');
  perfica_json_writer_close (writer, '}');
}

static void
write_board (PerficaJsonWriter *writer, PerficaBoard *board)
{
  GListModel *loops = perfica_board_get_loops (board);
  GListModel *bubbles = perfica_board_get_bubbles (board);

  perfica_json_writer_open (writer, NULL, '{');
  perfica_json_writer_string (writer, "id", perfica_board_get_id (board));
  perfica_json_writer_string (writer, "name", perfica_board_get_name (board));
  perfica_json_writer_string (writer, "folder", perfica_board_get_folder (board));
  perfica_json_writer_boolean (writer, "full_auto", perfica_board_get_full_auto (board));
  perfica_json_writer_string (writer, "sandbox",
                              sandbox_choices[perfica_board_get_sandbox (board)]);
  perfica_json_writer_boolean (writer, "best_effort_tree",
                               perfica_board_get_best_effort_tree (board));
  perfica_json_writer_open (writer, "loops", '[');
  for (guint i = 0; i < g_list_model_get_n_items (loops); i++)
    {
      g_autoptr (PerficaLoop) loop = g_list_model_get_item (loops, i);

      perfica_json_writer_open (writer, NULL, '{');
      perfica_json_writer_string (writer, "name", perfica_loop_get_name (loop));
      perfica_json_writer_string (writer, "folder", perfica_loop_get_folder (loop));
      perfica_json_writer_close (writer, '}');
    }
  perfica_json_writer_close (writer, ']');
  perfica_json_writer_open (writer, "bubbles", '[');
  for (guint i = 0; i < g_list_model_get_n_items (bubbles); i++)
    {
      g_autoptr (PerficaBubble) bubble = g_list_model_get_item (bubbles, i);

      write_bubble (writer, bubble);
    }
  perfica_json_writer_close (writer, ']');
  perfica_json_writer_close (writer, '}');
}

char *
perfica_store_json_write (GListModel *boards, const PerficaSettings *settings)
{
  PerficaJsonWriter writer;

  perfica_json_writer_init (&writer);
  perfica_json_writer_open (&writer, NULL, '{');
  perfica_json_writer_int (&writer, "version", PERFICA_STORE_VERSION);
  perfica_json_writer_boolean (&writer, "sandbox", settings->sandbox);
  perfica_json_writer_string (&writer, "backend", sandbox_backend_to_string (settings->backend));
  perfica_json_writer_int (&writer, "prompt_seconds", settings->prompt_seconds);
  perfica_json_writer_strv (&writer, "visible", (const char *const *) settings->visible);
  perfica_json_writer_string (&writer, "image", settings->image);
  perfica_json_writer_string (&writer, "image_digest", settings->image_digest);
  perfica_json_writer_open (&writer, "boards", '[');
  for (guint i = 0; i < g_list_model_get_n_items (boards); i++)
    {
      g_autoptr (PerficaBoard) board = g_list_model_get_item (boards, i);

      write_board (&writer, board);
    }
  perfica_json_writer_close (&writer, ']');
  perfica_json_writer_close (&writer, '}');
  return perfica_json_writer_end (&writer);
}
