"""host_log: live readings until a signal, and a complete file."""
import datetime
import fcntl
import multiprocessing
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import termios
import time

import pyarrow.parquet
from harness import (FACTS, SECONDS, check, check_equal, check_ok, check_refused, command, interrupt, key_values, read, run,
                     wait_until)


def start(*arguments, **options):
    return subprocess.Popen(command("host_log", "out.parquet", *arguments), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **options)


def start_and_wait(samples, **options):
    """One at 50 Hz that has taken that many samples, and says which are durable."""
    process = start("--hz", "50", "--ack", "--checkpoint-seconds", "0.1", **options)
    durable = 0
    while durable < samples:
        line = process.stdout.readline()
        check(line.startswith("durable "), f"it ended: {line}")
        durable = int(line.split()[1])
    return process


def wait_for_rows(path, rows):
    """Waits until the footer at the end of the file describes that many rows."""
    def are_there():
        try:
            return pyarrow.parquet.read_metadata(path).num_rows >= rows
        except (OSError, pyarrow.ArrowInvalid):
            return False
    wait_until(are_there, f"rows of {path}")


def wait_for_file():
    """From then on signals are waited for."""
    path = pathlib.Path("out.parquet")
    wait_until(lambda: path.exists() and path.stat().st_size > 0, "out.parquet")


