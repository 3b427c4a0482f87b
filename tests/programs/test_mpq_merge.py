"""mpq merge: one file with the rows of many, as pyarrow and DuckDB read them."""
import datetime
import decimal
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import uuid

import duckdb
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet
from harness import (ROOT, check, check_equal, check_ok, check_refused, command, interrupt, key_values, read, run, unpacked, wait_until, wait_until_idle)
from test_full_disk import limit_files_to, small_disk
from test_mpq_files import killed_log

OUT = pathlib.Path("day.parquet")
START = "2026-11-22T00:00:00Z"


def merge(*words, code=0, out=OUT, **options):
    result = run("mpq", "merge", *words, "-o", out, **options)
    check_equal(result.returncode, code, f"exit code, with {result.stderr!r}")
    return result


def merged(*words, **options):
    merge(*words, **options)
    check_ok(run("mpq", "verify", "--strict", OUT))
    return read(OUT)


def refuse(*words, parts, code=2, out=OUT):
    """Nothing is written, and the message has all parts."""
    before = out.read_bytes() if out.is_file() else None
    check_refused(run("mpq", "merge", *words, "-o", out), *parts, code=code)
    check((out.read_bytes() if out.is_file() else None) == before, "the output has changed")
    check(not list(pathlib.Path(".").rglob("*.part")), "a part is left behind")


def write(path, columns, key_values=None, **options):
    """A file of pyarrow."""
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    pathlib.Path(path).parent.mkdir(exist_ok=True, parents=True)
    with pyarrow.parquet.ParquetWriter(path, table.schema, store_schema=False, **options) as file:
        file.write_table(table)
        file.add_key_value_metadata(key_values or {})
    return table


def log(path, rows, first=0, step=20_000, **key_values):
    """A file of a logger."""
    pathlib.Path(path).parent.mkdir(exist_ok=True, parents=True)
    csv = pathlib.Path(f"{path}.csv")
    csv.write_text("time_us,speed,state\n" + "".join(f"{first + i * step},{i * 7919 % 1000 / 8},{'ready' if i % 7 else 'off'}\n" for i in range(rows)))
    words = [word for key, value in key_values.items() for word in ("--kv", f"{key}={value}")]
    check_ok(run("csv_log", csv, path, "--encoding", "plain", "--type", "time_us=int64", "--type", "speed=float", *words))
    csv.unlink()


def day(files=144, rows=50):
    """The files of a card that rolls: in the order of their names they are in no order."""
    for i in range(files):
        log(f"card/{(i * 37) % files:03}.parquet", rows, first=i * rows * 20_000, device_id="6A1B0042", session=f"{7 + i // 100:08}",
            split=f"{i % 100 + 1}", started_at=START, rows_dropped=i % 3)
    return files * rows


def test_a_day():
    rows = day()
    output = merge("card")
    check(f"day.parquet: {rows:,} rows of 144 files in order of session and split, 1 row group" in output.stdout, output.stdout)
    check_equal(output.stderr, "")
    check_ok(run("mpq", "verify", "--strict", OUT))
    table = read(OUT)
    check_equal(table.schema.field("time_us").type, pa.timestamp("us", "UTC"))
    start = datetime.datetime(2026, 11, 22, tzinfo=datetime.timezone.utc)
    check_equal(table["time_us"].to_pylist(), [start + datetime.timedelta(microseconds=i * 20_000) for i in range(rows)])
    check_equal(table["speed"].to_pylist(), [i * 7919 % 1000 / 8 for _ in range(144) for i in range(50)])
    check_equal(table["state"].to_pylist(), ["ready" if i % 7 else "off" for _ in range(144) for i in range(50)])
    metadata = pyarrow.parquet.read_metadata(OUT)
    chunk = metadata.row_group(0).column(1)
    check_equal((chunk.compression, "RLE_DICTIONARY" in chunk.encodings), ("ZSTD", True))
    values = key_values(OUT)
    about = json.loads(values.pop("microparquet.merge"))
    check_equal(values, {"device_id": "6A1B0042", "started_at": START, "rows_dropped": "144"})
    check_equal([file["rows"] for file in about["files"]], [50] * 144)
    check_equal(about["files"][101], {"name": "card/137.parquet", "rows": 50, "key_values": {"session": "00000008", "split": "2"}})
    check("files differ in session, split" in output.stdout, output.stdout)
    check_equal(duckdb.sql(f"SELECT count(*), max(speed) FROM '{OUT}'").fetchall(), [(rows, 121.875)])
    told = json.loads(check_ok(run("mpq", "info", "--json", OUT)).stdout)
    check_equal(told["rows"], rows)


