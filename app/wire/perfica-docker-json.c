/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "perfica-docker-json.h"

#include <string.h>

#include "perfica-json.h"

#define MAX_WORD 512
#define MAX_WORDS 4096
/* A sum of 256 of these stays far below 2^63: no image is that big. */
#define MAX_LAYER (G_GINT64_CONSTANT (1) << 42)

/* ---- Manifests ---- */

static void
layer_free (gpointer data)
{
  PerficaImageLayer *layer = data;

  g_free (layer->digest);
  g_free (layer);
}

void
perfica_image_manifest_free (PerficaImageManifest *manifest)
{
  if (manifest == NULL)
    return;
  g_free (manifest->digest);
  g_ptr_array_unref (manifest->layers);
  g_free (manifest);
}

static gboolean
add_layer (PerficaImageManifest *manifest, JsonNode *node, GError **error)
{
  g_autofree char *digest = NULL;
  gint64 size = -1;
  PerficaImageLayer *layer;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      g_set_error_literal (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE, "layers");
      return FALSE;
    }
  if (!perfica_json_get_string (json_node_get_object (node), "digest", PERFICA_JSON_REQUIRED,
                                MAX_WORD, &digest, error) ||
      !perfica_json_get_int (json_node_get_object (node), "size", PERFICA_JSON_REQUIRED, 0,
                             MAX_LAYER, &size, error))
    return FALSE;
  for (guint i = 0; i < manifest->layers->len; i++)
    if (g_str_equal (((PerficaImageLayer *) g_ptr_array_index (manifest->layers, i))->digest,
                     digest))
      return TRUE;
  layer = g_new0 (PerficaImageLayer, 1);
  layer->digest = g_steal_pointer (&digest);
  layer->size = (guint64) size;
  manifest->size += layer->size;
  g_ptr_array_add (manifest->layers, layer);
  return TRUE;
}

static gboolean
read_fits (JsonObject *descriptor, const char *architecture, gboolean *fits, GError **error)
{
  g_autofree char *os = NULL;
  g_autofree char *machine = NULL;
  g_autofree char *variant = NULL;
  JsonObject *platform = NULL;

  if (!perfica_json_get_object (descriptor, "platform", PERFICA_JSON_OPTIONAL, &platform, error))
    return FALSE;
  *fits = platform == NULL;
  if (platform == NULL)
    return TRUE;
  if (!perfica_json_get_string (platform, "os", PERFICA_JSON_OPTIONAL, MAX_WORD, &os, error) ||
      !perfica_json_get_string (platform, "architecture", PERFICA_JSON_OPTIONAL, MAX_WORD, &machine,
                                error) ||
      !perfica_json_get_string (platform, "variant", PERFICA_JSON_OPTIONAL, MAX_WORD, &variant,
                                error))
    return FALSE;
  *fits = g_strcmp0 (os, "linux") == 0 && g_strcmp0 (machine, architecture) == 0 &&
          (g_strcmp0 (machine, "arm") != 0 || g_strcmp0 (variant, "v8") != 0);
  return TRUE;
}

