#!/usr/bin/env python3
"""Runs power_loss, and gives the files that it found right to readers that know nothing of it.

    check_images.py POWER_LOSS FOLDER CUTS IMAGES [ATTACK]

IMAGES of the distinct files, or all with 0, must be without complaint by the strict checker, and hold the same rows for
it, for pyarrow and for DuckDB as for power_loss. The last line is "N passed, N failed".
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

for folder in ("checker", "faults"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))

import duckdb
import pyarrow
import pyarrow.parquet
import parquet_checker
from expected_rows import plain, read_rows


class Scenarios:
    """The rows of each life, as power_loss wrote them down."""

    def __init__(self, folder):
        self.folder, self.lives = folder, {}

    def rows(self, scenario, lived):
        """Those of a file by its entry in the manifest: "LIFE:ROWS" words."""
        result = []
        for word in lived:
            life, count = word.split(":")
            key = f"{scenario}.{life}"
            if key not in self.lives:
                self.lives[key] = read_rows(self.folder / key)
            result += self.lives[key][:int(count)]
        return result


def is_tiny(scenario):
    """Whether pages are no whole sectors, by the scenario's name."""
    return scenario.startswith(("tiny", "dense", "forward"))


def columns_of(rows, count):
    return [list(column) for column in zip(*rows)] if rows else [[] for _ in range(count)]


def arrow_columns(table, leaves):
    """Values as PLAIN bytes. Timestamps are cast to the integers they are."""
    def integers(column):
        return column.cast(pyarrow.int64()) if pyarrow.types.is_timestamp(column.type) else column

    def value(leaf, v):
        return plain(leaf, v.encode() if isinstance(v, str) else v)

    return [[value(leaf, v) for v in integers(column).to_pylist()] for leaf, column in zip(leaves, table.columns)]


def check_image(path, expected):
    """What is wrong with one file, or None."""
    options = parquet_checker.Options(sector=not is_tiny(expected[0]), debris=True)
    report = parquet_checker.check_file(path, options)
    if report.complaints:
        return f"the checker: {report.complaints[0]}"
    leaves = [column.leaf for column in report.columns.values()]
    wanted = columns_of(expected[1], len(leaves))
    if [[plain(c.leaf, v) for v in c.values] for c in report.columns.values()] != wanted:
        return "the checker finds other rows"
    if arrow_columns(pyarrow.parquet.read_table(path), leaves) != wanted:
        return "pyarrow finds other rows"
    relation = duckdb.connect().sql("SELECT * FROM read_parquet(?)", params=[str(path)])
    if arrow_columns(relation.to_arrow_table(), leaves) != wanted:
        return "DuckDB finds other rows"
    return None


def check_some(folder, lines):
    """Of lines of the manifest: what is wrong, and how many are right."""
    scenarios = Scenarios(folder)
    wrong = []
    for line in lines:
        name, scenario, *lived = line.split()
        try:
            fault = check_image(folder / name, (scenario, scenarios.rows(scenario, lived)))
        except (OSError, pyarrow.ArrowException, duckdb.Error) as error:
            fault = f"{type(error).__name__}: {error}"
        if fault:
            wrong.append(f"FAILED: {folder / name}, {scenario} {' '.join(lived)}: {fault}")
    return wrong, len(lines) - len(wrong)


def main():
    program, folder, cuts, images, *attack = sys.argv[1:]
    folder = pathlib.Path(folder)
    command = [program, "--cuts", cuts, "--images", folder, images]
    run = subprocess.run(command + (["--attack", *attack] if attack else []), stdout=subprocess.PIPE, text=True)
    print(run.stdout, end="", flush=True)
    counts = re.search(r"^(\d+) cuts, (\d+) cases, (\d+) failed", run.stdout, re.MULTILINE)
    if run.returncode not in (0, 1) or not counts:
        print(f"FAILED: power_loss ended with {run.returncode}")
        print("0 passed, 1 failed")
        return 1
    failed = int(counts[3])
    passed = int(counts[2]) - failed
    manifest = (folder / "manifest.txt").read_text().splitlines()
    workers = os.cpu_count()
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        shares = [manifest[i::workers] for i in range(workers)]
        for wrong, right in pool.map(check_some, [folder] * workers, shares):
            print("\n".join(wrong), end="\n" if wrong else "", flush=True)
            passed += right
            failed += len(wrong)
    print(f"{len(manifest)} distinct files read by the checker, pyarrow and DuckDB")
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
