"""A file that is removed, renamed or replaced while it is written: nothing is called durable in it any more."""
import os
import pathlib
import subprocess

import pyarrow
import pyarrow.parquet
from harness import SECONDS, check, check_equal, check_ok, command, read, run

OUT = pathlib.Path("out.parquet")


def remove():
    OUT.unlink()


def rename():
    OUT.rename("out.1")


def rotate():
    """Renames the file as logrotate does."""
    OUT.rename("out.1")
    OUT.write_bytes(b"")


def replace():
    pyarrow.parquet.write_table(pyarrow.table({"x": [1]}), "other.parquet")
    os.replace("other.parquet", OUT)


def start_csv_log():
    process = subprocess.Popen(command("csv_log", "-", OUT, "--ack", "--checkpoint-seconds", "0.1"), stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdin.write("a\n" + "".join(f"{i}\n" for i in range(1500)))
    process.stdin.flush()
    return process


def start_host_log():
    return subprocess.Popen(command("host_log", OUT, "--ack", "--checkpoint-seconds", "0.1", "--hz", "100"),
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(start, lose):
    """The messages of a program that loses its file, and the number of rows it has called durable."""
    process = start()
    durable = int(process.stdout.readline().split()[1])
    lose()
    kept_open, process.stdin = process.stdin, None
    out, error = process.communicate(timeout=SECONDS)  # it ends by itself, while its input is silent
    kept_open.close()
    check_equal(process.returncode, 1, error)
    check("out.parquet" in error and "removed, renamed or replaced" in error, error)
    check("rows  " not in out, "a summary of a file that is not there", out)
    return max([durable, *(int(line.split()[1]) for line in out.splitlines())])


def test_both_programs_end():
    for start in (start_csv_log, start_host_log):
        for lose in (remove, rename, rotate, replace):
            for name in ("out.parquet", "out.1"):
                pathlib.Path(name).unlink(missing_ok=True)
            durable = ended(start, lose)
            if lose in (rename, rotate):
                check(read("out.1").num_rows >= durable, "rows that were durable")
            if lose is rotate:
                check_equal(OUT.read_bytes(), b"", "the new file")
            if lose is replace:
                check_equal(pyarrow.parquet.read_table(OUT).to_pydict(), {"x": [1]})


def test_without_acknowledgements():
    """Nobody asked for them, and still the rows would be gone."""
    process = subprocess.Popen(command("csv_log", "-", OUT), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    process.stdin.write("a\n" + "1\n" * 1500)
    process.stdin.flush()
    while not OUT.exists() or OUT.stat().st_size == 0:
        check(process.poll() is None, "it ended")
    remove()
    kept_open, process.stdin = process.stdin, None
    _, error = process.communicate(timeout=SECONDS)
    kept_open.close()
    check(process.returncode == 1 and "removed, renamed or replaced" in error, error)


def test_another_name_for_the_folder_is_no_loss():
    os.mkdir("folder")
    os.symlink("folder", "link")
    pathlib.Path("in.csv").write_text("a\n1\n")
    check_ok(run("csv_log", "in.csv", "link/out.parquet", "--ack"))
    check_equal(read("folder/out.parquet").num_rows, 1)
