#!/usr/bin/env python3
"""Reads with pyarrow what extension_files wrote.

usage: check_files.py EXTENSION_FILES FOLDER
"""
import pathlib
import subprocess
import sys

import pyarrow.parquet


def expected(rows):
    """The formulas of sample.h."""
    def null_every(step, row, value):
        return None if row % step == 0 else value

    return {
        "number": list(range(rows)),
        "flag": [row // (row // 1000 % 20 * 20 + 1) % 2 != 0 for row in range(rows)],
        "maybe_flag": [null_every(3, row, row // 7 % 2 != 0) for row in range(rows)],
        "reading": [float(row // 50 % 8) for row in range(rows)],
        "count": [null_every(5, row, row // 9) for row in range(rows)],
    }


def faults(path, rows):
    """What is wrong with a file."""
    file = pyarrow.parquet.ParquetFile(path, page_checksum_verification=True)
    if file.read().to_pydict() != expected(rows):
        yield "other values than were written"
    for group in range(file.metadata.num_row_groups):
        for index, name in enumerate(file.schema.names):
            chunk = file.metadata.row_group(group).column(index)
            if ("RLE" if name.endswith("flag") else "PLAIN") not in chunk.encodings:
                yield f"{name}: encodings {chunk.encodings}"
            if chunk.statistics is None or not chunk.statistics.has_min_max:
                yield f"{name}: no bounds"
                continue
            seen = file.read_row_group(group, columns=[name]).column(0).to_pylist()
            seen = [value for value in seen if value is not None]
            if (chunk.statistics.min, chunk.statistics.max) != (min(seen), max(seen)):
                yield f"{name}: other bounds than its values have"


def main():
    program, folder = sys.argv[1:]
    lines = subprocess.run([program, folder], check=True, capture_output=True, text=True).stdout.splitlines()
    failed = 0
    for name, rows in map(str.split, lines):
        wrong = sorted(set(faults(pathlib.Path(folder) / name, int(rows))))
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok'}: {name}: {rows} rows{': ' if wrong else ''}{', '.join(wrong)}")
    print(f"{len(lines) - failed} passed, {failed} failed")
    return failed != 0 or not lines


sys.exit(main())