def check_samples(table, hz, least):
    check_equal([(field.name, str(field.type)) for field in table.schema],
                [("time", "timestamp[us, tz=UTC]"), ("cpu_percent", "float"), ("memory_used_bytes", "int64"),
                 ("load_1min", "float"), ("temperature_c", "float")])
    check(table.num_rows >= least, f"{table.num_rows} rows")
    rows = table.to_pylist()
    times = [row["time"] for row in rows]
    check(times == sorted(times), "times go back")
    check(abs((datetime.datetime.now(datetime.timezone.utc) - times[-1]).total_seconds()) < SECONDS, times[-1])
    # A busy machine leaves samples out, so that some gaps are longer.
    gap = (times[-1] - times[0]).total_seconds() / (len(times) - 1)
    check(0.5 / hz < gap, f"{gap} s between samples at {hz} Hz")
    gaps = sorted((after - before).total_seconds() for before, after in zip(times, times[1:]))
    gap = gaps[len(gaps) // 4]
    check(gap < 3 / hz, f"{gap} s and more between three quarters of the samples at {hz} Hz")
    check(all(0 <= row["cpu_percent"] <= 100 for row in rows), "CPU use")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    check(all(0 < row["memory_used_bytes"] <= memory for row in rows), "memory")
    check(all(row["load_1min"] >= 0 for row in rows), "load")
    check(all(row["temperature_c"] is None or -50 < row["temperature_c"] < 150 for row in rows), "temperature")


def test_encoding():
    result = check_ok(run("host_log", "out.parquet", "--hz", 50, "--seconds", 1))
    check("rows" in result.stdout, result.stdout)
    check_samples(read("out.parquet"), 50, 10)
    row_group = pyarrow.parquet.read_metadata("out.parquet").row_group(0)
    check("DELTA_BINARY_PACKED" in row_group.column(0).encodings, row_group.column(0).encodings)
    check_equal([row_group.column(i).compression for i in range(5)], ["UNCOMPRESSED", "LZ4", "UNCOMPRESSED", "LZ4", "LZ4"])
    check_ok(run("mpq", "verify", "out.parquet"))
    check_ok(run("host_log", "out.parquet", "--hz", 50, "--seconds", 1, "--append", "--encoding", "plain"))
    check_ok(run("mpq", "verify", "out.parquet"))
    metadata = pyarrow.parquet.read_metadata("out.parquet")
    for i in range(5):
        column = metadata.row_group(metadata.num_row_groups - 1).column(i)
        check_equal((set(column.encodings) - {"RLE"}, column.compression), ({"PLAIN"}, "UNCOMPRESSED"))


def test_sizes():
    for options in (["--codec", "none"], ["--codec", "zstd"], ["--dictionary-bytes", 4096], ["--row-group-bytes", 4096]):
        check_ok(run("host_log", "out.parquet", "--hz", 100, "--seconds", 3, "--overwrite", *options))
        check_ok(run("mpq", "verify", "out.parquet"))
        metadata = pyarrow.parquet.read_metadata("out.parquet")
        check_equal(metadata.row_group(0).column(1).compression, {"none": "UNCOMPRESSED", "zstd": "ZSTD"}.get(options[1], "LZ4"))
    for option, wrong in (("--codec", "lz4"), ("--dictionary-bytes", 700), ("--row-group-bytes", 2**31)):
        check_refused(run("host_log", "out.parquet", option, wrong), option, str(wrong))


def test_page_bytes():
    for encoding in ("plain", "auto"):
        memory = []
        for page_bytes in (512, 1024, 2048, 4096):
            result = check_ok(run("host_log", "out.parquet", "--hz", 50, "--seconds", 0.2, "--overwrite", "--encoding",
                                  encoding, "--page-bytes", page_bytes))
            check(read("out.parquet").num_rows > 0, "no rows")
            check_ok(run("mpq", "verify", "out.parquet"))
            memory.append(int(result.stdout.split("writer")[1].split()[0].replace(",", "")))
        for i, before in enumerate(memory[:-1]):
            check(memory[i + 1] >= before + 5 * (512 << i), f"buffers of five columns: {memory}")
    check_refused(run("host_log", "out.parquet", "--page-bytes", 700), "--page-bytes", "700")


def test_a_footer_that_rots_ends_its_file_not_the_log():
    process = start_and_wait(60)
    path = pathlib.Path("out.parquet")

    def rot():  # the footer may be no longer the last one when it is written
        with path.open("r+b") as file:
            data = file.read()
            begin = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
            if 0 < begin:
                file.seek(begin)
                file.write(bytes(byte ^ 2 for byte in data[begin:-8]))
        return pathlib.Path("out-2.parquet").exists()

    wait_until(rot, "out-2.parquet")
    wait_for_rows("out-2.parquet", 30)
    result = interrupt(process)
    check_equal(result.returncode, 1)
    check("does not give back what was written" in result.stderr and "samples are in no file" in result.stderr, result.stderr)
    left, lost = (int(re.search(rf"(\d+) {words}", result.stderr)[1]) for words in ("samples of it are lost", "samples are in no file"))
    check(lost >= left, f"{lost} of all, {left} of the first file")
    check("out-2.parquet" in result.stdout, result.stdout)
    durable = [int(line.split()[1]) for line in result.stdout.splitlines() if line.startswith("durable ")]
    check(min(durable) < 60, "samples of another file are not counted from its own first one", durable)
    check(read("out-2.parquet").num_rows >= 30, "rows")
    check_ok(run("mpq", "verify", "out-2.parquet"))


def on_a_failing_disk():
    """Options of start() by which the files `failing` and `later` control the disk and the clock (failing_disk.cpp)."""
    return {"env": {**os.environ, "LD_PRELOAD": command("failing_disk.so")[0]}}


def say(name, text):
    """The program sees the file whole."""
    pathlib.Path("said").write_text(text)
    os.replace("said", name)


def lines_with(process, text):
    """Lines of its standard error that have the text, as they come."""
    return (line for line in process.stderr if text in line)


def test_a_file_that_cannot_be_written_ends_and_the_log_continues():
    pathlib.Path("out-2.parquet").write_text("somebody's")
    process = start_and_wait(20, **on_a_failing_disk())
    say("failing", "out.parquet")
    left = next(lines_with(process, "samples of it are lost"))
    check("out.parquet: Input/output error; " in left, left)
    check("out-3.parquet: the log continues here" in next(process.stderr), "the next file")
    wait_for_rows("out-3.parquet", 20)
    result = interrupt(process)
    check_equal(result.returncode, 1)
    check(" samples are in no file; the log ends in out-3.parquet" in result.stderr, result.stderr)
    lost_of_it, lost = (int(text.split()[0]) for text in (left.split("; ")[1], result.stderr.split("out.parquet: ")[1]))
    check(lost >= lost_of_it, f"{lost} of all, {lost_of_it} of the first file")
    check_equal(pathlib.Path("out-2.parquet").read_text(), "somebody's")
    check(read("out-3.parquet").num_rows >= 20, "rows")
    check_ok(run("mpq", "recover", "out.parquet", "-o", "first.parquet"))
    check(pyarrow.parquet.read_table("first.parquet").num_rows >= 20, "rows of the file before")


def test_a_disk_that_takes_no_file_is_tried_once_a_minute():
    process = start_and_wait(20, **on_a_failing_disk())
    say("failing", "all")
    next(lines_with(process, "3 files have taken no sample: one try a minute from now on"))
    files = sorted(path.name for path in pathlib.Path().glob("out*"))
    check_equal(files, [f"out{number}.parquet" for number in ("-2", "-3", "-4", "")], "files")
    time.sleep(1)  # fifty samples
    check_equal(sorted(path.name for path in pathlib.Path().glob("out*")), files, "files later")
    check(process.poll() is None, "it has ended")
    say("later", "61")
    next(lines_with(process, "one try a minute from now on"))
    check_equal(sorted(path.name for path in pathlib.Path().glob("out*")), files, "files after a minute")
    os.remove("failing")
    say("later", "122")
    check("out-4.parquet: the log continues here" in next(process.stderr), "the same name")
    wait_for_rows("out-4.parquet", 20)
    result = interrupt(process)
    check_equal(result.returncode, 1)
    check("the log ends in out-4.parquet" in result.stderr, result.stderr)
    check(read("out-4.parquet").num_rows >= 20, "rows")


def test_a_disk_that_takes_no_file_to_the_end():
    process = start_and_wait(20, **on_a_failing_disk())
    say("failing", "all")
    told = []
    for line in process.stderr:
        if "samples of it are lost" in line:
            told.append(int(line.split("; ")[1].split()[0]))
        if "one try a minute" in line:
            break
    time.sleep(1)  # fifty samples that no file is tried for
    result = interrupt(process)
    check_equal(result.returncode, 1)
    check("no file takes a sample any more; " in result.stderr, result.stderr)
    check(int(result.stderr.split("any more; ")[1].split()[0]) > sum(told), result.stderr, told)


def test_files_that_fail_after_they_took_samples_are_not_the_disk():
    process = start_and_wait(20, **on_a_failing_disk())
    for number in range(1, 6):
        say("failing", f"out-{number}.parquet" if number > 1 else "out.parquet")
        check(f"out-{number + 1}.parquet: the log continues here" in next(lines_with(process, "the log continues")), number)
        wait_for_rows(f"out-{number + 1}.parquet", 5)
    result = interrupt(process)
    check("the log ends in out-6.parquet" in result.stderr, result.stderr)
    check("one try a minute" not in result.stderr, result.stderr)


def test_ctrl_c_ends_it():
    result = check_ok(interrupt(start_and_wait(20)))
    check_samples(read("out.parquet"), 50, 20)
    check_equal(sorted(key_values("out.parquet")), FACTS)
    check("rows" in result.stdout and "bytes" in result.stdout, result.stdout)


def test_sigterm_ends_it():
    check_ok(interrupt(start_and_wait(10), signal.SIGTERM))
    check_samples(read("out.parquet"), 50, 10)


def test_a_signal_between_slow_samples():
    process = start("--hz", "0.001")
    wait_for_file()
    before = time.monotonic()
    check_ok(interrupt(process))
    check(time.monotonic() - before < SECONDS, "it waited for the next sample")
    check_equal(read("out.parquet").num_rows, 0)


def test_seconds():
    for _ in range(20):  # until the machine is not so busy that samples are left out
        before = time.monotonic()
        check_ok(run("host_log", "out.parquet", "--seconds", 1, "--hz", 20, "--overwrite"))
        check(time.monotonic() - before > 0.9, "how long it took")
        table = read("out.parquet")
        check(table.num_rows <= 20, table.num_rows)
        if table.num_rows >= 15:
            break
    check_samples(table, 20, 15)


def burn():
    while True:
        pass


def test_cpu_use_is_seen():
    busy = multiprocessing.get_context("fork").Process(target=burn)
    busy.start()
    try:
        check_ok(run("host_log", "out.parquet", "--seconds", 2, "--hz", 2))
    finally:
        busy.kill()
        busy.join()
    one_core = 100 / os.cpu_count()
    most = max(read("out.parquet")["cpu_percent"].to_pylist())
    check(most > one_core / 2, f"{most} % with one core busy")


def test_bad_arguments():
    pathlib.Path("there.parquet").write_text("precious")
    check_refused(run("host_log", "there.parquet", "--seconds", 1), "there.parquet", "--overwrite")
    check_equal(pathlib.Path("there.parquet").read_text(), "precious")
    check_refused(run("host_log", "none/out.parquet", "--seconds", 1), "none/out.parquet", "No such file")
    check_refused(run("host_log", "/dev/null", "--seconds", 1), "/dev/null", "file on a disk")
    check_refused(run("host_log", "out.parquet", "--hz", 0), "--hz")
    check_refused(run("host_log"), "OUT")


def test_overwrite():
    pathlib.Path("out.parquet").write_text("old")
    check_ok(run("host_log", "out.parquet", "--seconds", 0.2, "--hz", 50, "--overwrite"))
    check(read("out.parquet").num_rows > 0, "no rows")


def status_lines(columns, *arguments):
    """The progress lines of a program on a terminal so wide, and where it leaves the cursor."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(command(*arguments), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    text = b""
    while text.count(b"rows") < 3:
        text += os.read(ours, 4096)
    check_equal(interrupt(process).returncode, 0)
    os.close(ours)
    check(b"\n" not in text, "a new line", text)
    return [line.decode() for line in text.replace(b"\x1b[K", b"").split(b"\r")[1:-1]]


def test_an_acknowledgement_has_a_line_of_its_own():
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command("host_log", "out.parquet", "--hz", "20", "--ack", "--checkpoint-seconds", "0.5"),
                               stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    text = b""
    while text.count(b"durable ") < 3:
        text += os.read(ours, 4096)
    check_equal(interrupt(process).returncode, 0)
    os.close(ours)
    shown = [line.split(b"\r")[-1].removeprefix(b"\x1b[K") for line in text.replace(b"\r\n", b"\n").split(b"\n")[:-1]]
    check(b"rows" in text and all(line.startswith(b"durable ") for line in shown), text)


def test_the_status_line_fits_the_terminal():
    for columns in (20, 40, 80, 200):
        lines = status_lines(columns, "host_log", "out.parquet", "--hz", "20", "--overwrite")
        check(max(map(len, lines)) < columns, columns, *lines)
        check(lines[0].endswith("Ctrl-C ends") or columns < 80, *lines)
