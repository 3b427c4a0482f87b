"""Values in their units, by scale.NAME and offset.NAME: in every program the stored value times the scale, and the offset added."""
import csv
import importlib
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import pyarrow as pa
import pyarrow.parquet
from harness import check, check_equal, check_ok, check_refused, command, root_folder, run

TYPES = {"int8": pa.int8(), "uint16": pa.uint16(), "int32": pa.int32(), "uint32": pa.uint32(), "int64": pa.int64(), "uint64": pa.uint64(),
         "float": pa.float32(), "double": pa.float64(), "flag": pa.bool_(), "half": pa.float16(), "money": pa.decimal128(9, 2)}


def module():
    folder = root_folder() / "port" / "desktop" / "arrow" / "python"
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
        os.environ["MICROPARQUET_ARROW"] = str(pathlib.Path(command("libmicroparquet_arrow.so")[0]))
    return importlib.import_module("microparquet")


def values_of(kind, generator, rows):
    if pa.types.is_boolean(kind):
        values = [generator.random() < 0.5 for _ in range(rows)]
    elif pa.types.is_decimal(kind):
        return [None if i % 7 == 3 else f"{generator.randrange(-10**8, 10**8) / 100:.2f}" for i in range(rows)]
    elif pa.types.is_floating(kind):
        values = [generator.choice((0.0, 1.5, generator.uniform(-1000, 1000))) for _ in range(rows)]
    else:
        low = 0 if str(kind).startswith("u") else -2**(kind.bit_width - 1)
        values = [generator.choice((low, low + 2**kind.bit_width - 1, generator.randrange(low, low + 2**kind.bit_width))) for _ in range(rows)]
    return [None if i % 7 == 3 else value for i, value in enumerate(values)]


def write(path, seed=1, rows=200):
    """Columns of all types of numbers with scales and offsets, and the values that they stand for."""
    generator = random.Random(seed)
    columns, keys, expected = {}, {}, {}
    for name, kind in TYPES.items():
        array = pa.array(values_of(kind, generator, rows), pa.string() if name == "money" else pa.float32() if name == "half" else kind).cast(kind)
        scale, offset = generator.choice(((0.25, -50), (0.1, 0), (1, 4), (-62.5, 250), (1e-3, -0.5)))
        columns[name] = array
        keys |= ({f"scale.{name}": repr(scale)} if scale != 1 else {}) | ({f"offset.{name}": repr(offset)} if offset else {})
        stored = [None if value is None else float(value) if name != "money" else int(value.scaleb(2)) / 100.0 for value in array.to_pylist()]
        expected[name] = [None if value is None else value * scale + offset for value in stored]
    columns["plain"] = pa.array(range(rows), pa.int64())
    columns["day"] = pa.array(range(rows), pa.int32()).cast(pa.date32())
    columns["text"] = pa.array(["word"] * rows)
    keys |= {"scale.day": "2", "offset.text": "3"}
    pa.parquet.write_table(pa.table(columns).replace_schema_metadata(keys), path)
    return expected


def wrong(found, expected):
    """How many cells are others; NaN is one value."""
    check_equal(len(found), len(expected))
    return sum(a != b and not (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b)) for a, b in zip(found, expected))


def wrong_cells(path, expected):
    """The wrong cells that mpq cat as CSV and as JSON, mpq head and Python's read() give together."""
    text = check_ok(run("mpq", "cat", "--physical", path)).stdout
    lines = list(csv.DictReader(text.splitlines()))
    objects = [json.loads(line) for line in check_ok(run("mpq", "cat", "--json", "--physical", path)).stdout.splitlines()]
    table = pa.table(module().read(path, physical=True))
    count = 0
    for name, values in expected.items():
        count += wrong([float(line[name]) if line[name] else None for line in lines], values)
        count += wrong([None if line[name] is None else float(line[name]) for line in objects], values)
        check_equal(table[name].type, pa.float64(), name)
        count += wrong(table[name].to_pylist(), values)
    return count


