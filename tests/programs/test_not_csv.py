"""Files that people take for CSV: the message says what they are, and how to make CSV of them."""
import gzip
import io
import lzma
import pathlib
import shlex
import subprocess
import zipfile

from harness import SECONDS, check, check_equal, check_refused, command, read, run

TEXT = "time,temp\n" + "".join(f"{i},{i / 4}\n" for i in range(50))


def refused(data, *parts):
    """The message names the file and its kind; what it advises to do works."""
    pathlib.Path("in.csv").write_bytes(data)
    pathlib.Path("out.parquet").unlink(missing_ok=True)
    result = run("csv_log", "in.csv", "out.parquet")
    check_refused(result, "csv_log: in.csv is ", *parts)
    check("latin1" not in result.stderr, result.stderr)
    check(not pathlib.Path("out.parquet").exists(), "a file is left behind")
    with open("in.csv", "rb") as file:
        check_refused(run("csv_log", "-", "out.parquet", stdin=file), "csv_log: standard input is ", *parts)
    return result.stderr


def advice_works(message):
    words = message.strip().rpartition("on the way: ")[2]
    line = words.replace("csv_log - OUT", shlex.join(command("csv_log", "-", "out.parquet")))
    done = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=SECONDS, check=False)
    check_equal(done.returncode, 0, f"{line}: {done.stderr}")
    check_equal(read("out.parquet").num_rows, 50, "rows")


def test_utf16():
    text = TEXT.replace("temp", "\u00b5V \u20ac \U0001d11e") + "50,NA\n"
    for encoding, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"), ("utf-16-le", b""), ("utf-16-be", b"")):
        data = mark + text.encode(encoding)
        pathlib.Path("in.csv").write_bytes(data)
        check_equal(run("csv_log", "in.csv", "file.parquet", "--overwrite").returncode, 0, encoding)
        with open("in.csv", "rb") as file:
            check_equal(run("csv_log", "-", "pipe.parquet", "--overwrite", stdin=file).returncode, 0, encoding)
        for name in ("file.parquet", "pipe.parquet"):
            table = read(name)
            check_equal(table.column_names, ["time", "\u00b5V \u20ac \U0001d11e"], encoding)
            check_equal(table.column(1).to_pylist(), [*[i / 4 for i in range(50)], None], encoding)


def test_utf16_of_many_pieces():
    rows = "".join(f"{i},{chr(228) * (i % 7)}\n" for i in range(30_000)) + "30000.5,\n"
    pathlib.Path("in.csv").write_bytes(("time,text\n" + rows).encode("utf-16"))
    check_equal(run("csv_log", "in.csv", "out.parquet").returncode, 0)
    table = read("out.parquet")
    check_equal((table.num_rows, table["time"][30_000].as_py(), table["text"][29_998].as_py()), (30_001, 30000.5, chr(228) * 3))
    two = "time,a\n" + "".join(f"{i},{i}\n" for i in range(20)) + "time,b,c\n" + "".join(f"{i},{i},{i}\n" for i in range(20))
    pathlib.Path("two.csv").write_bytes(two.encode("utf-16"))
    run("csv_log", "two.csv", "two.parquet")
    check_equal([read(name).column_names for name in ("two.parquet", "two-2.parquet")], [["time", "a"], ["time", "b", "c"]])
    half = "a,b\n1,x".encode("utf-16-le") + b"\x3d\xd8" + "\n2,y\n".encode("utf-16-le") + b"\x31"
    pathlib.Path("half.csv").write_bytes(b"\xff\xfe" + half)
    check_equal(run("csv_log", "half.csv", "half.parquet").returncode, 0)
    check_equal(read("half.parquet")["b"].to_pylist(), ["x\ufffd", "y"])


def test_compressed():
    advice_works(refused(gzip.compress(TEXT.encode()), "gzip -dc"))
    refused(lzma.compress(TEXT.encode()), "xz -dc")
    refused(b"\x28\xb5\x2f\xfd" + bytes(50), "zstd -dc")


def test_a_spreadsheet():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("sheet.xml", "<sheet/>")
    refused(archive.getvalue(), "spreadsheet", "CSV UTF-8")


def test_json():
    for text in ('{"time": 0, "temp": 1.5}\n{"time": 1, "temp": 1.5}\n', '[{"time": 0}]', '{ "time": [0, 1] }'):
        refused(text.encode(), "JSON", "DuckDB")


def test_names_that_begin_alike_are_csv():
    for header in ("PK,b", "BZh,b", "\u00fe\u00ff,b"):
        pathlib.Path("in.csv").write_text(header + "\n1,2\n", encoding="utf-8")
        check_equal(run("csv_log", "in.csv", "out.parquet", "--overwrite").returncode, 0, header)
