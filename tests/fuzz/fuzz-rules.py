#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Breaks the rules' JSON in any way and compiles it: what comes is a table or one line that says
what is wrong, never a traceback and never half a table.

    fuzz-rules.py RULES_FOLDER [SECONDS]

SECONDS is PERFICA_FUZZ_SECONDS (5) if it isn't given.
"""
import copy
import importlib.util
import json
import os
import random
import sys
import tempfile
import time

VALUES = [None, True, False, 0, -1, 1.5, 10**30, '', 'a', '*', '-x, --long', 'code:python', [], [None], ['a', 1], {},
          {'a': 'b'}, '\0', 'ä' * 300, {'when': {}}, {'option': ['--none']}, [[]], {'rule': 'none'}]


def places(value, at=()):
    """Every place in a JSON value, as a path of keys."""
    yield at
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], at + (key,))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from places(item, at + (i,))


def break_value(rng, data):
    data = copy.deepcopy(data)
    spots = [p for p in places(data) if p]
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        path = rng.choice(spots)
        parent = data
        try:
            for key in path[:-1]:
                parent = parent[key]
            change = rng.random()
            if change < 0.5:
                parent[path[-1]] = rng.choice(VALUES)
            elif change < 0.7:
                del parent[path[-1]]
            elif change < 0.85 and isinstance(parent, dict):
                parent[rng.choice(['x', 'rules', 'options', 'names', 'when', 'are', 'syntax'])] = rng.choice(VALUES)
            else:
                parent[path[-1]] = copy.deepcopy(data if rng.random() < 0.05 else parent)
        except (KeyError, IndexError, TypeError):
            pass
    return data


def small(data, rng):
    """A few programs are enough, and quick."""
    if 'programs' in data and len(data['programs']) > 3:
        data = dict(data, programs=rng.sample(data['programs'], 3))
    return data


def main():
    folder = sys.argv[1]
    seconds = float(sys.argv[2] if len(sys.argv) > 2 else os.environ.get('PERFICA_FUZZ_SECONDS', 5))
    spec = importlib.util.spec_from_file_location('generate', os.path.join(folder, 'generate.py'))
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    files = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith('.json'):
            with open(os.path.join(folder, name), encoding='utf-8') as file:
                files[name] = json.load(file)
    rng = random.Random(1)
    began = time.monotonic()
    taken = refused = 0
    with tempfile.TemporaryDirectory() as work:
        while time.monotonic() - began < seconds:
            name = rng.choice(sorted(files))
            data = break_value(rng, small(files[name], rng))
            paths = []
            for other in files:
                if other == name or other.startswith('families'):
                    paths.append(os.path.join(work, other))
                    with open(paths[-1], 'w', encoding='utf-8') as file:
                        text = json.dumps(data if other == name else files[other], ensure_ascii=False)
                        if other == name and rng.random() < 0.1:
                            at = rng.randrange(len(text) + 1)
                            text = text[:at] + rng.choice(['', '{', '"', '\\', ',']) + text[at + rng.randrange(9):]
                        file.write(text)
            try:
                _, texts = generate.compile_files(paths)
                assert len(texts) == 3 and all(texts), 'all three files'
                taken += 1
            except generate.Mistake as mistake:
                refused += 1
                assert str(mistake), 'a mistake is named'
            except Exception:
                print('broke on %s:\n%s' % (name, json.dumps(data)[:3000]))
                raise
    print('%d compiled, %d refused in %.0f s' % (taken, refused, seconds))
    return 0 if refused else 1


if __name__ == '__main__':
    sys.exit(main())
