"""The bloom filter of a column chunk (BloomFilter.md), compared with the chunk's values: it has all of them."""

import struct

from column_statistics import float_format, plain_bound
from thrift_compact import Parser, ThriftError

BLOCK = 32
SALTS = (0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D, 0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31)
PRIMES = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
WORD = (1 << 64) - 1


def rotated(value, bits):
    return (value << bits | value >> 64 - bits) & WORD


def mixed(lane, word):
    return rotated(lane + word * PRIMES[1] & WORD, 31) * PRIMES[0] & WORD


def xxhash64(data):
    """The 64-bit hash, its seed being 0."""
    whole = len(data) // 32 * 32
    if whole:
        lanes = [(PRIMES[0] + PRIMES[1]) & WORD, PRIMES[1], 0, -PRIMES[0] & WORD]
        for words in struct.iter_unpack('<4Q', data[:whole]):
            lanes = [mixed(lane, word) for lane, word in zip(lanes, words)]
        value = sum(rotated(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & WORD
        for lane in lanes:
            value = ((value ^ mixed(0, lane)) * PRIMES[0] + PRIMES[3]) & WORD
    else:
        value = PRIMES[4]
    value = value + len(data) & WORD
    rest = data[whole:]
    words, halves = len(rest) // 8 * 8, len(rest) // 4 * 4
    for word, in struct.iter_unpack('<Q', rest[:words]):
        value = (rotated(value ^ mixed(0, word), 27) * PRIMES[0] + PRIMES[3]) & WORD
    for half, in struct.iter_unpack('<I', rest[words:halves]):
        value = (rotated(value ^ half * PRIMES[0] & WORD, 23) * PRIMES[1] + PRIMES[2]) & WORD
    for byte in rest[halves:]:
        value = rotated(value ^ byte * PRIMES[4] & WORD, 11) * PRIMES[0] & WORD
    value = (value ^ value >> 33) * PRIMES[1] & WORD
    value = (value ^ value >> 29) * PRIMES[2] & WORD
    return value ^ value >> 32


def may_have(blocks, value):
    """Whether the blocks have all bits of a value in PLAIN, a byte array without its length."""
    hashed = xxhash64(value)
    block = (hashed >> 32) * (len(blocks) // BLOCK) >> 32
    words = struct.unpack_from('<8I', blocks, block * BLOCK)
    return all(word >> ((hashed * salt & 0xFFFFFFFF) >> 27) & 1 for word, salt in zip(words, SALTS))


def in_filter(leaf, value):
    """The bytes that stand for a value; a zero has another sign as well, and readers may look for either. Python keeps not all bits
    of a FLOAT that is no number."""
    if leaf.physical == 'FLOAT' and value != value:
        return []
    if float_format(leaf) and leaf.logical != 'FLOAT16' and value == 0:
        return [plain_bound(leaf, 0.0), plain_bound(leaf, -0.0)]
    return [plain_bound(leaf, value)]


def check_bloom_filter(data, meta, leaf, values, begin, end, complain):
    """`begin` and `end`: where it may lie."""
    start, length = meta.fields.get('bloom_filter_offset'), meta.fields.get('bloom_filter_length')
    if start is None and length is None:
        return
    at = meta.at('bloom_filter_offset' if start is not None else 'bloom_filter_length')
    if start is None or length is None or not begin <= start < start + length <= end:
        complain('bloom_filter.place', at, f'at {start}, {length} bytes, outside of [{begin}, {end})')
        return
    try:
        header = Parser(data, start, start + length).struct('BloomFilterHeader')
    except ThriftError as e:
        complain(e.code, e.offset, f'BloomFilterHeader: {e.message}')
        return
    if header.end + header.numBytes != start + length or header.numBytes < BLOCK or header.numBytes & header.numBytes - 1:
        complain('bloom_filter.length', start, f'{header.numBytes} bytes after {header.end - start}, of {length}')
        return
    blocks = data[header.end:start + length]
    missing = {value for value in values for stored in in_filter(leaf, value) if not may_have(blocks, stored)}
    if missing:
        complain('bloom_filter.values', start, f'{len(missing)} values are not in it, as {min(missing)}')
