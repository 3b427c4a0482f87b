#!/usr/bin/env python3
"""Makes files of which one byte below 8 is another number below 8: levels and counts are such numbers, and by chance they are
seldom hit. each_byte.py FOLDER FILE...: all such files of each FILE, in FOLDER."""
import pathlib
import sys

SMALL = 8
folder = pathlib.Path(sys.argv[1])
for path in map(pathlib.Path, sys.argv[2:]):
    data = path.read_bytes()
    for at, old in enumerate(data):
        for new in range(SMALL if old < SMALL else 0):
            if new != old:
                (folder / f"{path.stem}_{at}_{new}").write_bytes(data[:at] + bytes([new]) + data[at + 1:])
