"""Streams with saves: segments that a footer ends, the two places for saves, and the saves in them (src/FORMAT.md, "Saves of a
stream")."""

import struct
import typing
import zlib

from log_state import rounded_up
from own_structures import SECTOR, VERSION

SAVE_TAG = b'mpqS'
SAVE = struct.Struct('<4sIIIIIIIIIIIQII')


class Save(typing.NamedTuple):
    """A head at `at`, whose members come as in the file."""
    at: int
    tag: bytes
    version: int
    file_id: int
    sequence: int
    number: int
    continues: int
    row_groups: int
    entries_bytes: int
    entries_crc: int
    bytes: int
    bytes_crc: int
    begin: int
    rows: int
    next: int
    crc: int

    def is_whole(self, data, end):
        """Whether both CRCs are right of what stands in the place that ends at `end`."""
        begin = self.at + SECTOR
        return self.tag == SAVE_TAG and self.version == VERSION and zlib.crc32(data[self.at:self.at + SAVE.size - 4]) == self.crc and \
            begin + self.bytes <= end and zlib.crc32(data[begin:begin + self.bytes]) == self.bytes_crc


def saves_after(data, footer):
    """Saves that continue the footer, the newest one last."""
    e = footer.extension
    if e.extents or not 0 < e.free_begin < e.free_end <= footer.start // SECTOR:
        return []
    most = (e.free_end - e.free_begin) // 2 * SECTOR
    places = [e.free_begin * SECTOR, e.free_begin * SECTOR + most]
    crc = int.from_bytes(data[footer.crc_at:footer.crc_at + 4], 'little')
    saves = [Save(at, *SAVE.unpack_from(data, at)) for at in places]
    return sorted((save for save in saves if save.is_whole(data, save.at + most) and save.continues == crc and save.file_id == e.file_id),
                  key=lambda save: save.number)


class StreamChecker:
    """Returns by run() how many rows are safe beyond the last footer, and the file with their bytes where they belong."""

    def __init__(self, log):
        self.log, self.footer, self.newest = log, log.last, None

    def complain(self, save, message):
        self.log.complain('save', save.at, f'save at {save.at}: {message}')

    def run(self):
        saves = saves_after(self.log.data, self.footer)
        e = self.footer.extension
        for save in saves:
            if save.bytes % SECTOR or save.begin < e.next or save.begin + save.bytes // SECTOR > e.segment_end:
                self.complain(save, 'its bytes are no whole sectors, or belong outside of the segment')
                return 0
            if save.at != e.free_begin * SECTOR + save.number % 2 * ((e.free_end - e.free_begin) // 2 * SECTOR):
                self.complain(save, f'number {save.number} lies in the other place')
        return self.check_newest(saves[-1]) if saves else 0

    def check_newest(self, save):
        """The chain after the footer ends with what it counts."""
        data, saved = self.log.data, save.at + SECTOR
        self.log.data = bytes(data[:save.begin * SECTOR]) + bytes(data[saved:saved + save.bytes]) + \
            bytes(data[save.begin * SECTOR + save.bytes:])
        self.newest, check_pages = save, self.log.check_pages
        self.log.check_pages = lambda record, where: check_pages(record, where, self.log.data)
        return save.rows - self.footer.extension.rows

    def check_chain(self, records):
        """`records` are (rows, slot) of the records after the footer, the saved one included. Those after the save count for no boot."""
        save, e = self.newest, self.footer.extension
        records = records[:save.row_groups - e.finished_count]
        rows = e.rows + sum(rows for rows, _ in records)
        last = records[-1][1] if records else None
        found = (len(records) + e.finished_count, rows, last.entries_crc if last else e.entries_crc,
                 e.finished_bytes + sum(slot.entry_bytes for _, slot in records), rounded_up(last.next) // SECTOR if last else e.next)
        if found != (save.row_groups, save.rows, save.entries_crc, save.entries_bytes, save.next):
            self.complain(save, f'it counts {save.row_groups} row groups and {save.rows} rows up to sector {save.next}; '
                          f'footer and records have {found[0]} and {found[1]} up to sector {found[4]}, or other entries')


def check_stream_space(log, footer, where):
    """Nothing that a footer describes lies in its places for saves, or in the rest of its segment. A file that was closed has none."""
    e = footer.extension
    ends_file = e.next == e.segment_end == rounded_up(footer.end) // SECTOR
    places = [(e.free_begin, e.free_end)] if e.free_end else []
    segment = [(e.next, e.segment_end)] if not ends_file else []
    lies_before = all(0 < begin < end <= footer.start // SECTOR for begin, end in places + segment)
    if e.open_bytes or not lies_before or (e.free_end - e.free_begin) % 2:
        log.complain('extension.space', footer.extension_at, f'{where}: next {e.next}, end of its segment {e.segment_end}, '
                     f'places for saves [{e.free_begin}, {e.free_end})')
        return
    used = [(group.begin - log.slot_bytes, group.end) for group in log.states(footer)] + [(log.footers[0].start, log.footers[0].end)]
    for begin, end in places + segment:
        if any(a < end * SECTOR and begin * SECTOR < b for a, b in used):
            log.complain('extension.space', footer.extension_at, f'{where}: what lies in sectors [{begin}, {end}) is not free')