def test_ticks_stay_where_they_are_asked_for():
    log("a/2.parquet", 100, first=9_000_000, session="1", split="10", started_at=START)
    log("a/1.parquet", 100, session="1", split="9", started_at=START)
    check_equal(merged("a", "--ticks")["time_us"].to_pylist(), [i * 20_000 for i in range(100)] + [9_000_000 + i * 20_000 for i in range(100)])
    check_equal(key_values(OUT)["started_at"], START)
    info = check_ok(run("mpq", "info", OUT)).stdout
    check("2026-11-22T00:00:00Z to 2026-11-22T00:00:10.980Z" in info, info)


def test_two_boots_have_their_own_dates():
    log("a.parquet", 3, session="1", started_at="2026-11-22T00:00:00Z")
    log("b.parquet", 3, session="2", started_at="2026-11-22T09:30:00Z")
    times = merged("b.parquet", "a.parquet")["time_us"]
    check_equal([str(time.as_py()) for time in times][::3], ["2026-11-22 00:00:00+00:00", "2026-11-22 09:30:00+00:00"])
    check("started_at" not in key_values(OUT), "one file's start is not that of the other")
    merge("b.parquet", "a.parquet", "--ticks", "--overwrite")
    check_equal(read(OUT)["time_us"].to_pylist(), [0, 20_000, 40_000] * 2)
    check("started_at" not in key_values(OUT), "one file's start is not that of the other")


def test_times_stay_counts_where_a_row_has_no_date():
    log("a.parquet", 3, session="1", started_at=START)
    log("b.parquet", 3, session="2")
    output = merge("a.parquet", "b.parquet")
    check("time_us stays as it is counted: not every row of b.parquet has a date" in output.stdout, output.stdout)
    check_equal(read(OUT)["time_us"].to_pylist(), [0, 20_000, 40_000] * 2)
    check("started_at" not in key_values(OUT), "it would be the start of the other file, too")
    # The clock began again within the file: when is not known.
    write("c.parquet", {"time_us": pa.array([5_000_000, 5_020_000, 5_040_000, 0, 20_000, 40_000], pa.int64())}, {"started_at": START})
    output = merge("c.parquet", "--overwrite")
    check("not every row of c.parquet has a date" in output.stdout, output.stdout)
    write("d.parquet", {"time_us": pa.array([1, None, 3], pa.int64())}, {"started_at": START})
    merge("d.parquet", "--overwrite")
    check_equal(read(OUT)["time_us"].to_pylist(), [1, None, 3])


def test_numbers_since_1970_become_dates():
    base = 1_790_000_000
    for name, values, expected in (("ms", pa.array([base * 1000 + 5, base * 1000 + 25], pa.int64()), pa.timestamp("ms", "UTC")),
                                   ("s", pa.array([base + 0.25, base + 0.5]), pa.timestamp("us", "UTC"))):
        write(f"{name}.parquet", {"timestamp": values})
        table = merged(f"{name}.parquet", "--overwrite")
        check_equal(table.schema.field(0).type, expected)
        scale = 1 if name == "ms" else 1_000_000
        check_equal(table["timestamp"].cast(pa.int64()).to_pylist(), [int(value * scale) for value in values.to_pylist()])


def test_a_counter_of_32_bits_goes_on():
    last = 2 ** 32 - 40_000
    write("a.parquet", {"micros": pa.array([last, last + 20_000, 0, 20_000], pa.uint32())}, {"started_at": START})
    table = merged("a.parquet")
    check_equal(pa.compute.subtract(table["micros"].cast(pa.int64()), 1_795_305_600_000_000).to_pylist(), [last, last + 20_000, 2 ** 32, 2 ** 32 + 20_000])


def test_a_counter_goes_on_from_file_to_file():
    """Microseconds in 32 bits begin again every 71 minutes: a card that rolls has that in the middle of a session."""
    turn, step = 2 ** 32, 20_000
    rows = [turn - 3 * step + i * step for i in range(9)]
    for split, part in enumerate((rows[:3], rows[3:6], rows[6:]), 1):
        write(f"card/{split}.parquet", {"time_us": pa.array([row % turn for row in part], pa.uint32())},
              {"session": "1", "split": str(split), "started_at": START})
    start = 1_795_305_600_000_000
    check_equal([time - start for time in merged("card")["time_us"].cast(pa.int64()).to_pylist()], rows)
    # It goes back by less than it could count on: nobody knows when it began again.
    write("card/4.parquet", {"time_us": pa.array([0, step], pa.uint32())}, {"session": "1", "split": "4", "started_at": START})
    output = merge("card", "--overwrite")
    check("time_us stays as it is counted: not every row of card/4.parquet has a date" in output.stdout, output.stdout)
    check_equal(read(OUT)["time_us"].to_pylist(), [row % turn for row in rows] + [0, step])
    # Another boot has a clock of its own.
    write("card/4.parquet", {"time_us": pa.array([0, step], pa.uint32())}, {"session": "2", "split": "1", "started_at": "2026-11-22T02:00:00Z"})
    check_equal([time - start for time in merged("card", "--overwrite")["time_us"].cast(pa.int64()).to_pylist()][-2:],
                [7_200_000_000, 7_200_000_000 + step])


