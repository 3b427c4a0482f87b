#!/usr/bin/env python3
"""Runs the firmware imu_logger on the emulated board and compares its file with the recording it replayed.

check_imu_logger.py ROOT BUILD, in a folder to work in. The last line is "N passed, N failed".
"""
import csv
import decimal
import pathlib
import subprocess
import sys

import numpy
import pyarrow.parquet

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOT, BUILD = map(pathlib.Path, sys.argv[1:3])
RECORDING = ROOT / "examples" / "data" / "walk.csv"
COLUMNS = ["gyroscope_x", "gyroscope_y", "gyroscope_z", "accelerometer_x", "accelerometer_y", "accelerometer_z"]

checks = Checks(shows_passed=True)
check = checks.check_that


def imu_logger(*arguments):
    command = [ROOT / "toolchains" / "qemu" / "run", "mps2-an386", BUILD / "cortex-m4f" / "bin" / "imu_logger.elf"]
    return subprocess.run([*map(str, command), *arguments], capture_output=True, text=True)


def expected_columns(lines):
    """The columns that the lines of a recording hold: microseconds, halves up, and single-precision readings."""
    rows = list(csv.reader(lines))[1:]
    micro = decimal.Decimal("0.000001")
    columns = {"time_us": numpy.array([int(decimal.Decimal(row[0]).quantize(micro, decimal.ROUND_HALF_UP) / micro)
                                       for row in rows], numpy.int64)}
    for i, name in enumerate(COLUMNS, 1):
        columns[name] = numpy.array([float(row[i]) for row in rows]).astype(numpy.float32)
    return columns


def check_table(name, path, lines):
    table = pyarrow.parquet.read_table(path, page_checksum_verification=True)
    expected = expected_columns(lines)
    check(f"{name}: the columns", table.column_names == list(expected), table.column_names)
    for column, values in expected.items():
        found = table[column].to_numpy()
        check(f"{name}: {column}, {len(values)} values",
              found.dtype == values.dtype and found.tobytes() == values.tobytes(),
              f"{found.dtype}, {len(found)} values, first {found[:3]}")


def check_recording():
    pathlib.Path("walk.csv").write_bytes(RECORDING.read_bytes())
    run = imu_logger("walk.csv", "walk.parquet")
    check("the recording is logged", run.returncode == 0, run)
    metadata = pyarrow.parquet.read_metadata("walk.parquet")
    for number, what in [(metadata.num_rows, "rows"), (metadata.num_row_groups, "row groups"),
                         (pathlib.Path("walk.parquet").stat().st_size, "bytes")]:
        check(f"it prints its {what}", f" {number:,} {what}" in run.stdout, (number, run.stdout))
    check_table("walk.parquet", "walk.parquet", RECORDING.read_text().splitlines())


def check_read_by_mpq():
    """The project's own reader prints the same values: text that reads back as the same number."""
    mpq = subprocess.run([BUILD / "host" / "bin" / "mpq", "cat", "--csv", "walk.parquet"], capture_output=True, text=True)
    check("mpq reads the file", mpq.returncode == 0, mpq.stderr)
    rows = list(csv.reader(mpq.stdout.splitlines()))
    expected = expected_columns(RECORDING.read_text().splitlines())
    check("mpq: the columns", rows[:1] == [list(expected)], rows[:1])
    for i, (column, values) in enumerate(expected.items()):
        found = numpy.array([row[i] for row in rows[1:]]).astype(numpy.float64).astype(values.dtype)
        check(f"mpq: {column}", found.tobytes() == values.tobytes(), found[:3])


def check_bad_line(name, line, message):
    """Line 102 of 201 is bad: a message, exit code 1, and a complete file of the 100 rows before it."""
    lines = RECORDING.read_text().splitlines()[:201]
    lines[101] = line
    pathlib.Path("bad.csv").write_text("\n".join(lines) + "\n")
    run = imu_logger("bad.csv", "bad.parquet")
    check(f"{name}: exit code 1", run.returncode == 1, run.returncode)
    check(f"{name}: says file, line and problem",
          all(part in run.stderr for part in ("bad.csv", "102", message)), run.stderr)
    check_table(name, "bad.parquet", lines[:101])
    metadata = pyarrow.parquet.read_metadata("bad.parquet").metadata or {}
    stopped = metadata.get(b"microparquet.stopped", b"").decode()
    check(f"{name}: the file says why it ends", message in stopped, stopped)


def check_files_that_cannot_be_opened():
    run = imu_logger("missing.csv", "none.parquet")
    check("a recording that is missing: exit code 1, and its name",
          run.returncode == 1 and "missing.csv" in run.stderr, run)
    run = imu_logger("walk.csv", "no-such-folder/out.parquet")
    check("an output that cannot be created: exit code 1, and its name",
          run.returncode == 1 and "no-such-folder/out.parquet" in run.stderr, run)
    run = imu_logger()
    check("no arguments: exit code 1, and the usage", run.returncode == 1 and "usage" in run.stderr, run)


def main():
    check_recording()
    check_read_by_mpq()
    check_bad_line("a ragged line", "12.8,1,2,3", "does not have 7 columns")
    check_bad_line("a line without a number", "12.8,1,2,x,4,5,6", "has no number in column 4")
    check_files_that_cannot_be_opened()
    return checks.finish()


sys.exit(main())
