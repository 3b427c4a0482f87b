"""Arrow streams out of files and into them, as Python takes and gives them: pyarrow, Polars and DuckDB."""
import datetime
import decimal
import importlib
import os
import pathlib
import sys

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet
from harness import check, check_equal, check_ok, command, corpus_folder, data_file, root_folder, run


def module():
    """microparquet.py, with the library that was built."""
    folder = root_folder() / "port" / "desktop" / "arrow" / "python"
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
        os.environ["MICROPARQUET_ARROW"] = str(pathlib.Path(command("libmicroparquet_arrow.so")[0]))
    return importlib.import_module("microparquet")


UTC = datetime.timezone.utc
TYPES = {
    "bool": (pa.bool_(), [True, False, None, True]),
    "int8": (pa.int8(), [-128, 127, None, 0]),
    "uint8": (pa.uint8(), [0, 255, None, 7]),
    "int16": (pa.int16(), [-32768, 32767, None, 1]),
    "uint16": (pa.uint16(), [0, 65535, None, 1]),
    "int32": (pa.int32(), [-2**31, 2**31 - 1, None, 5]),
    "uint32": (pa.uint32(), [0, 2**32 - 1, None, 5]),
    "int64": (pa.int64(), [-2**63, 2**63 - 1, None, 5]),
    "uint64": (pa.uint64(), [0, 2**64 - 1, None, 5]),
    "half": (pa.float16(), [1.5, -2.0, None, 0.0]),
    "float": (pa.float32(), [1.5, float("inf"), None, -0.0]),
    "double": (pa.float64(), [1e300, -1e-300, None, 0.5]),
    "text": (pa.large_string(), ["", "\N{SNOWMAN}", None, "word"]),
    "bytes": (pa.large_binary(), [b"", b"\0\xff", None, b"x" * 1000]),
    "fixed": (pa.binary(5), [b"12345", b"\0\0\0\0\0", None, b"abcde"]),
    "date": (pa.date32(), [datetime.date(1969, 12, 31), datetime.date(2026, 1, 1), None, datetime.date(1, 1, 1)]),
    "time_ms": (pa.time32("ms"), [datetime.time(1, 2, 3), datetime.time(23, 59, 59, 999000), None, datetime.time(0)]),
    "time_us": (pa.time64("us"), [datetime.time(1, 2, 3, 4), datetime.time(0), None, datetime.time(12)]),
    "time_ns": (pa.time64("ns"), [datetime.time(1, 2, 3, 4), datetime.time(0), None, datetime.time(12)]),
    "utc_us": (pa.timestamp("us", "UTC"), [datetime.datetime(2026, 1, 1, 1, tzinfo=UTC), datetime.datetime(1950, 1, 1, tzinfo=UTC), None,
                                           datetime.datetime(2026, 1, 1, 1, 2, 3, 4, tzinfo=UTC)]),
    "local_ms": (pa.timestamp("ms"), [datetime.datetime(2026, 1, 1), datetime.datetime(1950, 1, 1), None, datetime.datetime(1, 1, 1)]),
    "local_ns": (pa.timestamp("ns"), [datetime.datetime(2026, 1, 1), datetime.datetime(1950, 1, 1), None, datetime.datetime(1970, 1, 1)]),
    "decimal9": (pa.decimal128(9, 2), [decimal.Decimal("-1.25"), decimal.Decimal("9999999.99"), None, decimal.Decimal("0.00")]),
    "decimal38": (pa.decimal128(38, 10), [decimal.Decimal("-1.25"), decimal.Decimal("9999999999999999999999999999.1234567891"), None,
                                          decimal.Decimal("0E-10")]),
    "decimal76": (pa.decimal256(76, 3), [decimal.Decimal("-1.250"), decimal.Decimal("1" * 70 + ".125"), None, decimal.Decimal("0.000")]),
}


def typed_table(repeats=1):
    columns = {name: pa.array(values * repeats, kind) for name, (kind, values) in TYPES.items()}
    required = {f"{name}_required": pa.array([value for value in values if value is not None] * repeats + values[:1] * repeats, kind)
                for name, (kind, values) in TYPES.items()}
    fields = [pa.field(name, kind) for name, (kind, _) in TYPES.items()]
    fields += [pa.field(f"{name}_required", kind, nullable=False) for name, (kind, _) in TYPES.items()]
    return pa.Table.from_arrays([*columns.values(), *required.values()], schema=pa.schema(fields, {"device": "7", "empty": ""}))