def test_order_of_times_without_sessions():
    for name, first in (("a", 300), ("b", 100), ("c", 200)):
        write(f"logs/{name}.parquet", {"time": pa.array([first, first + 1], pa.timestamp("s", "UTC")), "from": [name] * 2})
    check("in order of time" in merge("logs").stdout, "order")
    check_equal(read(OUT)["from"].to_pylist(), ["b", "b", "c", "c", "a", "a"])
    # The newest row is first in each of them: rows stay in their order.
    write("logs/b.parquet", {"time": pa.array([101, 100], pa.timestamp("s", "UTC")), "from": ["B", "b"]})
    merge("logs", "--overwrite")
    check_equal(read(OUT)["from"].to_pylist(), ["B", "b", "c", "c", "a", "a"])
    write("logs/d.parquet", {"from": ["d"]})
    check("in the order given" in merge("logs", "--overwrite").stdout, "order")
    check_equal(read(OUT)["from"].to_pylist(), ["a", "a", "B", "b", "c", "c", "d"])


def test_order_of_names():
    """Of files that say no more: as csv_log numbers them."""
    names = ["log", "log-2", "log-10", "log-11", "x/1", "x/02", "x/10"]
    for name in names:
        write(f"logs/{name}.parquet", {"from": [name]})
    check_equal(merged("logs")["from"].to_pylist(), names)
    check_equal(merged("logs/log-2.parquet", "logs/log.parquet", "--overwrite")["from"].to_pylist(), ["log-2", "log"])


TYPES = {
    "int8": pa.array([-128, None, 127], pa.int8()), "uint8": pa.array([0, None, 255], pa.uint8()),
    "int16": pa.array([-2 ** 15, None, 2 ** 15 - 1], pa.int16()), "uint16": pa.array([0, None, 2 ** 16 - 1], pa.uint16()),
    "int32": pa.array([-2 ** 31, None, 2 ** 31 - 1], pa.int32()), "uint32": pa.array([0, None, 2 ** 32 - 1], pa.uint32()),
    "int64": pa.array([-2 ** 63, None, 2 ** 63 - 1], pa.int64()), "uint64": pa.array([0, None, 2 ** 64 - 1], pa.uint64()),
    "float16": pa.array([1.5, None, -2.0], pa.float16()), "float": pa.array([0.1, None, float("inf")], pa.float32()),
    "double": pa.array([0.1, None, -0.0], pa.float64()), "bool": pa.array([True, None, False]),
    "string": pa.array(["Zoë", None, ""]), "binary": pa.array([b"\xff\x00", None, b""]), "fixed": pa.array([b"abc", None, b"\x00\x01\x02"], pa.binary(3)),
    "decimal32": pa.array([decimal.Decimal("-1.25"), None, decimal.Decimal("9.99")], pa.decimal128(5, 2)),
    "decimal64": pa.array([decimal.Decimal("-1.25"), None, decimal.Decimal("12345678901234.56")], pa.decimal128(16, 2)),
    "decimal128": pa.array([decimal.Decimal("-1.25"), None, decimal.Decimal("1234567890123456789012345678.56")], pa.decimal128(38, 2)),
    "date": pa.array([-1, None, 20_000], pa.date32()), "time_ms": pa.array([0, None, 86_399_999], pa.time32("ms")),
    "time_us": pa.array([0, None, 86_399_999_999], pa.time64("us")), "time_ns": pa.array([0, None, 1], pa.time64("ns")),
    "at_ms": pa.array([0, None, -1], pa.timestamp("ms")), "at_us": pa.array([0, None, 2 ** 60], pa.timestamp("us", "UTC")),
    "at_ns": pa.array([0, None, 2 ** 62], pa.timestamp("ns", "UTC")),
}


def test_every_type_there_and_back():
    table = write("a.parquet", TYPES)
    required = pa.table([pa.concat_arrays([value[:1], value[2:]]) for value in TYPES.values()],
                        schema=pa.schema([pa.field(name, value.type, nullable=False) for name, value in TYPES.items()]))
    write("b.parquet", required)
    expected = pa.concat_tables([table, required.cast(table.schema)])
    for words, rows in ((["a.parquet", "b.parquet"], expected), (["b.parquet"], required)):
        found = merged(*words, "--overwrite")
        check_equal(found.schema.remove_metadata(), rows.schema.remove_metadata())
        check(found.equals(rows), "values differ")
        whole = rows.drop_columns(["float16"])  # which DuckDB has not
        check_equal(duckdb.sql(f"(SELECT * EXCLUDE float16 FROM '{OUT}') EXCEPT ALL (SELECT * FROM whole)").to_arrow_table().num_rows, 0)
        check_equal(duckdb.sql(f"SELECT count(*) FROM '{OUT}'").fetchall(), [(rows.num_rows,)])