def test_every_type():
    for seed in range(3):
        expected = write("log.parquet", seed)
        check_equal(wrong_cells("log.parquet", expected), 0)
        for plain in ("plain", "day", "text"):
            stored = pa.parquet.read_table("log.parquet")[plain]
            check_equal(pa.table(module().read("log.parquet", physical=True))[plain].to_pylist(), stored.to_pylist(), plain)
            check_equal([line[plain] for line in csv.DictReader(check_ok(run("mpq", "cat", "--physical", "log.parquet")).stdout.splitlines())],
                        [str(value) for value in stored.to_pylist()], plain)


def test_values_stay_as_stored_otherwise():
    write("log.parquet")
    check_equal(pa.table(module().read("log.parquet"))["int8"].type, pa.int8())
    check_equal(check_ok(run("mpq", "cat", "--columns", "int8", "log.parquet")).stdout.splitlines()[1:],
                ["" if value is None else str(value) for value in pa.parquet.read_table("log.parquet")["int8"].to_pylist()])


def test_a_plot_and_info():
    """4 to 20 mA of a pressure cell of 10 bar."""
    table = pa.table({"t_s": pa.array(range(100), pa.int64()), "cell": pa.array([4 + 16 * i / 99 for i in range(100)])})
    keys = {"unit.cell": "bar", "scale.cell": "0.625", "offset.cell": "-2.5"}
    pa.parquet.write_table(table.replace_schema_metadata(keys), "log.parquet")
    check("x 0.625 - 2.5 bar" in check_ok(run("mpq", "info", "log.parquet")).stdout)
    check_equal(json.loads(check_ok(run("mpq", "info", "--json", "log.parquet")).stdout)["columns"][1]["offset"], -2.5)
    lines = check_ok(run("mpq", "plot", "--ascii", "log.parquet")).stdout.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("cell"))
    axis = next(number for number, line in enumerate(lines) if line.startswith("t_s"))
    check_equal([lines[first].split()[-1], lines[axis - 1].split()[-1]], ["10", "0"])  # as high as the terminal allows
    check(lines[first + 1].startswith("  bar"))


def test_lists_and_offsets_that_are_none():
    table = pa.table({"l": pa.array([[1, 2], [], None, [3]], pa.list_(pa.int32())), "a": pa.array([1, 2, 3, 4], pa.int32())})
    keys = {"scale.l.list.element": "0.5", "offset.l.list.element": "1", "offset.a": "much", "scale.a": "0"}
    pa.parquet.write_table(table.replace_schema_metadata(keys), "log.parquet")
    rows = [json.loads(line) for line in check_ok(run("mpq", "cat", "--json", "--physical", "log.parquet")).stdout.splitlines()]
    check_equal(rows, [{"l": [1.5, 2], "a": 1}, {"l": [], "a": 2}, {"l": None, "a": 3}, {"l": [2.5], "a": 4}])
    check_equal(pa.table(module().read("log.parquet", physical=True)).to_pylist(), rows)
    check_refused(run("mpq", "meta", "--physical", "log.parquet"), "--physical", code=1)


def test_conditions_ask_what_is_stored():
    pa.parquet.write_table(pa.table({"a": pa.array([1, 2, 3], pa.int32())}).replace_schema_metadata({"offset.a": "100"}), "log.parquet")
    check_equal(check_ok(run("mpq", "cat", "--physical", "--where", "a >= 2", "log.parquet")).stdout, "a\n102\n103\n")
    follow = subprocess.run(command("mpq", "follow", "log.parquet", "--physical", "--rows", "3"), capture_output=True, text=True, timeout=60, check=True)
    check_equal(follow.stdout, "a\n101\n102\n103\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made_in:
        os.chdir(made_in)
        print("physical.wrong", wrong_cells("log.parquet", write("log.parquet")), "count")
