/* JSON text: strict reading through json-glib with limits, and plain writing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "perfica-json.h"

#include <string.h>

G_DEFINE_QUARK (perfica - json - error - quark, perfica_json_error)

typedef struct
{
  const char *p;
  const char *end;
  guint values;
  const char *problem;
} Check;

static gboolean
check_fail (Check *check, const char *problem)
{
  if (check->problem == NULL)
    check->problem = problem;
  return FALSE;
}

static void
check_blanks (Check *check)
{
  while (check->p < check->end &&
         (*check->p == ' ' || *check->p == '\t' || *check->p == '\n' || *check->p == '\r'))
    check->p++;
}

static gboolean
check_hex4 (Check *check, guint *unit)
{
  *unit = 0;
  if (check->end - check->p < 4)
    return check_fail (check, "a string does not end");
  for (int i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (*check->p++);

      if (digit < 0)
        return check_fail (check, "a bad \\u escape");
      *unit = *unit * 16 + (guint) digit;
    }
  return TRUE;
}

static gboolean
check_unicode_escape (Check *check)
{
  guint unit, low;

  if (!check_hex4 (check, &unit))
    return FALSE;
  if (unit == 0)
    return check_fail (check, "a string holds NUL");
  if (unit < 0xd800 || unit > 0xdfff)
    return TRUE;
  if (unit > 0xdbff || check->end - check->p < 6 || check->p[0] != '\\' || check->p[1] != 'u')
    return check_fail (check, "half a character (a lone surrogate)");
  check->p += 2;
  if (!check_hex4 (check, &low))
    return FALSE;
  if (low < 0xdc00 || low > 0xdfff)
    return check_fail (check, "half a character (a lone surrogate)");
  return TRUE;
}

static gboolean
check_string (Check *check)
{
  for (check->p++; check->p < check->end;)
    {
      guchar c = (guchar) *check->p++;

      if (c == '"')
        return TRUE;
      if (c < 0x20)
        return check_fail (check, "a control character in a string");
      if (c != '\\')
        continue;
      if (check->p == check->end)
        break;
      c = (guchar) *check->p++;
      if (c == 'u')
        {
          if (!check_unicode_escape (check))
            return FALSE;
        }
      else if (strchr ("\"\\/bfnrt", c) == NULL || c == '\0')
        return check_fail (check, "a bad escape in a string");
    }
  return check_fail (check, "a string does not end");
}

static gboolean
check_digits (Check *check)
{
  const char *start = check->p;

  while (check->p < check->end && g_ascii_isdigit (*check->p))
    check->p++;
  /* Longer ones don't fit a number of ours, and cost json-glib time. */
  if (check->p - start > 32)
    return check_fail (check, "a number is too long");
  return check->p > start || check_fail (check, "a bad number");
}

