"""The files of the interop matrix: which columns, how many rows, which options of the writer."""

import os

from column_types import BOUNDS, NULLS, SEQUENCES, TYPES, Column

PAGE_BYTES = (256, 512, 4096, 65536)
LAYOUTS = ('in_place', 'forward')
FORWARD_GROUP_BYTES = 1 << 21  # memory for a row group of a given number of rows
INCOMPATIBLE = ('fixed', 'bson', 'uuid', 'float16', 'interval', 'decimal_fixed_5', 'decimal_fixed_16', 'decimal_binary')
OPTIONAL = [n for n in NULLS if n != 'required']


class Case:
    """One file. `group_rows` 0 leaves the row group to the writer; `batch` rows go to the writer at a time, 0: one by
    one; `lives` parts of the rows are followed by a power cut each; `sorted_by` is the column by which the rows are declared
    sorted, and `is_sorted` whether they are; `codec` compresses all columns; `encoding` is that of the columns it is for;
    `index` what the writer says of pages and values; `compatible`: as compatible.h has it;
    `pages`: 'v2' for data pages of version 2."""

    def __init__(self, name, columns, rows, page_bytes, layout, group_rows, batch=0, bound_bytes=32, sorted_by=None,
                 is_sorted=False, lives=0, codec=None, encoding=None, index=None, compatible=False, pages=None):
        self.name, self.rows, self.page_bytes, self.lives = name, rows, page_bytes, lives
        self.codec, self.encoding, self.index, self.pages = codec, encoding, index, pages
        self.layout, self.group_rows, self.compatible = layout, group_rows, compatible
        self.batch, self.bound_bytes, self.sorted_by, self.is_sorted = batch, bound_bytes, sorted_by, is_sorted
        self.columns = [Column(type_name, nulls, place) for place, (type_name, nulls) in enumerate(columns)]

    @property
    def sector(self):
        """Pages smaller than a sector, and files written forward, are not whole sectors."""
        return self.layout != 'forward' and self.page_bytes % 512 == 0

    def arguments(self):
        """The command line of interop_gen, after the file name."""
        group_bytes = FORWARD_GROUP_BYTES if self.layout == 'forward' and self.group_rows else 0
        arguments = [f'--layout={self.layout}', f'--page-bytes={self.page_bytes}',
                     f'--whole-sectors={int(self.sector)}', f'--row-group-rows={self.group_rows}',
                     f'--row-group-bytes={group_bytes}', f'--rows={self.rows}', f'--batch={self.batch}',
                     f'--statistics-bytes={self.bound_bytes}', f'--lives={self.lives}']
        if self.sorted_by is not None:
            arguments.append(f'--sorted-by={self.sorted_by}')
        if self.codec is not None:
            arguments.append(f'--codec={self.codec}')
        if self.encoding is not None:
            arguments.append(f'--encoding={self.encoding}')
        if self.pages is not None:
            arguments.append(f'--pages={self.pages}')
        if self.index is not None:
            arguments.append(f'--index={self.index}')
        if self.compatible:
            arguments.append('--compatible=1')
        return arguments + [c.spec for c in self.columns]


# The slow readers take a part of the matrix each time, each of them another one, and all of it with --long.
LONG = os.environ.get('MICROPARQUET_LONG') == '1'
PARTS = 4


