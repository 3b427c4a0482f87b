"""What fsck.exfat leaves of logs whose power failed: after -p, which asks nothing, and after -y, each durable row is in the file,
or comes back by `mpq recover` of the file or of the card.

Usage: check_fsck.py PROGRAMS MPQ IMAGES [--figures]

PROGRAMS has exfat_cuts, and IMAGES is what `exfat_cuts --images` made. --figures prints how many logs were lost.
"""
import collections
import pathlib
import shutil
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from checks import Checks  # noqa: E402  pylint: disable=wrong-import-position

PROGRAMS, MPQ, IMAGES = map(pathlib.Path, sys.argv[1:4])
FIGURES = sys.argv[4:] == ["--figures"]
WORK = IMAGES / "after_fsck"
checks = Checks()
ways = collections.Counter()  # by which the rows were there


def ids_of(path):
    """None of a file that is no Parquet."""
    try:
        return pq.read_table(path, page_checksum_verification=True).column("id").to_pylist()
    except (OSError, pa.ArrowInvalid):
        return None


def has_all(ids, boots):
    """Whether there are the rows of these boots, and then no others but later ones of the last."""
    expected = [boot << 32 | row for boot, rows in boots for row in range(rows)]
    if ids is None or ids[:len(expected)] != expected:
        return False
    return all(a + 1 == b or b >> 32 == (a >> 32) + 1 and not b & 0xFFFFFFFF for a, b in zip(ids[len(expected) - 1:], ids[len(expected):]))


def recovered(source):
    """Ids in each file that mpq recover makes of a file or a card."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir()
    output = WORK if source.suffix == ".img" else WORK / "recovered.parquet"
    subprocess.run([MPQ, "recover", source, "-o", output], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return [ids_of(path) for path in WORK.rglob("*") if path.is_file()]


def way_back(image, path, boots):
    """How the rows come back; None: they do not."""
    log = image.with_name("copied.pqt")
    copied = subprocess.run([PROGRAMS / "exfat_cuts", "--copy", image, path, log], check=False).returncode == 0
    if copied and has_all(ids_of(log), boots):
        return "read as it is"
    if copied and any(has_all(ids, boots) for ids in recovered(log)):
        return "mpq recover FILE"
    if any(has_all(ids, boots) for ids in recovered(image)):
        return "mpq recover IMAGE"
    return None


def main():
    for line in (IMAGES / "manifest.txt").read_text().splitlines():
        name, path, *boots = line.split()
        boots = [tuple(map(int, boot.split(":"))) for boot in boots]
        for option in ("-p", "-y"):
            copy = IMAGES / "repaired.img"
            shutil.copyfile(IMAGES / name, copy)
            subprocess.run(["fsck.exfat", option, copy], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            way = way_back(copy, path, boots)
            ways[way] += 1
            checks.check(f"{name} after fsck.exfat {option}", "" if way else "its rows are lost")
    checks.check("there are files of all kinds", "" if len(ways) >= 3 else str(ways))
    print(dict(ways), file=sys.stderr)
    if FIGURES:
        print(f"exfat.lost_after_fsck {ways[None]} logs")
        return checks.failed != 0
    return checks.finish()


sys.exit(main())