def test_every_type_there_and_back():
    table = typed_table(500)
    for name, options in {"own": None, "pyarrow": {}, "plain": {"use_dictionary": False, "compression": "none", "store_decimal_as_integer": True},
                          "v2": {"data_page_version": "2.0", "compression": "zstd"}}.items():
        path = f"{name}.parquet"
        if options is None:
            module().write(table, path)
            check_ok(run("mpq", "verify", path))
            check(table.equals(pa.parquet.read_table(path).cast(table.schema)), "pyarrow reads what was written")
        else:
            pa.parquet.write_table(table, path, row_group_size=701, store_schema=False, **options)
        for batch_rows in (0, 1, 100):
            found = pa.table(module().read(path, batch_rows=batch_rows))
            check_equal(found.schema, table.schema, name)
            check(found.equals(table), name, batch_rows, [c for c in table.column_names if not found[c].equals(table[c])])
            found.validate(full=True)
    check_equal(pa.table(module().read("own.parquet")).schema.metadata, {b"device": b"7", b"empty": b""})


NESTED = pa.schema([
    pa.field("list", pa.list_(pa.int32())),
    pa.field("deep", pa.list_(pa.list_(pa.large_string()))),
    pa.field("struct", pa.struct([pa.field("a", pa.int64()), pa.field("b", pa.list_(pa.bool_()))])),
    pa.field("map", pa.map_(pa.large_string(), pa.list_(pa.float64()))),
    pa.field("flat", pa.int16(), nullable=False),
    pa.field("structs", pa.list_(pa.struct([pa.field("x", pa.float32()), pa.field("y", pa.large_string())]))),
])
NESTED_ROWS = [
    {"list": [1, None, 3], "deep": [["a", None], [], None], "struct": {"a": 1, "b": [True]}, "map": [("k", [1.0, None])], "flat": 1,
     "structs": [{"x": 1.5, "y": "one"}, None, {"x": None, "y": None}]},
    {"list": None, "deep": None, "struct": None, "map": None, "flat": 2, "structs": None},
    {"list": [], "deep": [], "struct": {"a": None, "b": None}, "map": [], "flat": 3, "structs": []},
    {"list": list(range(50)), "deep": [["x"] * 9] * 3, "struct": {"a": 2, "b": [None, False]}, "map": [("p", []), ("q", None)], "flat": 4,
     "structs": [{"x": 2.5, "y": "\N{SNOWMAN}"}] * 7},
]


def test_lists_structs_and_maps():
    table = pa.Table.from_pylist(NESTED_ROWS * 300, schema=NESTED)
    for options in ({}, {"data_page_size": 100, "write_batch_size": 7}, {"data_page_version": "2.0", "use_dictionary": False},
                    {"row_group_size": 333, "compression": "gzip"}):
        pa.parquet.write_table(table, "nested.parquet", store_schema=False, **options)
        for batch_rows in (0, 1, 97):
            found = pa.table(module().read("nested.parquet", batch_rows=batch_rows))
            found.validate(full=True)
            check_equal(found.to_pylist(), table.to_pylist())
    one = pa.table(module().read("nested.parquet", columns=["struct.b.list.element", "flat"]))
    check_equal(one.column_names, ["struct", "flat"])
    check_equal(one["struct"].to_pylist()[0], {"b": [True]})


def test_files_of_the_corpus_as_pyarrow_reads_them():
    compared = 0
    for path in sorted((corpus_folder()).glob("*.parquet")):
        try:
            expected = pa.parquet.read_table(path, page_checksum_verification=True).to_pylist()
        except Exception:
            continue  # what pyarrow does not read, other tests look at
        try:
            found = pa.table(module().read(path)).to_pylist()
        except (pa.ArrowInvalid, OSError, module().Error) as failure:
            check(False, path.name, failure)
        check_equal(repr(found), repr(expected), path.name)
        compared += 1
    check(compared > 30, compared)


