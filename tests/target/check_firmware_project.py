#!/usr/bin/env python3
"""Builds examples/firmware_project as a project outside this tree, runs it on the emulated board and reads its file.

check_firmware_project.py ROOT WORK: copies the project into the folder WORK. The last line is "N passed, N failed".
"""
import datetime
import pathlib
import shutil
import subprocess
import sys

import pyarrow.parquet

ROOT, WORK = map(pathlib.Path, sys.argv[1:3])
ROWS = 1000

passed = failed = 0


def check(name, held, seen=""):
    global passed, failed
    if held:
        passed += 1
        print(f"ok: {name}")
    else:
        failed += 1
        print(f"FAILED: {name}: {seen}")


def run(*command):
    result = subprocess.run([*map(str, command)], cwd=WORK, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)
    check(" ".join(map(str, command[:2])), result.returncode == 0, result.stdout[-4000:])


def expected_rows():
    start = datetime.datetime(2023, 11, 14, 22, 13, 20, tzinfo=datetime.timezone.utc)
    return {
        "time": [start + datetime.timedelta(milliseconds=10 * i) for i in range(ROWS)],
        "light": list(range(ROWS)),
        "level": [min(i % 100, 100 - i % 100) for i in range(ROWS)],
        "temperature": [None if i % 100 else 20 + 0.25 * (i // 100) for i in range(ROWS)],
    }


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(ROOT / "examples/firmware_project", WORK)
    run("cmake", "-G", "Ninja", "-B", "build", "--toolchain", ROOT / "toolchains/arm-none-eabi-cortex-m0.cmake",
        f"-DMICROPARQUET_DIR={ROOT}")
    run("cmake", "--build", "build")
    run(ROOT / "toolchains/qemu/run", "microbit", "build/logger.elf")
    table = pyarrow.parquet.read_table(WORK / "log.parquet", page_checksum_verification=True)
    check("the columns", table.column_names == list(expected_rows()), table.column_names)
    for name, values in expected_rows().items():
        found = table[name].to_pylist()
        check(f"{ROWS} values of {name}", found == values, found[:3])
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
