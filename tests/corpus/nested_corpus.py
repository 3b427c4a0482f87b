"""Nested files of other writers, read row by row, item by item and in batches of items."""

import hashlib
import random
import struct
import subprocess

import corpus_files
import nested_values
import pyarrow
import pyarrow.parquet

BUFFERS = (64, 512, 1 << 17)

# A file that pyarrow does not read: a map whose keys are optional.
BY_HAND = {"incorrect_map_schema": ["(x706172656e74:x616e6f74686572,x6e616d65:x7265706f7274)"]}

# Damaged files, and what their columns come to: too few values in one of them; repetition levels that begin with 1;
# too few repetition levels.
BAD_DATA = {"ARROW-GH-41321": "corrupt", "ARROW-GH-45185": "corrupt", "ARROW-RS-GH-6229-LEVELS": "corrupt",
            "non_list_repeated_field": "corrupt"}


def dump(program, path, *options):
    """The output of dump_records: its lines, and the status."""
    command = [program, str(path), *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-3000:]}")
    *lines, status = done.stdout.splitlines()
    return lines, status.removeprefix("status ")


def difference(expected, found):
    for number, (left, right) in enumerate(zip(expected, found)):
        if left != right:
            return f"line {number}: expected {left[:200]!r}, found {right[:200]!r}"
    return None if len(expected) == len(found) else f"{len(found)} lines, expected {len(expected)}"


def expected_rows(path):
    """The committed rows, as make_expected.py wrote them."""
    if path.stem in BY_HAND:
        return BY_HAND[path.stem]
    expected = corpus_files.expected_values()[path.stem]
    if hashlib.sha256("\n".join(expected.lines).encode()).hexdigest() != expected.digest:
        raise RuntimeError(f"{path.stem}: expected.txt has not all of it")
    return expected.lines[1:]


def check_rows(program, counts, name, path, expected):
    """A dictionary, or a page that is compressed, may not fit in a small buffer; then nothing is printed of its row group."""
    for buffer_bytes in BUFFERS:
        found, status = dump(program, path, "--buffer-bytes", buffer_bytes)
        small = buffer_bytes < BUFFERS[-1] and status in ("out of memory", "value too large")
        problem = difference(expected[:len(found)], found) if small else difference(expected, found)
        counts.check(f"{name} by records through {buffer_bytes} bytes",
                     problem or (None if small or status == "end" else f"status {status}"))


def test_nested_corpus(program, counts):
    for path in sorted((corpus_files.FILES / "nested").glob("*.parquet")):
        check_rows(program, counts, path.stem, path, expected_rows(path))
    for name, expected in BAD_DATA.items():
        for by in ("records", "items", "batches"):
            _, status = dump(program, corpus_files.FILES / "bad_data" / f"{name}.parquet", "--by", by, "--buffer-bytes", 1 << 17)
            counts.check(f"{name} by {by}", None if status == expected else f"status {status}, expected {expected}")


# Random files that pyarrow 26 writes and cannot read: "Struct child array has length smaller than expected".
NOT_BY_PYARROW = {23}

# Random schemas and rows. A type is (kind, nullable, members).
LEAVES = {"bool": pyarrow.bool_(), "int32": pyarrow.int32(), "int64": pyarrow.int64(), "double": pyarrow.float64(),
          "string": pyarrow.string(), "fixed": pyarrow.binary(3)}


def random_type(r, depth, nullable=None):
    nullable = r.random() < 0.6 if nullable is None else nullable
    kind = r.choice(["leaf"] * (5 - depth) + ["list", "list", "struct", "map"] * (depth < 4))
    if kind == "leaf":
        return (r.choice(sorted(LEAVES)), nullable, ())
    if kind == "list":
        return (kind, nullable, (random_type(r, depth + 1),))
    if kind == "map":
        return (kind, nullable, ((r.choice(["string", "int32"]), False, ()), random_type(r, depth + 1)))
    return (kind, nullable, tuple(random_type(r, depth + 1) for _ in range(r.randint(1, 3))))


def arrow_type(of):
    kind, _, members = of
    if kind in LEAVES:
        return LEAVES[kind]
    fields = [pyarrow.field(f"m{place}", arrow_type(member), nullable=member[1]) for place, member in enumerate(members)]
    if kind == "list":
        return pyarrow.list_(fields[0].with_name("element"))
    return pyarrow.map_(fields[0].type, fields[1].with_name("value")) if kind == "map" else pyarrow.struct(fields)


