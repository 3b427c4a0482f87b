"""Tests which rows are durable, and when; resuming a file; and the messages of the programs on files they cannot resume."""
import os
import pathlib
import signal
import subprocess
import time

import duckdb
import pyarrow
import pyarrow.parquet
from harness import (FACTS, SECONDS, check, check_equal, check_image, check_ok, check_refused, command, data_file, interrupt,
                     key_values, read, run)
from recordings import values_of


def write_csv(rows, name="in.csv", header="a,b"):
    pathlib.Path(name).write_text(header + "\n" + "".join(f"{i},{i / 4}\n" for i in rows))


def acknowledged(output):
    return [int(line.split()[1]) for line in output.splitlines() if line.startswith("durable ")]


def next_acknowledgement(process):
    """The next acknowledgement of a running program."""
    return int(process.stdout.readline().split()[1])


def wait_for_acknowledgement(process, rows):
    """Until a running program says that `rows` rows are durable. A slow machine makes fewer durable at first."""
    while (durable := next_acknowledgement(process)) < rows:
        pass
    check_equal(durable, rows, "durable rows")


def rows_now(path):
    """The rows of a file that is being written, by another program."""
    check_image(path, debris=False)
    return pyarrow.parquet.read_table(path, page_checksum_verification=True).num_rows


def test_checkpoint_rows():
    write_csv(range(2500))
    result = check_ok(run("csv_log", "in.csv", "out.parquet", "--checkpoint-rows", 1000, "--ack"))
    check_equal(acknowledged(result.stdout), [1000, 2000, 2500])
    check_equal(read("out.parquet")["a"].to_pylist(), list(range(2500)))


def test_no_acknowledgement_without_the_option():
    write_csv(range(2500))
    check_equal(acknowledged(check_ok(run("csv_log", "in.csv", "out.parquet", "--checkpoint-rows", 1000)).stdout), [])


