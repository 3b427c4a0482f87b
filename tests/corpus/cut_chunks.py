"""Column chunks that end within a page: the page has more values than the footer says are left for it.

pyarrow and DuckDB read those that the chunk has.
"""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))

import hostile  # noqa: E402  (in the other folder)
from hostile import tiny_writer  # noqa: E402

BOOLEAN, INT32, BYTE_ARRAY, FIXED = 0, 1, 6, 7
ROWS = 16


def page_v2(body, values, levels=b"", nulls=0):
    body = levels + body
    return tiny_writer.encode_struct("PageHeader", {
        "type": 3, "uncompressed_page_size": len(body), "compressed_page_size": len(body),
        "data_page_header_v2": {"num_values": values, "num_nulls": nulls, "num_rows": values, "encoding": 0,
                                "definition_levels_byte_length": len(levels), "repetition_levels_byte_length": 0,
                                "is_compressed": False}}) + body


def int32s(numbers):
    return b"".join(struct.pack("<i", number) for number in numbers)


def required(first, count):
    return hostile.page(int32s(range(first, first + count)), count)


def levels_of(first, count):
    return [int(row % 3 != 2) for row in range(first, first + count)]


def optional(first, count, encode=tiny_writer.rle_levels):
    levels = levels_of(first, count)
    numbers = [first + i for i, level in enumerate(levels) if level]
    return hostile.page(encode(levels) + int32s(numbers), count)


def optional_v2(first, count):
    levels = levels_of(first, count)
    numbers = [first + i for i, level in enumerate(levels) if level]
    return page_v2(int32s(numbers), count, tiny_writer.rle_levels(levels)[4:], levels.count(0))


def texts(count):
    return hostile.page(b"".join(struct.pack("<I", i % 5) + b"texts"[:i % 5] for i in range(count)), count)


def files():
    """Names, and for each column its leaf and pages, in one row group or several."""
    one, nullable = hostile.leaf(0), hostile.leaf(0, repetition=hostile.OPTIONAL)
    packed = tiny_writer.packed_levels
    yield "one page", [one], [[required(0, 17)]]
    yield "many more values", [one], [[required(0, 1000)]]
    yield "two pages", [one], [[required(0, 8) + required(8, 9)]]
    yield "a page behind", [one], [[required(0, 17) + required(17, 8)]]
    yield "more row groups", [one], [[required(0, 17)], [required(16, 16)], [required(32, 8) + required(40, 99)]]
    yield "one of two columns", [one, hostile.leaf(1)], [[required(0, 17), required(50, 16)]]
    yield "optional, levels in runs", [nullable], [[optional(0, 17)]]
    yield "optional, levels packed", [nullable], [[optional(0, 8, packed) + optional(8, 30, packed)]]
    yield "V2", [one], [[page_v2(int32s(range(17)), 17)]]
    yield "optional V2", [nullable], [[optional_v2(0, 8) + optional_v2(8, 9)]]
    yield "booleans", [hostile.leaf(0, BOOLEAN)], [[hostile.page(b"\x35\x0f\x01", 17)]]
    yield "booleans of one byte", [hostile.leaf(0, BOOLEAN)], [[hostile.page(b"\x35", 8) + hostile.page(b"\x35\1", 9)]]
    yield "byte arrays", [hostile.leaf(0, BYTE_ARRAY)], [[texts(17)]]
    yield "fixed-length byte arrays", [hostile.leaf(0, FIXED, type_length=5)], [
        [hostile.page(b"".join(b"%05d" % i for i in range(17)), 17)]]


def write_all(folder):
    for name, leaves, row_groups in files():
        file = hostile.File(leaves)
        for chunks in row_groups:
            file.add_row_group(chunks, ROWS)
        path = folder / f"{name.replace(' ', '_')}.parquet"
        file.write(path)
        yield name, path
