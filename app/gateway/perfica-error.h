/* The one error domain of the gateway's room. Messages are sentences for people, translated.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PERFICA_ERROR (perfica_error_quark ())

/**
 * PerficaError:
 * @PERFICA_ERROR_FOLDER: the folder can't be a board or a loop; the message says why
 * @PERFICA_ERROR_RUNNING: another Perfica owns the gateway
 * @PERFICA_ERROR_RUNTIME: no place for the socket
 * @PERFICA_ERROR_STORE: boards.json or the record can't be read or written
 * @PERFICA_ERROR_NAME: a name is taken, empty, too long or has unprintable characters
 * @PERFICA_ERROR_LIMIT: as many as there may be exist already
 * @PERFICA_ERROR_BUSY: it is in use, or too much waits already
 * @PERFICA_ERROR_OUTPUT: the app's folder in the project isn't safe to write to
 */
typedef enum
{
  PERFICA_ERROR_FOLDER,
  PERFICA_ERROR_RUNNING,
  PERFICA_ERROR_RUNTIME,
  PERFICA_ERROR_STORE,
  PERFICA_ERROR_NAME,
  PERFICA_ERROR_LIMIT,
  PERFICA_ERROR_BUSY,
  PERFICA_ERROR_OUTPUT,
} PerficaError;
GQuark perfica_error_quark (void);

G_END_DECLS
