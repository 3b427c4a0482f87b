"""A log whose program is killed again and again at random moments, and what is found in the file after each kill."""
import contextlib
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import threading
import time

import duckdb
import pyarrow.lib
import pyarrow.parquet
from harness import SECONDS, check, check_equal, check_ok, check_refused, command, run

PAGE_BYTES = 4096  # of memory: a kill can tear a write between two pages, and not inside one
RANDOM = random.Random(20)


@contextlib.contextmanager
def folder_on(kind):
    """A folder on the disk the tests run on, or in memory; None where there is no memory file system."""
    if kind == "disk":
        yield pathlib.Path(".")
        return
    if not os.path.isdir("/dev/shm"):
        yield None
        return
    folder = tempfile.mkdtemp(prefix="killed-", dir="/dev/shm")
    try:
        yield pathlib.Path(folder)
    finally:
        shutil.rmtree(folder)


def feed(pipe, parts, killed):
    """The end of the input does not come before the kill."""
    try:
        with pipe:
            for part in parts:
                if killed.is_set():
                    break
                pipe.write(part)
            pipe.flush()
            killed.wait()
    except BrokenPipeError:
        pass


def kill_after(seconds, arguments, parts=(), rows=None):
    """Starts a program, kills it some time after its start, or after it has called a number of rows durable, and gives
    the last number of rows it called durable. `parts` are its input as far as it comes."""
    process = subprocess.Popen(command(*arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    killed = threading.Event()
    feeder = threading.Thread(target=feed, args=(process.stdin, parts, killed))
    feeder.start()
    durable = [0]
    while rows is not None and durable[-1] < rows and (line := process.stdout.readline()):
        durable.append(int(line.removeprefix(b"durable ")))
    time.sleep(seconds)
    process.kill()
    killed.set()
    feeder.join(timeout=SECONDS)
    rest, error = process.stdout.read(), process.stderr.read()
    check_equal(process.wait(timeout=SECONDS), -9, f"it ended before the kill: {error.decode()}")
    lines = rest.split(b"\n")[:-1]  # what follows the last line end was not said
    durable += [int(line.removeprefix(b"durable ")) for line in lines]
    check(durable == sorted(set(durable)), "not ascending", durable)
    return durable[-1]


class Seen:
    """Counts of the kills of a test."""

    def __init__(self, name):
        self.name, self.kills, self.with_rows, self.long, self.torn = name, 0, 0, 0, 0

    def __str__(self):
        return (f"{self.name}: {self.kills} kills, {self.with_rows} with durable rows, "
                f"{self.long} with footers over {PAGE_BYTES} bytes; {self.torn} tore a footer and were mended by mpq recover")


def table_of(path):
    """The rows by three readers, which must agree. pyarrow's exception tells a torn file."""
    table = pyarrow.parquet.read_table(path, page_checksum_verification=True)
    rows = duckdb.sql(f"SELECT count(*) FROM read_parquet('{path}')").fetchall()[0][0]
    check_equal(rows, table.num_rows, "rows by DuckDB")
    text = check_ok(run("mpq", "cat", path, text=False)).stdout
    check_equal(text.count(b"\n") - 1, table.num_rows, "rows by mpq")
    return table


def footer_bytes(path):
    with open(path, "rb") as file:
        file.seek(-8, os.SEEK_END)
        return int.from_bytes(file.read(4), "little") + 8


def footers_of(data, columns):
    """The footers in a file's bytes, as the checker of the project's files finds them."""
    import own_structures
    return list(own_structures.all_footers(data, columns))


def found_after_kill(path, seen, append):
    """The rows of the file as a kill has left it; a torn one is refused by `append` and then mended."""
    seen.kills += 1
    if not path.exists() or path.stat().st_size == 0:
        return None
    try:
        table = table_of(path)
    except pyarrow.lib.ArrowInvalid:
        torn_at = path.stat().st_size
        check_refused(run(*append, stdin=subprocess.DEVNULL), "mpq recover", str(path))
        check_ok(run("mpq", "recover", path))
        table = table_of(path)
        check(footer_bytes(path) > PAGE_BYTES or torn_at % PAGE_BYTES == 0, f"a footer was torn inside a page, at {torn_at}")
        seen.torn += 1
    seen.with_rows += table.num_rows != 0
    seen.long += footer_bytes(path) > PAGE_BYTES
    return table
