"""csv_log and host_log killed at random moments: the file opens as it is, with all durable rows, and can be resumed.

The first kill of each log comes at any moment, the others after new rows are durable. MICROPARQUET_KILLS multiplies how
often (1).
"""
import itertools
import os
import pathlib
import shutil
import signal
import subprocess

import pyarrow.compute
from harness import (SECONDS, check, check_equal, check_image, check_ok, check_refused, command, interrupt, run,
                     wait_until_idle)
from killed_log import (PAGE_BYTES, RANDOM, Seen, folder_on, footer_bytes, footers_of, found_after_kill, kill_after,
                        table_of)

TIMES = int(os.environ.get("MICROPARQUET_KILLS", "1"))
CELLS = 1_500_000  # made beforehand: about what a program takes in before it is killed
PART = 2000  # rows that it is given at once


class Recording:
    """Rows without end, which all follow from their number."""

    def __init__(self, columns):
        self.names = ["row", *(f"value {i}" for i in range(columns - 1))]
        self._factors = range(1, columns)
        self._lines = []
        self._make(CELLS // columns)

    def _make(self, rows):
        self._lines += [f"{row}," + ",".join(str(row * factor) for factor in self._factors) + "\n"
                        for row in range(len(self._lines), rows)]

    def _body(self, begin, end):
        self._make(end)
        return "".join(self._lines[begin:end])

    def text(self, begin, end):
        return ",".join(self.names) + "\n" + self._body(begin, end)

    def parts(self, begin):
        """The text from a row on, a part at a time: no program comes to its end, however fast it is."""
        yield self.text(begin, begin).encode()
        for row in itertools.count(begin, PART):
            yield self._body(row, row + PART).encode()

    def write(self, path, begin, end):
        path.write_text(self.text(begin, end))

    def check(self, table):
        """The table is the first rows."""
        rows = pyarrow.array(range(table.num_rows), pyarrow.int64())
        check_equal(table.column_names, self.names)
        for factor, name in enumerate(self.names):
            expected = pyarrow.compute.multiply(rows, max(factor, 1))
            found = table[name].combine_chunks().cast(pyarrow.int64())  # doubles in a live log
            check(found.equals(expected), f"{name} of {table.num_rows} rows")


def killed_csv_logs(name, columns, logs, kills, seconds, options, new_rows=1):
    """Each log is killed that often, resumed after each kill, and completed in the end. `seconds` is how long it has
    at most, on a disk and in memory, where nothing waits for a medium; after `new_rows` but for the first time."""
    recording = Recording(columns)
    for place, most in zip(("disk", "memory"), seconds):
        with folder_on(place) as folder:
            if folder is None:
                print("no memory file system: left out")
                continue
            seen = Seen(f"{name}, {place}")
            for log in range(logs * TIMES):
                killed_csv_log(recording, folder / f"{log}.parquet", kills, most, options, seen, new_rows=new_rows)
            check_image(folder / f"{log}.parquet", debris=seen.torn != 0)
            print(seen, flush=True)
            check(seen.with_rows > seen.kills / 2, "most kills came before there were rows")
            check(new_rows == 1 or seen.long > seen.kills / 2, "most footers were short")


def killed_csv_log(recording, path, kills, seconds, options, seen, rows=0, new_rows=1):
    """The file has the first `rows` rows already."""
    append = ("csv_log", "-", path, "--append", "--ack", *options)
    for kill in range(kills):
        wanted = rows + new_rows if kill else None
        durable = kill_after(RANDOM.uniform(0, seconds), append, recording.parts(rows), wanted)
        table = found_after_kill(path, seen, append)
        if table is None:
            check_equal(durable, 0, "durable rows, and no file")
            continue
        recording.check(table)
        check(table.num_rows >= max(durable, rows), f"{table.num_rows} rows, durable were {durable}, before {rows}")
        rows = table.num_rows
    check_ok(run(*append, input=recording.text(rows, rows + 120)))
    table = table_of(path)
    check_equal(table.num_rows, rows + 120, "rows in the end")
    recording.check(table)


def test_csv_log_with_short_footers():
    killed_csv_logs("csv_log, 3 columns", 3, logs=3, kills=3, seconds=(0.1, 0.03), options=("--checkpoint-rows", 200))


def test_csv_log_with_footers_over_a_page_of_memory():
    killed_csv_logs("csv_log, 24 columns, row groups of 50 rows", 24, logs=3, kills=3, seconds=(0.15, 0.08),
                    options=("--checkpoint-rows", 50, "--rows-per-group", 50), new_rows=200)


def test_csv_log_with_checkpoints_by_time():
    killed_csv_logs("csv_log, checkpoints by time", 5, logs=1, kills=3, seconds=(0.2, 0.1),
                    options=("--checkpoint-seconds", 0.02))


LONG_FOOTERS = ("--rows-per-group", 10, "--checkpoint-rows", 10)


def log_with_long_footers(recording, path):
    """200 row groups of 24 columns: footers of 300 KB."""
    recording.write(pathlib.Path("base.csv"), 0, 2000)
    check_ok(run("csv_log", "base.csv", path, "--rows-per-group", 10))
    check(footer_bytes(path) > 50 * PAGE_BYTES, footer_bytes(path))


def test_csv_log_killed_while_it_writes_long_footers():
    recording = Recording(24)
    for place in ("disk", "memory"):
        with folder_on(place) as folder:
            if folder is not None:
                seen = Seen(f"csv_log, footers of 300 KB, {place}")
                path = folder / "out.parquet"
                log_with_long_footers(recording, folder / "base.parquet")
                for _ in range(5 * TIMES):
                    shutil.copy(folder / "base.parquet", path)
                    killed_csv_log(recording, path, 2, 0.15, LONG_FOOTERS, seen, 2000)
                check_image(path, debris=seen.torn != 0)
                print(seen, flush=True)


def test_torn_footers():
    """Tests files as kills leave them: some pages of the last footer are there, and no more."""
    recording = Recording(24)
    path = pathlib.Path("out.parquet")
    log_with_long_footers(recording, path)
    append = ("csv_log", "-", path, "--append", *LONG_FOOTERS)
    process = subprocess.Popen(command(*append, "--ack"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    rest = pathlib.Path("rest.csv")
    recording.write(rest, 2000, 2100)
    process.stdin.write(rest.read_bytes())
    process.stdin.flush()
    while process.stdout.readline() != b"durable 2100\n":
        check(process.poll() is None, "it ended")
    process.kill()
    process.communicate(timeout=SECONDS)
    whole = path.read_bytes()
    before, last = footers_of(whole, 24)[-2:]
    check_equal((before.extension.rows, last.extension.rows), (2090, 2100))
    pages = range(last.start // PAGE_BYTES + 1, last.end // PAGE_BYTES + 1)
    for page in (pages[0], pages[1], pages[len(pages) // 2], pages[-1]):
        path.write_bytes(whole[:page * PAGE_BYTES])
        check_refused(run(*append, stdin=subprocess.DEVNULL), "mpq recover", str(path))
        check_ok(run("mpq", "recover", path))
        table = table_of(path)
        check(table.num_rows >= 2090, f"{table.num_rows} rows of 2090")
        recording.check(table)
        recording.write(rest, table.num_rows, 2200)
        check_ok(run("csv_log", rest, *append[2:]))
        table = table_of(path)
        check_equal(table.num_rows, 2200)
        recording.check(table)


def test_host_log():
    """Each kill ends a row group, so that the footers grow beyond a page of memory."""
    for place in ("disk", "memory"):
        with folder_on(place) as folder:
            if folder is not None:
                seen = Seen(f"host_log, {place}")
                path = folder / "host.parquet"
                killed_host_log(path, 14 * TIMES, seen)
                check_image(path, debris=seen.torn != 0)
                print(seen, flush=True)
                check(seen.with_rows > seen.kills / 2, "most kills came before there were rows")


def killed_host_log(path, kills, seen):
    append = ("host_log", path, "--append", "--ack", "--hz", 1000, "--checkpoint-seconds", 0.02)
    before = None
    for kill in range(kills):
        rows = before.num_rows if before else 0
        durable = kill_after(RANDOM.uniform(0, 0.3), append, rows=rows + 1 if kill % 3 else None)
        table = found_after_kill(path, seen, append)
        if table is None:
            check_equal(durable, 0, "durable rows, and no file")
            continue
        check(table.num_rows >= durable, f"{table.num_rows} rows, durable were {durable}")
        check_goes_on(before, table)
        before = table
    check_ok(run(*append, "--seconds", 0.1))
    table = table_of(path)
    check_goes_on(before, table)
    check(table.num_rows > before.num_rows, "nothing was added")


def check_goes_on(before, table):
    """The rows there were are there, and what follows is later."""
    if before is not None:
        check(table.slice(0, before.num_rows).equals(before), "rows of before are others now")
    times = table["time"].to_pylist()
    check(times == sorted(times), "times go back")


def file_with_rows(path):
    Recording(3).write(pathlib.Path("in.csv"), 0, 2000)
    append = ("csv_log", "in.csv", path, "--append", "--checkpoint-rows", 100)
    check_ok(run(*append))
    return append


def test_runs_without_rows_leave_the_file_as_it_is():
    path = pathlib.Path("out.parquet")
    file_with_rows(path)
    for name in ("closed", "killed"):
        before = path.read_bytes()
        check_ok(run("csv_log", "-", path, "--append", "--kv", "boot=2", input="row,value 0,value 1\n"))
        check_equal(path.read_bytes() == before, True, f"{name}, a run without rows")
        waiting = subprocess.Popen(command("csv_log", "-", path, "--append", "--ack"), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        waiting.stdin.write(b"row,value 0,value 1\n")
        waiting.stdin.flush()
        check_equal(waiting.stdout.readline().startswith(b"durable "), True, "what it says at its begin")
        waiting.kill()
        waiting.communicate(timeout=SECONDS)
        check_equal(path.read_bytes() == before, True, f"{name}, a run that is killed while it waits")
        kill_after(0.1, ("csv_log", "-", path, "--append", "--ack", "--checkpoint-rows", 50),
                   Recording(3).parts(0), 2001)


def test_host_log_without_samples_leaves_the_file_as_it_is():
    path = pathlib.Path("out.parquet")
    check_ok(run("host_log", path, "--hz", 100, "--seconds", 0.2))
    before = path.read_bytes()
    arguments = ("host_log", path, "--append", "--hz", 0.001)
    kill_after(0.3, arguments)
    check_equal(path.read_bytes() == before, True, "killed before the first sample")
    process = subprocess.Popen(command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until_idle(process)
    check_ok(interrupt(process, signal.SIGTERM))
    check_equal(path.read_bytes() == before, True, "ended before the first sample")
