#!/usr/bin/env python3
"""What an image has that its twin has not, from their link maps.

usage: footprint.py [--ram] [--details] MAP TWIN_MAP

Prints the difference in bytes: of what lies in flash (code, constants, initial values), or with --ram of what lies in
RAM (initialised and zeroed). --details prints it by object as well, on standard error.
"""

import argparse
import re
import sys
from collections import Counter

FLASH = {".text", ".ARM.exidx", ".data"}
RAM = {".data", ".bss"}


def object_name(path):
    """libmicroparquet.a(page.cpp.obj) as it stands; a program's own object by its file name."""
    return path.rsplit("/", 1)[-1]


def sizes(map_path, wanted):
    """Bytes of the wanted output sections by object. Padding between objects counts as an object of its own."""
    found = Counter()
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
            if output not in wanted:
                continue
            # " .text.name\n" and then the numbers on a line of their own, when the name is long.
            alone = re.match(r" (\S+)$", line)
            if alone:
                pending = alone[1]
                continue
            full = re.match(r" (\S*)\s+0x[0-9a-f]+\s+0x([0-9a-f]+)(?: (\S.*))?$", line)
            if not full:
                pending = None
                continue
            name = full[1] or pending
            pending = None
            if name == "*fill*":
                found["(padding)"] += int(full[2], 16)
            elif full[3] and name:
                found[object_name(full[3].strip())] += int(full[2], 16)
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--ram", action="store_true")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("map")
    parser.add_argument("twin_map")
    arguments = parser.parse_args()
    wanted = RAM if arguments.ram else FLASH
    with_calls, without = sizes(arguments.map, wanted), sizes(arguments.twin_map, wanted)
    added = {name: with_calls[name] - without[name] for name in with_calls | without}
    if not with_calls:
        sys.exit("footprint.py: no sections found in a link map")
    print(sum(added.values()))
    if arguments.details:
        for name, size in sorted(added.items(), key=lambda item: -item[1]):
            if size:
                print(f"{size:8} {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
