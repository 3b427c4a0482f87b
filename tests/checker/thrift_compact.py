"""A strict parser of Thrift's compact protocol, driven by the structure tables of parquet_thrift.py.

Strict means: every field must have the declared type, required fields must be there, no field twice, nothing
unknown. Padded ("overlong") varints are legal in values, sizes and counts, up to the length that the declared
width can need; in field ids they are reported. Every value keeps the file offset it was read from.
"""

from parquet_thrift import ENUMS, STRUCTS, UNIONS

EXTENSION_ID = 32767  # reserved by parquet-format for private extensions: binary
FOOTER_EXTENSION_ID = 32766  # ours: a list of bytes, after an extension without any

# Type codes on the wire.
STOP, TRUE, FALSE, I8, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(13)

WIRE_TYPES = {'bool': (TRUE, FALSE), 'i8': (I8,), 'i16': (I16,), 'i32': (I32,), 'i64': (I64,),
              'double': (DOUBLE,), 'binary': (BINARY,), 'string': (BINARY,),
              'list': (LIST,), 'enum': (I32,), 'struct': (STRUCT,)}
INTEGER_BITS = {'i16': 16, 'i32': 32, 'i64': 64}
REQUIRED = {name: [field for field, _, required in table.values() if required] for name, table in STRUCTS.items()}
VARINT_BYTES = {16: 3, 32: 5, 64: 10}
MAX_DEPTH = 16


class ThriftError(Exception):
    """The bytes are not the structure asked for. `code` names the rule broken."""

    def __init__(self, code, offset, message):
        super().__init__(message)
        self.code, self.offset, self.message = code, offset, message


class Record:
    """One parsed structure: fields as attributes (None when absent), with the offset of each value."""

    def __init__(self, name, start):
        self.struct_name, self.start, self.end = name, start, None
        self.fields, self.offsets, self.extension = {}, {}, None

    def __getattr__(self, name):
        """Fields that are absent are None: the others are attributes."""
        return None

    def take(self, name, offset, value):
        self.offsets[name], self.fields[name] = offset, value
        setattr(self, name, value)

    def at(self, name):
        """File offset of a field's value; of the structure when the field is absent."""
        return self.offsets.get(name, self.start)


