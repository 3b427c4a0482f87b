"""mpq recover on what nothing proves: what is proved wrong is never written, and what is not proved only with --unchecked, and said."""
import itertools
import os
import pathlib
import random
import zlib

import pyarrow as pa
import pyarrow.parquet
from damage import check_ascending, chooser
from harness import check, check_equal, check_ok, check_refused, run

LONG = bool(os.environ.get("MICROPARQUET_LONG"))
ROWS = 9000
VALUES = {"own": (1.5, 2.5, 3.5), "other": (3.5, 1.5, 2.5)}
WRITERS = {"in place": (), "with checkpoints": ("--checkpoint-rows", "700"), "forward": ()}
OPTIONS = ((), ("--unchecked",), ("--schema", "other.parquet"), ("--schema", "other.parquet", "--unchecked"))
NOTHING, SOME_LOST, UNSURE = 2, 1, 3


def log(name, writer, columns="n,v,w"):
    """A file whose dictionaries have the same values as those of the other, in another order."""
    choose = random.Random(7)
    picks = [0, 1, 2] + [choose.randrange(3) for _ in range(ROWS - 3)]
    lines = (f"{n},{VALUES[name][pick]},{n * n % 977}.25\n" for n, pick in enumerate(picks))
    pathlib.Path("rows.csv").write_text(columns + "\n" + "".join(lines))
    options = ["--rows-per-group", 3000, *WRITERS[writer]]
    path = f"{name}.parquet"
    if writer == "forward":
        pathlib.Path(path).write_bytes(check_ok(run("csv_log", "rows.csv", "-", *options, text=False)).stdout)
    else:
        check_ok(run("csv_log", "rows.csv", path, "--overwrite", *options))
    return pathlib.Path(path).read_bytes()


def table_of(path):
    return pa.parquet.read_table(path, page_checksum_verification=True)


def recover(data, code, *options):
    pathlib.Path("damaged").write_bytes(data)
    pathlib.Path("out.parquet").unlink(missing_ok=True)
    result = run("mpq", "recover", "damaged", "-o", "out.parquet", *options)
    check_equal(result.returncode, code, f"exit code, {options}, with {result.stdout!r} {result.stderr!r}")
    return result.stdout


def chunks_with_dictionaries(path):
    metadata = pa.parquet.read_metadata(path)
    for i, j in itertools.product(range(metadata.num_row_groups), range(metadata.num_columns)):
        if metadata.row_group(i).column(j).dictionary_page_offset:
            yield metadata.row_group(i).column(j)


def with_dictionaries_of_the_other(writer):
    own, other = bytearray(log("own", writer)), log("other", writer)
    pairs = list(zip(chunks_with_dictionaries("own.parquet"), chunks_with_dictionaries("other.parquet")))
    changed = 0
    for mine, theirs in pairs:
        page = slice(mine.dictionary_page_offset, mine.data_page_offset)
        old = other[theirs.dictionary_page_offset:theirs.data_page_offset]
        if len(old) == len(own[page]):
            changed += own[page] != old
            own[page] = old
    check(changed != 0, "no dictionary is another one")
    return bytes(own)


