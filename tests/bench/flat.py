#!/usr/bin/env python3
"""Whether programs with flat rows pay for structs, arrays and lists: all images of both commits that have none, on each core.

usage: flat.py [--before COMMIT] [--after COMMIT] [CORE...]

Prints how many images are larger than at the commit before structs, and how many append a row in more instructions, by more
than the tenth that the counts of two builds may differ by; on standard error each image that differs. Both commits are
compiled in MICROPARQUET_BUILD.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

import cores

BEFORE = "134a9bf1^"  # the parent of "writer: structs and arrays are written in place"
AFTER = "cc566816"  # with lists and maps, and before saves of a stream, which have a price of their own
RUN = ["imu8_plain", "imu8_plain_small_crc", "imu8_delta", "imu8_dictionary", "imu8_small", "imu8_tailed"]
OTHERS = re.compile("nested|unit_tests|imu8_csv|imu8_raw")
TENTH = 0.1


class ImagesOf(cores.Images):
    """Those of another checkout."""

    def __init__(self, core, tree):
        super().__init__(core, False)
        self.tree = tree

    def build(self, *names):
        return pathlib.Path(cores.run(self.tree / "tests/bench/firmware/build", self.core.preset, *names,
                                      env=os.environ | {"MICROPARQUET_BUILD": str(self.tree / "build")}).strip())

    def flat(self):
        """The names of those that use the library, and no structs, arrays and lists."""
        folder = self.build("writer_plain")
        targets = cores.run("ninja", "-C", folder, "-t", "targets", "all")
        return {name for name in re.findall(r"^bin/(\w+)\.elf: ", targets, re.M) if not OTHERS.search(name)}


def checkout(commit, folder):
    """A commit's files."""
    tree = folder / commit.replace("^", "_before")
    tree.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(["git", "-C", cores.ROOT, "archive", commit], stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-C", tree, "-xf", "-"], input=archive, check=True)
    return tree


def compare(core, trees):
    """(larger, slower, compared) of a core."""
    before, after = (ImagesOf(cores.CORES[core], tree) for tree in trees)
    names = sorted(before.flat() & after.flat())
    for images in (before, after):
        images.build(*names)
    larger = slower = 0
    for name in names:
        sizes = [images.whole_flash(name) for images in (before, after)]
        if sizes[1] != sizes[0]:
            print(f"{core} {name}: {sizes[0]} -> {sizes[1]} bytes", file=sys.stderr)
        larger += sizes[1] > sizes[0]
    for name in RUN:
        counts = [float(images.instructions(name)) for images in (before, after)]
        print(f"{core} {name}: {counts[0]} -> {counts[1]} instructions a row", file=sys.stderr)
        slower += counts[1] > counts[0] + TENTH
    return larger, slower, len(names)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--before", default=BEFORE)
    parser.add_argument("--after", default=AFTER)
    parser.add_argument("cores", nargs="*", default=list(cores.CORES), metavar="CORE")
    arguments = parser.parse_args()
    folder = pathlib.Path(os.environ.get("MICROPARQUET_BUILD", cores.ROOT / "build")) / "flat"
    trees = [checkout(commit, folder) for commit in (arguments.before, arguments.after)]
    cores.build_plugin()
    results = [compare(core, trees) for core in arguments.cores]
    larger, slower, compared = map(sum, zip(*results))
    print(f"flat.larger_images {larger} of_{compared}")
    print(f"flat.slower_images {slower} of_{len(RUN) * len(arguments.cores)}")


if __name__ == "__main__":
    main()
