"""The readings of the sensors of examples/common, and whether a file holds them."""
import pathlib
import subprocess
import sys

import duckdb
import numpy
import pyarrow.parquet as pq

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "checker"))
import parquet_checker  # pylint: disable=wrong-import-position


def motion_rows(numbers, period_ms):
    """The columns of an inertial sensor, by the rows' numbers."""
    value = (numbers % 2000).astype(numpy.int16)
    fixed = {name: numpy.full(len(numbers), constant, numpy.int16) for name, constant in
             (("acceleration_y", 2), ("acceleration_z", 3), ("rotation_x", 4), ("rotation_y", 5))}
    return {"time": times(numbers, period_ms), "acceleration_x": value, **fixed, "rotation_z": -value}


def air_rows(numbers, period_ms):
    """The columns of a sensor of the air."""
    temperature = (20 + numbers % 100 * 0.125).astype(numpy.float32)
    fixed = {name: numpy.full(len(numbers), constant, numpy.float32) for name, constant in
             (("humidity", 50), ("pressure", 1013.25))}
    return {"time": times(numbers, period_ms), "temperature": temperature, **fixed}


def times(numbers, period_ms):
    return (numbers * period_ms).astype("datetime64[ms]")


class Log:
    """A file copied from a card. `fault`: what is wrong with it; empty: nothing. `first`: the number of its first row."""

    def __init__(self, card, name, sensor_rows, period_ms, first=0):
        self.rows = 0
        self.dropped = None
        path = card.with_name(f"{card.stem}_{name}")
        path.unlink(missing_ok=True)
        copied = subprocess.run(["mcopy", "-n", "-i", card, f"::{name}", path], capture_output=True, check=False)
        self.exists = copied.returncode == 0 and path.stat().st_size != 0
        try:
            self.fault = self._read(path, sensor_rows, period_ms, first) if self.exists else "there is no file"
        except (OSError, ValueError, duckdb.Error) as error:  # pyarrow's errors are of these
            self.fault = str(error)

    def _read(self, path, sensor_rows, period_ms, first):
        complaints = parquet_checker.check_file(str(path), parquet_checker.Options(sector=True)).complaints
        if complaints:
            return f"the checker: {complaints[0]}"
        table = pq.read_table(path, page_checksum_verification=True)
        self.rows = table.num_rows
        self.dropped = int((table.schema.metadata or {}).get(b"rows_dropped", b"-1"))
        expected = sensor_rows(numpy.arange(first, first + self.rows), period_ms)
        if table.column_names != list(expected):
            return f"columns {table.column_names}"
        duck = duckdb.sql(f"SELECT * FROM read_parquet('{path}')").fetchnumpy()
        for name, values in expected.items():
            for reader, found in (("pyarrow", table[name].to_numpy()), ("DuckDB", duck[name])):
                if not numpy.array_equal(numpy.asarray(found).astype(values.dtype), values):
                    return f"{reader}: {name} is not what the sensor gave"
        return ""
