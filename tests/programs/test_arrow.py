"""Arrow streams out of files and into them, as Python takes and gives them: pyarrow, Polars and DuckDB."""
import datetime
import decimal
import importlib
import os
import pathlib
import random
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


def check_written(table, codec=None):
    """Writes a table, and reads it by every reader, and by what our own stream gives, which is written again."""
    module().write(table, "nested.parquet", codec=codec)
    check_ok(run("mpq", "verify", "nested.parquet"))
    rows = table.to_pylist()
    check_equal(pa.parquet.read_table("nested.parquet", page_checksum_verification=True).to_pylist(), rows)
    found = pa.table(module().read("nested.parquet"))
    found.validate(full=True)
    check_equal(found.to_pylist(), rows)
    module().write(module().read("nested.parquet"), "again.parquet")
    check_equal(pa.parquet.read_table("again.parquet").to_pylist(), rows)
    pa.parquet.write_table(table, "theirs.parquet")
    check_equal(duckdb.read_parquet("nested.parquet").fetchall(), duckdb.read_parquet("theirs.parquet").fetchall())
    check_equal(polars.read_parquet("nested.parquet").rows(), polars.read_parquet("theirs.parquet").rows())


def test_lists_structs_and_maps_of_a_stream_are_written():
    table = pa.Table.from_pylist(NESTED_ROWS * 300, schema=NESTED)
    for part in (table, table.slice(3, 601), table.slice(5, 0), pa.concat_tables([table.slice(1, 2), table.slice(8, 9), table.slice(2, 1)])):
        check_written(part)
    check_written(table, "zstd")
    check_equal(pa.table(module().read("nested.parquet")).schema, pa.table(module().read("theirs.parquet")).schema.remove_metadata())


def test_lists_of_other_layouts_are_written():
    numbers = pa.array([1, None, 3, 4, 5, 6], pa.int32())
    words = pa.array(["a", None, "a text that is longer than twelve bytes", "a", "", "b"])
    required = pa.field("item", pa.int32(), nullable=False)
    layouts = {
        "large": pa.LargeListArray.from_arrays([0, 2, 2, 6], numbers),
        "fixed": pa.FixedSizeListArray.from_arrays(numbers, 2),
        "views": pa.ListArray.from_arrays([0, 1, 5, 6], words.cast(pa.string_view())),
        "dictionary": pa.ListArray.from_arrays([0, 1, 5, 6], words.dictionary_encode()),
        "flags": pa.ListArray.from_arrays([0, 3, 3, 6], pa.array([True, None, False] * 2)),
        "required": pa.array([[1], [], [2, 3]], pa.list_(required)),
        "seconds": pa.array([[1, None], None, [3]], pa.list_(pa.timestamp("s"))),
        "narrow": pa.array([[-1, None], None, [3]], pa.list_(pa.int8())),
    }
    table = pa.table(layouts)
    check_written(table)
    check_written(table.slice(1, 2))
    check_written(pa.concat_tables([table] * 900).combine_chunks(), "snappy")
    written = pa.parquet.ParquetFile("nested.parquet").schema_arrow
    check_equal([written.field("required").type.value_field.nullable, written.field("large").type.value_field.nullable], [False, True])


def test_what_nulls_hide_is_not_written():
    far = 1 << 60  # seconds that no file has
    hidden = pa.array([False, True, False])
    times = pa.array([1, 2, far, far, 5, 6], pa.timestamp("s"))
    lists = pa.ListArray.from_arrays(pa.array([0, 2, 4, 6], pa.int32()), times, mask=hidden)
    fixed = pa.FixedSizeListArray.from_arrays(times, 2, mask=hidden)
    inside = pa.StructArray.from_arrays([pa.array([7, None, 9], pa.int32()), pa.array([1, far, 3], pa.timestamp("s"))],
                                        fields=[pa.field("n", pa.int32(), nullable=False), pa.field("t", pa.timestamp("s"))], mask=hidden)
    views = pa.StructArray.from_arrays([pa.array(["a", "secret", "b"], pa.string_view())], ["s"], mask=hidden)
    table = pa.table({"lists": lists, "fixed": fixed, "struct": inside, "views": views,
                      "both": pa.StructArray.from_arrays([lists], ["x"], mask=pa.array([True, False, False]))})
    module().write(table, "hidden.parquet")
    check_ok(run("mpq", "verify", "hidden.parquet"))
    check_equal(pa.parquet.read_table("hidden.parquet").to_pylist(), table.to_pylist())
    check_equal(table.to_pylist()[1], {name: None for name in ("lists", "fixed", "struct", "views")} | {"both": {"x": None}})
    check(b"secret" not in pathlib.Path("hidden.parquet").read_bytes())


def test_pages_of_lists_begin_with_rows():
    lengths = [(n * 7919) % 61 for n in range(30000)]
    ends = [0]
    for length in lengths:
        ends.append(ends[-1] + length)
    values = pa.array([n % 1000 if n % 11 else None for n in range(ends[-1])], pa.int32())
    offsets = pa.array(ends, pa.int32())
    structs = pa.StructArray.from_arrays([values, values.cast(pa.float64()), values.cast(pa.string())], ["n", "x", "s"])
    table = pa.table({"structs": pa.ListArray.from_arrays(offsets, structs), "n": pa.array(range(len(lengths)), pa.int64()),
                      "word": pa.array([f"w{n % 5000}" for n in range(len(lengths))])})
    module().write(table, "long.parquet")
    check_ok(run("mpq", "verify", "long.parquet"))
    check(pa.parquet.read_table("long.parquet").equals(table))
    pa.parquet.write_table(table, "theirs.parquet")
    for reader in (lambda path: duckdb.sql(f"SELECT sum(len(structs)), sum(n), sum(list_sum([s.n FOR s IN structs])) FROM '{path}'").fetchall(),
                   polars.read_parquet):
        ours, theirs = reader("long.parquet"), reader("theirs.parquet")
        check(ours.equals(theirs) if isinstance(ours, polars.DataFrame) else ours == theirs)


