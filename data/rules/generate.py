#!/usr/bin/env python3
# Checks data/rules/*.json strictly and compiles them to const C tables.
#
# SPDX-License-Identifier: GPL-3.0-or-later
import contextlib
import json
import os
import sys

ROLES = ("none text maybe read write delete folder move edit cwd link hardlink names pathspec "
         "revision revpath remote git-config url host image module package at-file form volume "
         "copy env code script module-name shell words command exec inner duration target wait "
         "pathspec-write revpath-write").split()
DETAILED = ("code", "script")
SYNTAX = ["abbreviate", "single", "stop", "plus", "slash", "anywhere", "nodash", "find", "raw"]
FLAGS = ["builtin", "container", "body-only", "prints-stdin", "silent", "packages", "shell"]
STDIN = ["text", "code", "shell", "paths-read", "paths-delete"]
PRINTS = ["unknown", "paths", "root", "cwd", "number", "word", "scratch", "flags"]
WRITES = ["nothing", "folder", "workspace", "git"]
RUNNERS = ["npm", "yarn", "pnpm", "bun", "node-run", "workspaces", "run-all", "deno", "composer", "make", "just", "task"]
ANSWERS = ["allow", "ask", "refuse"]
INTENTS = ["none", "stop", "alternative", "narrow", "person", "explain"]
PROGRAM_KEYS = {"names", "syntax", "options", "unknown", "operands", "missing", "keys", "stdin",
                "prints", "commands", "rules", "runs", "time", "writes", "network", "flags",
                "allow", "ask", "refuse", "comment"}
WHEN_KEYS = {"option", "no_option", "value", "operands", "operand", "stdin", "env", "scope", "any", "not", "bare"}
RULE_KEYS = {"when", "rule", "answer", "effects", "kind", "alternative", "match", "not", "comment"}
FAMILY_KEYS = {"answer", "message", "intent", "bounded"}
ALWAYS = ("--help", "--version")


class Mistake(Exception):
    pass


def fail(where, text):
    raise Mistake(f"{where}: {text}")


def only(where, thing, keys):
    if not isinstance(thing, dict):
        fail(where, "must be an object")
    for key in thing:
        if key not in keys:
            fail(where, f"unknown key {key!r}")


def strings(where, thing):
    if isinstance(thing, str):
        thing = [thing]
    if not isinstance(thing, list) or not all(isinstance(item, str) for item in thing):
        fail(where, "must be a list of strings")
    return thing


def as_list(where, thing):
    if not isinstance(thing, list):
        fail(where, "must be a list")
    return thing


def program_name(program, number):
    """What a program is called in a complaint, whatever its shape."""
    names = program.get("names") if isinstance(program, dict) else None
    return str(names[0]) if isinstance(names, list) and names else f"program {number + 1}"


@contextlib.contextmanager
def shaped(where):
    """What has another shape than the README says is a mistake of the data, named with its place."""
    try:
        yield
    except KeyError as error:
        raise Mistake(f"{where}: a key is missing: {error}") from error
    except (AttributeError, TypeError, ValueError, IndexError, RecursionError) as error:
        raise Mistake(f"{where}: has the wrong shape ({error})") from error


def one_of(where, value, values):
    if value not in values:
        fail(where, f"{value!r} is none of {', '.join(values)}")
    return values.index(value)


def no_duplicates(pairs):
    seen = {}
    for key, value in pairs:
        if key in seen:
            raise Mistake(f"key {key!r} is there twice")
        seen[key] = value
    return seen


def is_glob(text):
    return any(c in text for c in "*?[")


def c_string(text):
    if text is None:
        return "NULL"
    out = ['"']
    for byte in text.encode():
        if byte in b'"\\':
            out.append("\\" + chr(byte))
        elif 32 <= byte < 127 and byte != ord("?"):
            out.append(chr(byte))
        else:
            out.append("\\%03o" % byte)
    return "".join(out) + '"'


class Writer:
    """Collects C definitions; equal ones are written once."""

    def __init__(self):
        self.lines = []
        self.known = {}
        self.count = 0

    def array(self, ctype, items, empty="NULL"):
        if not items:
            return empty
        body = ", ".join(items)
        key = (ctype, body)
        if key not in self.known:
            self.count += 1
            name = f"t{self.count}"
            self.known[key] = name
            self.lines.append(f"static {ctype}{name}[] = {{ {body} }};")
        return self.known[key]

    def strings(self, items):
        if items is None:
            return "NULL"
        return self.array("const char *const ", [c_string(item) for item in items] + ["NULL"])


