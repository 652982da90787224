/* JSON text: what is let in, and what is written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "perfica-json.h"

typedef struct
{
  const char *text;
  gboolean good;
} Case;

static const Case cases[] = {
  { "{}", TRUE },
  { "[]", TRUE },
  { " { \"a\" : [ 1 , -2.5e+3 , true , false , null , \"x\" ] } \n", TRUE },
  { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"", TRUE },
  { "\"\\ud83d\\ude00\"", TRUE },
  { "\"\xf0\x9f\x98\x80\"", TRUE },
  { "0", TRUE },
  { "-0.5", TRUE },
  { "", FALSE },
  { "  ", FALSE },
  { "{", FALSE },
  { "{\"a\"}", FALSE },
  { "{\"a\":}", FALSE },
  { "{\"a\":1,}", FALSE },
  { "[1,]", FALSE },
  { "[1 2]", FALSE },
  { "{a:1}", FALSE },
  { "{'a':1}", FALSE },
  { "{} {}", FALSE },
  { "// note\n{}", FALSE },
  { "/* note */{}", FALSE },
  { "01", FALSE },
  { "1.", FALSE },
  { "-", FALSE },
  { "+1", FALSE },
  { "0x10", FALSE },
  { "1e", FALSE },
  { "111111111111111111111111111111111", FALSE },
  { "tru", FALSE },
  { "True", FALSE },
  { "NaN", FALSE },
  { "\"", FALSE },
  { "\"\\\"", FALSE },
  { "\"\\x41\"", FALSE },
  { "\"\\u004\"", FALSE },
  { "\"\\u00zz\"", FALSE },
  { "\"\\u0000\"", FALSE },
  { "\"\\ud800\"", FALSE },
  { "\"\\ud800x\"", FALSE },
  { "\"\\ud800\\n\"", FALSE },
  { "\"\\ud800\\ud800\"", FALSE },
  { "\"\\udc00\"", FALSE },
  { "\"\\udc00\\ud800\"", FALSE },
  { "\"a\nb\"", FALSE },
  { "\"a\tb\"", FALSE },
  { "\"\xff\"", FALSE },
  { "\"\xc3\"", FALSE },
  { "\"\xed\xa0\x80\"", FALSE },
};

static void
test_check (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      /* An exact allocation, so that reading past its end is seen. */
      gsize length = strlen (cases[i].text);
      g_autofree char *exact = g_memdup2 (cases[i].text, length);
      gboolean good = perfica_json_check (exact != NULL ? exact : "", length, &error);

      if (good != cases[i].good)
        g_error ("%s: %s", cases[i].text, good ? "was let in" : error->message);
      g_assert_true (good ||
                     g_error_matches (error, PERFICA_JSON_ERROR, PERFICA_JSON_ERROR_SYNTAX));
    }
  g_assert_false (perfica_json_check ("{}\0", 3, NULL));
  g_assert_false (perfica_json_check ("\"a\0b\"", 5, NULL));
}

static void
test_limits (void)
{
  for (int extra = 0; extra <= 1; extra++)
    {
      g_autoptr (GString) deep = g_string_new (NULL);
      g_autoptr (GString) many = g_string_new ("[");

      for (int i = 0; i < PERFICA_JSON_MAX_DEPTH + extra; i++)
        g_string_append_c (deep, '[');
      for (int i = 0; i < PERFICA_JSON_MAX_DEPTH + extra; i++)
        g_string_append_c (deep, ']');
      g_assert_cmpint (perfica_json_check (deep->str, deep->len, NULL), ==, extra == 0);
      for (int i = 0; i < PERFICA_JSON_MAX_VALUES - 1 + extra; i++)
        g_string_append (many, i == 0 ? "1" : ",1");
      g_string_append_c (many, ']');
      g_assert_cmpint (perfica_json_check (many->str, many->len, NULL), ==, extra == 0);
    }
}

static void
test_deep_is_cheap (void)
{
  g_autofree char *bombs = g_strnfill (1000000, '[');

  g_assert_null (perfica_json_parse (bombs, 1000000, NULL));
}

