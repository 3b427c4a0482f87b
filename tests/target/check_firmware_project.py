#!/usr/bin/env python3
"""Builds examples/firmware_project as a project outside this tree, over the sources of the library and over an installed
build of it; runs it on the emulated board and reads its file.

check_firmware_project.py ROOT WORK: copies the project into folders of WORK. The last line is "N passed, N failed".
"""
import datetime
import pathlib
import shutil
import subprocess
import sys

import pyarrow.parquet

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOT, WORK = map(pathlib.Path, sys.argv[1:3])
ROWS = 1000

checks = Checks(shows_passed=True)
check = checks.check_that


def run(folder, *command):
    result = subprocess.run([*map(str, command)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)
    check(f"{folder.name}: {' '.join(map(str, command[:2]))}", result.returncode == 0, result.stdout[-4000:])


def expected_rows():
    start = datetime.datetime(2023, 11, 14, 22, 13, 20, tzinfo=datetime.timezone.utc)
    return {
        "time": [start + datetime.timedelta(milliseconds=10 * i) for i in range(ROWS)],
        "light": list(range(ROWS)),
        "level": [min(i % 100, 100 - i % 100) for i in range(ROWS)],
        "temperature": [None if i % 100 else 20 + 0.25 * (i // 100) for i in range(ROWS)],
    }


def check_project(name, toolchains, *options):
    folder = WORK / name
    shutil.copytree(ROOT / "examples/firmware_project", folder)
    run(folder, "cmake", "-G", "Ninja", "-B", "build", "--toolchain", toolchains / "arm-none-eabi-cortex-m0.cmake", *options)
    run(folder, "cmake", "--build", "build")
    run(folder, toolchains / "qemu/run", "microbit", "build/logger.elf")
    table = pyarrow.parquet.read_table(folder / "log.parquet", page_checksum_verification=True)
    check(f"{name}: the columns", table.column_names == list(expected_rows()), table.column_names)
    for column, values in expected_rows().items():
        found = table[column].to_pylist()
        check(f"{name}: {ROWS} values of {column}", found == values, found[:3])


def install():
    """Installs the library for the board's core, as the project's README says, and returns where it is moved then."""
    folder = WORK / "library"
    folder.mkdir()
    run(folder, "cmake", "--preset", "cortex-m0", "-S", ROOT, "-B", "build", "-DMICROPARQUET_BUILD_TESTS=OFF",
        "-DMICROPARQUET_BUILD_EXAMPLES=OFF")
    run(folder, "cmake", "--build", "build")
    run(folder, "cmake", "--install", "build", "--prefix", "prefix")
    return (folder / "prefix").rename(WORK / "moved")


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    check_project("over the sources", ROOT / "toolchains", f"-DMICROPARQUET_DIR={ROOT}")
    prefix = install()
    check_project("over the installed library", prefix / "share/microparquet/toolchains", f"-DCMAKE_PREFIX_PATH={prefix}")
    return checks.finish()


sys.exit(main())
