"""A file of ours as its last footer describes it: what the checks of footers, segments and records have in common."""

import zlib

from own_structures import LARGER_BLOCKS, SECTOR, footer_at_end
from parquet_thrift import first_page_of
from thrift_compact import Parser, ThriftError


def rounded_up(offset):
    return -(-offset // SECTOR) * SECTOR


class RowGroup:
    """A parsed entry, with where its pages lie."""

    def __init__(self, entry, record):
        metas = [chunk.meta_data for chunk in record.columns]
        self.entry, self.record, self.rows = entry, record, record.num_rows
        self.chunks = [(first_page_of(m), first_page_of(m) + m.total_compressed_size) for m in metas]
        self.dictionaries = [m.dictionary_page_offset is not None for m in metas]
        self.begins = [begin for begin, _ in self.chunks]
        self.begin, self.end = min(self.begins), max(end for _, end in self.chunks)

    def goes_on_in_extents_of(self, other):
        """After an interruption each column continues at the next sector, or where the head for a dictionary ends: so one of them
        begins before the last one of the other ends. Where all have such heads, the gap alone does not tell."""
        places = [(begin, rounded_up(end)) for begin, (_, end) in zip(self.begins, other.chunks)]
        goes_on = self.begin < other.end or any(begin == end for begin, end in places)
        return goes_on and all(begin >= end for begin, end in places)

    def lies_behind(self, other):
        return all(begin >= end for begin, (_, end) in zip(self.begins, other.chunks))

    def is_earlier_state_of(self, other):
        return self.begins == other.begins and self.rows <= other.rows

    def was_moved_to(self, other):
        """close() moves chunks of a row group forwards that no footer describes: a checkpoint that was given up may have left a
        record of it."""
        return self.begins != other.begins and self.rows <= other.rows and \
            all(begin >= now for begin, now in zip(self.begins, other.begins))


def dictionaries_crc(data, group):
    """CRC of the CRCs that the headers of the row group's dictionary pages state; None where one cannot be read."""
    crc = 0
    for chunk in group.record.columns:
        if (at := chunk.meta_data.dictionary_page_offset) is not None:
            try:
                header = Parser(data, at, len(data)).struct('PageHeader')
            except ThriftError:
                return None
            if header.crc is None:
                return None
            crc = zlib.crc32((header.crc & 0xFFFFFFFF).to_bytes(4, 'little'), crc)
    return crc


def group_of(data, start, end):
    """The entry in data[start:end); None when it is not one RowGroup structure with all its metadata."""
    try:
        record = Parser(data, start, end).struct('RowGroup')
    except ThriftError:
        return None
    whole = record.end == end and record.columns and all(chunk.meta_data for chunk in record.columns)
    return RowGroup(bytes(data[start:end]), record) if whole else None


class LogState:
    """`columns` is their number; `check_pages(record)` holds a RowGroup against its pages and complains itself. Of the
    options, with `debris` the medium held other bytes before, and footers may have been cut off."""

    def __init__(self, data, report, columns, check_pages, options):
        self.data, self.report, self.columns = data, report, columns
        self.check_pages, self.options, self.debris = check_pages, options, options.debris
        self.sequences, self.opened = {}, {}
        self.genuine, self.footers = [], []  # all footers, and those that were published
        self.block = options.block_bytes or SECTOR

    def complain(self, code, offset, message):
        self.report.add(code, offset, message)

    def take_last_footer(self):
        size = len(self.data)
        self.last = footer_at_end(self.data, size, self.columns) or footer_at_end(self.data, size, 0)
        if self.last is None:
            self.complain('extension.missing', size, 'the footer has no extension of ours')
            return False
        self.file_id, self.slot_bytes = self.last.extension.file_id, self.last.extension.slot_bytes
        self.in_place = bool(self.last.extension.extents)
        if not self.last.genuine():
            self.complain('footer.crc', self.last.crc_at, f'the footer at {self.last.start} does not have its CRCs')
            return False
        return self.take_groups()

    def take_groups(self):
        """The row groups of the last footer, and bytes and CRC of all before each of them."""
        self.groups = [RowGroup(bytes(self.data[g.start:g.end]), g) for g in self.report.footer.row_groups]
        self.bytes_before, self.crc_before = [0], [0]
        for group in self.groups:
            self.bytes_before.append(self.bytes_before[-1] + len(group.entry))
            self.crc_before.append(zlib.crc32(group.entry, self.crc_before[-1]))
        self.finished = self.groups[:-1] if self.last.extension.open_bytes else self.groups
        if not self.in_place or (self.slot_bytes % SECTOR == 0 and self.slot_bytes > 0):
            return True
        self.complain('extension.slot_bytes', self.last.extension_at, f'slots of {self.slot_bytes} bytes')
        return False

    def take_block(self):
        """Footers begin on sectors, or end on larger blocks, on which column chunks begin. The file does not say which
        blocks these are: where the caller does not either, the largest that all places allow are taken."""
        later = [footer for footer in self.footers if footer.start != 4]
        if self.options.block_bytes is None and self.in_place and any(footer.start % SECTOR for footer in later):
            begins = [begin for group in self.groups for begin in group.begins]
            places = [self.slot_bytes] + [footer.end for footer in later] + begins
            self.block = next((b for b in LARGER_BLOCKS if not any(place % b for place in places)), SECTOR)

    def open_group(self, footer):
        """The open row group of a footer; None when there is none, or its entry is not one RowGroup."""
        if footer.start not in self.opened:
            begin = footer.entries_end - footer.extension.open_bytes
            self.opened[footer.start] = group_of(self.data, begin, footer.entries_end)
        return self.opened[footer.start]

    def has_tail(self, footer):
        """Whether the open row group is a tail, in a place of its own: no column's pages end where its extent is free."""
        group = self.open_group(footer) if footer.extension.open_bytes else None
        return group is not None and all(end != begin * SECTOR for (_, end), (begin, _) in zip(group.chunks, footer.extension.extents))

    def listed_group(self, footer):
        """The stored pages of the row group whose tail the footer has; None: it lists none, or they are a finished row group's."""
        e = footer.extension
        count = e.finished_count - 1
        if not 0 <= count < len(self.groups) or not self.has_tail(footer):
            return None
        group = group_of(self.data, footer.entries_begin + self.bytes_before[count], footer.entries_end - e.open_bytes)
        extents = [begin * SECTOR for begin, _ in e.extents]
        return group if group and [end for _, end in group.chunks] == extents else None

    def states(self, footer):
        """The row groups as the footer describes them."""
        opened, listed = self.open_group(footer), self.listed_group(footer)
        finished = self.groups[:footer.extension.finished_count]
        return finished[:-1] + [listed, opened] if listed else finished + ([opened] if opened else [])

    def is_state_of_group(self, group, index):
        return index < len(self.groups) and group.is_earlier_state_of(self.groups[index])

    def wrong_finished_of(self, footer):
        """The same of a footer, in which the last finished row group may be stored pages, of which later footers list more."""
        listed, e = self.listed_group(footer), footer.extension
        if listed is None:
            return self.wrong_finished(e)
        before = e.finished_count - 1
        crc = zlib.crc32(listed.entry, self.crc_before[before])
        return (e.finished_bytes, e.finished_crc) != (self.bytes_before[before] + len(listed.entry), crc) or \
            not self.is_state_of_group(listed, before)

    def wrong_finished(self, extension):
        count = extension.finished_count
        return count > len(self.groups) or (extension.finished_bytes, extension.finished_crc) != (
            self.bytes_before[count], self.crc_before[count])

    @staticmethod
    def count(extension):
        return extension.finished_count + (extension.open_bytes != 0)

    def take_sequence(self, sequence, offset, where):
        if sequence == 0 or sequence in self.sequences:
            self.complain('sequence', offset, f'{where}: sequence {sequence} is that of {self.sequences.get(sequence)}')
        self.sequences[sequence] = where
