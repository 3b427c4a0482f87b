"""Outcomes of a file in a release: right, otherwise, refused, or wrong, and the reason."""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'interop'), os.path.join(HERE, '..', 'checker')]

import arrow_values
import differences
import program_readers
import pyarrow as pa

from releases import ARROW

KINDS = RIGHT, OTHERWISE, REFUSED, WRONG = 'right', 'otherwise', 'refused', 'wrong'


def shortened(message):
    """A reason as it is the same for all files and each time: without names and numbers, and without which of the columns
    that are read side by side was refused first."""
    message = re.sub(r'Decoding \w+ (\S+-encoded) (required|optional)', r'Decoding \1', message)
    message = re.sub(r"'?/\S*\.parquet'?", 'FILE', message)
    message = re.sub(r'\w+__\w+', 'COLUMN', message).replace('|', '/')
    return re.sub(r'\d{3,}|0x[0-9a-f]+', 'N', message)[:100].rstrip()


def raw_bytes(column, rows, array):
    return column.values(rows), arrow_values.observed_bytes(column.type, arrow_values.flat(array))


def nearest_double(column, rows, array):
    """Decimals as doubles, which are as near to them as doubles are."""
    array = arrow_values.flat(array)
    if not pa.types.is_floating(array.type):
        raise arrow_values.Unreadable(str(array.type))
    scale = 10 ** column.type.arguments['scale']
    want = [None if v is None else v / scale for v in arrow_values.expected(column, rows)]
    got = array.to_pylist()
    return [g if is_near(w, g) else w for w, g in zip(want, got)], got


def is_near(want, got):
    return want is not None and got is not None and abs(want - got) <= abs(got) * 1e-15


def one_null(column, rows, array):
    want = [None if v == 'nan' else v for v in arrow_values.expected(column, rows)]
    return want, [None if v == 'nan' else v for v in arrow_values.observed(column, array)]


def cut(column, rows, array):
    """Nanoseconds are cut off, towards zero or downwards."""
    want, got = arrow_values.expected(column, rows), arrow_values.observed(column, array)
    return [g if is_cut(w, g) else w for w, g in zip(want, got)], got


def is_cut(want, got):
    return want is not None and got is not None and got % 1000 == 0 and abs(want - got) < 1000


def day(column, rows, array):
    """Midnight of the day."""
    array = arrow_values.flat(array)
    if not pa.types.is_timestamp(array.type):
        raise arrow_values.Unreadable(str(array.type))
    day_ns = 86_400 * 10 ** 9
    want = [None if v is None else v * day_ns for v in arrow_values.expected(column, rows)]
    return want, arrow_values.scaled(array, pa.int64())


# Changes that a library may make to a type without a value being lost silently: by kind of type, the name of the change and
# the comparison for it.
CHANGES = {
    'decimal': {'the stored bytes': raw_bytes, 'a double': nearest_double},
    'float16': {'the stored bytes': raw_bytes},
    'float': {'NaN and null are one': one_null},
    'date': {'midnight of the day': day},
    'time': {'cut to microseconds': cut, 'an instant on 1970-01-01': differences.instant},
    'timestamp': {'cut to microseconds': cut, 'an instant in UTC': differences.instant},
}


class Judge:
    """Compares what releases return with what was written."""

    def __init__(self):
        self.expected = {}

    def wanted(self, case, column):
        key = case.name, column.name
        if key not in self.expected:
            self.expected[key] = arrow_values.expected(column, case.rows)
        return self.expected[key]

    def judge(self, release, case, file):
        if 'error' in file:
            return REFUSED, shortened(file['error'])
        becomes, complaint = set(), None
        if release.form == ARROW:
            path = os.path.join(release.folder, os.path.basename(file['path']) + '.arrow')
            with pa.memory_map(path) as source:
                table = pa.ipc.open_stream(source).read_all()
                complaint = self.compare_table(case, table, becomes)
        else:
            complaint = self.compare_physical(case, file['columns'])
        if complaint:
            return WRONG, complaint
        return (OTHERWISE, '; '.join(sorted(becomes))) if becomes else (RIGHT, '')

    def compare_table(self, case, table, becomes):
        if list(table.column_names) != [c.name for c in case.columns]:
            return 'other columns'
        for column in case.columns:
            complaint = self.compare_column(case, column, table[column.name], becomes)
            if complaint:
                return complaint
        return None

    def compare_column(self, case, column, array, becomes):
        """None when no value is another. A type that cannot mean the column's is seen by whoever reads it: `becomes` has it."""
        name = column.type.name
        try:
            complaint = arrow_values.first_difference(self.wanted(case, column), arrow_values.observed(column, array))
        except (arrow_values.Unreadable, KeyError):  # pyarrow has types without a class
            complaint = None
            becomes.add(f'{name}: {array.type}')
        else:
            if not complaint:
                return None
        change = self.change(column, case.rows, array)
        if change is None:
            return complaint and f'{name}: other values'
        becomes.discard(f'{name}: {array.type}')
        becomes.add(f'{name}: {change}')
        return None

    @staticmethod
    def change(column, rows, array):
        for name, compare in CHANGES.get(column.type.kind, {}).items():
            try:
                if arrow_values.first_difference(*compare(column, rows, array)) is None:
                    return name
            except (arrow_values.Unreadable, KeyError):
                continue
        return None

    def compare_physical(self, case, columns):
        for column in case.columns:
            if column.name not in columns:
                return f'{column.type.name}: missing'
            exact = arrow_values.EXPECTED[column.type.kind]
            got = [program_readers.physical(column, v) for v in columns[column.name]]
            got = [None if v is None else exact(column.type, v) for v in got]
            complaint = arrow_values.first_difference(self.wanted(case, column), got)
            if complaint:
                return f'{column.type.name}: other values'
        return None
