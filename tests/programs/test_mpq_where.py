"""mpq cat --where: which rows a condition is true of, and what is said of one that cannot be."""
import json
import os
import pathlib
import random

import pyarrow as pa
import pyarrow.parquet as pq
from harness import check, check_equal, check_ok, check_refused, command, run
from where_predicates import wrong_predicates


def rows(where, *arguments, path="w.parquet"):
    """The column `row` of those it prints."""
    lines = check_ok(run("mpq", "cat", "--columns", "row", "--where", where, *arguments, path)).stdout.splitlines()
    check_equal(lines[0], "row")
    return [int(line) for line in lines[1:]]


def write(columns, **options):
    count = len(next(iter(columns.values()))[1])
    arrays = {"row": pa.array(range(count), pa.int32())}
    arrays |= {name: pa.array(values, kind) for name, (kind, values) in columns.items()}
    pq.write_table(pa.table(arrays), "w.parquet", compression="none", **options)


def test_random_conditions():
    files, predicates = (100, 20) if os.environ.get("MICROPARQUET_LONG") else (25, 8)
    wrong, telling = wrong_predicates(command("mpq"), command("csv_log"), files, predicates, ".")
    check(not wrong, *wrong[:5])
    check(telling * 2 > files * predicates, "most conditions are true of all rows or of none", telling)


def test_precedence_and_three_values():
    write({"a": (pa.int32(), [1, 2, None, 3, None]), "ok": (pa.bool_(), [True, False, True, None, None])})
    check_equal(rows("a > 1 and ok or a = 3"), [3])
    check_equal(rows("a = 3 or a > 1 and not ok"), [1, 3])
    check_equal(rows("not a = 1"), [1, 3])
    check_equal(rows("not (a = 1 and ok)"), [1, 3])  # of row 3: false, since a is not 1
    check_equal(rows("not (a = 2 or ok)"), [])
    check_equal(rows("a = null or a <> null or not a = null"), [])
    check_equal(rows("a in (1, null)"), [0])
    check_equal(rows("a not in (1, null)"), [])
    check_equal(rows("not a in (1)"), [1, 3])
    check_equal(rows("ok"), [0, 2])
    check_equal(rows("not ok"), [1])
    check_equal(rows("a is null and ok is null"), [4])
    check_equal(rows("NOT a IS NOT NULL"), [2, 4])
    check_equal(rows("2 <= a"), [1, 3])
    check_equal(rows("a between 2 and 3"), [1, 3])
    check_equal(rows("not a between 2 and 3"), [0])


def test_not_a_number_and_zeros():
    """NaN equals NaN and comes after all numbers, as in DuckDB; statistics do not tell of it."""
    values = [1.0, float("nan"), -0.0, 0.0, None, float("inf")]
    for options in ({"write_statistics": True}, {"write_statistics": False}):
        write({"x": (pa.float64(), values), "y": (pa.float32(), values)}, row_group_size=3, write_page_index=True, **options)
        for name in "xy":
            check_equal(rows(f"{name} > 1e30"), [1, 5])
            check_equal(rows(f"{name} > 'inf'"), [1])
            check_equal(rows(f"{name} = 'nan'"), [1])
            check_equal(rows(f"{name} <> 'nan'"), [0, 2, 3, 5])
            check_equal(rows(f"{name} = 0"), [2, 3])
            check_equal(rows(f"{name} < 0 or {name} > -0"), [0, 1, 5])
            check_equal(rows(f"not {name} <= 'inf'"), [1])


