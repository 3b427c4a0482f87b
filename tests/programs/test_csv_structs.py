"""csv_log --structs: columns with dots in their names are members of structs."""
import pathlib
import subprocess

import duckdb
import pyarrow
from harness import SECONDS, check, check_equal, check_file, check_ok, check_refused, command, read, run

NAMES = ["time", "fix.lat", "temp", "fix.lon", "fix.sats.used", "No.", "fix.sats.seen"]
TOGETHER = ["time", "fix.lat", "fix.lon", "fix.sats.used", "fix.sats.seen", "temp", "No."]


def cells(i):
    seen = "" if i % 3 == 0 else str(i + 7)
    return [f"2024-05-01 00:00:{i % 60:02}", f"{i / 8}", f"{i / 4}", f"{-i / 8}", str(i), f"n{i}", seen]


def write_csv(path, rows, names=None):
    lines = [",".join(names or NAMES)] + [",".join(cells(i)) for i in rows]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def row(i):
    return {"lat": i / 8, "lon": -i / 8, "sats": {"used": i, "seen": None if i % 3 == 0 else i + 7}}


def check_rows(path, count):
    table = read(path)
    check_equal(table.column_names, ["time", "fix", "temp", "No."])
    check_equal(table["fix"].to_pylist(), [row(i) for i in range(count)])
    check_equal(table["temp"].to_pylist(), [i / 4 for i in range(count)])
    check_equal(table["No."].to_pylist(), [f"n{i}" for i in range(count)])
    check(not table.schema.field("fix").nullable, "the struct may be missing")
    found = duckdb.sql(f"select fix.lat, fix.sats.seen from '{path}'").fetchall()
    check_equal(found, [(i / 8, row(i)["sats"]["seen"]) for i in range(count)])


def test_members_of_structs():
    write_csv("in.csv", range(700))
    for options in ([], ["--encoding", "plain"], ["--compatible"], ["--page-index"], ["--codec", "zstd"]):
        check_ok(run("csv_log", "in.csv", "out.parquet", "--structs", "--overwrite", *options))
        check_rows("out.parquet", 700)
        check_file("out.parquet")
    with open("out.parquet", "wb") as printed:
        subprocess.run(command("csv_log", "in.csv", "-", "--structs"), stdout=printed, timeout=SECONDS, check=True)
    check_rows("out.parquet", 700)


def test_cat_gives_the_columns_back():
    write_csv("in.csv", range(40))
    check_ok(run("csv_log", "in.csv", "out.parquet", "--structs"))
    printed = run("mpq", "cat", "--csv", "out.parquet")
    check_ok(printed)
    lines = printed.stdout.splitlines()
    check_equal(lines[0], ",".join(TOGETHER))
    pathlib.Path("again.csv").write_text(printed.stdout)
    check_ok(run("csv_log", "again.csv", "again.parquet", "--structs"))
    check(read("again.parquet").equals(read("out.parquet")), "the rows are others")


def test_rows_are_added():
    write_csv("in.csv", range(300))
    check_ok(run("csv_log", "in.csv", "out.parquet", "--structs", "--append"))
    write_csv("in.csv", range(300, 500))
    check_ok(run("csv_log", "in.csv", "out.parquet", "--structs", "--append"))
    write_csv("in.csv", range(500, 600))
    check_ok(run("csv_log", "in.csv", "out.parquet", "--append"))  # the file decides
    check_rows("out.parquet", 600)
    write_csv("in.csv", range(10))
    check_ok(run("csv_log", "in.csv", "flat.parquet"))
    write_csv("in.csv", range(10, 20))
    check_ok(run("csv_log", "in.csv", "flat.parquet", "--append", "--structs"))
    check_equal(read("flat.parquet").column_names, NAMES)


def test_types_of_members():
    write_csv("in.csv", range(20))
    check_ok(run("csv_log", "in.csv", "out.parquet", "--structs", "--type", "fix.sats.used=int16", "--type", "fix.lat=float"))
    fix = read("out.parquet").schema.field("fix").type
    check_equal(fix.field("lat").type, pyarrow.float32())
    check_equal(fix.field("sats").type.field("used").type, pyarrow.int16())
    explained = run("csv_log", "in.csv", "--structs", "--explain")
    check_ok(explained)
    check("fix.sats.seen" in explained.stdout, explained.stdout)


def test_a_column_and_a_struct_of_one_name():
    write_csv("in.csv", range(3), ["time", "fix.lat", "fix", "a", "b", "c", "d"])
    check_refused(run("csv_log", "in.csv", "out.parquet", "--structs"), "fix", "fix.lat", "leave out --structs")
    check(not pathlib.Path("out.parquet").exists(), "a file was begun")
    check_ok(run("csv_log", "in.csv", "out.parquet", "--structs", "--columns", "time,fix.lat"))
    check_equal(read("out.parquet")["fix"].to_pylist(), [{"lat": i / 8} for i in range(3)])
    write_csv("in.csv", range(3), ["a.b.c", "a.b", "time", "d", "e", "f", "g"])
    check_refused(run("csv_log", "in.csv", "out.parquet", "--structs", "--overwrite"), "a.b", "a.b.c")


def test_names_that_are_too_deep_or_too_long():
    deep = ".".join("abcdefghijklmno")
    write_csv("in.csv", range(3), [deep, "b", "c", "d", "e", "f", "g"])
    check_refused(run("csv_log", "in.csv", "out.parquet", "--structs"), "14 names")
    write_csv("in.csv", range(3), [deep[2:], "a" * 200, "c", "d", "e", ".f", "g..h"])
    check_ok(run("csv_log", "in.csv", "out.parquet", "--structs"))
    check_equal(read("out.parquet").column_names, ["b", "a" * 200, "c", "d", "e", ".f", "g..h"])
    write_csv("in.csv", range(3), ["a." + "b" * 128, "b", "c", "d", "e", "f", "g"])
    check_refused(run("csv_log", "in.csv", "out.parquet", "--structs", "--overwrite"), "127 bytes")
