"""A disk that fills up: the file is complete with the rows that had space."""
import contextlib
import os
import pathlib
import resource
import subprocess

from harness import Failed, check, check_equal, check_refused, data_file, key_values, read, run
from recordings import values_of


def check_prefix(path, result):
    """The file holds the first rows of the recording, and says why not all."""
    check_refused(result, path, "complete with the ")
    times = values_of("walk.csv")["Time (s)"]
    found = read(path)["Time (s)"].to_pylist()
    check(0 < len(found) < len(times), f"{len(found)} rows of {len(times)}")
    check_equal(found, times[:len(found)], "rows")
    check("microparquet.stopped" in key_values(path), key_values(path))


def limit_files_to(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_limit_on_the_size_of_files():
    for size, encoding in ((100_000, "plain"), (123_457, "plain"), (200_000, "plain"), (200_000, "auto")):
        pathlib.Path("out.parquet").unlink(missing_ok=True)
        result = run("csv_log", data_file("walk.csv"), "out.parquet", "--encoding", encoding, preexec_fn=limit_files_to(size))
        check_prefix("out.parquet", result)
        check("File too large" in result.stderr, result.stderr)
        check(os.path.getsize("out.parquet") <= size, os.path.getsize("out.parquet"))


@contextlib.contextmanager
def small_disk(kilobytes):
    """A folder with a file system of its own; None where mounting is not allowed."""
    folder = pathlib.Path("disk")
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", folder],
                             capture_output=True, check=False)
    try:
        yield folder if mounted.returncode == 0 else None
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", "--lazy", folder], check=True)  # a reader's thread may still be closing a file on it


def test_a_small_disk():
    for kilobytes, encoding in ((96, "plain"), (160, "plain"), (212, "plain"), (200, "auto")):
        with small_disk(kilobytes) as disk:
            if disk is None:
                return  # only the administrator can mount; the limit above takes the same way
            result = run("csv_log", data_file("walk.csv"), disk / "out.parquet", "--encoding", encoding)
            check_prefix(str(disk / "out.parquet"), result)
            check("No space left" in result.stderr and "make room" in result.stderr, result.stderr)
        pathlib.Path("disk").rmdir()


def test_a_disk_without_space_for_anything():
    with small_disk(4) as disk:
        if disk is None:
            return
        (disk / "filler").write_bytes(b"x" * 4096)
        check_refused(run("csv_log", data_file("walk.csv"), disk / "out.parquet"), "out.parquet", "No space left")


def test_a_device_that_is_full():
    check_refused(run("csv_log", data_file("walk.csv"), "/dev/full"), "/dev/full", "No space left")


def test_output_of_mpq_on_a_full_device():
    run("csv_log", data_file("walk.csv"), "out.parquet")
    with open("/dev/full", "w", encoding="utf-8") as full:
        from harness import command
        result = subprocess.run(command("mpq", "cat", "out.parquet"), stdout=full, stderr=subprocess.PIPE, text=True,
                                check=False)
    check_refused(result, "mpq: standard output", "No space left")


def test_host_log_on_a_full_disk():
    result = run("host_log", "out.parquet", "--hz", 1000, "--seconds", 500, preexec_fn=limit_files_to(150_000))
    check_refused(result, "out.parquet", "File too large", "complete")
    if read("out.parquet").num_rows == 0:
        raise Failed("no rows")
    check_equal(key_values("out.parquet")["microparquet.stopped"], "File too large")
