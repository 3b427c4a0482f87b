"""mpq recover, verify, info and pages on logs whose checkpoints leave pages open: rows of tails, rows that a save made safe, and
what of them is torn, or of another file."""
import json
import pathlib
import struct

import pyarrow.parquet
from harness import check, check_equal, check_file, check_ok, run
from told_rows import parts_of, told_rows

SECTOR = 512
COLUMNS = 2


def boots(path, *calls_of_boots):
    """A log of a device that wakes, makes some calls, and loses its power."""
    pathlib.Path(path).unlink(missing_ok=True)
    for calls in calls_of_boots:
        check_ok(run("log_calls", path, "--tailed", "--row-group=0", *calls))
    return pathlib.Path(path).read_bytes()


def waking(count, every=1, rows=1):
    """Boots of one row each; one in `every` makes a checkpoint, the others save."""
    return [(f"rows={rows}", "save" if boot % every else "checkpoint") for boot in range(count)]


def footer_begin(data):
    return len(data) - 8 - int.from_bytes(data[-8:-4], "little")


def torn_footer(data):
    """A bit of an entry is another one."""
    damaged = bytearray(data)
    damaged[(footer_begin(data) + len(data)) // 2] ^= 1
    return bytes(damaged)


def recovered(data, code=0):
    """The rows of a file, in a new file, after which the same is done in place; and what mpq says."""
    path = pathlib.Path("damaged.parquet")
    path.write_bytes(data)
    result = run("mpq", "recover", path, "-o", "out.parquet", "--overwrite")
    check_equal(result.returncode, code, f"exit code, with {result.stdout!r} {result.stderr!r}")
    check_ok(run("mpq", "verify", "out.parquet"))
    numbers = numbers_of("out.parquet")
    check_equal(run("mpq", "recover", path).returncode, code, "in place")
    check(path.read_bytes().startswith(data), "bytes of the file were changed")
    check_equal(numbers_of(path), numbers, "in place")
    check_ok(run("log_calls", path, "--tailed", "--row-group=0", "rows=5", "checkpoint"))
    check_equal(len(numbers_of(path)), len(numbers) + 5, "continued")
    return numbers


def numbers_of(path):
    rows = pyarrow.parquet.read_table(path, page_checksum_verification=True).to_pylist()
    for row in rows:
        check_equal(row["x"], None if row["n"] % 3 == 0 else float(row["n"]), f"x of row {row['n']}")
    return [row["n"] for row in rows]


def heads(data):
    """Offsets, numbers, flags and rows of the heads in a file, the newest one first."""
    found, at = [], data.find(b"mpqT")
    while at >= 0:
        number, flags = struct.unpack_from("<IH", data, at + 16)
        found.append((number, at, flags, int.from_bytes(data[at + 40:at + 44], "little")))
        at = data.find(b"mpqT", at + 1)
    return sorted(found, reverse=True)


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def first(count):
    return list(range(count))


def test_a_torn_last_footer_costs_no_row():
    """Tails alone, beside stored pages, and when a row group has just ended; one row a boot, and many."""
    for count, rows in ((1, 1), (2, 1), (30, 2), (47, 3), (12, 40), (9, 131), (25, 300)):
        data = boots("log.parquet", *waking(count, rows=rows))
        check_equal(numbers_of("log.parquet"), first(count * rows), "readable as it is")
        check_file("log.parquet")
        check_equal(recovered(torn_footer(data)), first(count * rows), f"{count} boots of {rows} rows")


def test_saves_are_found():
    for count, rows in ((7, 1), (30, 2), (21, 17), (40, 9)):
        data = boots("log.parquet", *waking(count, 8, rows))
        readable = len(numbers_of("log.parquet"))
        check_equal(readable, ((count - 1) // 8 * 8 + 1) * rows, "without mpq")
        check_file("log.parquet")
        check_equal(recovered(data), first(count * rows), f"{count} boots of {rows} rows")
        check_equal(recovered(torn_footer(data)), first(count * rows), f"{count} boots of {rows} rows, torn")


def test_saves_are_found_on_an_image():
    """Beside a footer that is torn, too."""
    data = boots("log.parquet", *waking(30, 8, 5))
    for log in (data, torn_footer(data)):
        pathlib.Path("card.img").write_bytes(b"\x55" * (37 * SECTOR) + log + b"\xaa" * 3000)
        check_ok(run("mpq", "recover", "card.img", "-o", "out.parquet", "--overwrite"))
        check_equal(numbers_of("out.parquet"), first(150), "on an image")


def test_torn_heads():
    """The save before the newest one counts; without any, the footer. A tail whose place is torn costs its own rows."""
    data = boots("log.parquet", *waking(12, 9))
    newest, before, of_footer = heads(data)
    check_equal([flags & 1 for _, _, flags, _ in (newest, before, of_footer)], [1, 1, 0], "saves")
    in_head, in_page = newest[1] + 70, newest[1] + SECTOR + 40
    check_equal(recovered(flipped(data, in_head)), first(before[3]), "newest head torn")
    check_equal(recovered(flipped(data, in_page)), first(before[3]), "newest pages torn")
    both = flipped(flipped(data, in_head), before[1] + 70)
    check_equal(recovered(both), first(10), "both heads torn")
    check_equal(recovered(torn_footer(both)), first(10), "both heads and the footer torn: by the records")
    all_torn = flipped(flipped(both, of_footer[1] + 70), of_footer[1] + 2 * SECTOR - 2)
    pathlib.Path("damaged.parquet").write_bytes(all_torn)
    result = run("mpq", "recover", "damaged.parquet", "-o", "none.parquet")
    check(result.returncode == 2 and "10 rows" in result.stdout, "all places torn, one page in each column:", result.stdout)


def test_a_save_counts_for_its_own_footer():
    """Of a head that names another footer, as one of an older file does, nothing is believed, whole as it is."""
    data = boots("log.parquet", *waking(12, 9))
    for damage in (24, 8):  # the CRC of the footer, the file id
        foreign = bytearray(data)
        for _, at, flags, _ in heads(data):
            if flags & 1:
                foreign[at + damage] ^= 1
                seal(foreign, at)
        check_equal(recovered(bytes(foreign)), first(10), f"byte {damage}")
    check_equal(recovered(data), first(12), "as it was")


def test_rows_beside_another_boots_footer_count_once():
    """Two boots continued from one footer, and no footer after it was published: the card has the first one's, and the pages and records
    of the second, whose row group ends where that footer's tail begins."""
    more = ["rows=6", "checkpoint"]
    published = boots("log.parquet", ["rows=40", "checkpoint"])
    earlier = boots("log.parquet", ["rows=40", "checkpoint", *more])
    pathlib.Path("log.parquet").write_bytes(published)
    check_ok(run("log_calls", "log.parquet", "--tailed", "--row-group=0", "--first=1000", *more))
    later, begin = pathlib.Path("log.parquet").read_bytes(), footer_begin(earlier)
    check_equal((footer_begin(later), len(earlier) < footer_begin(published)), (begin, True), "footers lie by turns")
    left = later[:begin] + earlier[begin:] + published[len(earlier):]
    check_equal(recovered(left), first(40) + list(range(1040, 1046)), "rows")


def seal(data, at):
    """Gives a changed head its CRC."""
    import zlib
    end = next(end for end in range(at + 64, at + 2 * SECTOR)
               if not any(data[end + 4:end + 4 + (-(end + 4) % SECTOR)]) and data[end + 3:end + 4] != b"\0")
    data[end:end + 4] = zlib.crc32(data[at:end]).to_bytes(4, "little")


def complaints(data):
    import parquet_checker
    pathlib.Path("checked.parquet").write_bytes(data)
    return [complaint.code for complaint in parquet_checker.check_file("checked.parquet").complaints]


def test_the_checker_knows_heads():
    """It complains of a head that does not describe its footer, and of a save that contradicts the footer which it names."""
    data = boots("log.parquet", *waking(12, 9))
    newest, _, of_footer = heads(data)
    check_equal(complaints(data), [], "as it is")
    check_equal(complaints(flipped(data, newest[1] + 70)), [], "a torn save, which nobody believes")
    check("tail" in complaints(flipped(data, of_footer[1] + 70)), "no head for the footer's tail")
    for head, at in ((of_footer, 28), (of_footer, 48), (newest, 28), (newest, 44)):
        changed = bytearray(data)
        changed[head[1] + at] ^= 1
        seal(changed, head[1])
        check("tail" in complaints(bytes(changed)), f"byte {at} of the head at {head[1]}")


def test_what_mpq_says():
    data = boots("log.parquet", *waking(12, 9))
    text = check_ok(run("mpq", "verify", "log.parquet")).stdout
    check("2 rows more that a save has made safe: the logger's next boot, or mpq recover" in text, text)
    check("3 heads hold, of 3 places" in text, text)
    text = check_ok(run("mpq", "info", "log.parquet")).stdout
    check("2 rows more are safe than the last footer describes" in text, text)
    check_equal(told_rows("log.parquet"), (10, 2, 2), "info")
    kinds = [part["kind"] for part in parts_of("log.parquet")]
    check_equal((kinds.count("save_head"), kinds.count("tail_head"), kinds.count("saved_page"), kinds.count("tail_page")), (1, 2, 2, 2), kinds)
    check("stray_page" not in kinds and "dead_bytes" not in kinds, kinds)
    newest, _, of_footer = heads(data)
    pathlib.Path("torn.parquet").write_bytes(flipped(data, newest[1] + 70))
    text = check_ok(run("mpq", "verify", "torn.parquet")).stdout
    check(f"the head at {newest[1]} is not whole, or has another form" in text, text)
    pathlib.Path("torn.parquet").write_bytes(flipped(data, newest[1] + SECTOR + 40))
    text = check_ok(run("mpq", "verify", "torn.parquet")).stdout
    check(f"the open pages in the place at {newest[1]} do not have the checksum" in text, text)
    pathlib.Path("torn.parquet").write_bytes(flipped(data, of_footer[1] + 70))
    result = run("mpq", "verify", "torn.parquet")
    check(result.returncode == 1 and "no head describes the tail as the footer does" in result.stdout, result.stdout)
    boots("log.parquet", *waking(12))
    text = check_ok(run("mpq", "verify", "log.parquet")).stdout
    check("all of it holds" in text and "safe" not in text, text)


def test_pages_of_a_save_are_named():
    """Those that it has stored beyond the footer's, too; what came after it, and what is torn, is not."""
    data = boots("log.parquet", ["rows=40", "checkpoint", "rows=100", "save", "rows=100"])
    check_equal(told_rows("log.parquet"), (40, 100, 100), "rows")
    parts = parts_of("log.parquet")
    named = [(part["column"], part["rows"]) for part in parts if part["kind"] in ("data_page", "saved_page")]
    check_equal(sorted(named), [("n", 40), ("n", 40), ("n", 60), ("x", 40), ("x", 100)], "pages")
    check_equal([part["rows"] for part in parts if part["kind"] == "stray_page"], [60, 60, 161], "pages after the save")
    save = heads(data)[0][1]
    pathlib.Path("log.parquet").write_bytes(flipped(data, save + 70))
    check_equal(told_rows("log.parquet"), (40, 0, 0), "rows without the save")
    check("saved_page" not in {part["kind"] for part in parts_of("log.parquet")}, "pages of a torn save")


def test_pages_of_a_tail_that_a_record_describes_anew():
    """The record has the pages that the footer stored, those of its tail and more."""
    check_ok(run("log_calls", "log.parquet", "--tailed", "--row-group=4096", "rows=40", "checkpoint", "rows=6", "checkpoint", "rows=300"))
    rows, more, safe = told_rows("log.parquet")
    check((rows, safe) == (46, 0) and more > 100, "rows", rows, more, safe)
    found = {}
    for part in parts_of("log.parquet"):
        if part.get("column") == "n":
            found[part["kind"]] = found.get(part["kind"], 0) + part["rows"]
    check_equal(found, {"data_page": 40 + 6, "recorded_page": more + 6}, "the tail's rows lie in its place and in a stored page")
