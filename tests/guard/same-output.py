#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs harmless texts and their canonical form: both must print the same bytes.

    same-output.py READ_LINES

The texts are our own (corpus/same.txt): builtins and cat on text of their own.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(text, folder):
    path = os.path.join(folder, 'script')
    with open(path, 'w', encoding='utf-8', errors='surrogateescape') as file:
        file.write(text)
    done = subprocess.run(
        ['/bin/bash', '--norc', '--noprofile', '-p', path], cwd=os.path.join(folder, 'empty'),
        env={'LC_ALL': 'C.UTF-8', 'PATH': '/bin'}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30)
    return done.returncode, done.stdout, bool(done.stderr)


def main():
    with open(os.path.join(HERE, 'corpus', 'same.txt'), encoding='utf-8') as file:
        texts = file.read()[:-1].split('\n%%\n')
    done = subprocess.run([sys.argv[1], 'canonical'], stdout=subprocess.PIPE, check=True,
                          input=b''.join(text.encode() + b'\0' for text in texts))
    written = done.stdout.decode('utf-8', 'surrogateescape').split('\0')[:-1]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, 'empty'))
        for text, ours in zip(texts, written):
            expected = run(text, folder)
            got = run(ours[1:], folder) if ours[0] == '=' else None
            if got != expected or not expected[1]:
                failed += 1
                print('--- text\n%s\n--- canonical\n%s\n%r\n%r' % (text, ours, expected, got))
    print('%d texts, %d differ' % (len(texts), failed))
    return 1 if failed or len(texts) < 20 else 0


if __name__ == '__main__':
    sys.exit(main())
