#!/usr/bin/env python3
"""Runs power_loss, and gives what it leaves to programs that know nothing of it.

    check_images.py PROGRAMS FOLDER CUTS IMAGES

IMAGES of the distinct files that were found right, or all with 0, must be without complaint by the strict checker, and
hold the same rows for it, for pyarrow and for DuckDB as for power_loss. From as many images of the whole card `mpq recover`
must bring back all rows that were durable, and none that were not to be. The last line is "N passed, N failed".
"""
import pathlib
import re
import subprocess
import sys

import image_checks


def main():
    programs, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    cuts, images = sys.argv[3:]
    command = [programs / "power_loss", "--cuts", cuts, "--images", folder / "files", images,
               "--media", folder / "media", images]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    print(run.stdout, end="", flush=True)
    counts = re.search(r"^\d+ cuts, (\d+) cases, (\d+) failed", run.stdout, re.MULTILINE)
    if run.returncode not in (0, 1) or not counts:
        print(f"FAILED: power_loss ended with {run.returncode}")
        print("0 passed, 1 failed")
        return 1
    passed, failed = int(counts[1]) - int(counts[2]), int(counts[2])
    for check, name, what, argument in (
            (image_checks.check_file, "files", "distinct files read by the checker, pyarrow and DuckDB", None),
            (image_checks.check_medium, "media", "distinct images of the card recovered", programs / "mpq")):
        count, wrong = image_checks.check_folder(check, folder / name, argument)
        for fault in wrong:
            print(f"FAILED: {fault}")
        print(f"{count} {what}", flush=True)
        passed += count - len(wrong)
        failed += len(wrong)
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
