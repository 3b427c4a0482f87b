"""A small Parquet writer for the checker's own tests: it can write wrong files on purpose.

Structures are dicts with the field names of parquet_thrift.py. Before a structure is serialised the caller's hook
sees it: hook(kind, structure), kind one of 'header', 'chunk', 'row_group', 'footer'; 'body' gets a bytearray.
Of what src/FORMAT.md adds, 'extension' is a dict with the fields of own_structures.py, and 'record' as well.
"""

import struct
import zlib

from own_structures import EXTENSION, EXTENSION_FIELDS, TRAILER, TRAILER_FIELDS
from parquet_thrift import STRUCTS
from thrift_compact import BINARY, DOUBLE, FALSE, I8, I16, I32, I64, LIST, STRUCT, TRUE

CODES = {'i8': I8, 'i16': I16, 'i32': I32, 'i64': I64, 'double': DOUBLE, 'binary': BINARY, 'string': BINARY,
         'bool': TRUE, 'list': LIST, 'enum': I32, 'struct': STRUCT}
TYPES = {'BOOLEAN': 0, 'INT32': 1, 'INT64': 2, 'FLOAT': 4, 'DOUBLE': 5, 'BYTE_ARRAY': 6, 'FIXED_LEN_BYTE_ARRAY': 7}
FORMATS = {'INT32': '<i', 'INT64': '<q', 'FLOAT': '<f', 'DOUBLE': '<d'}


class Padded(int):
    """An integer written as a varint of `length` bytes."""

    def __new__(cls, value, length):
        self = super().__new__(cls, value)
        self.length = length
        return self


class Encoded(bytes):
    """A value that is serialised already."""


def varint(value, length=1):
    out = bytearray()
    while value >= 0x80 or len(out) + 1 < length:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def zigzag(value):
    return varint(2 * value if value >= 0 else -2 * value - 1, getattr(value, 'length', 1))


def code_of(kind):
    return CODES[kind if isinstance(kind, str) else kind[0]]


def encode_value(kind, value):
    if isinstance(value, Encoded):
        return value
    if kind == 'i8':
        return struct.pack('<b', value)
    if kind in ('i16', 'i32', 'i64') or kind[0] == 'enum':
        return zigzag(value)
    if kind in ('binary', 'string'):
        data = value.encode() if isinstance(value, str) else value
        return varint(len(data)) + data
    if kind[0] == 'list':
        head = bytes([len(value) << 4 | code_of(kind[1])]) if len(value) < 15 else \
            bytes([0xF0 | code_of(kind[1])]) + varint(len(value))
        return head + b''.join(encode_value(kind[1], v) for v in value)
    return encode_struct(kind[1], value)


def encode_struct(name, fields):
    """Fields by name; the key 'raw' holds bytes put before the stop byte (extensions, foreign fields)."""
    out, last = bytearray(), 0
    for number, (field, kind, _) in sorted(STRUCTS[name].items()):
        if field not in fields:
            continue
        value = fields[field]
        code = (TRUE if value else FALSE) if kind == 'bool' else code_of(kind)
        out.append((number - last) << 4 | code)
        last = number
        if kind != 'bool':
            out += encode_value(kind, value)
    return bytes(out) + fields.get('raw', b'') + b'\0'


def extension(data):
    return bytes([BINARY]) + zigzag(32767) + varint(len(data)) + data


def footer_extension(data):
    return extension(b'') + bytes([LIST]) + zigzag(32766) + bytes([0xF0 | I8]) + varint(len(data)) + data


def rle_levels(levels):
    """Definition levels 0/1 as runs of one value, with the length in front."""
    out, i = bytearray(), 0
    while i < len(levels):
        j = i
        while j < len(levels) and levels[j] == levels[i]:
            j += 1
        out += varint((j - i) << 1) + bytes([levels[i]])
        i = j
    return struct.pack('<I', len(out)) + bytes(out)


def packed_levels(levels):
    """Definition levels 0/1 as one bit-packed run."""
    groups = (len(levels) + 7) // 8
    bits = sum(level << i for i, level in enumerate(levels))
    run = varint(groups << 1 | 1) + bits.to_bytes(groups, 'little')
    return struct.pack('<I', len(run)) + run