def test_types_that_writers_store_otherwise():
    """INT96, UUID, ENUM, JSON, INTERVAL, decimals in each form."""
    write("int96.parquet", {"at": TYPES["at_ns"]}, use_deprecated_int96_timestamps=True)
    check(merged("int96.parquet").equals(pyarrow.parquet.read_table("int96.parquet")), "values differ")
    check("int96" in check_ok(run("mpq", "schema", OUT)).stdout, "it is another type")
    duckdb.sql("""COPY (SELECT uuid() AS id, 'b'::ENUM('a', 'b') AS state, '{"a": 1}'::JSON AS facts, INTERVAL '3 months 2 days' AS span, 1.25::DECIMAL(4, 2) AS d
        FROM range(100)) TO 'duck.parquet'""")
    merge("duck.parquet", "--overwrite")
    check_equal(duckdb.sql(f"FROM '{OUT}'").fetchall(), duckdb.sql("FROM 'duck.parquet'").fetchall())
    schema = [check_ok(run("mpq", "schema", path)).stdout.split("{")[1] for path in ("duck.parquet", OUT)]
    check_equal(*schema)
    # A decimal of the same digits as a number, and as bytes.
    write("number.parquet", {"d": TYPES["decimal32"]}, store_decimal_as_integer=True)
    write("bytes.parquet", {"d": TYPES["decimal32"]})
    check_equal(merged("number.parquet", "bytes.parquet", "--overwrite")["d"].to_pylist(), TYPES["decimal32"].to_pylist() * 2)


def test_columns_are_widened():
    pairs = [("int8", pa.int8(), [-1], pa.int16(), [300], pa.int16()), ("u8", pa.uint8(), [255], pa.int8(), [-1], pa.int16()),
             ("u32", pa.uint32(), [2 ** 32 - 1], pa.int32(), [-1], pa.int64()), ("int", pa.int32(), [7], pa.int64(), [2 ** 40], pa.int64()),
             ("u", pa.uint16(), [65535], pa.uint64(), [2 ** 64 - 1], pa.uint64()), ("float", pa.float32(), [0.1], pa.float64(), [0.1], pa.float64()),
             ("half", pa.float16(), [1.5], pa.float32(), [0.5], pa.float64()), ("mixed", pa.int64(), [2 ** 53], pa.float64(), [0.5], pa.float64()),
             ("u64", pa.uint64(), [2 ** 63], pa.int64(), [-1], pa.float64()), ("words", pa.int64(), [12], pa.string(), ["on"], pa.string()),
             ("flags", pa.bool_(), [True], pa.string(), ["?"], pa.string()), ("at", pa.timestamp("ms", "UTC"), [5], pa.timestamp("ns", "UTC"), [7_000_001], pa.timestamp("ns", "UTC")),
             ("clock", pa.time32("ms"), [5], pa.time64("us"), [7], pa.time64("us")), ("raw", pa.binary(2), [b"ab"], pa.binary(), [b"c"], pa.binary()),
             ("money", pa.decimal128(5, 2), [decimal.Decimal("1.25")], pa.float64(), [0.5], pa.float64()), ("date", pa.date32(), [0], pa.string(), ["?"], pa.string())]
    narrow = write("a.parquet", {name: pa.array(values, type) for name, type, values, *_ in pairs})
    wide = write("b.parquet", {name: pa.array(values, type) for name, _, _, type, values, _ in pairs})
    for order in (["a.parquet", "b.parquet"], ["b.parquet", "a.parquet"]):
        output = merge(*order, "--overwrite")
        found = read(OUT)
        check_equal(found.schema.types, [type for *_, type in pairs])
        rows = found.to_pylist()
        expected = narrow.to_pylist() + wide.to_pylist()
        expected[0] |= {"words": "12", "flags": "true", "money": 1.25, "u64": 2.0 ** 63, "date": "1970-01-01"}
        expected[1] |= {"u64": -1.0}
        check_equal(rows, expected)
        check("  u32 becomes int64: it is uint32 and int32\n" in output.stdout, output.stdout)


def test_a_number_that_a_double_has_not_is_refused():
    write("a.parquet", {"n": pa.array([2 ** 53 + 1], pa.int64())})
    write("b.parquet", {"n": [0.5]})
    refuse("a.parquet", "b.parquet", parts=["a.parquet: column n: 9007199254740993 is no double without a loss", "apart"])


def test_columns_that_a_file_lacks_are_null():
    a = write("a.parquet", {"time": [1.0, 2.0], "speed": [0.5, 1.5]})
    b = write("b.parquet", {"time": [3.0], "name": ["x"], "wide": pa.array([b"x" * 100], pa.binary(100))})
    check(merged("a.parquet", "b.parquet").equals(pa.concat_tables([a, b], promote_options="default")), "values differ")
    # A column of nulls, which has no type of its own, becomes what it is elsewhere.
    write("c.parquet", {"time": [4.0], "name": pa.nulls(1)})
    check_equal(merged("a.parquet", "b.parquet", "c.parquet", "--overwrite")["name"].to_pylist(), [None, None, "x", None])
    check_equal(merged("c.parquet", "--overwrite")["name"].to_pylist(), [None])


