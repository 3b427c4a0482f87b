"""host_log: live readings until a signal, and a complete file."""
import datetime
import multiprocessing
import os
import pathlib
import signal
import subprocess
import time

from harness import check, check_equal, check_ok, check_refused, command, interrupt, key_values, read, run


def start(*arguments):
    return subprocess.Popen(command("host_log", "out.parquet", *arguments), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def check_samples(table, hz, least):
    check_equal([(field.name, str(field.type)) for field in table.schema],
                [("time", "timestamp[us, tz=UTC]"), ("cpu_percent", "float"), ("memory_used_bytes", "int64"),
                 ("load_1min", "float"), ("temperature_c", "float")])
    check(table.num_rows >= least, f"{table.num_rows} rows")
    rows = table.to_pylist()
    times = [row["time"] for row in rows]
    check(times == sorted(times), "times go back")
    check(abs((datetime.datetime.now(datetime.timezone.utc) - times[-1]).total_seconds()) < 60, times[-1])
    gap = (times[-1] - times[0]).total_seconds() / (len(times) - 1)
    check(0.5 / hz < gap < 3 / hz, f"{gap} s between samples at {hz} Hz")
    check(all(0 <= row["cpu_percent"] <= 100 for row in rows), "CPU use")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    check(all(0 < row["memory_used_bytes"] <= memory for row in rows), "memory")
    check(all(row["load_1min"] >= 0 for row in rows), "load")
    check(all(row["temperature_c"] is None or -50 < row["temperature_c"] < 150 for row in rows), "temperature")


def test_ctrl_c_ends_it():
    process = start("--hz", "50")
    time.sleep(1)
    result = interrupt(process)
    check_ok(result)
    check_samples(read("out.parquet"), 50, 20)
    check_equal(list(key_values("out.parquet")), ["host"])
    check("rows" in result.stdout and "bytes" in result.stdout, result.stdout)


def test_sigterm_ends_it():
    process = start("--hz", "50")
    time.sleep(0.5)
    check_ok(interrupt(process, signal.SIGTERM))
    check_samples(read("out.parquet"), 50, 10)


def test_a_signal_between_slow_samples():
    process = start("--hz", "0.01")
    time.sleep(0.3)
    before = time.monotonic()
    check_ok(interrupt(process))
    check(time.monotonic() - before < 5, "it waited for the next sample")
    check_equal(read("out.parquet").num_rows, 0)


def test_seconds():
    before = time.monotonic()
    check_ok(run("host_log", "out.parquet", "--seconds", 1, "--hz", 20))
    check(0.9 < time.monotonic() - before < 10, "how long it took")
    table = read("out.parquet")
    check_samples(table, 20, 15)
    check(table.num_rows <= 20, table.num_rows)


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
