"""csv_log on files in Latin-1, and on files with several tables one below the other."""
import pathlib
import shlex

from harness import check, check_equal, check_ok, check_refused, run


def pasted(result, number=0, out="pasted.parquet"):
    """What a line of advice makes of the file: rows as CSV."""
    tries = [shlex.split(line) for line in result.stderr.splitlines() if line.startswith("try: csv_log ")]
    words = [word for word in tries[number][2:-1] if word != "--overwrite"]
    check_ok(run("csv_log", *words, "--overwrite", out))
    return cat(out)


def cat(path):
    return check_ok(run("mpq", "cat", path)).stdout


def test_a_narrow_table_above_a_wide_one():
    for rows, between in ((20, ""), (200, "\n"), (5, "")):
        text = "time,a\n" + "".join(f"{i},{i}\n" for i in range(20)) + between + "time,b,c\n" + "".join(f"{i},{i},{i}\n" for i in range(rows))
        pathlib.Path("in.csv").write_text(text, encoding="utf-8")
        check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite"))
        check_equal([len(cat(name).splitlines()) for name in ("out.parquet", "out-2.parquet")], [21, rows + 1], rows)
        pathlib.Path("out-2.parquet").unlink()


def test_latin1():
    """Names, units and texts, with the characters that only Windows has; a line that is UTF-8 stays as it is."""
    lines = ["t_ms,Temp \u00b0C,note", "0,20.5,gr\u00fcn", "10,20.6,5 \u20ac", "20,20.7,\u201ca\u201d"]
    text = "\n".join(lines).encode("cp1252") + "\n30,20.8,\u00e4\n".encode()
    pathlib.Path("in.csv").write_bytes(text)
    refused = run("csv_log", "in.csv", "out.parquet")
    check_refused(refused, "in.csv:1: the header is not UTF-8")
    check(not pathlib.Path("out.parquet").exists(), "nothing is written")
    check_equal(pasted(refused).splitlines(), [*lines[:3], '20,20.7,\u201ca\u201d', "30,20.8,\u00e4"])
    head, _, rest = text.partition(b"\n")
    pathlib.Path("in.csv").write_bytes(b"t_ms,temp,note\n" + rest)
    refused = run("csv_log", "in.csv", "out.parquet")
    check_refused(refused, 'in.csv:2: column "note": not UTF-8', "--type note=binary")
    check_equal(pasted(refused).splitlines()[1:], cat("pasted.parquet").splitlines()[1:])
    check("gr\u00fcn" in cat("pasted.parquet"), head)
    with open("in.csv", "rb") as piped_in:
        piped = check_ok(run("csv_log", "-", "piped.parquet", stdin=piped_in))
    check('standard input:2: column "note": not UTF-8; if it is Latin-1, give --charset latin1' in piped.stderr, piped.stderr)


def test_latin1_and_other_questions_at_once():
    pathlib.Path("in.csv").write_bytes("day,v,note\n01/02/2024,1,\u00fc\n01/03/2024,2,x\n01/04/2024,3,x\n01/05/2024,l\u00e4uft,x\n".encode("latin1"))
    refused = run("csv_log", "in.csv", "out.parquet")
    check_equal(pasted(refused, 0).splitlines()[-1], "2024-05-01,,x")
    check_equal(pasted(refused, 1).splitlines()[-1], "2024-01-05,,x")


def write(*tables, between=""):
    """A file of tables, each a head and its rows."""
    pathlib.Path("in.csv").write_text(between.join("".join(line + "\n" for line in [head, *rows]) for head, rows in tables), encoding="utf-8")


AIR = ("time,temp,hum", [f"2024-01-01T00:00:{i:02},{20 + i / 10},{40 + i}" for i in range(50)])
FIX = ("time,lat,lon,alt", [f"2024-01-01T01:00:{i:02},{47 + i / 1000:.3f},{8 + i / 1000:.3f},{400 + i}" for i in range(40)])
POWER = ("time,volt,amp", [f"2024-01-01T02:00:{i:02},{3 + i / 10},{i}" for i in range(30)])


def test_each_table_has_a_file():
    """Also one that is as wide as the first; with lines in front of its names; and one at the end that is short."""
    events = ("t_ms,event", [f"{i},start" for i in range(3)])
    for between in ("", "\n", "\n\nNext part\n"):
        write(AIR, FIX, POWER, events, between=between)
        result = check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite"))
        for number, (head, rows) in enumerate((AIR, FIX, POWER, events), 1):
            found = cat("out.parquet" if number == 1 else f"out-{number}.parquet").splitlines()
            check_equal((found[0], len(found) - 1, found[-1].split(",")[0]), (head, len(rows), rows[-1].split(",")[0]), f"table {number}")
        line = pathlib.Path("in.csv").read_text(encoding="utf-8").splitlines().index(FIX[0]) + 1
        check(f"in.csv:{line}: another table begins here: time, lat, lon, alt; it goes to out-2.parquet" in result.stderr, result.stderr)


def test_one_table_by_option():
    write(AIR, FIX)
    asked = run("csv_log", "in.csv", "-")
    check_equal(asked.returncode, 1)
    check_equal(pasted(asked, 1).splitlines()[0], FIX[0])
    check_ok(run("csv_log", "--table", "1", "in.csv", "one.parquet"))
    check_equal(len(cat("one.parquet").splitlines()), 51)
    check(not pathlib.Path("one-2.parquet").exists())
    check_refused(run("csv_log", "--table", "3", "in.csv", "three.parquet"), "it has 2 tables")
    pathlib.Path("out-2.parquet").write_text("kept", encoding="utf-8")
    check_refused(run("csv_log", "in.csv", "out.parquet"), "out-2.parquet exists")
    check(not pathlib.Path("out.parquet").exists(), "nothing is written")


def test_a_table_whose_lines_ask():
    """A line that is no row in the second table: the advice is for that table."""
    write(AIR, (FIX[0], [*FIX[1][:20], "2024-01-01T01:00:20,47.020", *FIX[1][20:]]))
    stopped = run("csv_log", "in.csv", "out.parquet")
    check_equal(stopped.returncode, 1)
    check_equal(len(cat("out.parquet").splitlines()), 51)
    tries = [line for line in stopped.stderr.splitlines() if line.startswith("try:")]
    check_equal(tries, ["try: csv_log --table 2 --bad-lines skip --overwrite in.csv out-2.parquet"])
    check_equal(len(pasted(stopped).splitlines()), 41)


def test_what_is_no_table():
    """A header that lost a character, the header again, and marks between rows."""
    for line in ("tim,temp,hum", "MARK 1", "note,the door was open", "1,2,3,4,5"):
        write((AIR[0], [*AIR[1][:25], line, *AIR[1][25:]]))
        stopped = run("csv_log", "in.csv", "out.parquet", "--overwrite")
        check("another table" not in stopped.stderr, line, stopped.stderr)
        check_equal(len(pasted(stopped).splitlines()), 51, line)
    write(AIR, AIR)
    check_ok(run("csv_log", "in.csv", "out.parquet", "--overwrite"))
    check_equal(len(cat("out.parquet").splitlines()), 101)
