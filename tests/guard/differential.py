#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares our reading of bash with bash's own.

bash prints every text (--pretty-print, always from a file: nothing is run), then
it prints what our tree writes with raw words; both prints must be the same. What
bash refuses we must refuse; what we refuse and bash takes is counted and, unless
its rule is one that refuses on purpose, an error.

    differential.py READ_LINES [--corpus DIR] [--lines N] [--seconds S] [--seed N]

Without --lines and --seconds the corpus itself is compared; with them, so many
texts (or for so long) made by cutting, joining and changing lines of it.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

MARK = re.compile(r'^: perfica_mark_(\d+)$', re.M)
# Rules that refuse what bash would accept.
STRICTER = ('reader.ambiguous', 'reader.expansion', 'reader.array', 'reader.heredoc', 'limits.',
            'reader.control', 'reader.utf8', 'reader.blank', 'reader.inner', 'writer')


def ends_open(text):
    """A last backslash would swallow the newline of the batch; alone it is itself."""
    return (len(text) - len(text.rstrip('\\'))) % 2 == 1


def only_warnings(errors):
    return all(b': warning: ' in line for line in errors.splitlines())


def plain(text):
    """Without blank lines, which bash prints where comments were; without the word `function`
    and with a newline for `;` before one, or none before `)`: moods of its print."""
    text = re.sub(r'\bfunction (?=\S+ \(\))', '', text)
    text = re.sub(r'[\s;]*(\n|; )[\s;]*', '\n', text)
    return re.sub(r'[\s;]+\)', ')', text).strip()


class Bash:
    """bash's own print of texts, batched."""

    def __init__(self, folder):
        self.path = os.path.join(folder, 'batch.sh')
        self.env = {'LC_ALL': 'C.UTF-8'}
        self.runs = 0

    def run(self, text):
        self.runs += 1
        with open(self.path, 'wb') as file:
            file.write(text)
        done = subprocess.run(
            ['/bin/bash', '--norc', '--pretty-print', self.path], env=self.env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        return done.stdout.decode('utf-8', 'surrogateescape'), done.stderr

    def one(self, text):
        if ends_open(text):
            out, err = self.run(text.encode('utf-8', 'surrogateescape'))
            return out if only_warnings(err) else None
        out, err = self.run(text.encode('utf-8', 'surrogateescape') + b'\n:   perfica_mark_0\n')
        marks = MARK.findall(out)
        if not only_warnings(err) or marks != ['0']:
            return None
        return out[:MARK.search(out).start()]

    def many(self, texts):
        """The print of each text, None for one that bash refuses."""
        answers = [None] * len(texts)
        at = 0
        while at < len(texts):
            if ends_open(texts[at]):
                answers[at] = self.one(texts[at])
                at += 1
                continue
            batch = range(at, min(at + 400, len(texts)))
            batch = range(at, next((i for i in batch if ends_open(texts[i])), batch.stop))
            joined = ''.join('%s\n:   perfica_mark_%d\n' % (texts[i], i) for i in batch)
            out, err = self.run(joined.encode('utf-8', 'surrogateescape'))
            done = self.split(out, batch, answers)
            if done == len(batch) and not err:
                at += done
                continue
            # The marks up to the failure are sound only if nothing swallowed some.
            if b'warning' in err:
                for i in batch:
                    answers[i] = self.one(texts[i])
                at += len(batch)
                continue
            at += done
            if done < len(batch):
                answers[at] = self.one(texts[at])
                at += 1
        return answers

    @staticmethod
    def split(out, batch, answers):
        start = 0
        for n, i in enumerate(batch):
            match = MARK.search(out, start)
            if not match or int(match.group(1)) != i:
                return n
            answers[i] = out[start:match.start()]
            start = match.end() + 1
        return len(batch)


def read_lines(tool, mode, texts):
    data = b''.join(t.encode('utf-8', 'surrogateescape') + b'\0' for t in texts)
    done = subprocess.run([tool, mode], input=data, stdout=subprocess.PIPE, timeout=300)
    if done.returncode != 0:
        raise SystemExit('the reader crashed: %d' % done.returncode)
    answers = done.stdout.decode('utf-8', 'surrogateescape').split('\0')[:-1]
    assert len(answers) == len(texts), 'an answer for each text'
    return answers


class Comparison:
    def __init__(self, tool, folder):
        self.tool = tool
        self.bash = Bash(folder)
        self.equal = self.refused = self.stricter = 0
        self.rules = {}
        self.faults = []

    def add(self, texts):
        ours = read_lines(self.tool, 'raw', texts)
        theirs = self.bash.many(texts)
        taken = [i for i, a in enumerate(ours) if a.startswith('=') and theirs[i] is not None]
        again = dict(zip(taken, self.bash.many([ours[i][1:] for i in taken])))
        for i, text in enumerate(texts):
            self.judge(text, ours[i], theirs[i], again.get(i))

    def judge(self, text, ours, theirs, again):
        if ours.startswith('!'):
            # In a batch a text left open may have found its end in the next one.
            theirs = theirs and self.bash.one(text)
            if theirs is None:
                self.refused += 1
            elif ours[1:].startswith(STRICTER):
                self.stricter += 1
                self.rules[ours[1:]] = self.rules.get(ours[1:], 0) + 1
            else:
                self.faults.append(('refused %s' % ours[1:], text, theirs, ''))
        elif theirs is None:
            self.faults.append(('accepted what bash refuses', text, '', ours[1:]))
        elif again is None:
            self.faults.append(('written so that bash refuses it', text, theirs, ours[1:]))
        elif theirs != again and plain(theirs) != plain(again):
            self.faults.append(('different', text, theirs, again))
        else:
            self.equal += 1


def corpus_lines(folder):
    lines = []
    with open(os.path.join(folder, 'nl2bash.txt'), encoding='utf-8') as file:
        lines += [line.rstrip('\n') for line in file]
    path = os.path.join(folder, 'open.jsonl')
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            lines += [json.loads(line)['command'] for line in file]
    with open(os.path.join(folder, 'hard.txt'), encoding='utf-8') as file:
        lines += file.read()[:-1].split('\n%%\n')
    return lines


PIECES = ["'", '"', '`', '$(', ')', '${', '}', '((', '))', '$((', ';', '&', '|', '||', '&&', '>',
          '<', '>&', '&>', '<<<', '{', '[', ']', '[[ ', ' ]]', '\\', '\\\n', '\n', ' ', '#', ' #', '!',
          '! ', '=', '+=', '=(', '*', '?', '~', '$', '$x', '"$x"', '2>', '{fd}>', 'if ', '; then ',
          '; fi', 'for x in ', '; do ', '; done', 'case x in ', ') ', ';;', ' esac', 'time ', 'f() ',
          '<(', '>(', '<<E\nx\nE\n', "$'", '@(', ':-', '/', '%', ',', '..', 'while ', 'select ', '-',
          'coproc ', 'function ', '|&', '>|', '<>', 'é', '\t']


def mutate(rng, lines):
    """A text made of one or two lines of the corpus with up to four changes."""
    text = rng.choice(lines)
    if rng.random() < 0.3:
        text += rng.choice(['; ', ' | ', ' && ', '\n', ' & ', ' ']) + rng.choice(lines)
    elif rng.random() < 0.3:
        text = rng.choice(['( %s )', '{ %s; }', 'echo "$(%s)"', 'if a; then %s; fi', 'x=$(%s)',
                           'for x in a; do %s\ndone', 'f() { %s\n}', '! %s', 'cat <(%s)',
                           'case x in a) %s;; esac']) % text
    for _ in range(rng.randrange(5)):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.randrange(1, 6))
        change = rng.random()
        if change < 0.5:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif change < 0.75:
            text = text[:at] + text[end:]
        elif change < 0.9:
            text = text[:at] + text[at:end] + text[at:]
        else:
            other = rng.choice(lines)
            text = text[:at] + other[rng.randrange(len(other) + 1):]
    # A last backslash quotes nothing at the end only, and our print may move a redirection there.
    return text.rstrip('\\')


