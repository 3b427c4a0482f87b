"""The values that pyarrow reads from a flat Parquet file, as dump_values prints them.

pyarrow gives logical values; here they are turned back into the physical ones. Decimals in byte arrays become
numbers, `n` and digits: their length in bytes is not told. Columns of them have the type 6n or 7n. INT96 of years that
nanoseconds in 64 bits do not reach become microseconds, `u` and digits, in columns of the type 3u.
"""

import pathlib
import struct

import numpy
import pyarrow
import pyarrow.compute
import pyarrow.parquet

TYPES = ["BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"]
DAY_NS = 86_400_000_000_000
JULIAN_EPOCH = 2_440_588
INT96_IN_MICROSECONDS = {"int96_from_spark"}  # files


def unscaled(value):
    sign, digits, _ = value.as_tuple()
    number = int("".join(map(str, digits)))
    return -number if sign else number


def int96(nanoseconds):
    day, rest = divmod(nanoseconds, DAY_NS)
    return struct.pack("<QI", rest, day + JULIAN_EPOCH)


def microseconds(data):
    """Microseconds of an INT96, as pyarrow counts them: modulo 2^64."""
    rest, day = struct.unpack("<QI", data)
    count = (day - JULIAN_EPOCH) * (DAY_NS // 1000) + rest // 1000
    return (count + (1 << 63)) % (1 << 64) - (1 << 63)


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
        return f"u{value}" if kind.unit == "us" else "x" + int96(value).hex()
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
    unit = "us" if pathlib.Path(path).stem in INT96_IN_MICROSECONDS else None
    file = pyarrow.parquet.ParquetFile(path, coerce_int96_timestamp_unit=unit)
    # One by one: read() lets into the next row group what a page has beyond the end of its chunk.
    groups = [file.read_row_group(i, use_threads=False) for i in range(file.num_row_groups)]
    table = pyarrow.concat_tables(groups) if groups else file.read()
    header, columns = [], []
    for place in range(len(file.schema)):
        column = file.schema.column(place)
        array = leaf_of(table, column.path.split("."))
        columns.append(column_texts(array, column.physical_type))
        decimal = pyarrow.types.is_decimal(array.type) and column.physical_type.endswith("BYTE_ARRAY")
        form = "n" if decimal else "u" if unit and column.physical_type == "INT96" else ""
        header.append(f"{column.name}:{TYPES.index(column.physical_type)}{form}")
    return ["\t".join(header)] + ["\t".join(row) for row in zip(*columns)]


NUMBERS = {"n": lambda data: int.from_bytes(data, "big", signed=True), "u": microseconds}


def normalise(dump, header):
    """Lines of dump_values with what are numbers in `header` as numbers, for comparing with it."""
    forms = [name[-1] if name[-1] in NUMBERS else "" for name in header.split("\t")]
    if not any(forms):
        return dump
    result = []
    for number, line in enumerate(dump):
        cells = line.split("\t")
        for place, form in enumerate(forms):
            if form and number == 0:
                cells[place] += form
            elif form and cells[place] != "null":
                cells[place] = f"{form}{NUMBERS[form](bytes.fromhex(cells[place][1:]))}"
        result.append("\t".join(cells))
    return result