def random_value(r, of, shape):
    """`shape`: how often there is nothing, and how long lists are."""
    kind, nullable, members = of
    if nullable and r.random() < shape["nulls"]:
        return None
    if kind == "list" or kind == "map":
        count = 0 if r.random() < shape["empty"] else r.randint(1, shape["longest"])
        if kind == "list":
            return [random_value(r, members[0], shape) for _ in range(count)]
        return [(random_value(r, members[0], shape), random_value(r, members[1], shape)) for _ in range(count)]
    if kind == "struct":
        return {f"m{place}": random_value(r, member, shape) for place, member in enumerate(members)}
    return {"bool": lambda: r.random() < 0.5, "int32": lambda: r.randint(-5, 1 << r.choice((3, 30))),
            "int64": lambda: r.randint(-1 << 40, 1 << 40), "double": lambda: r.choice((0.0, -1.5, r.random())),
            "string": lambda: "ab" * r.randint(0, shape["text"]), "fixed": lambda: r.randbytes(3)}[kind]()


def text_of(kind, value):
    if value is None:
        return "null"
    if kind == "bool":
        return "true" if value else "false"
    if kind in ("int32", "int64"):
        return str(value)
    if kind == "double":
        return "d" + struct.pack(">d", value).hex()
    return "x" + (value.encode() if isinstance(value, str) else value).hex()


def nested_text(of, value):
    """A nested value as dump_records prints it."""
    kind, _, members = of
    if value is None or kind in LEAVES:
        return text_of(kind, value)
    if kind == "list":
        return "[" + ",".join(nested_text(members[0], element) for element in value) + "]"
    if kind == "map":
        return "(" + ",".join(":".join(map(nested_text, members, entry)) for entry in value) + ")"
    return "{" + ",".join(map(nested_text, members, value.values())) + "}"


def shred(of, value, repetition, definition, lists, columns):
    """Adds to `columns` the items of a value: by the rules of the format, and apart from the library and from pyarrow.

    Returns how many columns the type has.
    """
    kind, nullable, members = of
    missing = nullable and value is None
    definition += 1 if nullable and not missing else 0
    if kind in LEAVES:
        columns[0].append(f"{repetition} {definition} {text_of(kind, value)}")
        return 1
    if missing or (kind in ("list", "map") and not value):
        count = leaves_of(of)
        for column in columns[:count]:
            column.append(f"{repetition} {definition} null")
        return count
    elements = value if kind in ("list", "map") else [value]
    for place, element in enumerate(elements):
        again = repetition if place == 0 else lists + 1
        deeper = (definition, lists) if kind == "struct" else (definition + 1, lists + 1)
        parts = [element] if kind == "list" else element if kind == "map" else element.values()
        count = 0
        for member, part in zip(members, parts):
            count += shred(member, part, again, *deeper, columns[count:])
    return count


def leaves_of(of):
    return 1 if of[0] in LEAVES else sum(map(leaves_of, of[2]))


def items_of(schema, rows):
    """The items of each column, one row group."""
    columns = [[] for of in schema for _ in range(leaves_of(of))]
    for row in rows:
        first = 0
        for of, value in zip(schema, row):
            first += shred(of, value, 0, 0, 0, columns[first:])
    return [line for number, column in enumerate(columns) for line in (f"column {number}", *column)]


def rows_of_items(lines):
    """The items of a column, row by row."""
    rows = []
    for line in lines:
        if line[0] == "0":
            rows.append([])
        rows[-1].append(line)
    return rows


def by_columns(lines):
    """Splits the output by columns."""
    columns = []
    for line in lines:
        if line.startswith("column"):
            columns.append([])
        else:
            columns[-1].append(line)
    return columns


def sought(lines, items):
    """The rows that dump_records prints by seeks."""
    expected = lines[::-1]
    for number, column in enumerate(by_columns(items)):
        rows = rows_of_items(column)
        expected.append(f"column {number}")
        for row in range(0, len(rows), 3):
            expected += rows[row] + [item for following in rows[row + 1:row + 2] for item in following[:1]]
    return expected


def problem_of_skips(found, items):
    """With a page damaged: what comes before it and after it is right, and the rows between are counted."""
    for column, expected in zip(by_columns(found), by_columns(items)):
        parts = [[]]
        missing = 0
        for line in column:
            if line.startswith("missing"):
                missing += int(line.split()[1])
                parts.append([])
            else:
                parts[-1].append(line)
        before, after = parts[0], [item for part in parts[1:] for item in part]
        if before != expected[:len(before)]:
            return "other items before the damage"
        rows = sum(item[0] == "0" for item in before + after) + missing
        if rows != len(rows_of_items(expected)):
            return f"{rows} rows of {len(rows_of_items(expected))}"
        if len(parts) == 2 and after and after != expected[-len(after):]:
            return "other items after the damage"
    return None


