"""Flat files as pyarrow, DuckDB and Polars write them, of all types and encodings that are read."""

import datetime
import decimal
import random

import duckdb
import polars
import pyarrow
import pyarrow.parquet

ROWS = 3000
UTC = datetime.timezone.utc


def scalar_types():
    """Arrow type and a function that makes a value of it."""
    r = random.Random(7)

    def integers(bits, signed):
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
        return lambda: r.choice((low, high, 0, r.randint(low, high)))

    def number(digits):
        return lambda: decimal.Decimal(r.randint(-10**digits + 1, 10**digits - 1)).scaleb(-2)

    def text():
        return "".join(r.choice("aé漢😀 ") for _ in range(r.choice((0, 1, 5, 9))))

    day = 86_400
    moments = lambda: datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=r.randint(-10**9, 2 * 10**9))
    floats = lambda: r.choice((0.0, -0.0, float("nan"), float("inf"), -float("inf"), r.uniform(-1e6, 1e6)))
    a = pyarrow
    return {
        "bool": (a.bool_(), lambda: r.random() < 0.5),
        **{f"int{n}": (getattr(a, f"int{n}")(), integers(n, True)) for n in (8, 16, 32, 64)},
        **{f"uint{n}": (getattr(a, f"uint{n}")(), integers(n, False)) for n in (8, 16, 32, 64)},
        "float": (a.float32(), floats),
        "double": (a.float64(), floats),
        "half": (a.float16(), floats_of_half(r)),
        "string": (a.string(), text),
        "binary": (a.binary(), lambda: r.randbytes(r.choice((0, 1, 3, 12)))),
        "fixed": (a.binary(5), lambda: r.randbytes(5)),
        "decimal32": (a.decimal128(7, 2), number(7)),
        "decimal64": (a.decimal128(17, 2), number(17)),
        "decimal128": (a.decimal128(38, 2), number(38)),
        "date": (a.date32(), lambda: r.randint(-10000, 50000)),
        "time_ms": (a.time32("ms"), lambda: r.randint(0, day * 1000 - 1)),
        "time_us": (a.time64("us"), lambda: r.randint(0, day * 10**6 - 1)),
        "time_ns": (a.time64("ns"), lambda: r.randint(0, day * 10**9 - 1)),
        "timestamp_ms": (a.timestamp("ms"), moments),
        "timestamp_us": (a.timestamp("us", "UTC"), lambda: moments().replace(tzinfo=UTC)),
        "timestamp_ns": (a.timestamp("ns"), moments),
    }


def floats_of_half(r):
    import numpy
    return lambda: numpy.float16(r.choice((0.0, -0.0, float("nan"), r.uniform(-100, 100))))


def array_of(kind, make, rows, nulls):
    r = random.Random(f"{kind} {nulls}")
    values = [None if r.random() < nulls else make() for _ in range(rows)]
    return pyarrow.array(values, kind)


def table(nulls, rows=ROWS):
    fields, arrays = [], []
    for name, (kind, make) in scalar_types().items():
        arrays.append(array_of(kind, make, rows, nulls))
        fields.append(pyarrow.field(name, kind, nullable=nulls is not None and nulls > 0))
    return pyarrow.table(arrays, schema=pyarrow.schema(fields))


def by_pyarrow(folder):
    for nulls in (0, 0.01, 0.5, 0.99, 1.0):
        data = table(nulls)
        for version in ("1.0", "2.0"):
            for page_bytes, group_rows in ((100, 1000), (4000, 10**6), (1 << 20, 500)):
                name = f"pyarrow nulls {nulls} pages {version} of {page_bytes}, row groups of {group_rows}"
                path = folder / f"a{nulls}-{version}-{page_bytes}.parquet"
                pyarrow.parquet.write_table(
                    data, path, use_dictionary=False, compression="none", store_schema=False, write_batch_size=16,
                    data_page_version=version, data_page_size=page_bytes, row_group_size=group_rows,
                    write_page_checksum=True, column_encoding={"bool": "PLAIN"} if version == "2.0" else None,
                    use_deprecated_int96_timestamps=False)
                yield name, path
    path = folder / "int96.parquet"
    moments = table(0.2).select(["timestamp_ms", "timestamp_us", "timestamp_ns"])
    pyarrow.parquet.write_table(moments, path, use_dictionary=False, compression="none",
                                use_deprecated_int96_timestamps=True)
    yield "pyarrow INT96", path


def encoded_by_pyarrow(folder):
    """All types with dictionaries that fall back, integers in DELTA_BINARY_PACKED and booleans in RLE; compressed."""
    codecs = ("snappy", "zstd", "gzip", "brotli")
    for nulls, codec in ((0, "none"), (0.3, "none"), (1.0, "none"), (0, "lz4"), *((0.3, codec) for codec in codecs)):
        data = table(nulls, 1000)
        integers = [field.name for field in data.schema if field.type in (pyarrow.int32(), pyarrow.int64())]
        for version in ("1.0", "2.0"):
            for page_bytes, dictionary_bytes in ((300, 500), (4000, 1 << 20)):
                path = folder / f"e{nulls}-{version}-{codec}-{page_bytes}.parquet"
                pyarrow.parquet.write_table(
                    data, path, compression=codec, store_schema=False, write_batch_size=16, data_page_version=version,
                    data_page_size=page_bytes, dictionary_pagesize_limit=dictionary_bytes, write_page_checksum=True,
                    use_dictionary=[name for name in data.column_names if name not in ["bool", *integers]],
                    column_encoding={name: "DELTA_BINARY_PACKED" for name in integers} | {"bool": "RLE"})
                yield f"pyarrow nulls {nulls} pages {version} of {page_bytes}, encoded, {codec}", path