def share(cases, number):
    """Reader `number`'s part of the cases: a quarter of each kind, at least one. The names' first words are the kinds. The
    parts go across the loops that make a kind: whoever takes every fourth would see one layout alone."""
    kinds = {}
    for case in cases:
        kinds.setdefault(case.name.split('-')[0], []).append(case)
    chosen = []
    for kind in kinds.values():
        part = [case for place, case in enumerate(kind) if (place + place // PARTS + place // PARTS**2) % PARTS == number % PARTS]
        chosen += part or [kind[number % len(kind)]]
    return chosen


def single_type_cases():
    """Each type alone, so that a reader's refusal concerns that type only: required and every pattern of nulls."""
    for name in TYPES:
        yield Case(f'type-{name}', [(name, nulls) for nulls in NULLS], 210, 512, 'in_place', 100)


def wide_cases(names):
    """Many types side by side, over page sizes, row-group sizes and layouts."""
    columns = []
    for i, name in enumerate(names):
        columns += [(name, 'required'), (name, OPTIONAL[i % len(OPTIONAL)])]
    for page_bytes in PAGE_BYTES:
        for layout in LAYOUTS:
            for group_rows, rows, batch in ((1, 3, 0), (150, 310, 0), (0, 310, 0), (0, 310, 97)):
                name = f'wide-{page_bytes}-{layout}-{group_rows}' + ('-batches' if batch else '')
                yield Case(name, columns, rows, page_bytes, layout, group_rows, batch)


def filter_cases():
    """Sorted columns in many row groups, for readers that skip by statistics."""
    columns = [(name, nulls) for name in SEQUENCES for nulls in ('required', 'thirds')]
    for layout in LAYOUTS:
        yield Case(f'filter-{layout}', columns, 310, 512, layout, 50, sorted_by=0, is_sorted=True)
        yield Case(f'filter-indexed-{layout}', columns, 310, 512, layout, 50, sorted_by=0, is_sorted=True, index='full')
        yield Case(f'filter-indexed-dictionary-{layout}', columns, 310, 512, layout, 50, index='full', encoding='dictionary',
                   codec='lz4_raw')


def indexed_cases(names):
    """All types with page indexes and bloom filters, cut off and resumed, and given as columns."""
    columns = [(name, nulls) for i, name in enumerate(names) for nulls in ('required', OPTIONAL[i % len(OPTIONAL)])]
    for layout in LAYOUTS:
        yield Case(f'indexed-{layout}', columns, 700, 512, layout, 0, lives=3, index='full')
        yield Case(f'indexed-batches-{layout}', columns, 310, 4096, layout, 150, batch=97, index='full')


def empty_cases(names):
    """No rows at all."""
    for layout in LAYOUTS:
        yield Case(f'empty-{layout}', [(name, nulls) for name in names for nulls in ('required', 'none')], 0, 512, layout, 0)


def bound_cases():
    """Bounds at every length, of one value each and of several."""
    columns = [(name, 'required') for name in (*BOUNDS, 'fixed', 'decimal_fixed_16', 'enum')]
    columns.append(('bound_string', 'thirds'))
    for bound_bytes in (1, 8, 31, 32, 64):
        for group_rows in (1, 7):
            yield Case(f'bounds-{bound_bytes}-{group_rows}', columns, 48, 512, 'forward', group_rows,
                       bound_bytes=bound_bytes)


def unsorted_cases():
    """Columns that were declared sorted, and that are not in some row groups."""
    for name in ('int32', 'string', 'double'):
        yield Case(f'unsorted-{name}', [(name, 'required')], 60, 512, 'in_place', 20, sorted_by=0)


def cut_cases(names):
    """Files with checkpoints, cut off and resumed, and left open at the end."""
    columns = [(name, nulls) for i, name in enumerate(names) for nulls in ('required', OPTIONAL[i % len(OPTIONAL)])]
    for page_bytes in PAGE_BYTES:
        for layout in LAYOUTS:
            yield Case(f'cut-{page_bytes}-{layout}', columns, 700, page_bytes, layout, 0, lives=3)


def tailed_cases(names):
    """The same, where checkpoints leave pages open: the file ends with a tail."""
    case = next(case for case in cut_cases(names) if case.name == 'cut-512-in_place')
    case.name, case.layout = 'cut-512-tailed', 'tailed'
    yield case


def compatible_cases(names):
    """Cases that every reader takes: as the writer is set for it, cut off and resumed, and with dictionaries."""
    names = [name for name in names if name not in INCOMPATIBLE]
    columns = [(name, nulls) for i, name in enumerate(names) for nulls in ('required', OPTIONAL[i % len(OPTIONAL)])]
    for page_bytes in PAGE_BYTES:
        yield Case(f'compatible-{page_bytes}', columns, 700, page_bytes, 'forward', 0, lives=3, compatible=True)
    yield Case('compatible-dictionary', columns, 1500, 4096, 'forward', 400, encoding='dictionary', compatible=True)


def compressed_cases(names):
    """The same files, compressed."""
    for case in cut_cases(names):
        if case.page_bytes >= 512:
            case.name, case.codec = f'lz4-{case.name}', 'lz4_raw'
            yield case


def delta_cases():
    """Integers as packed differences, of sequences and of what does not pack, as they are and compressed."""
    names = (*SEQUENCES, 'int32', 'int64', 'int8', 'uint16', 'date', 'timestamp_micros', 'decimal_int32', 'decimal_int64')
    columns = [(name, nulls) for i, name in enumerate(dict.fromkeys(names))
               if name in TYPES for nulls in ('required', OPTIONAL[i % len(OPTIONAL)])]
    for page_bytes in PAGE_BYTES:
        for layout in LAYOUTS:
            yield Case(f'delta-{page_bytes}-{layout}', columns, 700, page_bytes, layout, 0, lives=3, encoding='delta')
    yield Case('delta-batches', columns, 1500, 4096, 'in_place', 0, batch=97, encoding='delta')
    yield Case('delta-lz4', columns, 700, 1024, 'in_place', 0, encoding='delta', codec='lz4_raw')


def run_cases():
    """Booleans as runs."""
    columns = [('boolean', nulls) for nulls in NULLS]
    for page_bytes in PAGE_BYTES:
        for layout in LAYOUTS:
            yield Case(f'rle-{page_bytes}-{layout}', columns, 3000, page_bytes, layout, 0, lives=3, encoding='rle')
    yield Case('rle-batches', columns, 9000, 512, 'in_place', 0, batch=97, encoding='rle')
    yield Case('rle-lz4', columns, 3000, 1024, 'in_place', 0, encoding='rle', codec='lz4_raw')


def dictionary_cases():
    """Indices into dictionaries, of values that repeat, and of others, which overflow."""
    names = ('enum', 'string', 'date', 'float', 'double', 'int32', 'int64', 'byte_array')
    required = [(name, 'required') for name in names]
    optional = [(name, OPTIONAL[i % len(OPTIONAL)]) for i, name in enumerate(names)]
    for page_bytes in PAGE_BYTES:
        for layout in LAYOUTS:
            for kind, columns in ('required', required), ('optional', optional):
                yield Case(f'dictionary-{kind}-{page_bytes}-{layout}', columns, 1500, page_bytes, layout, 0,
                           encoding='dictionary')
    columns = [('enum', 'required'), ('enum', 'thirds'), ('date', 'required'), ('string', 'runs')]
    for page_bytes in (256, 512):
        for layout in LAYOUTS:
            yield Case(f'dictionary-cut-{page_bytes}-{layout}', columns, 700, page_bytes, layout, 0, lives=3,
                       encoding='dictionary')
    columns = required + optional
    yield Case('dictionary-batches', columns, 3000, 512, 'in_place', 0, batch=97, encoding='dictionary')
    yield Case('dictionary-lz4', columns, 1500, 1024, 'in_place', 0, encoding='dictionary', codec='lz4_raw')


def split_cases():
    """Floats and doubles of which pages are split before they are compressed, and others not."""
    columns = [(name, nulls) for name in ('float', 'double', 'int32') for nulls in ('required', *OPTIONAL)]
    for page_bytes in (1024, 4096):
        for layout in LAYOUTS:
            yield Case(f'split-{page_bytes}-{layout}', columns, 3000, page_bytes, layout, 0, lives=3, encoding='split',
                       codec='lz4_raw')
    yield Case('split-batches', columns, 3000, 1024, 'in_place', 0, batch=97, encoding='split', codec='lz4_raw')


def v2_cases(names):
    """Data pages of version 2: every type, cut off and resumed, with every encoding, compressed and not, with an index."""
    for case in cut_cases(names):
        if case.page_bytes in (512, 4096):
            for codec in (None, 'lz4_raw'):
                yield Case(f"v2-{codec or 'stored'}-{case.page_bytes}-{case.layout}",
                           [(column.type.name, column.nulls) for column in case.columns], case.rows, case.page_bytes,
                           case.layout, 0, lives=3, codec=codec, pages='v2')
    for cases, encoding, layout in ((delta_cases(), 'delta', 'in_place'), (run_cases(), 'rle', 'forward'),
                                    (dictionary_cases(), 'dictionary', 'in_place'), (split_cases(), 'split', 'forward')):
        columns = [(column.type.name, column.nulls) for column in next(iter(cases)).columns]
        yield Case(f'v2-{encoding}', columns, 1500, 1024, layout, 400, codec='lz4_raw', encoding=encoding, pages='v2')
    columns = [(name, nulls) for name in SEQUENCES for nulls in ('required', 'thirds')]
    yield Case('v2-indexed', columns, 310, 512, 'in_place', 50, codec='lz4_raw', index='full', pages='v2')


def long_cases():
    """Enough rows for several pages of the largest size."""
    columns = [('int64', 'required'), ('int32', 'thirds'), ('double', 'required'), ('string', 'runs'),
               ('boolean', 'alternating')]
    for page_bytes in PAGE_BYTES:
        for layout in LAYOUTS:
            yield Case(f'long-{page_bytes}-{layout}', columns, 40_000 if page_bytes == 65536 else 5000, page_bytes,
                       layout, 0)
