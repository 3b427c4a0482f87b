"""Random files and random conditions on their rows, for mpq and for DuckDB.

DuckDB asks a table in its memory that it has filled from the file: so it compares the values, and no statistics. There, as
for mpq, NaN equals NaN and comes after every number, and -0 equals 0.
"""
import datetime
import decimal
import math
import random
import string
import subprocess
import uuid

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1)


class Kind:
    """Values of a column, and how they are written in conditions: ours, and DuckDB's."""

    def __init__(self, arrow, make, write=str, duck=None):
        self.arrow, self.make, self.write, self.duck = arrow, make, write, duck or write


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def integers(bits, signed):
    low, high = (-2**(bits - 1), 2**(bits - 1) - 1) if signed else (0, 2**bits - 1)

    def make(r):
        return min(max(r.choice([r.randint(-20, 20), r.randint(low, high), low, high, low + 1, high - 1]), low), high)
    return make


def floats(r):
    return r.choice([r.uniform(-50, 50), float(r.randint(-9, 9)), 0.0, -0.0, math.nan, math.inf, -math.inf,
                     r.choice([-1, 1]) * 2.0**r.randint(-20, 20)])


def write_float(value):
    return quoted(str(value)) if math.isnan(value) or math.isinf(value) else repr(value)


def duck_float(kind):
    return lambda value: f"{quoted(str(value))}::{kind}"


def decimals(digits, scale):
    def make(r):
        size = r.randint(1, digits)
        return decimal.Decimal(r.choice([-1, 1]) * r.randint(0, 10**size - 1)).scaleb(-scale, decimal.Context(60))
    return make


def write_decimal(value):
    return format(value, "f")


def text(r):
    return r.choice([r.choice(["", "a", "b", "c", "ab", "it's", 'q"q', "zz", "ä", "é", "日本", "\U0001f600", "\x7f"]),
                     "".join(r.choices(string.ascii_lowercase, k=r.randint(0, 5))),
                     r.choice("ax") * r.randint(30, 100) + r.choice("abc")])


def dates(r):
    return r.choice([datetime.date(2026, 1, 1) + datetime.timedelta(r.randint(-30, 30)),
                     datetime.date(1, 1, 1) + datetime.timedelta(r.randint(0, 3_600_000))])


