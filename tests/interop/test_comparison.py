#!/usr/bin/env python3
"""Shows that the comparison of interop_check.py finds what it is there to find, with readers made up for it."""

import math
import os
import sys
import types
import unittest

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)),
                os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'checker')]

import arrow_values
import pyarrow as pa
import statistics_check
from column_types import Column
from interop_check import Interop
from matrix import Case


class MadeUpReader:
    """Returns a table, or raises what it was given."""
    name = family = 'made up'

    def __init__(self, answer):
        self.answer = answer

    def read(self, path):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class MadeUpTable:
    def __init__(self, refusal=None, difference=None):
        self.refused, self.differs = refusal, difference

    def refusal(self, reader, type_name):
        return self.refused

    def setting(self, reader, type_name):
        return None

    def difference(self, reader, type_name):
        return self.differs

    def is_expected(self, reader, type_name, message):
        return self.refused is not None and self.refused in message


def case_of(type_name, nulls='required', rows=40):
    return Case('made-up', [(type_name, nulls)], rows, 512, 'in_place', 0)


def table_of(case, change=None, arrow_type=None):
    values = case.columns[0].values(case.rows)
    if change:
        change(values)
    return pa.table({case.columns[0].name: pa.array(values, arrow_type)})


def verdict(case, answer, **table):
    interop = types.SimpleNamespace(table=MadeUpTable(**table), path=lambda c: c.name)
    for name in ('compare_table', 'compare_column', 'read_with_setting'):
        setattr(interop, name, types.MethodType(getattr(Interop, name), interop))
    interop.stale_difference = Interop.stale_difference
    return Interop.read_single(interop, MadeUpReader(answer), case)


class Comparison(unittest.TestCase):
    def test_equal_values_pass(self):
        case = case_of('int64', 'thirds')
        self.assertIsNone(verdict(case, table_of(case)))

    def test_one_wrong_value(self):
        case = case_of('int64')
        answer = table_of(case, lambda v: v.__setitem__(17, v[17] ^ 1))
        self.assertIn('first row 17', verdict(case, answer))

    def test_null_for_a_value_and_value_for_a_null(self):
        case = case_of('int64', 'thirds')
        self.assertIn('first row 4', verdict(case, table_of(case, lambda v: v.__setitem__(4, None))))
        self.assertIn('first row 3', verdict(case, table_of(case, lambda v: v.__setitem__(3, 0))))

    def test_rows_missing(self):
        case = case_of('int64')
        self.assertIn('39 rows, 40 expected', verdict(case, table_of(case, lambda v: v.pop())))

    def test_columns_renamed(self):
        case = case_of('int64')
        self.assertIn('columns', verdict(case, pa.table({'other': pa.array([1])})))

    def test_sign_of_zero_and_nan(self):
        case = case_of('double')
        self.assertIsNone(verdict(case, table_of(case)))
        self.assertIn('first row 5', verdict(case, table_of(case, lambda v: v.__setitem__(5, 0.0))))
        self.assertIn('first row 10', verdict(case, table_of(case, lambda v: v.__setitem__(10, math.inf))))

    def test_type_that_cannot_mean_the_column(self):
        case = case_of('date')
        self.assertIn('comes as int32', verdict(case, table_of(case, arrow_type=pa.int32())))

    def test_zone_lost(self):
        case = case_of('timestamp_us_utc')
        self.assertIsNone(verdict(case, table_of(case, arrow_type=pa.timestamp('us', 'UTC'))))
        self.assertIn('zone', verdict(case, table_of(case, arrow_type=pa.timestamp('us'))))

    def test_refusal_that_the_table_does_not_name(self):
        self.assertIn('refused: no such type', verdict(case_of('int64'), ValueError('no such type')))

    def test_refusal_for_another_reason(self):
        self.assertIn('refused: file is cut', verdict(case_of('int64'), ValueError('file is cut'), refusal='no such type'))

    def test_refusal_that_the_table_names(self):
        self.assertIsNone(verdict(case_of('int64'), ValueError('no such type'), refusal='no such type'))

    def test_refusal_that_does_not_happen(self):
        case = case_of('int64')
        self.assertIn('refusals.toml', verdict(case, table_of(case), refusal='no such type'))

    def test_difference_that_is_none(self):
        case = case_of('time_ns_local')
        cut = table_of(case, lambda v: v.__setitem__(slice(None), [n // 1000 * 1000 for n in v]), pa.time64('ns'))
        self.assertIsNone(verdict(case, cut, difference='cut to microseconds'))
        whole = table_of(case, arrow_type=pa.time64('ns'))
        self.assertIsNotNone(verdict(case, whole, difference='cut to microseconds'))
        self.assertIsNotNone(verdict(case, cut))

    def test_difference_of_type_that_is_none(self):
        case = case_of('timestamp_us_local')
        self.assertIsNone(verdict(case, table_of(case, arrow_type=pa.timestamp('us', 'UTC')), difference='an instant in UTC'))
        self.assertIsNotNone(verdict(case, table_of(case, arrow_type=pa.timestamp('us')), difference='an instant in UTC'))

    def test_statistics(self):
        column, values = Column('int32', 'required', 0), [5, -3, None]
        good = (1, (-3).to_bytes(4, 'little', signed=True), (5).to_bytes(4, 'little', signed=True))
        self.assertIsNone(statistics_check.compare_chunk(column, values, good, 32))
        for wrong in ((0, *good[1:]), (1, good[2], good[2]), (1, good[1], good[1]), (1, None, None)):
            self.assertIsNotNone(statistics_check.compare_chunk(column, values, wrong, 32))

    def test_intervals_and_decimals(self):
        interval, decimal = Column('interval', 'required', 0), Column('decimal_int32', 'required', 0)
        self.assertEqual(len(arrow_values.expected(interval, 1)[0]), 3)
        wrong_scale = pa.array([1, 2], pa.int32()).cast(pa.decimal128(12, 0))
        with self.assertRaises(arrow_values.Unreadable):
            arrow_values.observed(decimal, wrong_scale)


def run():
    """(passed, failed)"""
    result = unittest.TextTestRunner(sys.stdout).run(unittest.defaultTestLoader.loadTestsFromTestCase(Comparison))
    failed = len(result.failures) + len(result.errors)
    return result.testsRun - failed, failed
