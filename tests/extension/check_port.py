#!/usr/bin/env python3
"""Reads with pyarrow and DuckDB what fram_log left in its chip.

usage: check_port.py FRAM_LOG FILE
"""
import pathlib
import subprocess
import sys

import duckdb
import pyarrow.parquet

LEAST_ROWS = 5000


def faults(path, rows):
    values = {"number": list(range(rows)), "reading": [number % 100 / 4 for number in range(rows)]}
    if rows < LEAST_ROWS:
        yield f"no more than {rows} rows"
    if pyarrow.parquet.read_table(path, page_checksum_verification=True).to_pydict() != values:
        yield "other values than were written"
    if duckdb.sql(f"from read_parquet('{path}')").fetchall() != list(zip(*values.values())):
        yield "other values than were written, by DuckDB"


def main():
    program, path = sys.argv[1:]
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    rows = int(subprocess.run([program, path], check=True, capture_output=True, text=True).stdout)
    wrong = list(faults(path, rows))
    print(f"{'FAILED' if wrong else 'ok'}: {rows} rows by FramFile{': ' if wrong else ''}{', '.join(wrong)}")
    print(f"{1 - bool(wrong)} passed, {int(bool(wrong))} failed")
    return bool(wrong)


sys.exit(main())
