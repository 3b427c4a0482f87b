#!/usr/bin/env python3
"""The volume that the sketch format_for_logging has made, as format_sketch_test has left it: fsck.fat finds nothing.

check_formatted.py VOLUME. The last line is "N passed, N failed".
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

checks = Checks(shows_passed=True)
found = subprocess.run(["fsck.fat", "-n", "-v", sys.argv[1]], capture_output=True, text=True, check=False)
checks.check("fsck.fat", "" if found.returncode == 0 else found.stdout + found.stderr)
checks.check("clusters of 32 KB", "" if "32768 bytes per cluster" in found.stdout else found.stdout)
sys.exit(checks.finish())
