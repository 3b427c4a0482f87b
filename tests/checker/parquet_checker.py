#!/usr/bin/env python3
"""A strict checker of files written by microparquet, after the format's own text.

    parquet_checker.py [--sector] [--statistics-length N] [--application NAME] [--no-crc] [--debris]
                       [--block BYTES] FILE...

Prints one line a complaint, with the file offset it concerns, and exits with 1 if there was any. Everything that
the footer refers to is read: each byte of each page is accounted for, sizes, offsets, checksums and statistics are
recomputed from the values. So are the older footers and the records of the row groups (see layout_check.py); bytes that
none of them refers to may be anything.

As a module: check_file(path) or check_bytes(data) return a Report with the complaints and the decoded columns;
check_image(path or bytes) a list of complaints, of which there are none when the file is as it should be.
"""

import argparse
import functools
import os
import re
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import page_codecs
import packed_encodings
import page_decoding
from bloom_filter_check import check_bloom_filter
from column_schema import SchemaTree
from column_statistics import DEFAULT_LENGTH, StatisticsCheck, float_format, order_key
from layout_check import check_layout
from page_decoding import PageError
from page_index_check import IndexedPage, PageIndexCheck
from parquet_thrift import ENUMS, first_page_of
from thrift_compact import Parser, ThriftError

MAGIC = b'PAR1'
EXTENSION_TAG = b'mpq'  # every extension field of ours starts with it
SECTOR = 512
# The member of a page's header for each type of page.
PAGE_HEADERS = {'DATA_PAGE': 'data_page_header', 'DATA_PAGE_V2': 'data_page_header_v2',
                'DICTIONARY_PAGE': 'dictionary_page_header'}
MAX_ROW_GROUPS = 32767  # beyond, some readers count row groups in 16 bits
MAX_PAGE_HEADER = 1 << 16
UNREADABLE_SCHEMA = {'schema.empty', 'schema.tree', 'schema.name', 'schema.group', 'schema.type_length',
                     'schema.logical_type', 'schema.decimal'}

# parquet-java's VersionParser: the whole string, and the version as a semantic version.
CREATED_BY = re.compile(r'(.*?)\s+version\s*(?:([^(]*?)\s*(?:\(\s*build\s*([^)]*?)\s*\))?)?')
SEMANTIC_VERSION = re.compile(r'(\d+)\.(\d+)\.(\d+)([^-+]*)?(?:-([^+]*))?(?:\+(.*))?')

LOGICAL_RANGES = {'TIME': {'MILLIS': 86_400_000, 'MICROS': 86_400_000_000, 'NANOS': 86_400_000_000_000}}


class Options:
    """Checks beyond the format that the caller asks for: see main() for the meanings."""

    def __init__(self, sector=False, statistics_length=DEFAULT_LENGTH, application='microparquet', crc=True,
                 debris=False, block_bytes=None, excuses_place_with_rows=False, indexes_pages=False):
        self.sector, self.statistics_length = sector, statistics_length
        self.application, self.crc, self.debris, self.block_bytes = application, crc, debris, block_bytes
        self.excuses_place_with_rows = excuses_place_with_rows  # see space_check.py
        self.indexes_pages = indexes_pages  # the writer kept a page index, though it may have had no space for it


class Complaint:
    def __init__(self, code, offset, message):
        self.code, self.offset, self.message = code, offset, message

    def __str__(self):
        return f'offset {self.offset} (0x{self.offset:x}): {self.code}: {self.message}'


class Column:
    """A leaf over the whole file. Flat columns: `values` with None for null. Nested ones: non-null values and levels."""

    def __init__(self, leaf):
        self.leaf, self.values = leaf, []
        self.definition_levels, self.repetition_levels = [], []


class Report:
    def __init__(self):
        self.complaints, self.columns, self.footer = [], {}, None
        self.row_groups, self.pages = [], []  # row counts; (offset, end, column name) of each page
        self.chain = []  # row counts of the records after the last footer

    def add(self, code, offset, message):
        self.complaints.append(Complaint(code, offset, message))

    @property
    def codes(self):
        return {c.code for c in self.complaints}

    def rows(self):
        """The rows of a flat file as tuples."""
        return list(zip(*(c.values for c in self.columns.values())))


