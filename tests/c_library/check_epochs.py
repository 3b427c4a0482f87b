#!/usr/bin/env python3
"""Compares the file of examples/c_nested with what it has logged, value by value, in pyarrow and in DuckDB.

usage: check_epochs.py FILE
"""
import datetime
import sys

import duckdb
import numpy
import pyarrow.parquet

ROWS = 800
START = datetime.datetime(2023, 11, 14, 22, 13, 20, tzinfo=datetime.timezone.utc)
START_US = 1700000000000000


def fix(i):
    if i % 4 == 0:
        return None
    return {"lat": 48.0 + i * 0.001, "lon": 11.0 - i * 0.001, "height": 500.0 + i if i % 3 == 0 else None}


def int16(number):
    return int(numpy.int64(number).astype(numpy.int16))


def epoch(i):
    keys = ["mode", "error", ""]
    return {
        "time": START + datetime.timedelta(microseconds=100000 * i),
        "fix": fix(i),
        "satellites": [{"id": 200 + k, "snr": (i + k) * 0.5} for k in range(i % 13)],
        "bands": [int16(i * k - 1000) for k in range(8)],
        "samples": [float(i - k) for k in range(i * 7 % 41)],
        "tags": {keys[k]: i * 10 + k for k in range(i % 4)},
    }


def same(found, reader):
    if len(found) != ROWS:
        sys.exit(f"{reader}: {len(found)} rows instead of {ROWS}")
    for i, row in enumerate(found):
        row["tags"] = dict(row["tags"])
        if row != epoch(i):
            sys.exit(f"{reader}: row {i} is\n{row}\ninstead of\n{epoch(i)}")


def main():
    table = pyarrow.parquet.read_table(sys.argv[1])
    same(table.to_pylist(), "pyarrow")
    result = duckdb.connect().execute(f"select epoch_us(time) as time, fix, satellites, bands, samples, tags from '{sys.argv[1]}' order by time")
    names = [column[0] for column in result.description]
    rows = [dict(zip(names, row)) for row in result.fetchall()]
    for row in rows:
        row["time"] = START + datetime.timedelta(microseconds=row["time"] - START_US)
    same(rows, "DuckDB")
    nested = pyarrow.parquet.ParquetFile(sys.argv[1])
    print(f"{ROWS} rows in {nested.num_row_groups} row groups, right in pyarrow and DuckDB")


if __name__ == "__main__":
    main()
