/* What is seen in code: literals used as paths, addresses and commands; printed text is none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "unit.h"

static const struct
{
  const char *language;
  const char *code;
  const char *rules; /* besides inline.code */
} cases[] = {
  { "python", "print(1)", "" },
  { "python", "print('/etc/passwd')", "" },
  { "python", "open('/etc/passwd').read()", "paths.outside" },
  { "python", "open('src/a.c').read()", "" },
  { "python", "open('.env')", "secrets.file" },
  { "python", "print(open('.env').read())", "secrets.file" },
  { "python", "# open('/etc/passwd')\nx = 1", "" },
  { "python", "open('''/etc/passwd''')", "paths.outside" },
  { "python", "open('\\x2fetc/passwd')", "paths.outside" },
  { "python", "import os; os.system('git push --force')", "git.force-push git.ask" },
  { "python", "import os; os.system('ls src')", "" },
  { "python", "import subprocess; subprocess.run(['git','push','-f'])", "git.force-push git.ask" },
  { "python", "import subprocess as s; s.run('rm -rf /', shell=True)", "paths.outside" },
  { "python", "import shutil; shutil.rmtree('/var/x')", "paths.outside" },
  { "python", "import shutil; shutil.rmtree('.git')", "paths.git" },
  { "python", "import requests; requests.get('https://evil.example/')", "hosts.foreign" },
  { "python", "import requests; requests.get('https://github.com/')", "" },
  { "python", "x = 'it''s'; print(x)", "" },
  { "javascript", "console.log('/etc/passwd')", "" },
  { "javascript", "require('fs').readFileSync('/etc/passwd')", "paths.outside" },
  { "javascript", "require('child_process').execSync('git reset --hard')",
    "git.reset-hard git.ask" },
  { "javascript", "// fs.readFileSync('/etc/passwd')\n1", "" },
  { "javascript", "fetch(`https://evil.example/`)", "hosts.foreign" },
  { "javascript", "require('node:fs').existsSync('a.txt')", "" },
  { "javascript", "'a/b'.split('/')", "" },
  { "javascript", "'x'.replace(/\\/etc/, '')", "" },
  { "ruby", "puts '/etc/passwd'", "" },
  { "ruby", "File.read('/etc/passwd')", "paths.outside" },
  { "ruby", "system 'sudo ls'", "permission.elevate" },
  { "ruby", "`git push -f`", "git.force-push git.ask" },
  { "ruby", "%x(git push -f)", "git.force-push git.ask" },
  { "perl", "unlink('/etc/x')", "paths.outside" },
  { "perl", "system('git clean -fd')", "git.clean git.ask" },
  { "php", "echo '/etc/passwd';", "" },
  { "php", "unlink('../x');", "paths.outside" },
  { "lua", "os.execute('git push --force')", "git.force-push git.ask" },
};

static void
test_code (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Unit) unit = unit_new (":");
      g_autofree char *rules = NULL;

      guard_inline_check (&unit->context, &unit->state, cases[i].language, cases[i].code,
                          (GuardSpan){ 0, 1 }, FALSE, 0);
      rules = unit_rules (unit);
      unit_assert (cases[i].code, rules, cases[i].rules);
    }
}

/* Awk and sed are read for what they do, and ask for nothing by themselves. */
static void
test_small_languages (void)
{
  static const struct
  {
    const char *language, *code, *rules;
  } lines[] = {
    { "awk", "{ print $1 }", "" },
    { "awk", "/system\\(/ { print }", "" },
    { "awk", "BEGIN { system(\"ls\") }", "code.awk-command" },
    { "awk", "{ print > \"/tmp/x\" }", "paths.tmp" },
    { "awk", "{ print > \"x.txt\" }", "" },
    { "awk", "{ getline x < \".env\" }", "secrets.file" },
    { "awk", "{ print | \"sort\" }", "code.awk-command" },
    { "sed", "s/a/b/g", "" },
    { "sed", "s,/etc,/opt,", "" },
    { "sed", "1,3d", "" },
    { "sed", "s/a/id/e", "code.sed-command" },
    { "sed", "1e id", "code.sed-command" },
    { "sed", "w /tmp/x", "paths.tmp" },
    { "sed", "r /etc/passwd", "paths.outside" },
    { "sed", "s/a/b/w out.txt", "" },
    { "sed", "/x/{s/a/b/;p}", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (Unit) unit = unit_new (":");
      g_autofree char *rules = NULL;

      if (lines[i].language[0] == 'a')
        guard_awk_check (&unit->context, &unit->state, lines[i].code, (GuardSpan){ 0, 1 });
      else
        guard_sed_check (&unit->context, &unit->state, lines[i].code, (GuardSpan){ 0, 1 });
      rules = unit_rules (unit);
      unit_assert (lines[i].code, rules, lines[i].rules);
    }
}

/* A file's bytes reach people's eyes only as text. */
static void
test_bytes (void)
{
  static const char *const lines[] = { "open('/etc/\xff\xfe')", "open('/etc/\xc3')",
                                       "open('../\xe6\xbc')" };
  g_autofree char *end = g_strnfill (5000, 'x');
  g_autofree char *many = g_strdup_printf ("open('/etc/%s\xc3\xa9\xc3\xa9\xc3\xa9')", end);

  for (gsize i = 0; i <= G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (Unit) unit = unit_new (":");

      guard_inline_check (&unit->context, &unit->state, "python",
                          i < G_N_ELEMENTS (lines) ? lines[i] : many, (GuardSpan){ 0, 1 }, FALSE,
                          0);
      for (guint j = 0; j < unit->context.findings->len; j++)
        {
          g_autofree char *text = guard_finding_text (unit->context.findings->pdata[j], NULL);

          g_assert_true (g_utf8_validate (text, -1, NULL));
        }
      if (i < G_N_ELEMENTS (lines))
        g_assert_cmpuint (unit->context.findings->len, >, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/inline/code", test_code);
  g_test_add_func ("/guard/inline/small", test_small_languages);
  g_test_add_func ("/guard/inline/bytes", test_bytes);
  return g_test_run ();
}