class Parser:
    """Parses structures from data[start:end); offsets in errors are offsets into data."""

    def __init__(self, data, start, end):
        self.data, self.pos, self.end = data, start, end

    def byte(self):
        if self.pos >= self.end:
            raise ThriftError('thrift.truncated', self.pos, 'structure runs past its end')
        self.pos += 1
        return self.data[self.pos - 1]

    def varint(self, bits):
        """An unsigned varint of at most the bytes that `bits` can need."""
        value = self.byte()
        if value < 0x80:
            return value  # most are short
        start, value, shift = self.pos - 1, value & 0x7F, 7
        while True:
            b = self.byte()
            value |= (b & 0x7F) << shift
            shift += 7
            if not b & 0x80:
                break
            if shift >= 7 * VARINT_BYTES[bits]:
                raise ThriftError('thrift.varint', start,
                                  f'varint longer than {VARINT_BYTES[bits]} bytes for {bits} bits')
        if value >> bits:
            raise ThriftError('thrift.varint', start, f'varint {value} does not fit {bits} bits')
        return value

    def zigzag(self, bits):
        value = self.varint(bits)
        return (value >> 1) ^ -(value & 1)

    def raw(self, length):
        if length > self.end - self.pos:
            raise ThriftError('thrift.truncated', self.pos, f'{length} bytes announced, {self.end - self.pos} left')
        self.pos += length
        return bytes(self.data[self.pos - length:self.pos])

    def struct(self, name, depth=0):
        if depth > MAX_DEPTH:
            raise ThriftError('thrift.depth', self.pos, 'structures nested too deeply')
        table, record, last = STRUCTS[name], Record(name, self.pos), 0
        while True:
            at = self.pos
            header = self.byte()
            if header == STOP:
                break
            wire, last = header & 0x0F, self.field_id(header, last)
            self.field(record, table, wire, last, at, depth)
        record.end = self.pos
        self.complete(record)
        return record

    def field_id(self, header, last):
        if header >> 4:
            return last + (header >> 4)
        at = self.pos
        field = self.zigzag(16)
        length = self.pos - at
        if length > 1 and (2 * abs(field)) >> (7 * (length - 1)) == 0:
            raise ThriftError('thrift.varint', at, f'field id {field} in a padded varint')
        return field

    def field(self, record, table, wire, field_id, at, depth):
        if field_id == EXTENSION_ID:
            if wire != BINARY or record.extension is not None:
                raise ThriftError('thrift.extension', at,
                                  f'{record.struct_name} field {field_id}: an extension is one binary field')
            record.offsets['extension_field'], record.offsets['extension'] = at, self.pos
            record.extension = self.value('binary', wire, at, (record.struct_name, 'extension'), depth)
            return
        if field_id == FOOTER_EXTENSION_ID and record.struct_name == 'FileMetaData':
            if wire != LIST or record.extension != b'':
                raise ThriftError('thrift.extension', at, 'the extension of a footer is a list after an empty extension')
            record.extension = self.byte_list(at)
            return
        if field_id not in table:
            raise ThriftError('thrift.unknown_field', at,
                              f'{record.struct_name} field {field_id} is not in parquet.thrift')
        name, kind, _ = table[field_id]
        if name in record.fields:
            raise ThriftError('thrift.duplicate_field', at,
                              f'{record.struct_name} field {field_id} ({name}) stands twice')
        record.take(name, self.pos, self.value(kind, wire, at, (record.struct_name, name), depth))

    def value(self, kind, wire, at, where, depth):
        """A value whose type code has been read already. `where`: structure, field."""
        self.expect(kind, wire, at, where)
        if kind in INTEGER_BITS:
            return self.zigzag(INTEGER_BITS[kind])
        if kind == 'bool':
            return wire == TRUE
        if kind == 'i8':
            b = self.byte()
            return b - 256 if b > 127 else b
        if kind == 'double':
            return self.raw(8)
        if kind in ('binary', 'string'):
            return self.binary(kind, where)
        if kind[0] == 'list':
            return self.list(kind[1], where, depth)
        if kind[0] == 'enum':
            return self.enum(kind[1], where)
        return self.struct(kind[1], depth + 1)

    def expect(self, kind, wire, at, where):
        if wire not in WIRE_TYPES[kind if isinstance(kind, str) else kind[0]]:
            raise ThriftError('thrift.type', at, f'{".".join(where)}: type code {wire}, expected {kind}')

    def byte_list(self, at):
        """A list of bytes, of more than 14."""
        if self.byte() != 0xF0 | I8:
            raise ThriftError('thrift.extension', at, 'an extension is no list of bytes')
        return self.raw(self.varint(32))

    def binary(self, kind, where):
        at = self.pos
        value = self.raw(self.varint(32))
        if kind == 'binary':
            return value
        try:
            return value.decode('utf-8')
        except UnicodeDecodeError:
            raise ThriftError('thrift.utf8', at, f'{".".join(where)}: a string that is not UTF-8') from None

    def enum(self, name, where):
        at, value = self.pos, self.zigzag(32)
        if value not in ENUMS[name]:
            raise ThriftError('thrift.enum', at, f'{".".join(where)}: {value} is no {name}')
        return value

    def truth(self):
        at, b = self.pos, self.byte()
        if b not in (TRUE, FALSE):
            raise ThriftError('thrift.bool', at, f'{b} is neither true nor false')
        return b == TRUE

    def list(self, kind, where, depth):
        at = self.pos
        header = self.byte()
        size = header >> 4 if header >> 4 != 15 else self.varint(32)
        if size > self.end - self.pos:
            raise ThriftError('thrift.truncated', at, f'{".".join(where)}: list of {size} in {self.end - self.pos} bytes')
        self.expect(kind, header & 0x0F, at, where)
        if kind == 'bool':  # a byte each, as the value of a field has it in its type code
            return [self.truth() for _ in range(size)]
        return [self.value(kind, header & 0x0F, self.pos, where, depth) for _ in range(size)]

    @staticmethod
    def complete(record):
        for name in REQUIRED[record.struct_name]:
            if name not in record.fields:
                raise ThriftError('thrift.required', record.start, f'{record.struct_name}.{name} is missing')
        if record.struct_name in UNIONS and len(record.fields) != 1:
            raise ThriftError('thrift.union', record.start,
                              f'{record.struct_name}: {len(record.fields)} members set, a union has one')
