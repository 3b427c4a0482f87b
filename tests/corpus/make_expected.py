#!/usr/bin/env python3
"""Writes expected.txt: what pyarrow reads from each file of data, nested and others.

Of more than corpus_files.SHOWN rows only the first are written out, and a digest of all. Run once when a file is added; the tests
read what is committed. Files in ALP, which pyarrow does not read, come with their values in CSV: make_expected.py FOLDER,
where NAME_expect.csv lies for each.
"""

import hashlib
import csv
import pathlib
import struct
import sys

import corpus_files
import nested_values
import physical_values

# Two strings of a gigabyte.
NOT_PRINTED = {"large_string_map.brotli"}


def lines_of_csv(path, is_float):
    """All columns are floats, or doubles."""
    rows = list(csv.reader(path.open(encoding="utf-8")))
    letter, value, bits = ("f", "<f", "<I") if is_float else ("d", "<d", "<Q")
    digits = 2 * struct.calcsize(value)
    text = [[f"{letter}{struct.unpack(bits, struct.pack(value, float(cell)))[0]:0{digits}x}" for cell in row] for row in rows[1:]]
    header = [f"{name}:{physical_values.TYPES.index('FLOAT' if is_float else 'DOUBLE')}" for name in rows[0]]
    return ["\t".join(row) for row in [header, *text]]


def lines_of(path):
    """None: there is no CSV."""
    if not path.stem.startswith("alp_"):
        return physical_values.lines(path)
    values = pathlib.Path(sys.argv[1]) / f"{path.stem}_expect.csv" if len(sys.argv) > 1 else None
    return lines_of_csv(values, "float" in path.stem) if values else None


def main():
    expected = dict(corpus_files.expected_values())
    for path in (path for folder in ("data", "nested", "others") for path in corpus_files.FILES.glob(f"{folder}/*.parquet")):
        if path.stem in NOT_PRINTED:
            continue
        nested = path.parent.name == "nested"
        lines = nested_values.lines_of(path) if nested else lines_of(path)
        if lines is None:
            continue
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        expected[path.stem] = corpus_files.Expected(len(lines) - 1, digest, lines[:corpus_files.SHOWN + 1])
    corpus_files.save(expected)


if __name__ == "__main__":
    main()
