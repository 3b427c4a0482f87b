#!/usr/bin/env python3
"""Makes images of cards with logs on them, for tests of pages: made_images.py FOLDER LOG LOG...

fat16.img and fat32.img have the logs around other files, the last one deleted; exfat.img has them in one piece and in several.
bare.img has the first log and no file system.
"""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from exfat_image import Volume  # noqa: E402

MEGABYTE = 1 << 20


def tool(*words):
    subprocess.run(words, check=True, capture_output=True, env={**os.environ, "MTOOLS_SKIP_CHECK": "1", "LC_ALL": "C.UTF-8"})


def make_fat(path, bits, megabytes, logs):
    path.unlink(missing_ok=True)
    with open(path, "wb") as file:
        file.truncate(megabytes * MEGABYTE)
    tool("mkfs.fat", "-F", str(bits), "-s", "1" if bits == 32 else "4", path)
    junk = path.with_suffix(".junk")
    for i in range(12):
        junk.write_bytes(bytes([i + 1]) * 9000)
        tool("mcopy", "-i", path, junk, f"::junk{i}")
    for i in range(0, 12, 2):
        tool("mdel", "-i", path, f"::junk{i}")
    tool("mmd", "-i", path, "::logs")
    for i, log in enumerate(logs):
        tool("mcopy", "-i", path, log, f"::logs/A rather long name {i}.parquet")
    tool("mdel", "-i", path, f"::logs/A rather long name {len(logs) - 1}.parquet")


def make_exfat(path, logs):
    volume = Volume(2000)
    folder = volume.add_folder(volume.add_folder(volume.root, "LOG"), "00001")
    for i, log in enumerate(logs):
        volume.add(folder, f"one{i}.parquet", log.read_bytes(), spread=i % 2 == 1)
    path.write_bytes(volume.image())


def main():
    folder, logs = pathlib.Path(sys.argv[1]), [pathlib.Path(log) for log in sys.argv[2:]]
    make_fat(folder / "fat16.img", 16, 16, logs)
    make_fat(folder / "fat32.img", 32, 40, logs)
    make_exfat(folder / "exfat.img", logs)
    (folder / "bare.img").write_bytes(bytes(40_960) + logs[0].read_bytes() + bytes(70_000))


main()
