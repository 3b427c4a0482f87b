"""Ctrl-C, and what it leaves of a file that was to be replaced."""
import glob
import os
import pathlib
import signal
import subprocess

from harness import (SECONDS, check, check_equal, check_ok, command, interrupt, read, run, wait_until, wait_until_idle)

OUT = pathlib.Path("out.parquet")


def old_file():
    pathlib.Path("old.csv").write_text("a\n" + "7\n" * 100)
    check_ok(run("csv_log", "old.csv", OUT))
    return OUT.read_bytes()


def large_csv():
    """Long enough that a pass over it can be met while it runs."""
    with open("in.csv", "w", encoding="ascii") as file:
        file.write("a,b\n")
        for i in range(1_500_000):
            file.write(f"{i},{i}.25\n")


def start(*arguments):
    return subprocess.Popen(command(*arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def opened(process, path):
    """The descriptor by which a program has a file open; None: it has not."""
    for link in glob.glob(f"/proc/{process.pid}/fd/*"):
        try:
            if os.path.samefile(link, path):
                return os.path.basename(link)
        except OSError:
            pass  # it was closed, or leads to nothing
    return None


def wait_until_reading(process, path):
    def is_reading():
        descriptor = opened(process, path)
        check(process.poll() is None, "it ended")
        return descriptor and "pos:\t0\n" not in pathlib.Path(f"/proc/{process.pid}/fdinfo/{descriptor}").read_text()

    wait_until(is_reading, f"reading of {path}")


def files_beside():
    return sorted(path.name for path in pathlib.Path(".").glob("out.parquet*"))


def check_left_alone(process, old, message, with_signal=signal.SIGINT):
    kept_open, process.stdin = process.stdin, None  # communicate() would close it
    result = interrupt(process, with_signal)
    kept_open.close()
    check_equal(result.returncode, 128 + with_signal, result.stderr)
    check(message in result.stderr, result.stderr)
    check(OUT.read_bytes() == old, "the old file has changed")
    check_equal(files_beside(), ["out.parquet"], "files")


def test_while_the_first_lines_are_read():
    """Rows may be in the file that is to replace the old one."""
    old = old_file()
    large_csv()
    for options in ([], ["--ack"], ["--append", "--type", "a=int64"]):
        arguments = options if "--append" in options else [*options, "--overwrite"]
        process = start("csv_log", "in.csv", OUT, *arguments)
        wait_until_reading(process, "in.csv")
        check_left_alone(process, old, b"interrupted by SIGINT")
    process = start("csv_log", "in.csv", OUT, "--overwrite")
    wait_until_reading(process, "in.csv")
    check_left_alone(process, old, b"interrupted by SIGTERM", signal.SIGTERM)
    process = start("csv_log", "in.csv", "new.parquet")
    wait_until_reading(process, "in.csv")
    check_equal(interrupt(process).returncode, 130)
    check(not pathlib.Path("new.parquet").exists(), "a file is left behind")


def wait_until_written(process, pattern="out.parquet.*"):
    """Until rows are in the file that is to replace the old one, or in another."""
    def is_written():
        check(process.poll() is None, "it ended")
        return any(os.path.getsize(path) > 100_000 for path in glob.glob(pattern))

    wait_until(is_written, "rows")


def test_in_the_second_pass():
    old = old_file()
    large_csv()
    process = start("csv_log", "in.csv", OUT, "--overwrite")
    wait_until_written(process)
    check_left_alone(process, old, b"out.parquet is left as it was")
    process = start("csv_log", "in.csv", OUT, "--overwrite")
    wait_until_written(process)
    process.kill()
    process.communicate(timeout=SECONDS)
    check(OUT.read_bytes() == old, "the old file has changed")


def has_rows():
    lines = run("mpq", "info", "new.parquet").stdout.splitlines()
    return any(line.startswith("  rows  ") and line.split()[1] != "0" for line in lines)


def test_a_new_file_is_complete_or_gone():
    """In one pass over the input, and in the second of two: with --ack and --append the rows before the signal stay."""
    large_csv()
    pathlib.Path("late.csv").write_text("a,b,c\n" + "1,2.25,\n" * 1_500_000 + "1,2,3\n")  # c shows its type at the end
    for path in ("in.csv", "late.csv"):
        process = start("csv_log", path, "new.parquet")
        wait_until_written(process, "new.parquet")
        result = interrupt(process)
        check_equal((result.returncode, result.stdout), (130, b""), result.stderr)
        check(b"interrupted by SIGINT" in result.stderr and b"is removed" in result.stderr, result.stderr)
        check_equal(glob.glob("new*"), [], "files")
    for options in (["--ack"], ["--append"]):
        process = start("csv_log", "in.csv", "new.parquet", *options)
        wait_until_written(process, "new.parquet")
        wait_until(has_rows, "durable rows")
        check_equal(interrupt(process).returncode, 130)
        rows = read("new.parquet")["a"].to_pylist()
        check(rows and rows == list(range(len(rows))), f"{len(rows)} rows")
        os.unlink("new.parquet")


def test_in_the_second_pass_with_acknowledgements():
    """Rows that were called durable stay."""
    old_file()
    large_csv()
    process = start("csv_log", "in.csv", OUT, "--overwrite", "--ack", "--checkpoint-rows", "1000")
    durable = int(process.stdout.readline().split()[1])
    check_equal(interrupt(process).returncode, 130)
    rows = read(OUT)["a"].to_pylist()
    check(len(rows) >= durable and rows == list(range(len(rows))), f"{len(rows)} rows, {durable} were durable")


def test_while_a_stream_is_silent():
    old = old_file()
    for text in (b"", b"a,b\n"):
        for mode in ("--overwrite", "--append"):
            process = start("csv_log", "-", OUT, mode)
            process.stdin.write(text)
            process.stdin.flush()
            wait_until_idle(process)
            if text and mode == "--append":
                continue  # it has other columns: refused
            check_left_alone(process, old, b"before the first row")
    process = start("csv_log", "-", OUT, "--overwrite")
    process.stdin.write(b"a,b\n1,2\n")
    process.stdin.flush()
    wait_until_idle(process)
    check(OUT.read_bytes() == old, "the old file has changed")
    kept_open, process.stdin = process.stdin, None
    check_equal(interrupt(process).returncode, 130)
    kept_open.close()
    check_equal(read(OUT).to_pylist(), [{"a": 1, "b": 2}])


def test_a_bad_row_leaves_the_old_file():
    old = old_file()
    pathlib.Path("in.csv").write_text("a,b\n1,2\n3\n")
    result = run("csv_log", "in.csv", OUT, "--overwrite")
    check_equal(result.returncode, 1)
    check("in.csv:3:" in result.stderr and "out.parquet is left as it was" in result.stderr, result.stderr)
    check(OUT.read_bytes() == old, "the old file has changed")
    check_equal(files_beside(), ["out.parquet"], "files")


def test_what_is_replaced_keeps_its_rights_and_links():
    old_file()
    OUT.chmod(0o640)
    pathlib.Path("in.csv").write_text("a,b\n1,2\n")
    os.mkdir("elsewhere")
    OUT.rename("elsewhere/out.parquet")
    OUT.symlink_to("elsewhere/out.parquet")
    check_ok(run("csv_log", "in.csv", OUT, "--overwrite"))
    check(OUT.is_symlink(), "the link is gone")
    check_equal(oct(OUT.stat().st_mode & 0o777), "0o640")
    check_equal(read("elsewhere/out.parquet").to_pylist(), [{"a": 1, "b": 2}])
    check_equal(os.listdir("elsewhere"), ["out.parquet"])


def test_host_log_before_its_first_sample():
    check_ok(run("host_log", OUT, "--seconds", "0.2", "--hz", "50"))
    old = OUT.read_bytes()
    process = start("host_log", OUT, "--overwrite", "--hz", "0.001")
    wait_until(lambda: opened(process, OUT), "out.parquet to be opened")
    wait_until_idle(process)
    result = interrupt(process)
    check_equal((result.returncode, result.stderr), (0, b""))
    check(b"left as it was" in result.stdout, result.stdout)
    check(OUT.read_bytes() == old, "the old file has changed")
