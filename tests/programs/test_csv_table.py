"""Tests the table of columns that csv_log prints when it is done."""
import os
import pathlib
import pty
import signal
import subprocess
import time

from harness import SECONDS, check, check_equal, check_ok, command, run, wait_until


def columns_of(text):
    """The lines of the columns, split at two spaces, and how many columns there are said to be."""
    head, _, tail = text.partition("  columns ")
    check(head, "no summary", text)
    number, *lines = tail.splitlines()
    return int(number.strip().replace(",", "")), [[part.strip() for part in line.split("  ") if part] for line in lines]


def said(csv, *arguments, out="out.parquet", name="in.csv"):
    pathlib.Path("in.csv").write_text(csv, encoding="utf-8")
    result = check_ok(run("csv_log", name, out, *(["--overwrite"] if out != "-" else []), *arguments))
    return columns_of(result.stdout)[1]


def test_types():
    check_equal(said("time,n,volts,who,id\n2024-01-01T00:00:00Z,1,0.5,Ann,18446744073709551615\n"),
                [["time", "timestamp_us_utc"], ["n", "int64"], ["volts", "double"], ["who", "string"], ["id", "uint64"]])


def test_types_stand_in_a_column():
    pathlib.Path("in.csv").write_text("\u6e29\u5ea6,n,cafe\u0301\n1,2,x\n", encoding="utf-8")
    lines = check_ok(run("csv_log", "in.csv", "out.parquet")).stdout.splitlines()[-3:]
    check_equal(lines, ["    \u6e29\u5ea6  int64", "    n     int64", "    cafe\u0301  string"])


def test_the_cell_that_made_text():
    rows = [[str(i), "0.5", "2024-01-01", "x"] for i in range(1200)]
    rows[1000][0], rows[700][1], rows[3][2] = "1e400", "+-5", "no"
    table = said("a,b,c,d\n" + "".join(",".join(row) + "\n" for row in rows))
    check_equal(table, [["a", "string", 'because of line 1,002: "1e400"'], ["b", "string", 'because of line 702: "+-5"'],
                        ["c", "string", 'because of line 5: "no"'], ["d", "string"]])


def test_the_first_cell_made_text():
    check_equal(said("a\nwarming up\nwarming up\n1\n2\n"), [["a", "string", 'because of line 2: "warming up"']])
    check_equal(said("a\nOslo\nOslo\nRome\n2\n"), [["a", "string"]], "text from the start")


def test_a_cell_is_short_and_printable():
    table = said("a,b\n1,2\n" + "x" * 100 + ",\x1b[31m\n")
    check_equal(table[0][2], 'because of line 3: "' + "x" * 37 + '..."')
    check_equal(table[1][2], 'because of line 3: "?[31m"')


def test_lines_of_cells_with_line_ends():
    check_equal(said('a,b\n1,"x\ny"\n2,z\n?,z\n')[0], ["a", "string", 'because of line 5: "?"'])


def test_a_column_without_values():
    check_equal(said("a,b\n1,\n2,NA\n"), [["a", "int64"], ["b", "string", "no cell has a value"]])


def test_types_told_need_no_reason():
    check_equal(said("a\n1\nx\n", "--type", "a=string"), [["a", "string"]])


def test_a_file_that_is_added_to():
    said("a\nx\n")
    pathlib.Path("more.csv").write_text("a\n1\ny\n")
    result = check_ok(run("csv_log", "more.csv", "out.parquet", "--append"))
    check_equal(columns_of(result.stdout)[1], [["a", "string"]], "the type is the file's, and no cell's")


def test_many_columns():
    names = [f"c{i}" for i in range(1500)]
    cells = ["1"] * 1000 + ["0.5"] * 500
    bad = [*cells[:1499], "??"]
    pathlib.Path("in.csv").write_text("\n".join(map(",".join, (names, cells, bad))) + "\n")
    number, lines = columns_of(check_ok(run("csv_log", "in.csv", "out.parquet")).stdout)
    check_equal(number, 1500)
    check_equal(lines[:19], [[f"c{i}", "int64"] for i in range(19)])
    check_equal(lines[19:], [["c1499", "string", 'because of line 3: "??"'], ["and 1,480 more: 981 int64, 499 double"]])


def test_it_goes_where_the_summary_goes():
    pathlib.Path("in.csv").write_text("a\n1\n")
    result = run("csv_log", "in.csv", "-", text=False)
    check(result.stdout[:4] == b"PAR1" and b"int64" not in result.stdout, "it is in the file")
    check_equal(columns_of(result.stderr.decode())[1], [["a", "int64"]])


def test_progress_of_the_first_pass():
    with open("in.csv", "w", encoding="ascii") as file:
        file.write("a,b,c\n" + "".join(f"{i},{i}.25,\n" for i in range(1_500_000)) + "1,2,3\n")  # c shows its type at the end
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command("csv_log", "in.csv", "out.parquet"), stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    wait_until(lambda: any(os.path.realpath(link) == os.path.realpath("in.csv")
                           for link in pathlib.Path(f"/proc/{process.pid}/fd").iterdir()), "the first pass")
    process.send_signal(signal.SIGSTOP)
    time.sleep(0.5)  # so that a line is due while there is no output file yet
    check(not os.path.exists("out.parquet"), "the first pass is over")
    process.send_signal(signal.SIGCONT)
    text = b""
    try:
        while piece := os.read(ours, 4096):
            text += piece
    except OSError:
        pass  # the terminal is gone with its last program
    os.close(ours)
    check_equal(process.wait(timeout=SECONDS), 0)
    check(b" %  1 of 2: types of " in text and b" %  2 of 2: " in text and text.endswith(b"\r\x1b[K"), text)
