"""A file whose statistics hide a value: a reader that finds the value does not use them, and its filter tests
would show nothing."""

import os
import struct

from tiny_writer import TinyColumn, TinyWriter

HIDDEN = 50


def statistics(values):
    """Claims 0 to 9, whatever the values are."""
    return {'null_count': 0, 'min_value': struct.pack('<q', 0), 'max_value': struct.pack('<q', 9),
            'is_min_value_exact': True, 'is_max_value_exact': True}


def check(reader, folder):
    path = os.path.join(folder, 'lying.parquet')
    column = TinyColumn({'type': 2, 'repetition_type': 0, 'name': 'v'}, list(range(10)) * 9 + [HIDDEN] * 10, statistics)
    with open(path, 'wb') as f:
        f.write(TinyWriter([column], 20, 20).write())
    got = reader.count(path, 'v', '=', HIDDEN)
    return None if got == 0 else f'found {got} rows that the statistics deny'
