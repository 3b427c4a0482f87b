"""host_log: live readings until a signal, and a complete file."""
import datetime
import fcntl
import multiprocessing
import os
import pathlib
import pty
import signal
import struct
import subprocess
import termios
import time

import pyarrow.parquet
from harness import (FACTS, SECONDS, check, check_equal, check_ok, check_refused, command, interrupt, key_values, read, run,
                     wait_until)


def start(*arguments):
    return subprocess.Popen(command("host_log", "out.parquet", *arguments), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def start_and_wait(samples):
    """One at 50 Hz that has taken that many samples, and says which are durable."""
    process = start("--hz", "50", "--ack", "--checkpoint-seconds", "0.1")
    durable = 0
    while durable < samples:
        line = process.stdout.readline()
        check(line.startswith("durable "), f"it ended: {line}")
        durable = int(line.split()[1])
    return process


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
    process = start_and_wait(20)
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
    acknowledged, before, is_second = 0, 0, False
    while not is_second or acknowledged < 30:
        line = process.stdout.readline()
        check(line.startswith("durable "), f"it ended: {line}")
        before, acknowledged = acknowledged, int(line.split()[1])
        is_second = is_second or acknowledged < before
    result = interrupt(process)
    check_equal(result.returncode, 1)
    check("does not give back what was written" in result.stderr and "samples are in no file" in result.stderr, result.stderr)
    check("out-2.parquet" in result.stdout, result.stdout)
    check(read("out-2.parquet").num_rows >= acknowledged, "rows")
    check_ok(run("mpq", "verify", "out-2.parquet"))


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


def test_the_status_line_fits_the_terminal():
    for columns in (20, 40, 80, 200):
        lines = status_lines(columns, "host_log", "out.parquet", "--hz", "20", "--overwrite")
        check(max(map(len, lines)) < columns, columns, *lines)
        check(lines[0].endswith("Ctrl-C ends") or columns < 80, *lines)
