"""Counts with a filter, by readers that skip row groups on the word of their statistics."""

import datetime
import decimal

import matrix

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
# By operator, the rows whose values are asked for: at and around the ends of row groups of 50 rows.
ROWS = {'=': (0, 49, 50, 51, 155, 299, 309), '<': (50, 155), '>': (155, 259)}
FEW_ROWS = {'=': (50, 155, 309)}  # for those that are slow to start a query
SLOW = {'Spark'} if matrix.LONG else {'Spark', 'chdb'}
COMPARE = {'=': lambda a, b: a == b, '<': lambda a, b: a < b, '>': lambda a, b: a > b}


def key(column_type, value):
    """Key that orders the values of a column."""
    if isinstance(value, bytes) and column_type.kind == 'decimal':
        return int.from_bytes(value, 'big', signed=True)
    return value


def literal(column_type, value):
    """A physical value as the Python object that a reader's filter takes."""
    value = key(column_type, value)
    if column_type.kind == 'decimal':
        return decimal.Decimal(value).scaleb(-column_type.arguments['scale'])
    if column_type.kind == 'timestamp':
        return EPOCH + datetime.timedelta(microseconds=value)
    if column_type.kind == 'date':
        return datetime.date(1970, 1, 1) + datetime.timedelta(days=value)
    return value.decode() if isinstance(value, bytes) else value


def filters(case, rows):
    """(column, operator, literal, expected count)."""
    for column in case.columns:
        keys = [key(column.type, v) for v in column.values(case.rows) if v is not None]
        for operator, wanted_rows in rows.items():
            for row in wanted_rows:
                wanted = column.type.value(row, column.place)
                count = sum(COMPARE[operator](k, key(column.type, wanted)) for k in keys)
                yield column, operator, literal(column.type, wanted), count


def check(reader, case, path):
    """None, or the first wrong count."""
    for column, operator, value, count in filters(case, FEW_ROWS if reader.family in SLOW else ROWS):
        try:
            got = reader.count(path, column.name, operator, value)
        except Exception as e:
            return f'{column.name} {operator} {value}: {" ".join(str(e).split())[:300]}'
        if got != count:
            return f'{column.name} {operator} {value}: {got} rows, {count} expected'
    return None
