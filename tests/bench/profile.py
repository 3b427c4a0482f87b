#!/usr/bin/env python3
"""Instructions a row, from the counts of plugin/count_instructions.c.

usage: profile.py [--details] [--without REGEX] ROWS COUNTS TWIN_COUNTS

Prints (COUNTS - TWIN_COUNTS) / ROWS, to a tenth; symbols whose demangled name matches --without count in neither.
--details prints the symbols, most first, on standard error.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter


def read_counts(path):
    counts = Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            count, symbol = line.split(" ", 1)
            counts[symbol.strip()] += int(count)
    return counts


def demangle(symbols):
    text = subprocess.run(["c++filt"], input="\n".join(symbols), capture_output=True, text=True, check=True).stdout
    return dict(zip(symbols, text.splitlines()))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--without")
    parser.add_argument("rows", type=int)
    parser.add_argument("counts")
    parser.add_argument("twin_counts")
    arguments = parser.parse_args()
    with_calls, without = read_counts(arguments.counts), read_counts(arguments.twin_counts)
    names = demangle(sorted(with_calls | without))
    left_out = re.compile(arguments.without) if arguments.without else None
    added = {symbol: with_calls[symbol] - without[symbol] for symbol in names
             if not (left_out and left_out.search(names[symbol]))}
    print(f"{sum(added.values()) / arguments.rows:.1f}")
    if arguments.details:
        for symbol, count in sorted(added.items(), key=lambda item: -item[1]):
            if count * 100 >= arguments.rows:
                print(f"{count / arguments.rows:8.2f} {names[symbol]}", file=sys.stderr)


if __name__ == "__main__":
    main()
