/* The image that Docker's sandbox runs commands in: what it costs, its download, its pin.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * PerficaImageState:
 * @PERFICA_IMAGE_IDLE: nothing was asked
 * @PERFICA_IMAGE_ASKING: the engine and the registry are asked what it is and how big
 * @PERFICA_IMAGE_OFFERED: the size is known; nothing is downloaded before perfica_image_download()
 * @PERFICA_IMAGE_DOWNLOADING: bytes come in
 * @PERFICA_IMAGE_UNPACKING: all came; the engine unpacks
 * @PERFICA_IMAGE_DONE: it is there, and pinned
 * @PERFICA_IMAGE_FAILED: see perfica_image_get_problem()
 */
typedef enum
{
  PERFICA_IMAGE_IDLE,
  PERFICA_IMAGE_ASKING,
  PERFICA_IMAGE_OFFERED,
  PERFICA_IMAGE_DOWNLOADING,
  PERFICA_IMAGE_UNPACKING,
  PERFICA_IMAGE_DONE,
  PERFICA_IMAGE_FAILED,
} PerficaImageState;

/* While it is downloaded and unpacked both lie on the disk, and unpacked it is never smaller. */
#define PERFICA_IMAGE_SPACE_FACTOR 2

/**
 * PerficaImage:
 *
 * Main thread only; the work is done on workers. Signals:
 * - "changed": state, bytes, name or pin
 */
#define PERFICA_TYPE_IMAGE (perfica_image_get_type ())
G_DECLARE_FINAL_TYPE (PerficaImage, perfica_image, PERFICA, IMAGE, GObject)

PerficaImageState perfica_image_get_state (PerficaImage *self);
const char *perfica_image_get_name (PerficaImage *self);   /* as the person wrote it */
const char *perfica_image_get_digest (PerficaImage *self); /* nullable: what is pinned */
/* What is offered or downloaded; 0 before. Bytes. */
guint64 perfica_image_get_size (PerficaImage *self);
guint64 perfica_image_get_done (PerficaImage *self);
guint64 perfica_image_get_free (PerficaImage *self); /* G_MAXUINT64: it can't be told */
/* Whether there is room for it, as far as that is known. */
gboolean perfica_image_get_fits (PerficaImage *self);
const char *perfica_image_get_problem (PerficaImage *self); /* nullable: a sentence */

/**
 * perfica_image_ask:
 *
 * Finds out what a download would be. What is pinned stays what is asked for.
 */
void perfica_image_ask (PerficaImage *self);

/* The person saw what is offered and wants it. Only then, and only if it fits. */
void perfica_image_download (PerficaImage *self);

/* Gives up asking, the offer, or the download; the engine is told. Forgets a failure too. */
void perfica_image_cancel (PerficaImage *self);

/**
 * perfica_image_set_name:
 * @name: (nullable): another image; %NULL or "" is SANDBOX_DEFAULT_IMAGE
 *
 * Another name forgets the pin.
 *
 * Returns: %FALSE with %SANDBOX_DOCKER_ERROR_NAME
 */
gboolean perfica_image_set_name (PerficaImage *self, const char *name, GError **error);

/* The pin: the next download may be whatever the name then means. */
void perfica_image_forget (PerficaImage *self);

G_END_DECLS