def test_values_between_those_of_a_column():
    write({"i": (pa.int8(), [1, 2, None]), "u": (pa.uint64(), [0, 2**64 - 1, None]),
           "t": (pa.timestamp("ms"), [0, 1, None]), "d": (pa.decimal128(4, 2), [1, 2, None])})
    check_equal(rows("i < 1.5"), [0])
    check_equal(rows("i = 1.5 or i = 1e30"), [])
    check_equal(rows("i <> 1.5"), [0, 1])
    check_equal(rows("i > -1e30 and i < 1e1000000000000000000000"), [0, 1])
    check_equal(rows("u > -0.5 and u < 18446744073709551615.1"), [0, 1])
    check_equal(rows("u = 18446744073709551615"), [1])
    check_equal(rows("t > '1970-01-01T00:00:00.0009'"), [1])
    check_equal(rows("t >= '1970-01-01 00:00'"), [0, 1])
    check_equal(rows("d < 1.001"), [0])
    check_equal(rows("d = 1.00 or d = 2e0"), [0, 1])


def test_int96():
    """Compared as time, though statistics do not tell of it; years beyond what nanoseconds reach, too."""
    import datetime
    moments = [datetime.datetime(2026, 1, 1, 0, 0, 0, 1), datetime.datetime(1969, 12, 31, 23, 59, 59), None,
               datetime.datetime(1970, 1, 1), datetime.datetime(2261, 1, 1)]
    arrays = {"row": pa.array(range(5), pa.int32()), "t": pa.array(moments, pa.timestamp("us"))}
    pq.write_table(pa.table(arrays), "w.parquet", use_deprecated_int96_timestamps=True, row_group_size=2, write_page_index=True)
    check_equal(rows("t < '1970-01-01'"), [1])
    check_equal(rows("t = '1970-01-01T00:00:00' or t is null"), [2, 3])
    check_equal(rows("t > '2026-01-01T00:00:00.000000999'"), [0, 4])
    check_equal(rows("t between '1969-12-31T23:59:59' and '2026-01-01T00:00:00.000001Z'"), [0, 1, 3])
    check_equal(rows("t not in ('1970-01-01', '2261-01-01')"), [0, 1])
    check_equal(rows("t < '9999-01-01' and t > '-0500-01-01'"), [0, 1, 3, 4])
    refused("t = 5", "5", "int96 timestamp", "a time such as")


def test_names():
    write({"in": (pa.int32(), [1, 2]), 'a "b" c': (pa.string(), ["it's", ""]), "\u00e4.x": (pa.int32(), [1, 2])})
    check_equal(rows('"in" = 1'), [0])
    check_equal(rows("""\"a ""b"" c\" = 'it''s'"""), [0])
    check_equal(rows("""\"a ""b"" c\" = ''"""), [1])
    check_equal(rows("\u00e4.x > 1"), [1])


def refused(where, marked, *parts):
    """The message, and marks under that part of the condition."""
    result = run("mpq", "cat", "--where", where, "w.parquet")
    check_refused(result, *parts)
    text, marks = result.stderr.splitlines()[-2:]
    check_equal(text, "  " + where)
    first = marks.index("^")
    check_equal(text[first:len(marks)], marked, where)
    check_equal(result.stdout, "")


def test_messages_point_at_the_word():
    write({"a": (pa.int32(), [1]), "s": (pa.string(), ["x"]), "t": (pa.timestamp("us", "UTC"), [0]),
           "l": (pa.list_(pa.int32()), [[1]])})
    refused("a > 1 and temprature < 2", "temprature", "no such column", "row, a, s, t")
    refused("a > 'x'", "'x'", "a is int32", "expected a number")
    refused("a in (1, 2, true)", "true", "expected a number")
    refused("s = 5", "5", "s is string", "single quotes")
    refused("t > '2026-02-30'", "'2026-02-30'", "expected a time such as")
    refused("a = 1 a = 2", "a", "expected AND, OR")
    refused("a like 'x'", "like", "expected AND, OR")
    refused("a =", "", "expected a value")
    refused("(a = 1", "", "expected )")
    refused("s = 'x", "'x", "not closed")
    refused("a & 1", "&", "means nothing")
    refused("a", "a", "neither true nor false")
    refused("l.list.element = 1", "l.list.element", "lists")
    refused("a = 1e", "1e", "this is no number")
    refused("a is 5", "5", "expected NULL")
    refused("(" * 300 + "a = 1" + ")" * 300, "(", "nested deeper")
    refused("not", "", "expected a column")
    check_refused(run("mpq", "cat", "--where", "", "w.parquet"), "expected a column")


