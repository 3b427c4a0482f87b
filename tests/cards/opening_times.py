#!/usr/bin/env python3
"""Time that pandas and DuckDB take to open an hour of each log of port/cards.md, in milliseconds: the best of some tries.

usage: opening_times.py CARDS   (CARDS: the program cards)
"""
import pathlib
import subprocess
import sys
import tempfile
import time

import duckdb
import pandas

LOGS = ("in_place", "imu8_6k", "imu8_16k", "imu8_32k", "imu8_16k_delta", "imu8_6k_1h", "imu8_16k_1h")
TRIES = 10


def best(call):
    times = []
    for _ in range(TRIES):
        begin = time.perf_counter()
        rows = call()
        times.append(time.perf_counter() - begin)
    return min(times) * 1000, rows


def main():
    print(f"pandas {pandas.__version__}, DuckDB {duckdb.__version__}")
    for log in LOGS:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.argv[1], "--files", folder, log], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            paths = sorted(pathlib.Path(folder).iterdir())
            connection = duckdb.connect()
            connection.execute("SET threads = 1")
            by_pandas, rows = best(lambda: len(pandas.concat([pandas.read_parquet(path) for path in paths])))
            by_duckdb, same = best(lambda: connection.execute(f"SELECT count(*), bit_xor(hash(columns(*))) FROM '{folder}/*.parquet'").fetchone()[0])
            if rows != same:
                sys.exit(f"{log}: {rows} rows in pandas, {same} in DuckDB")
            print(f"{log}: {len(paths)} files, {rows} rows, pandas {by_pandas:.0f} ms, DuckDB {by_duckdb:.0f} ms")


main()