/* Leaves @manifest as it is when the entry is another platform's. */
static gboolean
read_platform (JsonObject *entry,
               const char *architecture,
               PerficaImageManifest **manifest,
               GError **error)
{
  g_autoptr (PerficaImageManifest) found = NULL;
  gboolean fits = FALSE;
  JsonObject *descriptor = NULL;
  JsonObject *body = NULL;
  JsonArray *layers = NULL;

  if (!perfica_json_get_object (entry, "Descriptor", PERFICA_JSON_REQUIRED, &descriptor, error) ||
      !read_fits (descriptor, architecture, &fits, error))
    return FALSE;
  if (!fits)
    return TRUE;
  if (!perfica_json_get_object (entry, "SchemaV2Manifest", PERFICA_JSON_OPTIONAL, &body, error) ||
      (body == NULL &&
       !perfica_json_get_object (entry, "OCIManifest", PERFICA_JSON_REQUIRED, &body, error)) ||
      !perfica_json_get_array (body, "layers", PERFICA_JSON_REQUIRED, PERFICA_IMAGE_MAX_LAYERS,
                               &layers, error))
    return FALSE;
  found = g_new0 (PerficaImageManifest, 1);
  found->layers = g_ptr_array_new_with_free_func (layer_free);
  if (!perfica_json_get_string (descriptor, "digest", PERFICA_JSON_REQUIRED, MAX_WORD,
                                &found->digest, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (layers); i++)
    if (!add_layer (found, json_array_get_element (layers, i), error))
      return FALSE;
  *manifest = g_steal_pointer (&found);
  return TRUE;
}

PerficaImageManifest *
perfica_image_manifest_parse (const char *text,
                              gsize length,
                              const char *architecture,
                              GError **error)
{
  g_autoptr (JsonNode) root = perfica_json_parse (text, length, error);
  PerficaImageManifest *manifest = NULL;
  JsonArray *list;

  if (root == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_OBJECT (root))
    return read_platform (json_node_get_object (root), architecture, &manifest, error) ? manifest
                                                                                       : NULL;
  list = json_node_get_array (root);
  if (json_array_get_length (list) > PERFICA_IMAGE_MAX_PLATFORMS)
    {
      g_set_error_literal (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE, "platforms");
      return NULL;
    }
  for (guint i = 0; i < json_array_get_length (list) && manifest == NULL; i++)
    {
      JsonNode *entry = json_array_get_element (list, i);

      if (JSON_NODE_HOLDS_OBJECT (entry) &&
          !read_platform (json_node_get_object (entry), architecture, &manifest, error))
        return NULL;
    }
  return manifest;
}

/* ---- Events ---- */

void
perfica_image_event_clear (PerficaImageEvent *event)
{
  g_clear_pointer (&event->id, g_free);
  g_clear_pointer (&event->status, g_free);
  g_clear_pointer (&event->problem, g_free);
}

/* Both forms of a failure's words; an engine sends both. */
static gboolean
read_problem (JsonObject *object, char **problem, GError **error)
{
  JsonObject *detail = NULL;

  if (!perfica_json_get_object (object, "errorDetail", PERFICA_JSON_OPTIONAL, &detail, error) ||
      (detail != NULL && !perfica_json_get_string (detail, "message", PERFICA_JSON_OPTIONAL,
                                                   MAX_WORDS, problem, error)))
    return FALSE;
  return *problem != NULL || perfica_json_get_string (object, "error", PERFICA_JSON_OPTIONAL,
                                                      MAX_WORDS, problem, error);
}

gboolean
perfica_image_event_parse (const char *text, gsize length, PerficaImageEvent *event, GError **error)
{
  g_autoptr (JsonNode) root = perfica_json_parse (text, length, error);
  g_auto (PerficaImageEvent) found = { .current = -1 };
  JsonObject *object;
  JsonObject *progress = NULL;

  if (root == NULL)
    return FALSE;
  if (!JSON_NODE_HOLDS_OBJECT (root))
    {
      g_set_error_literal (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE, "event");
      return FALSE;
    }
  object = json_node_get_object (root);
  if (!perfica_json_get_string (object, "id", PERFICA_JSON_OPTIONAL, MAX_WORD, &found.id, error) ||
      !perfica_json_get_string (object, "status", PERFICA_JSON_OPTIONAL, MAX_WORDS, &found.status,
                                error) ||
      !perfica_json_get_object (object, "progressDetail", PERFICA_JSON_OPTIONAL, &progress,
                                error) ||
      (progress != NULL && !perfica_json_get_int (progress, "current", PERFICA_JSON_OPTIONAL, 0,
                                                  MAX_LAYER, &found.current, error)) ||
      !read_problem (object, &found.problem, error))
    return FALSE;
  *event = found;
  memset (&found, 0, sizeof found);
  return TRUE;
}

/* ---- How far a download has come ---- */

typedef struct
{
  char *digest;
  guint64 size;
  guint64 done;
} Part;

struct _PerficaImageProgress
{
  Part *parts;
  guint n_parts;
};

PerficaImageProgress *
perfica_image_progress_new (const PerficaImageManifest *manifest)
{
  PerficaImageProgress *progress = g_new0 (PerficaImageProgress, 1);

  progress->n_parts = manifest->layers->len;
  progress->parts = g_new0 (Part, progress->n_parts);
  for (guint i = 0; i < progress->n_parts; i++)
    {
      const PerficaImageLayer *layer = g_ptr_array_index (manifest->layers, i);

      progress->parts[i].digest = g_strdup (layer->digest);
      progress->parts[i].size = layer->size;
    }
  return progress;
}

void
perfica_image_progress_free (PerficaImageProgress *progress)
{
  if (progress == NULL)
    return;
  for (guint i = 0; i < progress->n_parts; i++)
    g_free (progress->parts[i].digest);
  g_free (progress->parts);
  g_free (progress);
}

/* The engine names a layer by the first twelve digits; Podman by more. */
static Part *
find_part (PerficaImageProgress *progress, const char *id)
{
  const char *digits = g_str_has_prefix (id, "sha256:") ? id + strlen ("sha256:") : id;

  if (strlen (digits) < 12)
    return NULL;
  for (guint i = 0; i < progress->n_parts; i++)
    {
      const char *colon = strchr (progress->parts[i].digest, ':');

      if (colon != NULL && g_str_has_prefix (colon + 1, digits))
        return &progress->parts[i];
    }
  return NULL;
}

void
perfica_image_progress_add (PerficaImageProgress *progress, const PerficaImageEvent *event)
{
  static const char *const whole[] = { "Download complete", "Verifying Checksum", "Extracting",
                                       "Pull complete",     "Already exists",     NULL };
  Part *part = event->id != NULL ? find_part (progress, event->id) : NULL;

  if (part == NULL || event->status == NULL)
    return;
  if (g_strv_contains (whole, event->status))
    part->done = part->size;
  else if (g_str_equal (event->status, "Downloading") && event->current > 0)
    part->done = MAX (part->done, MIN ((guint64) event->current, part->size));
}

guint64
perfica_image_progress_get_done (const PerficaImageProgress *progress)
{
  guint64 done = 0;

  for (guint i = 0; i < progress->n_parts; i++)
    done += progress->parts[i].done;
  return done;
}

gboolean
perfica_image_progress_is_unpacking (const PerficaImageProgress *progress)
{
  for (guint i = 0; i < progress->n_parts; i++)
    if (progress->parts[i].done < progress->parts[i].size)
      return FALSE;
  return progress->n_parts > 0;
}
