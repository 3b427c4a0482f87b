"""The statistics that readers report, against bounds computed from the expected values.

Each reader shows a chunk's statistics in its own way; the classes below turn that into (null count, minimum,
maximum) as Statistics stores them: PLAIN bytes, None when not shown.
"""

import json
import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'checker'))

import column_statistics as rules
from readers import quoted


def comparable(column_type, values):
    """The values that can be a bound, with the key that orders them."""
    key = rules.order_key(column_type)
    present = [v for v in values if v is not None]
    if rules.float_format(column_type):
        present = [v for v in present if not math.isnan(key(v))]
    return (present if rules.has_order(column_type) else []), key


def expected_bounds(column_type, values, length):
    """The minimum and the maximum that must be stated, (None, None) where there must be none."""
    present, key = comparable(column_type, values)
    if not present:
        return None, None
    low, high = min(present, key=key), max(present, key=key)
    form = rules.float_format(column_type)
    if form:
        return struct.pack(form, key(low) if key(low) else -0.0), struct.pack(form, key(high) if key(high) else 0.0)
    low, high = rules.plain_bound(column_type, low), rules.plain_bound(column_type, high)
    if rules.is_binary(column_type):
        low, high = shortened(column_type, low, length, 'min'), shortened(column_type, high, length, 'max')
    return (None, None) if low is None or high is None else (low, high)


def shortened(column_type, bound, length, side):
    """Statistics that stand for a bound of a binary column; None when nothing can."""
    if len(bound) <= length:
        return bound
    if not rules.may_truncate(column_type):
        return None
    return (rules.truncated_min if side == 'min' else rules.truncated_max)(column_type, bound, length)


def compare_chunk(column, values, shown, length):
    """None when the reader shows what it should."""
    nulls, low, high = shown
    if nulls is None and not rules.has_order(column.type):
        return None  # arrow-go shows nothing of a type without an order
    if nulls != sum(v is None for v in values):
        return f'{column.name}: null count {nulls}, is {sum(v is None for v in values)}'
    wanted = expected_bounds(column.type, values, length)
    if (low, high) != wanted:
        return f'{column.name}: shows {low!r} and {high!r}, must be {wanted[0]!r} and {wanted[1]!r}'
    return None


def compare_file(case, chunks, row_counts):
    """`chunks(group, column)` returns what is shown. None, or the first difference."""
    if sum(row_counts) != case.rows:
        return f'{sum(row_counts)} rows, {case.rows} expected'
    for column in case.columns:
        values, first = column.values(case.rows), 0
        for group, rows in enumerate(row_counts):
            complaint = compare_chunk(column, values[first:first + rows], chunks(group, column), case.bound_bytes)
            if complaint:
                return f'row group {group}, {complaint}'
            first += rows
    return None


def plain(column_type, value):
    """A signed physical value, as readers of raw statistics give it, in PLAIN."""
    if isinstance(value, (bytes, type(None))):
        return value
    if column_type.physical == 'BOOLEAN':
        return bytes([value])
    return struct.pack({'INT32': '<i', 'INT64': '<q', 'FLOAT': '<f', 'DOUBLE': '<d'}[column_type.physical], value)


def pyarrow_statistics(case, path):
    import pyarrow.parquet
    metadata = pyarrow.parquet.read_metadata(path)

    def chunk(group, column):
        found = metadata.row_group(group).column(column.place).statistics
        bounds = (found.min_raw, found.max_raw) if found.has_min_max else (None, None)
        return (found.null_count, *(plain(column.type, b) for b in bounds))
    rows = [metadata.row_group(g).num_rows for g in range(metadata.num_row_groups)]
    return compare_file(case, chunk, rows)


def clickhouse_bound(column_type, text):
    """ClickHouse prints bounds by physical type: numbers in decimal, fixed byte arrays byte by byte."""
    if text is None:
        return None
    if column_type.physical == 'FIXED_LEN_BYTE_ARRAY':
        return bytes(int(b) for b in text.split())
    if column_type.physical == 'BYTE_ARRAY':
        return text.encode('latin-1')
    if column_type.physical in ('FLOAT', 'DOUBLE'):
        return plain(column_type, float(text))
    return plain(column_type, int(text))


