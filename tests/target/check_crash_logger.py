#!/usr/bin/env python3
"""Runs the firmware crash_logger, which crashes twice on the emulated board, and reads what it has logged.

check_crash_logger.py ROOT BUILD, in a folder to work in. The last line is "N passed, N failed".
"""
import os
import pathlib
import re
import subprocess
import sys

import pyarrow.parquet

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOT, BUILD = map(pathlib.Path, sys.argv[1:3])
ELF = BUILD / "cortex-m4f" / "bin" / "crash_logger.elf"
STEP, END = 10, 4000
CRASHES = {1000: "hard fault", 2500: "watchdog"}

checks = Checks(shows_passed=True)
check = checks.check_that


def function_at(pc):
    """Its name, from the image."""
    found = subprocess.run(["arm-none-eabi-addr2line", "-fCe", ELF, hex(pc)], capture_output=True, text=True, check=True).stdout
    return found.splitlines()[0]


pathlib.Path("crash.parquet").unlink(missing_ok=True)
# The time of the emulated board follows its instructions: the watchdog's two seconds are no time of the host.
run = subprocess.run([ROOT / "toolchains" / "qemu" / "run", "mps2-an386", ELF], capture_output=True, text=True, check=False,
                     env=os.environ | {"MICROPARQUET_QEMU_OPTIONS": "-icount shift=6"})
check("it ends after two crashes", run.returncode == 0, run)
boots = [tuple(map(int, numbers)) for numbers in re.findall(r"(\d+) rows in the file, (\d+) in the queue", run.stdout)]
check("three boots", len(boots) == 3 and boots[0] == (0, 0), run.stdout)
check("each crash left rows that were in no file", all(rows > 1 for _, rows in boots[1:]), boots)

rows = pyarrow.parquet.read_table("crash.parquet", page_checksum_verification=True).to_pylist()
times = [round(row["time"].timestamp() * 1000) for row in rows]
check("each row once, in order", times == list(range(STEP, END + STEP, STEP)), times)
marks = {time: row for time, row in zip(times, rows) if row["crash"] is not None}
check("the crashes, and when", {time: row["crash"] for time, row in marks.items()} == CRASHES, marks)
for time, mark in marks.items():
    check(f"{mark['crash']}: PC and task", "read_light" in function_at(mark["pc"]) and mark["task"] == "sampler", mark)
    check(f"{mark['crash']}: LR", function_at(mark["lr"] - 2) != "??", mark)
samples = {time: row["light"] for time, row in zip(times, rows) if time not in marks}
check("all other rows are samples", samples == {time: time / 4 for time in samples}, samples)
sys.exit(checks.finish())