class Fatal(Exception):
    """The rest of a structure cannot be interpreted; the complaint is in the report already."""


DICTIONARY_ENCODING = 8


def is_v2(header):
    return ENUMS['PageType'].get(header.type) == 'DATA_PAGE_V2' and header.data_page_header_v2 is not None


def encoding_name(value):
    return ENUMS['Encoding'].get(value, f'number {value}')


class ChunkChecker:
    """One column chunk: its metadata and every page."""

    def __init__(self, data, chunk, leaf, options, report, where):
        self.data, self.chunk, self.leaf, self.options = data, chunk, leaf, options
        self.report, self.where = report, where
        self.meta = chunk.meta_data
        self.values, self.definition_levels, self.repetition_levels = [], [], []
        self.dictionary = None  # its values
        self.encodings, self.page_count, self.uncompressed = set(), 0, 0
        self.pages = []  # those with data

    def complain(self, code, offset, message):
        self.report.add(code, offset, f'{self.where}: {message}')

    @functools.cached_property
    def start(self):
        return first_page_of(self.meta)

    @functools.cached_property
    def end(self):
        return self.start + self.meta.total_compressed_size

    def run(self, data_end):
        self.check_chunk_fields()
        if not 4 <= self.start < self.end <= data_end:
            self.complain('chunk.range', self.meta.at('data_page_offset'),
                          f'pages [{self.start}, {self.end}) outside of [4, {data_end})')
            raise Fatal
        self.walk_pages()
        self.check_totals()
        PageIndexCheck(self.data, self.chunk, self.leaf, self.options.statistics_length, self.complain,
                       self.options.indexes_pages).run(self.pages, self.end, data_end)
        values = [value for page in self.pages for value in page.values]
        check_bloom_filter(self.data, self.meta, self.leaf, values, self.end, data_end, self.complain)
        self.check_sizes(values)
        if self.values_are_valid():
            self.check_statistics()

    def check_sizes(self, values):
        sizes = self.meta.fields.get('size_statistics')
        if sizes is None:
            return
        flat = self.leaf.max_repetition_level == 0 and self.leaf.max_definition_level <= 1
        nulls = sum(page.nulls for page in self.pages)
        for name, true in (('unencoded_byte_array_data_bytes', sum(map(len, values)) if self.leaf.physical == 'BYTE_ARRAY' else None),
                           ('definition_level_histogram', [nulls, len(values)] if self.leaf.max_definition_level else None)):
            stated = sizes.fields.get(name)
            if flat and stated is not None and stated != true:
                self.complain(f'chunk.{name}', sizes.at(name), f'{stated}, must be {true}')

    def check_chunk_fields(self):
        chunk, meta = self.chunk, self.meta
        if chunk.file_offset != 0:
            self.complain('chunk.file_offset', chunk.at('file_offset'), f'file_offset {chunk.file_offset}, must be 0')
        for name in ('file_path', 'crypto_metadata', 'encrypted_column_metadata'):
            if chunk.fields.get(name) is not None:
                self.complain('chunk.unexpected_field', chunk.at(name), f'{name} is set')
        for name in ('index_page_offset', 'geospatial_statistics'):
            if meta.fields.get(name) is not None:
                self.complain('chunk.unexpected_field', meta.at(name), f'{name} is set')
        if ENUMS['Type'][meta.type] != self.leaf.physical:
            self.complain('chunk.type', meta.at('type'),
                          f"type {ENUMS['Type'][meta.type]}, the schema says {self.leaf.physical}")
        if meta.path_in_schema != self.leaf.path:
            self.complain('chunk.path', meta.at('path_in_schema'),
                          f'path {meta.path_in_schema}, the schema says {self.leaf.path}')
        if meta.codec != 0 and meta.codec not in page_codecs.NAMES:
            self.complain('chunk.codec', meta.at('codec'),
                          f"codec {ENUMS['CompressionCodec'][meta.codec]}: this checker does not know it")
            raise Fatal

    def walk_pages(self):
        pos = self.start
        if self.meta.dictionary_page_offset is not None:
            pos = self.page(pos, self.dictionary_page)
            if pos != self.meta.data_page_offset:
                self.complain('dictionary.place', self.meta.at('dictionary_page_offset'),
                              f'the dictionary page ends at {pos}, the first data page is at {self.meta.data_page_offset}')
                raise Fatal
        while pos < self.end:
            begin, items, values, rows = pos, self.num_values(), len(self.values), self.num_rows()
            pos = self.page(pos, self.data_page)
            self.page_count += 1
            nulls = self.num_values() - items - (len(self.values) - values)
            self.pages.append(IndexedPage(begin, pos, rows, self.values[values:], nulls))
        if self.dictionary is not None and DICTIONARY_ENCODING not in self.encodings:
            self.complain('dictionary.unused', self.meta.at('dictionary_page_offset'), 'no page has indices into the dictionary')

    def page(self, start, check_body):
        try:
            header = Parser(self.data, start, min(self.end, start + MAX_PAGE_HEADER)).struct('PageHeader')
        except ThriftError as e:
            self.complain(e.code, e.offset, f'page {self.page_count} header at {start}: {e.message}')
            raise Fatal from None
        body, end = header.end, header.end + header.compressed_page_size
        self.check_extension(header)
        if header.compressed_page_size < 0 or end > self.end:
            self.complain('page.size', header.at('compressed_page_size'),
                          f'page [{start}, {end}) runs past the chunk\'s end {self.end}')
            raise Fatal
        data_page = 'DATA_PAGE_V2' if is_v2(header) else 'DATA_PAGE'
        self.check_page_header(header, start, data_page if check_body == self.data_page else 'DICTIONARY_PAGE')
        self.check_crc(header, body, end)
        if check_body == self.data_page:
            self.check_sector(start, end, is_v2(header))
        check_body(header, *self.content(header, body, end))
        self.uncompressed += (body - start) + header.uncompressed_page_size
        self.report.pages.append((start, end, self.leaf.name))
        return end

    def content(self, header, body, end):
        """(bytes, begin, end) of a page's body before compression, which levels of version 2 stand before."""
        levels = self.check_v2(header, body, end) if is_v2(header) else 0
        if self.meta.codec == 0 or (is_v2(header) and header.data_page_header_v2.is_compressed is False):
            return self.data, body, end
        try:
            content = page_codecs.decompress(self.meta.codec, self.data[body + levels:end],
                                             header.uncompressed_page_size - levels)
        except page_codecs.CodecError as e:
            self.complain('page.codec', body, f'page {self.page_count}: {e}')
            raise Fatal from None
        content = bytes(self.data[body:body + levels]) + bytes(content)
        return content, 0, len(content)

    def check_v2(self, header, body, end):
        """Checks how many bytes the levels of a page of version 2 have; a page that is stored as it is has one size."""
        page = header.data_page_header_v2
        levels = page.definition_levels_byte_length, page.repetition_levels_byte_length
        if min(levels) < 0 or sum(levels) > end - body:
            self.complain('page.levels', page.start, f'levels of {levels} bytes in a page of {end - body}')
            raise Fatal
        if page.is_compressed is False and header.uncompressed_page_size != header.compressed_page_size:
            self.complain('page.size', header.at('uncompressed_page_size'), 'sizes of a page differ that is not compressed')
        return sum(levels)

    def check_extension(self, record):
        check_extension(record, self.report, self.where)

    def check_page_header(self, header, start, kind):
        """`kind` is the type that a page at this place must have. One header stands in it, that of its type."""
        if ENUMS['PageType'][header.type] != kind:
            self.complain('page.type', header.at('type'), f"{ENUMS['PageType'][header.type]}: must be {kind}")
            raise Fatal
        own = PAGE_HEADERS[kind]
        if header.fields.get(own) is None:
            self.complain('page.header', start, f'{kind} without its {own}')
            raise Fatal
        for name in ('data_page_header', 'index_page_header', 'dictionary_page_header', 'data_page_header_v2'):
            if name != own and header.fields.get(name) is not None:
                self.complain('page.header', header.at(name), f'{kind} with {name}')
        if self.meta.codec == 0 and header.uncompressed_page_size != header.compressed_page_size:
            self.complain('page.size', header.at('uncompressed_page_size'),
                          f'sizes {header.uncompressed_page_size} and {header.compressed_page_size} '
                          'of an uncompressed page differ')

    def check_crc(self, header, body, end):
        """The field is a signed 32-bit integer that carries the bits of an unsigned one."""
        if header.crc is None:
            if self.options.crc:
                self.complain('page.crc', header.start, 'no CRC')
            return
        actual = zlib.crc32(self.data[body:end])
        if header.crc & 0xFFFFFFFF != actual:
            self.complain('page.crc', header.at('crc'),
                          f'CRC 0x{header.crc & 0xFFFFFFFF:08x}, the body has 0x{actual:08x}')

    def check_sector(self, start, end, v2):
        """Compressed pages follow each other without padding, and so do pages of version 2."""
        if self.options.sector and self.meta.codec == 0 and not v2 and (start % SECTOR or end % SECTOR):
            self.complain('page.sector', start, f'page [{start}, {end}) is not whole sectors of {SECTOR} bytes')

    def dictionary_page(self, header, content, begin, end):
        """Its values are as those of a page in PLAIN, and none of them comes twice; there are none where all are null."""
        page = header.dictionary_page_header
        if header.extension is not None:
            self.complain('dictionary.extension', header.start, 'the header of a dictionary page is lengthened')
        if encoding_name(page.encoding) != 'PLAIN' or page.num_values < 0:
            self.complain('dictionary.page', page.start, f'{page.num_values} values in {encoding_name(page.encoding)}')
            raise Fatal
        self.encodings.add(page.encoding)
        try:
            self.dictionary = page_decoding.plain(content, begin, end, self.leaf, page.num_values)
        except PageError as e:
            self.complain(e.code, e.offset, f'dictionary: {e.message}')
            raise Fatal from None

    def data_page(self, header, content, begin, end):
        page = header.data_page_header_v2 if is_v2(header) else header.data_page_header
        if page.num_values <= 0:
            self.complain('page.num_values', page.at('num_values'), f'{page.num_values} values')
            raise Fatal
        for name in () if is_v2(header) else ('definition_level_encoding', 'repetition_level_encoding'):
            if encoding_name(page.fields[name]) != 'RLE':
                self.complain('page.level_encoding', page.at(name), f'{name} {encoding_name(page.fields[name])}, must be RLE')
                raise Fatal
        known = page.encoding == DICTIONARY_ENCODING and self.dictionary is not None
        if not known and encoding_name(page.encoding) != 'PLAIN' and page.encoding not in packed_encodings.DECODERS:
            self.complain('page.encoding', page.at('encoding'),
                          f'encoding {encoding_name(page.encoding)}, which is unknown here, or needs a dictionary')
            raise Fatal
        self.encodings.add(page.encoding)
        try:
            definition, repetition, begin = self.levels(header, page, content, begin, end)
            values = self.decode(definition, page, content, begin, end)
        except PageError as e:
            self.complain(e.code, e.offset, f'page {self.page_count}: {e.message}')
            raise Fatal from None
        if page.statistics is not None:
            StatisticsCheck(self.leaf, page.statistics, f'{self.where} page {self.page_count}', self.report.add,
                            self.options.statistics_length).run(values, page.num_values - len(values))
        self.values += values
        self.definition_levels += definition
        self.repetition_levels += repetition

    def levels(self, header, page, content, begin, end):
        """(definition levels, repetition levels, where values begin); lists are empty when the maximum is 0."""
        leaf, levels = self.leaf, []
        kinds = (('repetition', leaf.max_repetition_level), ('definition', leaf.max_definition_level))
        for what, most in kinds:
            found = []
            if is_v2(header):
                size = page.fields[f'{what}_levels_byte_length']
                found = page_decoding.levels_in(content, begin, begin + size, most, page.num_values, what) if most else []
                if not most and size:
                    raise PageError('page.levels', begin, f'{size} bytes of {what} levels, of which there are none')
                begin += size
            elif most:
                found, begin = page_decoding.levels(content, begin, end, most, page.num_values, what)
            levels.append(found)
        repetition, definition = levels
        if is_v2(header):
            self.check_counts(page, definition, repetition)
        return definition, repetition, begin

    def check_counts(self, page, definition, repetition):
        """Checks the counts in the header of a page of version 2 against its levels."""
        nulls = sum(level < self.leaf.max_definition_level for level in definition)
        rows = repetition.count(0) if repetition else page.num_values
        if (page.num_nulls, page.num_rows) != (nulls, rows):
            raise PageError('page.counts', page.start,
                            f'{page.num_nulls} nulls and {page.num_rows} rows, the levels have {nulls} and {rows}')

    def decode(self, definition, page, content, begin, end):
        """The values that are not null."""
        leaf = self.leaf
        present = definition.count(leaf.max_definition_level) if definition else page.num_values
        if page.encoding == DICTIONARY_ENCODING:
            return page_decoding.indexed(content, begin, end, self.dictionary, present)
        decode = packed_encodings.DECODERS.get(page.encoding, page_decoding.plain)
        return decode(content, begin, end, leaf, present)

    def num_values(self):
        return len(self.definition_levels) if self.leaf.max_definition_level else len(self.values)

    def num_rows(self):
        return self.repetition_levels.count(0) if self.leaf.max_repetition_level else self.num_values()

    def check_totals(self):
        meta = self.meta
        if meta.num_values != self.num_values():
            self.complain('chunk.num_values', meta.at('num_values'),
                          f'num_values {meta.num_values}, the pages hold {self.num_values()}')
        if meta.total_uncompressed_size != self.uncompressed:
            self.complain('chunk.total_uncompressed_size', meta.at('total_uncompressed_size'),
                          f'total_uncompressed_size {meta.total_uncompressed_size}, the pages have {self.uncompressed}')
        self.check_encodings()
        self.check_encoding_stats()

    def check_encodings(self):
        """Every encoding of pages and levels; RLE may stand for the level encoding that page headers name."""
        meta = self.meta
        stated = meta.encodings
        levels = {3} if self.leaf.max_definition_level or self.leaf.max_repetition_level else set()
        if len(set(stated)) != len(stated):
            self.complain('chunk.encodings', meta.at('encodings'), 'an encoding listed twice')
        missing = (self.encodings | levels) - set(stated)
        untrue = set(stated) - self.encodings - {3}
        if missing or untrue:
            self.complain('chunk.encodings', meta.at('encodings'),
                          f'encodings {[encoding_name(e) for e in stated]}: missing '
                          f'{[encoding_name(e) for e in sorted(missing)]}, not used '
                          f'{[encoding_name(e) for e in sorted(untrue)]}')

    def check_encoding_stats(self):
        stats = self.meta.encoding_stats
        if stats is None:
            return
        stated = [(s.page_type, s.encoding, s.count) for s in stats]
        if stated != [(0, 0, self.page_count)]:
            self.complain('chunk.encoding_stats', self.meta.at('encoding_stats'),
                          f'{stated}, the chunk has {self.page_count} PLAIN data pages')

    def values_are_valid(self):
        """Values must lie in the range of their annotation."""
        leaf, before = self.leaf, len(self.report.complaints)
        if leaf.logical in ('STRING', 'ENUM', 'JSON'):
            self.first_value('values.utf8', lambda v: not is_utf8(v), 'is not UTF-8')
        elif leaf.logical == 'INTEGER' and leaf.parameters.bitWidth < 32:
            bits, signed = leaf.parameters.bitWidth, leaf.parameters.isSigned
            low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
            self.first_value('values.range', lambda v: not low <= v <= high, f'is outside [{low}, {high}]')
        elif leaf.logical == 'TIME':
            limit = LOGICAL_RANGES['TIME'][next(iter(leaf.parameters.unit.fields))]
            self.first_value('values.range', lambda v: not 0 <= v < limit, f'is no time of day below {limit}')
        elif leaf.logical == 'DECIMAL':
            key, limit = order_key(leaf), 10 ** leaf.parameters.precision
            if leaf.physical == 'BYTE_ARRAY':
                self.first_value('values.range', lambda v: not v, 'is an empty decimal')
            self.first_value('values.range', lambda v: abs(key(v)) >= limit,
                             f'has more than {leaf.parameters.precision} digits')
        return len(self.report.complaints) == before

    def first_value(self, code, wrong, what):
        for i, v in enumerate(self.values):
            if wrong(v):
                self.complain(code, self.start, f'non-null value {i} ({v!r}) {what}')
                return

    def check_statistics(self):
        if self.meta.statistics is None:
            self.complain('statistics.missing', self.meta.start, 'no statistics, null_count belongs there')
            return
        nulls = self.num_values() - len(self.values)
        StatisticsCheck(self.leaf, self.meta.statistics, self.where, self.report.add, self.options.statistics_length,
                        self.options.indexes_pages).run(self.values, nulls)

    def flat_values(self):
        """Values with None for null; only for columns without repetition."""
        if not self.leaf.max_definition_level:
            return self.values
        values = iter(self.values)
        return [next(values) if d == self.leaf.max_definition_level else None for d in self.definition_levels]


