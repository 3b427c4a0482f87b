"""Bytes of a data page to levels and values. Every byte must be used, and every unused bit must be zero."""

import struct


class PageError(Exception):
    """A page body that breaks the format; `offset` is a file offset."""

    def __init__(self, code, offset, message):
        super().__init__(message)
        self.code, self.offset, self.message = code, offset, message


def bit_width(max_level):
    return max_level.bit_length()


def run_header(data, pos, end):
    """An unsigned varint in its shortest form; returns (value, next position)."""
    value = shift = 0
    start = pos
    while True:
        if pos >= end:
            raise PageError('levels.truncated', start, 'run header cut short')
        b = data[pos]
        pos += 1
        value |= (b & 0x7F) << shift
        shift += 7
        if not b & 0x80:
            break
        if shift >= 35:
            raise PageError('levels.run_header', start, 'run header longer than 5 bytes')
    if pos - start > 1 and data[pos - 1] == 0:
        raise PageError('levels.run_header', start, 'run header padded')
    return value, pos


def unpack_bits(packed, width, count):
    """`count` values of `width` bits, least significant bit first, and the bits left over."""
    bits = int.from_bytes(packed, 'little')
    mask = (1 << width) - 1
    values = [(bits >> (i * width)) & mask for i in range(count)]
    return values, bits >> (count * width)


def rle_hybrid(data, start, end, width, count):
    """The RLE / bit-packed hybrid in data[start:end) as exactly `count` values with no slack."""
    values, pos = [], start
    while pos < end:
        if len(values) >= count:
            raise PageError('levels.slack', pos, f'{end - pos} bytes after the last of {count} levels')
        at = pos
        header, pos = run_header(data, pos, end)
        if not 1 <= header >> 1 < 2 ** 31:
            raise PageError('levels.run_length', at, f'run of length {header >> 1}')
        if header & 1:
            pos = bit_packed_run(data, pos, end, width, header >> 1, count, values)
        else:
            pos = rle_run(data, pos, end, width, header >> 1, count, values)
    if len(values) != count:
        raise PageError('levels.count', end, f'{len(values)} levels, {count} expected')
    return values


def bit_packed_run(data, pos, end, width, groups, count, values):
    size = groups * width
    if size > end - pos:
        raise PageError('levels.truncated', pos, f'bit-packed run of {size} bytes, {end - pos} left')
    wanted = min(groups * 8, count - len(values))
    if groups * 8 - wanted >= 8:
        raise PageError('levels.slack', pos, f'{groups} bit-packed groups for {wanted} levels')
    run, rest = unpack_bits(bytes(data[pos:pos + size]), width, wanted)
    if rest:
        raise PageError('levels.padding', pos + size - 1, 'padding bits of a bit-packed run are not zero')
    values.extend(run)
    return pos + size


def rle_run(data, pos, end, width, length, count, values):
    size = (width + 7) // 8
    if size > end - pos:
        raise PageError('levels.truncated', pos, 'repeated value cut short')
    if length > count - len(values):
        raise PageError('levels.count', pos, f'run of {length} levels, {count - len(values)} left')
    values.extend([int.from_bytes(bytes(data[pos:pos + size]), 'little')] * length)
    return pos + size


def levels(data, start, end, max_level, count, what):
    """Levels of a V1 page with their 4-byte length; returns (levels, position after them)."""
    if end - start < 4:
        raise PageError('levels.truncated', start, f'{what} levels: no space for their length')
    size = int.from_bytes(bytes(data[start:start + 4]), 'little')
    if size > end - start - 4:
        raise PageError('levels.truncated', start, f'{what} levels of {size} bytes, {end - start - 4} left')
    return levels_in(data, start + 4, start + 4 + size, max_level, count, what), start + 4 + size


def levels_in(data, start, end, max_level, count, what):
    """Levels that fill the bytes from `start` to `end`."""
    values = rle_hybrid(data, start, end, bit_width(max_level), count)
    for i, level in enumerate(values):
        if level > max_level:
            raise PageError('levels.range', start, f'{what} level {level} at value {i}, the maximum is {max_level}')
    return values


FIXED_FORMATS = {'INT32': ('i', 4), 'INT64': ('q', 8), 'FLOAT': ('f', 4), 'DOUBLE': ('d', 8)}


def plain(data, start, end, leaf, count):
    """PLAIN values of a page: exactly `count`, ending exactly at `end`."""
    if leaf.physical == 'BOOLEAN':
        return plain_booleans(data, start, end, count)
    if leaf.physical == 'BYTE_ARRAY':
        return plain_byte_arrays(data, start, end, count)
    width = FIXED_FORMATS[leaf.physical][1] if leaf.physical in FIXED_FORMATS else leaf.type_length
    if leaf.physical == 'INT96':
        width = 12
    if end - start != width * count:
        raise PageError('values.size', start, f'{end - start} bytes for {count} values of {width}')
    body = bytes(data[start:end])
    if leaf.physical in FIXED_FORMATS:
        letter = FIXED_FORMATS[leaf.physical][0]
        return list(struct.unpack(f'<{count}{letter.upper() if leaf.unsigned else letter}', body))
    return [body[i:i + width] for i in range(0, len(body), width)]


def indexed(data, start, end, dictionary, count):
    """The values of a page of `count` indices: their bit width in a byte, then the hybrid to the page's end."""
    if end - start < 1 or data[start] > 32:
        raise PageError('indices.width', start, 'no bit width of indices')
    indices = rle_hybrid(data, start + 1, end, data[start], count)
    if any(index >= len(dictionary) for index in indices):
        raise PageError('indices.range', start, f'an index is not below the {len(dictionary)} entries of the dictionary')
    return [dictionary[index] for index in indices]


def plain_booleans(data, start, end, count):
    if end - start != (count + 7) // 8:
        raise PageError('values.size', start, f'{end - start} bytes for {count} booleans')
    values, rest = unpack_bits(bytes(data[start:end]), 1, count)
    if rest:
        raise PageError('values.padding', end - 1, 'padding bits after the last boolean are not zero')
    return [bool(v) for v in values]


def plain_byte_arrays(data, start, end, count):
    body, pos, values = bytes(data[start:end]), 0, []
    for i in range(count):
        if len(body) - pos < 4:
            raise PageError('values.truncated', start + pos, f'value {i} of {count}: no space for its length')
        size = int.from_bytes(body[pos:pos + 4], 'little')
        pos += 4
        if size > len(body) - pos:
            raise PageError('values.truncated', start + pos, f'value {i} of {count}: {size} bytes, {len(body) - pos} left')
        values.append(body[pos:pos + size])
        pos += size
    if pos != len(body):
        raise PageError('values.size', start + pos, f'{len(body) - pos} bytes after the last of {count} values')
    return values
