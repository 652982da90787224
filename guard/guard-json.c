/* A small strict reader for the JSON files a project keeps its scripts in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "guard-json.h"

#include <string.h>

struct _GuardJson
{
  GStringChunk *strings;
  GPtrArray *nodes;
  const GuardJsonNode *root;
};

typedef struct
{
  GuardJson *json;
  const char *at;
  const char *end;
  gboolean comments;
  guint nesting;
  GString *scratch;
} Reader;

static const GuardJsonNode *read_value (Reader *reader, const char *key);

static GuardJsonNode *
add_node (Reader *reader, GuardJsonType type, const char *key)
{
  GuardJsonNode *node;

  if (reader->json->nodes->len >= GUARD_JSON_MAX_NODES)
    return NULL;

  node = g_new0 (GuardJsonNode, 1);
  node->type = type;
  node->key = key;
  g_ptr_array_add (reader->json->nodes, node);

  return node;
}

static gboolean
skip_comment (Reader *reader)
{
  const char *at = reader->at + 1;

  if (at >= reader->end)
    return FALSE;

  if (*at == '/')
    {
      const char *line = memchr (at, '\n', reader->end - at);

      reader->at = line ? line : reader->end;
      return TRUE;
    }

  if (*at != '*')
    return FALSE;

  for (at++; at + 1 < reader->end; at++)
    {
      if (at[0] == '*' && at[1] == '/')
        {
          reader->at = at + 2;
          return TRUE;
        }
    }

  return FALSE;
}

static gboolean
skip_space (Reader *reader)
{
  while (reader->at < reader->end)
    {
      char c = *reader->at;

      if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        reader->at++;
      else if (c == '/' && reader->comments)
        {
          if (!skip_comment (reader))
            return FALSE;
        }
      else
        break;
    }

  return TRUE;
}

static gboolean
take (Reader *reader, char wanted)
{
  if (!skip_space (reader) || reader->at >= reader->end || *reader->at != wanted)
    return FALSE;

  reader->at++;
  return TRUE;
}

static gboolean
read_four_digits (Reader *reader, gunichar *unit)
{
  gunichar value = 0;

  if (reader->end - reader->at < 4)
    return FALSE;

  for (guint i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (reader->at[i]);

      if (digit < 0)
        return FALSE;
      value = value * 16 + (guint) digit;
    }

  reader->at += 4;
  *unit = value;
  return TRUE;
}

static gboolean
read_unicode (Reader *reader)
{
  gunichar unit;

  if (!read_four_digits (reader, &unit) || unit == 0)
    return FALSE;

  if (unit >= 0xd800 && unit <= 0xdbff)
    {
      gunichar low;

      if (reader->end - reader->at < 2 || reader->at[0] != '\\' || reader->at[1] != 'u')
        return FALSE;
      reader->at += 2;
      if (!read_four_digits (reader, &low) || low < 0xdc00 || low > 0xdfff)
        return FALSE;
      unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    }
  else if (unit >= 0xdc00 && unit <= 0xdfff)
    return FALSE;

  g_string_append_unichar (reader->scratch, unit);
  return TRUE;
}

static gboolean
read_escape (Reader *reader)
{
  static const char from[] = "\"\\/bfnrt";
  static const char to[] = "\"\\/\b\f\n\r\t";
  const char *found;
  char c;

  if (reader->at >= reader->end)
    return FALSE;

  c = *reader->at++;
  if (c == 'u')
    return read_unicode (reader);

  found = c ? strchr (from, c) : NULL;
  if (!found)
    return FALSE;

  g_string_append_c (reader->scratch, to[found - from]);
  return TRUE;
}

static const char *
read_string (Reader *reader)
{
  if (!take (reader, '"'))
    return NULL;

  g_string_truncate (reader->scratch, 0);
  while (reader->at < reader->end)
    {
      char c = *reader->at++;

      if (c == '"')
        return g_string_chunk_insert_len (reader->json->strings, reader->scratch->str,
                                          reader->scratch->len);
      if (c == '\\')
        {
          if (!read_escape (reader))
            return NULL;
        }
      else if ((guchar) c < 0x20)
        return NULL;
      else
        g_string_append_c (reader->scratch, c);
    }

  return NULL;
}

static const GuardJsonNode *
read_members (Reader *reader, const char *key, gboolean object)
{
  GuardJsonNode *node = add_node (reader, object ? GUARD_JSON_OBJECT : GUARD_JSON_ARRAY, key);
  const GuardJsonNode **last;
  char close = object ? '}' : ']';
  gboolean first = TRUE;

  if (!node || ++reader->nesting > GUARD_JSON_MAX_NESTING)
    return NULL;

  reader->at++;
  last = &node->first;
  while (!take (reader, close))
    {
      const char *name = NULL;
      const GuardJsonNode *member;

      if (!first && !take (reader, ','))
        return NULL;
      if (!first && reader->comments && take (reader, close))
        break;
      if (object && (!(name = read_string (reader)) || !take (reader, ':')))
        return NULL;

      member = read_value (reader, name);
      if (!member)
        return NULL;
      *last = member;
      last = &((GuardJsonNode *) member)->next;
      first = FALSE;
    }

  reader->nesting--;
  return node;
}

static gboolean
is_number (const char *text)
{
  if (*text == '-')
    text++;
  if (!g_ascii_isdigit (*text) || (text[0] == '0' && g_ascii_isdigit (text[1])))
    return FALSE;
  while (g_ascii_isdigit (*text))
    text++;
  if (*text == '.')
    {
      if (!g_ascii_isdigit (*++text))
        return FALSE;
      while (g_ascii_isdigit (*text))
        text++;
    }
  if (*text == 'e' || *text == 'E')
    {
      text++;
      if (*text == '+' || *text == '-')
        text++;
      if (!g_ascii_isdigit (*text))
        return FALSE;
      while (g_ascii_isdigit (*text))
        text++;
    }

  return *text == 0;
}

static const GuardJsonNode *
read_scalar (Reader *reader, const char *key)
{
  const char *start = reader->at;
  GuardJsonNode *node;
  const char *text;
  GuardJsonType type;

  while (reader->at < reader->end && (g_ascii_isalnum (*reader->at) || strchr ("+-.", *reader->at)))
    {
      if (*reader->at == 0)
        return NULL;
      reader->at++;
    }

  text = g_string_chunk_insert_len (reader->json->strings, start, reader->at - start);
  if (g_str_equal (text, "null"))
    type = GUARD_JSON_NULL;
  else if (g_str_equal (text, "true") || g_str_equal (text, "false"))
    type = GUARD_JSON_BOOLEAN;
  else if (is_number (text))
    type = GUARD_JSON_NUMBER;
  else
    return NULL;

  node = add_node (reader, type, key);
  if (node)
    node->text = text;
  return node;
}

static const GuardJsonNode *
read_value (Reader *reader, const char *key)
{
  if (!skip_space (reader) || reader->at >= reader->end)
    return NULL;

  if (*reader->at == '{' || *reader->at == '[')
    return read_members (reader, key, *reader->at == '{');

  if (*reader->at == '"')
    {
      const char *text = read_string (reader);
      GuardJsonNode *node = text ? add_node (reader, GUARD_JSON_STRING, key) : NULL;

      if (node)
        node->text = text;
      return node;
    }

  return read_scalar (reader, key);
}

GuardJson *
guard_json_read (const char *text, gsize length, gboolean comments)
{
  GuardJson *json = g_new0 (GuardJson, 1);
  Reader reader = { json, text, text + length, comments, 0, NULL };

  json->strings = g_string_chunk_new (1024);
  json->nodes = g_ptr_array_new_with_free_func (g_free);
  reader.scratch = g_string_new (NULL);

  /* Some editors begin a file with a byte order mark, and npm takes it. */
  if (length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    reader.at += 3;

  json->root = read_value (&reader, NULL);
  if (json->root && (!skip_space (&reader) || reader.at != reader.end))
    json->root = NULL;
  g_string_free (reader.scratch, TRUE);

  if (!json->root)
    g_clear_pointer (&json, guard_json_free);
  return json;
}

void
guard_json_free (GuardJson *json)
{
  g_ptr_array_unref (json->nodes);
  g_string_chunk_free (json->strings);
  g_free (json);
}

const GuardJsonNode *
guard_json_get_root (const GuardJson *json)
{
  return json->root;
}

const GuardJsonNode *
guard_json_member (const GuardJsonNode *node, const char *key)
{
  const GuardJsonNode *found = NULL;

  if (!node || node->type != GUARD_JSON_OBJECT)
    return NULL;

  for (const GuardJsonNode *member = node->first; member; member = member->next)
    {
      if (g_str_equal (member->key, key))
        found = member;
    }

  return found;
}

const char *
guard_json_string (const GuardJsonNode *node, const char *key)
{
  const GuardJsonNode *member = guard_json_member (node, key);

  return member && member->type == GUARD_JSON_STRING ? member->text : NULL;
}