static void
test_members (void)
{
  const char *text = "{\"s\":\"text\",\"n\":7,\"d\":7.0,\"f\":7.5,\"b\":true,\"z\":null,"
                     "\"a\":[\"x\",\"y\"],\"m\":[\"x\",1],\"o\":{},\"big\":99999999999999999999}";
  g_autoptr (JsonNode) node = perfica_json_parse (text, strlen (text), NULL);
  JsonObject *o = json_node_get_object (node);
  JsonObject *sub;
  char *s = NULL;
  char **v = NULL;
  gint64 n = 0;
  gboolean b = FALSE;

  g_assert_true (perfica_json_get_string (o, "s", PERFICA_JSON_REQUIRED, 4, &s, NULL));
  g_assert_cmpstr (s, ==, "text");
  g_clear_pointer (&s, g_free);
  g_assert_false (perfica_json_get_string (o, "s", PERFICA_JSON_REQUIRED, 3, &s, NULL));
  g_assert_false (perfica_json_get_string (o, "n", PERFICA_JSON_OPTIONAL, 9, &s, NULL));
  g_assert_false (perfica_json_get_string (o, "z", PERFICA_JSON_REQUIRED, 9, &s, NULL));
  g_assert_true (perfica_json_get_string (o, "z", PERFICA_JSON_OPTIONAL, 9, &s, NULL));
  g_assert_null (s);
  g_assert_true (perfica_json_get_int (o, "n", PERFICA_JSON_REQUIRED, 7, 7, &n, NULL));
  g_assert_cmpint (n, ==, 7);
  g_assert_true (perfica_json_get_int (o, "d", PERFICA_JSON_REQUIRED, 7, 7, &n, NULL));
  g_assert_false (perfica_json_get_int (o, "n", PERFICA_JSON_REQUIRED, 8, 9, &n, NULL));
  g_assert_false (perfica_json_get_int (o, "f", PERFICA_JSON_REQUIRED, 0, 9, &n, NULL));
  g_assert_false (perfica_json_get_int (o, "b", PERFICA_JSON_REQUIRED, 0, 9, &n, NULL));
  g_assert_false (perfica_json_get_int (o, "big", PERFICA_JSON_REQUIRED, 1, 1000000, &n, NULL));
  g_assert_true (perfica_json_get_boolean (o, "b", PERFICA_JSON_REQUIRED, &b, NULL));
  g_assert_true (b);
  g_assert_false (perfica_json_get_boolean (o, "n", PERFICA_JSON_REQUIRED, &b, NULL));
  g_assert_true (perfica_json_get_strv (o, "a", PERFICA_JSON_REQUIRED, 2, 1, &v, NULL));
  g_assert_cmpuint (g_strv_length (v), ==, 2);
  g_clear_pointer (&v, g_strfreev);
  g_assert_false (perfica_json_get_strv (o, "a", PERFICA_JSON_REQUIRED, 1, 1, &v, NULL));
  g_assert_false (perfica_json_get_strv (o, "m", PERFICA_JSON_REQUIRED, 2, 1, &v, NULL));
  g_assert_true (perfica_json_get_object (o, "o", PERFICA_JSON_REQUIRED, &sub, NULL));
  g_assert_false (perfica_json_get_object (o, "a", PERFICA_JSON_REQUIRED, &sub, NULL));
}

static void
test_writer (void)
{
  const char *const list[] = { "a", "b", NULL };
  PerficaJsonWriter w;
  g_autofree char *text = NULL;

  perfica_json_writer_init (&w);
  perfica_json_writer_open (&w, NULL, '{');
  perfica_json_writer_string (&w, "s", "q\" b\\ n\n t\t c\001 d\177 \303\244");
  perfica_json_writer_string (&w, "absent", NULL);
  perfica_json_writer_string (&w, "bad", "x\377y");
  perfica_json_writer_string_max (&w, "cut", "ab\303\244", 3);
  perfica_json_writer_int (&w, "n", -5);
  perfica_json_writer_boolean (&w, "b", FALSE);
  perfica_json_writer_strv (&w, "l", list);
  perfica_json_writer_open (&w, "o", '{');
  perfica_json_writer_close (&w, '}');
  perfica_json_writer_raw (&w, "r", "[1]");
  perfica_json_writer_close (&w, '}');
  text = perfica_json_writer_end (&w);
  g_assert_cmpstr (text, ==,
                   "{\"s\":\"q\\\" b\\\\ n\\n t\\t c\\u0001 d\\u007f \303\244\","
                   "\"bad\":\"x\357\277\275y\",\"cut\":\"ab\",\"n\":-5,\"b\":false,"
                   "\"l\":[\"a\",\"b\"],\"o\":{},\"r\":[1]}");
  g_assert_true (perfica_json_check (text, strlen (text), NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire/json/check", test_check);
  g_test_add_func ("/wire/json/limits", test_limits);
  g_test_add_func ("/wire/json/deep-is-cheap", test_deep_is_cheap);
  g_test_add_func ("/wire/json/members", test_members);
  g_test_add_func ("/wire/json/writer", test_writer);
  return g_test_run ();
}
