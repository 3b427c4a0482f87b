"""The records: slots A and B of each finished row group, and the chain behind the last footer."""

from log_state import group_of
from own_structures import SECTOR, Slot


class RecordChecker:
    def __init__(self, log):
        self.log, self.complain = log, log.complain

    def run(self):
        self.check_slots()
        self.check_chain()

    def slot(self, at):
        return Slot(self.log.data, at, self.log.slot_bytes)

    def check_slots(self):
        """Of each finished row group slot A has its record, unless an interruption ended it."""
        index, groups = 0, self.log.groups
        while index < len(self.log.finished):
            first = self.log.finished[index]
            while index + 1 < len(groups) and groups[index + 1].goes_on_in_extents_of(groups[index]):
                index += 1
            if index < len(self.log.finished):
                self.check_slots_of(first, index)
            index += 1

    def check_slots_of(self, first, index):
        """`first` has the slots, `index` is the last row group in its extents."""
        group, where = self.log.groups[index], f'record of row group {index}'
        slots = 2 if self.log.in_place else 1
        at = first.begin - slots * self.log.slot_bytes
        if at < 4:
            self.complain('record.place', first.begin, f'{where}: no room for {slots} slots before {first.begin}')
            return
        slot = self.slot(at)
        if self.log.in_place and self.was_interrupted(slot, self.slot(at + self.log.slot_bytes), index):
            return
        if not slot.is_of(self.log.file_id) or slot.entry != group.entry or \
                not slot.continues(self.log.crc_before[index]):
            self.complain('record.entry', at, f'{where}: slot A at {at} does not have its entry, with its CRCs')
            return
        self.log.take_sequence(slot.sequence, at, where)
        if any(slot.padding):
            self.complain('record.padding', at, f'{where}: bytes between entry and trailer')
        self.check_next(slot, group, index, where)
        if self.log.in_place:
            self.check_slot_b(self.slot(at + self.log.slot_bytes), slot, index)

    def was_interrupted(self, slot_a, slot_b, index):
        """Emptied by a writer that went on, or finished by a recovery as slot B says."""
        if slot_a.is_of(self.log.file_id) and slot_a.entry_bytes == 0:
            return True
        return not slot_a.is_of(self.log.file_id) and slot_b.is_of(self.log.file_id) and \
            slot_b.entry == self.log.groups[index].entry and slot_b.continues(self.log.crc_before[index])

    def check_next(self, slot, group, index, where):
        """Where the next row group begins, unless a footer stands between."""
        following = self.log.groups[index + 1].begin - (2 if self.log.in_place else 1) * self.log.slot_bytes \
            if index + 1 < len(self.log.groups) else None
        footer_between = any(group.end <= footer.start and (following is None or footer.start < following)
                             for footer in self.log.genuine)
        if slot.next < group.end or slot.next != following and not footer_between:
            self.complain('record.next', slot.at, f'{where}: the next row group is to begin at {slot.next}; '
                          f'this one ends at {group.end}, the next begins at {following}')

    def check_slot_b(self, slot, record, index):
        """What a checkpoint left there is an earlier state of the row group."""
        if not slot.is_of(self.log.file_id) or slot.entry_bytes == 0:
            return
        if self.log.debris and (slot.next != 0 or not slot.continues(self.log.crc_before[index])):
            return  # remains of row groups that an earlier cut took: no reader believes them
        where = f'slot B of row group {index}'
        group = group_of(slot.entry, 0, len(slot.entry))
        if slot.sequence >= record.sequence or slot.next != 0 or not slot.continues(self.log.crc_before[index]) or \
                group is None or not group.is_earlier_state_of(self.log.groups[index]):
            self.complain('record.provisional', slot.at, f'{where}: no earlier state of it')
        else:
            self.log.take_sequence(slot.sequence, slot.at, where)

    def check_chain(self):
        e = self.log.last.extension
        self.log.report.chain = []
        at, crcs = e.next * SECTOR if self.log.in_place else self.log.last.end, [e.entries_crc]
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
            at, crcs = slot.next, [slot.entries_crc]

    def check_chain_record(self, slot):
        where = f'record at {slot.at} behind the last footer'
        group = group_of(slot.entry, 0, len(slot.entry))
        if group is None or len(group.record.columns) != self.log.columns:
            self.complain('record.entry', slot.at, f'{where}: its entry is not one RowGroup')
            return False
        if not self.log.debris:
            self.log.check_pages(group.record, where)
            self.log.take_sequence(slot.sequence, slot.at, where)
            if slot.next < group.end:
                self.complain('record.next', slot.at, f'{where}: next {slot.next} lies before its end, {group.end}')
        self.log.report.chain.append(group.rows)
        return True
