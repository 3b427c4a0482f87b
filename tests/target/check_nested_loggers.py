#!/usr/bin/env python3
"""Runs the firmware spectrum and gnss_logger on the emulated board, and reads the arrays and structs that they have logged.

check_nested_loggers.py ROOT BUILD, in a folder to work in. The last line is "N passed, N failed".
"""
import json
import pathlib
import struct
import subprocess
import sys

import pyarrow.parquet

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

ROOT, BUILD = map(pathlib.Path, sys.argv[1:3])
ROWS = 600

checks = Checks(shows_passed=True)
check = checks.check_that


def logged(name, path):
    """Rows that the firmware has written, and key-values."""
    pathlib.Path(path).unlink(missing_ok=True)
    elf = BUILD / "cortex-m4f" / "bin" / f"{name}.elf"
    run = subprocess.run([ROOT / "toolchains" / "qemu" / "run", "mps2-an386", elf], capture_output=True, text=True, check=False)
    check(f"{name} ends well", run.returncode == 0 and f"{path}: {ROWS} rows" in run.stdout, run)
    found = subprocess.run([BUILD / "host" / "bin" / "mpq", "verify", path], capture_output=True, text=True, check=False)
    check(f"{path} is sound", found.returncode == 0, found)
    table = pyarrow.parquet.read_table(path, page_checksum_verification=True)
    check(f"{path} has all rows", table.num_rows == ROWS, table.num_rows)
    return table.to_pylist(), table.schema.metadata


rows, about = logged("spectrum", "spectrum.parquet")
check("64 lines a second", all(len(row["magnitude"]) == 64 for row in rows))
check("of 2 Hz each", about[b"step.magnitude"] == b"2 Hz", about)
for second in (120, 180, 400):
    magnitude = rows[second]["magnitude"]
    motor = rows[second]["rpm"] / 60 / 2
    peak = max(range(35), key=magnitude.__getitem__)
    check(f"the motor's line at {second} s", abs(peak - motor) <= 1 and 0.3 < magnitude[peak] < 3, (peak, motor, magnitude))
check("it stands at first", max(rows[0]["magnitude"][1:30]) < 0.2, rows[0])

rows, about = logged("gnss_logger", "gnss.parquet")
fixes = [row["fix"] for row in rows]
check("no fix in the tunnel", [i for i, fix in enumerate(fixes) if fix is None] == list(range(300, 345)))
check("a fix is a struct", all(47.2 < fix["lat"] < 47.3 and 8.5 < fix["lon"] < 8.8 and 380 < fix["alt"] < 430 for fix in fixes if fix))
points = [struct.unpack("<bIdd", row["position"]) if row["position"] else None for row in rows]
check("and a point", all((point and point[2:]) == (fix and (fix["lon"], fix["lat"])) for point, fix in zip(points, fixes)))
check("which readers find", json.loads(about[b"geo"])["primary_column"] == "position", about)
check("twelve channels", all(len(row["channels"]) == 12 for row in rows))
strong = [sum(channel["cn0"] > 30 for channel in row["channels"]) for row in rows]
check("of which some track", min(strong[:300]) >= 4 and max(strong[300:345]) == 0, strong)
sys.exit(checks.finish())