def is_utf8(value):
    try:
        value.decode('utf-8')
    except UnicodeDecodeError:
        return False
    return True


def check_extension(record, report, where):
    """Extensions of a structure and of all below it must be recognisable as ours."""
    if record.extension is not None and not record.extension.startswith(EXTENSION_TAG):
        report.add('extension.tag', record.at('extension'),
                   f'{where}: extension field of {record.struct_name} does not start with {EXTENSION_TAG!r}')
    for value in record.fields.values():
        for item in value if isinstance(value, list) else [value]:
            if hasattr(item, 'extension'):
                check_extension(item, report, where)


class FileChecker:
    def __init__(self, data, options):
        self.data, self.options, self.report = data, options, Report()
        self.ranges = []  # (start, end, where) of every chunk

    def run(self):
        try:
            footer, footer_start = self.read_footer()
            self.check_footer(footer, footer_start)
        except Fatal:
            pass
        return self.report

    def complain(self, code, offset, message):
        self.report.add(code, offset, message)

    def read_footer(self):
        data, size = self.data, len(self.data)
        if size < 12:
            self.complain('file.size', 0, f'{size} bytes are too few for a Parquet file')
            raise Fatal
        if data[:4] != MAGIC:
            self.complain('file.magic', 0, 'does not start with PAR1')
        if data[size - 4:] != MAGIC:
            self.complain('file.magic', size - 4, 'does not end with PAR1')
            raise Fatal
        length = int.from_bytes(data[size - 8:size - 4], 'little')
        start = size - 8 - length
        if start < 4:
            self.complain('file.footer_length', size - 8, f'footer of {length} bytes in a file of {size}')
            raise Fatal
        try:
            footer = Parser(data, start, size - 8).struct('FileMetaData')
        except ThriftError as e:
            self.complain(e.code, e.offset, f'footer: {e.message}')
            raise Fatal from None
        if footer.end != size - 8:
            self.complain('file.footer_length', size - 8,
                          f'footer ends at {footer.end}, its length says {size - 8}')
        self.report.footer = footer
        return footer, start

    def check_footer(self, footer, footer_start):
        check_extension(footer, self.report, 'footer')
        if footer.version != 1:
            self.complain('footer.version', footer.at('version'), f'version {footer.version}, must be 1')
        for name in ('encryption_algorithm', 'footer_signing_key_metadata'):
            if footer.fields.get(name) is not None:
                self.complain('footer.unexpected_field', footer.at(name), f'{name} is set')
        self.check_created_by(footer)
        self.check_key_values(footer)
        leaves = self.read_schema(footer)
        self.check_column_orders(footer, leaves)
        self.report.columns = {leaf.name: Column(leaf) for leaf in leaves}
        if len(footer.row_groups) > MAX_ROW_GROUPS:
            self.complain('footer.row_groups', footer.at('row_groups'), f'{len(footer.row_groups)} row groups')
        for i, group in enumerate(footer.row_groups):
            self.row_group(f'row group {i}', group, leaves, footer_start)
            if group.ordinal not in (None, i):
                self.complain('row_group.ordinal', group.at('ordinal'), f'row group {i}: ordinal {group.ordinal}')
        rows = sum(g.num_rows for g in footer.row_groups)
        if footer.num_rows != rows:
            self.complain('footer.num_rows', footer.at('num_rows'),
                          f'num_rows {footer.num_rows}, the row groups have {rows}')
        self.check_overlaps()
        if self.options.application == 'microparquet' and not self.report.complaints:
            check_layout(self.data, self.report, len(leaves), self.check_entry, self.options)

    def check_entry(self, group, where, data=None):
        """A row group that is not the last footer's; `data` is the file as it will be."""
        apart = FileChecker(self.data if data is None else data, self.options)
        leaves = [column.leaf for column in self.report.columns.values()]
        apart.report.columns = {leaf.name: Column(leaf) for leaf in leaves}
        apart.row_group(where, group, leaves, len(self.data))
        self.report.complaints += apart.report.complaints

    def read_schema(self, footer):
        """Pages cannot be judged by a schema that is wrong itself."""
        before = len(self.report.complaints)
        leaves = SchemaTree(footer.schema, self.report.add).leaves
        if any(c.code in UNREADABLE_SCHEMA for c in self.report.complaints[before:]):
            raise Fatal
        return leaves

    def check_created_by(self, footer):
        text, at = footer.created_by, footer.at('created_by')
        if text is None:
            self.complain('footer.created_by', at, 'created_by is missing')
            return
        match = CREATED_BY.fullmatch(text)
        if not match or not match[1] or not match[3] or not SEMANTIC_VERSION.fullmatch(match[2] or ''):
            self.complain('footer.created_by', at, f'{text!r} is not "APPLICATION version X.Y.Z (build HASH)"')
        elif self.options.application not in ('any', match[1]):
            self.complain('footer.created_by', at, f'application {match[1]!r}, must be {self.options.application!r}')

    def check_key_values(self, footer):
        seen = set()
        for pair in footer.key_value_metadata or []:
            if pair.key in seen:
                self.complain('footer.key_value', pair.start, f'key {pair.key!r} stands twice')
            seen.add(pair.key)

    def check_column_orders(self, footer, leaves):
        orders = footer.column_orders
        if orders is None or len(orders) != len(leaves):
            self.complain('footer.column_orders', footer.at('column_orders'),
                          f'{None if orders is None else len(orders)} column orders for {len(leaves)} columns')
        for order in orders or []:
            if 'TYPE_ORDER' not in order.fields:
                self.complain('footer.column_orders', order.start, f'{next(iter(order.fields))}, must be TYPE_ORDER')

    def row_group(self, where, group, leaves, data_end):
        if group.num_rows <= 0:
            self.complain('row_group.num_rows', group.at('num_rows'), f'{where}: {group.num_rows} rows')
        if len(group.columns) != len(leaves):
            self.complain('row_group.columns', group.at('columns'),
                          f'{where}: {len(group.columns)} column chunks, {len(leaves)} columns')
            return
        self.report.row_groups.append(group.num_rows)
        chunks = [self.column_chunk(group, leaf, chunk, where, data_end)
                  for leaf, chunk in zip(leaves, group.columns)]
        self.check_group_sizes(group, where)
        if all(chunks):
            self.check_sorting(group, chunks, where)

    def column_chunk(self, group, leaf, chunk, where, data_end):
        where = f'{where} column {leaf.name}'
        if chunk.meta_data is None:
            self.complain('chunk.meta_data', chunk.start, f'{where}: no meta_data')
            return None
        checker = ChunkChecker(self.data, chunk, leaf, self.options, self.report, where)
        self.ranges.append((checker.start, checker.end, where))
        try:
            checker.run(data_end)
        except Fatal:
            return None
        if checker.num_rows() != group.num_rows:
            self.complain('row_group.num_rows', group.at('num_rows'),
                          f'{where}: {checker.num_rows()} rows in the pages, num_rows {group.num_rows}')
        self.collect(leaf, checker)
        return checker

    def collect(self, leaf, checker):
        column = self.report.columns[leaf.name]
        if leaf.max_repetition_level:
            column.values += checker.values
            column.definition_levels += checker.definition_levels
            column.repetition_levels += checker.repetition_levels
        else:
            column.values += checker.flat_values()

    def check_group_sizes(self, group, where):
        metas = [c.meta_data for c in group.columns]
        if None in metas:
            return
        uncompressed = sum(m.total_uncompressed_size for m in metas)
        if group.total_byte_size != uncompressed:
            self.complain('row_group.total_byte_size', group.at('total_byte_size'),
                          f'{where}: total_byte_size {group.total_byte_size}, the chunks have {uncompressed}')
        compressed = sum(m.total_compressed_size for m in metas)
        if group.total_compressed_size not in (None, compressed):
            self.complain('row_group.total_compressed_size', group.at('total_compressed_size'),
                          f'{where}: total_compressed_size {group.total_compressed_size}, the chunks have {compressed}')
        first = min(map(first_page_of, metas))
        if group.file_offset not in (None, first):
            self.complain('row_group.file_offset', group.at('file_offset'),
                          f'{where}: file_offset {group.file_offset}, the first page is at {first}')

    def check_sorting(self, group, chunks, where):
        """Lexicographic order over the claimed columns, nulls where they are claimed to be."""
        claims = group.sorting_columns
        if claims is None:
            return
        keys = []
        for claim in claims:
            if not 0 <= claim.column_idx < len(chunks) or chunks[claim.column_idx].leaf.max_repetition_level:
                self.complain('row_group.sorting_columns', claim.start, f'{where}: no column {claim.column_idx} to sort by')
                return
            keys.append(self.sort_keys(claim, chunks[claim.column_idx], where))
        for row in range(1, group.num_rows):
            if self.out_of_order(claims, keys, row):
                self.complain('row_group.sorting_columns', group.at('sorting_columns'),
                              f'{where}: row {row} breaks the claimed order')
                return

    def sort_keys(self, claim, chunk, where):
        key = order_key(chunk.leaf)
        if float_format(chunk.leaf) and any(key(v) != key(v) for v in chunk.values):
            self.complain('row_group.sorting_columns', claim.start, f'{where}: sorted by a column with NaN')
        return [None if v is None else key(v) for v in chunk.flat_values()]

    @staticmethod
    def out_of_order(claims, keys, row):
        for claim, column in zip(claims, keys):
            a, b = column[row - 1], column[row]
            if a == b:
                continue
            if a is None or b is None:
                return (b is None) == claim.nulls_first
            return (a < b) == claim.descending
        return False

    def check_overlaps(self):
        self.ranges.sort()
        for (_, end, first), (start, _, second) in zip(self.ranges, self.ranges[1:]):
            if start < end:
                self.complain('chunk.overlap', start, f'{second} starts inside {first}, which ends at {end}')


