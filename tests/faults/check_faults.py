#!/usr/bin/env python3
"""Runs fault_sweep over all workloads and checks the images it leaves.

    check_faults.py FAULT_SWEEP FOLDER [EVERY]

The images are read by the strict checker, which knows nothing of the program: every distinct one that a run closed
must be without complaint and hold the first rows of the workload. The last line is "N passed, N failed".
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checker"))

import parquet_checker
from expected_rows import plain, read_rows


def check_image(path, expected, rows, options):
    """Checks one image; returns its fault, or None."""
    report = parquet_checker.check_file(path, options)
    if report.complaints:
        return f"{path}: {report.complaints[0]}"
    columns = [[plain(c.leaf, value) for value in c.values] for c in report.columns.values()]
    if [list(row) for row in zip(*columns)] != expected[:rows] or any(len(c) != rows for c in columns):
        return f"{path}: its rows are not the first {rows} of the workload"
    return None


def sectors(workload):
    """Whether the workload's pages are whole sectors, by its name."""
    return not workload.startswith("forward") and not workload.endswith("_256")


def run(program, workload, folder, every):
    """Sweeps one workload; returns its lines, and the counts."""
    sweep = subprocess.run([program, workload, folder, str(every)], capture_output=True, text=True)
    lines = sweep.stdout.splitlines()
    passed = sum(line.startswith("ok: ") for line in lines)
    failures = [line for line in lines if not line.startswith("ok: ")]
    if sweep.returncode not in (0, 1) or not lines:
        failures.append(f"FAILED: fault_sweep {workload} ended with {sweep.returncode}: {sweep.stderr[-2000:]}")
    expected = read_rows(folder / "expected.txt")
    options = parquet_checker.Options(sector=sectors(workload))
    images = 0
    for entry in (folder / "manifest.txt").read_text().splitlines():
        name, rows = entry.split()
        fault = check_image(folder / name, expected, int(rows), options)
        images += 1
        if fault:
            failures.append("FAILED: " + fault)
        else:
            passed += 1
    runs = sum(int(part.split()[0]) for line in lines for part in line.split(", ") if part.endswith(" runs"))
    return [lines[0], *failures, f"{workload}: {runs} runs, {images} distinct images"], passed, len(failures)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    workloads = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    passed = failed = 0
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(run, program, name, folder / name, every) for name in workloads]
        for future in futures:
            lines, good, bad = future.result()
            print("\n".join(lines), flush=True)
            passed += good
            failed += bad
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
