"""Standard input and output, pipes, and signals."""
import os
import pathlib
import pty
import re
import select
import subprocess
import threading
import time

import pyarrow.lib
import pyarrow.parquet
from harness import (SECONDS, check, check_equal, check_ok, check_refused, command, data_file, interrupt, key_values,
                     read, run, wait_until, wait_until_idle)
from recordings import values_of


def test_standard_input():
    with open(data_file("walk.csv"), "rb") as file:
        check_ok(run("csv_log", "-", "out.parquet", stdin=file))
    table = read("out.parquet")
    for column, values in values_of("walk.csv").items():
        check_equal(table[column].to_pylist(), values, column)
        check(table.schema.field(column).nullable, "columns of a stream are optional")


def test_types_of_a_stream_come_from_its_first_1000_rows():
    rows = "".join(f"{i}\n" for i in range(1000))
    check_ok(run("csv_log", "-", "whole.parquet", input="a\n" + rows + "5\nNA\n"))
    check_equal(read("whole.parquet")["a"].to_pylist(), [*range(1000), 5, None])
    result = check_ok(run("csv_log", "-", "out.parquet", "--type", "a=int64", input="a\n" + rows + "5\n0.5\n6\n"))
    check_equal(read("out.parquet")["a"].to_pylist(), [*range(1000), 5, None, 6])
    check('1 cell became null, in line 1,003: "0.5"' in result.stdout, result.stdout)
    result = run("csv_log", "-", "out.parquet", "--overwrite", "--type", "a=int64", "--bad", "refuse", input="a\n" + rows + "5\n0.5\n")
    check_refused(result, "standard input:1003:", '"0.5"', "int64", "--type a=string")
    check_equal(read("out.parquet").num_rows, 1001)


def test_standard_output():
    result = run("csv_log", data_file("weather.csv"), "-", text=False)
    check_equal(result.returncode, 0, result.stderr)
    pathlib.Path("out.parquet").write_bytes(result.stdout)
    table = read("out.parquet")
    for column, values in values_of("weather.csv").items():
        check_equal(table[column].to_pylist(), values, column)
    check(b"2,008" in result.stderr, result.stderr)


def test_both_at_once():
    with open(data_file("walk.csv"), "rb") as file:
        result = run("csv_log", "-", "-", "--rows-per-group", 100, stdin=file, text=False)
    check_equal(result.returncode, 0, result.stderr)
    pathlib.Path("out.parquet").write_bytes(result.stdout)
    check_equal(read("out.parquet")["Time (s)"].to_pylist(), values_of("walk.csv")["Time (s)"])


def test_bad_input_on_its_way_through_pipes():
    text = b"a,b\n1,2\n3\n4,5\n"
    result = run("csv_log", "-", "-", "--bad-lines", "refuse", input=text, text=False)
    check_equal(result.returncode, 1)
    check(b"standard input:3:" in result.stderr, result.stderr)
    pathlib.Path("out.parquet").write_bytes(result.stdout)
    check_equal(read("out.parquet").num_rows, 1)
    result = run("csv_log", "-", "-", input=text, text=False)
    check(result.returncode == 0 and b"standard input:3: 1 cell where the header has 2; 1 such line was left out" in result.stderr, result.stderr)
    pathlib.Path("out.parquet").write_bytes(result.stdout)
    check_equal(read("out.parquet").to_pydict(), {"a": [1, 4], "b": [2, 5]})
    check_equal(key_values("out.parquet"), {"csv_log.bad_lines": "1", "csv_log.first_bad_line": "line 3: 1 cell where the header has 2"})


