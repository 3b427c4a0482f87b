"""Statistics recomputed from the values, by the ColumnOrder rules of parquet.thrift (TYPE_ORDER)."""

import math
import struct

DEFAULT_LENGTH = 32  # bytes a bound may have before it is truncated or left out

FLOATS = {'FLOAT': '<f', 'DOUBLE': '<d'}


def float_format(leaf):
    """struct format of a floating-point column, None for other columns."""
    return '<e' if leaf.logical == 'FLOAT16' else FLOATS.get(leaf.physical)


def has_order(leaf):
    return leaf.logical not in ('INTERVAL', 'UNKNOWN', 'GEOMETRY', 'GEOGRAPHY') and leaf.physical != 'INT96'


def itself(value):
    return value


def order_key(leaf):
    """The function that maps a decoded value to what its column order compares; `itself` for most columns."""
    if leaf.logical == 'FLOAT16':
        return lambda v: struct.unpack('<e', v)[0]
    if leaf.logical == 'DECIMAL' and leaf.physical in ('BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY'):
        return lambda v: int.from_bytes(v, 'big', signed=True)
    return itself


def is_binary(leaf):
    """Whether the length of bounds is limited."""
    return leaf.physical in ('BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY') and leaf.logical != 'FLOAT16'


def may_truncate(leaf):
    """Truncated bounds must stay valid in the logical type: only unannotated byte arrays and strings can."""
    return leaf.physical == 'BYTE_ARRAY' and leaf.logical in (None, 'STRING')


def plain_bound(leaf, value):
    """A value as Statistics stores it: PLAIN, byte arrays without their length."""
    if isinstance(value, bytes):
        return value
    if leaf.physical == 'BOOLEAN':
        return bytes([value])
    if leaf.physical in FLOATS:
        return struct.pack(FLOATS[leaf.physical], value)
    letter = {'INT32': 'i', 'INT64': 'q'}[leaf.physical]
    return struct.pack('<' + (letter.upper() if leaf.unsigned else letter), value)


def bound_value(leaf, stated):
    """A bound as a value of the column."""
    if leaf.physical == 'BOOLEAN':
        return stated != b'\0'
    letter = {'INT32': 'i', 'INT64': 'q', 'FLOAT': 'f', 'DOUBLE': 'd'}.get(leaf.physical)
    if letter is None or len(stated) != struct.calcsize(letter):
        return stated
    return struct.unpack('<' + (letter.upper() if leaf.unsigned else letter), stated)[0]


def utf8_floor(data, length):
    """Longest prefix of at most `length` bytes that ends on a code point's boundary."""
    while 0 < length < len(data) and data[length] & 0xC0 == 0x80:
        length -= 1
    return data[:length]


def truncated_min(leaf, value, length):
    return utf8_floor(value, length) if leaf.logical == 'STRING' else value[:length]


def truncated_max(leaf, value, length):
    """The truncated upper bound of `value`: its prefix, raised. None when there is none."""
    if leaf.logical == 'STRING':
        return raised_text(utf8_floor(value, length))
    prefix = value[:length].rstrip(b'\xff')
    return prefix[:-1] + bytes([prefix[-1] + 1]) if prefix else None


def shortened(leaf, side, whole, length):
    """A bound as it is stored: shortened where it is long and may be. None: there is none."""
    if not may_truncate(leaf) or len(whole) <= length:
        return whole
    return (truncated_min if side == 'min' else truncated_max)(leaf, whole, length)


def zero_bound(side, floating):
    """Zeros: -0.0 as minimum, +0.0 as maximum, whichever was stored."""
    return struct.pack(floating, -0.0 if side == 'min' else 0.0)


def raised_text(prefix):
    """The last code point with a successor of as many bytes is replaced by it, and what follows is dropped."""
    text = prefix.decode('utf-8')
    for i in range(len(text) - 1, -1, -1):
        point = ord(text[i])
        successor = 0xE000 if point == 0xD7FF else point + 1
        if point != 0x10FFFF and len(chr(successor).encode('utf-8')) == len(text[i].encode('utf-8')):
            return (text[:i] + chr(successor)).encode('utf-8')
    return None


def numbers_of(values, key):
    """Drops the values that are no numbers. Large columns spend most of their time here and below: no function is called for
    each value."""
    if key is itself:
        return [value for value in values if value == value]  # NaN is not
    return [value for value in values if not math.isnan(key(value))]


def lowest_and_highest(values, key):
    if key is itself:
        return min(values), max(values)
    return min(values, key=key), max(values, key=key)


def shown(data):
    return 'absent' if data is None else f'0x{data.hex()}' if len(data) <= 40 else f'0x{data[:40].hex()}...'


