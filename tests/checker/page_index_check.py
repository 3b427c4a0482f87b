"""The page index of a column chunk (PageIndex.md), compared with its pages and their values."""

import struct

from column_statistics import (bound_value, float_format, has_order, lowest_and_highest, numbers_of, order_key, plain_bound, shortened,
                               shown, zero_bound)
from thrift_compact import Parser, ThriftError

ASCENDING, DESCENDING = 1, 2  # BoundaryOrder


class IndexedPage:
    """A data page: where it lies, its first row in the row group, its values and how many nulls it has."""

    def __init__(self, start, end, first_row, values, nulls):
        self.start, self.end, self.first_row, self.values, self.nulls = start, end, first_row, values, nulls


class PageIndexCheck:
    def __init__(self, data, chunk, leaf, length, complain, ahead):
        """`ahead`: bounds of integers may be of values after the page, see holds()."""
        self.data, self.chunk, self.leaf, self.length, self.complain = data, chunk, leaf, length, complain
        self.ahead = ahead

    def run(self, pages, begin, end):
        """`begin` and `end`: where an index may lie."""
        offsets = self.parse('OffsetIndex', 'offset_index', begin, end)
        columns = self.parse('ColumnIndex', 'column_index', begin, end)
        if offsets is None:
            if columns is not None:
                self.complain('page_index.place', self.chunk.at('column_index_offset'), 'bounds of pages without their places')
            return
        self.check_places(offsets, pages)
        if columns is not None:
            self.check_columns(columns, pages)

    def parse(self, name, fields, begin, end):
        """None: there is none, or it cannot be read."""
        start, length = (self.chunk.fields.get(f'{fields}_{part}') for part in ('offset', 'length'))
        if start is None and length is None:
            return None
        at = self.chunk.start
        if start is None or length is None or not begin <= start < start + length <= end:
            self.complain('page_index.place', at, f'{name} at {start}, {length} bytes, outside of [{begin}, {end})')
            return None
        try:
            record = Parser(self.data, start, start + length).struct(name)
        except ThriftError as e:
            self.complain(e.code, e.offset, f'{name}: {e.message}')
            return None
        if record.end != start + length:
            self.complain('page_index.place', record.end, f'{name} ends at {record.end}, not {start + length}')
        return record

    def check_places(self, offsets, pages):
        stated = [(p.offset, p.compressed_page_size, p.first_row_index) for p in offsets.page_locations]
        true = [(p.start, p.end - p.start, p.first_row) for p in pages]
        if stated != true:
            self.complain('page_index.locations', offsets.at('page_locations'), f'{stated}, the pages are {true}')
        self.check_list(offsets, 'unencoded_byte_array_data_bytes', [sum(map(len, page.values)) for page in pages]
                        if self.leaf.physical == 'BYTE_ARRAY' else None)

    def check_list(self, record, name, true):
        stated = record.fields.get(name)
        if stated is not None and stated != true:
            self.complain(f'page_index.{name}', record.at(name), f'{stated}, must be {true}')

    def check_columns(self, columns, pages):
        names = ('null_pages', 'min_values', 'max_values', 'null_counts')
        lists = [columns.fields.get(name) for name in names]
        for name, stated in zip(names, lists):
            if stated is not None and len(stated) != len(pages):
                self.complain('page_index.length', columns.at(name), f'{len(stated)} {name} of {len(pages)} pages')
                return
        null_pages, lows, highs, nulls = lists
        for i, page in enumerate(pages):
            if null_pages[i] != (not page.values):
                self.complain('page_index.null_pages', columns.at('null_pages'), f'page {i}: {null_pages[i]}')
            if nulls is not None and nulls[i] != page.nulls:
                self.complain('page_index.null_counts', columns.at('null_counts'), f'page {i}: {nulls[i]}, is {page.nulls}')
            for name, side, stated in (('min_values', 0, lows[i]), ('max_values', 1, highs[i])):
                wanted = self.wanted(page.values)[side]
                if stated != wanted and not (self.ahead and page.values and self.holds(side, stated, page.values, pages[i:])):
                    self.complain(f'page_index.{name}', columns.at(name), f'page {i}: {shown(stated)}, must be {shown(wanted)}')
        self.check_order(columns, pages)
        if self.leaf.max_repetition_level == 0 and self.leaf.max_definition_level <= 1:
            self.check_list(columns, 'definition_level_histograms', [count for page in pages for count in (
                page.nulls, len(page.values))] if self.leaf.max_definition_level else None)

    def holds(self, side, stated, values, pages):
        """Whether a bound of integers holds for the values, and is one of this page and those after it: an encoder of differences
        looks at values before it knows whether the page has space for them."""
        letter = {'INT32': 'i', 'INT64': 'q'}.get(self.leaf.physical)
        if letter is None or len(stated) != struct.calcsize(letter):
            return False
        bound = struct.unpack('<' + (letter.upper() if self.leaf.unsigned else letter), stated)[0]
        extreme = max if side else min
        return bound == extreme(*values, bound) and any(bound in page.values for page in pages)

    def wanted(self, values):
        """The bounds as PLAIN has them; of a page without comparable values none, which a null page has as empty ones."""
        if not values:
            return b'', b''
        key, floating = order_key(self.leaf), float_format(self.leaf)
        comparable = numbers_of(values, key) if floating else values
        if not comparable or not has_order(self.leaf):
            return None, None
        return tuple(zero_bound(side, floating) if floating and key(value) == 0 else
                     shortened(self.leaf, side, plain_bound(self.leaf, value), self.length)
                     for side, value in zip(('min', 'max'), lowest_and_highest(comparable, key)))

    def check_order(self, columns, pages):
        """A stated order holds for the bounds of the pages that have values, as they are stated: they may be wider than those."""
        key = order_key(self.leaf)
        bounds = [tuple(key(bound_value(self.leaf, columns.fields[name][i])) for name in ('min_values', 'max_values'))
                  for i, page in enumerate(pages) if page.values] if columns.boundary_order else []
        for order, before in ((ASCENDING, lambda a, b: a <= b), (DESCENDING, lambda a, b: a >= b)):
            if columns.boundary_order == order and not all(before(a[side], b[side]) for a, b in zip(bounds, bounds[1:])
                                                           for side in (0, 1)):
                self.complain('page_index.boundary_order', columns.at('boundary_order'), 'the pages are not in that order')
