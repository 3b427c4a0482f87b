"""Checks what the tests left, images of FAT volumes and files copied from flash: fsck.fat finds nothing in an image but what
a power cut may leave, and pyarrow, DuckDB and the independent checker read from each the rows that the tests found there.

Usage: check_images.py FOLDER
"""
import pathlib
import subprocess
import sys

import pyarrow as pa

import fat_check
import log_readers

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

checks = Checks()
check = checks.check


def file_of(image):
    """The log on a FAT volume, copied; None without one."""
    path = image.with_suffix(".parquet")
    copied = subprocess.run(["mcopy", "-n", "-i", image, "::LOG.PQT", path], capture_output=True, check=False)
    return path if copied.returncode == 0 and path.stat().st_size != 0 else None


def check_rows(path, how, boots):
    """Compares the ids, which are the number of the boot and that of the row in it."""
    if path is None:
        return "no file" if boots else ""
    try:
        ids = log_readers.read(path, debris=how != "closed").column("id").combine_chunks()
    except log_readers.ERRORS as error:
        return str(error)
    path.unlink()
    expected = [boot << 32 | row for boot, rows in boots for row in range(rows)]
    if ids != pa.array(expected, pa.int64()):
        return f"{len(ids)} rows, and other ones than these boots logged: {boots}"
    return ""


def main():
    folder = pathlib.Path(sys.argv[1])
    left = {"cut": 0, "resumed": 0, "closed": 0}
    for line in (folder / "manifest.txt").read_text().splitlines():
        name, how, *boots = line.split()
        left[how] += 1
        boots = [tuple(map(int, boot.split(":"))) for boot in boots]
        path = folder / name
        if path.suffix == ".img":
            check(f"fsck.fat {name}", fat_check.complaints(path, how))
            path = file_of(path)
        check(f"readers of {name}", check_rows(path, how, boots))
    check("there are files of all kinds", "" if min(left.values()) > 3 else str(left))
    print("files:", left, "fsck.fat after a cut:", dict(fat_check.said))
    return checks.finish()


sys.exit(main())