def generate(comparison, lines, options):
    rng = random.Random(options.seed)
    lines = [line for line in lines if line]
    began = time.monotonic()
    done = 0
    while (done < options.lines or not options.lines) and len(comparison.faults) < options.show:
        if options.seconds and time.monotonic() - began > options.seconds:
            break
        texts = [mutate(rng, lines) for _ in range(2000)]
        # A failing bash costs a process of its own, so what we refuse is sampled.
        ours = read_lines(comparison.tool, 'raw', texts)
        comparison.add([t for t, a in zip(texts, ours) if a[0] == '=' or rng.random() < 0.1])
        done += len(texts)
    return done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument('--corpus', default=os.path.join(os.path.dirname(__file__), 'corpus'))
    parser.add_argument('--show', type=int, default=20)
    parser.add_argument('--lines', type=int, default=0)
    parser.add_argument('--seconds', type=float, default=0)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    generated = 0

    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(options.tool, folder)
        lines = corpus_lines(options.corpus)
        if options.lines or options.seconds:
            generated = generate(comparison, lines, options)
        else:
            comparison.add(lines)
    for fault in comparison.faults[:options.show]:
        print('# %s\n--- text\n%s\n--- bash\n%s\n--- ours\n%s\n' % fault)
    print('# generated %d, equal %d, both refuse %d, stricter %d %r, faults %d, bash runs %d'
          % (generated, comparison.equal, comparison.refused, comparison.stricter, comparison.rules,
             len(comparison.faults), comparison.bash.runs))
    return 1 if comparison.faults else 0


if __name__ == '__main__':
    sys.exit(main())
