#!/usr/bin/env python3
"""Runs the programs as a user does, and holds what they print and write against other readers.

run_programs.py ROOT BIN [FILTER]: BIN has csv_log, host_log and mpq. The last line is "N passed, N failed".
"""
import importlib
import pathlib
import sys

import harness

MODULES = [importlib.import_module(path.stem) for path in sorted(pathlib.Path(__file__).parent.glob("test_*.py"))]


def main():
    harness.configure(*sys.argv[1:3])
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    for module in MODULES:
        for name, function in list(vars(module).items()):
            if name.startswith("test_") and callable(function) and wanted in f"{module.__name__}.{name}":
                harness.run_test(f"{module.__name__[5:]}: {name[5:].replace('_', ' ')}", function)
    return harness.report()


sys.exit(main())
