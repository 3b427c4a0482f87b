"""The structures that microparquet adds to a file: the extension of a footer and the slot of a record (src/FORMAT.md).

All integers are little-endian and unsigned. Sectors have 512 bytes.
"""

import struct
import zlib

SECTOR = 512
LARGER_BLOCKS = (4096, 2048, 1024)  # of media that tear more than a sector
MAGIC = b'PAR1'
FOOTER_TAG, RECORD_TAG = b'mpqF', b'mpqR'
VERSION = 1
HISTORY_GAP = 8192  # one history leaves none, a continuation leaves a larger one

EXTENSION = struct.Struct('<4sIIIQ' + 'I' * 11)
EXTENSION_FIELDS = ('tag', 'version', 'file_id', 'sequence', 'rows', 'slot_bytes', 'first_entry', 'finished_count',
                    'finished_bytes', 'finished_crc', 'open_bytes', 'entries_crc', 'next', 'segment_end', 'free_begin',
                    'free_end')
DICTIONARIES = struct.Struct('<II')  # after an entry: their CRC, and what seals it
TRAILER = struct.Struct('<4sIIIIIQI')
TRAILER_FIELDS = ('tag', 'version', 'file_id', 'sequence', 'entry_bytes', 'entries_crc', 'next', 'crc')
FOOTER_END = 1 + 4 + len(MAGIC)  # stop byte, length, magic


def padded_varint(value, length):
    """A varint of exactly `length` bytes."""
    groups = [value >> (7 * i) & 0x7F for i in range(length)]
    return bytes(group | 0x80 for group in groups[:-1]) + bytes([groups[-1]])


class Extension:
    """Field 32767 of FileMetaData, without the CRC at its end."""

    def __init__(self, data):
        self.__dict__.update(zip(EXTENSION_FIELDS, EXTENSION.unpack_from(data)))
        free = struct.iter_unpack('<II', data[EXTENSION.size:])
        self.extents = list(free)  # of each column: begin and end, in sectors

    @staticmethod
    def size(columns):
        return EXTENSION.size + 8 * columns + 4

    def pack(self):
        return EXTENSION.pack(*(getattr(self, name) for name in EXTENSION_FIELDS)) + \
            b''.join(struct.pack('<II', *extent) for extent in self.extents)


def seal_of(crc, entries_crc, file_id, sequence):
    """It binds what a record says of dictionaries to this record alone."""
    return crc ^ entries_crc ^ file_id ^ (sequence - 1)


class Slot:
    """A record's slot; `entry` is what its trailer says the RowGroup structure is."""

    def __init__(self, data, at, size):
        self.at, self.size = at, size
        self.__dict__.update(zip(TRAILER_FIELDS, TRAILER.unpack_from(data, at + size - TRAILER.size)))
        self.whole = zlib.crc32(data[at + size - TRAILER.size:at + size - 4]) == self.crc and \
            self.tag == RECORD_TAG and self.version == VERSION and self.entry_bytes <= size - TRAILER.size
        self.entry = bytes(data[at:at + self.entry_bytes]) if self.whole else b''
        self.padding = bytes(data[at + len(self.entry):at + size - TRAILER.size])
        self.dictionaries_crc = None  # of the dictionary pages that the entry names: of a writer that says it
        if self.entry and len(self.padding) >= DICTIONARIES.size:
            crc, seal = DICTIONARIES.unpack_from(self.padding)
            if seal == seal_of(crc, self.entries_crc, self.file_id, self.sequence):
                self.dictionaries_crc, self.padding = crc, self.padding[DICTIONARIES.size:]

    def is_of(self, file_id):
        return self.whole and self.file_id == file_id

    def continues(self, crc):
        """Whether its entry, after entries whose CRC is `crc`, has the CRC it states."""
        return self.whole and self.entry_bytes != 0 and zlib.crc32(self.entry, crc) == self.entries_crc


class Footer:
    """A footer of ours in data[start:end), found by its end. Nothing in it is believed before genuine()."""

    def __init__(self, data, start, end, columns):
        self.data, self.start, self.end = data, start, end
        self.extension_at = end - FOOTER_END - Extension.size(columns)
        self.crc_at = end - FOOTER_END - 4
        self.extension = Extension(bytes(data[self.extension_at:self.crc_at]))
        e = self.extension
        self.entries_begin = start + e.first_entry
        self.entries_end = self.entries_begin + e.finished_bytes + e.open_bytes

    def may_begin_at(self, place):
        """Whether it begins with the block at `place`: on it, or in the larger one on which it ends."""
        return self.start == place or any(
            self.end % block == 0 and place % block == 0 and place < self.start < place + block for block in LARGER_BLOCKS)

    def is_ours(self):
        return self.extension.tag == FOOTER_TAG and self.extension.version == VERSION

    def finished(self):
        return bytes(self.data[self.entries_begin:self.entries_end - self.extension.open_bytes])

    def open_entry(self):
        return bytes(self.data[self.entries_end - self.extension.open_bytes:self.entries_end])

    def crc(self):
        """The CRC of the footer without its entries."""
        return zlib.crc32(self.data[self.entries_end:self.crc_at],
                          zlib.crc32(self.data[self.start:self.entries_begin]))

    def genuine(self):
        e = self.extension
        if not (self.is_ours() and self.start < self.entries_begin <= self.entries_end <= self.extension_at):
            return False
        return self.crc() == int.from_bytes(self.data[self.crc_at:self.crc_at + 4], 'little') and \
            zlib.crc32(self.data[self.entries_begin:self.entries_end]) == e.entries_crc


def footer_at_end(data, end, columns):
    """The footer that ends at `end`, as its length says; None when there can be none of ours."""
    start = end - 8 - int.from_bytes(data[end - 8:end - 4], 'little')
    if start < 4 or end - FOOTER_END - Extension.size(columns) <= start:
        return None
    footer = Footer(data, start, end, columns)
    return footer if footer.is_ours() else None


def all_footers(data, columns):
    """Every footer of ours, by position, whether genuine or not."""
    position = data.find(MAGIC, 4)
    while position >= 0:
        if footer := footer_at_end(data, position + len(MAGIC), columns):
            yield footer
        position = data.find(MAGIC, position + 1)
