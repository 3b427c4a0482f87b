"""The files of the interop matrix: which columns, how many rows, which options of the writer."""

from column_types import NULLS, SEQUENCES, TYPES, Column

PAGE_BYTES = (256, 512, 4096, 65536)
LAYOUTS = ('in_place', 'forward')
FORWARD_GROUP_BYTES = 1 << 21  # memory for a row group of a given number of rows
OPTIONAL = [n for n in NULLS if n != 'required']


class Case:
    """One file. `group_rows` 0 leaves the row group to the writer."""

    def __init__(self, name, columns, rows, page_bytes, layout, group_rows):
        self.name, self.rows, self.page_bytes = name, rows, page_bytes
        self.layout, self.group_rows = layout, group_rows
        self.columns = [Column(type_name, nulls, place) for place, (type_name, nulls) in enumerate(columns)]

    @property
    def sector(self):
        """Pages smaller than a sector, and files written forward, are not whole sectors."""
        return self.layout == 'in_place' and self.page_bytes % 512 == 0

    def arguments(self):
        """The command line of interop_gen, after the file name."""
        group_bytes = FORWARD_GROUP_BYTES if self.layout == 'forward' and self.group_rows else 0
        return [f'--layout={self.layout}', f'--page-bytes={self.page_bytes}', f'--whole-sectors={int(self.sector)}',
                f'--row-group-rows={self.group_rows}', f'--row-group-bytes={group_bytes}', f'--rows={self.rows}',
                *(c.spec for c in self.columns)]


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
            for group_rows in (1, 150, 0):
                rows = 3 if group_rows == 1 else 310
                yield Case(f'wide-{page_bytes}-{layout}-{group_rows}', columns, rows, page_bytes, layout, group_rows)


def filter_cases():
    """Sorted columns in many row groups, for readers that skip by statistics."""
    columns = [(name, nulls) for name in SEQUENCES for nulls in ('required', 'thirds')]
    for layout in LAYOUTS:
        yield Case(f'filter-{layout}', columns, 310, 512, layout, 50)


def long_cases():
    """Enough rows for several pages of the largest size."""
    columns = [('int64', 'required'), ('int32', 'thirds'), ('double', 'required'), ('string', 'runs'),
               ('boolean', 'alternating')]
    for page_bytes in PAGE_BYTES:
        for layout in LAYOUTS:
            yield Case(f'long-{page_bytes}-{layout}', columns, 40_000 if page_bytes == 65536 else 5000, page_bytes,
                       layout, 0)
