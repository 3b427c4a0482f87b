"""The values that pyarrow reads from a flat Parquet file, as dump_values prints them.

pyarrow gives logical values; here they are turned back into the physical ones. Decimals in byte arrays become
numbers, `n` and digits: their length in bytes is not told. Columns of them have the type 6n or 7n.
"""

import struct

import numpy
import pyarrow
import pyarrow.compute
import pyarrow.parquet

TYPES = ["BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"]
DAY_NS = 86_400_000_000_000
JULIAN_EPOCH = 2_440_588


def unscaled(value):
    sign, digits, _ = value.as_tuple()
    number = int("".join(map(str, digits)))
    return -number if sign else number


def int96(nanoseconds):
    day, rest = divmod(nanoseconds, DAY_NS)
    return struct.pack("<QI", rest, day + JULIAN_EPOCH)


def float_bits(array, letter, kind):
    """The bits, which Python's float would not keep for every NaN."""
    array = array.combine_chunks() if isinstance(array, pyarrow.ChunkedArray) else array
    values = numpy.frombuffer(array.buffers()[1], dtype=kind)[array.offset:array.offset + len(array)]
    digits = values.dtype.itemsize * 2
    return [f"{letter}{int(bits):0{digits}x}" if valid else "null"
            for bits, valid in zip(values, array.is_valid().to_pylist())]


def half_bytes(array):
    return [text if text == "null" else "x" + struct.pack("<H", int(text[1:], 16)).hex()
            for text in float_bits(array, "h", numpy.uint16)]


def show(value, physical, kind):
    if value is None:
        return "null"
    if physical == "BOOLEAN":
        return "true" if value else "false"
    if pyarrow.types.is_decimal(kind):
        return ("n" if physical in ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY") else "") + str(unscaled(value))
    if physical in ("INT32", "INT64"):
        # Unsigned numbers are stored in signed types.
        bits = 32 if physical == "INT32" else 64
        return str(value - (1 << bits) if value >> (bits - 1) == 1 else value)
    if physical == "INT96":
        return "x" + int96(value).hex()
    data = value.encode() if isinstance(value, str) else value
    return "x" + data.hex()


def as_integers(array, kind):
    """Dates and times as the numbers they are stored as."""
    if pyarrow.types.is_date32(kind) or pyarrow.types.is_time32(kind):
        return array.cast(pyarrow.int32())
    if pyarrow.types.is_temporal(kind):
        return array.cast(pyarrow.int64())
    return array


def column_texts(array, physical):
    kind = array.type
    if physical in ("FLOAT", "DOUBLE"):
        letter, bits = ("f", numpy.uint32) if physical == "FLOAT" else ("d", numpy.uint64)
        return float_bits(array, letter, bits)
    if pyarrow.types.is_float16(kind):
        return half_bytes(array)
    return [show(value, physical, kind) for value in as_integers(array, kind).to_pylist()]


def leaf_of(table, path):
    """A column that may lie in structures, and is null where one of these is."""
    array = table.column(path[0])
    for name in path[1:]:
        array = pyarrow.compute.struct_field(array, name)
    return array


def lines(path):
    """The header and the rows, without the status."""
    file = pyarrow.parquet.ParquetFile(path)
    # One by one: read() lets into the next row group what a page has beyond the end of its chunk.
    groups = [file.read_row_group(i, use_threads=False) for i in range(file.num_row_groups)]
    table = pyarrow.concat_tables(groups) if groups else file.read()
    header, columns = [], []
    for place in range(len(file.schema)):
        column = file.schema.column(place)
        array = leaf_of(table, column.path.split("."))
        columns.append(column_texts(array, column.physical_type))
        decimal = pyarrow.types.is_decimal(array.type) and column.physical_type.endswith("BYTE_ARRAY")
        header.append(f"{column.name}:{TYPES.index(column.physical_type)}{'n' if decimal else ''}")
    return ["\t".join(header)] + ["\t".join(row) for row in zip(*columns)]


def normalise(dump, header):
    """Lines of dump_values with decimals as numbers, for comparing with `header`."""
    places = [place for place, name in enumerate(header.split("\t")) if name.endswith("n")]
    if not places:
        return dump
    result = []
    for number, line in enumerate(dump):
        cells = line.split("\t")
        for place in places:
            if number == 0:
                cells[place] += "n"
            elif cells[place] != "null":
                cells[place] = "n" + str(int.from_bytes(bytes.fromhex(cells[place][1:]), "big", signed=True))
        result.append("\t".join(cells))
    return result
