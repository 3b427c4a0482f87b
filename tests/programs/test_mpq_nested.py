"""mpq on files with lists, maps and structs: as JSON, as JSON in cells, and refused where there is no form for them."""
import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet
from harness import check, check_equal, check_ok, check_refused, run

PATH = "nested.parquet"
FIX = pa.struct([("lat", pa.float64()), ("sats", pa.list_(pa.int32()))])
TYPES = {"id": pa.int32(), "xs": pa.list_(pa.float32()), "tags": pa.map_(pa.string(), pa.int64()),
         "counts": pa.map_(pa.int32(), pa.string()), "fix": FIX, "grid": pa.list_(pa.list_(pa.int16())),
         "marks": pa.list_(pa.struct([("at", pa.int32()), ("text", pa.string())]))}
ROWS = [
    {"id": 0, "xs": [0.5, None, 2.0], "tags": [("a", 1), ("b", None)], "counts": [(7, "x")],
     "fix": {"lat": 1.5, "sats": [3]}, "grid": [[1, 2], [], None], "marks": [{"at": 1, "text": "one, \"two\""}, None]},
    {"id": 1, "xs": [], "tags": [], "counts": [], "fix": {"lat": None, "sats": None}, "grid": [], "marks": []},
    {"id": 2, "xs": None, "tags": None, "counts": None, "fix": None, "grid": None, "marks": None},
]


def as_json(row):
    """The row as mpq says it: maps of text are objects, others pairs."""
    result = dict(row)
    if row["tags"] is not None:
        result["tags"] = dict(row["tags"])
    if row["counts"] is not None:
        result["counts"] = [{"key": key, "value": value} for key, value in row["counts"]]
    return result


def write(rows=None, **options):
    table = pa.Table.from_pylist(ROWS if rows is None else rows, pa.schema(TYPES))
    pa.parquet.write_table(table, PATH, **options)


def cat_json(*arguments):
    return [json.loads(line) for line in check_ok(run("mpq", "cat", "--json", *arguments, PATH)).stdout.splitlines()]


def cat_csv(*arguments):
    return list(csv.reader(io.StringIO(check_ok(run("mpq", "cat", *arguments, PATH)).stdout, newline="")))


def test_rows_as_json():
    for options in ({}, {"data_page_version": "2.0"}, {"compression": "none", "use_dictionary": False}):
        write(**options)
        check_equal(cat_json(), [as_json(row) for row in ROWS], options)


def test_chosen_columns_as_json():
    write()
    check_equal(cat_json("--columns", "grid,id"), [{"grid": row["grid"], "id": row["id"]} for row in ROWS])
    check_equal(cat_json("--columns", "fix.lat"), [{"fix": row["fix"] and {"lat": row["fix"]["lat"]}} for row in ROWS])
    check_equal(cat_json("--columns", "fix"), [{"fix": row["fix"]} for row in ROWS])
    check_equal(cat_json("--columns", "tags.key_value.key")[0], {"tags": {"a": None, "b": None}})
    check_equal(cat_json("--where", "fix.lat > 1", "--columns", "id,xs"), [{"id": 0, "xs": ROWS[0]["xs"]}])


def test_structs_are_columns_of_csv():
    write()
    check_equal(cat_csv("--columns", "id,fix.lat"), [["id", "fix.lat"], ["0", "1.5"], ["1", ""], ["2", ""]])


def test_lists_in_csv():
    write()
    for columns in ("xs", "tags", "fix"):
        check_refused(run("mpq", "cat", "--columns", columns, PATH), "holds lists", "--lists json", "by --json")
    found = cat_csv("--lists", "json")
    check_equal(found[0], ["id", "xs", "tags", "counts", "fix.lat", "fix.sats", "grid", "marks"])
    for line, row in zip(found[1:], map(as_json, ROWS)):
        cells = dict(zip(found[0], line))
        for name in ("xs", "tags", "counts", "grid", "marks"):
            check_equal(json.loads(cells[name] or "null"), row[name], name)
        check_equal(json.loads(cells["fix.sats"] or "null"), row["fix"] and row["fix"]["sats"], "fix.sats")