def split_by_pyarrow(folder):
    """All types that can be in BYTE_STREAM_SPLIT."""
    split = {pyarrow.float32(), pyarrow.float64(), pyarrow.float16(), pyarrow.int32(), pyarrow.int64(), pyarrow.binary(5),
             pyarrow.decimal128(38, 2)}
    for nulls, codec in ((0, "none"), (0.3, "none"), (1.0, "none"), (0.3, "snappy"), (0, "lz4")):
        data = table(nulls, 1000)
        data = data.select([field.name for field in data.schema if field.type in split])
        for version in ("1.0", "2.0"):
            path = folder / f"s{nulls}-{version}-{codec}.parquet"
            pyarrow.parquet.write_table(
                data, path, compression=codec, store_schema=False, write_batch_size=16, data_page_version=version,
                data_page_size=2000, use_dictionary=False, write_page_checksum=True,
                column_encoding={name: "BYTE_STREAM_SPLIT" for name in data.column_names})
            yield f"pyarrow nulls {nulls} pages {version}, split, {codec}", path


def strings_by_pyarrow(folder):
    """Byte arrays in DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY, and fixed-width values in that."""
    r = random.Random(11)
    paths = sorted(f"/usr/{r.choice(('lib', 'share'))}/{r.randint(0, 99):x}/{r.randint(0, 10**6)}" for _ in range(1000))
    for nulls, codec in ((0, "none"), (0.3, "none"), (1.0, "none"), (0.3, "snappy")):
        data = table(nulls, 1000)
        data = data.select(["string", "binary", "fixed", "decimal128"]).append_column(
            "path", array_of(pyarrow.string(), iter(paths).__next__, 1000, nulls))
        texts = [name for name in data.column_names if name not in ("fixed", "decimal128")]
        for encoding, names in (("DELTA_LENGTH_BYTE_ARRAY", texts), ("DELTA_BYTE_ARRAY", data.column_names)):
            for version, page_bytes in (("1.0", 300), ("2.0", 4000)):
                path = folder / f"d{nulls}-{version}-{codec}-{encoding}.parquet"
                pyarrow.parquet.write_table(
                    data.select(names), path, compression=codec, store_schema=False, write_batch_size=16,
                    data_page_version=version, data_page_size=page_bytes, use_dictionary=False,
                    write_page_checksum=True, column_encoding=dict.fromkeys(names, encoding))
                yield f"pyarrow nulls {nulls} pages {version}, {encoding}, {codec}", path


def by_duckdb(folder):
    connection = duckdb.connect()
    path = folder / "duckdb.parquet"
    connection.execute(f"""
        COPY (SELECT i % 3 = 0 AS flag, i::INTEGER AS i, i::BIGINT * 1000003 AS big, (i / 7)::FLOAT AS f,
                     sqrt(i) AS d, CASE WHEN i % 5 = 0 THEN NULL ELSE 'row ' || i END AS s,
                     CASE WHEN i % 7 = 0 THEN NULL ELSE (i / 100.0)::DECIMAL(9, 2) END AS price,
                     DATE '2020-01-01' + i::INTEGER AS day, TIMESTAMP '2020-01-01' + INTERVAL (i) SECOND AS moment
              FROM range(5000) t(i))
        TO '{path}' (FORMAT parquet, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 0, ROW_GROUP_SIZE 2048)""")
    yield "DuckDB", path
    for codec in ("uncompressed", "snappy", "lz4_raw", "zstd", "gzip", "brotli"):
        path = folder / f"duckdb-{codec}.parquet"
        connection.execute(f"""
            COPY (SELECT i % 3 = 0 AS flag, i % 50 AS i, i::BIGINT * 1000003 AS big, (i % 9)::DOUBLE AS d,
                         CASE WHEN i % 5 = 0 THEN NULL ELSE 'row ' || i % 20 END AS s
                  FROM range(5000) t(i))
            TO '{path}' (FORMAT parquet, COMPRESSION {codec}, ROW_GROUP_SIZE 2048)""")
        yield f"DuckDB, dictionaries, {codec}", path
    path = folder / "duckdb-delta.parquet"
    connection.execute(f"""
        COPY (SELECT (i * 7 % 1000)::INTEGER AS i, i::BIGINT * 1000003 AS big,
                     CASE WHEN i % 5 = 0 THEN NULL ELSE i * i END AS square
              FROM range(5000) t(i))
        TO '{path}' (FORMAT parquet, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 0, ROW_GROUP_SIZE 2048)""")
    yield "DuckDB, deltas", path
    path = folder / "duckdb-strings.parquet"
    connection.execute(f"""
        COPY (SELECT 'row ' || (i * 7919 % 100003) AS s, CASE WHEN i % 5 = 0 THEN NULL ELSE repeat('ab', i % 9) END AS t
              FROM range(5000) t(i))
        TO '{path}' (FORMAT parquet, COMPRESSION uncompressed, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 0, ROW_GROUP_SIZE 2048)""")
    yield "DuckDB, lengths", path


def by_polars(folder):
    data = polars.from_arrow(table(0.2, 2000).select(["bool", "int32", "int64", "float", "double", "string", "timestamp_us"]))
    for codec in ("uncompressed", "snappy", "lz4", "zstd", "gzip", "brotli"):
        path = folder / f"polars-{codec}.parquet"
        data.write_parquet(path, compression=codec, row_group_size=900, data_page_size=3000)
        yield f"Polars, {codec}", path


def write_all(folder):
    yield from by_pyarrow(folder)
    yield from encoded_by_pyarrow(folder)
    yield from split_by_pyarrow(folder)
    yield from strings_by_pyarrow(folder)
    yield from by_duckdb(folder)
    yield from by_polars(folder)
