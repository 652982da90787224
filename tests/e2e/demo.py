#!/usr/bin/python3
"""The demonstration: a sample project, an agent over MCP, the real app on a virtual screen.

Prints a table of what was asked, what was answered and why; leaves pictures in build/demo/.
"""

import os
import shutil
import sys
import time
from pathlib import Path

from harness import BUILD, ROOT, App, Home, Screen, attach, content, wait_for

FILES = {
    ".gitignore": "build/\n",
    ".env": "API_KEY=not-a-real-one\n",
    "log": "one line\n",
    "add.h": "int add (int a, int b);\n",
    "add.c": '#include "add.h"\n\nint\nadd (int a, int b)\n{\n  return a + b;\n}\n',
    "test.c": ('#include <stdio.h>\n#include "add.h"\n\nint\nmain (void)\n{\n  int good = add (2, 3) == 5;\n'
               '  printf ("%s 1 - add\\n", good ? "ok" : "not ok");\n  return !good;\n}\n'),
    "pack.c": ('#include <errno.h>\n#include <stdio.h>\n#include <string.h>\n\nint\nmain (void)\n{\n'
               '  FILE *file = fopen ("/usr/local/share/packed.tar", "w");\n  if (file == NULL)\n    {\n'
               '      fprintf (stderr, "pack: /usr/local/share/packed.tar: %s\\n", strerror (errno));\n      return 1;\n    }\n'
               '  fputs ("packed", file);\n  return fclose (file);\n}\n'),
    "Makefile": ("all: build/test\n\nbuild/test: test.c add.c\n\t@mkdir -p build\n\t$(CC) -o $@ test.c add.c\n\n"
                 "test: build/test\n\t./build/test\n\npackage: pack.c\n\t@mkdir -p build\n\t$(CC) -o build/pack pack.c\n"
                 "\t./build/pack\n"),
}


def why_of(result):
    if result.get("message"):
        return result["message"]
    findings = result.get("verdict", {}).get("findings") or []
    return findings[0]["text"] if findings else ""


def answer_of(result, asked):
    name = result["outcome"]
    return f"{'asked, ' if asked else ''}{'allowed' if name == 'ran' else name}"


def table(rows):
    heads = ("command", "answer", "why", "exit", "seconds")
    lines = ["| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"]
    for command, answer, why, code, seconds in rows:
        why = " ".join(why.split()).replace("|", "\\|")
        lines.append(f"| `{command}` | {answer} | {why} | {code} | {seconds:.1f} |")
    return "\n".join(lines)


def demonstrate(screen, home, pictures):
    folder = home.project(files=FILES)
    app = App(screen, home, folder)
    client = attach(app, folder)
    rows = []

    def record(command, result, began, asked=False):
        code = result.get("exit_code")
        rows.append((command, answer_of(result, asked), why_of(result), code if result["outcome"] == "ran" else "",
                     time.monotonic() - began))

    def send(command):
        began = time.monotonic()
        record(command, content(client.run(command)), began)

    try:
        send("make test")
        send("git push --force origin main")
        (folder / "add.h").write_text("/* Adds. */\n" + FILES["add.h"])
        began = time.monotonic()
        number = client.start("git commit -am demo")
        wait_for("the prompt", lambda: app.find("Allow once"))
        time.sleep(1.3)
        screen.picture(pictures / "prompt.png")
        app.answer("Allow once")
        record("git commit -am demo", content(client.answer(number)), began, asked=True)
        wait_for("the prompt to go", lambda: app.find("Allow once") is None)
        app.click("Board settings")
        app.choose("Sandbox agent commands", "On")
        send("make package")
        send("tail -f log")
        send("cat .env")
        app.click("Activity")
        time.sleep(0.7)
        screen.picture(pictures / "window.png")
        app.click_last("Run in terminal")
        time.sleep(2.5)
        screen.picture(pictures / "dock.png")
        if Path("/usr/local/share/packed.tar").exists():
            raise AssertionError("the build wrote outside its folder")
    finally:
        client.close()
        app.close()
    return rows


def libraries_to(path):
    """What libraries of this process print goes to a file; our own words stay on standard error."""
    ours = os.fdopen(os.dup(2), "w", buffering=1)
    with open(path, "w") as log:
        os.dup2(log.fileno(), 2)
    sys.stderr = ours


def main():
    pictures = BUILD / "demo"
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    libraries_to(pictures / "libraries.log")
    home, screen = Home(), None
    try:
        screen = Screen()
        rows = demonstrate(screen, home, pictures)
    except AssertionError as error:
        if screen:
            screen.picture(pictures / "failed.png")
        print(f"The demonstration failed: {error}", file=sys.stderr)
        log = home.top / "perfica.log"
        if log.exists():
            print(log.read_text()[-2000:], file=sys.stderr)
        return 1
    finally:
        if screen:
            screen.close()
        home.close()
    text = table(rows)
    (pictures / "table.md").write_text(text + "\n")
    print(text)
    print("\nPictures: " + ", ".join(str(p.relative_to(ROOT)) for p in sorted(pictures.glob("*.png"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
