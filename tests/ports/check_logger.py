#!/usr/bin/env python3
"""Logs that logger_sketch_test and logger_time_test have left, read by pyarrow, DuckDB and mpq.

check_logger.py FILE LATE MPQ: few_lines.parquet and late_time.parquet. The last line is "N passed, N failed".
"""
import pathlib
import subprocess
import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

file, late, mpq = sys.argv[1:4]
checks = Checks(shows_passed=True)
check = checks.check

table = pq.read_table(file, page_checksum_verification=True)
wanted = pa.schema([pa.field("time_ms", pa.int64(), False), ("light", pa.int32()), ("volts", pa.float32())])
check("pyarrow: columns", "" if table.schema.equals(wanted) else table.schema)
check("pyarrow: rows", "" if table.num_rows > 4000 else table.num_rows)
times = table["time_ms"].to_pylist()
check("pyarrow: times rise", "" if times == sorted(set(times)) else "they do not")
light = [(time + 12345) // 7 % 1024 for time in times]
check("pyarrow: values", "" if table["light"].to_pylist() == light else "others")
found = duckdb.sql(f"select count(*), sum(light), min(volts) from read_parquet('{file}')").fetchall()[0]
check("DuckDB: the same", "" if found[:2] == (len(times), sum(light)) else found)
verified = subprocess.run([mpq, "verify", file], capture_output=True, text=True)
check("mpq verify", "" if verified.returncode == 0 else verified.stdout + verified.stderr)

# Three boots of 40 rows, a second apart: the first one learned the time after ten of them, the second never, the third at once.
table = pq.read_table(late, page_checksum_verification=True)
wanted = pa.schema([pa.field("time_ms", pa.int64(), False), ("time", pa.timestamp("us", "UTC")), ("boot", pa.uint32()), ("row", pa.uint32()),
                    ("mark", pa.string())])
check("pyarrow: columns of a log that learns the time", "" if table.schema.equals(wanted) else table.schema)
check("pyarrow: ticks of each boot", "" if table["time_ms"].to_pylist() == [1000 * row for row in range(40)] * 3 else table["time_ms"])
micros = table["time"].cast(pa.int64()).to_pylist()
expected = [None] * 10 + [(1_800_000_000 + row) * 10**6 for row in range(10, 40)] + [None] * 40
expected += [(1_800_002_000 + row) * 10**6 for row in range(40)]
check("pyarrow: dates from set_time() on", "" if micros == expected else micros)
marks = [i for i, mark in enumerate(table["mark"].to_pylist()) if mark == "half"]
check("pyarrow: marks", "" if marks == [20, 60, 100] and table["mark"].null_count == 117 else marks)
found = duckdb.sql(f"select count(time), min(epoch_us(time)), count(mark) from read_parquet('{late}')").fetchall()[0]
check("DuckDB: dates and marks", "" if found == (70, expected[10], 3) else found)
verified = subprocess.run([mpq, "verify", late], capture_output=True, text=True)
check("mpq verify of it", "" if verified.returncode == 0 else verified.stdout + verified.stderr)


def said(*command):
    """What mpq prints, as lines."""
    return subprocess.run([mpq, *command], capture_output=True, text=True, check=True).stdout.splitlines()


info = said("info", late)
check("mpq: the rows before have their dates, too", "" if "  time        2027-01-15T08:00:00Z to 2027-01-15T08:33:59Z" in info else info)
check("mpq: rows of a boot without them are counted",
      "" if any(line.startswith("  clock       40 rows have no date") for line in info) else info)
plot = said("plot", "--ascii", "--from", "2027-01-15T08:00:05Z", "--to", "2027-01-15T08:00:14Z", late)
check("mpq plot: a window with rows of both kinds", "" if "9 s, 10 rows" in plot[2] else plot)
check("mpq plot: ticks are no signal", "" if not any(line.startswith("time_ms") for line in plot) else plot)
plot = said("plot", "--ascii", late)
check("mpq plot: marks over all signals", "" if "  b 2027-01-15T08:33:40Z half" in plot else plot)
sys.exit(checks.finish())
