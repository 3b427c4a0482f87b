"""Heads of tails: the places of the row group that the last footer leaves open (src/FORMAT.md, "Tails")."""

import struct
import zlib

from own_structures import SECTOR, VERSION

TAIL_TAG = b'mpqT'
HEAD = struct.Struct('<4sIIIIHH10I')
HEAD_FIELDS = ('tag', 'version', 'file_id', 'sequence', 'number', 'flags', 'live_place', 'continues', 'finished_crc', 'listed_bytes',
               'listed_crc', 'rows', 'described_rows', 'tail_rows', 'footers_begin', 'pages_crc', 'form')
COLUMN = struct.Struct('<7I')
COLUMN_FIELDS = ('chunk_begin', 'extent_bytes', 'chunk_bytes', 'first_row', 'nulls', 'page_bytes', 'values_bytes')
FORECAST_BYTES, LEVELS_BYTES = 8, 36
PLACES = 3
SAVE = 1


class HeadColumn:
    def __init__(self, data, at):
        self.__dict__.update(zip(COLUMN_FIELDS, COLUMN.unpack_from(data, at)))


class Head:
    """What stands at `at`; `optional` says it of each column. It is whole if some form of it has its CRC."""

    def __init__(self, data, at, optional):
        self.at, self.whole, self.columns = at, False, []
        if data[at:at + 4] != TAIL_TAG or at + HEAD.size > len(data):
            return
        self.__dict__.update(zip(HEAD_FIELDS, HEAD.unpack_from(data, at)))
        self.place_bytes = (self.form >> 16) * SECTOR
        for forecast in (0, FORECAST_BYTES):
            steps = [COLUMN.size + forecast + (LEVELS_BYTES if each else 0) for each in optional]
            end = at + HEAD.size + sum(steps) + (self.form & 0xFFFF)
            if self.version == VERSION and zlib.crc32(data[at:end]) == int.from_bytes(data[end:end + 4], 'little'):
                self.whole, self.crc_at = True, end
                self.pages_at = -(-(end + 4) // SECTOR) * SECTOR
                self.columns = [HeadColumn(data, at + HEAD.size + sum(steps[:i])) for i in range(len(steps))]
                self.pages_end = self.pages_at + sum(column.page_bytes for column in self.columns)
                self.pages_hold = zlib.crc32(data[self.pages_at:self.pages_end]) == self.pages_crc
                return

    @property
    def is_save(self):
        return bool(self.flags & SAVE)

    def contradictions(self):
        """What in it cannot be, whatever footer it continues."""
        if self.pages_end > self.at + self.place_bytes:
            yield 'its open pages end behind its place'
        for number, column in enumerate(self.columns):
            if column.first_row > self.rows or (column.first_row != self.rows) != (column.page_bytes != 0):
                yield f'column {number} has an open page without rows, or rows without one'
            if column.chunk_bytes > column.extent_bytes or column.chunk_bytes % SECTOR or column.page_bytes % SECTOR:
                yield f'column {number} has stored pages beyond its extent, or not whole sectors'
            if (column.first_row != 0) != (column.chunk_bytes != 0):
                yield f'column {number} has rows in no stored page, or pages without rows'


class TailChecker:
    """Returns by run() how many rows are safe beyond the last footer."""

    def __init__(self, log, optional):
        self.log, self.optional = log, optional

    def complain(self, head, message):
        self.log.complain('tail', head.at, f'head at {head.at}: {message}')

    def heads(self):
        """The heads in the places after the slots."""
        e, data = self.log.last.extension, self.log.data
        begin = e.next * SECTOR + 2 * self.log.slot_bytes
        limit = min([first for first, _ in e.extents if first] or [e.next]) * SECTOR
        for at in range(begin, limit, SECTOR):
            head = Head(data, at, self.optional)
            if head.whole and head.file_id == self.log.file_id and at == begin + head.number % PLACES * head.place_bytes:
                yield head

    def run(self):
        e = self.log.last.extension
        if not self.log.in_place or not e.open_bytes:
            return 0
        heads = list(self.heads())
        own = [head for head in heads if not head.is_save and head.continues == e.entries_crc]
        for head in heads:
            for message in head.contradictions():
                self.complain(head, message)
        if self.log.has_tail(self.log.last):
            self.check_own(own)
        return self.check_saves([head for head in heads if head.is_save], e)

    def check_own(self, own):
        if len(own) != 1 or not own[0].pages_hold:
            self.log.complain('tail', self.log.last.start, 'no head, or none with whole pages, describes the tail of the last footer')
            return
        head, tail = own[0], self.log.groups[-1]
        before = self.log.groups[-2] if head.listed_bytes else None
        at = head.pages_at
        for (begin, end), column in zip(tail.chunks, head.columns):
            if (begin, end) != (at, at + column.page_bytes):
                self.complain(head, f'the tail has a page at [{begin}, {end}), the place has it at {at}')
            at += column.page_bytes
        if (head.tail_rows, head.described_rows, head.rows) != (tail.rows,) + 2 * (tail.rows + (before.rows if before else 0),):
            self.complain(head, f'{head.tail_rows} rows in the tail of {head.rows}, the footer has {tail.rows}')
        self.check_listed(head)

    def check_listed(self, head):
        """The CRCs of the entries that it says the footer has."""
        count = len(self.log.groups) - (2 if head.listed_bytes else 1)
        if head.finished_crc != self.log.crc_before[count] or \
                head.listed_bytes and (head.listed_bytes, head.listed_crc) != (
                        len(self.log.groups[-2].entry), self.log.crc_before[count + 1]):
            self.complain(head, 'the entries before its row group, or that of its stored pages, are not the footer\'s')

    def check_saves(self, saves, e):
        crc = int.from_bytes(self.log.data[self.log.last.crc_at:self.log.last.crc_at + 4], 'little')
        described = self.log.groups[-1].rows
        saves = [head for head in saves if head.continues == crc and head.pages_hold]
        for head in saves:
            self.check_listed(head)
            rows = described + (self.log.groups[-2].rows if head.listed_bytes else 0)
            if head.described_rows != rows or head.rows < rows or head.sequence < e.sequence:
                self.complain(head, f'a save of {head.rows} rows, {head.described_rows} of them in a footer that has {rows}')
        newest = max(saves, key=lambda head: head.number, default=None)
        return newest.rows - newest.described_rows if newest else 0