def slow_log(*options):
    process = subprocess.Popen(command("csv_log", "-", "out.parquet", "--ack", *options), stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(b"a,b\n" + b"".join(b"%d,%d.5\n" % (i, i) for i in range(1500)))
    process.stdin.flush()
    return process


def test_what_is_acknowledged_is_there_for_other_programs():
    process = slow_log("--checkpoint-rows", "100")
    seen = 0
    while seen < 1500:
        seen = next_acknowledgement(process)
        check(rows_now("out.parquet") >= seen, f"fewer rows than {seen}")
    process.stdin.close()
    check_equal(process.wait(timeout=SECONDS), 0)


def test_checkpoint_seconds_while_the_input_is_silent():
    begin = time.monotonic()
    process = slow_log("--checkpoint-seconds", "0.5")
    wait_for_acknowledgement(process, 1500)
    check(time.monotonic() - begin > 0.5, "durable too early")
    check_equal(rows_now("out.parquet"), 1500)
    for more, rows in ((1, 1501), (3, 1504)):
        process.stdin.write(b"7,7.5\n" * more)
        process.stdin.flush()
        wait_for_acknowledgement(process, rows)
    process.stdin.close()
    process.stdin = None
    process.communicate(timeout=SECONDS)
    check_equal(read("out.parquet").num_rows, 1504)


def test_an_interrupt_while_the_input_is_silent():
    process = slow_log("--checkpoint-seconds", "0.1")
    wait_for_acknowledgement(process, 1500)
    kept_open, process.stdin = process.stdin, None
    result = interrupt(process)
    kept_open.close()
    check_equal(result.returncode, 130, result.stderr)
    check_equal(read("out.parquet").num_rows, 1500)


def test_acknowledgements_do_not_go_into_the_file():
    write_csv(range(3))
    check_refused(run("csv_log", "in.csv", "-", "--ack"), "--ack", "standard output")


def parts_of(name, rows):
    """A recording as files of that many rows."""
    header, *lines = pathlib.Path(data_file(name)).read_text(encoding="utf-8").splitlines(keepends=True)
    for begin in range(0, len(lines), rows):
        path = pathlib.Path(f"part{begin}.csv")
        path.write_text(header + "".join(lines[begin:begin + rows]), encoding="utf-8")
        yield path


def test_append_file_by_file():
    for i, part in enumerate(parts_of("walk.csv", 900)):
        options = ("--checkpoint-rows", 250) if i % 2 else ()
        result = check_ok(run("csv_log", part, "out.parquet", "--append", "--ack", *options))
        check("added" in result.stdout, result.stdout)
        check_equal(acknowledged(result.stdout)[-1], read("out.parquet").num_rows)
    table = read("out.parquet")
    for column, values in values_of("walk.csv").items():
        check_equal(table[column].to_pylist(), values, column)


def test_append_to_what_a_stream_has_begun():
    """The file's types count, and not what the rows to be added look like."""
    for part in parts_of("weather.csv", 600):
        with open(part, "rb") as file:
            check_ok(run("csv_log", "-", "out.parquet", "--append", stdin=file))
    table = read("out.parquet")
    for column, values in values_of("weather.csv").items():
        check_equal(table[column].to_pylist(), values, column)
    rows = duckdb.sql("SELECT count(*), count(temp) FROM 'out.parquet'").fetchall()
    check_equal(rows, [(2008, sum(value is not None for value in values_of("weather.csv")["temp"]))])


def test_append_keeps_all_types():
    pathlib.Path("in.csv").write_text("a\n" + "1\n" * 3)
    types = ("bool", "int8", "uint64", "float", "double", "decimal(9,2)", "decimal(18,0)", "string", "enum", "json", "binary")
    for type_name in types:
        check_ok(run("csv_log", "in.csv", f"{type_name}.parquet", "--type", f"a={type_name}"))
        check_ok(run("csv_log", "in.csv", f"{type_name}.parquet", "--append"))
        check_equal(read(f"{type_name}.parquet").num_rows, 6, type_name)
        check_ok(run("csv_log", "in.csv", f"{type_name}.parquet", "--append", "--type", f"a={type_name}"))
    for type_name, text in (("date", "2024-01-31"), ("time_ms", "12:30:00"), ("time_ns", "12:30:00"),
                            ("uuid", "01234567-89ab-cdef-0123-456789abcdef"), ("timestamp_ms_utc", "2024-01-31 12:30:00Z"),
                            ("timestamp_ns_local", "2024-01-31 12:30:00"), ("timestamp", "2024-01-31 12:30:00")):
        pathlib.Path("in.csv").write_text(f"a\n{text}\n")
        check_ok(run("csv_log", "in.csv", f"{type_name}.parquet", "--type", f"a={type_name}"))
        check_ok(run("csv_log", "in.csv", f"{type_name}.parquet", "--append", "--type", f"a={type_name}"))
        column = read(f"{type_name}.parquet")["a"].to_pylist()
        check(len(column) == 2 and column[0] == column[1], type_name, column)


def test_key_values_when_rows_are_added():
    write_csv(range(3))
    check_ok(run("csv_log", "in.csv", "out.parquet", "--kv", "site=roof"))
    check_ok(run("csv_log", "in.csv", "out.parquet", "--append", "--kv", "site=roof", "--kv", "boot=2"))
    check_equal(key_values("out.parquet"), {"site": "roof", "boot": "2"})
    check_refused(run("csv_log", "in.csv", "out.parquet", "--append", "--kv", "site=cellar"), "site=roof already")
    check_equal(read("out.parquet").num_rows, 6)


def refused_unchanged(path, *parts, program=("csv_log", "in.csv")):
    before = pathlib.Path(path).read_bytes()
    check_refused(run(program[0], *program[1:], path, "--append"), path, *parts)
    check(pathlib.Path(path).read_bytes() == before, f"{path} was changed")


def test_files_that_cannot_be_gone_on_with():
    write_csv(range(1200))
    check_ok(run("csv_log", "in.csv", "out.parquet"))
    write_csv(range(3), "other.csv", "a,c")
    check_refused(run("csv_log", "other.csv", "out.parquet", "--append"), "out.parquet has the columns a, b", "a, c")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--append", "--type", "a=string"), "a=string", "int64")
    check_refused(run("csv_log", "in.csv", "out.parquet", "--append", "--overwrite"), "--append", "--overwrite")
    check_refused(run("csv_log", "in.csv", "-", "--append"), "--append")
    host_log = ("host_log",)
    refused_unchanged("out.parquet", "another name", program=host_log)

    pyarrow.parquet.write_table(pyarrow.table({"a": [1], "b": [0.5]}), "pyarrow.parquet")
    refused_unchanged("pyarrow.parquet", "written by parquet-cpp", "--overwrite")
    refused_unchanged("pyarrow.parquet", "another name", program=host_log)
    pathlib.Path("text.parquet").write_text("precious, and no Parquet file")
    refused_unchanged("text.parquet", "no Parquet file")
    refused_unchanged("text.parquet", "no Parquet file", program=host_log)


def test_torn_files_are_sent_to_recovery():
    write_csv(range(1200))
    check_ok(run("csv_log", "in.csv", "csv.parquet"))
    check_ok(run("host_log", "host.parquet", "--hz", 50, "--seconds", 0.2))
    for path, program in (("csv.parquet", ("csv_log", "in.csv")), ("host.parquet", ("host_log",))):
        whole = pathlib.Path(path).read_bytes()
        for size in (len(whole) - 1, len(whole) - 300, len(whole) // 2):
            pathlib.Path("torn.parquet").write_bytes(whole[:size])
            refused_unchanged("torn.parquet", "mpq recover torn.parquet", program=program)


def test_append_to_an_empty_file_begins_it():
    write_csv(range(3))
    for program in (("csv_log", "in.csv", "empty.parquet"), ("host_log", "host.parquet", "--seconds", 0.1, "--hz", 50)):
        path = next(word for word in program if str(word).endswith(".parquet"))
        pathlib.Path(path).touch()
        check_ok(run(*program, "--append"))
        check(read(path).num_rows > 0, "no rows")
    check_equal(sorted(key_values("host.parquet")), FACTS)


def test_bad_rows_to_add():
    write_csv(range(3))
    check_ok(run("csv_log", "in.csv", "out.parquet"))
    for text, message in (("x,1\n", "int64"), (",1\n", "empty cell"), ("1\n", "1 cell")):
        pathlib.Path("bad.csv").write_text("a,b\n5,5.5\n" + text)
        result = run("csv_log", "bad.csv", "out.parquet", "--append")
        check_refused(result, "bad.csv:3:", message)
        check("--type" not in result.stderr, "the type is the file's", result.stderr)
    check_equal(read("out.parquet")["a"].to_pylist(), [0, 1, 2, 5, 5, 5])
    check("bad.csv:3" in key_values("out.parquet")["microparquet.stopped"], key_values("out.parquet"))


def test_a_second_writer_waits_outside():
    first = slow_log("--checkpoint-rows", "500")
    next_acknowledgement(first)
    write_csv(range(3))
    check_refused(run("csv_log", "in.csv", "out.parquet", "--append"), "out.parquet", "another program")
    check_refused(run("host_log", "out.parquet", "--append"), "out.parquet", "another program")
    first.stdin.close()
    first.stdin = None
    first.communicate(timeout=SECONDS)
    check_ok(run("csv_log", "in.csv", "out.parquet", "--append"))
    check_equal(read("out.parquet").num_rows, 1503)


def test_host_log_says_what_is_durable():
    process = subprocess.Popen(command("host_log", "out.parquet", "--hz", "5", "--ack", "--checkpoint-seconds", "0.5"),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(2):
        rows = next_acknowledgement(process)
        check(rows_now("out.parquet") >= rows, f"fewer rows than {rows}")
    result = check_ok(interrupt(process, signal.SIGTERM))
    check_equal([rows, *acknowledged(result.stdout)][-1], read("out.parquet").num_rows)
    result = check_ok(run("host_log", "out.parquet", "--append", "--hz", 50, "--seconds", 0.2, "--ack"))
    check_equal(acknowledged(result.stdout)[-1], read("out.parquet").num_rows)
    check_equal(sorted(key_values("out.parquet")), FACTS)


def test_full_disk_when_rows_are_added():
    import resource
    write_csv(range(2000))
    check_ok(run("csv_log", "in.csv", "out.parquet"))
    size = os.path.getsize("out.parquet")
    write_csv(range(200_000), "many.csv")
    limit = size + 100_000
    result = run("csv_log", "many.csv", "out.parquet", "--append", "--checkpoint-rows", 500,
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    check_refused(result, "out.parquet", "File too large", "complete with the ")
    check(os.path.getsize("out.parquet") <= limit, os.path.getsize("out.parquet"))
    found = read("out.parquet")["a"].to_pylist()
    check(len(found) > 2000, f"{len(found)} rows")
    check_equal(found, [*range(2000), *range(len(found) - 2000)])
