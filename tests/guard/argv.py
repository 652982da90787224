#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words written in every way of quoting, with what they stand for known: the canonical text read by
bash, and the argv that runs without a shell, must give exactly that.

    argv.py READ_LINES [--lines N] [--seconds S] [--seed N]

What bash runs is our canonical text alone, and of that only printf with quoted words.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

SAFE = 'abcXYZ019_./:=,+@%^-'
ODD = 'a b\'"\\$`*?[]{}()<>|&;#~!=\n\té漢€'
# What may stand in a canonical line: quoted words, braces, NAME=, and nothing else that bash would act on.
CANONICAL = re.compile(r"(?:(?:'[^']*'|\\'|\$'(?:[^'\\]|\\.)*'|[{},]|(?<![^ ])\w+\+?=)+(?: |$))+", re.S)


def single(rng):
    text = ''.join(rng.choice(ODD) for _ in range(rng.randrange(6))).replace("'", '')
    return "'%s'" % text, text


def double(rng):
    source, value = [], []
    for _ in range(rng.randrange(6)):
        c = rng.choice(ODD)
        if c in '"\\$`':
            source.append('\\' + c)
            value.append(c)
        elif rng.random() < 0.1:
            source.append('\\\n')
        elif rng.random() < 0.2 and c not in '\n':
            source.append('\\' + c)
            value.append('\\' + c)
        elif c == '!':
            continue
        else:
            source.append(c)
            value.append(c)
    prefix = '$' if rng.random() < 0.1 else ''
    return '%s"%s"' % (prefix, ''.join(source)), ''.join(value)


def ansi(rng):
    source, value = [], []
    for _ in range(rng.randrange(1, 5)):
        kind = rng.randrange(6)
        if kind == 0:
            name, c = rng.choice([('n', '\n'), ('t', '\t'), ('\\', '\\'), ("'", "'"), ('"', '"'), ('e', '\x1b'), ('a', '\a')])
            source.append('\\' + name)
        elif kind == 1:
            c = chr(rng.randrange(1, 127))
            # A digit after it would be part of it.
            source.append('\\x%02x' % ord(c))
        elif kind == 2:
            c = chr(rng.randrange(1, 127))
            source.append('\\%03o' % ord(c))
        elif kind == 3:
            c = rng.choice('é漢€')
            source.append('\\u%04x' % ord(c))
        elif kind == 4:
            c = '\\' + rng.choice('qzyk')
            source.append(c)
        else:
            c = rng.choice('ab $`"*é')
            source.append(c)
        value.append(c)
    return "$'%s'" % ''.join(source), ''.join(value)


def escaped(rng):
    if rng.random() < 0.1:
        return '\\\n', ''
    c = rng.choice(ODD.replace('\n', ''))
    return '\\' + c, c


def plain(rng):
    text = ''.join(rng.choice(SAFE) for _ in range(rng.randrange(1, 5)))
    return text, text


def word(rng):
    """A word and the fields it stands for."""
    parts = [rng.choice([plain, plain, single, double, ansi, escaped])(rng) for _ in range(rng.randrange(1, 5))]
    source = ''.join(s for s, _ in parts)
    value = ''.join(v for _, v in parts)
    if source.replace('\\\n', '') == '':
        return word(rng)
    if rng.random() < 0.15:
        options = [rng.choice([plain, single, double])(rng) for _ in range(rng.randrange(2, 4))]
        options = [(s.replace(',', '_') if s == v else s, v.replace(',', '_') if s == v else v) for s, v in options]
        return 'x%s{%s}' % (source, ','.join(s for s, _ in options)), ['x' + value + v for _, v in options]
    return source, [value]


def texts(rng, count):
    lines = []
    while len(lines) < count:
        words = [word(rng) for _ in range(rng.randrange(1, 6))]
        # A word that begins so is a comment, a tilde, or an assignment's value.
        if any(re.match(r'(\\\n)*[#~]|.*[=:](\\\n)*~', s, re.S) for s, _ in words):
            continue
        lines.append((rng.choice([' ', '  ', '\t', ' \\\n']).join(s for s, _ in words), [v for _, vs in words for v in vs]))
    return lines


def ask(tool, mode, lines):
    data = b''.join(line.encode() + b'\0' for line in lines)
    done = subprocess.run([tool, mode], input=data, stdout=subprocess.PIPE, timeout=120, check=True)
    answers = done.stdout.split(b'\0')[:-1]
    assert len(answers) == len(lines), 'an answer for each'
    return answers


def run_by_bash(canonical, folder):
    path = os.path.join(folder, 'batch.sh')
    with open(path, 'wb') as file:
        for text in canonical:
            assert CANONICAL.fullmatch(text.decode()), text
            file.write(text + b"\n'printf' '\\0\\0'\n")
    done = subprocess.run(['/bin/bash', '--norc', '--noprofile', '-p', path], cwd=folder, timeout=120, check=True,
                          env={'LC_ALL': 'C.UTF-8', 'PATH': '/nowhere'}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert not done.stderr, done.stderr
    return done.stdout.split(b'\1\0\0')[:-1]


def compare(tool, lines, folder, faults):
    """How many were the same, and how many the reader or the rules refuse."""
    refused = same = 0
    answers = ask(tool, 'canonical', ["printf '%s\\1' " + source for source, _ in lines])
    kept = [i for i, a in enumerate(answers) if a.startswith(b'=')]
    refused += len(lines) - len(kept)
    # The format's own end is a byte that no word holds; bash's printf makes it.
    printed = run_by_bash([answers[i][1:] for i in kept], folder)
    assert len(printed) == len(kept), 'a print of each'
    for i, got in zip(kept, printed):
        expected = '\1'.join(lines[i][1]).encode()
        if got == expected:
            same += 1
        else:
            faults.append(('canonical', lines[i], answers[i], got))
    for (source, fields), got in zip(lines, ask(tool, 'argv', ['program ' + source for source, _ in lines])):
        if got.startswith(b'='):
            if got[1:] != '\1'.join(['program'] + fields).encode():
                faults.append(('argv', (source, fields), got, b''))
            else:
                same += 1
    return same, refused


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument('--lines', type=int, default=4000)
    parser.add_argument('--seconds', type=float, default=0)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    began = time.monotonic()
    faults = []
    same = refused = done = 0
    with tempfile.TemporaryDirectory() as folder:
        while (time.monotonic() - began < options.seconds if options.seconds else done < options.lines) and not faults:
            lines = [line for line in texts(rng, 500) if not any('\1' in v for v in line[1])]
            one, two = compare(options.tool, lines, folder, faults)
            same, refused, done = same + one, refused + two, done + len(lines)
    for kind, line, ours, got in faults[:10]:
        print('%s: %r\n  ours %r\n  gave %r' % (kind, line, ours, got))
    print('%d lines: %d the same, %d refused, %d wrong' % (done, same, refused, len(faults)))
    return 1 if faults or refused > done // 20 else 0


if __name__ == '__main__':
    sys.exit(main())
