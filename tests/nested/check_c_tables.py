#!/usr/bin/env python3
"""Writes files by random tables of nodes for C, and compares them, value by value, in pyarrow; DuckDB reads all of them.

usage: check_c_tables.py C_TABLES FOLDER SEEDS
"""
import json
import pathlib
import shutil
import subprocess
import sys

import duckdb
import pyarrow.parquet


def plain(value):
    """Structs as dicts, lists, and maps as lists of pairs."""
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    return [plain(element) for element in value] if isinstance(value, (list, tuple)) else value


def main():
    program, folder, seeds = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run([program, folder, "1", str(seeds + 1)], check=True)
    failed = 0
    for seed in range(1, seeds + 1):
        path = folder / f"{seed}.parquet"
        rows = [json.loads(line) for line in (folder / f"{seed}.json").read_text().splitlines()]
        if plain(pyarrow.parquet.read_table(path).to_pylist()) != rows:
            print(f"{path}: other values in pyarrow", file=sys.stderr)
            failed += 1
        if len(duckdb.sql(f"from '{path}'").fetchall()) != len(rows):
            print(f"{path}: another number of rows in DuckDB", file=sys.stderr)
            failed += 1
    print(f"{seeds} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
