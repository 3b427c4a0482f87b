#!/usr/bin/env python3
"""Runs the firmware power_fail, whose supply fails in two boots and lasts in the third, and reads what it has logged.

check_power_fail.py ROOT BUILD, in a folder to work in. The last line is "N passed, N failed".
"""
import json
import os
import pathlib
import re
import subprocess
import sys

import pyarrow.parquet

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOT, BUILD = map(pathlib.Path, sys.argv[1:3])
ELF = BUILD / "cortex-m4f" / "bin" / "power_fail.elf"
FILE = pathlib.Path("power_fail.parquet")

checks = Checks(shows_passed=True)
check = checks.check_that


def boot(*words):
    """Rows that a boot found, rows at its end, and how many of these are in a footer, and safe."""
    run = subprocess.run([ROOT / "toolchains" / "qemu" / "run", "mps2-an386", ELF, *words], capture_output=True, text=True,
                         check=False, env=os.environ | {"MICROPARQUET_QEMU_OPTIONS": "-icount shift=6"})
    check("a boot ends well", run.returncode == 0, run)
    return [int(number.replace(",", "")) for number in re.findall(r"([\d,]+) (?:rows|of them|safe)", run.stdout)]


FILE.unlink(missing_ok=True)
saved = 0
without_footer = 0
for number in (1, 2):
    found, rows, durable, safe = boot()
    check(f"boot {number} has the rows that were saved", found == saved, (found, saved))
    check(f"boot {number} saves all of its rows", safe == rows > found, (rows, safe))
    without_footer += durable < rows
    info = subprocess.run([BUILD / "host" / "bin" / "mpq", "info", "--json", FILE], capture_output=True, text=True, check=True)
    check(f"mpq info knows them after boot {number}", json.loads(info.stdout)["rows_safe_after_footer"] == rows - durable, info)
    saved = rows
check("a save writes no footer, but where a row group has just begun", without_footer > 0, without_footer)
found, rows, durable, safe = boot("close")
check("the last boot has them as well, and closes the file", found == saved and durable == rows == saved + 500, (found, durable))
table = pyarrow.parquet.read_table(FILE, page_checksum_verification=True)
times = [round(time.timestamp() * 1000) for time in table.column("time").to_pylist()]
check("each row once, in order", times == [10 * row for row in range(rows)], times)
sys.exit(checks.finish())
