"""Turns the Arrow array that a reader returns back into physical values, to compare them with the expected ones.

A reader may choose its own type for a column (a wider integer, a decimal for unsigned numbers, text for JSON); what
counts is that no value changes. normalise() does the same to the expected values.
"""

import decimal
import math
import struct

import pyarrow as pa

UNIT_NANOSECONDS = {'s': 10 ** 9, 'ms': 10 ** 6, 'us': 1000, 'ns': 1, 'MILLIS': 10 ** 6, 'MICROS': 1000, 'NANOS': 1}


class Unreadable(Exception):
    """The reader returned a type that cannot hold such values."""


def flat(array):
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if isinstance(array.type, pa.BaseExtensionType):
        array = array.storage
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    return array


def expected(column, rows):
    """The expected values of a column in the form that observed() returns."""
    convert = EXPECTED[column.type.kind]
    return [None if v is None else convert(column.type, v) for v in column.values(rows)]


def observed(column, array):
    """An Arrow array's values in the same form. Unreadable when its type cannot mean the column's."""
    array = flat(array)
    if pa.types.is_null(array.type):
        return [None] * len(array)
    return OBSERVED[column.type.kind](column.type, array)


def nanoseconds(column_type, value):
    return value * UNIT_NANOSECONDS[column_type.arguments['unit']]


def canonical_float(value):
    """Floats are compared as their bits, all NaN alike, so that -0.0 is not 0.0."""
    return 'nan' if math.isnan(value) else struct.pack('<d', value)


def unscaled(column_type, value):
    return int.from_bytes(value, 'big', signed=True) if isinstance(value, bytes) else value


EXPECTED = {
    'bool': lambda t, v: v, 'int': lambda t, v: v, 'bytes': lambda t, v: v, 'date': lambda t, v: v,
    'float': lambda t, v: canonical_float(v),
    'float16': lambda t, v: canonical_float(struct.unpack('<e', v)[0]),
    'time': nanoseconds, 'timestamp': nanoseconds, 'decimal': unscaled,
    'interval': lambda t, v: struct.unpack('<III', v),
}


def observed_bool(_, array):
    if not pa.types.is_boolean(array.type):
        raise Unreadable(str(array.type))
    return array.to_pylist()


def observed_int(_, array):
    if pa.types.is_decimal(array.type) and array.type.scale == 0:
        return [None if v is None else int(v) for v in array.to_pylist()]
    if not pa.types.is_integer(array.type):
        raise Unreadable(str(array.type))
    return array.to_pylist()


def observed_float(_, array):
    if not pa.types.is_floating(array.type):
        raise Unreadable(str(array.type))
    return [None if v is None else canonical_float(v) for v in array.to_pylist()]


def observed_bytes(column_type, array):
    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type) or pa.types.is_string_view(array.type):
        if column_type.logical == 'UUID':
            return [None if v is None else bytes.fromhex(v.replace('-', '')) for v in array.to_pylist()]
        return [None if v is None else v.encode() for v in array.to_pylist()]
    if not any(is_type(array.type) for is_type in (pa.types.is_binary, pa.types.is_large_binary,
                                                   pa.types.is_binary_view, pa.types.is_fixed_size_binary)):
        raise Unreadable(str(array.type))
    return array.to_pylist()


def observed_date(_, array):
    if not pa.types.is_date32(array.type):
        raise Unreadable(str(array.type))
    return array.cast(pa.int32()).to_pylist()


def observed_time(_, array):
    if not pa.types.is_time(array.type):
        raise Unreadable(str(array.type))
    return scaled(array, pa.int32() if array.type.bit_width == 32 else pa.int64())


def observed_timestamp(column_type, array):
    """A reader that knows the difference must tell instants from local times."""
    if not pa.types.is_timestamp(array.type):
        raise Unreadable(str(array.type))
    if (array.type.tz is not None) != column_type.arguments['utc']:
        raise Unreadable(f'{array.type}: zone where none is, or none where one is')
    return scaled(array, pa.int64())


def scaled(array, integer):
    factor = UNIT_NANOSECONDS[array.type.unit]
    return [None if v is None else v * factor for v in array.cast(integer).to_pylist()]


def observed_decimal(column_type, array):
    if not pa.types.is_decimal(array.type) or array.type.scale != column_type.arguments['scale']:
        raise Unreadable(str(array.type))
    return [None if v is None else int(v.scaleb(array.type.scale, context=WIDE)) for v in array.to_pylist()]


def observed_interval(_, array):
    if pa.types.is_fixed_size_binary(array.type) or pa.types.is_binary(array.type):
        return [None if v is None else struct.unpack('<III', v) for v in array.to_pylist()]
    if array.type != pa.month_day_nano_interval():
        raise Unreadable(str(array.type))
    return [None if v is None else (v.months, v.days, v.nanoseconds // 10 ** 6) for v in array.to_pylist()]


WIDE = decimal.Context(prec=80)

OBSERVED = {'bool': observed_bool, 'int': observed_int, 'float': observed_float, 'float16': observed_float,
            'bytes': observed_bytes, 'date': observed_date, 'time': observed_time, 'timestamp': observed_timestamp,
            'decimal': observed_decimal, 'interval': observed_interval}


def first_difference(want, got):
    """None when equal, else a short description."""
    if want == got:
        return None
    if len(want) != len(got):
        return f'{len(got)} rows, {len(want)} expected'
    i = next(i for i, (a, b) in enumerate(zip(want, got)) if a != b)
    count = sum(a != b for a, b in zip(want, got))
    return f'{count} of {len(want)} values differ, first row {i}: {got[i]!r}, expected {want[i]!r}'
