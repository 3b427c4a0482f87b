"""mpq on several files, on standard input, and on files that are odd in their columns."""
import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess

import hostile
import pyarrow as pa
import pyarrow.parquet
from damage import HEADER, flip, line, make
from harness import SECONDS, check, check_equal, check_ok, check_refused, command, run, wait_until_idle


def write(path, columns):
    """A PLAIN file by pyarrow; `columns` are (name, type, values)."""
    table = pa.Table.from_arrays([pa.array(values, kind) for _, kind, values in columns], [name for name, _, _ in columns])
    pa.parquet.write_table(table, path, compression="none", use_dictionary=False, store_schema=False)


def cat(*arguments, **options):
    return check_ok(run("mpq", "cat", *arguments, **options)).stdout


def test_cat_concatenates():
    make("a.parquet", 30)
    make("b.parquet", 5, 30)
    whole = HEADER.splitlines()[0]
    lines = cat("a.parquet", "b.parquet").splitlines()
    check_equal(lines[0], whole)
    check_equal(lines[1:], cat("a.parquet").splitlines()[1:] + cat("b.parquet").splitlines()[1:])
    rows = [json.loads(text)["n"] for text in cat("--json", "a.parquet", "b.parquet", "a.parquet").splitlines()]
    check_equal(rows, [*range(35), *range(30)])
    pathlib.Path("none.csv").write_text(HEADER)
    check_ok(run("csv_log", "--encoding", "plain", "none.csv", "none.parquet", *[word for name in ("n=int64", "half=double", "few=int64", "flag=bool")
                                                          for word in ("--type", name)]))
    check_equal(cat("none.parquet", "a.parquet"), cat("a.parquet"), "a file of no rows first")


def test_cat_of_files_with_other_columns():
    write("a.parquet", [("x", pa.int32(), [1]), ("y", pa.string(), ["a"])])
    write("b.parquet", [("x", pa.int64(), [2]), ("y", pa.string(), ["b"])])
    write("c.parquet", [("y", pa.string(), ["c"]), ("x", pa.int32(), [3])])
    for other, words in (("b.parquet", "x int64"), ("c.parquet", "y string, x int32")):
        result = run("mpq", "cat", "a.parquet", other)
        check_refused(result, f"{other} has other columns than a.parquet", words, "--columns")
        check_equal(result.stdout, "", "rows before it was refused")
    check_equal(cat("a.parquet", "b.parquet", "--columns", "y"), "y\na\nb\n")
    check_equal(cat("a.parquet", "c.parquet", "--columns", "y,x"), "y,x\na,1\nc,3\n")


def test_a_file_among_others_that_cannot_be_read():
    make("a.parquet", 3)
    pathlib.Path("text").write_text("no Parquet" * 10)
    for words in (["cat"], ["cat", "--json"], ["head"]):
        result = run("mpq", *words, "none.parquet", "a.parquet", "text", "a.parquet")
        check_refused(result, "none.parquet: no such file", "text is not a Parquet file")
        check_equal(result.stdout.count("w2"), 2, result.stdout)


def test_head_of_several_files():
    make("a.parquet", 30)
    make("b.parquet", 5, 30)
    text = check_ok(run("mpq", "head", "-n", "2", "a.parquet", "b.parquet")).stdout
    alone = [check_ok(run("mpq", "head", "-n", "2", path)).stdout for path in ("a.parquet", "b.parquet")]
    check_equal(text, f"==> a.parquet <==\n{alone[0]}\n==> b.parquet <==\n{alone[1]}")
    check("==>" not in alone[0], alone[0])
    lines = check_ok(run("mpq", "head", "-n", "2", "--csv", "a.parquet", "b.parquet")).stdout.splitlines()
    check_equal([text.split(",")[0] for text in lines], ["n", "0", "1", "30", "31"])


