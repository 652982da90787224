/* What Docker's engine and client say in JSON, as plain structs.
 *
 * All of it comes from outside: every text has a limit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Docker itself refuses images of more than 127 layers. */
#define PERFICA_IMAGE_MAX_LAYERS 256
/* Platforms of one image, the entries of signatures among them. */
#define PERFICA_IMAGE_MAX_PLATFORMS 256

/**
 * PerficaImageLayer:
 * @digest: "sha256:…"
 * @size: of its download, in bytes
 */
typedef struct
{
  char *digest;
  guint64 size;
} PerficaImageLayer;

/**
 * PerficaImageManifest:
 * @digest: "sha256:…", of this platform's manifest
 * @layers: (element-type PerficaImageLayer): each digest once
 * @size: of the whole download, in bytes
 */
typedef struct
{
  char *digest;
  GPtrArray *layers;
  guint64 size;
} PerficaImageManifest;

/**
 * perfica_image_manifest_parse:
 * @text: what `docker manifest inspect -v` printed
 * @length: in bytes
 * @architecture: whose ("amd64")
 * @error: return location, %PERFICA_JSON_ERROR
 *
 * Returns: (transfer full) (nullable): the manifest for Linux on @architecture; %NULL with no error
 *   when the image has none for it. Any thread.
 */
PerficaImageManifest *perfica_image_manifest_parse (const char *text,
                                                    gsize length,
                                                    const char *architecture,
                                                    GError **error);
void perfica_image_manifest_free (PerficaImageManifest *manifest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaImageManifest, perfica_image_manifest_free)

/**
 * PerficaImageEvent:
 * @id: (nullable): the beginning of a layer's digest, or a tag
 * @status: (nullable): "Downloading", "Pull complete" …
 * @current: bytes done, -1 where it isn't said
 * @problem: (nullable): why it failed; then it has
 */
typedef struct
{
  char *id;
  char *status;
  gint64 current;
  char *problem;
} PerficaImageEvent;

/* One event of a download. FALSE with %PERFICA_JSON_ERROR. */
gboolean perfica_image_event_parse (const char *text,
                                    gsize length,
                                    PerficaImageEvent *event,
                                    GError **error);
void perfica_image_event_clear (PerficaImageEvent *event);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PerficaImageEvent, perfica_image_event_clear)

/**
 * PerficaImageProgress:
 *
 * How far a download has come. One thread.
 */
typedef struct _PerficaImageProgress PerficaImageProgress;

PerficaImageProgress *perfica_image_progress_new (const PerficaImageManifest *manifest);
void perfica_image_progress_free (PerficaImageProgress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PerficaImageProgress, perfica_image_progress_free)

/* Takes an event in. Bytes never go back; a layer that the engine had already counts as done. */
void perfica_image_progress_add (PerficaImageProgress *progress, const PerficaImageEvent *event);
guint64 perfica_image_progress_get_done (const PerficaImageProgress *progress);
/* All is downloaded; what is left is to unpack. */
gboolean perfica_image_progress_is_unpacking (const PerficaImageProgress *progress);

G_END_DECLS
