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
    writing = ratio([f"{BINARIES}/csv_log", csv, ours, "--overwrite"],
                    by_duckdb(f"COPY (FROM read_csv('{csv}')) TO '{theirs}' (FORMAT parquet)"))
    cost([f"{BINARIES}/csv_log", csv, ours, "--overwrite", "--encoding", "plain"])
    printing = ratio([f"{BINARIES}/mpq", "cat", ours], by_duckdb(f"COPY (FROM '{ours}') TO '/dev/null' (FORMAT csv)"))
    names = ",".join(f"c{i}" for i in range(COLUMNS))
    pathlib.Path(csv).write_text(names + "\n" + ",".join(["1"] * COLUMNS) + "\n")
    wide = min(cost([f"{BINARIES}/csv_log", csv, ours, "--overwrite"]) for _ in range(ROUNDS))
    wider = min(cost([f"{BINARIES}/csv_log", csv, ours, "--append"]) for _ in range(ROUNDS))
print(f"csv_log.vs_duckdb {writing:.2f} times")
print(f"host.cat_csv.vs_duckdb {printing:.2f} times")
print(f"csv_log.columns_65535.seconds {wide:.2f} s")
print(f"csv_log.append_65535.seconds {wider:.2f} s")
