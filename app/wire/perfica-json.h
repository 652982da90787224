/* JSON text: strict reading through json-glib with limits, and plain writing.
 *
 * json-glib alone accepts comments and odd literals, recurses as deep as its input says and aborts
 * on a lone surrogate, so perfica_json_parse() checks the text by itself first.
 *
 * For app/wire/ and app/agent/ only: JSON becomes a typed struct there, no JsonNode goes further.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define PERFICA_JSON_ERROR (perfica_json_error_quark ())

/**
 * PerficaJsonError:
 * @PERFICA_JSON_ERROR_SYNTAX: not JSON by RFC 8259, not UTF-8, or over a limit
 * @PERFICA_JSON_ERROR_SHAPE: JSON, but a member is missing, ill-typed or out of its range
 */
typedef enum
{
  PERFICA_JSON_ERROR_SYNTAX,
  PERFICA_JSON_ERROR_SHAPE,
} PerficaJsonError;
GQuark perfica_json_error_quark (void);

/* Deeper than anything either protocol needs; a tool's schema nests six levels. */
#define PERFICA_JSON_MAX_DEPTH 32
/* Bounds the tree that json-glib makes: about 100 bytes a value. */
#define PERFICA_JSON_MAX_VALUES 16384

/**
 * perfica_json_check:
 * @text: not trusted, need not be NUL-terminated
 * @length: in bytes
 * @error: return location, %PERFICA_JSON_ERROR_SYNTAX
 *
 * Checks that @text is one JSON value by RFC 8259, in UTF-8, at most %PERFICA_JSON_MAX_DEPTH
 * levels deep, of at most %PERFICA_JSON_MAX_VALUES values, without an escaped NUL or a lone
 * surrogate. Linear in @length, allocates nothing. Any thread.
 *
 * Returns: %TRUE if it is
 */
gboolean perfica_json_check (const char *text, gsize length, GError **error);

/**
 * perfica_json_parse:
 * @text: not trusted
 * @length: in bytes
 * @error: return location
 *
 * Returns: (transfer full): the root, which is an object or an array; %NULL with a
 *   %PERFICA_JSON_ERROR otherwise. Any thread.
 */
JsonNode *perfica_json_parse (const char *text, gsize length, GError **error);

/* How a member is taken out of an object. An absent member and `null` are the same. */
typedef enum
{
  PERFICA_JSON_OPTIONAL,
  PERFICA_JSON_REQUIRED,
} PerficaJsonNeed;

/**
 * perfica_json_get_string:
 * @object: an object
 * @name: the member
 * @need: whether it may be absent; then @value is %NULL
 * @max: longest length accepted, in bytes
 * @value: (out) (transfer full): a copy
 * @error: return location, %PERFICA_JSON_ERROR_SHAPE
 *
 * Returns: %FALSE with @error set if it is ill-typed, too long or missing
 */
gboolean perfica_json_get_string (JsonObject *object,
                                  const char *name,
                                  PerficaJsonNeed need,
                                  gsize max,
                                  char **value,
                                  GError **error);

/* Likewise for a whole number between @min and @max; absent leaves @value as it is. */
gboolean perfica_json_get_int (JsonObject *object,
                               const char *name,
                               PerficaJsonNeed need,
                               gint64 min,
                               gint64 max,
                               gint64 *value,
                               GError **error);

/* Likewise for true or false. */
gboolean perfica_json_get_boolean (
    JsonObject *object, const char *name, PerficaJsonNeed need, gboolean *value, GError **error);

/* Likewise for an array of at most @max_items strings; absent gives an empty one. */
gboolean perfica_json_get_strv (JsonObject *object,
                                const char *name,
                                PerficaJsonNeed need,
                                guint max_items,
                                gsize max_length,
                                char ***value,
                                GError **error);

/* Likewise for an object or an array; borrowed from @object, %NULL when absent. */
gboolean perfica_json_get_object (
    JsonObject *object, const char *name, PerficaJsonNeed need, JsonObject **value, GError **error);
gboolean perfica_json_get_array (JsonObject *object,
                                 const char *name,
                                 PerficaJsonNeed need,
                                 guint max_items,
                                 JsonArray **value,
                                 GError **error);

/**
 * PerficaJsonWriter:
 *
 * Writes JSON on one line into a growing text. Lives on the stack: initialise with
 * perfica_json_writer_init(), take the text with perfica_json_writer_end().
 * A %NULL name is an array's item (or the root).
 */
typedef struct
{
  GString *text;
  gboolean comma;
} PerficaJsonWriter;

void perfica_json_writer_init (PerficaJsonWriter *writer);
void perfica_json_writer_open (PerficaJsonWriter *writer, const char *name, char bracket);
void perfica_json_writer_close (PerficaJsonWriter *writer, char bracket);
/* @value need not be UTF-8: what isn't becomes U+FFFD. %NULL writes nothing at all. */
void perfica_json_writer_string (PerficaJsonWriter *writer, const char *name, const char *value);
/* The same, cut at a character's border to at most @max bytes. */
void perfica_json_writer_string_max (PerficaJsonWriter *writer,
                                     const char *name,
                                     const char *value,
                                     gsize max);
void perfica_json_writer_int (PerficaJsonWriter *writer, const char *name, gint64 value);
void perfica_json_writer_boolean (PerficaJsonWriter *writer, const char *name, gboolean value);
void
perfica_json_writer_strv (PerficaJsonWriter *writer, const char *name, const char *const *values);
/* @json is written as it stands and must be JSON already. */
void perfica_json_writer_raw (PerficaJsonWriter *writer, const char *name, const char *json);
/* Returns: (transfer full): the text; the writer must be initialised again. */
char *perfica_json_writer_end (PerficaJsonWriter *writer);

G_END_DECLS
