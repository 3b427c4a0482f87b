"""A log that comes through a pipe ends when its pipe does, and for no cell and no line before."""
import pathlib
import random
import subprocess

from harness import SECONDS, check, check_equal, check_ok, command, key_values, read, run


def logged(text, *arguments):
    return check_ok(run("csv_log", "-", "out.parquet", *arguments, input=text))


def types(path):
    return [str(kind) for kind in read(path).schema.types]


def test_numbers_are_double_unless_they_are_times():
    logged("t_ms,rain,id,when\n" + "".join(f"{i},0,{2**53 + 2 * i + 1},2024-01-01 00:00:{i:02}\n" for i in range(20)) + "20,0.5,7,\n")
    check_equal(types("out.parquet"), ["int64", "double", "int64", "timestamp[us]"])
    check_equal(read("out.parquet")["rain"][20].as_py(), 0.5)
    logged("t_ms,rain,id,when\n21,1.5,8,\n", "--append")
    check_equal(read("out.parquet").num_rows, 22)


def test_ten_values_that_do_not_fit_go_on_in_another_file():
    rows = "".join(f"{i},{i}\n" for i in range(1200)) + "".join(f"{i},x{i}\n" for i in range(1200, 1230))
    result = logged("t_ms,v\n" + rows)
    check("ten values are not of type double, the last of them" in result.stderr and "the log continues in out-2.parquet" in result.stderr, result.stderr)
    first, second = read("out.parquet"), read("out-2.parquet")
    check_equal((first.num_rows, second.num_rows, types("out-2.parquet")), (1209, 21, ["int64", "string"]))
    check_equal(first["v"].null_count, 9)
    check_equal(key_values("out.parquet"), {"csv_log.bad_cells": "9", "csv_log.first_bad_cell": 'line 1202: "v": "x1200"'})
    check_equal(second["v"].to_pylist(), [f"x{i}" for i in range(1209, 1230)])
    before = pathlib.Path("out.parquet").read_bytes()
    logged("t_ms,v\n9,y\n", "--append")
    check_equal(read("out-2.parquet")["v"].to_pylist()[-1], "y", "a later start continues with the last file")
    check(pathlib.Path("out.parquet").read_bytes() == before, "the first one is left as it was")


def test_an_integer_that_gets_a_fraction():
    logged("t_ms,v\n" + "".join(f"{i},{i}\n" for i in range(1200)) + "".join(f"{i},{i}.5\n" for i in range(40)), "--type", "t_ms=int64")
    check_equal(read("out.parquet").num_rows, 1240, "double from the start")
    pathlib.Path("old.csv").write_text("t_ms,v\n1,2\n3,\n")
    check_ok(run("csv_log", "old.csv", "old.parquet"))
    check_ok(run("csv_log", "-", "old.parquet", "--append", input="t_ms,v\n" + "".join(f"{i},{i}.5\n" for i in range(30))))
    check_equal((read("old.parquet").num_rows, read("old-2.parquet").num_rows, types("old-2.parquet")), (11, 21, ["int64", "double"]))


def test_a_file_without_nulls_goes_on_where_there_may_be_some():
    pathlib.Path("old.csv").write_text("t_ms,v\n1,2\n")
    check_ok(run("csv_log", "old.csv", "out.parquet"))
    result = logged("t_ms,v\n5,6\n7,\n8,9\n", "--append")
    check('standard input:3: column "v": a cell without a value' in result.stderr, result.stderr)
    check_equal(read("out.parquet").to_pydict(), {"t_ms": [1, 5], "v": [2, 6]})
    check_equal(read("out-2.parquet").to_pydict(), {"t_ms": [7, 8], "v": [None, 9]})


def test_a_file_that_takes_no_further_row_group():
    rows = "".join(f"{i},{i}\n" for i in range(70_000))
    result = logged("t_ms,v\n" + rows, "--rows-per-group", 2)
    check("the file is at its limits; the log continues in out-2.parquet" in result.stderr, result.stderr[-300:])
    files = sorted(pathlib.Path().glob("out*.parquet"), key=lambda path: (len(path.name), path.name))
    check_equal([value for path in files for value in read(path)["t_ms"].to_pylist()], list(range(70_000)))


def test_a_text_longer_than_a_page():
    result = logged("t_ms,s\n" + "".join(f"{i},x{i}\n" for i in range(1100)) + f"1,{'y' * 9000}\n2,z\n")
    check_equal(read("out-2.parquet")["s"].to_pylist(), ["y" * 9000, "z"], result.stderr)


def test_only_bad_lines_and_a_header_that_comes_late():
    logged("t_ms,v\n1,2\n")
    result = logged("junk\n" * 5 + "t_ms,v\nmore junk, of, that kind\n" * 3, "--append")
    check_equal(read("out.parquet").num_rows, 1, result.stderr)
    logged("SD ok\nIMU ok\nt_ms,v\n3,4\n\0\0\0\0\nSD ok\nt_ms,v\n5,6\n", "--append")
    check_equal(read("out.parquet").to_pydict(), {"t_ms": [1, 3, 5], "v": [2, 4, 6]})


def test_rows_are_durable_while_the_pipe_stalls():
    process = subprocess.Popen(command("csv_log", "-", "out.parquet", "--ack", "--checkpoint-seconds", "0.1"), stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdin.write("t_ms,v\n1,2\n3,4\n")
    process.stdin.flush()
    check_equal(process.stdout.readline(), "durable 2\n", "with two rows and nothing more")
    check_equal(read("out.parquet").num_rows, 2)
    process.communicate(timeout=SECONDS)


def kill_among_bad_lines(seed):
    """csv_log is killed while good and bad lines come; what it called durable is there."""
    chance = random.Random(seed)
    for path in pathlib.Path().glob("out*.parquet"):
        path.unlink()
    process = subprocess.Popen(command("csv_log", "-", "out.parquet", "--ack", "--checkpoint-rows", "50"), stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    good = []
    process.stdin.write("n,v\n")
    for i in range(chance.randrange(1800, 4000)):
        kind = chance.randrange(12)
        if kind == 0:
            process.stdin.write(chance.choice(["MARK\n", "1,2,3\n", "boot\nn,v\n", "\0\0\0\n"]))
        else:
            process.stdin.write(f"{i},{'oops' if kind == 1 and i > 1100 else i / 4}\n")
            good.append(float(i))
    process.stdin.flush()
    durable = 0
    for _ in range(chance.randrange(1, len(good) // 50 - 8)):
        durable = int(process.stdout.readline().split()[1])
    process.kill()
    kept_open, process.stdin = process.stdin, None
    out, _ = process.communicate(timeout=SECONDS)
    kept_open.close()
    durable = max([durable, *(int(line.split()[1]) for line in out.splitlines() if line.startswith("durable "))])
    files = sorted(pathlib.Path().glob("out*.parquet"), key=lambda path: (len(path.name), path.name))
    rows = [value for path in files if path.stat().st_size for value in read(path)["n"].to_pylist()]
    check(len(rows) >= durable, f"seed {seed}: {durable} rows were durable, {len(rows)} are there")
    check_equal(rows, good[:len(rows)], f"seed {seed}")
    return durable, len(files)


def test_a_kill_among_bad_lines_loses_no_durable_row():
    found = [kill_among_bad_lines(seed) for seed in range(10)]
    check(all(durable for durable, _ in found) and max(files for _, files in found) > 1, found)
