#!/usr/bin/env python3
"""Runs the firmware c_logger, which is C and linked without a C++ library, and reads its file.

check_c_logger.py ROOT BUILD, in a folder to work in. The last line is "N passed, N failed".
"""
import datetime
import pathlib
import re
import subprocess
import sys

import pyarrow.parquet

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOT, BUILD = map(pathlib.Path, sys.argv[1:3])
ELF = BUILD / "cortex-m4f" / "bin" / "c_logger.elf"
ROWS = 1000

checks = Checks(shows_passed=True)
check = checks.check_that


def expected_rows():
    start = datetime.datetime(2023, 11, 14, 22, 13, 20, tzinfo=datetime.timezone.utc)
    light = [min(i % 100, 100 - i % 100) for i in range(ROWS)]
    return {
        "time": [start + datetime.timedelta(milliseconds=10 * i) for i in range(ROWS)],
        "light": light,
        "temperature": [None if i % 100 else 20 + 0.25 * (i // 100) for i in range(ROWS)],
        "state": ["dark" if value < 25 else "bright" for value in light],
    }


pathlib.Path("log.parquet").unlink(missing_ok=True)
run = subprocess.run([ROOT / "toolchains" / "qemu" / "run", "mps2-an386", ELF], capture_output=True, text=True, check=False)
check("it logs in two boots and reads its rows back", run.returncode == 0, run)
table = pyarrow.parquet.read_table("log.parquet", page_checksum_verification=True)
for name, values in expected_rows().items():
    check(f"column {name}", table[name].to_pylist() == values, table[name])
check("the key-value of both boots", table.schema.metadata == {b"device": b"c_logger"}, table.schema.metadata)
symbols = subprocess.run(["arm-none-eabi-nm", "-C", ELF], capture_output=True, text=True, check=True).stdout
foreign = re.findall(r" [TtWVDdRrBb] ((?:std::|operator |__cxa|__gxx|vtable for __|typeinfo).*)", symbols)
check("nothing of a C++ library is linked", not foreign, foreign)
sys.exit(checks.finish())
