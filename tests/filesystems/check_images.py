"""Checks the images of FAT volumes that the tests left: fsck.fat finds nothing but what a power cut may leave, and pyarrow
reads from them the rows that the tests found there.

Usage: check_images.py FOLDER
"""
import pathlib
import re
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq

# What fsck.fat may say of a card whose power failed. None of it touches a byte of a file. The first, which is what was
# reserved, is gone when a later boot has closed the file; the others are FatFs's own, and stay.
LONGER_CHAIN = "chain longer than its file"
ALLOWED_AFTER_A_CUT = {
    LONGER_CHAIN: r"/LOG\.PQT\n  File size is \d+ bytes, cluster chain length is > \d+ bytes\.\n"
                  r"  Truncating file to \d+ bytes\.\n",
    # a hint, which FatFs writes last of all
    "count of free clusters": r"Free cluster summary (wrong|uninitialized).*\n  Auto-(correct|sett)ing\.\n",
    # FatFs writes one sector of the first table, then of the second
    "copies of the table differ": r"FATs differ but appear to be intact\.\n  Using first FAT\.\n",
    # of a chain that no directory entry names yet, or that was about to go from one sector of the table to the next
    "lost clusters": r"Reclaimed \d+ unused clusters? \(\d+ bytes\)\.\n",
}
IRRELEVANT = r"fsck\.fat .*\n|.*: \d+ files, \d+/\d+ clusters\n|\n+Leaving filesystem unchanged\.\n"

passed = failed = 0
said = dict.fromkeys(ALLOWED_AFTER_A_CUT, 0)


def check(name, fault):
    global passed, failed
    if fault:
        failed += 1
        print(f"FAILED: {name}: {fault}")
    else:
        passed += 1


def check_file_system(image, left):
    text = subprocess.run(["fsck.fat", "-n", image], capture_output=True, text=True, check=False).stdout
    if not re.search(r"\d+/\d+ clusters", text):
        return f"fsck.fat gave up: {text}"
    for name, pattern in ALLOWED_AFTER_A_CUT.items():
        if left == "cut" or (left == "resumed" and name != LONGER_CHAIN):
            text, count = re.subn(pattern, "", text)
            said[name] += count
    return re.sub(IRRELEVANT, "", text).strip()


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
        check(f"fsck.fat {name}", check_file_system(folder / name, how))
        check(f"pyarrow {name}", check_rows(folder / name, boots))
    check("there are images of all kinds", "" if min(left.values()) > 3 else str(left))
    print("images:", left, "fsck.fat after a cut:", said)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