static gboolean
check_number (Check *check)
{
  if (*check->p == '-')
    check->p++;
  if (check->p < check->end && *check->p == '0')
    check->p++;
  else if (!check_digits (check))
    return FALSE;
  if (check->p < check->end && *check->p == '.')
    {
      check->p++;
      if (!check_digits (check))
        return FALSE;
    }
  if (check->p < check->end && (*check->p == 'e' || *check->p == 'E'))
    {
      check->p++;
      if (check->p < check->end && (*check->p == '+' || *check->p == '-'))
        check->p++;
      if (!check_digits (check))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_literal (Check *check, const char *literal)
{
  gsize length = strlen (literal);

  if ((gsize) (check->end - check->p) < length || memcmp (check->p, literal, length) != 0)
    return check_fail (check, "an unknown word");
  check->p += length;
  return TRUE;
}

static gboolean check_value (Check *check, guint depth);

static gboolean
check_key (Check *check)
{
  check_blanks (check);
  if (check->p == check->end || *check->p != '"')
    return check_fail (check, "a member without a name");
  if (!check_string (check))
    return FALSE;
  check_blanks (check);
  if (check->p == check->end || *check->p != ':')
    return check_fail (check, "a member without a value");
  check->p++;
  return TRUE;
}

static gboolean
check_items (Check *check, char close, guint depth)
{
  if (depth > PERFICA_JSON_MAX_DEPTH)
    return check_fail (check, "nested too deep");
  check->p++;
  check_blanks (check);
  if (check->p < check->end && *check->p == close)
    {
      check->p++;
      return TRUE;
    }
  for (;;)
    {
      if (close == '}' && !check_key (check))
        return FALSE;
      if (!check_value (check, depth))
        return FALSE;
      check_blanks (check);
      if (check->p == check->end)
        return check_fail (check, "it ends too early");
      if (*check->p == close)
        {
          check->p++;
          return TRUE;
        }
      if (*check->p++ != ',')
        return check_fail (check, "a comma is missing");
    }
}

/* Recurses at most PERFICA_JSON_MAX_DEPTH times. */
static gboolean
check_value (Check *check, guint depth)
{
  check_blanks (check);
  if (check->p == check->end)
    return check_fail (check, "it ends too early");
  if (++check->values > PERFICA_JSON_MAX_VALUES)
    return check_fail (check, "too many values");
  switch (*check->p)
    {
    case '{':
      return check_items (check, '}', depth + 1);
    case '[':
      return check_items (check, ']', depth + 1);
    case '"':
      return check_string (check);
    case 't':
      return check_literal (check, "true");
    case 'f':
      return check_literal (check, "false");
    case 'n':
      return check_literal (check, "null");
    default:
      if (*check->p == '-' || g_ascii_isdigit (*check->p))
        return check_number (check);
      return check_fail (check, "an unknown word");
    }
}

gboolean
perfica_json_check (const char *text, gsize length, GError **error)
{
  Check check = { .p = text, .end = text + length };
  gboolean good = TRUE;

  /* Also finds a raw NUL. */
  if (!g_utf8_validate_len (text, length, NULL))
    good = check_fail (&check, "not UTF-8");
  if (good && (good = check_value (&check, 0)))
    {
      check_blanks (&check);
      if (check.p != check.end)
        good = check_fail (&check, "something follows the value");
    }
  if (!good)
    g_set_error (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SYNTAX,
                 "bad JSON near byte %" G_GSIZE_FORMAT ": %s", (gsize) (check.p - text),
                 check.problem);
  return good;
}

JsonNode *
perfica_json_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (JsonParser) parser = NULL;
  g_autoptr (GError) local = NULL;
  JsonNode *root;

  if (!perfica_json_check (text, length, error))
    return NULL;
  parser = json_parser_new_immutable ();
  if (!json_parser_load_from_data (parser, text, (gssize) length, &local))
    {
      g_set_error (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SYNTAX, "bad JSON: %s",
                   local->message);
      return NULL;
    }
  root = json_parser_steal_root (parser);
  if (root == NULL || JSON_NODE_HOLDS_VALUE (root) || JSON_NODE_HOLDS_NULL (root))
    {
      g_set_error_literal (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE,
                           "the message must be an object");
      g_clear_pointer (&root, json_node_unref);
    }
  return root;
}

static gboolean
shape_error (GError **error, const char *name, const char *what)
{
  g_set_error (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SHAPE, "\"%s\" %s", name, what);
  return FALSE;
}

/* The member, or NULL when it is absent or null; FALSE in @good when it must be there. */
static JsonNode *
find_member (
    JsonObject *object, const char *name, PerficaJsonNeed need, gboolean *good, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  *good = TRUE;
  if (node != NULL && !JSON_NODE_HOLDS_NULL (node))
    return node;
  if (need == PERFICA_JSON_REQUIRED)
    *good = shape_error (error, name, "is missing");
  return NULL;
}

static gboolean
node_is_string (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

gboolean
perfica_json_get_string (JsonObject *object,
                         const char *name,
                         PerficaJsonNeed need,
                         gsize max,
                         char **value,
                         GError **error)
{
  gboolean good;
  JsonNode *node = find_member (object, name, need, &good, error);

  *value = NULL;
  if (node == NULL)
    return good;
  if (!node_is_string (node))
    return shape_error (error, name, "must be a string");
  if (strlen (json_node_get_string (node)) > max)
    return shape_error (error, name, "is too long");
  *value = json_node_dup_string (node);
  return TRUE;
}

gboolean
perfica_json_get_int (JsonObject *object,
                      const char *name,
                      PerficaJsonNeed need,
                      gint64 min,
                      gint64 max,
                      gint64 *value,
                      GError **error)
{
  gboolean good;
  JsonNode *node = find_member (object, name, need, &good, error);
  gint64 number;

  if (node == NULL)
    return good;
  if (!JSON_NODE_HOLDS_VALUE (node))
    return shape_error (error, name, "must be a whole number");
  if (json_node_get_value_type (node) == G_TYPE_DOUBLE)
    {
      double d = json_node_get_double (node);

      /* 30.0 is a whole number too; 2^53 bounds what a double can tell apart. */
      if (!(d >= -9007199254740992.0 && d <= 9007199254740992.0) || d != (double) (gint64) d)
        return shape_error (error, name, "must be a whole number");
      number = (gint64) d;
    }
  else if (json_node_get_value_type (node) == G_TYPE_INT64)
    number = json_node_get_int (node);
  else
    return shape_error (error, name, "must be a whole number");
  if (number < min || number > max)
    return shape_error (error, name, "is out of range");
  *value = number;
  return TRUE;
}

gboolean
perfica_json_get_boolean (
    JsonObject *object, const char *name, PerficaJsonNeed need, gboolean *value, GError **error)
{
  gboolean good;
  JsonNode *node = find_member (object, name, need, &good, error);

  if (node == NULL)
    return good;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return shape_error (error, name, "must be true or false");
  *value = json_node_get_boolean (node);
  return TRUE;
}

gboolean
perfica_json_get_object (
    JsonObject *object, const char *name, PerficaJsonNeed need, JsonObject **value, GError **error)
{
  gboolean good;
  JsonNode *node = find_member (object, name, need, &good, error);

  *value = NULL;
  if (node == NULL)
    return good;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return shape_error (error, name, "must be an object");
  *value = json_node_get_object (node);
  return TRUE;
}

gboolean
perfica_json_get_array (JsonObject *object,
                        const char *name,
                        PerficaJsonNeed need,
                        guint max_items,
                        JsonArray **value,
                        GError **error)
{
  gboolean good;
  JsonNode *node = find_member (object, name, need, &good, error);

  *value = NULL;
  if (node == NULL)
    return good;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return shape_error (error, name, "must be an array");
  if (json_array_get_length (json_node_get_array (node)) > max_items)
    return shape_error (error, name, "has too many items");
  *value = json_node_get_array (node);
  return TRUE;
}

gboolean
perfica_json_get_strv (JsonObject *object,
                       const char *name,
                       PerficaJsonNeed need,
                       guint max_items,
                       gsize max_length,
                       char ***value,
                       GError **error)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_free);
  JsonArray *array;

  *value = NULL;
  if (!perfica_json_get_array (object, name, need, max_items, &array, error))
    return FALSE;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (!node_is_string (node))
        return shape_error (error, name, "must hold strings only");
      if (strlen (json_node_get_string (node)) > max_length)
        return shape_error (error, name, "holds a text that is too long");
      g_ptr_array_add (items, json_node_dup_string (node));
    }
  g_ptr_array_add (items, NULL);
  *value = (char **) g_ptr_array_free (g_steal_pointer (&items), FALSE);
  return TRUE;
}

