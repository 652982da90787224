#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""split-seeds.py FOLDER FILE…: one seed for each text of the files, which `%%` lines part; or, where
there is none, for each line, without its label."""
import os
import sys

os.makedirs(sys.argv[1], exist_ok=True)
n = 0
for path in sys.argv[2:]:
    with open(path, encoding='utf-8') as file:
        text = file.read().rstrip('\n')
    texts = text.split('\n%%\n')
    if len(texts) == 1:
        texts = [line.split('\t', 1)[-1] + '\n' for line in text.split('\n')]
    for text in texts:
        with open(os.path.join(sys.argv[1], '%04d' % n), 'w', encoding='utf-8') as out:
            out.write(text)
        n += 1