def moments(step, zone=None):
    def make(r):
        micros = r.choice([r.randint(-10**6, 10**6) * 10**6, r.randint(-10**15, 4 * 10**15), 0])
        return (EPOCH + datetime.timedelta(microseconds=micros // step * step)).replace(tzinfo=zone)
    return make


def write_moment(value):
    return quoted(value.isoformat())


def times(r):
    return (EPOCH + datetime.timedelta(microseconds=r.randint(0, 86_399_999_999))).time()


def half(r):
    return float(r.choice([r.randint(-9, 9), 0.5, -0.0, math.nan, math.inf]))


def uuids(r):
    return uuid.UUID(int=r.choice([r.getrandbits(128), r.randint(0, 5)]))


KINDS = {
    "i8": Kind(pa.int8(), integers(8, True)), "i16": Kind(pa.int16(), integers(16, True)),
    "i32": Kind(pa.int32(), integers(32, True)), "i64": Kind(pa.int64(), integers(64, True)),
    "u8": Kind(pa.uint8(), integers(8, False)), "u16": Kind(pa.uint16(), integers(16, False)),
    "u32": Kind(pa.uint32(), integers(32, False)), "u64": Kind(pa.uint64(), integers(64, False)),
    "f32": Kind(pa.float32(), floats, write_float, duck_float("FLOAT")),
    "f64": Kind(pa.float64(), floats, write_float, duck_float("DOUBLE")),
    "f16": Kind(pa.float16(), half, write_float, duck_float("FLOAT")),
    "d9": Kind(pa.decimal128(9, 2), decimals(9, 2), write_decimal),
    "d18": Kind(pa.decimal128(18, 4), decimals(18, 4), write_decimal),
    "d38": Kind(pa.decimal128(38, 10), decimals(38, 10), write_decimal),
    "text": Kind(pa.string(), text, quoted),
    "day": Kind(pa.date32(), dates, lambda v: quoted(v.isoformat()), lambda v: f"DATE {quoted(v.isoformat())}"),
    "ms": Kind(pa.timestamp("ms"), moments(1000), write_moment, lambda v: f"TIMESTAMP {write_moment(v)}"),
    "us": Kind(pa.timestamp("us", "UTC"), moments(1, UTC), write_moment, lambda v: f"TIMESTAMPTZ {write_moment(v)}"),
    "ns": Kind(pa.timestamp("ns"), moments(1), write_moment, lambda v: f"{write_moment(v)}::TIMESTAMP_NS"),
    "clock": Kind(pa.time64("us"), times, write_moment, lambda v: f"TIME {write_moment(v)}"),
    "flag": Kind(pa.bool_(), lambda r: r.random() < 0.5, lambda v: str(v).lower()),
    "bytes": Kind(pa.binary(), lambda r: r.randbytes(r.randint(0, 4)), lambda v: f"x'{v.hex()}'",
                  lambda v: f"unhex('{v.hex()}')"),
    "id": Kind(pa.uuid(), uuids, lambda v: quoted(str(v)), lambda v: f"UUID {quoted(str(v))}"),
}


def in_order(value):
    """A key by which values of one column sort, NaN last."""
    return (1, 0) if isinstance(value, float) and math.isnan(value) else (0, value)


def make_columns(r, rows, names):
    """Values by column: nulls, some in order, some in runs, some few again and again, one all null at times."""
    columns = {}
    for name in names:
        make = KINDS[name].make
        values = [make(r) for _ in range(rows)]
        shape = r.choice(["mixed", "sorted", "few", "runs"])
        if shape == "sorted":
            values.sort(key=in_order, reverse=r.random() < 0.3)
        elif shape == "few":
            values = [r.choice(values[:5]) for _ in values]
        elif shape == "runs":
            values = [values[i // 40 * 40] for i in range(rows)]
        share = r.choice([0, 0.1, 0.1, 0.9, 1 if r.random() < 0.2 else 0.5])
        columns[name] = [None if r.random() < share else value for value in values]
    return columns


def arrow_array(name, values):
    if name == "id":
        values = [None if value is None else value.bytes for value in values]
        return pa.ExtensionArray.from_storage(pa.uuid(), pa.array(values, pa.binary(16)))
    if name == "f16":
        import numpy
        values = [None if value is None else numpy.float16(value) for value in values]
    return pa.array(values, KINDS[name].arrow)


def write_pyarrow(r, path, columns):
    """A file with anything that bears on which rows are read."""
    table = pa.table({"row": pa.array(range(len(next(iter(columns.values())))), pa.int32()),
                      **{name: arrow_array(name, values) for name, values in columns.items()}})
    blooms = {name: {"ndv": 500, "fpp": 0.05} for name in columns if name not in ("flag", "f16") and r.random() < 0.5}
    pq.write_table(table, path, row_group_size=r.choice([50, 170, 400, 10**6]), write_page_index=r.random() < 0.7,
                   max_rows_per_page=r.choice([7, 30, 100, 20000]), write_batch_size=r.choice([5, 64, 1024]),
                   compression=r.choice(["none", "snappy"]), use_dictionary=r.random() < 0.6,
                   data_page_version=r.choice(["1.0", "2.0"]), store_decimal_as_integer=r.random() < 0.5,
                   write_statistics=r.random() < 0.9, bloom_filter_options=blooms if r.random() < 0.6 else None)


def write_duckdb(r, path, columns):
    """Writes the columns that DuckDB writes as they are."""
    write_pyarrow(random.Random(1), f"{path}_arrow.parquet", columns)
    duckdb.sql(f"COPY (SELECT * FROM '{path}_arrow.parquet') TO '{path}' (FORMAT parquet, COMPRESSION snappy, "
               f"ROW_GROUP_SIZE {r.choice([2048, 4096])})")


CSV_KINDS = {"i64": "int64", "f64": "double", "text": "string", "us": "timestamp_us_utc", "flag": "bool", "i16": "int16",
             "u32": "uint32", "day": "date"}


def write_ours(r, path, columns, csv_log):
    columns = {name: values for name, values in columns.items() if name in CSV_KINDS}
    with open(f"{path}.csv", "w", encoding="utf-8", newline="") as file:
        file.write(",".join(["row", *columns]) + "\n")
        for i in range(len(next(iter(columns.values())))):
            cells = [str(i)]
            for name, values in columns.items():
                value = values[i]
                cell = "" if value is None else value.isoformat() if hasattr(value, "isoformat") else str(value)
                cells.append('"' + cell.replace('"', '""') + '"' if name == "text" and value is not None else cell.lower()
                             if name == "flag" else cell)
            file.write(",".join(cells) + "\n")
    types = [f"--type={name}={CSV_KINDS[name]}" for name in columns]
    subprocess.run([*csv_log, "--overwrite", "--type=row=int32", *types, "--rows-per-group", str(r.choice([64, 300])),
                    "--encoding", r.choice(["plain", "auto"]), f"{path}.csv", path], check=True, capture_output=True)
    return columns


def literal(r, name, values):
    """One that is among the values, next to one, or anything."""
    kind = KINDS[name]
    there = [value for value in values if value is not None]
    value = r.choice(there) if there and r.random() < 0.8 else kind.make(r)
    ours, theirs = kind.write(value), kind.duck(value)
    exact = name[0] in "iud" and name not in ("us", "day", "id", "d38")  # DuckDB has no decimal of more digits
    if exact and r.random() < 0.15:  # between two values, or beyond all
        step = r.choice(["0.5", "-0.5", "0.00000000001", "100000000000000000000"])
        moved = write_decimal(decimal.Context(80).add(decimal.Decimal(value), decimal.Decimal(step)))
        if sum(map(str.isdigit, moved)) <= 38:  # a longer one is no decimal but a double to DuckDB
            ours = theirs = moved
    return ours, theirs


def comparison(r, columns):
    """A test of one column, for mpq and DuckDB."""
    name = r.choice(list(columns))
    values = columns[name]
    kind = r.random()
    if name == "flag" and kind < 0.4:
        return name, name
    if kind < 0.1:
        test = f"{name} IS {r.choice(['', 'NOT '])}NULL"
        return test, test
    negation = r.choice(["", "NOT "])
    if kind < 0.3:
        pairs = [literal(r, name, values) for _ in range(r.randint(1, 5))] + [("NULL", "NULL")] * (r.random() < 0.1)
        return tuple(f"{name} {negation}IN ({', '.join(side)})" for side in zip(*pairs))
    if kind < 0.4:
        low, high = literal(r, name, values), literal(r, name, values)
        return tuple(f"{name} {negation}BETWEEN {low[i]} AND {high[i]}" for i in (0, 1))
    sign = r.choice(["=", "<>", "<", "<=", ">", ">=", "!="])
    pair = literal(r, name, values) if r.random() < 0.98 else ("NULL", "NULL")
    if r.random() < 0.1:
        return tuple(f"{side} {sign} {name}" for side in pair)
    return tuple(f"{name} {sign} {side}" for side in pair)


def condition(r, columns, depth=3):
    kind = r.random()
    if depth == 0 or kind < 0.4:
        return comparison(r, columns)
    if kind < 0.5:
        return tuple(f"NOT ({side})" for side in condition(r, columns, depth - 1))
    joint = r.choice([" AND ", " OR "])
    parts = [condition(r, columns, depth - 1) for _ in range(r.randint(2, 3))]
    return tuple(joint.join(f"({part})" for part in side) for side in zip(*parts))


def make_file(r, path, csv_log):
    """Writes a file of any writer; its columns."""
    names = r.sample(list(KINDS), r.randint(3, 8))
    writer = r.choice(["pyarrow", "pyarrow", "pyarrow", "duckdb", "ours"])
    if writer == "ours" and not set(names) & set(CSV_KINDS):
        names.append("i64")
    columns = make_columns(r, r.choice([1, 60, 500, 1000]) if writer != "duckdb" else 5000, names)
    if writer == "ours":
        return write_ours(r, path, columns, csv_log)
    if writer == "duckdb":
        columns.pop("f16", None)
        columns = columns or make_columns(r, 5000, ["i64"])
        write_duckdb(r, path, columns)
    else:
        write_pyarrow(r, path, columns)
    return columns


def rows_of_mpq(mpq, path, where):
    result = subprocess.run([*mpq, "cat", "--columns", "row", "--where", where, path], capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
        return result.stderr
    return [int(line) for line in result.stdout.splitlines()[1:]]


def wrong_predicates(mpq, csv_log, files, predicates, folder, seed=1):
    """Tests that number of conditions on each file. Returns in words those for which mpq does not print DuckDB's rows in the
    file's order, and how many conditions were true of some rows and not of all."""
    wrong = []
    telling = 0
    for number in range(seed, seed + files):
        r = random.Random(number)
        path = f"{folder}/{number}.parquet"
        columns = make_file(r, path, csv_log)
        database = duckdb.connect()
        database.sql("SET TimeZone = 'UTC'")
        database.sql(f"CREATE TABLE t AS SELECT * FROM read_parquet('{path}')")
        rows = database.sql("SELECT count(*) FROM t").fetchall()[0][0]
        for _ in range(predicates):
            ours, theirs = condition(r, columns)
            expected = sorted(row for row, in database.sql(f'SELECT "row" FROM t WHERE {theirs}').fetchall())
            found = rows_of_mpq(mpq, path, ours)
            telling += 0 < len(expected) < rows
            if found != expected:
                wrong.append(f"{path} --where {ours!r}: {str(found)[:200]}, DuckDB {str(expected)[:100]}")
        database.close()
    return wrong, telling