def test_lists_and_structs():
    tables = [pa.table({"time": [float(i), None], "list": [[1, None, i], None], "fix": [{"lat": 1.5, "lon": None}, None],
                        "tags": pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int32()))}) for i in range(3)]
    for i, table in enumerate(tables):
        write(f"{i}.parquet", table)
    merge("0.parquet", "1.parquet", "2.parquet")
    check(pyarrow.parquet.read_table(OUT).equals(pa.concat_tables(tables)), "values differ")
    check_equal(duckdb.sql(f"SELECT list FROM '{OUT}'").fetchall(), [([1, None, 0],), (None,), ([1, None, 1],), (None,), ([1, None, 2],), (None,)])
    check_ok(run("mpq", "verify", OUT))
    check_equal([file["rows"] for file in json.loads(key_values(OUT)["microparquet.merge"])["files"]], [2, 2, 2])
    write("3.parquet", {"time": [1.0]})
    refuse("0.parquet", "3.parquet", out=pathlib.Path("other.parquet"), parts=["3.parquet: column list.list.element is not here, and is in 0.parquet, and columns among them are lists or structs, as list.list.element: merge files apart"])
    write("5.parquet", tables[0].set_column(0, "time", pa.array([1, 2])))
    refuse("0.parquet", "5.parquet", out=pathlib.Path("other.parquet"), parts=["5.parquet: column time is int64 here, and double in 0.parquet"])
    refuse("0.parquet", "--physical", out=pathlib.Path("other.parquet"), parts=["--physical converts flat columns"])
    write("4.parquet", tables[0], {"started_at": START, "scale.time": "0.5", "unit.time": "s"})
    output = merge("4.parquet", "--overwrite")
    check("time stays as it is counted, as all columns beside lists" in output.stdout, output.stdout)
    check_equal({key: value for key, value in key_values(OUT).items() if "merge" not in key}, {"started_at": START, "scale.time": "0.5", "unit.time": "s"})
    refuse("0.parquet", "4.parquet", out=pathlib.Path("other.parquet"), parts=["column time: its values do not mean the same"])


def test_a_name_twice():
    columns = pa.Table.from_arrays([pa.array([1, 2]), pa.array(["a", "b"])], names=["x", "x"])
    write("a.parquet", columns)
    write("b.parquet", columns)
    merge("a.parquet", "b.parquet")
    check(pyarrow.parquet.ParquetFile(OUT).read().equals(pa.concat_tables([columns, columns])), "values differ")


def test_values_in_their_units():
    facts = {"scale.counts": "0.5", "offset.counts": "-10", "unit.counts": "deg", "unit.time_us": "us", "comment": "x"}
    write("a.parquet", {"counts": pa.array([0, 20, None], pa.int16()), "other": [1, 2, 3]}, facts)
    write("b.parquet", {"counts": pa.array([4], pa.int16()), "other": [4]}, facts | {"scale.counts": "0.25"})
    write("c.parquet", {"counts": [7.5], "other": [5]}, {"unit.counts": "deg"})
    refuse("a.parquet", "b.parquet", parts=["column counts: its values do not mean the same", "a.parquet has scale 0.5", "--physical"])
    refuse("a.parquet", "c.parquet", parts=["column counts", "scale none"])
    table = merged("a.parquet", "b.parquet", "c.parquet", "--physical")
    check_equal(table["counts"].to_pylist(), [-10, 0, None, -9, 7.5])
    check_equal(table["other"].to_pylist(), [1, 2, 3, 4, 5])
    values = key_values(OUT)
    check("scale.counts" not in values and "offset.counts" not in values, values)
    check_equal(values["unit.counts"], "deg")
    plain = merged("a.parquet", "--overwrite")
    check_equal(plain["counts"].to_pylist(), [0, 20, None])
    check_equal({key: value for key, value in key_values(OUT).items() if key in facts}, facts)


def test_key_values_that_differ():
    log("a.parquet", 3, session="1", split="1", firmware_version="1.0", comment="calm", rows_dropped="3", rows_lost="1")
    log("b.parquet", 3, session="1", split="2", firmware_version="1.1", rows_dropped="4")
    output = merge("a.parquet", "b.parquet")
    values = key_values(OUT)
    about = json.loads(values.pop("microparquet.merge"))
    check_equal(values, {"session": "1", "rows_dropped": "7", "rows_lost": "1"})
    check_equal([file["key_values"] for file in about["files"]],
                [{"split": "1", "firmware_version": "1.0", "comment": "calm"}, {"split": "2", "firmware_version": "1.1"}])
    check("files differ in split, firmware_version, comment: the key-value microparquet.merge has them by file" in output.stdout, output.stdout)
    # A file that was merged is merged again.
    log("c.parquet", 3, session="1", split="3")
    merge(OUT, "c.parquet", out="month.parquet")
    files = json.loads(key_values("month.parquet")["microparquet.merge"])["files"]
    check_equal([len(file.get("files", [])) for file in files if file["name"] == "day.parquet"], [2])