def check_bytes(data, options=None):
    return FileChecker(data, options or Options()).run()


def check_file(path, options=None):
    with open(path, 'rb') as f:  # not mapped: find() of Python's mmap looks at the byte after the last one
        return check_bytes(f.read(), options)


def check_image(source, debris=False, block_bytes=None):
    """The complaints about a file of ours, given by its path or as bytes. With `debris` its medium held other bytes
    before and footers may be cut: only what follows from that is held against the file. Its blocks are
    guessed unless they are given."""
    options = Options(debris=debris, block_bytes=block_bytes)
    if isinstance(source, (bytes, bytearray)):
        return check_bytes(bytes(source), options).complaints
    return check_file(source, options).complaints


def main():
    parser = argparse.ArgumentParser(description='Checks Parquet files written by microparquet.')
    parser.add_argument('--sector', action='store_true', help='every page that is not compressed must be whole sectors of 512 bytes')
    parser.add_argument('--statistics-length', type=int, default=DEFAULT_LENGTH, metavar='N',
                        help='bytes a minimum or maximum may have (default %(default)s)')
    parser.add_argument('--application', default='microparquet', metavar='NAME',
                        help='the application in created_by, "any" for any')
    parser.add_argument('--no-crc', action='store_true', help='pages may lack a CRC')
    parser.add_argument('--debris', action='store_true',
                        help='the medium held other bytes before, and footers may be cut')
    parser.add_argument('--block', type=int, metavar='BYTES',
                        help='the blocks in which the file was written (default: the largest that its places allow)')
    parser.add_argument('files', nargs='+', metavar='FILE')
    args = parser.parse_args()
    options = Options(args.sector, args.statistics_length, args.application, not args.no_crc, args.debris,
                      args.block)
    failed = False
    for path in args.files:
        report = check_file(path, options)
        for complaint in report.complaints:
            print(f'{path}: {complaint}')
        failed = failed or bool(report.complaints)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
