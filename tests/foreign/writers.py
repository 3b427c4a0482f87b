"""Files of other writers: NAME, and how it is written. Two tables of one schema become two files."""
import decimal
import pathlib
import random
import shutil
import tempfile

import duckdb
import fastparquet
import polars
import pyarrow as pa
import pyarrow.parquet

from programs import arrow_rs, parquet_go


def table(rows, seed):
    """Numbers that repeat and that do not, texts, lists, structs, with nulls and without."""
    chance = random.Random(seed)
    return pa.table({
        "id": pa.array(range(seed * 10**6, seed * 10**6 + rows), pa.int64()),
        "t": pa.array([10**15 * seed + i * 1000 for i in range(rows)], pa.timestamp("us")),
        "x": pa.array([chance.gauss(0, 1) for _ in range(rows)], pa.float64()),
        "y": pa.array([None if chance.random() < .1 else chance.gauss(0, 1) for _ in range(rows)], pa.float64()),
        "f": pa.array([chance.random() for _ in range(rows)], pa.float32()),
        "name": pa.array([None if i % 7 == 0 else f"name {chance.randrange(500)}" for i in range(rows)]),
        "text": pa.array([f"text {chance.random()}" for _ in range(rows)]),
        "ok": pa.array([None if i % 11 == 0 else chance.random() < .5 for i in range(rows)]),
        "k": pa.array([chance.randrange(-9, 9) for _ in range(rows)], pa.int32()),
        "l": pa.array([None if chance.random() < .1 else
                       [None if chance.random() < .1 else chance.randrange(100) for _ in range(chance.randrange(5))]
                       for _ in range(rows)], pa.list_(pa.int32())),
        "s": pa.array([None if chance.random() < .1 else
                       {"a": chance.random(), "b": None if chance.random() < .2 else str(chance.randrange(1000))}
                       for _ in range(rows)], pa.struct([("a", pa.float64()), ("b", pa.string())])),
        "z": pa.array([None if i % 13 == 0 else [{"u": k, "v": None if k % 2 else "w" * k} for k in range(i % 4)]
                       for i in range(rows)], pa.list_(pa.struct([("u", pa.int64()), ("v", pa.string())]))),
        "d": pa.array([decimal.Decimal(chance.randrange(10**6)) / 100 for _ in range(rows)], pa.decimal128(20, 2)),
    })


def required(rows, seed):
    """The same without nulls where there are none, and said so."""
    whole = table(rows, seed).select(["id", "t", "x", "f", "text", "k", "d"])
    return whole.cast(pa.schema([field.with_nullable(False) for field in whole.schema]))


def flat(rows, seed):
    """Columns that fastparquet writes."""
    return table(rows, seed).select(["id", "t", "x", "y", "f", "name", "text", "ok", "k"])


def arrow(**options):
    return lambda rows, path: pa.parquet.write_table(rows, path, **options)


def duck(options):
    def write(rows, path):
        connection = duckdb.connect()
        connection.execute("set threads = 1")
        connection.register("rows", rows)
        connection.execute(f"copy (select * from rows) to '{path}' (format parquet{options})")
    return write


def polar(**options):
    return lambda rows, path: polars.from_arrow(rows).write_parquet(path, **options)


class Spark:
    """One session for all files."""
    session = None

    @classmethod
    def write(cls, rows, path, options):
        from pyspark.sql import SparkSession
        if cls.session is None:
            cls.session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
            cls.session.sparkContext.setLogLevel("OFF")
        with tempfile.TemporaryDirectory() as folder:
            source = f"{folder}/rows.parquet"
            pa.parquet.write_table(rows, source)
            writer = cls.session.read.parquet(source).coalesce(1).write
            for name, value in options.items():
                writer = writer.option(name, value)
            writer.parquet(f"{folder}/out")
            shutil.copy(next(pathlib.Path(folder, "out").glob("*.parquet")), path)


def spark(**options):
    return lambda rows, path: Spark.write(rows, path, {name.replace("_", "."): value for name, value in options.items()})


def fast(**options):
    return lambda rows, path: fastparquet.write(str(path), rows.to_pandas(), write_index=False, **options)


SMALL = {"row_group_size": 5000, "data_page_size": 9000}
PLAIN_ENCODINGS = {"id": "DELTA_BINARY_PACKED", "t": "DELTA_BINARY_PACKED", "x": "BYTE_STREAM_SPLIT", "f": "BYTE_STREAM_SPLIT",
                   "text": "DELTA_BYTE_ARRAY", "name": "DELTA_LENGTH_BYTE_ARRAY"}

# Name, table, writer; "quick" ones are those of tests/run.
CASES = [
    ("pyarrow", table, arrow(), True),
    ("pyarrow groups", table, arrow(**SMALL), True),
    ("pyarrow fallback", table, arrow(dictionary_pagesize_limit=4000, **SMALL), False),
    ("pyarrow plain", table, arrow(use_dictionary=False, compression="none", **SMALL), False),
    ("pyarrow v2 zstd", table, arrow(data_page_version="2.0", compression="zstd", write_page_index=True, **SMALL), True),
    ("pyarrow crc gzip", table, arrow(write_page_checksum=True, compression="gzip", **SMALL), False),
    ("pyarrow brotli", table, arrow(compression="brotli", **SMALL), False),
    ("pyarrow lz4", table, arrow(compression="lz4", **SMALL), False),
    ("pyarrow encodings", table, arrow(use_dictionary=False, column_encoding=PLAIN_ENCODINGS, **SMALL), True),
    ("pyarrow required", required, arrow(**SMALL), True),
    ("DuckDB", table, duck(""), True),
    ("DuckDB groups", table, duck(", row_group_size 4096"), True),
    ("DuckDB v2 zstd", table, duck(", row_group_size 4096, parquet_version v2, compression zstd"), False),
    ("DuckDB gzip", table, duck(", compression gzip"), False),
    ("Polars", table, polar(), True),
    ("Polars groups", table, polar(row_group_size=5000, data_page_size=30000, compression="snappy"), True),
    ("parquet-go", table, parquet_go(), True),
    ("parquet-go groups", table, parquet_go(group_rows=5000, page_bytes=9000), True),
    ("parquet-go v1 zstd", table, parquet_go(group_rows=5000, page_bytes=9000, version=1, codec="zstd"), False),
    ("parquet-go gzip", table, parquet_go(group_rows=4096, codec="gzip"), False),
    ("parquet-go lz4", table, parquet_go(group_rows=4096, page_bytes=30000, codec="lz4"), False),
    ("arrow-rs", table, arrow_rs(), False),
    ("arrow-rs groups", table, arrow_rs(group_rows=5000, page_bytes=9000, codec="snappy"), False),
    ("arrow-rs rows of pages", table, arrow_rs(group_rows=5000, page_rows=1000, codec="lz4"), False),
    ("arrow-rs v2 zstd", table, arrow_rs(group_rows=5000, page_bytes=9000, version=2, codec="zstd"), False),
    ("arrow-rs plain", table, arrow_rs(page_bytes=9000, dictionary="no"), False),
    ("fastparquet", flat, fast(), True),
    ("fastparquet groups", flat, fast(row_group_offsets=5000, compression="ZSTD"), True),
    ("fastparquet gzip", flat, fast(row_group_offsets=4000, compression="GZIP"), False),
    ("Spark", table, spark(), False),
    ("Spark zstd", table, spark(compression="zstd"), False),
    ("Spark Bloom filters", table, spark(**{"parquet_bloom_filter_enabled#text": "true"}), False),
]
