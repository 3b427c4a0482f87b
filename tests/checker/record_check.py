"""The records: slots A and B of each finished row group, and the chain after the last footer."""

import bisect

from log_state import dictionaries_crc, group_of
from own_structures import HISTORY_GAP, SECTOR, Slot
from space_check import stands_in_its_segment


class RecordChecker:
    def __init__(self, log):
        self.log, self.complain = log, log.complain
        self.chain = []  # rows and slot of each record after the last footer
        # Whether a column has a dictionary in some row group, and so a head before its chunks.
        self.has_head = [any(column) for column in zip(*(group.dictionaries for group in log.groups))]
        self.index_of = {group.entry: index for index, group in enumerate(log.groups)}
        self.chunk_ends = sorted(end for group in log.groups for _, end in group.chunks)
        self.ends = sorted(self.chunk_ends + [footer.end for footer in log.footers])

    def run(self):
        # The last footer that describes a row group while it is open: that says where its slots are.
        opened = ((self.log.open_group(footer), footer) for footer in self.log.genuine if footer.extension.open_bytes)
        self.opened_by = {group.begin: footer for group, footer in opened if group is not None}
        self.recovered = self.last_recovered_footer()
        self.written_again = self.row_groups_before(self.recovered) if self.recovered else []
        self.check_slots()
        self.check_chain()

    def slot(self, at):
        return Slot(self.log.data, at, self.log.slot_bytes)

    def last_recovered_footer(self):
        """The last footer that a recovery added: it names its own place, and no space; in a stream not even that, where others do."""
        def is_recovered(footer):
            e = footer.extension
            if any((e.segment_end, e.free_begin, e.free_end)):
                return False
            if self.log.in_place:
                return e.next != 0 and stands_in_its_segment(footer)
            return e.next == 0 and any(other.extension.free_end and other.start < footer.start for other in self.log.footers)
        return next((footer for footer in reversed(self.log.footers) if is_recovered(footer)), None)

    def row_groups_before(self, footer):
        """The row groups that lie right before a footer, one after the other: a recovery wrote them again."""
        found, end, gap = [], footer.start, self.log.block
        while True:
            group = next((group for group in self.log.groups if end - gap < group.end <= end), None)
            if group is None:
                return found
            found.append(group)
            end, gap = group.begin, 1

    def describes_recovered(self, index):
        """Whether the row group was there when a recovery left others out, or wrote them again: their records stay."""
        return self.recovered is not None and index < self.recovered.extension.finished_count

    def continues(self, slot, index):
        return self.describes_recovered(index) or slot.continues(self.log.crc_before[index])

    def tail_indexes(self):
        """Row groups of the last footer that slots of one row group describe: stored pages and tail."""
        count = len(self.log.groups)
        if not self.log.has_tail(self.log.last):
            return set()
        return {count - 1} | ({count - 2} if self.log.listed_group(self.log.last) else set())

    def check_slots_of_tail(self):
        """Slot B has the record of the tail, and slot A that of its stored pages, unless slots were emptied since, or a later call
        failed."""
        e = self.log.last.extension
        listed = self.log.listed_group(self.log.last)
        place = e.next * SECTOR
        for slot, group in ((self.slot(place), listed), (self.slot(place + self.log.slot_bytes), self.log.groups[-1])):
            if group and slot.is_of(self.log.file_id) and slot.entry == group.entry:
                index = self.index_of[group.entry]
                if not slot.continues(self.log.crc_before[index]) or slot.sequence >= e.sequence:
                    self.complain('record.entry', slot.at, f'the slot at {slot.at} does not continue the entries before it')
                if slot.next != (place + self.log.slot_bytes if group is listed else 0):
                    self.complain('record.next', slot.at, f'the slot at {slot.at} of a row group with a tail leads to {slot.next}')

    def check_slots(self):
        """Checks that slot A of each finished row group has its record, unless an interruption ended it."""
        index, groups = 0, self.log.groups
        tails = self.tail_indexes()
        if tails:
            self.check_slots_of_tail()
        while index < len(self.log.finished) and index not in tails:
            first = self.log.finished[index]
            while self.log.in_place and index + 1 < len(groups) and self.goes_on(index + 1, first):
                index += 1
            if index < len(self.log.finished):
                self.check_slots_of(first, index)
            index += 1

    def goes_on(self, index, first):
        """Whether a row group lies in the extents of the one before it, of which `first` is the first. Where each column has a head
        for its dictionary, it is one that has no slots of its own between the two; or the slots of the first have the record of it,
        or of one that continues after it: what lies between may be a slot of an earlier history."""
        group, before = self.log.groups[index], self.log.groups[index - 1]
        if group.goes_on_in_extents_of(before):
            return True
        if not all(self.has_head) or not group.lies_behind(before):
            return False
        return self.last_slot_before(group.begin, before.end) is None or \
            self.record_before(first.begin, range(index, len(self.log.groups))) is not None

    @staticmethod
    def end_before(ends, begin):
        """The last of `ends` that is not after that place."""
        before = bisect.bisect_right(ends, begin)
        return ends[before - 1] if before else 4

    def record_before(self, begin, indexes):
        """Finds the slot in whole blocks that has the entry of one of these row groups: before `begin`, with slot B or the
        place for it between, and after the pages that lie before it; footers may be left from before. An earlier history may
        have left the same entry in a head, which continues other entries. None: there is none."""
        begin -= begin % self.log.block
        lowest = self.end_before(self.chunk_ends, begin)
        for at in range(begin - 2 * self.log.slot_bytes, lowest - 1, -self.log.block):
            slot = self.slot(at)
            if slot.is_of(self.log.file_id) and slot.next and (index := self.index_of.get(slot.entry)) in indexes and \
                    self.continues(slot, index):
                return at
        return None

    def slots_before(self, begin, lowest):
        """The slots of this file in whole blocks before `begin`, not before `lowest`, from the last one on. Of one that was partly
        written over only the trailer is left."""
        begin -= begin % self.log.block  # a dictionary page begins anywhere
        slots = (self.slot(end - self.log.slot_bytes)
                 for end in range(begin, lowest + self.log.slot_bytes - 1, -self.log.block))
        return (slot for slot in slots if self.is_emptied(slot) or self.has_record(slot))

    def last_slot_before(self, begin, lowest):
        return next(self.slots_before(begin, lowest), None)

    def latest_slot_before(self, begin, lowest):
        """Others are of an earlier history: slots are emptied before anything is written after them."""
        return max(self.slots_before(begin, lowest), key=lambda slot: slot.sequence, default=None)

    def last_record_before(self, begin, lowest):
        """The last slot of this file in whole blocks before `begin`, not before `lowest`, that has the record of a finished row group."""
        return next((slot for slot in self.slots_before(begin, lowest) if slot.next and self.has_record(slot)), None)

    def slots_of(self, group):
        """Offset of a row group's slots: right before its first page, or in place before the head for a dictionary that the
        column may have. The file does not say how many blocks the head takes: all that was written before the row group ends
        before it."""
        if not self.log.in_place:
            return group.begin - self.log.slot_bytes
        if group.begin in self.opened_by:
            place = self.opened_by[group.begin].extension.next * SECTOR
            if place + 2 * self.log.slot_bytes <= group.begin:
                return place
        begin = group.begin - group.begin % self.log.block  # a dictionary page begins anywhere
        at = begin - 2 * self.log.slot_bytes
        lowest = self.end_before(self.ends, begin)
        # In space for a dictionary that was not used lies what it will: slots of an earlier history, too. The record may be that of
        # a row group that continues in its extents.
        place = self.record_before(begin, range(self.index_of[group.entry], len(self.log.groups)))
        if place is not None:
            return place
        if self.slot(at + self.log.slot_bytes).is_of(self.log.file_id):
            # A row group that was laid out once more has left an emptied slot in the head of its first extent.
            other = None if self.slot(at).is_of(self.log.file_id) else self.last_record_before(begin, lowest)
            return at if other is None else other.at
        slot = self.latest_slot_before(begin, lowest)
        if slot is None:
            return at
        return slot.at if self.is_slot_a(slot, begin, at) else slot.at - self.log.slot_bytes

    def is_slot_a(self, slot, begin, at):
        """Whether the last slot before a row group, which would be at `at` without a head, is A. It says what is next, then B is not in
        use; or A was emptied, and B after it is torn: its trailer is left, or where nothing tells of heads not even that."""
        behind = slot.at + self.log.slot_bytes
        has_trailer = behind + self.log.slot_bytes <= begin and self.slot(behind).is_of(self.log.file_id)
        return slot.next or has_trailer or slot.at == at and not any(self.has_head)

    def check_slots_of(self, first, index):
        """`first` has the slots, `index` is the last row group in its extents."""
        group, where = self.log.groups[index], f'record of row group {index}'
        if group in self.written_again:
            return
        at = self.slots_of(first)
        if at < 4:
            self.complain('record.place', first.begin, f'{where}: no space for slots before {first.begin}')
            return
        slot = self.slot(at)
        if not slot.is_of(self.log.file_id) or slot.entry != group.entry or \
                not self.continues(slot, index):
            if self.log.in_place and self.was_interrupted(slot, self.slot(at + self.log.slot_bytes), index):
                return
            self.complain('record.entry', at, f'{where}: slot A at {at} does not have its entry, with its CRCs')
            return
        self.log.take_sequence(slot.sequence, at, where)
        if any(slot.padding) and not self.log.debris:  # else a tear may have left them: no CRC covers them
            self.complain('record.padding', at, f'{where}: bytes between entry and trailer')
        self.check_dictionaries(slot, group, where)
        if self.describes_tail(slot, index):
            return
        self.check_next(slot, group, index, where)
        if self.log.in_place:
            self.check_slot_b(self.slot(at + self.log.slot_bytes), slot, index)

    def describes_tail(self, slot_a, index):
        """Whether the slots are those of stored pages and their tail, of which a recovery made two finished row groups: slot A leads
        to slot B, and that nowhere."""
        slot_b = self.slot(slot_a.at + self.log.slot_bytes)
        if not self.log.in_place or index + 1 >= len(self.log.groups) or not self.describes_recovered(index + 1):
            return False
        return slot_b.is_of(self.log.file_id) and slot_b.entry == self.log.groups[index + 1].entry and \
            slot_a.next == slot_b.at and slot_b.next == 0 and \
            slot_a.sequence <= slot_b.sequence < self.recovered.extension.sequence

    def check_dictionaries(self, slot, group, where):
        """Checks the CRC of the dictionary pages that the record names, if it has one: records of earlier versions had
        none."""
        if slot.dictionaries_crc not in (None, dictionaries_crc(self.log.data, group)):
            self.complain('record.dictionaries', slot.at, f'{where}: the dictionary pages are not those that it was written for')

    def was_interrupted(self, slot_a, slot_b, index):
        """Emptied by a writer that continued; or finished as slot B says, by a recovery or a writer that continued elsewhere:
        then what was written since is void, and only an interruption explains that slot A has no record or a later one. Of
        the row group that continued in its extents slot A tells even when a lost medium has taken that."""
        destroyed = self.log.debris and not self.has_record(slot_a)
        if self.is_emptied(slot_a) or \
                self.is_emptied(slot_b) and (destroyed or slot_a.continues(self.log.crc_before[index + 1])):
            return True
        begin = self.log.groups[index].begin
        # Both may be torn, or be those of a history that is void: the footer that found it open tells enough.
        if self.log.debris and begin in self.opened_by and \
                self.was_continued_behind(self.opened_by[begin].extension.sequence, index):
            return True
        is_void = not slot_a.is_of(self.log.file_id) or not slot_a.continues(self.log.crc_before[index]) or \
            self.is_state_in(slot_a, index)
        return is_void and slot_b.is_of(self.log.file_id) and slot_b.next == 0 and self.continues(slot_b, index) and \
            self.is_state_in(slot_b, index) and self.was_continued_behind(slot_b.sequence, index)

    def has_record(self, slot):
        """Whether the slot has a whole record; a torn one may have left the trailer alone."""
        return slot.is_of(self.log.file_id) and group_of(slot.entry, 0, len(slot.entry)) is not None

    def is_emptied(self, slot):
        return slot.is_of(self.log.file_id) and slot.entry_bytes == 0

    def is_state_in(self, slot, index):
        """Whether the row group is as the slot's record says, or an earlier state of that."""
        group = group_of(slot.entry, 0, len(slot.entry))
        return group is not None and self.log.groups[index].is_earlier_state_of(group)

    def was_continued_behind(self, sequence, index):
        """Whether the first footer that calls the row group finished is of a later history."""
        first = next(footer for footer in self.log.footers if footer.extension.finished_count > index)
        return first.extension.sequence >= sequence + HISTORY_GAP

    def check_next(self, slot, group, index, where):
        """Checks the record's offset of the next row group, unless a footer stands between, or stood there until a segment
        took its place."""
        following = self.slots_of(self.log.groups[index + 1]) \
            if index + 1 < len(self.log.groups) and self.log.groups[index + 1] not in self.written_again else None
        footer_between = any(group.end <= footer.start and (following is None or footer.start < following)
                             for footer in self.log.genuine)
        stood_between = following is not None and slot.next < following
        if slot.next < group.end or slot.next != following and not (footer_between or stood_between):
            self.complain('record.next', slot.at, f'{where}: the next row group is to begin at {slot.next}; '
                          f'this one ends at {group.end}, the next begins at {following}')

    def was_moved(self, group, index):
        """Whether the row group is the last one of a footer, and close() has moved it to where it is: the footer stands after it, or
        after the segment where the file could not become shorter."""
        is_last = any(footer.extension.finished_count == index + 1 for footer in self.log.genuine)
        return is_last and group.was_moved_to(self.log.groups[index])

    def check_slot_b(self, slot, record, index):
        """Checks that a record left by a checkpoint is an earlier state of the row group."""
        if not slot.is_of(self.log.file_id) or slot.entry_bytes == 0:
            return
        if self.log.debris and (slot.next != 0 or not self.continues(slot, index)):
            return  # remains of row groups that an earlier cut took: no reader believes them
        where = f'slot B of row group {index}'
        group = group_of(slot.entry, 0, len(slot.entry))
        # A call that failed while it wrote the record made nothing of it, and the next record has its number.
        is_void = self.log.debris and slot.sequence == record.sequence
        if group is not None and self.is_tail_of(group, slot, index):
            # It continued the stored pages of that time, of which slot A no longer has the record.
            if slot.sequence >= record.sequence and not is_void or slot.next != 0:
                self.complain('record.provisional', slot.at, f'{where}: no earlier state of it')
            elif not is_void:
                self.log.take_sequence(slot.sequence, slot.at, where)
            return
        if slot.sequence >= record.sequence and not is_void or slot.next != 0 or not self.continues(slot, index) or \
                group is None or not (group.is_earlier_state_of(self.log.groups[index]) or self.was_moved(group, index)):
            self.complain('record.provisional', slot.at, f'{where}: no earlier state of it')
        elif not is_void:
            self.log.take_sequence(slot.sequence, slot.at, where)
            if not self.was_moved(group, index):
                self.check_dictionaries(slot, group, where)

    def is_tail_of(self, group, slot, index):
        """Whether the slot's record is of a tail: pages between the slots and the extents of the row group."""
        whole = self.log.groups[index]
        return slot.at + self.log.slot_bytes <= min(group.begins) and max(group.begins) < min(whole.begins) and \
            group.rows <= whole.rows

    def check_chain(self):
        e = self.log.last.extension
        self.log.report.chain = []
        at, crcs = e.next * SECTOR if self.log.in_place or e.next else self.log.last.end, [e.entries_crc]
        if e.open_bytes:
            crcs.append(e.finished_crc)
        seen = set()
        while at not in seen and at + self.log.slot_bytes <= len(self.log.data) and at >= 4:
            seen.add(at)
            slot = self.slot(at)
            if not slot.is_of(self.log.file_id) or not any(slot.continues(crc) for crc in crcs):
                break
            if not self.check_chain_record(slot):
                break
            self.chain.append((self.log.report.chain[-1], slot))
            at, crcs = slot.next, [slot.entries_crc]

    def check_chain_record(self, slot):
        where = f'record at {slot.at} behind the last footer'
        group = group_of(slot.entry, 0, len(slot.entry))
        if group is None or len(group.record.columns) != self.log.columns:
            self.complain('record.entry', slot.at, f'{where}: its entry is not one RowGroup')
            return False
        if not self.log.debris:
            self.log.check_pages(group.record, where)
            self.check_dictionaries(slot, group, where)
            self.log.take_sequence(slot.sequence, slot.at, where)
            if slot.next < group.end:
                self.complain('record.next', slot.at, f'{where}: next {slot.next} lies before its end, {group.end}')
        self.log.report.chain.append(group.rows)
        return True