void
perfica_json_writer_init (PerficaJsonWriter *writer)
{
  writer->text = g_string_sized_new (256);
  writer->comma = FALSE;
}

static void
append_quoted (GString *text, const char *value, gsize length)
{
  static const char hex[] = "0123456789abcdef";
  const char *run = value, *end = value + length;

  g_string_append_c (text, '"');
  for (const char *p = value; p < end; p++)
    {
      guchar c = (guchar) *p;

      if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
        continue;
      g_string_append_len (text, run, p - run);
      run = p + 1;
      if (c == '"' || c == '\\')
        {
          g_string_append_c (text, '\\');
          g_string_append_c (text, (char) c);
        }
      else if (c == '\n')
        g_string_append (text, "\\n");
      else if (c == '\t')
        g_string_append (text, "\\t");
      else
        {
          g_string_append (text, "\\u00");
          g_string_append_c (text, hex[c >> 4]);
          g_string_append_c (text, hex[c & 15]);
        }
    }
  g_string_append_len (text, run, end - run);
  g_string_append_c (text, '"');
}

static void
begin_value (PerficaJsonWriter *writer, const char *name)
{
  if (writer->comma)
    g_string_append_c (writer->text, ',');
  writer->comma = TRUE;
  if (name == NULL)
    return;
  append_quoted (writer->text, name, strlen (name));
  g_string_append_c (writer->text, ':');
}

void
perfica_json_writer_open (PerficaJsonWriter *writer, const char *name, char bracket)
{
  begin_value (writer, name);
  g_string_append_c (writer->text, bracket);
  writer->comma = FALSE;
}

void
perfica_json_writer_close (PerficaJsonWriter *writer, char bracket)
{
  g_string_append_c (writer->text, bracket);
  writer->comma = TRUE;
}

void
perfica_json_writer_string (PerficaJsonWriter *writer, const char *name, const char *value)
{
  perfica_json_writer_string_max (writer, name, value, G_MAXSIZE);
}

void
perfica_json_writer_string_max (PerficaJsonWriter *writer,
                                const char *name,
                                const char *value,
                                gsize max)
{
  g_autofree char *valid = NULL;
  gsize length;

  if (value == NULL)
    return;
  length = strlen (value);
  if (!g_utf8_validate_len (value, length, NULL))
    {
      value = valid = g_utf8_make_valid (value, (gssize) length);
      length = strlen (valid);
    }
  if (length > max)
    {
      length = max;
      while (length > 0 && ((guchar) value[length] & 0xc0) == 0x80)
        length--;
    }
  begin_value (writer, name);
  append_quoted (writer->text, value, length);
}

void
perfica_json_writer_int (PerficaJsonWriter *writer, const char *name, gint64 value)
{
  begin_value (writer, name);
  g_string_append_printf (writer->text, "%" G_GINT64_FORMAT, value);
}

void
perfica_json_writer_boolean (PerficaJsonWriter *writer, const char *name, gboolean value)
{
  begin_value (writer, name);
  g_string_append (writer->text, value ? "true" : "false");
}

void
perfica_json_writer_strv (PerficaJsonWriter *writer, const char *name, const char *const *values)
{
  perfica_json_writer_open (writer, name, '[');
  for (; values != NULL && *values != NULL; values++)
    perfica_json_writer_string (writer, NULL, *values);
  perfica_json_writer_close (writer, ']');
}

void
perfica_json_writer_raw (PerficaJsonWriter *writer, const char *name, const char *json)
{
  begin_value (writer, name);
  g_string_append (writer->text, json);
}

char *
perfica_json_writer_end (PerficaJsonWriter *writer)
{
  writer->comma = FALSE;
  return g_string_free (g_steal_pointer (&writer->text), FALSE);
}
