"""mpq recover, verify and info on streams that were saved: rows in memory that a save made safe, torn saves, saves of another footer,
and what the next boot makes of them."""
import json
import pathlib
import struct
import zlib

import pyarrow.parquet
from harness import check, check_equal, check_file, check_ok, run
from parquet_checker import check_bytes
from told_rows import parts_of, told_rows

SECTOR = 512


def boots(path, *calls_of_boots, options=("--row-group=8192",)):
    """A stream of a device that wakes, makes some calls, and loses its power."""
    pathlib.Path(path).unlink(missing_ok=True)
    for calls in calls_of_boots:
        check_ok(run("log_calls", path, "--stream", *options, *calls))
    return pathlib.Path(path).read_bytes()


def saves(data):
    """Offsets, numbers and rows of the saves in a file, the newest one first."""
    found, at = [], data.find(b"mpqS")
    while at >= 0:
        found.append((int.from_bytes(data[at + 16:at + 20], "little"), at, struct.unpack_from("<Q", data, at + 48)[0]))
        at = data.find(b"mpqS", at + 1)
    return sorted(found, reverse=True)


def numbers_of(path):
    rows = pyarrow.parquet.read_table(path, page_checksum_verification=True).to_pylist()
    for row in rows:
        check_equal(row["x"], None if row["n"] % 3 == 0 else float(row["n"]), f"x of row {row['n']}")
    return [row["n"] for row in rows]


def recovered(data, code=0):
    """The rows of a file, in a new file and in place, after which it is continued. `code` is mpq's."""
    path = pathlib.Path("damaged.parquet")
    path.write_bytes(data)
    check_equal(run("mpq", "recover", path, "-o", "out.parquet", "--overwrite").returncode, code, "exit code")
    check_ok(run("mpq", "verify", "out.parquet"))
    numbers = numbers_of("out.parquet")
    check_equal(run("mpq", "recover", path).returncode, code, "exit code in place")
    check_equal(numbers_of(path), numbers, "in place")
    check_ok(run("log_calls", path, "--stream", "--row-group=8192", "rows=5", "checkpoint"))
    check_equal(len(numbers_of(path)), len(numbers) + 5, "continued")
    check_ok(run("mpq", "verify", path))
    return numbers


def first(count):
    return list(range(count))


def test_saved_rows_are_found():
    """A save alone, after row groups that no footer describes, after another boot's, and one of nothing but row groups."""
    for calls, in_footer in (([["rows=7", "save"]], 0), ([["rows=2000", "save"]], None), ([["rows=100", "checkpoint", "rows=900", "save"]], None),
                             ([["rows=50", "save"], ["rows=60", "save"], ["rows=1", "save"]], 0),
                             ([["rows=90", "end_row_group", "save"]], 0)):
        data = boots("log.parquet", *calls)
        count = sum(int(call[5:]) for boot in calls for call in boot if call.startswith("rows="))
        rows, more, safe = told_rows("log.parquet")
        check_equal((rows + more, more), (count, safe), f"rows of {calls} by info")
        if in_footer is not None:
            check_equal(rows, in_footer, f"rows of {calls} in the footer")
        report = check_bytes(data)
        check_equal([str(each) for each in report.complaints], [], f"complaints of {calls}")
        check_equal(report.safe_rows, safe, f"safe rows of {calls}")
        verified = check_ok(run("mpq", "verify", "log.parquet")).stdout
        check("more that a save has made safe" in verified, f"verify of {calls} says {verified!r}")
        check_equal(recovered(data), first(count), f"rows of {calls}")
        pathlib.Path("log.parquet").write_bytes(data)
        check_ok(run("log_calls", "log.parquet", "--stream", "--row-group=8192", "close"))
        check_equal(numbers_of("log.parquet"), first(count), f"closed by the next boot after {calls}")
        check_file("log.parquet")


def test_a_torn_save_gives_way_to_the_one_before():
    data = boots("log.parquet", ["rows=10", "checkpoint", "rows=20", "save", "rows=30", "save"])
    newest, before = saves(data)
    check_equal((newest[2], before[2]), (60, 30), "rows of the saves")
    for at in (newest[1] + 9, newest[1] + SECTOR + 40):
        torn = bytearray(data)
        torn[at] ^= 1
        check_equal(recovered(bytes(torn)), first(30), f"with byte {at} changed")
        both = bytearray(torn)
        both[before[1] + 12] ^= 1
        check_equal(recovered(bytes(both), 1), first(10), "with both torn: their records tell of more")


def test_a_save_of_another_footer_is_none():
    data = boots("log.parquet", ["rows=10", "checkpoint", "rows=20", "save", "rows=1", "checkpoint"])
    check_equal(saves(data)[0][2], 30, "rows of the save")
    check_equal(recovered(data), first(31), "rows")
    check("save" not in check_ok(run("mpq", "verify", "log.parquet")).stdout, "verify tells of a save that is none")


