"""What src/RECORD.md says of a whole file: every footer, the records, the chain behind the last footer, the rooms.

The last footer has been held against its pages by the caller. Here the older ones, of which a file is full, are held
against it and against the pages, and the places of everything against each other.
"""

import zlib

from own_structures import FOOTER_TAG, SECTOR, Slot, all_footers, footer_at_end, padded_varint
from thrift_compact import Parser, ThriftError

ROW_GROUPS = b'\x19\xfc'  # headers of the field and of its list
NO_COUNTS = padded_varint(0, 10) + ROW_GROUPS + padded_varint(0, 5)


def rounded_up(offset):
    return -(-offset // SECTOR) * SECTOR


class RowGroup:
    """A parsed entry, with where its pages lie."""

    def __init__(self, entry, record):
        metas = [chunk.meta_data for chunk in record.columns]
        self.entry, self.record, self.rows = entry, record, record.num_rows
        self.chunks = [(m.data_page_offset, m.data_page_offset + m.total_compressed_size) for m in metas]
        self.begins = [begin for begin, _ in self.chunks]
        self.begin, self.end = min(self.begins), max(end for _, end in self.chunks)

    def goes_on_in_extents_of(self, other):
        """After an interruption each column goes on at the next sector."""
        return self.begins == [rounded_up(end) for _, end in other.chunks]

    def is_earlier_state_of(self, other):
        return self.begins == other.begins and self.rows <= other.rows


def group_of(data, start, end):
    """The entry in data[start:end); None when it is not one RowGroup structure with all its metadata."""
    try:
        record = Parser(data, start, end).struct('RowGroup')
    except ThriftError:
        return None
    whole = record.end == end and record.columns and all(chunk.meta_data for chunk in record.columns)
    return RowGroup(bytes(data[start:end]), record) if whole else None


class LayoutChecker:
    """`columns` is their number; `check_pages(record)` holds a RowGroup against its pages and complains itself."""

    def __init__(self, data, report, columns, check_pages, debris):
        self.data, self.report, self.columns = data, report, columns
        self.check_pages, self.debris = check_pages, debris
        self.sequences, self.opened = {}, {}

    def complain(self, code, offset, message):
        self.report.add(code, offset, message)

    def run(self):
        size = len(self.data)
        self.last = footer_at_end(self.data, size, self.columns) or footer_at_end(self.data, size, 0)
        if self.last is None:
            self.complain('extension.missing', size, 'the footer has no extension of ours')
            return
        self.file_id, self.slot_bytes = self.last.extension.file_id, self.last.extension.slot_bytes
        self.in_place = bool(self.last.extension.extents)
        if not self.last.genuine():
            self.complain('footer.crc', self.last.crc_at, f'the footer at {self.last.start} does not have its CRCs')
        elif self.take_groups():
            self.check_footers()
            self.check_slots()
            self.check_chain()

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

    # Footers

    def check_footers(self):
        head_end = self.report.footer.at('num_rows')
        self.head = bytes(self.data[self.last.start:head_end])
        self.tail = self.constant_tail(self.last, 'the last footer')
        self.genuine = list(self.genuine_footers())
        self.footers = self.published(self.genuine)
        self.check_first_footer(self.footers[0])
        for footer in self.footers:
            self.check_footer(footer, f'footer at {footer.start}')
        for before, footer in zip(self.footers, self.footers[1:]):
            self.check_order(before, footer, f'footers at {before.start} and {footer.start}')

    def genuine_footers(self):
        if not self.debris:
            self.check_tags()
        for footer in all_footers(self.data, len(self.last.extension.extents)):
            if footer.genuine() and footer.extension.file_id == self.file_id:
                yield footer
            elif not self.debris:
                self.complain('footer.crc', footer.start, f'the footer at {footer.start} does not have its CRCs'
                              if footer.extension.file_id == self.file_id else 'a footer of another file')

    def check_tags(self):
        """Each extension belongs to a footer that ends where its length says."""
        known = {footer.extension_at for footer in all_footers(self.data, len(self.last.extension.extents))}
        at = self.data.find(FOOTER_TAG)
        while at >= 0:
            if at not in known:
                self.complain('footer.end', at, 'an extension without a footer that ends behind it')
            at = self.data.find(FOOTER_TAG, at + 1)

    def published(self, footers):
        """Without those that never were: a closing footer whose file was cut off before it shrank to it, and on a used
        medium what is left of histories that ended there."""
        published = [footers[-1]]
        for footer in reversed(footers[:-1]):
            in_order = footer.extension.sequence < published[-1].extension.sequence
            if in_order if not self.debris else in_order and self.is_earlier_state(footer):
                published.append(footer)
            elif not self.debris and not self.stands_in_its_room(footer):
                self.complain('footer.order', footer.start, f'footers at {footer.start} and {published[-1].start}: '
                              'the sequence goes back')
        return published[::-1]

    @staticmethod
    def stands_in_its_room(footer):
        return footer.extension.next * SECTOR == footer.start

    def is_earlier_state(self, footer):
        """Of the file that the last footer describes."""
        e = footer.extension
        if self.wrong_finished(e):
            return False
        group = self.open_group(footer) if e.open_bytes else None
        return group is None or self.is_state_of_group(group, e.finished_count)

    def open_group(self, footer):
        """The open row group of a footer; None when there is none, or its entry is not one RowGroup."""
        if footer.start not in self.opened:
            begin = footer.entries_end - footer.extension.open_bytes
            self.opened[footer.start] = group_of(self.data, begin, footer.entries_end)
        return self.opened[footer.start]

    def is_state_of_group(self, group, index):
        return index < len(self.groups) and group.is_earlier_state_of(self.groups[index])

    def wrong_finished(self, extension):
        count = extension.finished_count
        return count > len(self.groups) or (extension.finished_bytes, extension.finished_crc) != (
            self.bytes_before[count], self.crc_before[count])

    def check_first_footer(self, first):
        if first.start == 4:
            if first is not self.last and first.extension.rows != 0:
                self.complain('footer.first', 4, 'the footer at the file\'s begin has rows')
            if not self.debris and first.extension.sequence != 1:
                self.complain('footer.first', 4, f'the first footer has the sequence {first.extension.sequence}')
        elif self.in_place:
            self.complain('footer.first', 4, 'a file in place begins with a footer')

    def check_footer(self, footer, where):
        e = footer.extension
        self.take_sequence(e.sequence, footer.start, where)
        self.check_identity(footer, where)
        self.check_constant_parts(footer, where)
        self.check_entries(footer, where)
        if not self.in_place or footer.start == 4:
            if any((e.next, e.room_end, e.free_begin, e.free_end, e.open_bytes)) or any(map(any, e.extents)):
                self.complain('extension.space', footer.extension_at, f'{where}: space before there is any')
        else:
            self.check_space(footer, where)

    def take_sequence(self, sequence, offset, where):
        if sequence == 0 or sequence in self.sequences:
            self.complain('sequence', offset, f'{where}: sequence {sequence} is that of {self.sequences.get(sequence)}')
        self.sequences[sequence] = where

    def check_identity(self, footer, where):
        if footer.extension.slot_bytes != self.slot_bytes:
            self.complain('extension.slot_bytes', footer.extension_at,
                          f'{where}: slots of {footer.extension.slot_bytes} bytes, later {self.slot_bytes}')
        if self.in_place and footer.start != 4 and footer.start % SECTOR:
            self.complain('footer.sector', footer.start, f'{where}: it does not begin on a sector')

    def check_constant_parts(self, footer, where):
        e = footer.extension
        counts = padded_varint(2 * e.rows, 10) + ROW_GROUPS + padded_varint(self.count(e), 5)
        begin = bytes(self.data[footer.start:footer.entries_begin])
        if not begin.startswith(self.head):
            self.complain('footer.head', footer.start, f'{where}: version or schema differ from those of the last footer')
        if begin[len(self.head):] != counts:
            self.complain('footer.counts', footer.start + len(self.head),
                          f'{where}: no varints of fixed length with its rows and row groups before the first entry')
        if self.constant_tail(footer, where) != self.tail:
            self.complain('footer.tail', footer.entries_end, f'{where}: what follows the entries differs from the last footer')

    @staticmethod
    def count(extension):
        return extension.finished_count + (extension.open_bytes != 0)

    def constant_tail(self, footer, where):
        """Everything from created_by to the extension; parsed as a footer without row groups."""
        whole = self.head + NO_COUNTS + bytes(self.data[footer.entries_end:footer.end - 8])
        extension_end = len(whole) - 1
        try:
            record = Parser(whole, 0, len(whole)).struct('FileMetaData')
        except ThriftError as e:
            self.complain(e.code, footer.entries_end, f'{where}, behind its row groups: {e.message}')
            return None
        if record.end != len(whole) or record.extension is None or \
                record.extension != whole[extension_end - len(record.extension):extension_end]:
            self.complain('extension.place', footer.extension_at, f'{where}: the extension does not stand at the end')
            return None
        return whole[record.at('created_by'):extension_end - len(record.extension)]

    def check_entries(self, footer, where):
        """The finished ones are those of the last footer; the open one is an earlier state, or the same."""
        e = footer.extension
        if self.wrong_finished(e):
            self.complain('footer.finished', footer.extension_at, f'{where}: its {e.finished_count} finished row groups '
                          'are not those of the last footer')
            return
        rows = sum(group.rows for group in self.groups[:e.finished_count])
        if e.open_bytes:
            rows += self.check_open_entry(footer, where)
        if rows != e.rows:
            self.complain('extension.rows', footer.extension_at, f'{where}: {e.rows} rows, its row groups have {rows}')

    def check_open_entry(self, footer, where):
        begin = footer.entries_end - footer.extension.open_bytes
        group = self.open_group(footer)
        if group is None or len(group.record.columns) != self.columns:
            self.complain('footer.open', begin, f'{where}: the entry of the open row group is not one RowGroup')
            return 0
        if footer is not self.last:
            self.check_pages(group.record, where)
        if not self.is_state_of_group(group, footer.extension.finished_count):
            self.complain('footer.open', begin, f'{where}: its open row group is no earlier state of row group '
                          f'{footer.extension.finished_count}')
        for column, (_, end) in enumerate(group.chunks):
            if end % SECTOR:
                self.complain('footer.durable', begin, f'{where}: column {column} ends inside a sector, at {end}')
        return group.rows

    def check_order(self, before, footer, where):
        earlier, later = before.extension, footer.extension
        if before.end > footer.start:
            self.complain('footer.overlap', footer.start, f'{where} overlap')
        if earlier.rows > later.rows or earlier.finished_count > later.finished_count:
            self.complain('footer.order', footer.start, f'{where}: rows or row groups go back')

    # Space

    def check_space(self, footer, where):
        """The rooms lie before the footer, and hold nothing that is in use. A closed file's footer stands in its room."""
        e = footer.extension
        if self.stands_in_its_room(footer) and not e.open_bytes and not any(map(any, e.extents)):
            return
        slots = (e.next, e.next + 2 * self.slot_bytes // SECTOR) if e.open_bytes else (e.next, e.next)
        if not 0 < e.next <= e.room_end or slots[1] > e.room_end or \
                (e.free_begin, e.free_end) != (0, 0) and not 0 < e.free_begin < e.free_end:
            self.complain('extension.space', footer.extension_at, f'{where}: next {e.next}, end of its room '
                          f'{e.room_end}, free room [{e.free_begin}, {e.free_end})')
            return
        count = self.count(e)
        free = [(begin, end) for begin, end in e.extents if (begin, end) != (0, 0)]
        free.append((e.free_begin, e.free_end))
        if e.open_bytes:
            free.append(slots)
            self.check_extents(footer, where, count - 1)
        else:
            free.append((e.next, e.room_end))
            if any(map(any, e.extents)):
                self.complain('extension.extents', footer.extension_at, f'{where}: extents without an open row group')
        used = [chunk for group in self.states(footer) for chunk in group.chunks]
        used += [(other.start, other.end) for other in ([footer] if self.debris else self.footers)
                 if other.start <= footer.start]
        self.check_disjoint([(a * SECTOR, b * SECTOR) for a, b in free if a < b], used, footer, where)

    def states(self, footer):
        """The row groups as the footer describes them."""
        opened = self.open_group(footer)
        return self.groups[:footer.extension.finished_count] + ([opened] if opened else [])

    def check_extents(self, footer, where, index):
        e = footer.extension
        group = self.states(footer)[-1]
        for column, ((begin, end), (_, pages_end)) in enumerate(zip(e.extents, group.chunks)):
            if not (begin == end == 0 or (begin * SECTOR == pages_end and e.next < begin <= end <= e.room_end)):
                self.complain('extension.extents', footer.extension_at, f'{where}: column {column} has [{begin}, {end}) '
                              f'free, its pages end at {pages_end} and the room at sector {e.room_end}')

    def check_disjoint(self, free, used, footer, where):
        marks = sorted([(begin, end, 'free') for begin, end in free] + [(begin, end, 'used') for begin, end in used])
        end_of = {'free': 0, 'used': 0}
        for begin, end, kind in marks:
            other = 'used' if kind == 'free' else 'free'
            if begin < end_of[other] or kind == 'free' and begin < end_of['free']:
                self.complain('extension.space', footer.extension_at, f'{where}: [{begin}, {end}) is {kind}, and also '
                              'part of what is free or used otherwise')
                return
            end_of[kind] = max(end_of[kind], end)

    # Records

    def check_slots(self):
        """Of each finished row group slot A has its record, unless an interruption ended it."""
        index = 0
        while index < len(self.finished):
            first = self.finished[index]
            while index + 1 < len(self.groups) and self.groups[index + 1].goes_on_in_extents_of(self.groups[index]):
                index += 1
            if index < len(self.finished):
                self.check_slots_of(first, index)
            index += 1

    def check_slots_of(self, first, index):
        """`first` has the slots, `index` is the last row group in its extents."""
        group, where = self.groups[index], f'record of row group {index}'
        slots = 2 if self.in_place else 1
        at = first.begin - slots * self.slot_bytes
        if at < 4:
            self.complain('record.place', first.begin, f'{where}: no room for {slots} slots before {first.begin}')
            return
        slot = Slot(self.data, at, self.slot_bytes)
        if self.in_place and self.was_interrupted(slot, Slot(self.data, at + self.slot_bytes, self.slot_bytes), index):
            return
        if not slot.is_of(self.file_id) or slot.entry != group.entry or not slot.continues(self.crc_before[index]):
            self.complain('record.entry', at, f'{where}: slot A at {at} does not have its entry, with its CRCs')
            return
        self.take_sequence(slot.sequence, at, where)
        if any(slot.padding):
            self.complain('record.padding', at, f'{where}: bytes between entry and trailer')
        self.check_next(slot, group, index, where)
        if self.in_place:
            self.check_slot_b(Slot(self.data, at + self.slot_bytes, self.slot_bytes), slot, index)

    def was_interrupted(self, slot_a, slot_b, index):
        """Emptied by a writer that went on, or finished by a recovery as slot B says."""
        if slot_a.is_of(self.file_id) and slot_a.entry_bytes == 0:
            return True
        return not slot_a.is_of(self.file_id) and slot_b.is_of(self.file_id) and \
            slot_b.entry == self.groups[index].entry and slot_b.continues(self.crc_before[index])

    def check_next(self, slot, group, index, where):
        """Where the next row group begins, unless a footer stands between."""
        following = self.groups[index + 1].begin - (2 if self.in_place else 1) * self.slot_bytes \
            if index + 1 < len(self.groups) else None
        footer_between = any(group.end <= footer.start and (following is None or footer.start < following)
                             for footer in self.genuine)
        if slot.next < group.end or slot.next != following and not footer_between:
            self.complain('record.next', slot.at, f'{where}: the next row group is to begin at {slot.next}; this one ends '
                          f'at {group.end}, the next begins at {following}')

    def check_slot_b(self, slot, record, index):
        """What a checkpoint left there is an earlier state of the row group."""
        if not slot.is_of(self.file_id) or slot.entry_bytes == 0:
            return
        where = f'slot B of row group {index}'
        group = group_of(slot.entry, 0, len(slot.entry))
        if slot.sequence >= record.sequence or slot.next != 0 or not slot.continues(self.crc_before[index]) or \
                group is None or not group.is_earlier_state_of(self.groups[index]):
            self.complain('record.provisional', slot.at, f'{where}: no earlier state of it')
        else:
            self.take_sequence(slot.sequence, slot.at, where)

    # The chain behind the last footer

    def check_chain(self):
        e = self.last.extension
        self.report.chain = []
        at, crcs = e.next * SECTOR if self.in_place else self.last.end, [e.entries_crc]
        if e.open_bytes:
            crcs.append(e.finished_crc)
        seen = set()
        while at not in seen and at + self.slot_bytes <= len(self.data) and at >= 4:
            seen.add(at)
            slot = Slot(self.data, at, self.slot_bytes)
            if not slot.is_of(self.file_id) or not any(slot.continues(crc) for crc in crcs):
                break
            if not self.check_chain_record(slot):
                break
            at, crcs = slot.next, [slot.entries_crc]

    def check_chain_record(self, slot):
        where = f'record at {slot.at} behind the last footer'
        group = group_of(slot.entry, 0, len(slot.entry))
        if group is None or len(group.record.columns) != self.columns:
            self.complain('record.entry', slot.at, f'{where}: its entry is not one RowGroup')
            return False
        if not self.debris:
            self.check_pages(group.record, where)
            self.take_sequence(slot.sequence, slot.at, where)
            if slot.next < group.end:
                self.complain('record.next', slot.at, f'{where}: next {slot.next} lies before its end, {group.end}')
        self.report.chain.append(group.rows)
        return True
