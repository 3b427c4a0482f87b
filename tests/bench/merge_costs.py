#!/usr/bin/env python3
"""Prints what `mpq merge` takes of the user's CPU time that pyarrow takes for the files of a day, and its memory.

merge_costs.py BIN: BIN has csv_log and mpq."""
import os
import pathlib
import subprocess
import sys
import tempfile

import duckdb
import pyarrow.parquet

BINARIES = sys.argv[1]
PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "programs"
FILES, ROWS, ROUNDS = 144, 30_000, 5
FLOATS = ("gyroscope_x", "gyroscope_y", "gyroscope_z", "accelerometer_x", "accelerometer_y", "accelerometer_z", "temperature")
LOG = """SELECT i * 20000 AS time_us, ((i * 7919) % 2000 - 1000) / 128.0 AS gyroscope_x, (sin(i / 100.0) * 1000)::INT / 1000.0 AS gyroscope_y,
    (i * 104729 % 200000) / 12800.0 AS gyroscope_z, cos(i / 77.0) * 9.81 AS accelerometer_x, sin(i / 33.0) AS accelerometer_y,
    cos(i / 21.0) AS accelerometer_z, 20 + (i // 1000 % 50) / 10.0 AS temperature FROM range({}, {}) rows(i)"""
PYARROW = """
import glob, sys, pyarrow as pa, pyarrow.parquet as pq
pa.set_cpu_count(1); pa.set_io_thread_count(1)
table = pa.concat_tables([pq.read_table(path, use_threads=False) for path in sorted(glob.glob(sys.argv[1] + "/*.parquet"))])
pq.write_table(table, sys.argv[2], compression="zstd", use_dictionary=True, row_group_size=1 << 20)
"""


def cost(command):
    """The user's CPU seconds of a program."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, error
    return usage.ru_utime


def peak(command):
    """The most memory it has, in kilobytes."""
    said = subprocess.run([sys.executable, "-S", PROGRAMS / "measure.py", *command], capture_output=True, text=True, check=True).stdout.split()
    assert said[0] == "0"
    return int(said[2])


def make_day(folder):
    """Files as a device writes them: PLAIN, in pages of 512 bytes and row groups of some ten kilobytes."""
    os.makedirs(folder)
    types = [word for name in FLOATS for word in ("--type", f"{name}=float")]
    for i in range(FILES):
        csv = f"{folder}/log.csv"
        duckdb.sql(f"COPY ({LOG.format(i * ROWS, (i + 1) * ROWS)}) TO '{csv}' (HEADER)")
        facts = [word for fact in ("device_id=6A1B0042", "session=00000007", f"split={i + 1:08}", "started_at=2026-11-22T00:00:00Z")
                 for word in ("--kv", fact)]
        subprocess.run([f"{BINARIES}/csv_log", csv, f"{folder}/{i + 1:08}.parquet", "--encoding", "plain", "--type", "time_us=int64", *types, *facts],
                       check=True, capture_output=True)
        os.remove(csv)


with tempfile.TemporaryDirectory() as folder:
    day, ours, theirs = f"{folder}/day", f"{folder}/ours.parquet", f"{folder}/theirs.parquet"
    make_day(day)
    merge = [f"{BINARIES}/mpq", "merge", day, "-o", ours, "--overwrite"]
    costs = [(cost(merge), cost([sys.executable, "-c", PYARROW, day, theirs])) for _ in range(ROUNDS)]
    mpq, pyarrow_seconds = map(min, zip(*costs))
    assert pyarrow.parquet.read_metadata(ours).num_rows == pyarrow.parquet.read_metadata(theirs).num_rows == FILES * ROWS
    print(f"merge.day.vs_pyarrow {mpq / pyarrow_seconds:.2f} times")
    print(f"merge.day.peak {peak(merge) / 1024:.1f} MB")
    print(f"merge.day.size_vs_pyarrow {pathlib.Path(ours).stat().st_size / pathlib.Path(theirs).stat().st_size:.2f} times")
    print(f"mpq {mpq:.2f} s, pyarrow {pyarrow_seconds:.2f} s", file=sys.stderr)