def records(data):
    """The records in a file: where each ends, and where the next row group begins."""
    found, at = [], data.find(b"mpqR")
    while at >= 0:
        if zlib.crc32(data[at:at + 32]) == int.from_bytes(data[at + 32:at + 36], "little"):
            found.append((at + 36, struct.unpack_from("<Q", data, at + 24)[0]))
        at = data.find(b"mpqR", at + 1)
    return found


def without(data, *ranges):
    left = bytearray(data)
    for begin, end in ranges:
        left[begin:end] = bytes(end - begin)
    return bytes(left)


def file_of_two_boots(file_id, *calls):
    """The second one continues from a save."""
    options = (f"--file-id={file_id}", "--row-group=8192")
    return boots("log.parquet", ["rows=10", "checkpoint", "rows=20", "save"], calls, options=options)


def test_a_save_stays_where_the_footer_of_close_came_before_its_rows():
    """Before its size is published, a card may keep the footer, and not the last row group."""
    calls = ["rows=10", "checkpoint", "rows=20", "save"]
    closed = boots("log.parquet", [*calls, "rows=5", "close"])
    footer = len(closed) - 8 - int.from_bytes(closed[-8:-4], "little")
    cut = bytearray(boots("log.parquet", calls))
    check(len(cut) > len(closed), "close() has made the file shorter")
    cut[footer:len(closed)] = closed[footer:]
    check_equal(recovered(bytes(cut)), first(30), "rows")


def test_a_save_stays_where_the_next_boot_tears_its_first():
    """The record in a torn save tells of nothing: not of a later history, and not of rows that were safe."""
    for file_id in (0, 7):
        data = file_of_two_boots(file_id, "rows=30", "save")
        torn = bytearray(data)
        torn[saves(data)[0][1] + 9] ^= 1
        check_equal(recovered(bytes(torn)), first(30), f"rows of file {file_id}")


def test_a_save_stays_where_what_the_next_boot_wrote_is_lost():
    """Of all that it wrote without a barrier a card may keep any part: a record without its pages, or not the first record."""
    for file_id in (0, 7):
        data = file_of_two_boots(file_id, "rows=1200")
        copy = SECTOR * int.from_bytes(data[saves(data)[0][1] + 44:][:4], "little")
        [(_, begin), (fourth_end, fifth), (_, end)] = records(data)[-3:]
        fourth_alone = without(data, (copy, begin), (fourth_end, end))
        check_equal(recovered(fourth_alone, 1), first(30), f"rows of file {file_id} with one record and no pages of it")
        check_equal(recovered(without(data, (copy, fifth)), 1), first(30), f"rows of file {file_id} without the first record")


def changed(data, at, field, value):
    """The head at `at` with another value in a word, and a right checksum."""
    head = bytearray(data[at:at + 64])
    head[field:field + 4] = struct.pack("<I", value)
    head[60:64] = struct.pack("<I", zlib.crc32(head[:60]))
    return data[:at] + bytes(head) + data[at + 64:]


def test_a_save_with_a_wrong_field():
    """The independent checker says which, and neither the next boot nor mpq makes rows of it that are not there."""
    data = boots("log.parquet", ["rows=10", "checkpoint", "rows=20", "save", "rows=30", "save"])
    newest = saves(data)[0][1]
    word = {at: int.from_bytes(data[newest + at:newest + at + 4], "little") for at in range(0, 64, 4)}
    for field, text in ((24, "row groups"), (28, "other entries"), (32, "other entries"), (48, "rows"), (56, "sector"), (16, "other place"),
                        (44, "outside")):
        wrong = changed(data, newest, field, word[field] + (1 << 20 if field == 44 else 1))
        complaints = [str(each) for each in check_bytes(wrong).complaints]
        check(any(text in each for each in complaints), f"complaints of field {field}: {complaints}")
    other = changed(data, newest, 20, word[20] ^ 1)
    check_equal(check_bytes(other).safe_rows, 20, "safe rows by the save before")
    check_equal(recovered(other), first(30), "a save of another footer")
    for field in (24, 32):
        other = changed(data, newest, field, word[field] + 1)
        check_equal(recovered(other), first(30), f"a save whose field {field} is not that of the records")


