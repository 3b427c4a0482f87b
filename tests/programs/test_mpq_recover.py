"""mpq recover on damaged files of ours: every row it gives out is right, and it loses no more than it must."""
import os
import pathlib
import pty
import random
import subprocess
import threading
import time

import pyarrow.parquet
from damage import (check_ascending, chooser, ends_in_a_footer, flip, HEADER, largest_row_group, line, make, numbers_of,
                    row_groups, used_ranges)
from harness import SECONDS, check, check_equal, check_ok, check_refused, command, run, wait_until_idle


def recover(*arguments, code=0):
    result = run("mpq", "recover", *arguments)
    check_equal(result.returncode, code, f"exit code, with {result.stdout!r} {result.stderr!r}")
    return result


def recovered(data, code, *arguments):
    """The numbers of the rows that a new file has after recovery of `data`."""
    pathlib.Path("damaged").write_bytes(data)
    recover("damaged", "-o", "out.parquet", "--overwrite", *arguments, code=code)
    numbers = numbers_of("out.parquet")
    check_ascending(numbers)
    check_ok(run("mpq", "verify", "out.parquet"))
    return numbers


def recovered_in_place(data, code):
    """The same of the file itself, to which only a footer may be added."""
    pathlib.Path("damaged.parquet").write_bytes(data)
    recover("damaged.parquet", code=code)
    check(pathlib.Path("damaged.parquet").read_bytes().startswith(data), "bytes of the file were changed")
    check_ok(run("mpq", "verify", "damaged.parquet"))
    numbers = numbers_of("damaged.parquet")
    check_ascending(numbers)
    return numbers


def footer_ends(data):
    """Ends of the footers of a file of ours."""
    import own_structures
    return [footer.end for footer in own_structures.all_footers(data, 6) if footer.genuine()]


def test_a_whole_file_is_left_alone():
    data = make("whole.parquet", 3000, 0, "--rows-per-group", 1000)
    result = recover("whole.parquet")
    check("3,000 rows in " in result.stdout and "nothing: the file is complete" in result.stdout, result.stdout)
    check_equal(pathlib.Path("whole.parquet").read_bytes(), data, "the file")
    check_equal(recovered(data, 0), list(range(3000)))