def test_a_reader_that_goes_away():
    first = subprocess.Popen(command("csv_log", data_file("weather.csv"), "-", "--rows-per-group", "10"),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    first.stdout.read(4)
    first.stdout.close()
    error = first.stderr.read().decode()
    check_equal(first.wait(timeout=SECONDS), 1, error)
    check("standard output" in error and "Broken pipe" in error, error)


def test_a_named_pipe_takes_the_file():
    os.mkfifo("pipe")
    taken = {}
    reader = threading.Thread(target=lambda: taken.update(data=pathlib.Path("pipe").read_bytes()))
    reader.start()
    check_ok(run("csv_log", data_file("walk.csv"), "pipe"))
    reader.join(timeout=SECONDS)
    pathlib.Path("out.parquet").write_bytes(taken["data"])
    check_equal(read("out.parquet").num_rows, 4000)


def test_standard_output_that_is_a_terminal():
    ours, theirs = pty.openpty()
    result = subprocess.run(command("csv_log", data_file("walk.csv"), "-"), stdout=theirs, stderr=subprocess.PIPE,
                            text=True, timeout=SECONDS)
    os.close(theirs)
    os.close(ours)
    check_refused(result, "terminal", "redirect")


def live_input(rows):
    """csv_log with an input that stays open; it is interrupted after some rows."""
    process = subprocess.Popen(command("csv_log", "-", "out.parquet", "--ack", "--checkpoint-seconds", "0.1"),
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(b"a\n" + b"".join(b"%d\n" % i for i in range(rows)))
    process.stdin.flush()
    while rows > 1000 and process.stdout.readline() != b"durable %d\n" % rows:
        check(process.poll() is None, "it ended")
    wait_until_idle(process)
    kept_open, process.stdin = process.stdin, None  # communicate() would close it
    result = interrupt(process)
    kept_open.close()
    return result


def test_an_interrupt_completes_the_file():
    for rows in (20, 5000):  # before and after the types are settled
        result = live_input(rows)
        check_equal(result.returncode, 130, result.stderr)
        check(b"SIGINT" in result.stderr, result.stderr)
        check_equal(read("out.parquet")["a"].to_pylist(), list(range(rows)))
        check_equal(key_values("out.parquet")["microparquet.stopped"], "interrupted by SIGINT")
        os.unlink("out.parquet")


def terminal_output(*arguments):
    """The output of csv_log on a terminal while its input comes slowly."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command("csv_log", *arguments), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=theirs)
    os.close(theirs)
    process.stdin.write(b"a\n" + b"1\n" * 1500)
    text = b""

    def is_shown():
        nonlocal text
        process.stdin.write(b"1\n")
        process.stdin.flush()
        if select.select([ours], [], [], 0)[0]:
            text += os.read(ours, 4096)
        return re.search(rb"\r[1-9],[0-9]{3} rows", text)

    wait_until(is_shown, "a number of rows")
    process.stdin.close()
    process.wait(timeout=SECONDS)
    try:
        while piece := os.read(ours, 4096):
            text += piece
    except OSError:
        pass  # the terminal is gone with its last program
    os.close(ours)
    return text.decode()


def test_progress_on_a_terminal_only():
    text = terminal_output("-", "out.parquet")
    check(text.endswith("\r\x1b[K"), "the line is left there", repr(text))
    with open(data_file("walk.csv"), "rb") as file:
        check_equal(run("csv_log", "-", "quiet.parquet", stdin=file).stderr, "")


def test_two_programs_do_not_write_one_file():
    first = subprocess.Popen(command("csv_log", "-", "out.parquet"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    first.stdin.write(b"a\n" + b"1\n" * 2000)
    first.stdin.flush()
    wait_until_idle(first)
    check_refused(run("csv_log", data_file("walk.csv"), "out.parquet", "--overwrite"), "out.parquet", "another program")
    first.stdin.close()
    first.stdin = None
    first.communicate(timeout=SECONDS)
    check_equal(read("out.parquet").num_rows, 2000)


def has_rows(path):
    """Whether a reader finds rows in a file that is being written."""
    try:
        return pyarrow.parquet.read_metadata(path).num_rows > 0
    except (OSError, pyarrow.lib.ArrowInvalid):
        return False


def rows_after_kill(seconds, wait_for_rows):
    """The rows that are left when csv_log is killed while rows come in, some time after its start, or after there were rows;
    None when it had not yet begun the file."""
    pathlib.Path("out.parquet").unlink(missing_ok=True)
    process = subprocess.Popen(command("csv_log", "-", "out.parquet"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    feeder = threading.Thread(target=feed, args=(process.stdin,))
    feeder.start()
    path = pathlib.Path("out.parquet")
    if wait_for_rows:
        wait_until(lambda: has_rows(path), "rows")
    time.sleep(seconds)
    process.kill()
    process.wait(timeout=SECONDS)
    feeder.join(timeout=SECONDS)
    return read(path)["a"].to_pylist() if path.exists() and path.stat().st_size else None


def feed(pipe):
    try:
        with pipe:
            for i in range(2_000_000):
                pipe.write(b"a,b\n" if i == 0 else b"%d,%d.5\n" % (i, i))
    except BrokenPipeError:
        pass


def test_a_kill_leaves_a_valid_file():
    seen = [rows for i in range(12) if (rows := rows_after_kill(0.05 + i * 0.04, i % 3 != 0)) is not None]
    check(len(seen) > 6, f"{len(seen)} files were begun")
    for rows in seen:
        check_equal(rows, list(range(1, len(rows) + 1)), "rows")
    check(any(seen), "no file had rows")
