#!/usr/bin/env python3
"""Prints what csv_log and `mpq cat` take of the CPU that DuckDB takes for the same, its start included, by one thread; and the
CPU seconds that csv_log takes for a row of as many columns as a file may have.

csv_costs.py BIN: BIN has csv_log and mpq."""
import os
import pathlib
import subprocess
import sys
import tempfile

import duckdb

BINARIES = sys.argv[1]
ROWS, ROUNDS, COLUMNS = 1_000_000, 5, 65_535
RECORDING = pathlib.Path(__file__).resolve().parents[2] / "examples" / "data" / "walk.csv"
TIMES = 250  # that the recording is repeated
FLOATS = f"""SELECT i * 0.0025 AS time_s, (sin(i / 100.0) * 1000)::INT / 1000.0 AS gyroscope_x, (i * 7919 % 200000) / 12800.0 AS gyroscope_y,
    (i * 104729 % 200000) / 12800.0 AS gyroscope_z, cos(i / 77.0) * 9.81 AS acceleration_x, sin(i / 33.0) AS acceleration_y,
    cos(i / 21.0) AS acceleration_z FROM range({ROWS}) rows(i)"""
LOG = f"""SELECT 1700000000000000 + i * 2500 AS time_us, i AS number, (sin(i / 100.0) * 1000)::INT / 1000.0::FLOAT AS gyroscope_x,
    (i * 7919 % 2000) / 128.0 AS gyroscope_y, (i * 104729 % 2000) / 128.0 AS gyroscope_z, (i * 31 % 100)::INT AS status
    FROM range({ROWS}) rows(i)"""


def cost(command):
    """CPU seconds of a program."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, error
    return usage.ru_utime + usage.ru_stime


def by_duckdb(query):
    return [sys.executable, "-c", "import sys, duckdb; duckdb.connect(config={'threads': 1}).execute(sys.argv[1])", query]


def ratio(ours, peer):
    """In turns, the best of each."""
    costs = [(cost(ours), cost(peer)) for _ in range(ROUNDS)]
    return min(our for our, _ in costs) / min(theirs for _, theirs in costs)


with tempfile.TemporaryDirectory() as folder:
    csv, ours, theirs = f"{folder}/log.csv", f"{folder}/log.parquet", f"{folder}/other.parquet"
    duckdb.sql(f"COPY ({LOG}) TO '{csv}' (HEADER)")
    convert = ([f"{BINARIES}/csv_log", csv, ours, "--overwrite"],
               by_duckdb(f"COPY (FROM read_csv('{csv}')) TO '{theirs}' (FORMAT parquet)"))
    writing = ratio(*convert)
    cost([f"{BINARIES}/csv_log", csv, ours, "--overwrite", "--encoding", "plain"])
    printing = ratio([f"{BINARIES}/mpq", "cat", ours], by_duckdb(f"COPY (FROM '{ours}') TO '/dev/null' (FORMAT csv)"))
    duckdb.sql(f"COPY ({FLOATS}) TO '{csv}' (HEADER)")
    floats = ratio(*convert)
    header, _, body = RECORDING.read_text(encoding="utf-8").partition("\n")
    pathlib.Path(csv).write_text(header + "\n" + body * TIMES, encoding="utf-8")
    recording = ratio(*convert)
    names = ",".join(f"c{i}" for i in range(COLUMNS))
    pathlib.Path(csv).write_text(names + "\n" + ",".join(["1"] * COLUMNS) + "\n")
    wide = min(cost([f"{BINARIES}/csv_log", csv, ours, "--overwrite"]) for _ in range(ROUNDS))
    wider = min(cost([f"{BINARIES}/csv_log", csv, ours, "--append"]) for _ in range(ROUNDS))
print(f"csv_log.vs_duckdb {writing:.2f} times")
print(f"host.cat_csv.vs_duckdb {printing:.2f} times")
print(f"csv_log.floats.vs_duckdb {floats:.2f} times")
print(f"csv_log.recording.vs_duckdb {recording:.2f} times")
print(f"csv_log.columns_65535.seconds {wide:.2f} s")
print(f"csv_log.append_65535.seconds {wider:.2f} s")
