#!/usr/bin/env python3
"""Reads with pyarrow and DuckDB what extension_files wrote, and has read back.

usage: check_files.py EXTENSION_FILES FOLDER
"""
import pathlib
import subprocess
import sys

import duckdb
import pyarrow.parquet

COMPRESSED = ("number", "reading", "count", "maybe_level")
SHRINK = ("reading", "count")  # what repeats; indices may, and the others grow
RUNS = ("flag", "maybe_flag")
BOTH = frozenset(["RLE", "PLAIN"])
TABLES = ("level", "maybe_level")
ENTRIES = 48  # of a dictionary at most
ONCE = 1000  # larger values of level follow each other
INDICES = frozenset(["RLE", "PLAIN", "RLE_DICTIONARY"])  # the dictionary itself is PLAIN


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
        "level": [row // 40 % 30 if row // 5000 % 2 == 0 else row // 3 for row in range(rows)],
        "maybe_level": [null_every(4, row, 0.5 * (row // 25 % 16) + row // 7000) for row in range(rows)],
    }


def faults(path, rows):
    """Finds the faults of a file."""
    file = pyarrow.parquet.ParquetFile(path, page_checksum_verification=True)
    values = expected(rows)
    if file.read().to_pydict() != values:
        yield "other values than were written"
    if duckdb.sql(f"from read_parquet('{path}')").fetchall() != list(zip(*values.values())):
        yield "other values than were written, by DuckDB"
    for name in file.schema.names:
        yield from chunk_faults(file, name)
    for group in range(file.metadata.num_row_groups):
        row_group = file.metadata.row_group(group)
        chunks = [row_group.column(index) for index in range(row_group.num_columns)]
        if row_group.total_byte_size != sum(chunk.total_uncompressed_size for chunk in chunks):
            yield "total_byte_size is not the sum of what the chunks have before compression"


def chunk_faults(file, name):
    """Faults in the encodings and statistics that the chunks of a column state."""
    index = file.schema.names.index(name)
    chunks = [file.metadata.row_group(group).column(index) for group in range(file.metadata.num_row_groups)]
    if name in RUNS:
        # RLE alone where all runs are long, both where some pages are PLAIN; levels are RLE too.
        seen = {frozenset(chunk.encodings) for chunk in chunks}
        if not seen <= {frozenset(["RLE"]), BOTH} or (name == "flag" and BOTH not in seen):
            yield f"{name}: encodings {seen}"
    elif name in TABLES:
        yield from dictionary_faults(name, chunks)
    elif any("PLAIN" not in chunk.encodings for chunk in chunks):
        yield f"{name}: not in PLAIN"
    if {chunk.compression for chunk in chunks} != {"SNAPPY" if name in COMPRESSED else "UNCOMPRESSED"}:
        yield f"{name}: another codec"
    saved = sum(chunk.total_uncompressed_size - chunk.total_compressed_size for chunk in chunks)
    if (name not in TABLES and (saved > 0) != (name in SHRINK)) or (saved == 0) != (name not in COMPRESSED):
        yield f"{name}: {saved} bytes saved by compression"
    for group, chunk in enumerate(chunks):
        if chunk.statistics is None or not chunk.statistics.has_min_max:
            yield f"{name}: no bounds"
            continue
        seen = file.read_row_group(group, columns=[name]).column(0).to_pylist()
        seen = [value for value in seen if value is not None]
        if (chunk.statistics.min, chunk.statistics.max) != (min(seen), max(seen)):
            yield f"{name}: other bounds than its values have"


def dictionary_faults(name, chunks):
    """Checks that chunks with indices have a dictionary page, right before the first data page, and others have none."""
    seen = {frozenset(chunk.encodings) for chunk in chunks}
    if not {INDICES} <= seen <= {INDICES, BOTH}:
        yield f"{name}: encodings {seen}"
    if name == "level" and not any(chunk.has_dictionary_page and chunk.statistics.min > ONCE and
                                   chunk.statistics.max - chunk.statistics.min > ENTRIES for chunk in chunks):
        yield f"{name}: no chunk has more values than its dictionary has entries"
    for chunk in chunks:
        if chunk.has_dictionary_page != ("RLE_DICTIONARY" in chunk.encodings):
            yield f"{name}: a dictionary page without indices, or indices without one"
        elif chunk.has_dictionary_page and not 0 < chunk.data_page_offset - chunk.dictionary_page_offset < 500:
            yield f"{name}: its dictionary page is not where its first data page begins"


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
