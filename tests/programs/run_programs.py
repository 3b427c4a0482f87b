#!/usr/bin/env python3
"""Runs the programs as a user does, and holds what they print and write against other readers.

run_programs.py ROOT BIN [FILTER]: BIN has csv_log, host_log and mpq. The last line is "N passed, N failed".
"""
import sys

import harness
import test_bad_csv
import test_bad_parquet
import test_csv_options
import test_csv_types
import test_full_disk
import test_host_log
import test_mpq
import test_recordings
import test_streams

MODULES = [test_recordings, test_csv_types, test_csv_options, test_bad_csv, test_streams, test_full_disk, test_mpq,
           test_bad_parquet, test_host_log]


def main():
    harness.configure(*sys.argv[1:3])
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    for module in MODULES:
        for name, function in list(vars(module).items()):
            if name.startswith("test_") and callable(function) and wanted in f"{module.__name__}.{name}":
                harness.run_test(f"{module.__name__[5:]}: {name[5:].replace('_', ' ')}", function)
    return harness.report()


sys.exit(main())
