"""mpq collect: rows with lists, maps and structs are written again in large pages, value for value, of whole files and of cut ones."""
import os
import pathlib
import random
import struct

import duckdb
import pyarrow as pa
import pyarrow.parquet
from harness import check, check_equal, check_ok, run
from test_mpq_collect import collect, contents, files_of
from test_mpq_nested import TYPES

ROWS = 3000


def random_rows(count, seed):
    """Rows of TYPES, with nulls and emptiness at every depth, and now and then a long one."""
    chance = random.Random(seed)

    def maybe(value):
        return None if chance.random() < 0.2 else value()

    def some(value, most=4):
        return [value() for _ in range(chance.choice([0, 1, most] if chance.random() < 0.995 else [2000]))]

    def whole():
        return chance.randrange(-1000, 1000)

    def real():
        return chance.choice([0.0, -0.0, 1.5, float("inf"), float(chance.randrange(10**6))])

    def text():
        return chance.choice(["", "one", "größer", "x" * 300, str(chance.random())])

    return [{
        "id": row,
        "xs": maybe(lambda: some(lambda: maybe(real))),
        "tags": maybe(lambda: list({text(): maybe(whole) for _ in range(3)}.items())),
        "counts": maybe(lambda: list({whole(): maybe(text) for _ in range(3)}.items())),
        "fix": maybe(lambda: {"lat": maybe(real), "sats": maybe(lambda: some(lambda: maybe(whole)))}),
        "grid": maybe(lambda: some(lambda: maybe(lambda: some(lambda: maybe(whole))))),
        "marks": maybe(lambda: some(lambda: maybe(lambda: {"at": maybe(whole), "text": maybe(text)}))),
    } for row in range(count)]


def table_of(count, seed):
    """With columns of every physical type beside those of TYPES."""
    table = pa.Table.from_pylist(random_rows(count, seed), pa.schema(TYPES))
    more = {"flags": pa.array([[True, None, False][:row % 4] for row in range(count)], pa.list_(pa.bool_())),
            "keys": pa.array([[bytes([row % 256]) * 16] * (row % 3) for row in range(count)], pa.list_(pa.binary(16))),
            "when": pa.array(range(count), pa.timestamp("us")),
            "prices": pa.array([[row] if row % 2 else None for row in range(count)], pa.list_(pa.decimal128(9, 2))),
            "unsigned": pa.array([[2**64 - 1 - row] for row in range(count)], pa.list_(pa.uint64()))}
    for name, values in more.items():
        table = table.append_column(name, values)
    return table


def collected(source, code=0):
    """The path of the one file of the lake that comes of `source`."""
    collect(source, "-o", "lake", code=code)
    return next(f"lake/{path}" for path, row in files_of("lake").items() if row["source"] == source)


def check_same(path, expected):
    file = pyarrow.parquet.ParquetFile(path, page_checksum_verification=True)
    found = file.read()
    check_equal(found.schema.remove_metadata(), expected.schema.remove_metadata(), path)
    check(found.equals(expected), path, "has other values")
    check_ok(run("mpq", "verify", path))
    return file.metadata


def chunks_of(metadata):
    return [metadata.row_group(group).column(column) for group in range(metadata.num_row_groups)
            for column in range(metadata.num_columns)]


def is_written_again(metadata):
    return {chunk.compression for chunk in chunks_of(metadata)} == {"ZSTD"}


def rewritten(table, name, again=True, **options):
    pyarrow.parquet.write_table(table, name, **options)
    path = collected(name)
    metadata = check_same(path, table)
    check_equal(is_written_again(metadata), again, f"{name} is written again")
    rows = "FROM read_parquet('{}', hive_partitioning = false)"
    check(duckdb.sql(rows.format(path)).fetchall() == duckdb.sql(rows.format(name)).fetchall(), name, "is read otherwise by DuckDB")
    return metadata


def test_small_pages_become_large():
    """Small row groups are joined; the files are smaller, and their statistics right (mpq verify compares them with the values)."""
    table = table_of(ROWS, 1)
    small = {"row_group_size": 100, "data_page_size": 512}
    for number, options in enumerate([{"compression": "none", "use_dictionary": False}, {"compression": "snappy", "data_page_version": "2.0"}]):
        name = f"small_{number}.parquet"
        metadata = rewritten(table.slice(number), name, **small, **options)
        check_equal(metadata.num_row_groups, 1, "row groups")
        for chunk in chunks_of(metadata):
            check(chunk.statistics.null_count is not None, chunk.path_in_schema)
        before = len(check_ok(run("mpq", "pages", name)).stdout.splitlines())
        after = len(check_ok(run("mpq", "pages", collected(name))).stdout.splitlines())
        check(after * 10 < before, before, "lines of pages became", after)
        check(os.path.getsize(collected(name)) * 2 < os.path.getsize(name), "the file did not become smaller")