def test_arrow_types_stay_where_columns_do():
    table = pa.table({"name": pa.array(["a"], pa.large_string()), "span": pa.array([5], pa.duration("us"))})
    for name in ("a", "b"):
        pyarrow.parquet.write_table(table, f"{name}.parquet")
    check_equal(merged("a.parquet", "b.parquet").schema, table.schema)
    pyarrow.parquet.write_table(pa.table({"name": pa.array([7])}), "c.parquet")
    check_equal(merged("a.parquet", "c.parquet", "--overwrite").schema.field("name").type, pa.string())


def test_a_fleet():
    """Devices of two firmwares, some cut off: each file's rows are there, one file after another, as its footer has them."""
    check_ok(run("made_fleet", "fleet", 3, 8, 3000, 7))
    result = run("mpq", "merge", "fleet", "-o", OUT)
    check(result.returncode in (0, 1), result.stderr)
    table = read(OUT)
    at, before = 0, ("", 0)
    for file in json.loads(key_values(OUT)["microparquet.merge"])["files"]:
        source = pyarrow.parquet.read_table(file["name"], page_checksum_verification=True)
        check_equal(source.num_rows, file["rows"], file["name"])
        for name in table.column_names:
            part = table[name].slice(at, source.num_rows)
            check(part.equals(source[name].cast(part.type)) if name in source.column_names else part.null_count == len(part), file["name"], name)
        facts = key_values(file["name"])
        order = (facts["device_id"], int(facts["session"]))
        check(before < order, before, order)
        at, before = at + source.num_rows, order
    check(at == table.num_rows > 0, at)