def with_places_of(data, sectors):
    """The file with other places for saves in its last footer, which its saves continue."""
    changed_data, tag = bytearray(data), data.rfind(b"mpqF")
    offset, _, entries, _, open_entries = struct.unpack_from("<5I", data, tag + 28)
    begin = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    struct.pack_into("<I", changed_data, tag + 64, int.from_bytes(data[tag + 60:tag + 64], "little") + sectors)
    rest = begin + offset + entries + open_entries
    crc = zlib.crc32(changed_data[rest:tag + 68], zlib.crc32(data[begin:begin + offset]))
    struct.pack_into("<I", changed_data, tag + 68, crc)
    for _, at, _ in saves(data):
        changed_data[:] = changed(bytes(changed_data), at, 20, crc)
    return bytes(changed_data)


def test_places_too_small_for_a_save_have_none():
    data = boots("log.parquet", ["rows=10", "checkpoint", "rows=20", "save", "rows=30", "save"])
    place = saves(data)[1][1] - saves(data)[0][1]
    for sectors, safe in ((1, 0), (2, 0), (2 * place // SECTOR, 50)):
        pathlib.Path("log.parquet").write_bytes(with_places_of(data, sectors))
        info = json.loads(check_ok(run("mpq", "info", "--json", "log.parquet")).stdout)
        check_equal(info["rows_safe_after_footer"], safe, f"safe rows with places of {sectors} sectors")


def test_a_firmware_without_saves_passes_over_one():
    """verify says so as long as the file has fewer rows, and pages names the save."""
    boots("log.parquet", ["rows=10", "checkpoint", "rows=20", "save"])
    check_ok(run("log_calls", "log.parquet", "--forward", "--row-group=8192", "rows=5", "checkpoint"))
    check_equal(len(numbers_of("log.parquet")), 15, "rows of the other firmware")
    passed = "a save of 30 rows that a firmware without saves has passed over"
    check(passed in check_ok(run("mpq", "verify", "log.parquet")).stdout, "verify tells of the save")
    check(("old_save", 30) in saved_parts("log.parquet"), "pages of it")
    check_ok(run("log_calls", "log.parquet", "--forward", "--row-group=8192", "rows=15", "checkpoint"))
    check(passed not in check_ok(run("mpq", "verify", "log.parquet")).stdout, "verify, with as many rows")


def saved_parts(path):
    """Kinds and rows of the parts of the two places."""
    return [(part["kind"], part.get("rows")) for part in parts_of(path) if "save" in part["kind"]]


def test_pages_names_places_and_heads():
    """What lies in a save is named there, and not where it belongs: nothing has been written there yet."""
    boots("log.parquet", ["rows=10", "checkpoint", "rows=20", "save"])
    rest = ("place_for_saves", None)
    saved = [("save_head", 30), ("saved_bytes", None), ("saved_page", 20), ("saved_page", 20), ("saved_bytes", None)]
    check_equal(saved_parts("log.parquet"), [rest, *saved, rest], "parts")
    check("dead_bytes" not in {part["kind"] for part in parts_of("log.parquet")}, "pages names dead bytes")
    boots("log.parquet", ["rows=10", "checkpoint", "rows=20", "save", "rows=30", "save"])
    saved = [("save_head", 60), ("saved_bytes", None), *2 * [("saved_page", 20), ("saved_page", 30)], ("saved_bytes", None)]
    check_equal(saved_parts("log.parquet"), [*saved, rest, ("old_save", 30), rest], "parts with two saves")
    boots("log.parquet", ["rows=10", "checkpoint", "rows=20", "save", "checkpoint"])
    check_equal(sorted(saved_parts("log.parquet"), key=str), sorted([("old_save", 30), rest, rest], key=str), "parts after a checkpoint")


def test_all_say_how_many_rows_follow_a_save():
    """Row groups that went out after it, those of the next boot, a torn save, and one to which the records do not lead."""
    before = ["rows=10", "checkpoint", "rows=20", "save"]
    for later in ([[*before, "rows=1000"]], [before, ["rows=1200"]]):
        boots("log.parquet", *later)
        rows, more, safe = told_rows("log.parquet")
        check((rows, safe) == (10, 20) and more > 20, f"rows after {later}", more)
        check_equal([part for part in saved_parts("log.parquet") if part[0] == "saved_page"], [], f"pages that only a save has after {later}")
    boots("log.parquet", before, ["rows=1200", "save"])
    check_equal(told_rows("log.parquet"), (10, 1220, 1220), "two boots that have saved")
    check_equal([rows for kind, rows in saved_parts("log.parquet") if kind == "old_save"], [30], "the save of the first")
    data = boots("log.parquet", [*before, "rows=30", "save"])
    newest = saves(data)[0][1]
    for wrong in (data[:newest + 9] + bytes([data[newest + 9] ^ 1]) + data[newest + 10:], changed(data, newest, 32, 5)):
        pathlib.Path("log.parquet").write_bytes(wrong)
        check_equal(told_rows("log.parquet"), (10, 20, 20), "by the save before")
