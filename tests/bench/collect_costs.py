#!/usr/bin/env python3
"""Prints what `mpq collect` takes for a fleet, against pyarrow and DuckDB: CPU seconds of one thread, user's and system's.

collect_costs.py BIN [FLEET]: BIN has mpq and made_fleet; without FLEET one is made."""
import os
import pathlib
import subprocess
import sys
import tempfile

import duckdb

BINARIES, FLEET = sys.argv[1], os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
DEVICES, SESSIONS, MOST_ROWS, SEED = 50, 30, 45_000, 7
ROUNDS = 2

PYARROW = """
import sys, pyarrow as pa
pa.set_cpu_count(1); pa.set_io_thread_count(1)
import pyarrow.dataset as ds
F = pa.float32()
schema = pa.schema([("number", pa.int64()), ("time", pa.timestamp("us", "UTC"))] + [(name, F) for name in (
    "gyroscope_x", "gyroscope_y", "gyroscope_z", "gyro_z", "accelerometer_x", "accelerometer_y", "accelerometer_z", "temperature")])
folders = pa.schema([("device", pa.string()), ("session", pa.string())])
log = ds.dataset(sys.argv[1] + "/LOG", format="parquet", schema=pa.schema([*schema, *folders]), partitioning=ds.partitioning(folders))
ds.write_dataset(log, sys.argv[2], format="parquet", partitioning=ds.partitioning(pa.schema([("device", pa.string())]), flavor="hive"),
                 file_options=ds.ParquetFileFormat().make_write_options(compression="zstd"), max_rows_per_group=1 << 20,
                 min_rows_per_group=1 << 18, max_partitions=1024)
"""
DUCKDB = """
import os, sys, duckdb
connection = duckdb.connect()
connection.execute("SET threads = 1; SET TimeZone = 'UTC'")
for device in sorted(os.listdir(sys.argv[1] + "/LOG")):
    os.makedirs(f"{sys.argv[2]}/device={device}")
    connection.execute(f\"\"\"COPY (SELECT parse_path(filename)[-2] AS session, number, time, gyroscope_x, gyroscope_y,
        coalesce(gyroscope_z, gyro_z) AS gyroscope_z, accelerometer_x, accelerometer_y, accelerometer_z, temperature
        FROM (SELECT NULL::FLOAT AS gyro_z, NULL::FLOAT AS gyroscope_z, NULL::FLOAT AS temperature WHERE false
              UNION ALL BY NAME SELECT * FROM read_parquet('{sys.argv[1]}/LOG/{device}/*/*.parquet', union_by_name = true,
              filename = true)) ORDER BY time)
        TO '{sys.argv[2]}/device={device}/0.parquet' (FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2)\"\"\")
"""


def cost(command):
    """CPU seconds and kilobytes of memory of a program."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, error
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def best(command_for, folder):
    """The least of some rounds, each into a folder of its own."""
    costs = [cost(command_for(f"{folder}/{i}")) for i in range(ROUNDS)]
    return min(seconds for seconds, _ in costs), max(memory for _, memory in costs)


def recovered_rows(fleet, folder):
    """All rows there are, by mpq recover, into copies."""
    rows = 0
    for i, path in enumerate(sorted(pathlib.Path(fleet).rglob("*.parquet"))):
        copy = f"{folder}/{i}.parquet"
        subprocess.run([f"{BINARIES}/mpq", "recover", path, "-o", copy], capture_output=True, check=False)
        if os.path.exists(copy):
            rows += duckdb.sql(f"SELECT num_rows FROM parquet_file_metadata('{copy}')").fetchall()[0][0]
            os.remove(copy)
    return rows


with tempfile.TemporaryDirectory() as folder:
    fleet = FLEET or f"{folder}/fleet"
    if FLEET is None:
        subprocess.run([f"{BINARIES}/made_fleet", fleet, *map(str, (DEVICES, SESSIONS, MOST_ROWS, SEED))], check=True, stdout=subprocess.DEVNULL)
    os.makedirs(f"{folder}/recovered")
    ours, memory = best(lambda out: [f"{BINARIES}/mpq", "collect", fleet, "-o", f"{out}-lake"], folder)
    pyarrow, _ = best(lambda out: [sys.executable, "-c", PYARROW, fleet, f"{out}-pyarrow"], folder)
    loop, _ = best(lambda out: [sys.executable, "-c", DUCKDB, fleet, f"{out}-duckdb"], folder)
    found = duckdb.sql(f"SELECT count(*) FROM '{folder}/0-lake/raw/*/*/*.parquet'").fetchall()[0][0]
    print(f"collect.rows_missing {recovered_rows(fleet, f'{folder}/recovered') - found} rows")
    print(f"collect.vs_pyarrow {pyarrow / ours:.2f} times")
    print(f"collect.vs_duckdb {ours / loop:.2f} times")
    print(f"collect.peak {memory / 1024:.1f} MB")
    print(f"mpq {ours:.2f} s, pyarrow {pyarrow:.2f} s, duckdb {loop:.2f} s", file=sys.stderr)