def test_what_would_grow_is_copied():
    table = pa.table({"counts": pa.array([[row] for row in range(20_000)], pa.list_(pa.int64()))})
    rewritten(table, "differences.parquet", again=False, compression="gzip", use_dictionary=False,
              column_encoding={"counts.list.element": "DELTA_BINARY_PACKED"})


def test_a_footer_that_is_wrong_is_not_copied():
    """Its statistics, or what it says of sizes; the rows are right, and so is the file of the lake."""
    def varint(number):
        return bytes([number & 127 | 128, *varint(number >> 7)]) if number > 127 else bytes([number])

    options = {"compression": "gzip", "use_dictionary": False, "column_encoding": {"counts.list.element": "DELTA_BINARY_PACKED"}}
    for first, name in enumerate(("largest", "size")):
        rows = range(first, first + 20_000)
        table = pa.table({"counts": pa.array([[row] for row in rows], pa.list_(pa.int64()))})
        pyarrow.parquet.write_table(table, "right.parquet", **options)
        data = pathlib.Path("right.parquet").read_bytes()
        footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
        size = pyarrow.parquet.read_metadata("right.parquet").row_group(0).column(0).total_uncompressed_size
        there, wrong = (struct.pack("<q", rows[-1]), struct.pack("<q", 5)) if name == "largest" else (varint(2 * size), varint(2 * size + 2))
        check(there in data[footer:], name, "is not in the footer")
        pathlib.Path(f"{name}.parquet").write_bytes(data[:footer] + data[footer:].replace(there, wrong))
        check_equal(run("mpq", "verify", "--strict", f"{name}.parquet").returncode, 1, name)
        check_same(collected(f"{name}.parquet"), table)


def test_long_rows_and_values():
    """Rows that are longer than a page, values that are longer than one, dictionaries that fill up within a row."""
    texts = [["short"] * 40_000 + [str(number) for number in range(40_000)], None, ["x" * 3_000_000, ""], [], ["last"]]
    table = pa.table({"texts": pa.array(texts, pa.list_(pa.string())), "id": range(5)})
    rewritten(table, "long.parquet", compression="none", use_dictionary=False, row_group_size=2)


def test_cut_and_recovered():
    """A file that was cut off is recovered by the columns of a whole one, and collected; a damaged one as it is."""
    table = table_of(ROWS, 2)
    pyarrow.parquet.write_table(table, "whole.parquet", row_group_size=500, compression="none", write_page_checksum=True)
    file = pathlib.Path("whole.parquet").read_bytes()
    third = pyarrow.parquet.ParquetFile("whole.parquet").metadata.row_group(2)
    pathlib.Path("cut.parquet").write_bytes(file[:third.column(0).dictionary_page_offset])
    check_equal(run("mpq", "recover", "--schema", "whole.parquet", "cut.parquet", "-o", "recovered.parquet").returncode, 1)
    recovered = pyarrow.parquet.read_table("recovered.parquet")
    check(recovered.num_rows > 900, recovered.num_rows, "rows of 1,000 were recovered")
    metadata = check_same(collected("recovered.parquet"), recovered)
    check(is_written_again(metadata), "recovered.parquet is copied")

    damaged = bytearray(file)
    chunk = third.column(0)
    damaged[chunk.data_page_offset + 40] ^= 1
    pathlib.Path("damaged.parquet").write_bytes(damaged)
    path = collected("damaged.parquet", code=1)
    kept = pa.concat_tables([table.slice(0, 1000), table.slice(1500)])
    check_same(path, kept)
    row = next(row for row in files_of("lake").values() if row["source"] == "damaged.parquet")
    check_equal((row["rows"], row["rows_lost"]), (ROWS - 500, 500))


def test_again_and_continued():
    table = table_of(ROWS, 3)
    for rows in (ROWS // 2, ROWS):
        pyarrow.parquet.write_table(table.slice(0, rows), "log.parquet", row_group_size=200, compression="none")
        collect("log.parquet", "-o", "lake")
        before = contents("lake")
        collect("log.parquet", "-o", "lake")
        check(contents("lake") == before, "another content")
        check_equal([row["rows"] for row in files_of("lake").values()], [rows], "rows of the only file")