def damaged_at_random(data, bits, tails, choose):
    """Cut or not, with wrong bits or none, and with something after it or nothing."""
    damaged = bytearray(data[:choose.choice((len(data), len(data) - choose.randrange(300), choose.randrange(len(data) // 4, len(data))))])
    for _ in range(choose.choice(bits)):
        damaged[choose.randrange(4, len(damaged))] ^= 1 << choose.randrange(8)
    return bytes(damaged) + choose.choice(tails)


def test_random_damage_gives_no_wrong_row():
    choose, kept = chooser(8), 0
    for writer in WRITERS:
        other = log("other", writer)
        whole, stale = log("own", writer), with_dictionaries_of_the_other(writer)
        for data, bits, tails in (whole, (0, 1, 1, 3), (b"", b"", bytes(700), other, other[-3000:])), (stale, (0,), (b"", bytes(700))):
            expected = table_of("own.parquet")
            for _ in range(200 if LONG else 10):
                pathlib.Path("damaged").write_bytes(damaged_at_random(data, bits, tails, choose))
                pathlib.Path("out.parquet").unlink(missing_ok=True)
                options = choose.choice(OPTIONS)
                result = run("mpq", "recover", "damaged", "-o", "out.parquet", *options)
                check(result.returncode in (0, SOME_LOST, NOTHING), result.returncode, result.stdout, result.stderr)
                if result.returncode != NOTHING:
                    found = table_of("out.parquet")
                    check(found.equals(expected.take(found["n"])), f"{writer}, {options}: a wrong row, exit {result.returncode} {result.stdout}")
                    check_ascending(found["n"].to_pylist())
                    kept += found.num_rows
    check(kept > ROWS, f"{kept} rows in all")


def first_footer(data, columns):
    import own_structures
    return next(footer for footer in own_structures.all_footers(data, columns) if footer.genuine())


def slots(data, writer):
    """Begins and ends of the slots of records and of their entries."""
    import own_structures
    size = first_footer(data, 0 if writer == "forward" else 3).extension.slot_bytes
    at = data.find(b"mpqR")
    while at >= 0:
        slot = own_structures.Slot(data, at + 36 - size, size)
        if slot.whole:
            yield slot.at, slot.at + slot.entry_bytes, slot.at + size
        at = data.find(b"mpqR", at + 1)


def as_before(data, writer):
    """The records of a version that said nothing of dictionaries."""
    older = bytearray(data)
    for _, entry_end, _ in slots(data, writer):
        older[entry_end:entry_end + 8] = bytes(8)
    return bytes(older)


def without_footers(data, writer):
    """The end is cut, and no footer is left."""
    import own_structures
    damaged = bytearray(data)
    for footer in own_structures.all_footers(data, 0 if writer == "forward" else 3):
        damaged[footer.extension_at:footer.extension_at + 8] = b"\xff" * 8
    return bytes(damaged[:len(data) - 100])


def test_dictionaries_of_another_file_are_never_used():
    for writer in WRITERS:
        stale = with_dictionaries_of_the_other(writer)
        expected = table_of("own.parquet")
        for missing in range(0, 300, 1 if LONG else 37):
            for options in OPTIONS:
                pathlib.Path("damaged").write_bytes(stale[:len(stale) - missing])
                pathlib.Path("out.parquet").unlink(missing_ok=True)
                result = run("mpq", "recover", "damaged", "-o", "out.parquet", *options)
                check("not those for which its record was written" in result.stdout, result.stdout)
                check_equal(result.returncode, SOME_LOST if pathlib.Path("out.parquet").exists() else NOTHING, "exit code")
                if result.returncode == SOME_LOST:  # of row groups whose dictionaries are as they were
                    found = table_of("out.parquet")
                    check(found.num_rows < ROWS and found.equals(expected.take(found["n"])), f"{writer}, {missing}, {options}")


def test_what_records_prove_needs_no_option():
    for writer in WRITERS:
        log("other", writer)
        data = log("own", writer)
        expected = table_of("own.parquet")
        for damaged, given in (data[:-1], OPTIONS), (data[:-200], OPTIONS), (without_footers(data, writer), OPTIONS[2:]):
            for options in given:
                recover(damaged, 0, *options)
                check(table_of("out.parquet").equals(expected), f"{writer}, {options}")


def test_records_of_versions_that_say_nothing_of_dictionaries():
    for writer in WRITERS:
        log("other", writer)
        data = as_before(log("own", writer), writer)
        expected = table_of("own.parquet")
        recover(data[:-1], 0)  # its footer is there, which was written after them
        for damaged, given in (data[:-200], ()), (without_footers(data, writer), ("--schema", "other.parquet")):
            said = recover(damaged, NOTHING, *given)
            check("may be that of an earlier file" in said and "--unchecked" in said.splitlines()[-1], said)
            said = recover(damaged, UNSURE, *given, "--unchecked")
            check("may be wrong" in said.splitlines()[-1], said)
            check(table_of("out.parquet").equals(expected), writer)
            check_equal(run("mpq", "recover", "damaged", *given, "-o", "out.parquet", "--dry-run").returncode, NOTHING, "dry run")


def test_a_forged_sum_of_dictionaries():
    for writer in WRITERS:
        log("other", writer)
        data = bytearray(log("own", writer))
        for begin, entry_end, end in slots(bytes(data), writer):
            crc, seal = (int.from_bytes(data[entry_end + i:entry_end + i + 4], "little") for i in (0, 4))
            for i, number in (0, crc ^ 0x40), (4, seal ^ 0x40):
                data[entry_end + i:entry_end + i + 4] = number.to_bytes(4, "little")
        for options in OPTIONS:
            recover(bytes(data[:-200]), NOTHING, *options)


def test_the_other_file_has_the_columns_that_the_records_name():
    data = without_footers(log("own", "in place"), "in place")
    for columns in "n,w,v", "n,v,x", "m,v,w":
        log("other", "in place", columns)
        for options in OPTIONS[2:]:
            pathlib.Path("damaged").write_bytes(data)
            check_refused(run("mpq", "recover", "damaged", "-o", "out.parquet", *options), "other.parquet", "columns", code=2)
    pa.parquet.write_table(pa.table({"n": [1]}), "other.parquet")
    check_refused(run("mpq", "recover", "damaged", "-o", "out.parquet", *OPTIONS[2]), "other.parquet", "columns", code=2)


def test_the_file_itself_says_its_columns_best():
    """Its first footer is there: what another file says of them does not count."""
    log("other", "in place", "a,b,c")
    data = log("own", "in place")
    recover(data[:-200], 0, "--schema", "other.parquet")
    check(table_of("out.parquet").equals(table_of("own.parquet")), "columns of the other file")


def test_pages_of_ours_that_no_record_describes():
    """They may be those of the file before it."""
    log("other", "in place")
    data = without_footers(log("own", "in place"), "in place").replace(b"mpqR", b"mpq-")
    said = recover(data, NOTHING, "--schema", "other.parquet")
    check("may be those of an earlier file; --unchecked" in said, said)
    pathlib.Path("out.parquet").unlink(missing_ok=True)
    result = run("mpq", "recover", "damaged", "-o", "out.parquet", "--schema", "other.parquet", "--unchecked")
    check(result.returncode in (NOTHING, UNSURE), result.stdout)
    check(result.returncode == NOTHING or "earlier file" in result.stdout.splitlines()[-1], result.stdout)


def test_what_is_unchecked_of_a_foreign_file_is_said_last():
    table = pa.table({"n": range(ROWS), "text": [f"text {n % 90}" for n in range(ROWS)]})
    pa.parquet.write_table(table, "other.parquet", row_group_size=2000)
    data = pathlib.Path("other.parquet").read_bytes()
    ends = pa.parquet.read_metadata("other.parquet").row_group(3).column(1)
    end = ends.dictionary_page_offset + ends.total_compressed_size
    said = recover(data[:end], 0, "--schema", "other.parquet")
    check("pages have no checksum" in said.splitlines()[-1], said)
    check(table_of("out.parquet").equals(table.slice(0, 8000)), "rows")


def of_a_later_version(data, from_place):
    """Its records and footers from a place on are of version 2."""
    import own_structures
    later = bytearray(data)
    at = data.find(b"mpqR", from_place)
    while at >= 0:
        if own_structures.Slot(data, at, 36).whole or zlib.crc32(data[at:at + 32]) == int.from_bytes(data[at + 32:at + 36], "little"):
            later[at + 4] = 2
            later[at + 32:at + 36] = zlib.crc32(later[at:at + 32]).to_bytes(4, "little")
        at = data.find(b"mpqR", at + 1)
    at = data.find(b"mpqF", from_place)
    while at >= 0:
        later[at + 4] = 2
        at = data.find(b"mpqF", at + 1)
    return bytes(later)


def test_records_of_a_later_version():
    data = log("own", "with checkpoints")
    for from_place in (0, len(data) // 2):
        later = of_a_later_version(data, from_place)
        recover(later, 0)  # its last footer is whole
        check(table_of("out.parquet").equals(table_of("own.parquet")), "rows")
        cut = later[:-200]
        pathlib.Path("cut.parquet").write_bytes(cut)
        check_refused(run("mpq", "recover", "cut.parquet"), "cut.parquet", "later version", code=2)
        check_equal(pathlib.Path("cut.parquet").read_bytes(), cut, "the file")
    said = recover(cut, SOME_LOST)
    check("later version" in said, said)
    check(table_of("out.parquet").equals(table_of("own.parquet").slice(0, table_of("out.parquet").num_rows)), "rows")
