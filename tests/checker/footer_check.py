"""Every footer of a file, the dead ones too: it says what the pages say, and what the last one says of these rows."""

import re

from own_structures import FOOTER_END, FOOTER_TAG, SECTOR, Extension, all_footers, padded_varint
from space_check import WrittenOver, calls_free, check_space, stands_in_its_segment, suits_its_place
from stream_check import check_stream_space
from tail_check import TAIL_TAG
from thrift_compact import Parser, ThriftError

ROW_GROUPS = b'\x19\xfc'  # headers of the field and of its list
# A file that another version has continued has both of their created_by.
VERSION = re.compile(r'\d+\.\d+\.\d+ \(build (release|1|d)\)$')
NO_COUNTS = padded_varint(0, 10) + ROW_GROUPS + padded_varint(0, 5)


class FooterChecker:
    def __init__(self, log):
        self.log, self.complain = log, log.complain

    def run(self):
        head_end = self.log.report.footer.at('num_rows')
        self.head = bytes(self.log.data[self.log.last.start:head_end])
        self.tail = self.constant_tail(self.log.last, 'the last footer')
        self.log.genuine = list(self.genuine_footers())
        self.log.footers = self.published(self.log.genuine)
        self.log.take_block()
        self.check_first_footer(self.log.footers[0])
        for footer in self.log.footers:
            self.check_footer(footer, f'footer at {footer.start}')
        for before, footer in zip(self.log.footers, self.log.footers[1:]):
            self.check_order(before, footer, f'footers at {before.start} and {footer.start}')

    def genuine_footers(self):
        """Complains of others, but for what row groups have left of some."""
        found = list(all_footers(self.log.data, len(self.log.last.extension.extents)))
        written_over = WrittenOver(self.log, found)
        if not self.log.debris:
            self.check_tags({footer.extension_at for footer in found}, written_over)
        for before, footer in zip([None, *found], found):
            begin = max(footer.start, before.end) if before else footer.start  # its length may be wrong
            if footer.genuine() and footer.extension.file_id == self.log.file_id:
                yield footer
            elif not self.log.debris and (footer.genuine() or not written_over.may_have(begin, footer.end)):
                self.complain('footer.crc', footer.start, f'the footer at {footer.start} does not have its CRCs'
                              if footer.extension.file_id == self.log.file_id else 'a footer of another file')

    def check_tags(self, known, written_over):
        """Each extension belongs to a footer that ends where its length says."""
        at, size = self.log.data.find(FOOTER_TAG), Extension.size(len(self.log.last.extension.extents)) + FOOTER_END
        while at >= 0:
            if at not in known and not written_over.may_have(at, at + size) and not self.lies_among_turns(at):
                self.complain('footer.end', at, 'an extension without a footer that ends behind it')
            at = self.log.data.find(FOOTER_TAG, at + 1)

    def lies_among_turns(self, place):
        """Whether footers lie by turns there, after the last segment, a shorter one over the begin of a longer: of logs with tails."""
        e = self.log.last.extension
        return TAIL_TAG in self.log.data and place >= max(e.segment_end, e.free_end) * SECTOR

    def published(self, footers):
        """Without those that never were: a closing footer whose file was cut off before it shrank to it, and on a used
        medium what is left of histories that ended there."""
        published = [footers[-1]]
        for i, footer in reversed(list(enumerate(footers[:-1]))):
            in_order = self.may_be_published(footer, published)
            if self.log.debris and in_order:
                in_order = not self.was_moved(footer, footers[:i], published)
            if in_order:
                published.append(footer)
            elif not self.log.debris and not stands_in_its_segment(footer):
                self.complain('footer.order', footer.start, f'footers at {footer.start} and {published[-1].start}: '
                              'the sequence goes back')
        return published[::-1]

    def may_be_published(self, footer, later):
        """Whether nothing in those that are known to follow contradicts."""
        in_order = footer.extension.sequence < later[-1].extension.sequence
        if not self.log.debris or not in_order:
            return in_order
        return self.is_earlier_state(footer) and not self.lies_in_free_space(footer, later)

    def was_moved(self, footer, before, later):
        """Whether it is an old one that stood elsewhere, found in new clusters: it does not suit its place, and one before
        it that suits its own is as late or later."""
        return self.log.in_place and not suits_its_place(footer) and any(
            suits_its_place(other) and other.extension.sequence >= footer.extension.sequence and
            self.may_be_published(other, later) for other in before)

    def lies_in_free_space(self, footer, later):
        """The file has become shorter since, and its new clusters have what was written to them at another place."""
        return any(calls_free(other, footer.start) for other in later)

    def is_earlier_state(self, footer):
        """Whether it describes an earlier state of the last footer's file."""
        e = footer.extension
        if self.log.wrong_finished_of(footer):
            return False
        group = self.log.open_group(footer) if e.open_bytes else None
        return group is None or self.log.has_tail(footer) or self.log.is_state_of_group(group, e.finished_count)

    def check_first_footer(self, first):
        if first.start == 4:
            if first is not self.log.last and first.extension.rows != 0:
                self.complain('footer.first', 4, 'the footer at the file\'s begin has rows')
            if not self.log.debris and first.extension.sequence != 1:
                self.complain('footer.first', 4, f'the first footer has the sequence {first.extension.sequence}')
        elif self.log.in_place:
            self.complain('footer.first', 4, 'a file in place begins with a footer')

    def check_footer(self, footer, where):
        e = footer.extension
        self.log.take_sequence(e.sequence, footer.start, where)
        self.check_identity(footer, where)
        self.check_constant_parts(footer, where)
        self.check_entries(footer, where)
        if not self.log.in_place or footer.start == 4:
            if footer.start != 4 and e.next:
                check_stream_space(self.log, footer, where)
            elif any((e.next, e.segment_end, e.free_begin, e.free_end, e.open_bytes)) or any(map(any, e.extents)):
                self.complain('extension.space', footer.extension_at, f'{where}: space before there is any')
        else:
            check_space(self.log, footer, where)

    def check_identity(self, footer, where):
        if footer.extension.slot_bytes != self.log.slot_bytes:
            self.complain('extension.slot_bytes', footer.extension_at,
                          f'{where}: slots of {footer.extension.slot_bytes} bytes, later {self.log.slot_bytes}')
        if footer.start != 4 and not self.stands_on_block(footer):
            self.complain('footer.sector', footer.start, f'{where}: it neither begins on a sector nor do all end on a block')

    def stands_on_block(self, footer):
        """In place footers begin on sectors. With larger blocks they end on these, in forward mode as well."""
        if self.log.block == SECTOR:
            return not self.log.in_place or footer.start % SECTOR == 0
        return footer.end % self.log.block == 0

    def check_constant_parts(self, footer, where):
        e = footer.extension
        counts = padded_varint(2 * e.rows, 10) + ROW_GROUPS + padded_varint(self.log.count(e), 5)
        begin = bytes(self.log.data[footer.start:footer.entries_begin])
        if not begin.startswith(self.head):
            self.complain('footer.head', footer.start, f'{where}: version or schema are not those of the last footer')
        if begin[len(self.head):] != counts:
            self.complain('footer.counts', footer.start + len(self.head),
                          f'{where}: no varints of fixed length with its rows and row groups before the first entry')
        if self.constant_tail(footer, where) != self.tail:
            self.complain('footer.tail', footer.entries_end, f'{where}: what follows the entries is another')

    def constant_tail(self, footer, where):
        """Everything from created_by to the extension; parsed as a footer without row groups."""
        whole = self.head + NO_COUNTS + bytes(self.log.data[footer.entries_end:footer.end - 8])
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
        return VERSION.sub('', record.created_by), whole[record.at('column_orders'):record.at('extension_field')]

    def check_entries(self, footer, where):
        """The finished ones are those of the last footer; the open one is an earlier state, or the same."""
        e = footer.extension
        if self.log.wrong_finished_of(footer):
            self.complain('footer.finished', footer.extension_at, f'{where}: its {e.finished_count} finished row '
                          'groups are not those of the last footer')
            return
        listed = self.log.listed_group(footer)
        rows = sum(group.rows for group in self.log.groups[:e.finished_count - (listed is not None)])
        rows += listed.rows if listed else 0
        if listed and footer is not self.log.last:
            self.log.check_pages(listed.record, where)
        if e.open_bytes:
            rows += self.check_open_entry(footer, where)
        if rows != e.rows:
            self.complain('extension.rows', footer.extension_at, f'{where}: {e.rows} rows, its row groups have {rows}')

    def check_open_entry(self, footer, where):
        begin = footer.entries_end - footer.extension.open_bytes
        group = self.log.open_group(footer)
        if group is None or len(group.record.columns) != self.log.columns:
            self.complain('footer.open', begin, f'{where}: the entry of the open row group is not one RowGroup')
            return 0
        # A tail of a dead footer may be written over: its place is another's then.
        if footer is not self.log.last and not self.log.has_tail(footer):
            self.log.check_pages(group.record, where)
        if not self.log.has_tail(footer) and not self.log.is_state_of_group(group, footer.extension.finished_count):
            self.complain('footer.open', begin, f'{where}: its open row group is no earlier state of row group '
                          f'{footer.extension.finished_count}')
        for column, (_, end) in enumerate(group.chunks):
            if end % self.log.block:
                self.complain('footer.durable', begin,
                              f'{where}: column {column} ends inside a block of {self.log.block}, at {end}')
        return group.rows

    def check_order(self, before, footer, where):
        earlier, later = before.extension, footer.extension
        if before.end > footer.start:
            self.complain('footer.overlap', footer.start, f'{where} overlap')
        # Stored pages with a tail count as a finished row group; once all of it is stored, the same is the open one.
        listed = self.log.listed_group(before) is not None
        if earlier.rows > later.rows or earlier.finished_count - listed > later.finished_count:
            self.complain('footer.order', footer.start, f'{where}: rows or row groups go back')
