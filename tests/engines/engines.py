"""Engines, and how each is asked for a table whose files have several schemas: plainly, and with the words that make it right.

Each engine makes a table of the files of `glob`, plainly or with the words that the page shows, and answers how many rows and values
of a column it has, and their sum.
"""
import importlib.metadata
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "interop"))
from readers import Spark  # noqa: E402

# The column of each change, and its other name if it has two.
CHANGES = {"added": ("temperature", None), "widened": ("number", None), "renamed": ("gyroscope_z", "gyro_z")}


class DuckDb:
    name, module = "DuckDB", "duckdb"
    words = "read_parquet(FILES, union_by_name = true)"

    def plain(self, glob):
        return f"read_parquet('{glob}')"

    def right(self, glob):
        return f"read_parquet('{glob}', union_by_name = true)"

    def ask(self, table, column, other):
        import duckdb
        value = f"coalesce({column}, {other})" if other else column
        return duckdb.connect().execute(f"select count(*), count({value}), sum({value}) from {table}").fetchall()[0]


class ClickHouse:
    name, module = "ClickHouse (chdb)", "chdb"
    columns = "number Int64, time_us Int64, gyroscope_z Nullable(Float32), gyro_z Nullable(Float32), temperature Nullable(Float32)"
    words = "file(FILES, Parquet, 'number Int64, gyroscope_z Nullable(Float32), ...')"

    def plain(self, glob):
        return f"file('{glob}', Parquet)"

    def right(self, glob):
        return f"file('{glob}', Parquet, '{self.columns}')"

    def ask(self, table, column, other):
        import chdb
        value = f"coalesce({column}, {other})" if other else column
        return [float(word) for word in str(chdb.query(f"select count(), count({value}), sum({value}) from {table}", "TSV")).split()]


class Polars:
    name, module = "Polars", "polars"
    words = "scan_parquet(FILES, schema=..., missing_columns='insert', cast_options=ScanCastOptions(integer_cast='upcast'))"

    def plain(self, glob):
        import polars
        return polars.scan_parquet(glob)

    def right(self, glob):
        import polars as pl
        schema = {"number": pl.Int64, "time_us": pl.Int64, "gyroscope_z": pl.Float32, "gyro_z": pl.Float32, "temperature": pl.Float32}
        return pl.scan_parquet(glob, schema=schema, missing_columns="insert", cast_options=pl.ScanCastOptions(integer_cast="upcast"))

    def ask(self, table, column, other):
        import polars as pl
        value = pl.coalesce(column, other) if other else pl.col(column)
        return table.select(pl.len().alias("rows"), value.count().alias("values"), value.sum().alias("sum")).collect().row(0)


class PyArrow:
    name, module = "pyarrow", "pyarrow"
    words = "dataset(FOLDER, schema=schema([...]))"

    def plain(self, glob):
        import pyarrow.dataset
        return pyarrow.dataset.dataset(str(pathlib.Path(glob).parent))

    def right(self, glob):
        import pyarrow as pa
        import pyarrow.dataset
        return pyarrow.dataset.dataset(str(pathlib.Path(glob).parent), schema=pa.schema(
            [("number", pa.int64()), ("time_us", pa.int64()), ("gyroscope_z", pa.float32()), ("gyro_z", pa.float32()), ("temperature", pa.float32())]))

    def ask(self, table, column, other):
        import pyarrow.compute as pc
        found = table.to_table(columns=[column, other] if other else [column])
        value = pc.coalesce(found[column], found[other]) if other else found[column]
        return found.num_rows, pc.count(value).as_py(), pc.sum(value).as_py()


class SparkSql:
    name, module = "Spark", "pyspark"
    words = "spark.read.schema('number bigint, gyroscope_z float, ...').parquet(FOLDER)"

    def plain(self, glob):
        return Spark.open_session().read.parquet(str(pathlib.Path(glob).parent))

    def right(self, glob):
        schema = "number bigint, time_us bigint, gyroscope_z float, gyro_z float, temperature float"
        return Spark.open_session().read.schema(schema).parquet(str(pathlib.Path(glob).parent))

    def ask(self, table, column, other):
        from pyspark.sql import functions as f
        value = f.coalesce(column, other) if other else f.col(column)
        return tuple(table.agg(f.count("*"), f.count(value), f.sum(value)).first())


ENGINES = [DuckDb(), Polars(), PyArrow(), SparkSql(), ClickHouse()]


def version(engine):
    return importlib.metadata.version(engine.module)