def clickhouse_statistics(case, path):
    import chdb
    found = chdb.query(f'select row_groups from file({quoted(path)}, ParquetMetadata)', 'JSONEachRow').bytes()
    groups = json.loads(found.decode('latin-1'))['row_groups']

    def chunk(group, column):
        shown = groups[group]['columns'][column.place]['statistics']
        return (int(shown['null_count']), clickhouse_bound(column.type, shown['min']),
                clickhouse_bound(column.type, shown['max']))
    return compare_file(case, chunk, [int(g['num_rows']) for g in groups])


def program_statistics(case, found):
    """`found` is one file's JSON of a ProgramReader."""
    shown = found['statistics']

    def chunk(group, column):
        s = shown[column.name][group]
        return s['null_count'], *(None if s[side] is None else bytes.fromhex(s[side]) for side in ('min', 'max'))
    return compare_file(case, chunk, [s['rows'] for s in shown.get(case.columns[0].name, [])])


class DuckDBStatistics:
    """DuckDB prints bounds by logical type, so the expected ones are printed by it too, from the values it reads.

    It shows no infinities, and nothing of FLOAT16 bounds that are infinite.
    """

    def __init__(self, reader):
        self.reader = reader

    def check(self, case, path):
        rows = self.reader.query('select row_group_id, path_in_schema, row_group_num_rows, stats_null_count, '
                                 f'stats_min_value, stats_max_value from parquet_metadata({quoted(path)})')
        first = 0
        for group in sorted({r[0] for r in rows}):
            chunks = {r[1]: r for r in rows if r[0] == group}
            count = next(iter(chunks.values()))[2]
            true_bounds = self.true_bounds(case, path, first, count)
            for column in case.columns:
                values = column.values(case.rows)[first:first + count]
                wanted = expected_bounds(column.type, values, case.bound_bytes)
                complaint = self.chunk(column, values, chunks[column.name], wanted, true_bounds[column.name])
                if complaint:
                    return f'row group {group}, {complaint}'
            first += count
        return None

    def true_bounds(self, case, path, first, count):
        """Minimum and maximum as text, over rows picked by number, for which no statistics help."""
        parts = []
        for column in case.columns:
            numbers = f' filter (where not isnan("{column.name}"))' if rules.float_format(column.type) else ''
            parts += [f'{f}("{column.name}"){numbers}::varchar' for f in ('min', 'max')]
        row = self.reader.query(f'select {", ".join(parts)} from read_parquet({quoted(path)}, file_row_number=true) '
                                f'where file_row_number >= {first} and file_row_number < {first + count}')[0]
        return {c.name: row[2 * i:2 * i + 2] for i, c in enumerate(case.columns)}

    def chunk(self, column, values, shown, wanted, true_bounds):
        _, _, _, nulls, low, high = shown
        if nulls != sum(v is None for v in values):
            return f'{column.name}: null count {nulls}, is {sum(v is None for v in values)}'
        for side, bound, text, true_text in (('minimum', wanted[0], low, true_bounds[0]),
                                              ('maximum', wanted[1], high, true_bounds[1])):
            if text != self.text(column.type, bound, true_text):
                return f'{column.name}: {side} {text!r}, must be {self.text(column.type, bound, true_text)!r}'
        return None

    def text(self, column_type, bound, true_text):
        if bound is None:
            return None
        form = rules.float_format(column_type)
        if form:
            number = struct.unpack(form, bound)[0]
            if math.isinf(number):
                return None
            return str(number) if number == 0 else true_text
        if rules.may_truncate(column_type):
            return self.reader.query(f"select ?::{'varchar' if column_type.logical else 'blob'}::varchar",
                                     [bound.decode() if column_type.logical else bound])[0][0]
        return true_text
