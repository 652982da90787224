/* Addresses, hosts, remotes, images, modules and packages: which of them lead where they may.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

#include <string.h>

typedef struct
{
  const char *text;
  const char *rule; /* the first; "" if there is none */
} Case;

static const Case urls[] = {
  { "https://github.com/x/y", "" },
  { "https://GitHub.COM/x", "" },
  { "https://github.com./x", "" },
  { "https://raw.githubusercontent.com/x/y/main/a", "" },
  { "github.com/x/y", "" },
  { "http://localhost:3000/a?b=c", "" },
  { "http://app.localhost:3000", "" },
  { "http://127.0.0.1:8080", "" },
  { "http://127.1.2.3/", "" },
  { "http://[::1]:3000/", "" },
  { "http://\020::1\021:3000/", "" },
  { "localhost:3000/x", "" },
  { "https://pypi.org/simple", "" },
  { "https://crates.io/api/v1/crates/x", "" },
  { "https://hub.docker.com/v2/", "" },
  { "https://evil.example/", "hosts.foreign" },
  { "evil.example/x", "hosts.foreign" },
  { "https://github.com.evil.example/", "hosts.foreign" },
  { "https://evilgithub.com/", "hosts.foreign" },
  { "https://evil.example#github.com", "hosts.foreign" },
  { "https://evil.example?github.com", "hosts.foreign" },
  { "https://evil.example\\@github.com", "hosts.foreign" },
  { "https://github.com@evil.example/", "hosts.userinfo" },
  { "https://user:pass@github.com/", "hosts.userinfo" },
  { "http://0x7f000001/", "hosts.foreign" },
  { "http://2130706433/", "hosts.foreign" },
  { "http://0177.0.0.1/", "hosts.foreign" },
  { "http://127.1/", "hosts.foreign" },
  { "http://192.168.1.1/", "hosts.foreign" },
  { "http://[::ffff:1.2.3.4]/", "hosts.foreign" },
  { "http://[::1/", "hosts.foreign" },
  { "https://xn--gthub-n4a.com/", "hosts.foreign" },
  { "https://g\xc4\xb1thub.com/", "hosts.foreign" },
  { "https://github.com%00.evil.example/", "hosts.foreign" },
  { "https:///x", "hosts.foreign" },
  { "gopher://github.com/", "hosts.scheme" },
  { "file:///etc/passwd", "paths.outside" },
  { "file://", "" },
  { "https://\001/", "hosts.unknown" },
  { "https://github.com/\001", "" },
  { "https://a\001.github.com/", "hosts.unknown" },
  { "", "" },
};

static const Case remotes[] = {
  { "origin", "" },
  { "https://github.com/x/y.git", "" },
  { "git@github.com:x/y.git", "" },
  { "ssh://git@github.com/x/y.git", "" },
  { "https://evil.example/x.git", "hosts.foreign" },
  { "git@evil.example:x.git", "hosts.foreign" },
  { "ext::sh -c id", "git.transport" },
  { "../other", "paths.outside" },
  { "./vendor/x", "" },
};

static const Case images[] = {
  { "alpine", "" },
  { "node:20", "" },
  { "user/app:latest", "" },
  { "docker.io/library/node", "" },
  { "ghcr.io/x/y:1", "" },
  { "localhost:5000/x", "" },
  { "evil.example/x", "hosts.foreign" },
  { "evil.example:5000/x", "hosts.foreign" },
};

static const Case modules[] = {
  { "github.com/x/y", "" },
  { "github.com/x/y@v1.2.3", "" },
  { "golang.org/x/tools@latest", "" },
  { "./cmd/app", "" },
  { ".", "" },
  { "evil.example/cmd@latest", "hosts.foreign" },
  { "../other", "" }, /* a folder: its operand's path is judged elsewhere */
};

static const Case packages[] = {
  { "lodash", "" },
  { "lodash@4", "" },
  { "@types/node@20", "" },
  { "requests>=2", "" },
  { "./local", "" },
  { "github:x/y", "" },
  { "x/y", "" },
  { "git+https://github.com/x/y@main", "" },
  { "https://evil.example/x.tgz", "hosts.foreign" },
  { "git+https://evil.example/x", "hosts.foreign" },
  { "git+ssh://git@evil.example/x", "hosts.foreign" },
  { "../other", "paths.outside" },
  { "/opt/x", "paths.outside" },
};

static void
check (const char *text, const char *what, const char *rule)
{
  static const GuardSpan span = { 0, 1 };
  g_autoptr (Unit) unit = unit_new (":");
  GuardContext *context = &unit->context;
  g_autofree char *rules = NULL;
  g_autofree char *shown = unit_shown (text);
  g_autofree char *line = g_strdup_printf ("%s %s", what, shown);

  if (strcmp (what, "url") == 0)
    guard_url_check (context, &unit->state, text, span, FALSE);
  else if (strcmp (what, "remote") == 0)
    guard_remote_check (context, &unit->state, text, span);
  else if (strcmp (what, "image") == 0)
    guard_image_check (context, text, span);
  else if (strcmp (what, "module") == 0)
    guard_module_check (context, text, span);
  else
    guard_package_check (context, &unit->state, text, span);
  rules = unit_rules (unit);
  rules[strcspn (rules, " ")] = '\0';
  unit_assert (line, rules, rule);
}

static void
test_urls (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (urls); i++)
    check (urls[i].text, "url", urls[i].rule);
}

static void
test_others (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (remotes); i++)
    check (remotes[i].text, "remote", remotes[i].rule);
  for (gsize i = 0; i < G_N_ELEMENTS (images); i++)
    check (images[i].text, "image", images[i].rule);
  for (gsize i = 0; i < G_N_ELEMENTS (modules); i++)
    check (modules[i].text, "module", modules[i].rule);
  for (gsize i = 0; i < G_N_ELEMENTS (packages); i++)
    check (packages[i].text, "package", packages[i].rule);
}

static void
test_schemes (void)
{
  g_assert_true (guard_url_has_scheme ("https://x"));
  g_assert_true (guard_url_has_scheme ("git+ssh://x"));
  g_assert_false (guard_url_has_scheme ("://x"));
  g_assert_false (guard_url_has_scheme ("https:/x"));
  g_assert_false (guard_url_has_scheme ("a b://x"));
  g_assert_false (guard_url_has_scheme ("x"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/hosts/urls", test_urls);
  g_test_add_func ("/guard/hosts/others", test_others);
  g_test_add_func ("/guard/hosts/schemes", test_schemes);
  return g_test_run ();
}
