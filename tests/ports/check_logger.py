#!/usr/bin/env python3
"""The log of the sketch few_lines, as logger_sketch_test has left it, read by pyarrow, DuckDB and mpq.

check_logger.py FILE MPQ. The last line is "N passed, N failed".
"""
import pathlib
import subprocess
import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

file, mpq = sys.argv[1:3]
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
sys.exit(checks.finish())