def test_verify_of_several_files():
    data = make("a.parquet", 300)
    make("b.parquet", 30)
    pathlib.Path("damaged").write_bytes(flip(data, pyarrow.parquet.read_metadata("a.parquet").row_group(0).column(4)
                                             .data_page_offset + 200))
    result = check_ok(run("mpq", "verify", "a.parquet", "b.parquet"))
    check_equal(result.stdout, "a.parquet: all of it holds\nb.parquet: all of it holds\n2 files: 2 hold\n")
    result = run("mpq", "verify", "a.parquet", "damaged", "b.parquet")
    check_equal(result.returncode, 1)
    alone = run("mpq", "verify", "damaged").stdout
    check("does not have its checksum" in alone, alone)
    check_equal(result.stdout, f"a.parquet: all of it holds\n{alone}b.parquet: all of it holds\n3 files: 2 hold, 1 does not\n")
    result = run("mpq", "verify", "damaged", "none.parquet", "a.parquet")
    check_refused(result, "none.parquet: no such file", code=2)
    check("3 files: 1 holds, 1 does not, 1 cannot be read\n" in result.stdout, result.stdout)
    result = piped("verify", "-", data=data)
    check_equal((result.returncode, result.stdout.decode().replace("standard input", "a.parquet")),
                (0, check_ok(run("mpq", "verify", "a.parquet")).stdout))
    hostile.not_decoded("zipped.parquet", 1)
    check_equal(run("mpq", "verify", "--strict", "zipped.parquet", "a.parquet").returncode, 1)


def piped(*arguments, data=b"", **options):
    return subprocess.run(command("mpq", *arguments), input=data, capture_output=True, timeout=SECONDS, check=False, **options)


def test_standard_input():
    data = make("a.parquet", 3000)
    for words in (["info"], ["schema"], ["head"], ["cat"], ["cat", "--json"]):
        expected = check_ok(run("mpq", *words, "a.parquet", text=False)).stdout.replace(b"a.parquet", b"standard input")
        found = piped(*words, "-", data=data)
        check_equal((found.returncode, found.stderr), (0, b""), words)
        check(found.stdout == expected, words, "of a pipe")
        with open("a.parquet", "rb") as file:
            result = subprocess.run(command("mpq", *words, "-"), stdin=file, capture_output=True, timeout=SECONDS, check=False)
        check(result.stdout == expected, words, "of a file", result.stderr)
    result = piped("cat", "a.parquet", "-", data=data)
    check_equal(len(result.stdout.splitlines()), 6001, "a file and standard input")


