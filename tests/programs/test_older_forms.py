"""Tests forms that csv_log writes by name for older readers: INT96 timestamps."""
import pathlib

import duckdb
import polars
import pyarrow
import pyarrow.parquet
from harness import check, check_equal, check_file, check_ok, check_refused, run

TIMES = ("2024-01-02T03:04:05.123456789Z", "1969-12-31 23:59:59.999999999", "", "2024-01-02T05:04:05+02:00", "1582-10-15 00:00:00")
SHOWN = ["2024-01-02T03:04:05.123456789", "1969-12-31T23:59:59.999999999", "", "2024-01-02T03:04:05", "1582-10-15T00:00:00"]
NANOS = 1704164645123456789


def write(path, *options):
    pathlib.Path("in.csv").write_text("t,n\n" + "".join(f"{time},{i}\n" for i, time in enumerate(TIMES)), encoding="utf-8")
    check_ok(run("csv_log", "in.csv", path, "--type", "t=int96", *options))


def texts(path):
    return [line.rpartition(",")[0] for line in check_ok(run("mpq", "cat", path)).stdout.splitlines()[1:]]


def test_int96():
    for i, options in enumerate(((), ("--encoding", "plain"), ("--encoding", "plain", "--codec", "zstd", "--page-index"))):
        path = f"{i}.parquet"
        write(path, *options)
        check_file(path)
        check_ok(run("mpq", "verify", "--strict", path))
        check_equal([text.removesuffix(".000000000") for text in texts(path)], SHOWN)
        schema = pyarrow.parquet.read_metadata(path).schema
        check_equal(schema.column(0).physical_type, "INT96")
        column = pyarrow.parquet.read_table(path).column("t")
        check_equal(column.slice(0, 3).cast(pyarrow.int64()).to_pylist(), [NANOS, -1, None], "pyarrow")
        check_equal(duckdb.sql(f"select epoch_us(t) from '{path}'").fetchall()[0][0], NANOS // 1000, "DuckDB")
        check_equal(polars.read_parquet(path)["t"].cast(polars.Int64).to_list()[:3], [NANOS, -1, None], "Polars")


def test_int96_is_continued():
    write("in.parquet")
    check_ok(run("csv_log", "in.csv", "in.parquet", "--append"))
    check_equal(len(texts("in.parquet")), 2 * len(TIMES))
    check_equal(texts("in.parquet")[:len(TIMES)], texts("in.parquet")[len(TIMES):])
    check_file("in.parquet")


def test_what_is_no_int96():
    pathlib.Path("in.csv").write_text("t\n2024-13-01T00:00:00\n", encoding="utf-8")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--type", "t=int96"), "int96")
    write("in.parquet", "--encoding", "plain")
    whole = pathlib.Path("in.parquet").read_bytes()
    pathlib.Path("in.parquet").write_bytes(whole[:-20])
    said = run("mpq", "recover", "in.parquet", "-o", "recovered.parquet")
    check(said.returncode == 0 and len(texts("recovered.parquet")) == len(TIMES), said.stdout, said.stderr)