class TinyColumn:
    """`element` is the SchemaElement; `values` per row, None for null; `statistics` the dict to write."""

    def __init__(self, element, values, statistics, levels=rle_levels):
        self.element, self.values, self.statistics, self.levels = element, values, statistics, levels

    @property
    def physical(self):
        return next(k for k, v in TYPES.items() if v == self.element['type'])

    def body(self, values):
        out = b''
        if self.element['repetition_type'] == 1:
            out = self.levels([int(v is not None) for v in values])
        return out + self.plain([v for v in values if v is not None])

    def plain(self, values):
        if self.physical == 'BOOLEAN':
            return sum(v << i for i, v in enumerate(values)).to_bytes((len(values) + 7) // 8, 'little')
        if self.physical in FORMATS:
            return b''.join(struct.pack(FORMATS[self.physical], v) for v in values)
        if self.physical == 'BYTE_ARRAY':
            return b''.join(struct.pack('<I', len(v)) + v for v in values)
        return b''.join(values)


class TinyWriter:
    """Writes row groups of `rows` rows with pages of `page_rows` rows, strictly forward."""

    slot_bytes = 3001
    file_id = 0xC0FFEE

    def __init__(self, columns, rows, page_rows, hook=None, gap=b'', key_values=()):
        self.columns, self.rows, self.page_rows = columns, rows, page_rows
        self.hook, self.gap = hook or (lambda kind, structure: None), gap
        self.key_values = key_values
        self.out = bytearray(b'PAR1')
        self.sequence = 0
        self.entries = []  # of finished row groups, serialised

    def write(self):
        total = len(self.columns[0].values)
        groups = []
        for first in range(0, total, self.rows):
            self.out += self.gap if first == 0 else b''
            groups.append(self.row_group(first, min(first + self.rows, total)))
        self.out += self.footer(groups, total)
        return bytes(self.out)

    def row_group(self, first, last):
        slot = len(self.out)
        self.out += bytes(self.slot_bytes)
        group = self.describe([self.chunk(column, first, last) for column in self.columns], last - first)
        entry = encode_struct('RowGroup', group)
        self.out += self.gap
        self.out[slot:slot + self.slot_bytes] = self.record(entry, len(self.out))
        self.entries.append(entry)
        return group

    def describe(self, chunks, rows):
        size = sum(c['meta_data']['total_compressed_size'] for c in chunks)
        group = {'columns': chunks, 'total_byte_size': size, 'num_rows': rows,
                 'file_offset': min(c['meta_data']['data_page_offset'] for c in chunks), 'total_compressed_size': size}
        self.hook('row_group', group)
        return group

    def record(self, entry, next_group):
        """A slot with its record; of no entry, emptied."""
        self.sequence += 1
        trailer = {'tag': b'mpqR', 'version': 1, 'file_id': self.file_id, 'sequence': self.sequence,
                   'entry_bytes': len(entry), 'entries_crc': zlib.crc32(b''.join(self.entries + [entry])),
                   'next': next_group, 'entry': entry, 'padding': bytes(self.slot_bytes - TRAILER.size - len(entry))}
        self.hook('record', trailer)
        data = TRAILER.pack(*(trailer.get(name, 0) for name in TRAILER_FIELDS))[:-4]
        return trailer['entry'] + trailer['padding'] + data + struct.pack('<I', trailer.get('crc', zlib.crc32(data)))

    def footer(self, groups, rows, open_entry=b'', extents=(), **space):
        root = {'name': 'schema', 'num_children': len(self.columns)}
        footer = {'version': 1, 'schema': [root] + [c.element for c in self.columns], 'num_rows': Padded(rows, 10),
                  'row_groups': groups, 'created_by': 'microparquet version 0.0.1 (build 0123abcd)',
                  'column_orders': [{'TYPE_ORDER': {}} for _ in self.columns]}
        if self.key_values:
            footer['key_value_metadata'] = [{'key': k, 'value': v} for k, v in self.key_values]
        self.hook('footer', footer)
        self.sequence += 1
        entries = b''.join(self.entries)
        fields = dict.fromkeys(EXTENSION_FIELDS, 0)
        fields.update(tag=b'mpqF', version=1, file_id=self.file_id, sequence=self.sequence, rows=rows,
                      slot_bytes=self.slot_bytes, finished_count=len(self.entries), finished_bytes=len(entries),
                      finished_crc=zlib.crc32(entries), open_bytes=len(open_entry),
                      entries_crc=zlib.crc32(entries + open_entry), extents=list(extents), **space)
        return self.with_extension(footer, fields, entries + open_entry)

    def with_extension(self, footer, fields, entries):
        groups = footer['row_groups']
        if isinstance(groups, list):
            footer['row_groups'] = Encoded(b'\xfc' + varint(len(groups), 5) + entries)
        before = {name: footer[name] for name in ('version', 'schema', 'num_rows') if name in footer}
        head = encode_struct('FileMetaData', before)[:-1]
        fields['first_entry'] = len(head) + 1 + 1 + 5
        self.hook('extension', fields)
        packed = EXTENSION.pack(*(fields[name] for name in EXTENSION_FIELDS)) + \
            b''.join(struct.pack('<II', *extent) for extent in fields['extents'])
        footer['raw'] = footer.get('raw', b'') + footer_extension(packed + bytes(4))
        data = bytearray(encode_struct('FileMetaData', footer))
        crc = zlib.crc32(data[fields['first_entry'] + len(entries):-5], zlib.crc32(data[:fields['first_entry']]))
        data[-5:-1] = struct.pack('<I', fields.get('crc', crc))
        return bytes(data) + struct.pack('<I', len(data)) + b'PAR1'

    def chunk(self, column, first, last):
        start = len(self.out)
        for i in range(first, last, self.page_rows):
            self.out += self.page(column, column.values[i:min(i + self.page_rows, last)])
        return self.describe_chunk(column, first, last, start, len(self.out) - start)

    def describe_chunk(self, column, first, last, start, size):
        meta = {'type': column.element['type'], 'encodings': [0, 3], 'path_in_schema': [column.element['name']],
                'codec': 0, 'num_values': last - first, 'total_uncompressed_size': size,
                'total_compressed_size': size, 'data_page_offset': start,
                'statistics': column.statistics(column.values[first:last])}
        chunk = {'file_offset': 0, 'meta_data': meta}
        self.hook('chunk', chunk)
        return chunk

    def page(self, column, values):
        body = bytearray(column.body(values))
        self.hook('body', body)
        header = self.header(body, len(values))
        self.hook('header', header)
        return encode_struct('PageHeader', header) + body

    @staticmethod
    def header(body, rows):
        crc = zlib.crc32(body)
        return {'type': 0, 'uncompressed_page_size': len(body), 'compressed_page_size': len(body),
                'crc': crc - (1 << 32) if crc >> 31 else crc,
                'data_page_header': {'num_values': rows, 'encoding': 0, 'definition_level_encoding': 3,
                                     'repetition_level_encoding': 3}}
