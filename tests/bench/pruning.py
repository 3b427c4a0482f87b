#!/usr/bin/env python3
"""pruning.py CSV_LOG: prints the figures of the group pruning.

Four readers look for a few values of a column in our files, and in files of pyarrow's of the same rows and row groups: once
where the rows are sorted by that column, and once where they are not. What they read of both should be the same. Row groups
are counted as each reader tells, bytes as the kernel does; of Spark it is rows that its readers took out of row groups.
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset as ds
import pyarrow.parquet as pq

sys.path[0] = str(pathlib.Path(__file__).parents[1] / "interop")  # not this folder: it has a module of the name profile
from readers import Spark  # noqa: E402

ROWS = 200_000
GROUP_ROWS = 5_000
RANGES = ((500_000, 520_000), (0, 1_000), (999_900, 2_000_000), (2_000_000, 2_000_001))
POLARS = """import sys, polars
a = polars.col("a")
print(polars.scan_parquet(sys.argv[1]).filter(a.is_between(int(sys.argv[2]), int(sys.argv[3]))).collect().height)
"""


def bytes_read(process="self"):
    return int(re.search(r"rchar: (\d+)", pathlib.Path(f"/proc/{process}/io").read_text())[1])


def of_pyarrow(path, low, high):
    """Rows found, row groups and bytes read."""
    wanted = (ds.field("a") >= low) & (ds.field("a") <= high)
    dataset = ds.dataset(path)
    groups = sum(len(fragment.subset(wanted).row_groups) for fragment in dataset.get_fragments())
    before = bytes_read()
    rows = dataset.to_table(filter=wanted, use_threads=False).num_rows
    return rows, groups, bytes_read() - before


def of_duckdb(path, low, high):
    """It does not tell its row groups."""
    database = duckdb.connect()
    database.sql("SET enable_external_file_cache = false")
    database.sql("SET threads = 1")
    before = bytes_read()
    rows = len(database.sql(f"SELECT * FROM read_parquet('{path}') WHERE a BETWEEN {low} AND {high}").fetchall())
    after = bytes_read()
    database.close()
    return rows, 0, after - before


def of_polars(path, low, high):
    """It maps files: bytes are not known."""
    said = subprocess.run([sys.executable, "-c", POLARS, path, str(low), str(high)], capture_output=True, text=True, check=True,
                          env={**os.environ, "POLARS_VERBOSE": "1"})
    return int(said.stdout), int(re.search(r"reading (\d+) / \d+ row groups", said.stderr)[1]), 0


class SparkFilter:
    """Its parquet-java reader, or its own, in one session."""

    def __init__(self, vectorized):
        self.reader = Spark(vectorized)
        self.__name__ = "of_spark_vectorized" if vectorized else "of_spark_parquet_java"

    def __call__(self, path, low, high):
        frame = self.reader.frame(path)
        context = Spark.session.sparkContext
        java = context._gateway.jvm.java.lang.ProcessHandle.current().pid()
        before = bytes_read(java)
        rows = len(frame.where(f"a BETWEEN {low} AND {high}").collect())
        after = bytes_read(java)
        stages = context._jsc.sc().statusStore().stageList(None, False, False, context._gateway.new_array(
            context._gateway.jvm.double, 0), None)
        return rows, stages.apply(0).inputRecords(), after - before


def write_pair(csv_log, table, folder, name):
    """Our file, and pyarrow's with its row groups."""
    ours, theirs, csv = (f"{folder}/{name}_{kind}" for kind in ("ours.parquet", "theirs.parquet", "rows.csv"))
    pa.csv.write_csv(table, csv)
    types = [f"--type={field.name}={field.type}" for field in table.schema if field.type == pa.int64()]
    subprocess.run([csv_log, "--encoding", "plain", "--page-bytes", "16384", "--row-group-bytes", str(1 << 20),
                    "--rows-per-group", str(GROUP_ROWS), *types, csv, ours], check=True, capture_output=True)
    metadata = pq.read_metadata(ours)
    with pq.ParquetWriter(theirs, table.schema, use_dictionary=False, compression="none") as writer:
        begin = 0
        for i in range(metadata.num_row_groups):
            writer.write_table(table.slice(begin, metadata.row_group(i).num_rows))
            begin += metadata.row_group(i).num_rows
    return ours, theirs


def main():
    r = random.Random(4)
    columns = {"a": [r.randrange(10**6) for _ in range(ROWS)], "b": [r.randrange(10**6) for _ in range(ROWS)],
               "x": [r.random() for _ in range(ROWS)]}
    sums = {}
    with tempfile.TemporaryDirectory() as folder:
        for order in ("mixed", "sorted"):
            columns["a"] = sorted(columns["a"]) if order == "sorted" else columns["a"]
            pair = write_pair(sys.argv[1], pa.table(columns), folder, order)
            for reader in (of_pyarrow, of_duckdb, of_polars, SparkFilter(True), SparkFilter(False)):
                name = reader.__name__[3:]
                for low, high in RANGES:
                    for path in pair:  # what a reader reads but once
                        reader(path, low, high)
                    ours, theirs = (reader(path, low, high) for path in pair)
                    if ours[0] != theirs[0]:
                        sys.exit(f"{name} finds {ours[0]} rows in our file, {theirs[0]} in pyarrow's")
                    if os.environ.get("DETAILS") == "yes":
                        print(f"{order} {low}..{high} {name}: rows, row groups, bytes", ours, theirs, file=sys.stderr)
                    for what, mine, other in zip(("row_groups", "bytes"), ours[1:], theirs[1:]):
                        total = sums.setdefault((order, name, what), [0, 0])
                        total[0] += mine
                        total[1] += other
    for (order, name, what), (ours, theirs) in sums.items():
        if theirs:
            print(f"pruning.{order}.{name}.{what}_vs_arrow {ours / theirs:.2f} ratio")


main()
