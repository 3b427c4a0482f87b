"""The rules of refusals.toml, and how the values of a [[difference]] are compared all the same."""

import os
import re
import tomllib

import arrow_values
import pyarrow as pa

# Each takes (column, rows, array) and returns (expected, observed).


def microseconds(column, rows, array):
    """Nanoseconds are cut off."""
    want = [None if v is None else v // 1000 * 1000 for v in arrow_values.expected(column, rows)]
    return want, arrow_values.observed(column, array)


def instant(column, rows, array):
    """A time of day or a local timestamp comes as a timestamp with the zone UTC; the number is unchanged."""
    array = arrow_values.flat(array)
    if not pa.types.is_timestamp(array.type) or array.type.tz is None:
        raise arrow_values.Unreadable(str(array.type))
    return arrow_values.expected(column, rows), arrow_values.scaled(array, pa.int64())


COMPARISONS = {'cut to microseconds': microseconds, 'an instant on 1970-01-01': instant, 'an instant in UTC': instant}


class Table:
    def __init__(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'refusals.toml'), 'rb') as f:
            data = tomllib.load(f)
        self.refusals = self.by_reader(data['refusal'], 'says')
        self.settings = self.by_reader([r for r in data['refusal'] if 'unless' in r], 'unless')
        self.differences = self.by_reader(data['difference'], 'becomes')
        # A form is a codec, or an encoding or index that matrix.py names.
        self.broken = {(entry['reader'], entry[kind]): entry['says'] for entry in data['broken']
                       for kind in ('codec', 'encoding', 'index') if kind in entry}

    def broken_form(self, reader, case):
        """The codec, encoding or index of the case that the reader gets wrong; None: it has none."""
        return next((form for form in (case.codec, case.encoding, case.index) if (reader.family, form) in self.broken), None)

    @staticmethod
    def by_reader(entries, field):
        found = {}
        for entry in entries:
            for name in entry['types']:
                found[entry['reader'], name] = entry[field]
        return found

    def refusal(self, reader, type_name):
        """The pattern of the message, None when the reader reads the type."""
        return self.refusals.get((reader.family, type_name))

    def setting(self, reader, type_name):
        """The setting with which a reader reads what it refuses without; None when there is none."""
        return self.settings.get((reader.family, type_name))

    def difference(self, reader, type_name):
        return self.differences.get((reader.family, type_name))

    def refused_by_any(self, type_name):
        return any(name == type_name for _, name in self.refusals)

    def is_expected(self, reader, type_name, message):
        pattern = self.refusal(reader, type_name)
        return pattern is not None and re.search(pattern, message) is not None