def test_damaged(program, counts, name, r, path, items, damaged):
    """A page of a file with checksums is damaged anywhere."""
    whole = path.read_bytes()
    end = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    skipped = 0
    for _ in range(6):
        data = bytearray(whole)
        data[r.randrange(4, end)] ^= 1 << r.randrange(8)
        damaged.write_bytes(data)
        found, status = dump(program, damaged, "--by", "skips", "--buffer-bytes", BUFFERS[-1])
        skipped += any(line.startswith("missing") for line in found)
        counts.check(f"{name}, damaged", problem_of_skips(found, items) if status == "end" else None)
    return skipped


def write_options(r):
    encoding = r.choice(({"use_dictionary": True}, {"use_dictionary": False}, {"use_dictionary": False},
                         {"use_dictionary": False, "column_encoding": r.choice(("DELTA_BYTE_ARRAY", "DELTA_BINARY_PACKED"))}))
    return {"data_page_version": r.choice(("1.0", "2.0")), "data_page_size": r.choice((16, 100, 1000, 1 << 20)),
            "compression": r.choice(("none", "none", "snappy")), "write_batch_size": r.choice((1, 7, 1024)),
            "write_page_checksum": r.random() < 0.5, **encoding}


def fitting(options, table):
    """Encodings are for some types only: without them for the others."""
    encoding = options.pop("column_encoding", None)
    if encoding is None:
        return options
    wanted = {"DELTA_BYTE_ARRAY": ("string", "fixed_size_binary[3]"), "DELTA_BINARY_PACKED": ("int32", "int64")}[encoding]
    columns = {}

    def walk(kind, path):
        if pyarrow.types.is_map(kind):
            walk(kind.key_type, path + ".key_value.key")
            walk(kind.item_type, path + ".key_value.value")
        elif pyarrow.types.is_list(kind):
            walk(kind.value_type, path + ".list.element")
        elif pyarrow.types.is_struct(kind):
            for place in range(kind.num_fields):
                walk(kind.field(place).type, f"{path}.{kind.field(place).name}")
        elif str(kind) in wanted:
            columns[path] = encoding

    for field in table.schema:
        walk(field.type, field.name)
    return {**options, "column_encoding": columns} if columns else options


def test_random_nested(program, counts, folder, seeds=range(40)):
    skipped = 0
    for seed in seeds:
        r = random.Random(seed)
        schema = [random_type(r, 1) for _ in range(r.randint(1, 3))]
        shape = {"nulls": r.choice((0.05, 0.5, 0.9)), "empty": r.choice((0.1, 0.7)), "longest": r.choice((2, 5, 40)),
                 "text": r.choice((2, 30))}
        rows = [[random_value(r, of, shape) for of in schema] for _ in range(r.choice((1, 20, 60)))]
        fields = [pyarrow.field(f"f{place}", arrow_type(of), nullable=of[1]) for place, of in enumerate(schema)]
        arrays = [pyarrow.array(column, field.type) for column, field in zip(zip(*rows), fields)]
        table = pyarrow.table(arrays, schema=pyarrow.schema(fields))
        path = folder / "random.parquet"
        options = write_options(r)
        pyarrow.parquet.write_table(table, path, **fitting(options, table))
        name = f"random nested file {seed}"
        lines = ["\t".join(map(nested_text, schema, row)) for row in rows]
        check_rows(program, counts, name, path, lines)
        if seed not in NOT_BY_PYARROW:
            counts.check(f"{name} by pyarrow", difference(lines, nested_values.lines(path)))
        expected = items_of(schema, rows)
        found, status = dump(program, path, "--by", "seeks", "--buffer-bytes", BUFFERS[-1])
        counts.check(f"{name} by seeks", difference(sought(lines, expected), found) or (None if status == "end" else status))
        if options["write_page_checksum"]:
            skipped += test_damaged(program, counts, name, r, path, expected, folder / "damaged.parquet")
        for by in ("items", "batches"):
            for buffer_bytes, places in ((BUFFERS[0], 1), (700, 5), (BUFFERS[-1], 1000)):
                found, status = dump(program, path, "--by", by, "--buffer-bytes", buffer_bytes, "--batch-items", places)
                small = buffer_bytes < BUFFERS[-1] and status in ("out of memory", "value too large")
                problem = difference(expected[:len(found)] if small else expected, found)
                counts.check(f"{name} by {by} through {buffer_bytes} bytes",
                             problem or (None if small or status == "end" else f"status {status}"))
    counts.check("pages were skipped", None if skipped > 20 else f"only in {skipped} files")

