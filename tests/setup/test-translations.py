#!/usr/bin/env python3
"""Every marked string reaches the translators, every catalogue is whole and well formed, and a person sees it."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
AGENT = Path(sys.argv[1]).resolve()
# A locale for each language.
LOCALES = {"de": "de_DE", "fr": "fr_FR", "es": "es_ES", "pt_BR": "pt_BR"}


class Tap:
    def __init__(self):
        self.count = self.failures = 0

    def ok(self, good, name, seen=""):
        self.count += 1
        self.failures += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        if not good:
            print("".join(f"# {line}\n" for line in str(seen).splitlines()), end="")


def languages():
    lines = (ROOT / "po/LINGUAS").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def catalogue(tap, language):
    path = ROOT / "po" / f"{language}.po"
    done = subprocess.run(["msgfmt", "-c", "--statistics", "-o", os.devnull, str(path)], capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C"})
    tap.ok(done.returncode == 0, f"{language}: well formed, placeholders and all", done.stderr)
    tap.ok(re.search(r"\d+ translated", done.stderr) and "fuzzy" not in done.stderr and "untranslated" not in done.stderr,
           f"{language}: whole", done.stderr)
    text = subprocess.run(["msgcat", "--no-wrap", str(path)], capture_output=True, text=True, check=True).stdout
    for source, target in re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', text, flags=re.M):
        wanted, got = (sorted(re.findall(r"\{[0-9a-z]+\}", t)) for t in (source, target))
        if wanted != got:
            tap.ok(False, f"{language}: keeps the places of {source[:50]}", target)


def shown(tap, language, folder):
    """A locale of our own, so that the test doesn't depend on those of the system."""
    made = subprocess.run(["localedef", "-i", LOCALES[language], "-f", "UTF-8", str(folder / LOCALES[language])],
                          capture_output=True, text=True)
    if not (folder / LOCALES[language]).exists():
        tap.ok(True, f"{language}: shown # SKIP no locale can be made here: {made.stderr.strip()[:80]}")
        return

    def says(locale):
        environment = {**os.environ, "LOCPATH": str(folder), "LC_ALL": locale, "LANGUAGE": ""}
        return subprocess.run([str(AGENT), "check", "rm -rf /"], capture_output=True, text=True, env=environment,
                              timeout=30, cwd=folder).stdout.strip()

    english, own = says("C"), says(LOCALES[language])
    tap.ok(english and own and english != own and "(paths.outside)" in own, f"{language}: a person sees it from the build folder",
           f"{english}\n{own}")


def main():
    tap = Tap()
    done = subprocess.run([str(ROOT / "po/update"), "--check"], capture_output=True, text=True)
    tap.ok(done.returncode == 0, "every file with marked strings is in POTFILES, every sentence of the rules too",
           done.stdout + done.stderr)
    folder = Path(tempfile.mkdtemp(prefix="perfica-locales-"))
    for language in languages():
        catalogue(tap, language)
        shown(tap, language, folder)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"1..{tap.count}")
    return 1 if tap.failures else 0


if __name__ == "__main__":
    sys.exit(main())
