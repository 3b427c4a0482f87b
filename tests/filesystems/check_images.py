"""Checks the images of FAT volumes that the tests left: fsck.fat finds nothing but what a power cut may leave, and pyarrow
reads from them the rows that the tests found there.

Usage: check_images.py FOLDER
"""
import pathlib
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq

import fat_check
from checks import Checks

checks = Checks()
check = checks.check


def check_rows(image, boots):
    """Compares the ids, which are the number of the boot and the place of the row in it."""
    path = image.with_suffix(".parquet")
    copied = subprocess.run(["mcopy", "-n", "-i", image, "::LOG.PQT", path], capture_output=True, check=False)
    if copied.returncode != 0 or path.stat().st_size == 0:
        return "no file" if boots else ""
    table = pq.read_table(path, page_checksum_verification=True)
    ids = table.column("id").combine_chunks()
    expected = [boot << 32 | row for boot, rows in boots for row in range(rows)]
    path.unlink()
    if ids != pa.array(expected, pa.int64()):
        return f"pyarrow reads {len(ids)} rows, and other ones than these boots logged: {boots}"
    return ""


def main():
    folder = pathlib.Path(sys.argv[1])
    left = {"cut": 0, "resumed": 0, "closed": 0}
    for line in (folder / "manifest.txt").read_text().splitlines():
        name, how, *boots = line.split()
        left[how] += 1
        boots = [tuple(map(int, boot.split(":"))) for boot in boots]
        check(f"fsck.fat {name}", fat_check.complaints(folder / name, how))
        check(f"pyarrow {name}", check_rows(folder / name, boots))
    check("there are images of all kinds", "" if min(left.values()) > 3 else str(left))
    print("images:", left, "fsck.fat after a cut:", dict(fat_check.said))
    return checks.finish()


sys.exit(main())
