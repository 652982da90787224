#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""split-seeds.py FOLDER FILE…: one seed for each text of the files, which `%%` lines part."""
import os
import sys

os.makedirs(sys.argv[1], exist_ok=True)
n = 0
for path in sys.argv[2:]:
    with open(path, encoding='utf-8') as file:
        texts = file.read().rstrip('\n').split('\n%%\n')
    for text in texts:
        with open(os.path.join(sys.argv[1], '%04d' % n), 'w', encoding='utf-8') as out:
            out.write(text)
        n += 1
