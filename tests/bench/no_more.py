#!/usr/bin/env python3
"""Passes figures from standard input on, and fails if one is larger than in before_house.txt.

usage: GROUP | no_more.py [--tell]

Figures that before_house.txt does not name are passed on as they are. With --tell what is larger is only said: for
figures of one file each, which change by points with any byte that a row group takes more or less.
"""
import pathlib
import sys

BEFORE = pathlib.Path(__file__).with_name("before_house.txt")


def before():
    lines = BEFORE.read_text(encoding="utf-8").splitlines()
    return {name: float(value) for name, value, _ in (line.split() for line in lines if not line.startswith("#"))}


def main():
    limits = before()
    larger = []
    held = 0
    for line in sys.stdin:
        print(line, end="", flush=True)
        name, value, _ = line.split()
        held += name in limits
        if float(value) > limits.get(name, float(value)):
            larger.append(f"{name} {value}, {limits[name]:g} in {BEFORE.name}")
    for line in larger:
        print(f"no_more.py: {line}", file=sys.stderr)
    print(f"{held} figures held against {BEFORE.name}, {len(larger)} are larger", file=sys.stderr)
    return 1 if held == 0 or (larger and sys.argv[1:] != ["--tell"]) else 0


sys.exit(main())