def test_polars_and_duckdb():
    rows = pa.parquet.read_table(write_demo())
    log = module().read("demo.parquet")
    check_equal(polars.DataFrame(log).to_arrow().to_pylist(), rows.to_pylist())
    reader = pa.RecordBatchReader.from_stream(log)
    check_equal(duckdb.sql("SELECT count(*), max(n), min(word) FROM reader").fetchall(), [(4000, 3999, "w0")])
    module().write(polars.DataFrame(rows), "polars.parquet", codec="snappy")
    check_equal(polars.read_parquet("polars.parquet").rows(), polars.DataFrame(rows).rows())
    module().write(duckdb.sql("SELECT n, word, n % 3 = 0 AS third FROM rows").to_arrow_table(), "duckdb.parquet")
    check_equal(duckdb.sql("SELECT count(*), sum(n) FROM 'duckdb.parquet' WHERE third").fetchall(), [(1334, 2667333)])


def write_demo():
    table = pa.table({"n": pa.array(range(4000), pa.int64()), "word": [f"w{n % 5}" for n in range(4000)],
                      "part": pa.array([None if n % 7 == 0 else n / 3 for n in range(4000)])})
    pa.parquet.write_table(table, "demo.parquet")
    return "demo.parquet"


def test_slices_views_and_dictionaries_are_written():
    words = pa.array(["short", None, "a text that is longer than twelve bytes", ""] * 100)
    table = pa.table({"view": words.cast(pa.string_view()), "bytes": words.cast(pa.binary()).cast(pa.binary_view()),
                      "dictionary": words.dictionary_encode(), "numbers": pa.array([5, None, 7, 5] * 100).dictionary_encode(),
                      "seconds": pa.array([1, None, -3, 0] * 100, pa.timestamp("s")),
                      "milliseconds": pa.array([86400000, None, -86400000, 0] * 100, pa.date64()), "flag": pa.array([True, None, False, True] * 100)})
    for part in (table, table.slice(3, 390), table.slice(7, 0), pa.concat_tables([table.slice(1, 2), table.slice(8, 9)])):
        module().write(part, "part.parquet")
        found = pa.parquet.read_table("part.parquet")
        expected = part.to_pydict()
        expected["milliseconds"] = part["milliseconds"].cast(pa.date32()).to_pylist()
        check_equal(found.to_pydict(), expected)


def test_what_cannot_be_written_is_said_and_leaves_nothing():
    old = write_demo()
    data = pathlib.Path(old).read_bytes()
    for kind, values in ((pa.list_(pa.int32()), [[1]]), (pa.struct([("a", pa.int32())]), [{"a": 1}]), (pa.null(), [None])):
        try:
            module().write(pa.table({"odd": pa.array(values, kind)}), old)
            check(False, "was written", kind)
        except module().Error as failure:
            check("column odd is of a type that is not written" in str(failure), failure)
    try:
        module().write(pa.table({"text": ["x" * (1 << 20)]}), old)
        check(False, "was written")
    except module().Error as failure:
        check("longer than a page" in str(failure), failure)
    check_equal(pathlib.Path(old).read_bytes(), data)
    check_equal(sorted(os.listdir(".")), [old])
    for path, words in (("none.parquet", "No such file"), (data_file("walk.csv"), "not a Parquet")):
        try:
            module().read(path)
            check(False, "was read", path)
        except module().Error as failure:
            check(str(path) in str(failure), failure, words)
    try:
        module().read(old, columns=["nobody"])
        check(False, "was read")
    except module().Error as failure:
        check("has no column nobody" in str(failure), failure)


def test_damage_is_an_error_of_the_stream():
    table = pa.table({"n": pa.array(range(1000), pa.int64())})
    pa.parquet.write_table(table, "damaged.parquet", compression="none", use_dictionary=False, write_page_checksum=True)
    data = bytearray(pathlib.Path("damaged.parquet").read_bytes())
    data[2000] ^= 1
    pathlib.Path("damaged.parquet").write_bytes(data)
    try:
        pa.table(module().read("damaged.parquet"))
        check(False, "was read")
    except OSError as failure:
        check("damaged.parquet: column n" in str(failure), failure)
