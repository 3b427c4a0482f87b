"""Logs on this machine until a file has its full size and the next one has begun, and reads all of it.

Usage: check_full_splits.py PROGRAM RECORDING FOLDER
"""
import pathlib
import subprocess
import sys

import card
from log_check import Log, numbers_of
from recorded_rows import Recording

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "filesystems"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import fat_check
from checks import Checks

PROGRAM, RECORDING, FOLDER = sys.argv[1], Recording(sys.argv[2]), pathlib.Path(sys.argv[3])
ROWS = 7_000_000
FULL = 256 << 20
LAST_ROW_GROUP = 16 << 20  # with what it was given and did not use
checks = Checks()
check = checks.check


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    image = FOLDER / "full splits.img"
    run = subprocess.run([PROGRAM, str(ROWS), image], check=False)
    check("all rows are taken", "" if run.returncode == 0 else f"exit code {run.returncode}")
    check("fsck.fat", fat_check.complaints(image, "closed"))
    paths = card.copy_logs(image, FOLDER / "full splits.files")
    image.unlink()
    names = ["00000001/00000001", "00000001/00000002"]
    check("two files", "" if list(paths) == names else str(list(paths)))
    sizes = [path.stat().st_size for path in paths.values()]
    check("the first is full", "" if FULL <= sizes[0] < FULL + LAST_ROW_GROUP else str(sizes))
    log = Log(paths, RECORDING, large=True)
    check("pyarrow, DuckDB, recording", log.fault)
    numbers = numbers_of(log.session(1))
    check("every row", "" if numbers.tolist() == list(range(ROWS)) else f"{len(numbers)} rows")
    print(f"files of {sizes} bytes")
    return checks.finish()


sys.exit(main())
