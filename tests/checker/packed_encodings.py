"""Bytes of a page body in encodings other than PLAIN to values. Every byte must be used, and every unused bit must be zero."""

import struct

from page_decoding import FIXED_FORMATS, PageError, rle_hybrid, unpack_bits

VALUES_OF_A_MINIBLOCK = 32  # or a multiple
VALUES_OF_A_BLOCK = 128


def varint(data, pos, end):
    """An unsigned varint of at most 64 bits; returns (value, next position)."""
    value, start = 0, pos
    while pos < end and pos - start < 10:
        value |= (data[pos] & 0x7F) << 7 * (pos - start)
        pos += 1
        if not data[pos - 1] & 0x80:
            return value, pos
    raise PageError('delta.varint', start, 'a number that does not end')


def zigzag(data, pos, end):
    value, pos = varint(data, pos, end)
    return value >> 1 ^ -(value & 1), pos


def wrapped(value, bits, unsigned):
    value &= (1 << bits) - 1
    return value if unsigned or value < 1 << bits - 1 else value - (1 << bits)


def delta(data, start, end, leaf, count):
    """DELTA_BINARY_PACKED: exactly `count` values, ending exactly at `end`."""
    if leaf.physical not in ('INT32', 'INT64'):
        raise PageError('delta.type', start, f'differences of {leaf.physical}')
    bits = 8 * FIXED_FORMATS[leaf.physical][1]
    values, pos = differences_at(data, start, end, bits, count)
    if pos != end:
        raise PageError('delta.slack', pos, f'{end - pos} bytes after the last of {count} values')
    return [wrapped(value, bits, leaf.unsigned) for value in values]


def differences_at(data, start, end, bits, count):
    """Exactly `count` numbers, not wrapped yet, and where they end."""
    block, pos = varint(data, start, end)
    miniblocks, pos = varint(data, pos, end)
    stated, pos = varint(data, pos, end)
    value, pos = zigzag(data, pos, end)
    if block == 0 or block % VALUES_OF_A_BLOCK or miniblocks == 0 or block % miniblocks \
            or block // miniblocks % VALUES_OF_A_MINIBLOCK:
        raise PageError('delta.blocks', start, f'blocks of {block} values in {miniblocks} miniblocks')
    if stated != count:
        raise PageError('delta.count', start, f'{stated} values, {count} expected')
    values = [value] if count else []
    while len(values) < count:
        pos = delta_block(data, pos, end, block // miniblocks, miniblocks, bits, count, values)
    return values, pos


def lengths_at(data, start, end, count):
    """Lengths of byte arrays, and where they end."""
    lengths, pos = differences_at(data, start, end, 32, count)
    lengths = [wrapped(length, 32, False) for length in lengths]
    if any(length < 0 for length in lengths):
        raise PageError('lengths.range', start, 'a length below zero')
    return lengths, pos


def length_byte_arrays(data, start, end, leaf, count):
    """DELTA_LENGTH_BYTE_ARRAY: all lengths, and then the bytes, to the page's end."""
    if leaf.physical != 'BYTE_ARRAY':
        raise PageError('lengths.type', start, f'lengths of {leaf.physical}')
    lengths, pos = lengths_at(data, start, end, count)
    if sum(lengths) != end - pos:
        raise PageError('lengths.sum', pos, f'{end - pos} bytes for values of {sum(lengths)} in all')
    values = []
    for length in lengths:
        values.append(bytes(data[pos:pos + length]))
        pos += length
    return values


def delta_byte_arrays(data, start, end, leaf, count):
    """DELTA_BYTE_ARRAY: how much each value has of the one before it, and what follows that as DELTA_LENGTH_BYTE_ARRAY."""
    if leaf.physical != 'BYTE_ARRAY':
        raise PageError('lengths.type', start, f'prefixes of {leaf.physical}')
    prefixes, pos = lengths_at(data, start, end, count)
    values, before = [], b''
    for prefix, suffix in zip(prefixes, length_byte_arrays(data, pos, end, leaf, count)):
        if prefix > len(before):
            raise PageError('prefixes.range', start, f'a prefix of {prefix} bytes, of a value of {len(before)}')
        before = before[:prefix] + suffix
        values.append(before)
    return values


def delta_block(data, pos, end, size, miniblocks, bits, count, values):
    """Miniblocks of `size` values; those without any have a width, of 0, and no bytes."""
    least, pos = zigzag(data, pos, end)
    widths = bytes(data[pos:min(pos + miniblocks, end)])
    if len(widths) != miniblocks:
        raise PageError('delta.truncated', pos, 'widths of miniblocks cut short')
    pos += miniblocks
    for width in widths:
        if width > bits or (width and len(values) == count):
            raise PageError('delta.width', pos, f'{width} bits of a difference')
        wanted = min(size, count - len(values))
        if wanted == 0:
            continue
        bytes_of = size * width // 8
        if bytes_of > end - pos:
            raise PageError('delta.truncated', pos, f'miniblock of {bytes_of} bytes, {end - pos} left')
        differences, rest = unpack_bits(bytes(data[pos:pos + bytes_of]), width, wanted)
        if rest:
            raise PageError('delta.padding', pos, 'differences after the last are not zero')
        for difference in differences:
            values.append(values[-1] + least + difference)
        pos += bytes_of
    return pos


def rle_booleans(data, start, end, leaf, count):
    """RLE, in pages of both versions: four bytes of length, then the hybrid to the page's end."""
    if leaf.physical != 'BOOLEAN':
        raise PageError('booleans.type', start, f'RLE of {leaf.physical}')
    if end - start < 4 or int.from_bytes(bytes(data[start:start + 4]), 'little') != end - start - 4:
        raise PageError('booleans.length', start, 'the length is not that of the page')
    return [value != 0 for value in rle_hybrid(data, start + 4, end, 1, count)]


def split(data, start, end, leaf, count):
    """BYTE_STREAM_SPLIT: the first byte of each value, the second of each, and so on."""
    if leaf.physical in FIXED_FORMATS:
        width = FIXED_FORMATS[leaf.physical][1]
    elif leaf.physical == 'FIXED_LEN_BYTE_ARRAY':
        width = leaf.type_length
    else:
        raise PageError('split.type', start, f'streams of {leaf.physical}')
    if end - start != width * count:
        raise PageError('values.size', start, f'{end - start} bytes for {count} values of {width}')
    body = bytes(data[start:end])
    values = [body[i::count] for i in range(count)]
    if leaf.physical not in FIXED_FORMATS:
        return values
    letter = FIXED_FORMATS[leaf.physical][0]
    return list(struct.unpack(f'<{count}{letter.upper() if leaf.unsigned else letter}', b''.join(values)))


# By their number in parquet.thrift.
DECODERS = {3: rle_booleans, 5: delta, 6: length_byte_arrays, 7: delta_byte_arrays, 9: split}
