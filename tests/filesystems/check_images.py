"""Checks what the tests left, images of FAT and exFAT volumes and files copied from flash: fsck.fat and fsck.exfat find nothing in
an image but what a power cut may leave, or fsck.exfat -p makes the log longer and `mpq recover` of that file brings it back; and
pyarrow, DuckDB and the independent checker read from each the rows that the tests found there. Of exFAT, The Sleuth Kit copies
the files, and what `mpq recover` makes of the image has these rows, too.

Usage: check_images.py FOLDER [MPQ]   (MPQ: the images are FatFsFile's, exFAT among them; else those of other ports, on FAT)
"""
import pathlib
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq

import exfat_check
import fat_check
import log_readers

TESTS = pathlib.Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "sd_logger")]
import card  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

checks = Checks()
check = checks.check


def file_of(image):
    """The log on a volume, copied; None without one."""
    path = image.with_suffix(".parquet")
    if card.is_exfat(image):
        numbers = [number for name, number in card.exfat_files(image) if name == "/LOG.PQT"]
        with path.open("wb") as copy:
            for number in numbers:
                subprocess.run(["icat", image, number], stdout=copy, check=True)
        return path if path.stat().st_size != 0 else None
    copied = subprocess.run(["mcopy", "-n", "-i", image, "::LOG.PQT", path], capture_output=True, check=False)
    return path if copied.returncode == 0 and path.stat().st_size != 0 else None


def check_recovered(image, mpq, boots):
    """What mpq recover makes of an image, or of a file, has the same rows, and perhaps later ones of the last boot."""
    path = image.with_suffix(".recovered")
    subprocess.run([mpq, "recover", image, "-o", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if not boots or not path.exists():
        return "no file" if boots else ""
    ids = pq.read_table(path, page_checksum_verification=True).column("id").to_pylist()
    path.unlink()
    last, rows = boots[-1]
    more = range(rows, rows + len(ids) - sum(rows for _, rows in boots))
    expected = [boot << 32 | row for boot, rows in boots for row in range(rows)] + [last << 32 | row for row in more]
    return "" if ids == expected else f"{len(ids)} rows, and other ones than these boots logged: {boots}"


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
    mpq = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    left, exfat = {"cut": 0, "resumed": 0, "closed": 0}, 0
    for line in (folder / "manifest.txt").read_text().splitlines():
        name, how, *boots = line.split()
        left[how] += 1
        boots = [tuple(map(int, boot.split(":"))) for boot in boots]
        path = folder / name
        if path.suffix == ".img" and card.is_exfat(path):
            complaint = exfat_check.complaints(path)
            if how == "cut" and (longer := exfat_check.lengthened(complaint, path)):
                complaint = check_recovered(file_of(longer), mpq, boots)
            check(f"fsck.exfat {name}", complaint)
            check(f"mpq recover {name}", check_recovered(path, mpq, boots))
            exfat += 1
        elif path.suffix == ".img":
            check(f"fsck.fat {name}", fat_check.complaints(path, how))
        if path.suffix == ".img":
            path = file_of(path)
        check(f"readers of {name}", check_rows(path, how, boots))
    check("there are files of all kinds", "" if min(left.values()) > 3 and (exfat > 9 or mpq is None) else f"{left}, {exfat} of exFAT")
    wrong = fat_check.said["count of free clusters"]
    check("no cut leaves a count of free clusters that is wrong", f"{wrong} do" if wrong and mpq else "")
    print("files:", left, exfat, "of exFAT, fsck.fat after a cut:", dict(fat_check.said))
    return checks.finish()


sys.exit(main())
