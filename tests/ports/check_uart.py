#!/usr/bin/env python3
"""Checks the rows that a receiver gets of a file that came through a serial line: whole, cut off anywhere, damaged on its way.

check_uart.py ROOT UART_STREAM MPQ FIRMWARE, in a folder to work in: three programs, the last one uart_logger.elf.
The last line is "N passed, N failed".
"""
import fcntl
import os
import pathlib
import random
import re
import signal
import subprocess
import sys

import pyarrow.parquet

ROOT, UART_STREAM, MPQ, FIRMWARE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:5])
sys.path.insert(0, str(ROOT / "tests" / "filesystems"))
sys.path.insert(0, str(ROOT / "tests" / "support"))
import log_readers  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

checks = Checks()
check = checks.check_that


def read(path):
    return pyarrow.parquet.read_table(path, page_checksum_verification=True)


def recover(data):
    """Recovers `data` with mpq, and returns the rows found and the exit code."""
    pathlib.Path("received.parquet").write_bytes(data)
    found = pathlib.Path("recovered.parquet")
    found.unlink(missing_ok=True)
    result = subprocess.run([MPQ, "recover", "received.parquet", "-o", found], capture_output=True, text=True)
    return (read(found) if found.exists() else None), result.returncode


class Stream:
    """A whole file, and where its row groups end."""

    def __init__(self, path):
        self.data = pathlib.Path(path).read_bytes()
        self.table = log_readers.read(path)
        self.rows = self.table.to_pylist()
        self.ends = []
        metadata = pyarrow.parquet.read_metadata(path)
        rows = 0
        for i in range(metadata.num_row_groups):
            group = metadata.row_group(i)
            column = group.column(metadata.num_columns - 1)
            rows += group.num_rows
            self.ends.append((column.data_page_offset + column.total_compressed_size, rows))

    def rows_in(self, size):
        return max((rows for end, rows in self.ends if end <= size), default=0)

    def check_cut(self, name, size):
        """A cut at `size`: all row groups that arrived come out, and nothing else."""
        found, code = recover(self.data[:size])
        rows = self.rows_in(size)
        held = found.equals(self.table.slice(0, rows)) if found is not None else rows == 0
        check(f"{name} cut at {size}: {rows} rows", held, f"{None if found is None else found.num_rows} rows")
        whole = self.data[:size].endswith(b"PAR1") and size > 4  # with its first footer, which is of no rows
        expected = (0, 1) if rows else (0,) if whole else (2,)
        check(f"{name} cut at {size}: the exit code", code in expected, code)

    def check_damage(self, name, damaged, before, least):
        """Rows of a stream that was damaged at `before`: all of the row groups there, in order, none that is wrong."""
        found, _ = recover(damaged)
        rows = [] if found is None else found.to_pylist()
        check(f"{name}: the rows before", rows[:self.rows_in(before)] == self.rows[:self.rows_in(before)], len(rows))
        sent = iter(self.rows)
        check(f"{name}: no row is wrong", all(row in sent for row in rows), len(rows))
        check(f"{name}: {least} rows", len(rows) >= least, len(rows))


def check_small_stream():
    subprocess.run([UART_STREAM, "small.parquet"], check=True)
    stream = Stream("small.parquet")
    check("the small stream is whole", stream.table["n"].to_pylist() == list(range(11)), stream.table)
    check("its row groups", len(stream.ends) == 3, stream.ends)
    for size in range(len(stream.data)):
        stream.check_cut("the small stream", size)
    print(f"a stream of {len(stream.data)} bytes, cut at each length")


def uart_logger(path, rows, until=None, options=""):
    """Runs the firmware with the first rows of the recording; with `until`, kills it when so much was received. The line
    holds a page of memory: the firmware is not ahead by more."""
    lines = (ROOT / "examples" / "data" / "walk.csv").read_text().splitlines(keepends=True)
    pathlib.Path("in.csv").write_text("".join(lines[:rows + 1]))
    line, port = os.pipe()
    fcntl.fcntl(line, fcntl.F_SETPIPE_SZ, 4096)
    settings = {"MICROPARQUET_QEMU_SERIAL": f"file:/dev/fd/{port}", "MICROPARQUET_QEMU_OPTIONS": options,
                "MICROPARQUET_QEMU_SECONDS": "900"}
    process = subprocess.Popen([ROOT / "toolchains/qemu/run", "mps2-an386", FIRMWARE, "in.csv"], pass_fds=[port],
                               start_new_session=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, **settings})
    os.close(port)
    received = 0
    with open(line, "rb") as sent, open(path, "wb") as file:
        while data := sent.read1():
            file.write(data)
            received += len(data)
            if until is not None and received >= until:
                os.killpg(process.pid, signal.SIGKILL)
                until = None
    return process.wait()


def check_flush():
    """A flush lasts until the byte it finds on its way has left: ten bits of as many cycles as the divisor says. Each
    access to the port takes one at least."""
    pathlib.Path("trace.txt").unlink(missing_ok=True)  # which QEMU adds to
    uart_logger("traced.parquet", 400, options="-trace cmsdk_apb_uart_*,file=trace.txt")
    accesses = re.findall(r"cmsdk_apb_uart_(read|write) .*offset (0x[0-9a-f]+) data (0x[0-9a-f]+)",
                          pathlib.Path("trace.txt").read_text())
    divisor = next((int(data, 16) for what, offset, data in accesses if (what, offset) == ("write", "0x10")), 0)
    waits = [0]
    for what, offset, _ in accesses:
        if what == "read":
            waits[-1] += 1
        elif offset == "0x0":
            waits.append(0)
    check("each byte is sent", len(waits) - 1 == pathlib.Path("traced.parquet").stat().st_size, len(waits))
    check("the last byte has left when the firmware ends", waits[-1] > 10 * divisor > 0, (waits[-1], divisor))


def check_firmware():
    check("the firmware sends its recording", uart_logger("whole.parquet", 4000) == 0)
    stream = Stream("whole.parquet")
    check("all rows arrived", stream.table.num_rows == 4000, stream.table.num_rows)
    verified = subprocess.run([MPQ, "verify", "whole.parquet"], capture_output=True, text=True)
    check("mpq verify finds nothing", verified.returncode == 0, verified.stdout)

    chance = random.Random(7)
    for size in sorted(chance.sample(range(len(stream.data)), 150)):
        stream.check_cut("the stream", size)
    sizes = set()
    for until in range(1, len(stream.data), len(stream.data) // 12):
        uart_logger("killed.parquet", 4000, until)
        data = pathlib.Path("killed.parquet").read_bytes()
        sizes.add(len(data))
        check("a killed device sent the stream's beginning", stream.data.startswith(data), len(data))
        stream.check_cut("a killed device", len(data))
    check("devices were killed on their way", len(sizes) > 5, sizes)

    for i, (end, rows) in enumerate(stream.ends[::6]):
        at = end - 700
        flipped = stream.data[:at] + bytes([stream.data[at] ^ 1]) + stream.data[at + 1:]
        stream.check_damage(f"a byte changed in row group {6 * i}", flipped, at, 3800)
        dropped = stream.data[:at] + stream.data[at + 1:]
        stream.check_damage(f"a byte lost in row group {6 * i}", dropped, at, stream.rows_in(at))


check_small_stream()
check_flush()
check_firmware()
sys.exit(checks.finish())
