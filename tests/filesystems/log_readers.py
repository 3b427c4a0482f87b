"""A log as all its readers have it: the independent checker, pyarrow and DuckDB."""
import pathlib
import sys

import duckdb
import pyarrow.parquet as pq

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "checker"))
import parquet_checker  # pylint: disable=wrong-import-position

# Errors that read() raises when a reader refuses a file, pyarrow's errors among them, or has other rows than another one.
ERRORS = (OSError, ValueError, duckdb.Error)


def read(path, debris=False):
    """The rows by pyarrow, checksums included, which are those that DuckDB reads, of a file that the checker has nothing
    against. `debris`: its writing was interrupted, and parts of footers may lie in it."""
    complaints = parquet_checker.check_image(str(path), debris)
    if complaints:
        raise ValueError(f"the checker: {complaints[0]}")
    table = pq.read_table(path, page_checksum_verification=True)
    duck = duckdb.read_parquet(str(path)).fetch_arrow_table().cast(table.schema.remove_metadata())
    if not duck.equals(table):
        raise ValueError(f"DuckDB reads {duck.num_rows} rows, and not what pyarrow reads: {table.num_rows}")
    return table