def test_a_torn_footer_costs_nothing():
    data = make("whole.parquet", 4000, 0, "--rows-per-group", 500)
    before = footer_ends(data)[-2]
    footer = data.rindex(b"\x15\x02", 0, data.rindex(b"mpqF"))
    check(before < footer, "the last footer was not found")
    for size in (len(data) - 1, len(data) - 8, len(data) - 60, (footer + len(data)) // 2):
        check_equal(recovered(data[:size], 0), list(range(4000)), size)
        check_equal(recovered_in_place(data[:size], 0), list(range(4000)), size)


def test_a_recovered_file_is_gone_on_with():
    data = make("log.parquet", 4000, 0, "--rows-per-group", 500)
    pathlib.Path("log.parquet").write_bytes(data[:-40])
    check_refused(run("mpq", "cat", "log.parquet"), "log.parquet")
    recover("log.parquet")
    check("nothing: the file is complete" in recover("log.parquet").stdout, "a second footer was added")
    pathlib.Path("more.csv").write_text(HEADER + "".join(map(line, range(4000, 5000))))
    check_ok(run("csv_log", "--encoding", "plain", "more.csv", "log.parquet", "--type", "few=int64", "--append"))
    check_equal(numbers_of("log.parquet"), list(range(5000)))
    check_ok(run("mpq", "verify", "log.parquet"))
    check_equal(recovered(pathlib.Path("log.parquet").read_bytes()[:-40], 0), list(range(5000)))


def test_a_file_cut_by_copying():
    data = make("whole.parquet", 6000, 0, "--checkpoint-rows", 700)
    choose = chooser(1)
    most = 0
    for _ in range(25):
        cut = data[:choose.randrange(600, len(data))]
        pathlib.Path("damaged").write_bytes(cut)
        code = run("mpq", "recover", "damaged", "--dry-run").returncode
        footers = [end for end in footer_ends(data) if end <= len(cut)]
        if code != 2:
            numbers = recovered(cut, code)
            check_equal(recovered_in_place(cut, code), numbers, "rows in place")
            check_equal(numbers, list(range(len(numbers))), "rows are missing in between")
            most = max(most, len(numbers))
        durable = pyarrow.parquet.read_table(pyarrow.BufferReader(data[:footers[-1]])).num_rows
        check(code != 2 or durable == 0, f"{durable} durable rows of {len(cut)} bytes are not found")
        check(code == 2 or len(numbers) >= durable, f"{len(numbers)} of {durable} durable rows")
    check(most > 1000, "no cut file had rows")


def test_zeros_or_old_bytes_behind_the_end():
    data = make("whole.parquet", 3000, 0, "--rows-per-group", 1000)
    old = make("old.parquet", 9000, 500_000, "--rows-per-group", 1000)
    padding = bytes(-len(data) % 512)
    for behind in (bytes(100_000), padding + old[len(data) + len(padding):], padding + old[-40_960:], b"PAR1"):
        check_equal(recovered(data + behind, 0), list(range(3000)))
        check_equal(recovered_in_place(data + behind, 0), list(range(3000)))


def test_a_flipped_bit_costs_no_more_than_its_row_group():
    data = make("whole.parquet", 8000, 0, "--rows-per-group", 800)
    most = largest_row_group("whole.parquet")
    choose = chooser(2)
    ranges = used_ranges("whole.parquet")
    lost_some = 0
    for _ in range(40):
        damaged = flip(data, choose.randrange(*choose.choice(ranges)), choose.randrange(8))
        pathlib.Path("damaged").write_bytes(damaged)
        code = run("mpq", "recover", "damaged", "--dry-run").returncode
        numbers = recovered(damaged, code)
        check(len(numbers) >= 8000 - most, f"{8000 - len(numbers)} rows are lost by one bit")
        check_equal(code, 1 if len(numbers) < 8000 else 0, "exit code")
        lost_some += len(numbers) < 8000
    check(lost_some > 5, f"{lost_some} of the bits were in use")


def test_flipped_bits_of_page_headers():
    data = make("whole.parquet", 3000, 0, "--rows-per-group", 1000)
    choose = chooser(3)
    most = largest_row_group("whole.parquet")
    for begin, _ in choose.choices(used_ranges("whole.parquet")[2:], k=40):
        damaged = flip(data, begin + choose.randrange(40), choose.randrange(8))
        pathlib.Path("damaged").write_bytes(damaged)
        code = run("mpq", "recover", "damaged", "--dry-run").returncode
        check(len(recovered(damaged, code)) >= 3000 - most, "more than a row group is lost")
        recovered_in_place(damaged, code)


def test_many_flipped_bits():
    data = make("whole.parquet", 8000, 0, "--rows-per-group", 400)
    choose = chooser(4)
    ranges = used_ranges("whole.parquet")
    for count in (2, 5, 20):
        for _ in range(6):
            damaged = data
            for _ in range(count):
                damaged = flip(damaged, choose.randrange(*choose.choice(ranges)), choose.randrange(8))
            pathlib.Path("damaged").write_bytes(damaged)
            code = run("mpq", "recover", "damaged", "--dry-run").returncode
            check(code in (0, 1, 2), code)
            if code != 2:
                recovered(damaged, code)


def page_of(path, group, column, number):
    """Begin and end of a page of a file of ours, and the rows of its row group that it has."""
    import thrift_compact
    chunk = pyarrow.parquet.read_metadata(path).row_group(group).column(column)
    data, at, row = pathlib.Path(path).read_bytes(), chunk.data_page_offset, 0
    for _ in range(number):
        header = thrift_compact.Parser(data, at, len(data)).struct("PageHeader")
        at, row = header.end + header.compressed_page_size, row + header.data_page_header.num_values
    header = thrift_compact.Parser(data, at, len(data)).struct("PageHeader")
    return at, header.end + header.compressed_page_size, range(row, row + header.data_page_header.num_values)


def test_a_damaged_page_costs_its_rows_and_no_others():
    """Wherever it is in its row group, and whatever of it is damaged."""
    data = make("whole.parquet", 3000, 0, "--rows-per-group", 1000)
    first, end = row_groups("whole.parquet")[1]
    for column in (0, 3, 4, 5):
        pages = 1 if column == 3 else 6
        for number in range(pages):
            begin, page_end, rows = page_of("whole.parquet", 1, column, number)
            lost = {first + row for row in rows}
            kept = [n for n in range(3000) if n not in lost]
            for damaged in (flip(data, page_end - 1), flip(data, begin), flip(data, begin + 3),
                            data[:begin] + bytes(page_end - begin) + data[page_end:]):
                check_equal(recovered(damaged, 1), kept, f"column {column}, page {number}")
            check_equal(recovered_in_place(damaged, 1), kept, "in place")
    said = recover("damaged", "--dry-run", code=1).stdout
    check(f"lost        {len(lost)} rows of row group 1 ({rows[0]:,} to {rows[-1]:,} of" in said, said)


def test_several_damaged_pages():
    """Two columns, and two pages of one: what lies between is kept where the number of its rows is known."""
    data = make("whole.parquet", 3000, 0, "--rows-per-group", 1000)
    first, _ = row_groups("whole.parquet")[1]
    pages = [page_of("whole.parquet", 1, 0, 1), page_of("whole.parquet", 1, 0, 4), page_of("whole.parquet", 1, 4, 2)]
    damaged = data
    for _, page_end, _ in pages:
        damaged = flip(damaged, page_end - 1)
    lost = {first + row for _, _, rows in pages for row in rows}
    check_equal(recovered(damaged, 1), [n for n in range(3000) if n not in lost])
    for begin, page_end, _ in pages:
        damaged = damaged[:begin] + bytes(page_end - begin) + damaged[page_end:]
    lost |= {first + row for row in range(pages[0][2][0], pages[1][2][-1] + 1)}
    check_equal(recovered(damaged, 1), [n for n in range(3000) if n not in lost])


def test_a_file_recovered_in_place_is_gone_on_with():
    data = make("log.parquet", 3000, 0, "--rows-per-group", 1000)
    _, page_end, rows = page_of("log.parquet", 1, 0, 2)
    kept = recovered_in_place(flip(data, page_end - 1), 1)
    check_equal(len(kept), 3000 - len(rows))
    check("nothing: the file is complete" in recover("damaged.parquet").stdout, "a second footer was added")
    pathlib.Path("more.csv").write_text(HEADER + "".join(map(line, range(4000, 5000))))
    check_ok(run("csv_log", "--encoding", "plain", "more.csv", "damaged.parquet", "--type", "few=int64", "--append"))
    check_equal(numbers_of("damaged.parquet"), kept + list(range(4000, 5000)))
    check_ok(run("mpq", "verify", "damaged.parquet"))


def test_pages_of_other_rows_are_not_taken():
    """A write that never reached the medium leaves what stood there before: a page that looks right."""
    files = []
    for first in (0, 500_000):
        pathlib.Path("rows.csv").write_text("n,half\n" + "".join(f"{n},{n / 2}\n" for n in range(first, first + 3000)))
        check_ok(run("csv_log", "--encoding", "plain", "rows.csv", "whole.parquet", "--overwrite", "--rows-per-group", 1000))
        files.append((bytearray(pathlib.Path("whole.parquet").read_bytes()), used_ranges("whole.parquet")))
    (data, ranges), (old, old_ranges) = files
    check_equal(ranges[2:], old_ranges[2:], "the files lie alike")
    page = ranges[4][0]  # the first column of row group 1
    data[page:page + 512] = old[page:page + 512]
    pathlib.Path("damaged").write_bytes(data)
    recover("damaged", "-o", "out.parquet", code=1)
    numbers = pyarrow.parquet.read_table("out.parquet")["n"].to_pylist()
    check(0 < len(numbers) < 3000 and max(numbers) < 3000, "rows of the other file")
    check_refused(run("mpq", "verify", "damaged"), code=1)


def start_log(*options):
    process = subprocess.Popen(command("csv_log", "--encoding", "plain", "-", "log.parquet", "--type", "few=int64", "--ack", *options),
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process


def feed(pipe, first):
    try:
        with pipe:
            pipe.write(HEADER)
            for n in range(first, first + 3_000_000, 100):
                pipe.write("".join(map(line, range(n, n + 100))))
    except BrokenPipeError:
        pass


def killed_log(seconds, first, *options, rows=None):
    """Kills csv_log while rows come in, some time after its start, or after it has more than that many durable rows; how many
    it said were durable."""
    process = start_log(*options)
    feeder = threading.Thread(target=feed, args=(process.stdin, first))
    feeder.start()
    durable = 0
    while rows is not None and durable <= rows:
        durable = int(process.stdout.readline().removeprefix("durable "))
    time.sleep(seconds)
    process.kill()
    said = process.stdout.read().split()
    process.wait(timeout=SECONDS)
    feeder.join(timeout=SECONDS)
    return int(said[-1]) if said and said[-1].isdigit() else durable


def test_row_groups_behind_the_last_footer():
    """A log that is killed while it waits for rows: its last whole row groups are after its last footer."""
    process = start_log("--rows-per-group", 500, "--checkpoint-rows", 2500)
    process.stdin.write(HEADER + "".join(map(line, range(6201))))
    process.stdin.flush()
    check_equal([process.stdout.readline() for _ in range(2)], ["durable 2500\n", "durable 5000\n"])
    wait_until_idle(process)
    process.kill()
    check_equal(process.stdout.read(), "")
    process.wait(timeout=SECONDS)
    process.stdin.close()
    check_equal(numbers_of("log.parquet"), list(range(5000)), "rows before")
    result = recover("log.parquet")
    check("3 records after it" in result.stdout, result.stdout)
    check_equal(numbers_of("log.parquet"), list(range(6000)))


def test_a_killed_log():
    for i in range(6):
        pathlib.Path("log.parquet").unlink(missing_ok=True)
        durable = killed_log(0.2 + i * 0.1, 0, "--checkpoint-rows", 2500, rows=0 if i % 2 else None)
        if not pathlib.Path("log.parquet").exists() or pathlib.Path("log.parquet").stat().st_size < 500:
            continue
        before = len(numbers_of("log.parquet")) if ends_in_a_footer("log.parquet") else 0
        data = pathlib.Path("log.parquet").read_bytes()
        if run("mpq", "recover", "log.parquet").returncode == 2:
            check_equal(durable, 0, "durable rows")
            continue
        numbers = numbers_of("log.parquet")
        check_equal(numbers, list(range(len(numbers))), "rows")
        check(len(numbers) >= max(durable, before), f"{len(numbers)} rows, durable {durable}, read before {before}")
        check(pathlib.Path("log.parquet").read_bytes().startswith(data), "bytes of the file were changed")
        check_ok(run("mpq", "verify", "log.parquet"))


def test_a_log_killed_again_and_again():
    durable = 0
    for i in range(4):
        found = len(numbers_of("log.parquet")) if i else 0
        durable = max(durable, killed_log(0.2, found, *(["--append"] if i else []), "--checkpoint-rows", 2500, rows=found))
        if i % 2 or not ends_in_a_footer("log.parquet"):
            check(run("mpq", "recover", "log.parquet").returncode == 0, "recovery between two kills")
        numbers = numbers_of("log.parquet")
        check_equal(numbers, list(range(len(numbers))), "rows")
    check_equal(recovered(pathlib.Path("log.parquet").read_bytes() + bytes(5000), 0)[:len(numbers)], numbers)


ONE_SEGMENT = ["--row-group-bytes", 72000]  # no other is laid over the footers after it


def cut_log(rows):
    """A log that is killed before it is closed: its footers are all there."""
    process = start_log("--checkpoint-rows", 700, *ONE_SEGMENT)
    process.stdin.write(HEADER + "".join(map(line, range(rows))))
    process.stdin.flush()
    while int(process.stdout.readline().removeprefix("durable ")) < rows - 700:
        pass
    process.kill()
    process.communicate(timeout=SECONDS)
    return pathlib.Path("log.parquet").read_bytes()


def test_an_abandoned_history_is_void():
    """The file system gives back an older size, the log continues from there, and the end of what was written before
    follows it on the medium."""
    abandoned = cut_log(6000)
    published = abandoned[:footer_ends(abandoned)[3]]
    pathlib.Path("log.parquet").write_bytes(published)
    kept = len(numbers_of("log.parquet"))
    check(500 < kept < 5000, kept)
    killed_log(0.2, 900_000, "--append", "--checkpoint-rows", 700, *ONE_SEGMENT, rows=kept)
    gone_on = pathlib.Path("log.parquet").read_bytes()
    for size in (len(gone_on), len(gone_on) - 100, footer_ends(gone_on)[-2], footer_ends(gone_on)[4]):
        medium = gone_on[:size] + abandoned[size:]
        pathlib.Path("damaged").write_bytes(medium)
        if run("mpq", "recover", "damaged", "--dry-run").returncode == 2:
            continue
        code = run("mpq", "recover", "damaged", "--dry-run").returncode
        numbers = recovered(medium, code)
        later = [n for n in numbers if n >= 900_000]
        check_equal(numbers[:kept], list(range(kept)), "the rows of the published footer")
        check_equal(numbers[kept:], later, "rows of the abandoned history")
        check_equal(later, list(range(900_000, 900_000 + len(later))))


def emptied_slot(file_id, sequence, crc, size):
    import zlib
    import own_structures
    trailer = own_structures.TRAILER.pack(b"mpqR", 1, file_id, sequence, 0, crc, 0, 0)[:-4]
    return bytes(size - 36) + trailer + zlib.crc32(trailer).to_bytes(4, "little")


def test_an_emptied_slot_voids_what_came_after_its_beginning():
    """A log continued from its fourth footer, and was cut off again before it wrote a page."""
    import own_structures
    medium = bytearray(cut_log(6000))
    footers = [footer for footer in own_structures.all_footers(bytes(medium), 6) if footer.genuine()]
    began = footers[3].extension
    rows = began.rows
    slot = emptied_slot(began.file_id, 32768, began.entries_crc, began.slot_bytes)
    medium[began.next * 512:began.next * 512 + 2 * began.slot_bytes] = slot + slot
    numbers = recovered(bytes(medium), 0)
    check_equal(numbers, list(range(rows)), "rows of the history that was continued")


def test_records_of_a_lost_history_are_no_fault_of_a_file():
    """The file system gives back the file as its last footer says it, and what a later boot has written into free space."""
    import own_structures
    medium = bytearray(cut_log(3000))
    last = [footer for footer in own_structures.all_footers(bytes(medium), 6) if footer.genuine()][-1]
    began = last.extension
    at = began.segment_end * 512 - began.slot_bytes
    medium[at:at + began.slot_bytes] = emptied_slot(began.file_id, began.sequence + 40_000, 1, began.slot_bytes)
    pathlib.Path("log.parquet").write_bytes(medium[:last.end])
    check_equal(numbers_of("log.parquet"), list(range(began.rows)))
    check_ok(run("mpq", "verify", "log.parquet"))


def test_only_the_wanted_file():
    one = make("one.parquet", 2000, 0, "--rows-per-group", 500)
    two = make("two.parquet", 3000, 100_000, "--rows-per-group", 500)
    pathlib.Path("medium").write_bytes(bytes(4096) + one + bytes(-len(one) % 4096) + two + bytes(10_000))
    listed = recover("medium", "--dry-run").stdout
    ids = [part.split()[0] for part in listed.split("file id ")[1:]]
    check_equal(len(ids), 2, listed)
    check_refused(run("mpq", "recover", "medium"), "medium", "-o", code=2)
    check_refused(run("mpq", "recover", "medium", "-o", "out.parquet"), "2 files", "--file-id", code=2)
    recover("medium", "-o", "out.parquet", "--file-id", ids[1])
    check_equal(numbers_of("out.parquet"), list(range(100_000, 103_000)))
    os.mkdir("folder")
    recover("medium", "-o", "folder")
    check_equal(sorted(len(numbers_of(path)) for path in pathlib.Path("folder").iterdir()), [2000, 3000])


def test_a_destroyed_beginning():
    data = make("whole.parquet", 3000, 0, "--rows-per-group", 1000)
    check_equal(recovered(b"\xff" * 512 + data[512:], 0), list(range(3000)))
    check_refused(run("mpq", "recover", "damaged"), "image", "-o", code=2)


def stream_and_cuts():
    """A stream of 4,000 rows in row groups of 500, and how much of it arrives, with how many rows."""
    pathlib.Path("rows.csv").write_text(HEADER + "".join(map(line, range(4000))))
    data = run("csv_log", "--encoding", "plain", "rows.csv", "-", "--type", "few=int64", "--rows-per-group", 500, text=False).stdout
    pathlib.Path("stream").write_bytes(data)
    check_equal(numbers_of("stream"), list(range(4000)))
    sixth = pyarrow.parquet.read_metadata("stream").row_group(5)
    return data, ((len(data) - 20, 4000), (sixth.column(2).data_page_offset + 100, 2500))


def test_a_stream_says_its_schema_at_its_beginning():
    data, cuts = stream_and_cuts()
    for size, rows in cuts:
        code = 0 if rows == 4000 else 1
        check_equal(recovered(data[:size], code), list(range(rows)), size)


def test_a_stream_that_lost_its_beginning_too_needs_a_schema():
    data, cuts = stream_and_cuts()
    make("other.parquet", 100, 700_000)
    footer = data.index(b"PAR1", 4)  # the end of the first one
    for size, rows in cuts:
        damaged = data[:4] + b"\xff" * (footer - 4) + data[footer:size]
        pathlib.Path("cut").write_bytes(damaged)
        check_refused(run("mpq", "recover", "cut", "-o", "none.parquet"), "cut", "--schema", code=2)
        code = run("mpq", "recover", "cut", "--dry-run", "--schema", "other.parquet").returncode
        check_equal(recovered(damaged, code, "--schema", "other.parquet"), list(range(rows)), size)


def test_dry_run_writes_nothing():
    data = make("whole.parquet", 2000, 0, "--rows-per-group", 500)
    pathlib.Path("cut.parquet").write_bytes(data[:-40])
    result = recover("cut.parquet", "--dry-run")
    check("2,000 rows" in result.stdout and "would write" in result.stdout, result.stdout)
    check_equal(pathlib.Path("cut.parquet").read_bytes(), data[:-40], "the file")
    recover("cut.parquet", "--dry-run", "-o", "out.parquet")
    check(not pathlib.Path("out.parquet").exists(), "a file was written")


def test_an_output_that_exists_is_kept():
    make("whole.parquet", 100)
    pathlib.Path("out.parquet").write_text("precious")
    check_refused(run("mpq", "recover", "whole.parquet", "-o", "out.parquet"), "out.parquet", "--overwrite", code=2)
    check_equal(pathlib.Path("out.parquet").read_text(), "precious")
    recover("whole.parquet", "-o", "out.parquet", "--overwrite")
    check_equal(numbers_of("out.parquet"), list(range(100)))


def test_a_file_that_is_being_written_is_left_alone():
    process = start_log("--checkpoint-rows", "100")
    process.stdin.write(HEADER + "".join(map(line, range(5000))))
    process.stdin.flush()
    wait_until_idle(process)
    pathlib.Path("copy.parquet").write_bytes(pathlib.Path("log.parquet").read_bytes())
    result = run("mpq", "recover", "log.parquet")
    process.stdin.close()
    process.wait(timeout=SECONDS)
    process.stdout.close()
    check(result.returncode == 0 or "another program" in result.stderr, result.stderr)
    check_equal(numbers_of("log.parquet"), list(range(5000)))


def test_nothing_to_recover():
    check_refused(run("mpq", "recover", "none.parquet"), "none.parquet", "no such file", code=2)
    pathlib.Path("text").write_text("hello " * 1000)
    check_refused(run("mpq", "recover", "text", "-o", "out.parquet"), "text", "no Parquet file", code=2)
    pathlib.Path("empty").write_bytes(b"")
    check_refused(run("mpq", "recover", "empty", "-o", "out.parquet"), "empty", code=2)
    pathlib.Path("magic").write_bytes(b"PAR1" + bytes(5000))
    check_refused(run("mpq", "recover", "magic"), "magic", "--schema", code=2)
    check_refused(run("mpq", "recover"), "FILE", code=2)
    check_refused(run("mpq", "recover", "magic", "--file-id", "xyz"), "--file-id", "hexadecimal", code=2)
    check(not pathlib.Path("out.parquet").exists(), "a file is left behind")


def test_progress_on_a_terminal_only():
    make("whole.parquet", 60_000, 0, "--rows-per-group", 20_000)
    data = pathlib.Path("whole.parquet").read_bytes()
    junk = random.Random(1)
    with open("big", "wb") as file:
        file.write(data)
        for _ in range(300):
            file.write(junk.randbytes(1 << 20))
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command("mpq", "recover", "big", "--dry-run"), stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    text = b""
    try:
        while piece := os.read(ours, 4096):
            text += piece
    except OSError:
        pass
    os.close(ours)
    check_equal(process.wait(timeout=SECONDS), 0, "exit code")
    check(b"%" not in text or text.endswith(b"\r\x1b[K"), "the line is left there", text[-40:])
    check_equal(run("mpq", "recover", "big", "--dry-run").stderr, "")
