#!/usr/bin/env python3
"""Seeds of salvage_fuzz: make_cut_files.py FOLDER FILE...: each whole file, and itself without its footer, cut in between, and
with noise in the middle."""
import pathlib
import random
import struct
import sys

MOST = 20_000  # bytes of a file

folder, *files = sys.argv[1:]
made = 0
for path in map(pathlib.Path, files):
    whole = path.read_bytes()
    if len(whole) > MOST or whole[-4:] != b"PAR1":
        continue
    footer = len(whole) - 8 - struct.unpack("<I", whole[-8:-4])[0]
    if footer < 5:
        continue
    chance = random.Random(path.name)
    damaged = bytearray(whole[:footer])
    damaged[footer // 2] ^= 1 + chance.randrange(255)
    for asked, broken in enumerate((whole[:footer], whole[:footer * 2 // 3], bytes(damaged), bytes(damaged))):
        seed = struct.pack("<IB", len(whole), (0, 3, 2, 7)[asked]) + whole + broken
        pathlib.Path(folder, f"{made}").write_bytes(seed)
        made += 1
sys.exit(made == 0)
