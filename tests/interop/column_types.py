"""The column types of the interop matrix, and the value each row of each column must have.

interop_gen.cpp holds the same types and the same formula, written a second time: a value that the writer gets
wrong differs from the one computed here. Values are physical: int, float, bool, bytes; None is null.
"""

import functools
import math
import struct

MASK = (1 << 64) - 1
DAY_MS = 86_400_000
GLYPHS = ('a', 'é', '漢', '😀', 'z', 'Ω', '0', '~')


def mix(row, column):
    """A 64-bit number for a row of a column: the source of every value that is not an edge."""
    x = ((row + 1) * 0x9E3779B97F4A7C15 + column * 0xD1B54A32D192ED03) & MASK
    x ^= x >> 32
    x = x * 0xD6E8FEB86659FD93 & MASK
    return x ^ (x >> 32)


def signed(x):
    return x - (1 << 64) if x >> 63 else x


def edge(row, edges):
    """Every fifth row takes an edge value, one after the other; otherwise None."""
    return edges[row // 5 % len(edges)] if row % 5 == 0 else None


def integers(low, high):
    edges = (low, high, low + 1, high - 1)

    def value(row, column):
        at = edge(row, edges)
        return low + mix(row, column) % (high - low + 1) if at is None else at
    return value


def big_decimals(limit, factor):
    """Decimals wider than 64 bits: edges, or a 64-bit number times `factor`."""
    edges = (limit, -limit, 0, 1, -1, 127, 128, -128, -129)

    def value(row, column):
        at = edge(row, edges)
        return signed(mix(row, column)) * factor if at is None else at
    return value


def big_endian(numbers, size):
    def value(row, column):
        n = numbers(row, column)
        return n.to_bytes(size or (n + (n < 0)).bit_length() // 8 + 1, 'big', signed=True)
    return value


def booleans(row, column):
    """A hundred equal ones after a hundred others."""
    return bool(mix(row if row // 100 % 2 else row // 100, column) & 1)


def floats(form):
    largest = {'<f': 3.4028234663852886e38, '<d': 1.7976931348623157e308}[form]
    smallest = {'<f': 2.0 ** -149, '<d': 5e-324}[form]
    edges = (0.0, -0.0, math.nan, math.inf, -math.inf, largest, -largest, smallest)

    def value(row, column):
        at = edge(row, edges)
        return (mix(row, column) % 2000001 - 1000000) / 64 if at is None else at
    return value


def halves(row, column):
    at = edge(row, (0x0000, 0x8000, 0x7E00, 0x7C00, 0xFC00, 0x7BFF, 0xFBFF, 0x0001))
    return struct.pack('<H', mix(row, column) & 0xFFFF if at is None else at)


def byte_run(row, column, length):
    start = mix(row, column)
    return bytes((start + 7 * j) & 0xFF for j in range(length))


def byte_arrays(row, column):
    at = edge(row, (0, 100, 31, 32, 33))
    return byte_run(row, column, mix(row, column) % 20 if at is None else at)


def byte_arrays_ff(row, column):
    """No upper bound of 32 bytes exists."""
    return b'\xff' * (40 if row % 2 else 3)


def strings(row, column):
    if row % 5 == 0:
        return (GLYPHS[row // 5 % 8] * (0 if row % 3 == 0 else 30)).encode()
    x = mix(row, column)
    return ''.join(GLYPHS[(x >> (8 + 3 * j)) & 7] for j in range(x % 12)).encode()


BOUND_GLYPHS = ('\x7f', '\u07ff', '\ud7ff', '\uffff', '\U0010ffff', 'é')


def bound_strings(row, column):
    """Code points that are the last of their length, or before the surrogates, at every place of a bound."""
    x = mix(row, column)
    return ('a' * (x % 35) + BOUND_GLYPHS[row % 6] * ((x >> 20) % 12)).encode()


def bound_bytes(row, column):
    x = mix(row, column)
    return b'b' * (x % 35) + b'\xff' * ((x >> 20) % 40)


def bound_documents(row, column):
    """JSON on both sides of the length of a bound: whole or not at all."""
    return b'{"j":"' + b'j' * (mix(row, column) % 45) + b'"}'


def bound_decimals(row, column):
    return signed(mix(row, column)) >> (row % 60)


def enums(row, column):
    return (b'RED', b'GREEN', b'BLUE')[mix(row, column) % 3]


def json_documents(row, column):
    return f'{{"i":{mix(row, column) % 1000},"s":"é"}}'.encode()


def bson_documents(row, column):
    """The document {"i": int32}."""
    return struct.pack('<IB2siB', 12, 0x10, b'i\0', mix(row, column) % 100000, 0)


def uuids(row, column):
    at = edge(row, (b'\0' * 16, b'\xff' * 16))
    return struct.pack('>QQ', mix(row, column), mix(row, column + 1000)) if at is None else at


def intervals(row, column):
    x = mix(row, column)
    return struct.pack('<III', x % 1000, (x >> 20) % 1000, (x >> 40) % DAY_MS)


class ColumnType:
    """`kind` says how readers' values are compared; `logical` and `arguments` what the annotation is."""

    def __init__(self, name, physical, value, kind, logical=None, type_length=None, **arguments):
        self.name, self.physical, self.value, self.kind = name, physical, value, kind
        self.logical, self.type_length, self.arguments = logical, type_length, arguments

    @property
    def unsigned(self):
        return self.logical == 'INTEGER' and not self.arguments['is_signed']


def _integer_types():
    for bits in (8, 16, 32, 64):
        physical = 'INT64' if bits == 64 else 'INT32'
        half = 1 << (bits - 1)
        yield ColumnType(f'int_{bits}', physical, integers(-half, half - 1), 'int', 'INTEGER', bits=bits, is_signed=True)
        yield ColumnType(f'uint_{bits}', physical, integers(0, 2 * half - 1), 'int', 'INTEGER', bits=bits,
                         is_signed=False)


# Ranges that every reader can show: 1900-01-01 to 2262-04-11.
FIRST_SECOND, LAST_SECOND = -2_208_988_800, 9_223_286_400
UNITS = {'ms': ('MILLIS', 1000), 'us': ('MICROS', 1_000_000), 'ns': ('NANOS', 1_000_000_000)}


def _time_types():
    for unit, (name, per_second) in UNITS.items():
        for zone in ('utc', 'local'):
            yield ColumnType(f'time_{unit}_{zone}', 'INT32' if unit == 'ms' else 'INT64',
                             integers(0, 86_400 * per_second - 1), 'time', 'TIME', unit=name, utc=zone == 'utc')
            yield ColumnType(f'timestamp_{unit}_{zone}', 'INT64',
                             integers(FIRST_SECOND * per_second, LAST_SECOND * per_second + per_second - 1),
                             'timestamp', 'TIMESTAMP', unit=name, utc=zone == 'utc')


def _decimal(name, physical, numbers, precision, scale, type_length=None):
    return ColumnType(name, physical, numbers, 'decimal', 'DECIMAL', type_length, precision=precision, scale=scale)


TYPES = {t.name: t for t in [
    ColumnType('boolean', 'BOOLEAN', booleans, 'bool'),
    ColumnType('int32', 'INT32', integers(-(1 << 31), (1 << 31) - 1), 'int'),
    ColumnType('int64', 'INT64', integers(-(1 << 63), (1 << 63) - 1), 'int'),
    ColumnType('float', 'FLOAT', floats('<f'), 'float'),
    ColumnType('double', 'DOUBLE', floats('<d'), 'float'),
    ColumnType('float_nan', 'FLOAT', lambda row, column: math.nan, 'float'),
    ColumnType('double_zero', 'DOUBLE', lambda row, column: -0.0 if row % 2 else 0.0, 'float'),
    ColumnType('byte_array', 'BYTE_ARRAY', byte_arrays, 'bytes'),
    ColumnType('byte_array_ff', 'BYTE_ARRAY', byte_arrays_ff, 'bytes'),
    ColumnType('fixed', 'FIXED_LEN_BYTE_ARRAY', lambda row, column: byte_run(row, column, 7), 'bytes', None, 7),
    ColumnType('string', 'BYTE_ARRAY', strings, 'bytes', 'STRING'),
    ColumnType('enum', 'BYTE_ARRAY', enums, 'bytes', 'ENUM'),
    ColumnType('json', 'BYTE_ARRAY', json_documents, 'bytes', 'JSON'),
    ColumnType('bson', 'BYTE_ARRAY', bson_documents, 'bytes', 'BSON'),
    ColumnType('uuid', 'FIXED_LEN_BYTE_ARRAY', uuids, 'bytes', 'UUID', 16),
    ColumnType('float16', 'FIXED_LEN_BYTE_ARRAY', halves, 'float16', 'FLOAT16', 2),
    ColumnType('interval', 'FIXED_LEN_BYTE_ARRAY', intervals, 'interval', 'INTERVAL', 12),
    ColumnType('date', 'INT32', integers(FIRST_SECOND // 86400, LAST_SECOND // 86400), 'date', 'DATE'),
    _decimal('decimal_int32', 'INT32', integers(1 - 10 ** 9, 10 ** 9 - 1), 9, 2),
    _decimal('decimal_int64', 'INT64', integers(1 - 10 ** 18, 10 ** 18 - 1), 18, 4),
    _decimal('decimal_fixed_5', 'FIXED_LEN_BYTE_ARRAY', big_endian(integers(1 - 10 ** 11, 10 ** 11 - 1), 5), 11, 3, 5),
    _decimal('decimal_fixed_16', 'FIXED_LEN_BYTE_ARRAY',
             big_endian(big_decimals(10 ** 38 - 1, 10 ** 18), 16), 38, 10, 16),
    _decimal('decimal_binary', 'BYTE_ARRAY', big_endian(big_decimals(10 ** 20 - 1, 1), None), 20, 5),
    *_integer_types(),
    *_time_types(),
]}

# Values that grow from row to row, so that row groups can be skipped by their statistics. The unsigned one passes
# 2^63, the decimals and doubles pass 0, the strings differ before the 32nd byte and continue after it.
SEQUENCES = {t.name: t for t in [
    ColumnType('seq_int64', 'INT64', lambda row, column: 10 * row - 1500, 'int'),
    ColumnType('seq_uint_64', 'INT64', lambda row, column: (1 << 63) - 150 + row, 'int', 'INTEGER', bits=64,
               is_signed=False),
    ColumnType('seq_double', 'DOUBLE', lambda row, column: row / 4 - 40, 'float'),
    ColumnType('seq_string', 'BYTE_ARRAY', lambda row, column: b'%06d' % row + b'x' * 40, 'bytes', 'STRING'),
    ColumnType('seq_date', 'INT32', lambda row, column: row - 100, 'date', 'DATE'),
    ColumnType('seq_timestamp', 'INT64', lambda row, column: 1_700_000_000_000_000 + 1001 * row, 'timestamp',
               'TIMESTAMP', unit='MICROS', utc=True),
    _decimal('seq_decimal_fixed', 'FIXED_LEN_BYTE_ARRAY', big_endian(lambda row, column: row - 150, 16), 38, 2, 16),
    _decimal('seq_decimal_int64', 'INT64', lambda row, column: 3 * row - 450, 18, 2),
]}

# For bounds: a row group of one row has that row's value as both.
BOUNDS = {t.name: t for t in [
    ColumnType('bound_string', 'BYTE_ARRAY', bound_strings, 'bytes', 'STRING'),
    ColumnType('bound_bytes', 'BYTE_ARRAY', bound_bytes, 'bytes'),
    ColumnType('bound_json', 'BYTE_ARRAY', bound_documents, 'bytes', 'JSON'),
    _decimal('bound_decimal', 'BYTE_ARRAY', big_endian(bound_decimals, None), 20, 5),
]}

# Rows of an optional column that are null.
NULLS = {
    'required': lambda row: False,
    'none': lambda row: False,
    'all': lambda row: True,
    'alternating': lambda row: row % 2 == 0,
    'thirds': lambda row: row % 3 == 0,
    'runs': lambda row: row // 70 % 2 == 0,
}


ALL_TYPES = {**TYPES, **SEQUENCES, **BOUNDS}


@functools.cache
def values_of(type_name, nulls, place, rows):
    null, value = NULLS[nulls], ALL_TYPES[type_name].value
    return tuple(None if null(row) else value(row, place) for row in range(rows))


class Column:
    """A column of a file: a type and where its nulls are. Its place in the file is part of its values."""

    def __init__(self, type_name, nulls, place):
        self.type = ALL_TYPES[type_name]
        self.nulls, self.place = nulls, place

    @property
    def name(self):
        return f'{self.type.name}__{self.nulls}'

    @property
    def spec(self):
        return f'{self.type.name}:{self.nulls}'

    def values(self, rows):
        """Each reader asks for them, and many files have the same columns: they are computed once."""
        return list(values_of(self.type.name, self.nulls, self.place, rows))