def test_damaged_files_are_left_out():
    tables = [write(f"logs/{i}.parquet", {"number": list(range(i * 5000, i * 5000 + 5000)), "text": [str(n) for n in range(5000)]},
                    use_dictionary=False, compression="none", write_page_checksum=True) for i in range(6)]
    data = bytearray(pathlib.Path("logs/1.parquet").read_bytes())
    data[len(data) // 2] ^= 1
    pathlib.Path("logs/1.parquet").write_bytes(data)
    data = bytearray(pathlib.Path("logs/4.parquet").read_bytes())
    data[len(data) // 2] ^= 1
    pathlib.Path("logs/4.parquet").write_bytes(data)
    pathlib.Path("logs/3.parquet").write_bytes(pathlib.Path("logs/3.parquet").read_bytes()[:-50])
    pathlib.Path("logs/6.parquet").write_bytes(b"")
    pathlib.Path("logs/7.parquet").write_text("<!DOCTYPE html><title>not found</title>")
    output = merge("logs", "missing.parquet", code=1)
    for name in ("logs/1.parquet", "logs/3.parquet", "logs/4.parquet", "logs/6.parquet", "logs/7.parquet", "missing.parquet"):
        check_equal(sum(name in line and line.endswith("; it is left out") for line in output.stderr.splitlines()), 1, name)
    check("column" in output.stderr and "damaged" in output.stderr, output.stderr)
    check("15,000 rows of 3 files" in output.stdout and "6 files left out" in output.stdout, output.stdout)
    check(read(OUT).equals(pa.concat_tables([tables[0], tables[2], tables[5]])), "values differ")
    check_equal([file["name"] for file in json.loads(key_values(OUT)["microparquet.merge"])["files"]],
                ["logs/0.parquet", "logs/2.parquet", "logs/5.parquet"])


def test_damage_in_lists_is_left_out_too():
    tables = [write(f"{i}.parquet", {"list": [[n, n + 1] for n in range(3000)]}, use_dictionary=False, compression="none", write_page_checksum=True)
              for i in range(2)]
    data = bytearray(pathlib.Path("0.parquet").read_bytes())
    data[len(data) // 2] ^= 1
    pathlib.Path("0.parquet").write_bytes(data)
    output = merge("0.parquet", "1.parquet", code=1)
    check("0.parquet" in output.stderr and "it is left out" in output.stderr, output.stderr)
    check(pyarrow.parquet.read_table(OUT).equals(tables[1]), "values differ")


def test_a_damaged_file_has_no_say_in_the_columns():
    write("a.parquet", {"n": ["words"] * 3000}, use_dictionary=False, compression="none", write_page_checksum=True)
    data = bytearray(pathlib.Path("a.parquet").read_bytes())
    data[200] ^= 1
    pathlib.Path("a.parquet").write_bytes(data)
    write("b.parquet", {"n": [1, 2]})
    merge("a.parquet", "b.parquet", code=1)
    check_equal(read(OUT).schema.field("n").type, pa.int64())


def test_nothing_to_merge():
    pathlib.Path("empty").mkdir()
    refuse("empty", parts=["empty: no file in it"])
    refuse("missing.parquet", parts=["missing.parquet: no such file", "there is no file to merge; nothing was written to day.parquet"])
    refuse(parts=["FILE is required"])
    check_refused(run("mpq", "merge", "missing.parquet"), "-o is required", code=2)


def test_files_without_rows():
    write("a.parquet", {"n": pa.array([], pa.string()), "m": pa.array([], pa.int64())}, {"session": "1"})
    write("b.parquet", {"n": [1, 2]}, {"session": "2"})
    output = merge("a.parquet", "b.parquet")
    check("1 more file without rows" in output.stdout, output.stdout)
    check(read(OUT).equals(pa.table({"n": [1, 2]})), "values differ")
    check_equal(key_values(OUT)["session"], "2")
    table = merged("a.parquet", "--overwrite")
    check_equal((table.num_rows, table.schema.types), (0, [pa.string(), pa.int64()]))


def test_an_output_that_is_there():
    write("logs/a.parquet", {"n": [1]})
    OUT.write_bytes(b"something")
    refuse("logs", parts=["day.parquet: is there already; --overwrite replaces it"])
    check_equal(merged("logs", "--overwrite")["n"].to_pylist(), [1])
    for words in (["logs", "-o", "logs/a.parquet"], ["logs/a.parquet", "-o", "./logs/../logs/a.parquet"]):
        for option in ([], ["--overwrite"]):
            before = pathlib.Path("logs/a.parquet").read_bytes()
            check_refused(run("mpq", "merge", *words, *option), "a.parquet", code=2)
            check_equal(pathlib.Path("logs/a.parquet").read_bytes(), before)
    os.link("logs/a.parquet", "same.parquet")
    refuse("logs", "--overwrite", out=pathlib.Path("same.parquet"), parts=["same.parquet: it is one of the files to merge, as logs/a.parquet"])
    pathlib.Path("folder").mkdir()
    refuse("logs", "--overwrite", out=pathlib.Path("folder"), parts=["folder: is there already, and is no file"])
    refuse("logs", out=pathlib.Path("none/day.parquet"), parts=["none/day.parquet", "No such file or directory"])


def test_a_file_that_is_named_twice():
    write("logs/a.parquet", {"n": [1]})
    output = merge("logs", "logs/a.parquet")
    check("logs/a.parquet: it is named twice, and merged once" in output.stderr, output.stderr)
    check_equal(read(OUT)["n"].to_pylist(), [1])


def test_standard_input():
    write("a.parquet", {"n": [1]})
    write("b.parquet", {"n": [2]})
    with open("b.parquet", "rb") as file:
        merge("a.parquet", "-", stdin=file)
    check_equal(read(OUT)["n"].to_pylist(), [1, 2])


def test_a_pipe_that_stalls():
    """Ctrl-C ends it, though it has nothing to remove."""
    write("a.parquet", {"n": [1]})
    with subprocess.Popen(command("mpq", "merge", "a.parquet", "-", "-o", OUT), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(b"PAR1")
        process.stdin.flush()
        wait_until_idle(process)
        kept_open, process.stdin = process.stdin, None  # communicate() would close it
        check_equal(interrupt(process).returncode, -signal.SIGINT)
        kept_open.close()
    check_equal(sorted(path.name for path in pathlib.Path(".").iterdir()), ["a.parquet"], "files")


def test_a_file_whose_values_lie_in_others():
    parts, tables = [], []
    for i in range(3):
        tables.append(pa.table({"n": list(range(i * 1000, i * 1000 + 1000)), "text": [str(n) for n in range(1000)]}))
        pathlib.Path("set").mkdir(exist_ok=True)
        pyarrow.parquet.write_table(tables[-1], f"set/{i}.parquet", metadata_collector=parts)
        parts[-1].set_file_path(f"{i}.parquet")
    whole = parts[0]
    for part in parts[1:]:
        whole.append_row_groups(part)
    whole.write_metadata_file("set/_metadata")
    check(merged("set/_metadata").equals(pa.concat_tables(tables)), "values differ")
    pathlib.Path("set/1.parquet").unlink()
    refuse("set/_metadata", "--overwrite", parts=["set/_metadata", "1.parquet", "it is left out", "there is no file to merge"])


def test_long_texts():
    texts = ["x" * n for n in (10, 100_000, 3_000_000, 0)]
    write("a.parquet", {"text": texts, "raw": [text.encode() for text in reversed(texts)]})
    write("b.parquet", {"text": ["y"], "fixed": pa.array([b"z" * 200_000], pa.binary(200_000))})
    merge("a.parquet", "b.parquet")
    table = read(OUT)
    check_equal(table["text"].to_pylist(), [*texts, "y"])
    check_equal(table["fixed"].to_pylist()[4], b"z" * 200_000)


def test_memory_stays_as_it_is():
    """Of a text that comes in every row, many files, and long ones."""
    write("text.parquet", {"text": ["x" * 100_000] * 1500, "number": list(range(1500))})
    for i in range(300):
        write(f"many/{i:03}.parquet", {"number": [i]})
    write("long.parquet", {name: pa.array(range(500_000)) for name in "abcdef"})
    for words in (["text.parquet"], ["many"], ["long.parquet", "text.parquet"]):
        said = check_ok(subprocess.run([sys.executable, "-S", ROOT / "tests/programs/measure.py", *command("mpq", "merge", *words, "-o", OUT, "--overwrite")],
                                       capture_output=True, text=True)).stdout.split()
        check_equal(said[0], "0")
        check(int(said[2]) < 128 << 10, words, said)
    check_equal(duckdb.sql(f"SELECT count(*), count(text), max(length(text)), sum(a) FROM '{OUT}'").fetchall(),
                [(501_500, 1500, 100_000, 499_999 * 250_000)])


def test_many_columns():
    tables = [write(f"{i}.parquet", {f"c{n}": pa.array([float(n), i], pa.float32()) for n in range(2000)}) for i in range(2)]
    check(merged("0.parquet", "1.parquet").equals(pa.concat_tables(tables)), "values differ")


def test_files_of_the_corpus():
    """Each file of other writers that pyarrow and mpq read, merged alone, has the rows that it had."""
    compared = 0
    for path in sorted(pathlib.Path(unpacked("corpus") / "data").rglob("*.parquet")):
        try:
            expected = pyarrow.parquet.read_table(path)
        except Exception:  # noqa: BLE001  a file that pyarrow does not read
            continue
        if run("mpq", "cat", "--lists", "json", path).returncode != 0:
            continue
        result = run("mpq", "merge", path, "-o", OUT, "--overwrite", "--ticks")
        if result.returncode != 0:
            check("has no columns" in result.stderr or "no file has a row" in result.stderr, path, result.stderr)
            continue
        found = pyarrow.parquet.read_table(OUT)
        if expected.num_columns:
            check_equal(found.column_names, expected.column_names, path)
            check_equal(found.num_rows, expected.num_rows, path)
            check(found.equals(expected) or str(found.to_pydict()) == str(expected.to_pydict()), path, "has other values")
            compared += 1
    check(compared > 40, compared)


def test_rows_after_the_footer_are_told():
    pathlib.Path("logs").mkdir()
    killed_log("logs/a.parquet", 5000)
    write("logs/b.parquet", {"number": [1, 2]})
    output = merge("logs", code=1)
    check("logs/a.parquet: " in output.stderr and "rows more after the last footer: `mpq recover` adds them" in output.stderr, output.stderr)
    check("1 file has rows that only mpq recover finds" in output.stdout, output.stdout)
    check_ok(run("mpq", "recover", "logs/a.parquet"))
    merge("logs", "--overwrite")
    check(read(OUT).num_rows > 4900, "rows are missing")


def test_a_kill_leaves_no_half_file():
    rows = 400_000
    for i in range(4):
        write(f"logs/{i}.parquet", {"number": list(range(rows)), "text": [str(n) for n in range(rows)]})
    for with_signal, code in ((signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)):
        process = subprocess.Popen(command("mpq", "merge", "logs", "-o", OUT), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until(lambda: process.poll() is not None or pathlib.Path(f"{OUT}.part").exists(), "a part")  # noqa: B023
        check(process.poll() is None, "it ended")
        result = interrupt(process, with_signal)
        check_equal(result.returncode, code, result.stderr)
        check(not OUT.exists(), "half a file")
        check_equal(pathlib.Path(f"{OUT}.part").exists(), with_signal == signal.SIGKILL, "the part")
        pathlib.Path(f"{OUT}.part").unlink(missing_ok=True)
    check_equal(merged("logs").num_rows, 4 * rows)
    check(not pathlib.Path(f"{OUT}.part").exists(), "a part is left behind")


def test_a_full_disk():
    for i in range(2):
        write(f"logs/{i}.parquet", {"id": [uuid.uuid4().bytes for _ in range(20_000)]})
    with small_disk(256) as folder:
        result = run("mpq", "merge", "logs", "-o", f"{folder}/day.parquet")
        check_refused(result, "day.parquet: No space left on device", code=2)
        check_equal(os.listdir(folder), [])
    result = run("mpq", "merge", "logs", "-o", OUT, preexec_fn=limit_files_to(100_000))
    check_refused(result, "day.parquet: File too large", code=2)
    check(not OUT.exists() and not pathlib.Path(f"{OUT}.part").exists(), "half a file")


def test_other_programs_read_a_part_of_its_columns():
    day(6, 1000)
    merge("card")
    total = duckdb.sql("SELECT sum(speed) FROM 'card/*.parquet'").fetchall()
    check_equal(duckdb.sql(f"SELECT sum(speed) FROM '{OUT}'").fetchall(), total)
    shutil.rmtree("card")
    check_equal(pyarrow.parquet.read_table(OUT, columns=["state"]).num_rows, 6000)