def test_what_rows_take_is_foreseen():
    lot = random.Random(1)
    for count, length in ((40000, 5), (1000, 200)):  # of the long ones only a few are looked at
        items = count * length
        counters = pa.ListArray.from_arrays(pa.array(range(0, items + 1, length), pa.int32()), pa.array(range(items)))
        noise = pa.FixedSizeListArray.from_arrays(pa.array([lot.random() for _ in range(2 * items)]), 2 * length)
        module().write(pa.table({"counters": counters, "noise": noise}), "foreseen.parquet")
        row_group = pa.parquet.ParquetFile("foreseen.parquet").metadata.row_group(0)
        check_equal(row_group.num_rows, count)
        chunks = sum(row_group.column(n).total_compressed_size for n in range(row_group.num_columns))
        check(os.path.getsize("foreseen.parquet") < 1.25 * chunks, os.path.getsize("foreseen.parquet"), chunks)


def drawn_type(lot, depth, lists=0):
    kind = lot.randrange(10) if depth != 0 else 0
    if lists == 3 and kind > 5:
        kind = 4
    inside = lambda more=1: pa.field("item", drawn_type(lot, depth - 1, lists + more), nullable=lot.random() < 0.7)
    if kind < 4:
        return lot.choice([pa.int32(), pa.int64(), pa.float32(), pa.float64(), pa.bool_(), pa.string(), pa.large_string(), pa.uint8(), pa.binary(3),
                           pa.large_binary(), pa.timestamp("us"), pa.decimal128(25, 3), pa.string_view()])
    if kind < 6:
        return pa.struct([inside(0).with_name(f"m{n}") for n in range(lot.randrange(1, 4))])
    return [pa.list_(inside()), pa.large_list(inside()), pa.list_(inside(), lot.randrange(1, 4)),
            pa.map_(lot.choice([pa.int32(), pa.string()]), inside())][kind - 6]


def drawn_value(lot, field):
    kind = field.type
    if field.nullable and lot.random() < 0.2:
        return None
    count = lot.choice([0, 1, 1, 2, 8, lot.randrange(40)])
    if pa.types.is_struct(kind):
        return {kind.field(n).name: drawn_value(lot, kind.field(n)) for n in range(kind.num_fields)}
    if pa.types.is_map(kind):
        return [(drawn_value(lot, kind.key_field), drawn_value(lot, kind.item_field)) for _ in range(count)]
    if pa.types.is_fixed_size_list(kind):
        return [drawn_value(lot, kind.value_field) for _ in range(kind.list_size)]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [drawn_value(lot, kind.value_field) for _ in range(count)]
    number = lot.randrange(200)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return b"%03d" % number
    if pa.types.is_boolean(kind):
        return number % 2 == 0
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view()
    return "x" * (number % 17) + str(number) if text else decimal.Decimal(number) if pa.types.is_decimal(kind) else number


def test_schemas_drawn_by_lot():
    for seed in range(150 if os.environ.get("MICROPARQUET_LONG") == "1" else 12):
        lot = random.Random(seed)
        schema = pa.schema([pa.field(f"c{n}", drawn_type(lot, 3), nullable=lot.random() < 0.8) for n in range(lot.randrange(1, 4))])
        count = lot.choice([1, 7, 300])
        table = pa.Table.from_arrays([pa.array([drawn_value(lot, field) for _ in range(count)], field.type) for field in schema], schema=schema)
        table = table.slice(lot.randrange(2), count)
        module().write(table, "drawn.parquet", codec=lot.choice([None, "zstd"]))
        check_ok(run("mpq", "verify", "drawn.parquet"))
        check_equal(pa.parquet.read_table("drawn.parquet").to_pylist(), table.to_pylist(), f"{seed}: {schema}")
        module().write(module().read("drawn.parquet"), "again.parquet")
        check_equal(pa.table(module().read("again.parquet")).to_pylist(), table.to_pylist(), f"{seed}: {schema}")


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
    deep = pa.int32()
    for _ in range(14):
        deep = pa.struct([("a", deep)])
    for kind, value, words in ((pa.null(), None, "column odd is of a type that is not written"),
                               (pa.list_view(pa.int32()), [1], "column odd is of a type that is not written"),
                               (pa.list_(pa.null()), [None], "column odd.element is of a type that is not written"),
                               (pa.struct([]), {}, "column odd is a struct without members"),
                               (pa.struct([("a", pa.int32()), ("a", pa.int64())]), None, "column odd.a is there twice"),
                               (pa.struct([("x" * 128, pa.int32())]), None, "one of more than 127 bytes"),
                               (pa.list_(pa.list_(pa.list_(pa.list_(pa.int32())))), None,
                                "column odd.element.element.element is a list in three others"),
                               (deep, None, "lies deeper than 14 names")):
        try:
            module().write(pa.table({"odd": pa.array([value], kind)}), old)
            check(False, "was written", kind)
        except module().Error as failure:
            check(words in str(failure), failure)
    for values, words in ((["x" * (1 << 20)], "a text is longer than a page"),
                          ([[0.5] * (1 << 16)], "a row of column long.list.element is longer than a page"),
                          ([[1] * (1 << 20)], "a row of column long.list.element is longer than a page"),
                          ([[1] * ((1 << 20) + 1)], "has a row of more than 1,048,576 elements")):
        try:
            module().write(pa.table({"long": pa.array(values)}), old)
            check(False, "was written")
        except module().Error as failure:
            check(words in str(failure), failure)
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
