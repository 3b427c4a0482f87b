"""mpq on files of other writers and of our own: every type printed exactly."""
import csv
import datetime
import decimal
import io
import json
import math
import os
import pathlib
import pty
import re
import struct
import subprocess
import unicodedata
import uuid

import pyarrow as pa
import pyarrow.parquet
from harness import SECONDS, check, check_equal, check_ok, check_refused, command, data_file, run

UTC = datetime.timezone.utc


def write(columns, path="in.parquet", **options):
    """A PLAIN file by pyarrow."""
    arrays = {name: pa.array(values, kind) for name, (kind, values) in columns.items()}
    pa.parquet.write_table(pa.table(arrays), path, compression="none", use_dictionary=False, store_schema=False,
                           **options)


def cat_csv(path="in.parquet", *arguments):
    text = check_ok(run("mpq", "cat", *arguments, path)).stdout
    return list(csv.reader(io.StringIO(text, newline="")))


def cat_json(path="in.parquet", *arguments):
    return [json.loads(line) for line in check_ok(run("mpq", "cat", "--json", *arguments, path)).stdout.splitlines()]


def check_column(kind, values, as_csv, as_json, **options):
    write({"x": (kind, values)}, **options)
    check_equal([row[0] if row else "" for row in cat_csv()[1:]], as_csv, f"{kind} as CSV")
    check_equal([row["x"] for row in cat_json()], as_json, f"{kind} as JSON")


def test_integers_and_booleans():
    for kind, values in [(pa.int8(), [-128, 127]), (pa.uint8(), [0, 255]), (pa.int16(), [-2**15]),
                         (pa.uint16(), [2**16 - 1]), (pa.int32(), [-2**31, None]), (pa.uint32(), [2**32 - 1]),
                         (pa.int64(), [-2**63, 2**63 - 1]), (pa.uint64(), [2**64 - 1])]:
        texts = ["" if value is None else str(value) for value in values]
        check_column(kind, values, texts, values)
    check_column(pa.bool_(), [True, False, None], ["true", "false", ""], [True, False, None])


def test_floating_point_reads_back_the_same():
    doubles = [0.1, 1e300, 5e-324, 1.7976931348623157e308, -0.0, 123456789.123456789, 1 / 3, 1e22, 100.0, None]
    write({"x": (pa.float64(), doubles)})
    for found in ([float(row[0]) if row else None for row in cat_csv()[1:]], [row["x"] for row in cat_json()]):
        bits = [None if value is None else struct.pack("<d", value) for value in found]
        check_equal(bits, [None if value is None else struct.pack("<d", value) for value in doubles])
    floats = [struct.unpack("<f", struct.pack("<I", bits))[0] for bits in (1, 0x3DCCCCCD, 0x7F7FFFFF, 0x80000000)]
    write({"x": (pa.float32(), floats)})
    check_equal([struct.pack("<f", float(row[0])) for row in cat_csv()[1:]], [struct.pack("<f", x) for x in floats])
    check_equal(cat_csv()[2][0], "0.1", "the shortest form of a float")


def test_not_a_number_and_infinities():
    write({"x": (pa.float64(), [math.nan, math.inf, -math.inf])})
    check_equal([row[0] for row in cat_csv()[1:]], ["nan", "inf", "-inf"])
    check_equal([row["x"] for row in cat_json()], ["nan", "inf", "-inf"])


def test_half_precision():
    import numpy
    values = numpy.array([1.5, -0.0, 65504, 6e-8, numpy.inf], numpy.float16)
    write({"x": (pa.float16(), values)})
    found = numpy.array([row[0] for row in cat_csv()[1:]]).astype(numpy.float64).astype(numpy.float16)
    check_equal(found.tobytes(), values.tobytes())