class Compiler:
    def __init__(self):
        self.out = Writer()
        self.families = {}
        self.family_index = {}
        self.programs = {}
        self.hosts = []
        self.local = []
        self.secrets = []
        self.environment = []
        self.packages = {}
        self.endless_targets = []
        self.examples = []
        self.n_programs = 0
        self.depth = 0

    # Reading

    def load(self, paths):
        raw = []
        for path in sorted(paths):
            where = os.path.basename(path)
            with open(path, encoding="utf-8") as stream:
                try:
                    data = json.load(stream, object_pairs_hook=no_duplicates)
                except (ValueError, Mistake) as error:
                    fail(where, str(error))
            only(where, data, {"programs", "families", "hosts", "local", "secrets", "environment", "packages", "endless_targets", "comment"})
            raw.append((where, data))
        for where, data in raw:
            with shaped(f"{where}: families"):
                for name, family in data.get("families", {}).items():
                    self.add_family(f"{where}: {name}", name, family)
        for index, name in enumerate(sorted(self.families)):
            self.family_index[name] = index
        for where, data in raw:
            with shaped(where):
                self.add_lists(where, data)
        for where, data in raw:
            for number, program in enumerate(as_list(where, data.get("programs", []))):
                with shaped(f"{where}: {program_name(program, number)}"):
                    self.add_program(where, program)

    def add_family(self, where, name, family):
        only(where, family, FAMILY_KEYS)
        if name in self.families:
            fail(where, "is there twice")
        for key in ("answer", "message"):
            if key not in family:
                fail(where, f"needs {key!r}")
        if not isinstance(family["message"], str):
            fail(where, "the message must be a text")
        one_of(where, family["answer"], ANSWERS + ["never"])
        one_of(where, family.get("intent", "none"), INTENTS)
        self.families[name] = family

    def add_lists(self, where, data):
        for host in data.get("hosts", []):
            only(where, host, {"domain", "labels", "kind", "comment"})
            if host["domain"] != host["domain"].lower() or host["domain"].endswith("."):
                fail(where, f"{host['domain']}: lower case, no dot at its end")
            self.hosts.append((host["domain"], strings(where, host["labels"]), host.get("kind", "registry")))
        self.local += strings(where, data.get("local", []))
        for secret in data.get("secrets", []):
            only(where, secret, {"names", "not", "paths", "samples", "what", "comment"})
            self.secrets.append((strings(where, secret.get("names", [])), strings(where, secret.get("not", [])),
                                 strings(where, secret.get("paths", [])), strings(where, secret.get("samples", [])),
                                 secret["what"]))
        self.endless_targets += strings(where, data.get("endless_targets", []))
        for package, program in data.get("packages", {}).items():
            if package in self.packages or not isinstance(program, str) or not program:
                fail(where, f"package {package!r} is there twice or has no program")
            self.packages[package] = program
        for item in data.get("environment", []):
            only(where, item, {"names", "values", "rule", "answer", "role", "comment"})
            if "rule" in item:
                self.family(where, item["rule"])
            elif item.get("answer") != "allow" and "role" not in item:
                fail(where, f"{item['names']}: needs a rule, a role, or answer allow")
            self.environment.append((strings(where, item["names"]),
                                     strings(where, item["values"]) if "values" in item else None,
                                     item.get("rule"), self.role(where, item.get("role", "text"))[0]))

    def family(self, where, name):
        if name not in self.families:
            fail(where, f"no family {name!r}")
        return f"&guard_table_families[{self.family_index[name]}]"

    def role(self, where, text):
        name, _, detail = text.partition(":")
        if name not in ROLES:
            fail(where, f"no role {name!r}")
        if bool(detail) != (name in DETAILED):
            fail(where, f"{text!r}: a language goes with code and script only")
        return ROLES.index(name), detail or None

    # Conditions

    def options_named(self, where, names, known):
        out = []
        for name in strings(where, names):
            if name in ALWAYS and name not in known:
                out.append(name)
            elif name not in known:
                fail(where, f"option {name!r} is not in the table")
            else:
                out.append(known[name])
        return sorted(set(out))

    def when(self, where, when, known):
        if when is None:
            return "NULL"
        only(where, when, WHEN_KEYS)
        parts = []

        def add(kind, low=0, high=-1, name=None, texts=None, children=None):
            parts.append("{ GUARD_WHEN_%s, %d, %d, %s, %s, %s }" % (
                kind, low, high, c_string(name), self.out.strings(texts), children or "NULL"))
        for key, value in when.items():
            if key in ("option", "no_option"):
                add(key.upper(), texts=self.options_named(where, value, known))
            elif key == "value":
                for option, globs in value.items():
                    add("VALUE", name=self.options_named(where, option, known)[0], texts=strings(where, globs))
            elif key == "operands":
                if not isinstance(value, list) or len(value) != 2:
                    fail(where, "operands is [min, max]")
                add("OPERANDS", value[0], -1 if value[1] is None else value[1])
            elif key == "operand":
                if isinstance(value, dict):
                    for position, globs in value.items():
                        add("OPERAND", int(position), texts=strings(where, globs))
                else:
                    add("OPERAND", 0, texts=strings(where, value))
            elif key == "bare":
                if value is not True:
                    fail(where, "bare is true")
                add("BARE", self.depth)
            elif key == "stdin":
                one_of(where, value, ["given", "empty", "pipe", "network"])
                add("STDIN_" + value.upper())
            elif key == "env":
                for name, globs in value.items():
                    add("ENV", name=name, texts=strings(where, globs))
            elif key == "scope":
                one_of(where, value, ["sandbox", "open", "body", "line"])
                add(value.upper())
            elif key == "any":
                add("ANY", children=self.pointers([self.when(where, item, known) for item in value]))
            elif key == "not":
                add("NOT", children=self.pointers([self.when(where, value, known)]))
        if len(parts) == 1:
            return self.out.array("const GuardWhen ", parts)
        names = [self.out.array("const GuardWhen ", [part]) for part in parts]
        return self.out.array("const GuardWhen ", ["{ GUARD_WHEN_ALL, 0, -1, NULL, NULL, %s }" % self.pointers(names)])

    def pointers(self, names):
        return self.out.array("const GuardWhen *const ", names + ["NULL"])

    # Programs

    def keys(self, where, keys):
        if not keys:
            return "NULL"
        items = []
        for key, role in keys.items():
            number, detail = self.role(f"{where}: {key}", role)
            items.append("{ %s, %d, %s }" % (c_string(key), number, c_string(detail)))
        return self.out.array("const GuardKey ", items + ["{ NULL, 0, NULL }"])

    def option_table(self, where, options, inherited):
        known = dict(inherited)
        spellings = []
        globs = []
        own = set()
        for spec, value in options.items():
            names = [name.strip() for name in spec.split(",")]
            at = f"{where}: option {spec!r}"
            keys, separator = "NULL", "0"
            if isinstance(value, dict):
                only(at, value, {"value", "keys", "separator"})
                keys = self.keys(at, value.get("keys"))
                if value.get("separator"):
                    separator = "'%s'" % value["separator"]
                value = value.get("value", "text")
            if not isinstance(value, str):
                fail(at, "its value is a role")
            optional = value.endswith("?")
            role, detail = self.role(at, value.rstrip("?") or "none")
            if role == 0 and optional:
                fail(at, "? needs a role")
            pointer = self.out.array("const GuardOption ", ["{ %s, %d, %d, %s, %s, %s }" % (
                c_string(names[0]), role, optional, separator, c_string(detail), keys)])
            for name in names:
                if not name or name in own:
                    fail(at, f"{name!r} is empty or there twice")
                own.add(name)
                known[name] = names[0]
                (globs if is_glob(name) and len(name) > 2 else spellings).append((name, pointer))
        spellings.sort(key=lambda pair: pair[0].encode())
        rows = ["{ %s, %s }" % (c_string(name), pointer) for name, pointer in spellings + globs]
        return known, self.out.array("const GuardSpelling ", rows), len(rows), len(globs)

    def operand_list(self, where, are):
        if isinstance(are, str):
            are = [are if are.endswith("*") else are + "*"]
        items, repeats = [], 0
        for role in are:
            repeat = role.endswith("*")
            repeats += repeat
            number, detail = self.role(where, role.rstrip("*"))
            items.append("{ %d, %d, %s }" % (number, repeat, c_string(detail)))
        if repeats > 1:
            fail(where, "only one role may repeat")
        return self.out.array("const GuardOperand ", items), len(items)

    def cases(self, where, value, known, kind):
        if value is None:
            return "NULL", 0
        if not (isinstance(value, list) and value and isinstance(value[0], dict)):
            value = [{"are": value}]
        rows = []
        for case in value:
            only(where, case, {"when", "are"})
            when = self.when(where, case.get("when"), known)
            if kind == "operands":
                name, count = self.operand_list(where, case["are"])
                rows.append("{ %s, %s, %d, 0, NULL }" % (when, name, count))
            else:
                name, _, detail = case["are"].partition(":")
                number = one_of(where, name, {"stdin": STDIN, "prints": PRINTS, "writes": WRITES}[kind])
                rows.append("{ %s, NULL, 0, %d, %s }" % (when, number, c_string(detail or None)))
        return self.out.array("const GuardCase ", rows), len(rows)

    def rule(self, where, rule, known):
        only(where, rule, RULE_KEYS)
        at = f"{where}: rule {rule.get('rule')!r}"
        when = self.when(at, rule.get("when"), known)
        for line in strings(at, rule.get("match", [])):
            self.examples.append((line, rule.get("rule"), 0, 1, at))
        for line in strings(at, rule.get("not", [])):
            self.examples.append((line, rule.get("rule"), 0, 0, at))
        if rule.get("answer") == "allow":
            if "rule" in rule:
                fail(at, "an allow has no family")
            return "{ %s, NULL, 0, %d, NULL, NULL }" % (when, rule.get("effects", True))
        if "rule" not in rule:
            fail(at, "needs a rule")
        family = self.families.get(rule["rule"])
        pointer = self.family(at, rule["rule"])
        answer = rule.get("answer", family["answer"])
        number = 2 if answer == "never" else one_of(at, answer, ANSWERS)
        return "{ %s, %s, %d, 1, %s, %s }" % (
            when, pointer, number, c_string(rule.get("kind")), c_string(rule.get("alternative")))

    def run(self, where, runs, known):
        only(where, runs, {"when", "runner"})
        one_of(where, runs["runner"], RUNNERS)
        return "{ %s, %s }" % (self.when(where, runs.get("when"), known), c_string(runs["runner"]))

    def program(self, where, name, data, inherited, top, time_long):
        self.depth += 1
        only(where, data, PROGRAM_KEYS if top else PROGRAM_KEYS - {"names"})
        syntax = 0
        for word in strings(where, data.get("syntax", [])):
            syntax |= 1 << one_of(where, word, SYNTAX)
        if data.get("commands"):
            syntax |= 1 << SYNTAX.index("stop") if not syntax & (1 << SYNTAX.index("anywhere")) else 0
        flags = 0
        for word in strings(where, data.get("flags", [])):
            flags |= 1 << one_of(where, word, FLAGS)
        if "time" in data:
            one_of(where, data["time"], ["long", "short"])
            time_long = data["time"] == "long"
        known, spellings, n_spellings, n_globs = self.option_table(where, data.get("options", {}), inherited)
        fields = [c_string(name), str(syntax), str(flags),
                  str(self.role(where, data.get("unknown", "maybe"))[0]),
                  str(int(time_long)), str(int(data.get("network", False))), c_string(data.get("missing")),
                  spellings, str(n_spellings), str(n_globs), self.keys(where, data.get("keys"))]
        pairs = [self.cases(f"{where}: {kind}", data.get(kind), known, kind)
                 for kind in ("operands", "stdin", "prints", "writes")]
        fields += [pair[0] for pair in pairs] + [str(pair[1]) for pair in pairs]
        rules = [self.rule(where, rule, known) for rule in data.get("rules", [])]
        fields += [self.out.array("const GuardRule ", rules), str(len(rules))]
        runs = [self.run(f"{where}: runs", item, known) for item in data.get("runs", [])]
        fields += [self.out.array("const GuardRuns ", runs), str(len(runs))]
        commands, globs, seen = [], [], set()
        for spec, child in data.get("commands", {}).items():
            pointer = self.program(f"{where} {spec}", spec.split(",")[0].strip(), child, known, False, time_long)
            for word in (word.strip() for word in spec.split(",")):
                if word in seen:
                    fail(where, f"sub-command {word!r} is there twice")
                seen.add(word)
                (globs if is_glob(word) else commands).append((word, pointer))
        commands.sort(key=lambda pair: pair[0].encode())
        rows = ["{ %s, %s }" % (c_string(word), pointer) for word, pointer in commands + globs]
        fields += [self.out.array("const GuardProgramName ", rows), str(len(rows)), str(len(globs))]
        for number, answer in enumerate(ANSWERS):
            for line in strings(where, data.get(answer, [])):
                self.examples.append((line, None, number, 1, where))
        self.depth -= 1
        return self.out.array("const GuardProgram ", ["{ %s }" % ", ".join(fields)])

    def add_program(self, where, data):
        names = strings(where, data.get("names", []))
        if not names:
            fail(where, "a program needs names")
        pointer = self.program(f"{where}: {names[0]}", names[0], data, {}, True, False)
        for name in names:
            if name in self.programs:
                fail(where, f"program {name!r} is there twice")
            self.programs[name] = pointer
        self.n_programs += 1

    # Writing

    def table(self, ctype, name, rows, n_name=None):
        count = len(rows)
        if not rows:
            rows = ["{ 0 }"]
        self.out.lines.append(f"const {ctype} {name}[] = {{\n  " + ",\n  ".join(rows) + "\n};")
        if n_name:
            self.out.lines.append(f"const guint {n_name} = {count};")

    def write(self):
        rows = []
        for name in sorted(self.families):
            family = self.families[name]
            never = family["answer"] == "never"
            rows.append("{ %s, %d, %d, %d, %s }" % (
                c_string(name), 2 if never else ANSWERS.index(family["answer"]), never,
                INTENTS.index(family.get("intent", "person" if never else "none")), c_string(family["message"])))
        body = self.out.lines
        self.out.lines = []
        self.table("GuardFamily", "guard_table_families", rows, "guard_table_n_families")
        families = self.out.lines
        self.out.lines = body
        exact = sorted((n for n in self.programs if not is_glob(n) or n == "["), key=str.encode)
        globs = [n for n in self.programs if n not in exact]
        rows = ["{ %s, %s }" % (c_string(n), self.programs[n]) for n in exact + globs]
        self.table("GuardProgramName", "guard_table_programs", rows, "guard_table_n_programs")
        self.out.lines.append(f"const guint guard_table_n_program_globs = {len(globs)};")
        rows = ["{ %s, %s, %s }" % (c_string(d), self.out.strings(l), c_string(k))
                for d, l, k in sorted(self.hosts, key=lambda h: h[0].encode())]
        if len({host[0] for host in self.hosts}) != len(self.hosts):
            raise Mistake("hosts: a domain is there twice")
        self.table("GuardHost", "guard_table_hosts", rows, "guard_table_n_hosts")
        self.out.lines.append("const char *const guard_table_local_hosts[] = { %s };" %
                              ", ".join([c_string(x) for x in self.local] + ["NULL"]))
        rows = ["{ %s, %s, %s, %s, %s }" % (self.out.strings(n), self.out.strings(x), self.out.strings(p),
                                            self.out.strings(e), c_string(w))
                for n, x, p, e, w in self.secrets]
        self.table("GuardSecret", "guard_table_secrets", rows, "guard_table_n_secrets")
        rows = ["{ %s, %s, %s, %d }" % (self.out.strings(n), self.out.strings(v),
                                        self.family("environment", r) if r else "NULL", role)
                for n, v, r, role in self.environment]
        self.out.lines.append("const char *const guard_table_endless_targets[] = { %s };" %
                              ", ".join([c_string(x) for x in self.endless_targets] + ["NULL"]))
        packages = ["{ %s, %s }" % (c_string(n), c_string(self.packages[n])) for n in sorted(self.packages, key=str.encode)]
        self.table("GuardPackage", "guard_table_packages", packages, "guard_table_n_packages")
        self.table("GuardEnvironmentRule", "guard_table_environment", rows, "guard_table_n_environment")
        head = ["/* Made by data/rules/generate.py; do not edit. */", '#include "guard-rules.h"', ""]
        return "\n".join(head + families + self.out.lines) + "\n"

    def write_examples(self):
        rows = ["{ %s, %s, %d, %d, %s }" % (c_string(l), c_string(r), a, e, c_string(w))
                for l, r, a, e, w in self.examples]
        self.out.lines = []
        self.table("GuardExample", "guard_table_examples", rows, "guard_table_n_examples")
        return '#include "guard-rules.h"\n\n' + "\n".join(self.out.lines) + "\n"

    def write_messages(self):
        lines = ["/* Made by data/rules/generate.py for xgettext; never compiled. */"]
        for name in sorted(self.families):
            lines.append(f"_({c_string(self.families[name]['message'])});")
        for secret in self.secrets:
            lines.append(f"_({c_string(secret[4])});")
        return "\n".join(lines) + "\n"


def compile_files(paths):
    """The compiler, and the text of each of its three files. A Mistake says what is wrong."""
    compiler = Compiler()
    compiler.load(paths)
    with shaped("writing"):
        return compiler, [compiler.write(), compiler.write_examples(), compiler.write_messages()]


def main(arguments):
    folder = os.path.dirname(os.path.abspath(__file__))
    outputs = [a for a in arguments if not a.startswith("--")]
    try:
        compiler, texts = compile_files([os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".json")])
    except Mistake as mistake:
        print(f"data/rules/{mistake}", file=sys.stderr)
        return 1
    for path, text in zip(outputs, texts):
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    if "--check" in arguments:
        print(f"{compiler.n_programs} programs, {len(compiler.families)} families, "
              f"{len(compiler.examples)} examples")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
