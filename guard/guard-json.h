/* A small strict reader for the JSON files a project keeps its scripts in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GUARD_JSON_MAX_NESTING 64
#define GUARD_JSON_MAX_NODES 65536

typedef struct _GuardJson GuardJson;
typedef struct _GuardJsonNode GuardJsonNode;

typedef enum
{
  GUARD_JSON_NULL,
  GUARD_JSON_BOOLEAN,
  GUARD_JSON_NUMBER,
  GUARD_JSON_STRING,
  GUARD_JSON_ARRAY,
  GUARD_JSON_OBJECT,
} GuardJsonType;

/**
 * GuardJsonNode:
 * @type: what it is
 * @key: (nullable): its name in the object around it
 * @text: (nullable): a string's text; a number or boolean as written
 * @first: (nullable): an array's or object's first member
 * @next: (nullable): the next member of what is around it
 */
struct _GuardJsonNode
{
  GuardJsonType type;
  const char *key;
  const char *text;
  const GuardJsonNode *first;
  const GuardJsonNode *next;
};

/**
 * guard_json_read:
 * @text: JSON
 * @length: in bytes
 * @comments: also take comments and trailing commas (deno.jsonc)
 *
 * Returns: (transfer full) (nullable): %NULL when it isn't JSON, holds a NUL
 *   in a string, or passes the limits
 */
GuardJson *guard_json_read (const char *text, gsize length, gboolean comments);
void guard_json_free (GuardJson *json);

const GuardJsonNode *guard_json_get_root (const GuardJson *json);

/**
 * guard_json_member:
 *
 * Returns: (nullable): the member called @key of an object; the last one, as
 *   JavaScript would, if there are several. %NULL for anything but an object
 */
const GuardJsonNode *guard_json_member (const GuardJsonNode *node, const char *key);

/**
 * guard_json_string:
 *
 * Returns: (nullable): the text of the member called @key if it is a string
 */
const char *guard_json_string (const GuardJsonNode *node, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GuardJson, guard_json_free)

G_END_DECLS