def test_timestamps():
    instants = [datetime.datetime(2024, 2, 29, 23, 59, 59, 999000, tzinfo=UTC),
                datetime.datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), datetime.datetime(1, 1, 1, tzinfo=UTC)]
    check_column(pa.timestamp("ms", "UTC"), instants,
                 ["2024-02-29T23:59:59.999Z", "1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z"],
                 ["2024-02-29T23:59:59.999Z", "1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])
    check_column(pa.timestamp("us"), [datetime.datetime(1900, 3, 1, 0, 0, 0, 1)], ["1900-03-01T00:00:00.000001"],
                 ["1900-03-01T00:00:00.000001"])
    check_column(pa.timestamp("ns"), [1, -1], ["1970-01-01T00:00:00.000000001", "1969-12-31T23:59:59.999999999"],
                 ["1970-01-01T00:00:00.000000001", "1969-12-31T23:59:59.999999999"])


def test_all_days_of_400_years():
    days = list(range(-200_000, 150_000, 7))
    epoch = datetime.date(1970, 1, 1)
    texts = [str(epoch + datetime.timedelta(day)) for day in days]
    check_column(pa.date32(), days, texts, texts)


def test_timestamps_at_the_ends_of_their_range():
    texts = ["-290308-12-21T19:59:05.224192Z", "+294247-01-10T04:00:54.775807Z"]
    check_column(pa.timestamp("us", "UTC"), [-2**63, 2**63 - 1], texts, texts)


def test_times():
    check_column(pa.time32("ms"), [datetime.time(23, 59, 59, 1000)], ["23:59:59.001"], ["23:59:59.001"])
    check_column(pa.time64("us"), [datetime.time(0, 0, 0, 1)], ["00:00:00.000001"], ["00:00:00.000001"])
    check_column(pa.time64("ns"), [86_399_999_999_999], ["23:59:59.999999999"], ["23:59:59.999999999"])


def test_decimals():
    texts = ["123.45", "-0.01", "0.00", "-999.99"]
    for kind in (pa.decimal128(5, 2), pa.decimal128(18, 2), pa.decimal128(38, 2), pa.decimal256(60, 2)):
        check_column(kind, [decimal.Decimal(text) for text in texts], texts, texts)
    for options in ({"store_decimal_as_integer": True},):
        check_column(pa.decimal128(5, 2), [decimal.Decimal(text) for text in texts], texts, texts, **options)
    huge = "-99999999999999999999999999999999999999"
    check_column(pa.decimal128(38, 0), [decimal.Decimal(huge)], [huge], [huge])


def test_text_in_csv():
    texts = ["plain", "comma,", 'quo"te', "two\nlines", "", None, " space", "na\u00efve \U0001F600"]
    write({"x": (pa.string(), texts), "a,\"b": (pa.int32(), list(range(8)))})
    rows = cat_csv()
    check_equal(rows[0], ["x", 'a,"b'])
    check_equal([row[0] for row in rows[1:]], [text or "" for text in texts])
    raw = check_ok(run("mpq", "cat", "in.parquet")).stdout
    check('\n"",4\n' in raw and "\n,5\n" in raw, "empty text and null look alike", raw)
    check_equal([row["x"] for row in cat_json()], texts)


def test_bytes():
    check_column(pa.binary(), [b"\x00\xffA", b""], ["00ff41", ""], ["00ff41", ""])
    check_column(pa.binary(3), [b"\x01\x02\x03"], ["010203"], ["010203"])
    number = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
    check_column(pa.uuid(), [number.bytes], [str(number)], [str(number)])


def test_json_is_utf8_whatever_the_text():
    write({"x": (pa.binary(), [b"ok", b"\xff\xfe bad", b"\xed\xa0\x80"])})
    data = pathlib.Path("in.parquet").read_bytes()
    check_equal(cat_json()[0]["x"], "6f6b")
    pathlib.Path("in.csv").write_bytes(b"t\nab\ncd\n")
    check_ok(run("csv_log", "--encoding", "plain", "in.csv", "text.parquet"))
    data = pathlib.Path("text.parquet").read_bytes()
    pathlib.Path("text.parquet").write_bytes(data.replace(b"\x02\0\0\0ab", b"\x02\0\0\0a\xff"))
    result = run("mpq", "cat", "--json", "text.parquet")
    check(result.returncode in (0, 1), result.stderr)  # the checksum of the page is wrong now
    check_refused(result, "text.parquet", "damaged")


def test_values_longer_than_the_buffers():
    texts = ["x" * 10, "y" * 3_000_000, None, "z" * 700_000, "end"]
    write({"n": (pa.int64(), list(range(5))), "x": (pa.string(), texts)}, row_group_size=2, write_page_checksum=True)
    rows = cat_json()
    check_equal([row["n"] for row in rows], list(range(5)))
    check([row["x"] for row in rows] == texts, "long texts differ")


def test_columns():
    check_ok(run("csv_log", "--encoding", "plain", data_file("weather.csv"), "w.parquet"))
    rows = cat_csv("w.parquet", "--columns", "temp,origin")
    check_equal(rows[0], ["temp", "origin"])
    check_equal(rows[1][1], "EWR")
    check_equal(cat_csv("w.parquet", "--columns", "origin", "--columns", "day")[0], ["origin", "day"])
    check_refused(run("mpq", "cat", "w.parquet", "--columns", "temp,heat"), "w.parquet", "no column heat", "wind_gust")
    check_refused(run("mpq", "cat", "w.parquet", "--columns", "temp,temp"), "temp twice")
    write({"a,b": (pa.int32(), [1]), "a": (pa.int32(), [2])})
    check_equal(cat_csv("in.parquet", "--columns", "a,b"), [["a,b"], ["1"]])


def test_head():
    check_ok(run("csv_log", "--encoding", "plain", data_file("weather.csv"), "w.parquet"))
    lines = check_ok(run("mpq", "head", "-n", "3", "w.parquet")).stdout.splitlines()
    check_equal(len(lines), 4)
    check(lines[0].startswith("origin  year  month"), lines[0])
    check(len({line.index("  2013-01-0") for line in lines[1:]} | {lines[0].index("  time_hour")}) == 1,
          "the columns are not aligned", *lines)
    check_equal(len(check_ok(run("mpq", "head", "w.parquet")).stdout.splitlines()), 11)
    check_equal(len(cat_json("w.parquet")), 2008)
    result = check_ok(run("mpq", "head", "-n", "2", "--json", "w.parquet"))
    check_equal([json.loads(line)["origin"] for line in result.stdout.splitlines()], ["EWR", "EWR"])
    check_refused(run("mpq", "head", "-n", "-1", "w.parquet"), "-n")


def test_skip_and_tail():
    check_ok(run("csv_log", "--encoding", "plain", data_file("weather.csv"), "w.parquet"))
    rows = cat_json("w.parquet")

    def printed(*arguments):
        return [json.loads(line) for line in check_ok(run("mpq", *arguments, "--json", "w.parquet")).stdout.splitlines()]

    check_equal(len(rows), 2008)
    for skipped in (0, 1, 777, 2006, 2008, 10**18):
        check_equal(printed("head", "-n", "3", "--skip", skipped), rows[skipped:skipped + 3], skipped)
    for wanted in (0, 1, 10, 1500, 2008, 10**18):
        check_equal(printed("tail", "-n", wanted), rows[len(rows) - min(wanted, len(rows)):], wanted)
    check_equal(printed("tail"), rows[-10:])
    check_refused(run("mpq", "tail", "--skip", "1", "w.parquet"), "--skip")
    # Rows of several row groups and pages, with nulls, of another writer.
    table = pa.table({"a": pa.array([None if i % 7 == 0 else i for i in range(5000)], pa.int64()),
                      "b": pa.array([str(i % 50) for i in range(5000)])})
    pa.parquet.write_table(table, "w.parquet", row_group_size=1700, data_page_size=512, compression="snappy")
    rows = table.to_pylist()
    for skipped in (0, 1699, 1700, 3399, 4321, 4999):
        check_equal(printed("head", "-n", "2", "--skip", skipped), rows[skipped:skipped + 2], skipped)
    check_equal(printed("tail", "-n", "3000"), rows[2000:])


def lines_in_a_terminal(columns, *arguments):
    ours, theirs = pty.openpty()
    import fcntl
    import termios
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    subprocess.run(command(*arguments), stdout=theirs, check=True, timeout=SECONDS)
    os.close(theirs)
    text = b""
    try:
        while piece := os.read(ours, 4096):
            text += piece
    except OSError:
        pass
    os.close(ours)
    return text.decode().splitlines()


def test_head_fits_the_terminal():
    check_ok(run("csv_log", "--encoding", "plain", data_file("weather.csv"), "w.parquet"))
    lines = lines_in_a_terminal(60, "mpq", "head", "w.parquet")
    check(max(map(len, lines)) <= 60, *lines)
    check("more columns" in lines[-1], lines[-1])


def test_info_fits_the_terminal():
    check_ok(run("csv_log", "--encoding", "plain", data_file("weather.csv"), "w.parquet", "--kv", "note=" + "x" * 90, "--kv", "long=" + "y" * 900))
    lines = lines_in_a_terminal(80, "mpq", "info", "w.parquet")
    check(max(map(len, lines)) <= 80, *lines)
    check("wider terminal" in lines[-1], lines[-1])
    check_equal([line.split()[-2:] for line in lines if "yyy..." in line], [["(900", "bytes)"]])
    whole = check_ok(run("mpq", "info", "w.parquet")).stdout.splitlines()
    check_equal(lines_in_a_terminal(200, "mpq", "info", "w.parquet"), whole)


def columns_of(text):
    """Columns that text takes on a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def test_tables_fit_any_terminal():
    write({"\u540d\u524d": (pa.string(), ["\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8" * 6, "\u77ed\u3044", None]),
           "a_name_that_is_longer_than_a_narrow_terminal_is_wide": (pa.float64(), [1, 2, None])})
    table = pa.parquet.read_table("in.parquet").replace_schema_metadata({"a_key_that_is_rather_long": "v" * 300, "k": "v"})
    pa.parquet.write_table(table.select([1, 0]), "other.parquet", compression="none", use_dictionary=False)
    for columns in (40, 80, 200):
        for words in (["head", "in.parquet"], ["head", "other.parquet"], ["info", "in.parquet"], ["info", "other.parquet"]):
            lines = lines_in_a_terminal(columns, "mpq", *words)
            lines = [line for line in lines if "created by" not in line and "more" not in line]
            check(max(map(columns_of, lines)) <= columns, columns, *lines)


def test_control_characters_do_not_reach_the_terminal():
    """Nor those of eight bits, which begin escape sequences as well."""
    evil = "\x1b[31mred\x07\x9b2Jclear\x7f\u202e"
    write({"x": (pa.string(), [evil]), evil: (pa.string(), ["two\nlines"])})
    for words in (["head"], ["cat"], ["info"], ["schema"], ["follow", "--rows", "1"], ["head", "--csv"], ["cat", "--json"]):
        text = "\n".join(lines_in_a_terminal(200, "mpq", *words, "in.parquet"))
        check("red" in text, words, text)
        check(not [c for c in text if ord(c) < 32 and c not in "\n\t" or 127 <= ord(c) < 160], words, repr(text))
    os.rename("in.parquet", "\x1b[2Jin.parquet")
    for words in (["cat", "\x1b[2Jin.parquet", "--columns", "\x1b[2J"], ["cat", "\x1b[2Jnone.parquet"], ["\x1b[2J"]):
        error = run("mpq", *words).stderr
        check("\x1b" not in error and "?[2J" in error, repr(error))
    os.rename("\x1b[2Jin.parquet", "in.parquet")
    check_equal(cat_csv()[1], [evil, "two\nlines"], "in a pipe it is as it was")
    check_equal(cat_json(), [{"x": evil, evil: "two\nlines"}])


def info_columns(path):
    """The lines of mpq info about columns, as {name: line}."""
    text = check_ok(run("mpq", "info", path)).stdout
    lines = text[text.index("\n  column "):].strip("\n").splitlines()
    return text, {line.split()[0]: line for line in lines[1:]}


def test_info_of_our_file():
    check_ok(run("csv_log", "--encoding", "plain", data_file("weather.csv"), "w.parquet", "--kv", "site=roof", "--rows-per-group", "300"))
    text, columns = info_columns("w.parquet")
    for part in ("rows        2,008", "row groups  7", f"size        {os.path.getsize('w.parquet'):,} bytes",
                 "created by  microparquet version", "site  roof"):
        check(part in text, part, text)
    table = pa.parquet.read_table("w.parquet")
    for name in ("temp", "year", "wind_dir"):
        values = [value for value in table[name].to_pylist() if value is not None]
        _, _, nulls, smallest, largest, *_ = columns[name].split()
        check_equal((float(smallest), float(largest)), (min(values), max(values)), name)
        check_equal(int(nulls.replace(",", "")), table[name].null_count, f"{name}: nulls")
    check(columns["origin"].split()[3:5] == ["EWR", "LGA"], columns["origin"])
    check("timestamp[us, UTC]" in columns["time_hour"] and "PLAIN" in columns["time_hour"], columns["time_hour"])
    chunks = pa.parquet.read_metadata("w.parquet")
    total = sum(chunks.row_group(i).column(0).total_compressed_size for i in range(chunks.num_row_groups))
    check(columns["origin"].endswith(f" {total:,}"), total, columns["origin"])


def test_info_orders_bounds_as_their_type_does():
    write({"u": (pa.uint32(), [2**32 - 1, 1, 5, 3]), "i": (pa.int32(), [-1, 5, -7, 2]),
           "d": (pa.decimal128(30, 1), [decimal.Decimal(text) for text in ("-5.5", "3.0", "100.0", "-0.1")]),
           "s": (pa.string(), ["b", "\u00e9", "a", "Z"]), "f": (pa.float64(), [math.nan, -2.5, 0.0, 1e10])},
          row_group_size=1)
    _, columns = info_columns("in.parquet")
    bounds = {name: re.search(r" 0  (\S+) +(\S+)", line).groups() for name, line in columns.items()}
    check_equal({name: list(both) for name, both in bounds.items()},
                {"u": ["1", "4294967295"], "i": ["-7", "5"], "d": ["-5.5", "100.0"], "s": ["Z", "\u00e9"],
                 "f": ["-", "-"]})  # a row group of nothing but NaN tells no bounds


def test_schema():
    write({"t": (pa.timestamp("us", "UTC"), [0]), "n": (pa.int8(), [1]), "d": (pa.decimal128(9, 2), [1]),
           "s": (pa.string(), ["x"]), "b": (pa.binary(4), [b"abcd"])})
    check_equal(check_ok(run("mpq", "schema", "in.parquet")).stdout.splitlines(),
                ["message schema {",
                 "  optional int64 t (TIMESTAMP(MICROS,true));",
                 "  optional int32 n (INTEGER(8,true));",
                 "  optional fixed_len_byte_array(4) d (DECIMAL(9,2));",
                 "  optional binary s (STRING);",
                 "  optional fixed_len_byte_array(4) b;",
                 "}"])


def test_nested_files():
    table = pa.table({"g": [{"x": 1, "y": {"z": "deep"}}, None], "l": [[1, 2], []], "p": [5, 6]})
    pa.parquet.write_table(table, "in.parquet", compression="none", use_dictionary=False)
    text = check_ok(run("mpq", "schema", "in.parquet")).stdout
    check("  optional group g {\n    optional int64 x;\n    optional group y {\n      optional binary z (STRING);" in text,
          text)
    check_equal(cat_csv("in.parquet", "--columns", "g.y.z,p"), [["g.y.z", "p"], ["deep", "5"], ["", "6"]])
    check_refused(run("mpq", "cat", "in.parquet"), "in.parquet", "l.list.element", "--columns")
    check_ok(run("mpq", "info", "in.parquet"))


def test_cat_into_head():
    check_ok(run("csv_log", "--encoding", "plain", data_file("weather.csv"), "w.parquet"))
    cat = " ".join(command("mpq", "cat", "w.parquet"))
    result = subprocess.run(f"{cat} | head -n 1", shell=True, capture_output=True, text=True, timeout=SECONDS, check=False)
    check_equal((result.returncode, result.stderr), (0, ""))
    check(result.stdout.startswith("origin,"), result.stdout)


def test_a_file_of_no_rows():
    pathlib.Path("in.csv").write_text("a,b\n")
    check_ok(run("csv_log", "--encoding", "plain", "in.csv", "out.parquet"))
    check_equal(cat_csv("out.parquet"), [["a", "b"]])
    check_equal(check_ok(run("mpq", "cat", "--json", "out.parquet")).stdout, "")
    check_ok(run("mpq", "info", "out.parquet"))
    check_ok(run("mpq", "head", "out.parquet"))


def test_many_columns():
    names = [f"column_{i}" for i in range(500)]
    write({name: (pa.int64(), [i, None]) for i, name in enumerate(names)})
    check_equal(cat_csv("in.parquet")[:2], [names, [str(i) for i in range(500)]])
    check_ok(run("mpq", "info", "in.parquet"))


def test_dropped_rows_under_both_names():
    """Files of earlier versions call them refused; one that was continued may have both."""
    pathlib.Path("rows.csv").write_text("a\n1\n")
    for keys, said in ((["rows_dropped=1200"], "1,200 rows were dropped before"), (["rows_refused=1"], "1 row was dropped before"),
                       (["rows_refused=5", "rows_dropped=7"], "12 rows were dropped before")):
        options = [word for key in keys for word in ("--kv", key)]
        check_ok(run("csv_log", "--encoding", "plain", "rows.csv", "log.parquet", "--overwrite", *options))
        shown = check_ok(run("mpq", "info", "log.parquet")).stdout
        check(said in shown, shown)
    for key in ("rows_dropped=0", "rows_dropped=many", "rows_lost=3"):
        check_ok(run("csv_log", "--encoding", "plain", "rows.csv", "log.parquet", "--overwrite", "--kv", key))
        shown = check_ok(run("mpq", "info", "log.parquet")).stdout
        check("dropped before" not in shown, shown)


def test_health():
    """The viewer's tests read the same cases."""
    for case in json.loads(data_file("health.json").read_text(encoding="utf-8")):
        pa.parquet.write_table(pa.table({"v": [1]}).replace_schema_metadata({"health": case["value"]}), "log.parquet")
        text = check_ok(run("mpq", "info", "log.parquet", env={"COLUMNS": "80"})).stdout.split("key-values")[0]
        found = [line[14:] for line in text.splitlines() if line.startswith("  health ")]
        check_equal(found, [case["text"]] if case["text"] else [], case["what"])
