"""A small writer in place, for the checker's own tests: segments, checkpoints, an interruption, footers that are dead.

The file's growth is a script of calls, see good_log.py. Hooks as in tiny_writer.py.
"""

from own_structures import SECTOR
from tiny_writer import Encoded, TinyWriter, encode_struct, extension, varint

EXTENT_SECTORS = 8  # four pages


class TinyLog(TinyWriter):
    slot_bytes = 3072

    def __init__(self, columns, page_rows, hook=None, block=SECTOR, head=0):
        """`head`: bytes before the first column's data pages, as for a dictionary."""
        super().__init__(columns, 0, page_rows, hook)
        self.block, self.head = block, head
        self.rows_written, self.segment_begin, self.segment_end = 0, 0, 0
        self.out += self.footer(Encoded(self.list_of(b'')), 0, extents=[(0, 0)] * len(columns))

    def list_of(self, open_entry):
        return b'\xfc' + varint(len(self.entries) + bool(open_entry), 5) + b''.join(self.entries) + open_entry

    def align(self):
        self.out += bytes(-len(self.out) % self.block)
        return len(self.out)

    def add_segment(self, sectors, over_footers=False):
        """At the end, or over the footers that stand after the last segment."""
        self.align()
        begin = self.segment_end if over_footers else len(self.out)
        self.out += bytes(sectors * SECTOR)
        self.segment_begin, self.segment_end = begin, len(self.out)
        self.put_footer()

    def put_footer(self, open_entry=b'', extents=None):
        self.align()
        footer = self.footer(Encoded(self.list_of(open_entry)), self.rows_written, open_entry,
                             extents or [(0, 0)] * len(self.columns), next=self.segment_begin // SECTOR,
                             segment_end=self.segment_end // SECTOR)
        if self.block != SECTOR:
            self.out += bytes(-(len(self.out) + len(footer)) % self.block)
        self.out += footer

    def begin_group(self):
        self.slots, self.first = self.segment_begin, self.rows_written
        at = self.slots + 2 * self.slot_bytes + self.head
        self.extents = [at + i * EXTENT_SECTORS * SECTOR for i in range(len(self.columns))]
        self.extent_ends = [at + EXTENT_SECTORS * SECTOR for at in self.extents]
        self.begin_chunks()

    def begin_chunks(self):
        self.begins, self.sizes = list(self.extents), [0] * len(self.columns)

    def put_rows(self, rows):
        last = self.rows_written + rows
        for i, column in enumerate(self.columns):
            for first in range(self.rows_written, last, self.page_rows):
                page = self.page(column, column.values[first:min(first + self.page_rows, last)])
                self.put(self.extents[i], page)
                self.extents[i] += len(page)
                self.sizes[i] += len(page)
        self.rows_written = last

    def put(self, at, data):
        self.out[at:at + len(data)] = data

    def page(self, column, values):
        """Whole sectors, by a header that is lengthened."""
        body = bytearray(column.body(values))
        self.hook('body', body)
        header = self.header(body, len(values))
        plain = len(encode_struct('PageHeader', header)) + len(body)
        padding = -(plain + 6) % SECTOR
        padding += SECTOR if padding < 128 else 0  # so that its length takes two bytes
        header['raw'] = extension(b'mpqp' + bytes(padding - 4))
        self.hook('header', header)
        return encode_struct('PageHeader', header) + body

    def entry(self):
        chunks = [self.describe_chunk(column, self.first, self.rows_written, begin, size)
                  for column, begin, size in zip(self.columns, self.begins, self.sizes)]
        return encode_struct('RowGroup', self.describe(chunks, self.rows_written - self.first))

    def checkpoint(self):
        entry = self.entry()
        self.put(self.slots + self.slot_bytes, self.record(entry, 0))
        self.put_footer(entry, [(at // SECTOR, end // SECTOR) for at, end in zip(self.extents, self.extent_ends)])
        return entry

    def end_group(self):
        entry = self.entry()
        self.segment_begin = max(self.extents)
        self.put(self.slots, self.record(entry, self.segment_begin))
        self.entries.append(entry)

    def interrupt(self, entry):
        """After checkpoint() of `entry`: its row group is finished, the next one continues in its extents."""
        self.entries.append(entry)
        self.sequence = (self.sequence // 16384 + 2) * 16384 - 1
        for slot in range(2):
            self.put(self.slots + slot * self.slot_bytes, self.record(b'', 0))
        self.first = self.rows_written
        self.begin_chunks()

    def interrupt_and_leave(self, entry, slot_a, gap=True):
        """After checkpoint() of `entry`, and `slot_a` that was written since: what follows goes elsewhere."""
        self.put(self.slots, slot_a)
        self.entries.append(entry)
        if gap:
            self.sequence = (self.sequence // 16384 + 2) * 16384 - 1

    def progress(self):
        return self.rows_written, list(self.extents), list(self.sizes)

    def go_back_to(self, progress):
        self.rows_written, self.extents, self.sizes = progress

    def close_at_end(self):
        self.put_footer()
        return bytes(self.out)

    def close_in_segment(self):
        """The last footer goes after the last row group, and the file ends there."""
        behind = self.out[self.segment_begin:]
        del self.out[self.segment_begin:]
        self.put_footer()
        self.not_yet_cut = bytes(self.out) + bytes(behind[len(self.out) - self.segment_begin:])
        return bytes(self.out)
