"""The correct file that test_checker.py damages: every kind of column, statistics written out by hand."""

import math
import struct

from tiny_writer import TinyColumn, TinyWriter, packed_levels

ROWS, GROUP_ROWS, PAGE_ROWS = 24, 12, 5
LONG = 'temperature sensor on the ridge, north'  # 38 bytes: truncated to 32
ACCENTED = 'z' * 31 + 'é' + 'tail'  # the 32nd byte is inside a code point


def ints(form):
    def make(values):
        present = [v for v in values if v is not None]
        return bounds(struct.pack(form, min(present)), struct.pack(form, max(present)), values)
    return make


def bounds(low, high, values, **more):
    fields = {'null_count': sum(v is None for v in values), 'min_value': low, 'max_value': high,
              'is_min_value_exact': True, 'is_max_value_exact': True}
    fields.update(more)
    return fields


def floats(form, value_of=lambda v: v):
    def make(values):
        numbers = [value_of(v) for v in values if v is not None]
        real = [v for v in numbers if not math.isnan(v)]
        low, high = min(real), max(real)
        return bounds(struct.pack(form, -0.0 if low == 0 else low), struct.pack(form, 0.0 if high == 0 else high),
                      values, nan_count=len(numbers) - len(real))
    return make


def text(values):
    """Minimum LONG cut to 32 bytes; maximum ACCENTED cut before the code point it would split, then raised."""
    return bounds(LONG[:32].encode(), b'z' * 30 + b'{', values, is_min_value_exact=False, is_max_value_exact=False)


def decimals(values):
    return bounds((-123).to_bytes(5, 'big', signed=True), (99999).to_bytes(5, 'big', signed=True), values)


def element(name, physical, repetition=0, **more):
    types = ['BOOLEAN', 'INT32', 'INT64', 'INT96', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY']
    return dict({'type': types.index(physical), 'repetition_type': repetition, 'name': name}, **more)


def columns():
    rows = range(ROWS)
    decimal_logical = {'DECIMAL': {'scale': 2, 'precision': 9}}
    halves = [struct.pack('<e', math.nan if i % 12 == 3 else (i % 12) / 2 - 1) for i in rows]
    return [
        TinyColumn(element('id', 'INT32'), list(rows), ints('<i')),
        TinyColumn(element('u8', 'INT32', converted_type=11, logicalType={'INTEGER': {'bitWidth': 8, 'isSigned': False}}),
                   [i * 37 % 256 for i in rows], ints('<i')),
        TinyColumn(element('o', 'INT64', 1), [None if i % 3 == 0 else -i for i in rows], ints('<q'), packed_levels),
        TinyColumn(element('f', 'FLOAT', 1),
                   [[None, math.nan, 0.0, 1.5, None, math.inf][i % 6] for i in rows], floats('<f')),
        TinyColumn(element('s', 'BYTE_ARRAY', 1, converted_type=0, logicalType={'STRING': {}}),
                   [[LONG.encode(), ACCENTED.encode(), None][i % 3] for i in rows], text),
        TinyColumn(element('b', 'BOOLEAN'), [i % 4 == 1 for i in rows], lambda v: bounds(b'\0', b'\1', v)),
        TinyColumn(element('d', 'FIXED_LEN_BYTE_ARRAY', type_length=5, converted_type=5, scale=2, precision=9,
                           logicalType=decimal_logical),
                   [(-123, 7, 99999)[i % 3].to_bytes(5, 'big', signed=True) for i in rows], decimals),
        TinyColumn(element('h', 'FIXED_LEN_BYTE_ARRAY', type_length=2, logicalType={'FLOAT16': {}}), halves,
                   floats('<e', lambda v: struct.unpack('<e', v)[0])),
        TinyColumn(element('t', 'INT64', converted_type=10,
                           logicalType={'TIMESTAMP': {'isAdjustedToUTC': True, 'unit': {'MICROS': {}}}}),
                   [1_700_000_000_000_000 + i for i in rows], ints('<q')),
        TinyColumn(element('iv', 'FIXED_LEN_BYTE_ARRAY', type_length=12, converted_type=21),
                   [struct.pack('<III', i, 1, 2) for i in rows], lambda v: {'null_count': 0}),
    ]


def write(hook=None, change=None, **options):
    """The file's bytes; `change(columns)` edits columns first, `hook` sees every structure."""
    made = columns()
    if change:
        change(made)
    return TinyWriter(made, GROUP_ROWS, PAGE_ROWS, hook, **options).write()
