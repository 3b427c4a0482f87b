#!/usr/bin/env python3
"""Writes the interop matrix with microparquet and reads it with every other reader, value by value.

    interop_check.py --gen interop_gen --out FOLDER [--go FOLDER] [--js FOLDER] [--readers-md FILE] [--only READER]

Ends with the line "N passed, N failed". refusals.toml says what readers refuse; a refusal that does not happen is a
failure as much as one that is not expected. --readers-md writes the table of readers for people.
"""

import argparse
import os
import re
import subprocess
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'checker')]

import arrow_values
import differences
import filters
import go_readers
import javascript_reader
import lying_file
import matrix
import own_structures
import parquet_checker
import program_readers
import readers_table
import statistics_check
from column_types import TYPES
from differences import Table
from readers import DuckDB, Spark, python_readers
from results import Results


def ends_in_footer(data, columns):
    """One of ours, whole."""
    footer = own_structures.footer_at_end(data, len(data), columns)
    return footer is not None and footer.genuine()


class Interop:
    def __init__(self, args):
        self.args, self.results, self.table = args, Results(), Table()
        read_by_all = [name for name in TYPES if not self.table.refused_by_any(name)]
        self.single = list(matrix.single_type_cases())
        self.others = [*matrix.wide_cases(read_by_all), *matrix.long_cases(), *matrix.cut_cases(read_by_all), *matrix.tailed_cases(read_by_all),
                       *matrix.compatible_cases(read_by_all),
                       *matrix.compressed_cases(read_by_all), *matrix.delta_cases(), *matrix.run_cases(),
                       *matrix.split_cases(), *matrix.dictionary_cases(), *matrix.indexed_cases(read_by_all), *matrix.v2_cases(read_by_all),
                       *matrix.empty_cases(read_by_all), *matrix.unsorted_cases()]
        self.bounds = list(matrix.bound_cases())
        self.filtered = list(matrix.filter_cases())

    @property
    def cases(self):
        return self.single + self.others + self.filtered + self.bounds

    def path(self, case):
        return os.path.join(self.args.out, case.name + '.parquet')

    def compare_made_up(self):
        import test_comparison
        passed, failed = test_comparison.run()
        self.results.passed += passed
        self.results.failed += failed

    def write_files(self):
        os.makedirs(self.args.out, exist_ok=True)
        for case in self.cases:
            run = subprocess.run([self.args.gen, self.path(case), *case.arguments()], capture_output=True, text=True)
            self.results.check(f'writing {case.name}', run.stderr or (run.returncode and f'exit code {run.returncode}'))

    def check_files(self):
        """Our own checker: the strictest of the readers."""
        for case in self.cases:
            options = parquet_checker.Options(sector=case.sector, statistics_length=case.bound_bytes,
                                              indexes_pages=case.index is not None)
            report = parquet_checker.check_file(self.path(case), options)
            self.results.check(f'checker, {case.name}', '; '.join(str(c) for c in report.complaints[:3]))
            self.results.check(f'checker, values of {case.name}', self.compare_physical(
                case, lambda column, found=report.columns: found[column.name].values))
            self.results.check(f'checker, order of {case.name}', self.compare_sorting(case, report))
            if case.layout == 'in_place':
                self.results.check(f'checker, beginnings of {case.name}', self.check_beginnings(case, options))

    @staticmethod
    def compare_sorting(case, report):
        """Row groups are marked as sorted when they are, and not when they are not."""
        for i, group in enumerate(report.footer.row_groups):
            if group.num_rows > 1 and bool(group.sorting_columns) != case.is_sorted:
                return f'row group {i}: sorting_columns {group.sorting_columns}'
        return None

    def check_beginnings(self, case, options):
        """Written in place, the file was a whole one each time that it ended in a footer; first without rows. Footers that a
        segment was laid over are gone, or there in part."""
        with open(self.path(case), 'rb') as f:
            data = f.read()
        beginnings = [data[:m.end()] for m in re.finditer(b'PAR1', data) if m.start() >= 8]
        whole = [beginning for beginning in beginnings if ends_in_footer(beginning, len(case.columns))]
        if len(whole) < len(beginnings):
            options = parquet_checker.Options(sector=case.sector, statistics_length=case.bound_bytes,
                                              indexes_pages=case.index is not None, debris=True)
        rows = []
        for beginning in whole:
            report = parquet_checker.check_bytes(beginning, options)
            if report.complaints:
                return f'the first {len(beginning)} bytes: {report.complaints[0]}'
            rows.append(report.footer.num_rows)
        if rows[0] != 0 or rows != sorted(rows) or rows[-1] != case.rows:
            return f'rows of the beginnings: {rows}'
        return None

    def compare_physical(self, case, values_of):
        for column in case.columns:
            try:
                got = values_of(column)
            except KeyError:
                return f'{column.name}: missing'
            exact = arrow_values.EXPECTED[column.type.kind]
            got = [None if v is None else exact(column.type, v) for v in got]
            complaint = arrow_values.first_difference(arrow_values.expected(column, case.rows), got)
            if complaint:
                return f'{column.name}: {complaint}'
        return None

    def read_with(self, reader):
        for case in self.single:
            self.results.check(f'{reader.name}, {case.name}', self.read_single(reader, case))
        for case in self.cases_of_rows(reader):
            self.results.check(f'{reader.name}, {case.name}', self.read_case(reader, case))

    def cases_of_rows(self, reader):
        """All but those of one type. Spark's two readers take another part each, and long for many row groups, and no values
        depend on how long bounds are."""
        if reader.family != 'Spark':
            return self.others + self.filtered + self.bounds
        cases = self.others + self.filtered
        return cases if matrix.LONG else matrix.share(cases, reader.number)

    def read_single(self, reader, case):
        """A file of one type: read, or refused with the reason that the table states."""
        type_name = case.columns[0].type.name
        try:
            table = reader.read(self.path(case))
        except BaseException as e:  # a panic in a Rust library derives from BaseException
            if isinstance(e, KeyboardInterrupt):
                raise
            message = ' '.join(str(e).split())
            if not self.table.is_expected(reader, type_name, message):
                return f'refused: {message[:300]}'
            return self.read_with_setting(reader, case, self.table.setting(reader, type_name))
        if self.table.refusal(reader, type_name):
            return 'read, though refusals.toml says it is refused'
        return self.compare_table(reader, case, table)

    def read_with_setting(self, reader, case, setting):
        """Reads a refused file with a setting of the reader."""
        if setting is None:
            return None
        try:
            return self.compare_table(reader, case, reader.read_with(setting, self.path(case)))
        except Exception as e:
            return f'refused even with {setting}: {" ".join(str(e).split())[:300]}'

    def read_case(self, reader, case):
        try:
            table = reader.read(self.path(case))
        except Exception as e:
            return f'refused: {" ".join(str(e).split())[:300]}'
        return self.compare_table(reader, case, table)

    def compare_table(self, reader, case, table):
        if list(table.column_names) != [c.name for c in case.columns]:
            return f'columns {table.column_names}'
        for column in case.columns:
            complaint = self.compare_column(reader, case, column, table[column.name])
            if complaint:
                return f'{column.name}: {complaint}'
        return None

    def compare_column(self, reader, case, column, array):
        difference = self.table.difference(reader, column.type.name)
        try:
            if difference is None:
                return arrow_values.first_difference(arrow_values.expected(column, case.rows),
                                                     arrow_values.observed(column, array))
            want, got = differences.COMPARISONS[difference](column, case.rows, array)
        except arrow_values.Unreadable as e:
            return f'comes as {e}'
        return arrow_values.first_difference(want, got) or self.stale_difference(case, column, array)

    @staticmethod
    def stale_difference(case, column, array):
        """A difference in the table must really be one, for the column without nulls."""
        if column.nulls != 'required':
            return None
        try:
            equal = arrow_values.observed(column, array) == arrow_values.expected(column, case.rows)
        except arrow_values.Unreadable:
            return None
        return 'equal, though refusals.toml says it differs' if equal and case.rows > 10 else None

    def read_with_program(self, reader):
        found = reader.read_all([self.path(case) for case in self.cases])
        broken = {}
        for case in self.cases:
            if form := self.table.broken_form(reader, case):
                broken.setdefault(form, []).append(case)
        for form, cases in broken.items():
            wrong = any(self.compare_program(reader, case, found[self.path(case)]) for case in cases)
            self.results.check(f'{reader.name}, {form}', None if wrong else 'right, though refusals.toml says broken')
        for case in self.cases:
            file = found[self.path(case)]
            if not self.table.broken_form(reader, case):
                self.results.check(f'{reader.name}, {case.name}', self.compare_program(reader, case, file))
            if 'error' not in file:
                self.results.check(f'{reader.name}, statistics of {case.name}', statistics_check.program_statistics(case, file))

    def compare_program(self, reader, case, file):
        refused = self.table.refusal(reader, case.columns[0].type.name) if case in self.single else None
        if 'error' in file:
            expected = refused and self.table.is_expected(reader, case.columns[0].type.name, file['error'])
            return None if expected else f'refused: {file["error"]}'
        if refused:
            return 'read, though refusals.toml says it is refused'
        return self.compare_physical(case, lambda column: [program_readers.physical(column, v)
                                                           for v in file['columns'][column.name]])

    def check_statistics(self, duckdb):
        duckdb_statistics = statistics_check.DuckDBStatistics(duckdb)
        for case in self.cases:
            for name, check in (('pyarrow', statistics_check.pyarrow_statistics),
                                ('chdb', statistics_check.clickhouse_statistics),
                                ('DuckDB', duckdb_statistics.check)):
                type_name = case.columns[0].type.name
                if case in self.single and name == 'DuckDB' and self.table.refusal(duckdb, type_name):
                    continue
                self.results.check(f'{name}, statistics of {case.name}', check(case, self.path(case)))

    def check_filters(self, reader):
        filtered = self.filtered[:2] if reader.family == 'Spark' else self.filtered
        if reader.family == 'Spark' and not matrix.LONG:
            filtered = filtered[reader.number:reader.number + 1]
        for case in filtered:
            self.results.check(f'{reader.name}, filters on {case.name}', filters.check(reader, case, self.path(case)))
        self.results.check(f'{reader.name} skips by statistics', lying_file.check(reader, self.args.out))

    def step(self, what, run):
        """Runs a part; an exception in it is one failure, and the others continue."""
        started = time.monotonic()
        try:
            run()
        except Exception:
            self.results.check(what, traceback.format_exc())
        print(f'{what}: {time.monotonic() - started:.1f} s', flush=True)

    def run(self):
        self.step('comparing made-up readers', self.compare_made_up)
        self.step('writing', self.write_files)
        self.step('checking', self.check_files)
        readers = python_readers()
        programs = [*go_readers.build(self.args.go), javascript_reader.build(self.args.js)]
        for reader in readers:
            if self.args.only in reader.name:
                self.step(f'reading with {reader.name}', lambda r=reader: self.read_with(r))
                self.step(f'filtering with {reader.name}', lambda r=reader: self.check_filters(r))
        for reader in programs:
            if self.args.only in reader.name:
                self.step(f'reading with {reader.name}', lambda r=reader: self.read_with_program(r))
        if not self.args.only:
            self.step('statistics', lambda: self.check_statistics(next(r for r in readers if isinstance(r, DuckDB))))
            readers_table.write(readers + programs, self.table, self.args.readers_md)
        Spark.close_session()
        return self.results.finish()


def main():
    parser = argparse.ArgumentParser(description='Reads the files of microparquet with other readers.')
    parser.add_argument('--gen', required=True, help='the program interop_gen')
    parser.add_argument('--out', required=True, help='folder for the files')
    parser.add_argument('--go', required=True, help='folder for the Go programs')
    parser.add_argument('--js', required=True, help='folder for hyparquet and the modules of viewer.html')
    parser.add_argument('--readers-md', required=True, help='where the table of readers is written')
    parser.add_argument('--only', default='', help='part of a reader\'s name')
    return Interop(parser.parse_args()).run()


if __name__ == '__main__':
    sys.exit(main())
