#!/usr/bin/env python3
"""Compares the link maps of an image and its twin, which lacks the measured part.

usage: footprint.py [--ram] [--details] MAP TWIN_MAP

Prints the difference in bytes: of what lies in flash (code, constants, initial values), or with --ram of what lies in
RAM (initialised and zeroed). --details prints it by object as well, on standard error.
"""

import argparse
import re
import sys
from collections import Counter

FLASH = {"text", "rodata", "data"}
RAM = {"data", "bss"}


def kind_of(output, section):
    """Kind of an output section for that input section of it: code, constants, initialised or zeroed variables."""
    if output == ".text":
        return "rodata" if ".rodata" in section else "text"
    return {".ARM.exidx": "text", ".init_array": "text", ".data": "data", ".bss": "bss"}.get(output)


def placed(map_path):
    """Yields (kind, object, bytes) of what the linker placed. Padding between objects counts as an object of its own."""
    output = None
    pending = None
    in_memory_map = False
    with open(map_path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("Linker script and memory map"):
                in_memory_map = True
            if not in_memory_map:
                continue
            head = re.match(r"(\.\S+)", line)
            if head:
                output = head[1]
                continue
            # " .text.name\n" and then the numbers on a line of their own, when the name is long.
            alone = re.match(r" (\S+)$", line)
            if alone:
                pending = alone[1]
                continue
            full = re.match(r" (\S*)\s+0x[0-9a-f]+\s+0x([0-9a-f]+)(?: (\S.*)?)?$", line)
            name = full and (full[1] or pending)
            pending = None
            if name == "*fill*":
                yield kind_of(output, ""), "(padding)", int(full[2], 16)
            elif name and full[3]:
                # libmicroparquet.a(page.cpp.obj) as it stands; a program's own object by its file name.
                yield kind_of(output, name), full[3].strip().rsplit("/", 1)[-1], int(full[2], 16)


def added(map_path, twin_map_path):
    """Bytes by (kind, object) that an image has and its twin has not."""
    found = Counter()
    for path, sign in (map_path, 1), (twin_map_path, -1):
        for kind, name, size in placed(path):
            found[kind, name] += sign * size
    if not found:
        sys.exit("footprint.py: no sections found in a link map")
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--ram", action="store_true")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("map")
    parser.add_argument("twin_map")
    arguments = parser.parse_args()
    wanted = RAM if arguments.ram else FLASH
    by_object = Counter()
    for (kind, name), size in added(arguments.map, arguments.twin_map).items():
        if kind in wanted:
            by_object[name] += size
    print(sum(by_object.values()))
    if arguments.details:
        for name, size in sorted(by_object.items(), key=lambda item: -item[1]):
            if size:
                print(f"{size:8} {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