class StatisticsCheck:
    """Compares one Statistics record with the values it describes."""

    def __init__(self, leaf, record, where, report, length=DEFAULT_LENGTH, joined=False):
        """`joined`: bounds are those of pages together, exact only if none of these was shortened, and known if all were."""
        self.leaf, self.record, self.where, self.length = leaf, record, where, length
        self.raw_report, self.joined = report, joined

    def report(self, code, field, message):
        self.raw_report(code, self.record.at(field), f'{self.where}: {message}')

    def run(self, values, null_count):
        """`values` are the non-null values."""
        key = order_key(self.leaf)
        self.check_null_count(null_count)
        floating = float_format(self.leaf)
        comparable = numbers_of(values, key) if floating else values
        self.check_nan_count(len(values) - len(comparable) if floating else None)
        self.check_distinct_count(values)
        if not has_order(self.leaf) or not comparable:
            self.check_absent()
            return
        low, high = lowest_and_highest(comparable, key)
        self.check_missing(plain_bound(self.leaf, low), plain_bound(self.leaf, high))
        self.check_bound('min', low, key, floating, comparable)
        self.check_bound('max', high, key, floating, comparable)
        self.check_deprecated()

    def check_null_count(self, null_count):
        if self.record.null_count != null_count:
            self.report('statistics.null_count', 'null_count', f'null_count {self.record.null_count}, is {null_count}')

    def check_nan_count(self, nan_count):
        if self.record.nan_count != nan_count:
            self.report('statistics.nan_count', 'nan_count', f'nan_count {self.record.nan_count}, must be {nan_count}')

    def check_distinct_count(self, values):
        stated = self.record.distinct_count
        if stated is not None and stated != len(set(values)):
            self.report('statistics.distinct_count', 'distinct_count',
                        f'distinct_count {stated}, is {len(set(values))}')

    def check_absent(self):
        for name in ('min_value', 'max_value', 'min', 'max', 'is_min_value_exact', 'is_max_value_exact'):
            if self.record.fields.get(name) is not None:
                self.report('statistics.unordered', name, f'{name} of a column without comparable values')

    def check_bound(self, side, value, key, floating, values):
        name, flag = f'{side}_value', f'is_{side}_value_exact'
        bound, exact = self.record.fields.get(name), self.record.fields.get(flag)
        if bound is None:
            return
        if floating and key(value) == 0:
            self.check_zero(side, bound, exact, floating)
            return
        whole = plain_bound(self.leaf, value)
        if bound == whole or (self.leaf.logical == 'DECIMAL' and self.same_decimal(bound, value, key)):
            if exact is not True and not (exact is False and self.may_be_shortened(side, bound, values)):
                self.report('statistics.exact', flag, f'{flag} is {exact}, {name} is the true {side}imum')
        else:
            self.check_truncated(side, name, flag, bound, exact, whole)

    def may_be_shortened(self, side, bound, values):
        """Whether a value that is longer than a bound may have become the true one: the flag may say either then."""
        if not is_binary(self.leaf):
            return False
        return self.joined or (may_truncate(self.leaf) and len(bound) <= self.length and any(
            len(value) > self.length and shortened(self.leaf, side, value, self.length) == bound for value in values))

    def check_zero(self, side, bound, exact, floating):
        """The flag may say either."""
        wanted = zero_bound(side, floating)
        if bound != wanted:
            self.report(f'statistics.{side}_value', f'{side}_value', f'{shown(bound)}, must be {shown(wanted)}')
        if exact is None:
            self.report('statistics.exact', f'is_{side}_value_exact', f'is_{side}_value_exact is missing')

    def same_decimal(self, bound, value, key):
        return isinstance(value, bytes) and 0 < len(bound) <= max(len(value), 16) and key(bound) == key(value)

    def check_missing(self, low, high):
        """Both bounds or neither: some readers take a missing bound beside a present one for an empty string."""
        present = [side for side in ('min', 'max') if self.record.fields.get(f'{side}_value') is not None]
        if len(present) == 1:
            self.report('statistics.one_sided', f'{present[0]}_value', f'{present[0]}_value alone')
        for side in ('min', 'max'):
            flag = f'is_{side}_value_exact'
            if side not in present and self.record.fields.get(flag) is not None:
                self.report('statistics.exact', flag, f'{flag} without {side}_value')
        if len(present) < 2 and not (self.joined and is_binary(self.leaf)) and self.storable('min', low) and self.storable('max', high):
            self.report('statistics.missing_bound', 'null_count',
                        f'a bound is missing, {shown(low)} and {shown(high)} can be stored')

    def storable(self, side, whole):
        """Whether a bound for this value fits the length, truncated if it may be."""
        if len(whole) <= self.length or not is_binary(self.leaf):
            return True
        return may_truncate(self.leaf) and (side == 'min' or truncated_max(self.leaf, whole, self.length) is not None)

    def check_truncated(self, side, name, flag, bound, exact, whole):
        wanted = shortened(self.leaf, side, whole, self.length)
        if bound != wanted:
            self.report(f'statistics.{name}', name, f'{shown(bound)}, must be {shown(wanted)}')
        elif exact is not False:
            self.report('statistics.exact', flag, f'{flag} is {exact}, {name} is truncated')

    def check_deprecated(self):
        """The old min and max are ordered by signed comparison: the same bounds, or left out."""
        signed = self.leaf.physical in ('INT32', 'INT64', 'FLOAT', 'DOUBLE', 'BOOLEAN') and not self.leaf.unsigned
        for old, new in (('min', 'min_value'), ('max', 'max_value')):
            stated = self.record.fields.get(old)
            if stated is not None and (not signed or stated != self.record.fields.get(new)):
                self.report('statistics.deprecated', old, f'{old} {shown(stated)}, {new} is '
                            f'{shown(self.record.fields.get(new))}')
