/* Which names look like secrets, and which globs name one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

static void
test_names (void)
{
  static const char *const secrets[] = {
    ".env",
    ".env.local",
    ".ENV",
    "config/.env",
    ".envrc",
    "id_rsa",
    "a/id_ed25519",
    "server.pem",
    "server.key",
    "server.crt",
    "x.p12",
    "app.keystore",
    ".npmrc",
    ".netrc",
    ".pypirc",
    ".pgpass",
    ".git-credentials",
    ".htpasswd",
    "terraform.tfvars",
    "secrets.yml",
    "secrets.json",
    "credentials.json",
    "service-account.json",
    "token.json",
    ".aws/credentials",
    ".kube/config",
    ".docker/config.json",
    ".ssh/config",
    ".ssh",
    ".ssh/known_hosts",
    "a/.ssh/b",
    ".env/",
    ".gnupg/x",
  };
  static const char *const plain[] = {
    "",
    "a",
    ".env.example",
    ".env.sample",
    ".env.template",
    "env",
    "env.ts",
    "environment.yml",
    "process.env",
    "id_rsa.pub",
    "x.pub",
    "keys.ts",
    "keyboard.c",
    "secrets.ts",
    "credentials.ts",
    "token.c",
    "pem.c",
    "certificate.md",
    "docker/config.json",
    "kube/config",
    "public_key_test.go",
    "config.json",
    "package.json",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (secrets); i++)
    if (guard_secret_what (secrets[i], FALSE) == NULL)
      {
        g_test_message ("%s is no secret", secrets[i]);
        g_test_fail ();
      }
  for (gsize i = 0; i < G_N_ELEMENTS (plain); i++)
    if (guard_secret_what (plain[i], FALSE) != NULL)
      {
        g_test_message ("%s is a secret", plain[i]);
        g_test_fail ();
      }
}

static void
test_last_only (void)
{
  g_assert_nonnull (guard_secret_what (".ssh/x", FALSE));
  g_assert_nonnull (guard_secret_what ("a/.env", TRUE));
  g_assert_null (guard_secret_what (".env/a", TRUE));
}

static void
test_globs (void)
{
  /* \016 and \017 are a live * and ?, \020…\021 a set. */
  static const char *const secrets[] = { ".e\016",     ".en\017", ".env\016",     "\016.pem",
                                         "a/\016.key", "id_\016", ".en\020v\021", "id_rs\017" };
  static const char *const plain[] = { "\016",  "\016.c",    "src/\016.ts",  "\016.json",
                                       "a\016", "\016.\016", "\016.example", "\017" };

  for (gsize i = 0; i < G_N_ELEMENTS (secrets); i++)
    if (!guard_secret_glob (secrets[i]))
      {
        g_autofree char *shown = unit_shown (secrets[i]);

        g_test_message ("%s names no secret", shown);
        g_test_fail ();
      }
  for (gsize i = 0; i < G_N_ELEMENTS (plain); i++)
    if (guard_secret_glob (plain[i]))
      {
        g_autofree char *shown = unit_shown (plain[i]);

        g_test_message ("%s names a secret", shown);
        g_test_fail ();
      }
}

static void
test_patterns (void)
{
  static const struct
  {
    const char *pattern, *text;
    gboolean fold, fits;
  } cases[] = {
    { "a*", "abc", FALSE, TRUE },      { "*c", "abc", FALSE, TRUE },
    { "a?c", "abc", FALSE, TRUE },     { "a?c", "ac", FALSE, FALSE },
    { "[ab]x", "bx", FALSE, TRUE },    { "[!ab]x", "bx", FALSE, FALSE },
    { "[a-c]x", "bx", FALSE, TRUE },   { "*", "", FALSE, TRUE },
    { "", "", FALSE, TRUE },           { "", "a", FALSE, FALSE },
    { "ABC", "abc", TRUE, TRUE },      { "ABC", "abc", FALSE, FALSE },
    { "a*b*c", "a1b2c", FALSE, TRUE }, { "a*b*c", "a1c", FALSE, FALSE },
    { "\\*", "*", FALSE, TRUE },       { "\\*", "a", FALSE, FALSE },
    { "*", "a/b", FALSE, TRUE },       { ".*", ".a", FALSE, TRUE },
    { "a**b", "ab", FALSE, TRUE },     { "[", "[", FALSE, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    if (guard_glob_match (cases[i].pattern, cases[i].text, cases[i].fold) != cases[i].fits)
      {
        g_test_message ("%s and %s", cases[i].pattern, cases[i].text);
        g_test_fail ();
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/secrets/names", test_names);
  g_test_add_func ("/guard/secrets/last-only", test_last_only);
  g_test_add_func ("/guard/secrets/globs", test_globs);
  g_test_add_func ("/guard/secrets/patterns", test_patterns);
  return g_test_run ();
}