def test_lists_in_a_table():
    write()
    lines = check_ok(run("mpq", "head", PATH)).stdout.splitlines()
    check_equal(lines[0].split(), ["id", "xs", "tags", "counts", "fix.lat", "fix.sats", "grid", "marks"])
    check("[0.5,null,2]" in lines[1] and '{"a":1,"b":null}' in lines[1], lines[1])
    check_equal(lines[3].split(), ["2"] + ["null"] * 7)


def test_any_rows_of_many_row_groups():
    rows = [{**ROWS[0], "id": i, "xs": [float(i)] * (i % 5), "grid": [[i % 100] * 3] * (i % 3)} for i in range(500)]
    write(rows, row_group_size=60, data_page_size=64)
    everything = [as_json(row) for row in rows]
    check_equal(cat_json(), everything)
    for skip, count in ((0, 1), (59, 3), (60, 1), (247, 100), (499, 5), (600, 2)):
        found = check_ok(run("mpq", "head", "--json", "--skip", str(skip), "-n", str(count), PATH)).stdout.splitlines()
        check_equal([json.loads(line) for line in found], everything[skip:skip + count], f"{skip}, {count}")
    found = check_ok(run("mpq", "tail", "--json", "-n", "70", PATH)).stdout.splitlines()
    check_equal([json.loads(line) for line in found], everything[-70:], "the last ones")


def test_a_row_longer_than_any_buffer():
    rows = [{**ROWS[2], "id": i, "xs": [float(n % 1000) for n in range(300_000 * i)]} for i in range(3)]
    write(rows, compression="none", use_dictionary=False, data_page_size=1024)
    check_equal(cat_json("--columns", "id,xs"), [{"id": row["id"], "xs": row["xs"]} for row in rows])


def test_verify_decodes_lists():
    for options in ({}, {"data_page_version": "2.0", "data_page_size": 100}, {"compression": "none", "use_dictionary": False}):
        write([{**row, "id": i} for i, row in enumerate(ROWS * 50)], row_group_size=40, **options)
        verified = check_ok(run("mpq", "verify", "--strict", PATH))
        check("all of it holds" in verified.stdout, verified.stdout)


def test_columns_that_disagree():
    """Each column of a list is whole, but they are of two files with lists of other lengths."""
    kind = pa.list_(pa.field("element", pa.struct([pa.field(name, pa.int32(), nullable=False) for name in "xy"]), nullable=False))
    options = {"compression": "none", "use_dictionary": False, "store_schema": False, "write_statistics": False}
    for path, lengths in ((PATH, (2, 1)), ("other.parquet", (1, 2))):
        rows = [[{"x": 1, "y": 2}] * length for length in lengths]
        pa.parquet.write_table(pa.table({"a": pa.array(rows, kind)}), path, **options)
    chunk = pa.parquet.ParquetFile(PATH).metadata.row_group(0).column(1)
    place = slice(chunk.data_page_offset, chunk.data_page_offset + chunk.total_compressed_size)
    with open(PATH, "rb") as file, open("other.parquet", "rb") as other:
        mixed = bytearray(file.read())
        mixed[place] = other.read()[place]
    with open(PATH, "wb") as file:
        file.write(mixed)
    check_equal(cat_json("--columns", "a.list.element.y"), [{"a": [{"y": 2}]}, {"a": [{"y": 2}] * 2}])
    verified = run("mpq", "verify", PATH)
    check_equal(verified.returncode, 1, verified.stdout)
    check("after row 0: column a.list.element.y: its lists do not go with those of other columns" in verified.stdout,
          verified.stdout)
    check_refused(run("mpq", "cat", "--json", PATH), "column a.list.element.y is damaged")


def test_damaged_lists():
    write(compression="none", use_dictionary=False)
    chunk = next(chunk for chunk in map(pa.parquet.ParquetFile(PATH).metadata.row_group(0).column, range(20))
                 if chunk.path_in_schema == "xs.list.element")
    with open(PATH, "rb+") as file:
        file.seek(chunk.data_page_offset + 40)
        damaged = bytes(255 - byte for byte in file.read(8))
        file.seek(chunk.data_page_offset + 40)
        file.write(damaged)
    check_equal(run("mpq", "verify", PATH).returncode, 1)