def test_standard_input_leaves_nothing_behind():
    data = make("a.parquet", 3000)
    os.mkdir("spool")
    process = subprocess.Popen(command("mpq", "cat", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               env={**os.environ, "TMPDIR": os.path.abspath("spool")})
    process.stdin.write(data[:-1])
    process.stdin.flush()
    check_equal(os.listdir("spool"), [], "while it reads")
    process.stdin.write(data[-1:])
    out, _ = process.communicate(timeout=SECONDS)
    check_equal((process.returncode, len(out.splitlines())), (0, 3001))
    check_equal(os.listdir("spool"), [], "at the end")


def test_standard_input_that_is_no_file():
    result = piped("cat", "-", data=b"")
    check_equal(result.returncode, 1)
    check(b"standard input is empty" in result.stderr, result.stderr)
    result = piped("cat", "-", data=b"time,temp\n" * 20)
    check(result.returncode == 1 and b"standard input is not a Parquet file" in result.stderr, result.stderr)
    result = piped("cat", "-", data=b"x" * 100, env={**os.environ, "TMPDIR": "/dev/null/none"})
    check(result.returncode == 1 and b"TMPDIR" in result.stderr, result.stderr)
    check_refused(run("mpq", "follow", "-", stdin=subprocess.DEVNULL), "cannot be followed")


def test_the_memory_that_standard_input_takes():
    """A large file is stored, and not held."""
    rows = 2_000_000
    write("large.parquet", [("x", pa.int64(), list(range(rows)))])
    process = subprocess.Popen(command("mpq", "head", "-n", "1", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(pathlib.Path("large.parquet").read_bytes())
    process.stdin.flush()
    wait_until_idle(process)
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    out, _ = process.communicate(timeout=SECONDS)
    check_equal((process.returncode, out.split()), (0, [b"x", b"0"]))
    kilobytes = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])
    check(kilobytes < 8192, f"{kilobytes} KB for {os.path.getsize('large.parquet')} bytes")


def test_a_file_without_columns():
    pa.parquet.write_table(pa.table({}), "none.parquet")
    for words in (["head"], ["cat"], ["cat", "--json"], ["head", "--csv"]):
        result = check_ok(run("mpq", *words, "none.parquet"))
        check_equal((result.stdout, result.stderr), ("", ""), words)
    for words in (["info"], ["schema"]):
        check_ok(run("mpq", *words, "none.parquet"))
    check_refused(run("mpq", "follow", "none.parquet"), "none.parquet has no columns")


def test_columns_by_the_rules_of_csv():
    names = ["a,b", 'c"d', "e", " f", ""]
    write("in.parquet", [(name, pa.int32(), [i]) for i, name in enumerate(names)])

    def header(*arguments):
        return next(csv.reader(io.StringIO(cat("in.parquet", *arguments))))

    check_equal(header("--columns", '"a,b"'), ["a,b"])
    check_equal(header("--columns", 'e,"a,b"," f"'), ["e", "a,b", " f"])
    check_equal(header("--columns", '"c""d",e'), ['c"d', "e"])
    check_equal(header("--columns", "a,b"), ["a,b"])
    check_equal(header("--columns", 'c"d,e'), ['c"d', "e"])
    check_refused(run("mpq", "cat", "in.parquet", "--columns", '"a,b",x'), "no column x")


def test_columns_of_one_name():
    write("in.parquet", [(name, pa.int32(), [i]) for i, name in enumerate(["a", "b", "a", "a", "a_1"])])
    result = check_ok(run("mpq", "cat", "--json", "in.parquet"))
    check_equal(result.stdout, '{"a":0,"b":1,"a_2":2,"a_3":3,"a_1":4}\n')
    check("called a" in result.stderr and "a_2" in result.stderr, result.stderr)
    check_equal(cat("in.parquet"), "a,b,a,a,a_1\n0,1,2,3,4\n")


def test_counts_and_commands_that_are_wrong():
    make("a.parquet", 3)
    for count in ("-1", "1e3", "many", "99999999999999999999", "1.5"):
        result = run("mpq", "head", "-n", count, "a.parquet")
        check_refused(result, "-n", count, "whole number")
        check(len(result.stderr) < 200, result.stderr)
    check_refused(run("mpq", "inf", "a.parquet"), "inf: there is no such command", "info, plot, schema, head")
    for program in ("mpq", "csv_log", "host_log"):
        words = check_ok(run(program, "--version")).stdout.split()
        check(words[0] == program and words[1].count(".") == 2, words)


def killed_log(path, rows):
    """A log that was killed: its records know rows that its last footer does not."""
    process = subprocess.Popen(command("csv_log", "--encoding", "plain", "-", path, "--rows-per-group", "100", "--type", "few=int64"),
                               stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    process.stdin.write((HEADER + "".join(map(line, range(rows)))).encode())
    process.stdin.flush()
    wait_until_idle(process)
    process.kill()
    process.communicate(timeout=SECONDS)


def test_rows_after_the_last_footer():
    killed_log("torn.parquet", 5000)
    seen = len(cat("torn.parquet").splitlines()) - 1
    shutil.copy("torn.parquet", "mended.parquet")
    run("mpq", "recover", "mended.parquet")
    behind = len(cat("mended.parquet").splitlines()) - 1 - seen
    check(behind > 0, "nothing follows the footer")
    said = f"{behind:,} rows more after the last footer: `mpq recover` adds them"
    for words in (["head"], ["cat"], ["cat", "--json"], ["head", "--json"]):
        result = check_ok(run("mpq", *words, "torn.parquet"))
        check_equal(result.stderr, f"mpq: torn.parquet: {said}\n")
        check("behind" not in result.stdout, words)
    check(f"\n              {said}\n" in check_ok(run("mpq", "info", "torn.parquet")).stdout, "info")
    for words in (["head"], ["cat"], ["info"]):
        result = check_ok(run("mpq", *words, "mended.parquet"))
        check("behind" not in result.stdout + result.stderr, result)