def test_row_groups_that_cannot_match_are_not_read():
    """Damage in them is not seen."""
    write({"a": (pa.int32(), [i // 10 for i in range(100)])}, row_group_size=10, use_dictionary=False, write_page_checksum=True)
    place = pq.read_metadata("w.parquet").row_group(3).column(1)
    with open("w.parquet", "r+b") as file:
        file.seek(place.data_page_offset + place.total_compressed_size - 2)
        file.write(b"!")
    check_equal(rows("a = 5 or a > 8"), [*range(50, 60), *range(90, 100)])
    check_refused(run("mpq", "cat", "--where", "a = 3", "w.parquet"), "checksum")


def test_head_of_matching_rows():
    write({"a": (pa.int32(), list(range(100)))}, row_group_size=10)
    lines = check_ok(run("mpq", "head", "-n", "2", "--csv", "--where", "a >= 55", "w.parquet")).stdout.splitlines()
    check_equal(lines, ["row,a", "55,55", "56,56"])


def parts(kind):
    """Parts of this kind in the file."""
    listed = check_ok(run("mpq", "pages", "--json", "w.parquet")).stdout.splitlines()
    return [part for part in map(json.loads, listed) if part["kind"] == kind]


def write_indexed(**options):
    write({"a": (pa.int32(), [i // 3 for i in range(600)]), "n": (pa.int64(), [None if i < 90 or i % 7 == 0 else i for i in range(600)]),
           "s": (pa.string(), [f"{i:04}" for i in range(600)])},
          write_page_index=True, max_rows_per_page=50, write_batch_size=10, write_page_checksum=True, **options)


def damage(offset, byte):
    with open("w.parquet", "r+b") as file:
        file.seek(offset)
        file.write(bytes([byte]))


def test_pages_that_cannot_match_are_not_read():
    for dictionary in (False, True):
        write_indexed(use_dictionary=dictionary)
        pages = [part for part in parts("data_page") if part["column"] in ("a", "row")]
        check_equal(len(pages), 24)
        for page in pages:
            if page["offset"] not in (pages[4]["offset"], pages[16]["offset"], pages[0]["offset"], pages[12]["offset"]):
                damage(page["offset"] + page["bytes"] - 1, 0xEE)
        check_equal(rows("a between 70 and 80"), list(range(210, 243)))
        check_refused(run("mpq", "cat", "--columns", "row", "--where", "a = 90", "w.parquet"), "checksum")


def test_bloom_filters():
    """A value within the bounds that no row has, by its bloom filter, is not looked for: damage is not seen."""
    values = {"i": (pa.int32(), [i * 2 for i in range(200)]), "l": (pa.int64(), [i * 2 for i in range(200)]),
              "x": (pa.float64(), [i * 2.0 for i in range(200)]), "s": (pa.string(), [f"{i * 2:04}" for i in range(200)])}
    write(values, bloom_filter_options={name: {"ndv": 200, "fpp": 0.0001} for name in values}, write_page_checksum=True)
    for page in parts("data_page"):
        damage(page["offset"] + page["bytes"] - 1, 0xEE)
    for absent in ("i = 7", "l = 7", "x = 7", "s = '0007'", "i in (1, 3, 5)", "i = 7 or l = 9"):
        check_equal(rows(absent), [], absent)
    for there in ("i = 8", "l in (7, 8)", "x = 8", "s = '0008'", "x = 0", "i <> 7"):
        check_refused(run("mpq", "cat", "--where", there, "w.parquet"), "checksum")


def test_hostile_indexes():
    """A wrong byte in an offset index gives the same rows or a message; one in a column index never other rows."""
    r = random.Random(5)
    write_indexed(use_dictionary=["s"])
    conditions = {where: rows(where) for where in ("a in (3, 90, 170)", "n is null", "n > 400 or s < '0060'", "s = '0333'")}
    with open("w.parquet", "rb") as file:
        whole = file.read()
    for kind in ("offset_index", "column_index"):
        for part in parts(kind):
            for _ in range(60 if os.environ.get("MICROPARQUET_LONG") else 12):
                at = part["offset"] + r.randrange(part["bytes"])
                damage(at, r.choice([whole[at] ^ 1 << r.randrange(8), r.randrange(256)]))
                where = r.choice(list(conditions))
                result = run("mpq", "cat", "--columns", "row", "--where", where, "w.parquet")
                check(result.returncode in (0, 1), result.returncode, result.stderr)
                found = [int(line) for line in result.stdout.splitlines()[1:]]
                if kind == "offset_index" and result.returncode == 0:
                    check_equal(found, conditions[where], (where, at))
                check(set(found) <= set(conditions[where]), "rows that do not match", where, at)
                damage(at, whole[at])


def edited(kind, edit):
    """A small file of every kind of column whose structures of a kind are changed; its values of a column, printed."""
    import good_file
    pathlib.Path("w.parquet").write_bytes(good_file.write(hook=lambda found, structure: edit(structure) if found == kind else None))


def ids(where):
    lines = check_ok(run("mpq", "cat", "--columns", "id", "--where", where, "w.parquet")).stdout.splitlines()
    return [int(line) for line in lines[1:]]


def lie(chunk, **more):
    """The bounds of `id` leave most of its values out."""
    if chunk["meta_data"]["path_in_schema"] == ["id"]:
        statistics = chunk["meta_data"]["statistics"]
        bound = statistics.get("min_value", statistics.get("min"))
        for name in list(statistics):
            if "m" in name and name != "null_count":
                del statistics[name]
        statistics.update({name: bound for name in more["names"]})


def test_bounds_count_where_their_order_is_known():
    import good_file
    everything = list(range(good_file.ROWS))
    new, old = ("min_value", "max_value"), ("min", "max")
    edited("chunk", lambda chunk: lie(chunk, names=new))
    check_equal(ids("id > 5"), everything[12:])  # the bounds of the first row group are believed

    def without_orders(structure, names, orders):
        if "schema" in structure:
            structure.pop("column_orders") if orders is None else structure.update(column_orders=orders(structure["column_orders"]))
        elif "meta_data" in structure:
            lie(structure, names=names)
    for names, orders, believed in ((new, None, False), (old, None, True), (old, list, False),
                                    (new, lambda known: known[:-1], False),
                                    (new, lambda known: [{"IEEE_754_TOTAL_ORDER": {}}] * len(known), False)):
        pathlib.Path("w.parquet").write_bytes(good_file.write(hook=lambda kind, found, names=names, orders=orders: without_orders(
            found, names, orders) if kind in ("chunk", "footer") else None))
        check_equal(ids("id > 5"), everything[12:] if believed else everything[6:], (names, orders))


def test_truncated_bounds():
    """Text whose bounds are cut, and the greatest one raised."""
    import good_file
    pathlib.Path("w.parquet").write_bytes(good_file.write())
    for text in (good_file.LONG, good_file.LONG[:32], good_file.ACCENTED, good_file.ACCENTED[:31], "z" * 30 + "{"):
        for sign, holds in (("=", str.__eq__), ("<", str.__lt__), (">=", str.__ge__), ("<>", str.__ne__)):
            name = next(c.element["name"] for c in good_file.columns() if c.statistics is good_file.text)
            values = next(c.values for c in good_file.columns() if c.statistics is good_file.text)
            texts = [v.decode() if isinstance(v, bytes) else v for v in values]
            expected = [i for i, v in enumerate(texts) if v is not None and holds(v, text)]
            check_equal(ids(f"{name} {sign} '{text}'"), expected, (sign, text))
