"""mpq collect: the rows of a fleet of devices, whatever state their files are in, once each."""
import contextlib
import fcntl
import os
import pathlib
import random
import shutil
import signal
import subprocess

import duckdb
import pyarrow as pa
import pyarrow.parquet
from harness import check, check_equal, check_ok, check_refused, command, run, wait_until
from test_full_disk import limit_files_to, small_disk

DEVICES, SESSIONS, MOST_ROWS, SEED = 6, 10, 4000, 7


def make_fleet(folder="fleet", devices=DEVICES, sessions=SESSIONS, most_rows=MOST_ROWS):
    """Paths of the files, and of those the ones that were cut."""
    lines = [line.split() for line in check_ok(run("made_fleet", folder, devices, sessions, most_rows, SEED)).stdout.splitlines()]
    return [path for path, *_ in lines], [path for path, _, _, end in lines if end == "cut"]


def collect(*words, code=0, **options):
    result = run("mpq", "collect", *words, **options)
    check_equal(result.returncode, code, f"exit code, with {result.stderr!r}")
    return result


def files_of(lake):
    """The rows of files.parquet, by their path."""
    return {row["path"]: row for row in pyarrow.parquet.read_table(f"{lake}/files.parquet").to_pylist()}


def contents(lake):
    """All there is in a lake, but for where it is from."""
    return {str(path.relative_to(lake)): path.read_bytes() for path in sorted(pathlib.Path(lake).rglob("*"))
            if path.is_file()}


def rows_of(path):
    """The rows that are in a file, those included that only mpq recover finds."""
    shutil.copy(path, "copy.parquet")
    if run("mpq", "recover", "copy.parquet").returncode == 2:
        return None
    return pyarrow.parquet.read_table("copy.parquet", page_checksum_verification=True)


def check_lake(lake, sources):
    """All rows of the sources are there once, and files.parquet says so. Gives how many were recovered."""
    files = {row["source"]: row for row in files_of(lake).values()}
    recovered = 0
    with_rows = set()
    for source in sources:
        expected = rows_of(source)
        if expected is None or expected.num_rows == 0:
            check(source not in files, source, "has no rows")
            continue
        with_rows.add(source)
        row = files[source]
        path = f"{lake}/{row['path']}"
        found = pyarrow.parquet.ParquetFile(path, page_checksum_verification=True).read()
        check_equal(found.schema.remove_metadata(), expected.schema.remove_metadata(), f"schema of {path}")
        check(found.equals(expected), path, "has other values than", source)
        check_equal((row["rows"], row["bytes"]), (found.num_rows, os.path.getsize(path)), path)
        recovered += row["rows_recovered"]
    check_equal(set(files), with_rows, "sources")
    raw = {str(path.relative_to(lake)) for path in pathlib.Path(lake, "raw").rglob("*") if path.is_file()}
    check_equal(raw, set(files_of(lake)), "files")
    return recovered


def test_files_of_no_byte_have_no_rows():
    sources, _ = make_fleet(devices=1, sessions=1)
    pathlib.Path("fleet/empty.parquet").write_bytes(b"")
    for _ in range(2):
        output = collect("fleet", "-o", "lake")
        check("1 more without rows" in output.stdout, output.stdout)
        check_equal(output.stderr, "")
    check_lake("lake", sources)
    pathlib.Path("fleet/short.img").write_bytes(b"too short for a card")
    for _ in range(2):
        check("fleet/short.img: it is no Parquet file, and no file of microparquet is in it" in collect("fleet", "-o", "lake", code=1).stderr)


def test_a_fleet():
    sources, cut = make_fleet()
    check(cut, "no file is cut")
    before = sum(pyarrow.parquet.read_metadata(path).num_rows for path in sources)
    output = collect("fleet", "-o", "lake").stdout
    recovered = check_lake("lake", sources)
    rows = duckdb.sql("SELECT count(*) FROM 'lake/raw/*/*/*.parquet'").fetchall()[0][0]
    check_equal(rows, before + recovered, "rows")
    check(recovered > 0, "nothing was recovered")
    check(f"{rows:,} rows added, {recovered:,} of them recovered; 0 lost" in output, output)
    for path in pathlib.Path("lake/raw").rglob("*.parquet"):
        check("holds" in check_ok(run("mpq", "verify", path)).stdout, path)


def test_short_names():
    sources, _ = make_fleet()
    pathlib.Path("card").mkdir()
    pathlib.Path("card/LOG00001.PQT").write_bytes(pathlib.Path(sources[0]).read_bytes())
    collect("card", "-o", "lake")
    rows = duckdb.sql("SELECT count(*) FROM 'lake/raw/*/*/*.parquet'").fetchall()[0][0]
    check_equal(rows, pyarrow.parquet.read_metadata(sources[0]).num_rows, "rows")


def test_again_changes_nothing():
    make_fleet()
    collect("fleet", "-o", "lake")
    before = contents("lake")
    collect("fleet", "-o", "lake/")
    check_equal(contents("lake").keys(), before.keys())
    check(contents("lake") == before, "another content")
    shutil.copytree("fleet", "copies")
    output = collect("copies", "fleet", "-o", "lake").stdout
    check(contents("lake") == before, "copies have changed it")
    check("0 rows added" in output, output)


def test_what_files_say():
    make_fleet(devices=1, sessions=2)
    collect("fleet", "-o", "lake")
    path = "raw/device=6A1B0001/session=00000001/00000001.parquet"
    row = files_of("lake")[path]
    source = pyarrow.parquet.read_table(row["source"])
    check_equal({key: row[key] for key in ("device", "firmware", "session", "split", "rows_dropped", "file_id")},
                {"device": "6A1B0001", "firmware": "1.0.0", "session": "00000001", "split": "00000001", "rows_dropped": 3,
                 "file_id": 100101})
    check_equal((row["first_time"], row["last_time"]), (source["time"][0].as_py(), source["time"][-1].as_py()))
    check_equal(row["rate_hz"], 400.0)
    check(row["schema"].startswith("number int32, time timestamp[us, UTC], gyroscope_x float"), row["schema"])
    metadata = pyarrow.parquet.read_metadata(f"lake/{path}").metadata
    check_equal(metadata[b"sampling_rate_hz"], b"400", "its own key-values")
    check_equal(row["source_bytes"], os.path.getsize(row["source"]))


def test_a_file_that_continues():
    sizes = []
    for rows in (1000, 5000, 3000):
        check_ok(run("made_log", "log.parquet", rows, 500, 512, 1024, "in_place", "close"))
        shutil.copy("log.parquet", f"{rows}.parquet")
        output = collect(f"{rows}.parquet", "-o", "lake").stdout
        sizes.append(sum(row["rows"] for row in files_of("lake").values()))
        os.remove("log.parquet")
    check_equal(sizes, [1000, 5000, 5000], "rows after each")
    check_equal(len(files_of("lake")), 1, "files")
    check("1 there already" in output, output)


def test_a_damaged_file_that_continues():
    """The lake keeps its rows when a longer copy has lost some of them, even the first ones."""
    make_fleet(devices=1, sessions=2, most_rows=40_000)
    path = max(pathlib.Path("fleet").rglob("*.parquet"), key=os.path.getsize)
    whole = path.read_bytes()
    pathlib.Path("cut.parquet").write_bytes(whole[:len(whole) // 2])
    collect("cut.parquet", "-o", "lake", code=1)
    rows = files_of("lake").popitem()[1]["rows"]
    check(rows > 1000, rows)
    before = contents("lake/raw")
    first_page = pyarrow.parquet.read_metadata(path).row_group(0).column(3).data_page_offset
    for page in (2, 0):
        damaged = bytearray(whole)
        damaged[first_page + 512 * page + 100] ^= 0xFF
        pathlib.Path("damaged.parquet").write_bytes(damaged)
        result = collect("damaged.parquet", "-o", "lake", code=1)
        check("damaged.parquet: it has more rows than raw/" in result.stderr, result.stderr)
        check(contents("lake/raw") == before, "another content")
    collect("damaged.parquet", "-o", "other", code=1)
    collect(path, "-o", "other")
    check_equal([row["rows"] for row in files_of("other").values()], [pyarrow.parquet.read_metadata(path).num_rows],
                "rows after the whole one")


def test_two_devices_of_one_name():
    """Both are kept, and it is said."""
    about = {"device": "A", "session": "1", "split": "1"}
    for name, first in (("a.parquet", 0), ("b.parquet", 7)):
        table = pa.table({"n": pa.array(range(first, first + 10))}).replace_schema_metadata(about)
        pyarrow.parquet.write_table(table, name)
    result = collect("a.parquet", "b.parquet", "-o", "lake")
    check("b.parquet: it says it is raw/device=A/session=1/1.parquet, and has other rows: both are kept" in result.stdout, result.stdout)
    check_equal(sorted(files_of("lake")), ["raw/device=A/session=1/1-2.parquet", "raw/device=A/session=1/1.parquet"])
    before = contents("lake")
    collect("b.parquet", "a.parquet", "-o", "lake")
    check(contents("lake") == before, "another content")
    found = duckdb.sql("SELECT sum(n) FROM 'lake/raw/*/*/*.parquet'").fetchall()[0][0]
    check_equal(found, sum(range(10)) + sum(range(7, 17)))


def test_nested_columns_and_other_writers():
    table = pa.table({"list": [[1, 2], [], None, [None]] * 300, "point": [{"x": 1.5, "y": "a"}, None] * 600, "n": range(1200)})
    pyarrow.parquet.write_table(table, "nested.parquet", row_group_size=500)
    flat = pa.table({"text": ["a", None, "b" * 100_000] * 5, "when": pa.array(range(15), pa.timestamp("ns")),
                     "flag": [True, None, False] * 5, "few": pa.array([1, None, 3] * 5, pa.int8()),
                     "raw": pa.array([b"1234", None, b"abcd"] * 5, pa.binary(4)), "none": pa.nulls(15, pa.float64())})
    pyarrow.parquet.write_table(flat, "flat.parquet")
    collect("nested.parquet", "flat.parquet", "-o", "lake")
    for row in files_of("lake").values():
        found = pyarrow.parquet.ParquetFile(f"lake/{row['path']}").read()
        expected = table if row["source"] == "nested.parquet" else flat
        check(found.equals(expected), row["source"], found.schema)
    before = contents("lake")
    collect("flat.parquet", "nested.parquet", "-o", "lake")
    check(contents("lake") == before, "another content")


def test_a_card_image():
    sources, _ = make_fleet(devices=1, sessions=4)
    size = 16 << 20
    with open("card.img", "wb") as image:
        image.truncate(size)
    subprocess.run(["mkfs.fat", "-F", "16", "card.img"], check=True, capture_output=True)
    subprocess.run(["mcopy", "-s", "-i", "card.img", "fleet/LOG", "::"], check=True)
    collect("card.img", "-o", "lake")
    rows = sum(row["rows"] for row in files_of("lake").values())
    collect("fleet", "-o", "from_files")
    check_equal(rows, sum(row["rows"] for row in files_of("from_files").values()), "rows")
    check_equal(sorted(files_of("lake")), sorted(files_of("from_files")))
    check_equal({row["source"] for row in files_of("lake").values()}, {"card.img"})
    before = contents("lake")
    check("0 rows added" in collect("card.img", "fleet", "-o", "lake").stdout)
    check(contents("lake") == before, "another content")


@contextlib.contextmanager
def block_device(image):
    """A device whose blocks are those of a file; None where this is not permitted."""
    made = shutil.which("losetup") and subprocess.run(["losetup", "--find", "--show", "--read-only", image], capture_output=True, text=True)
    if not made or made.returncode != 0:
        yield None
        return
    try:
        yield made.stdout.strip()
    finally:
        subprocess.run(["losetup", "--detach", made.stdout.strip()], check=True)


def test_a_block_device():
    """The same bytes as an image and, where that is permitted, as a device: the same rows."""
    check_ok(run("made_log", "log.parquet", 3000, 500, 512, 1024, "in_place", "close"))
    with open("card.img", "wb") as image:
        image.write(bytes(4096) + pathlib.Path("log.parquet").read_bytes() + bytes(8192))
        image.truncate(512 << 10)
    collect("card.img", "-o", "lake")
    check_equal([row["rows"] for row in files_of("lake").values()], [3000], "rows of an image")
    with block_device("card.img") as device:
        if device is not None:
            output = collect(device, "-o", "lake").stdout
            check("1 there already" in output and "0 rows added" in output, output)
            collect(device, "-o", "other")
            check_equal([row["rows"] for row in files_of("other").values()], [3000], "rows of a device")


def stopped_in_the_middle(change, source, *sources):
    """The messages of a run whose `source` is changed when its first rows have been written, and not all."""
    while True:
        shutil.rmtree("lake", ignore_errors=True)
        process = subprocess.Popen(command("mpq", "collect", *sources, "-o", "lake"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        work = pathlib.Path("lake/.work/file.parquet")
        wait_until(lambda: process.poll() is not None or (work.exists() and work.stat().st_size > 0), "rows")
        process.send_signal(signal.SIGSTOP)
        changed = process.poll() is None and collected_files("lake") == 0
        if changed:
            change(source)
        process.send_signal(signal.SIGCONT)
        out, errors = process.communicate()
        if changed:
            return process.returncode, out + errors


def test_files_that_change_while_they_are_read():
    check_ok(run("made_log", "log.parquet", 400_000, 500, 512, 4096, "in_place", "close"))
    pyarrow.parquet.write_table(pa.table({"x": list(range(1000))}), "next.parquet")
    whole = pathlib.Path("log.parquet").read_bytes()

    def grow(path):
        with open(path, "ab") as file:
            file.write(bytes(512))

    code, said = stopped_in_the_middle(grow, "log.parquet", "log.parquet", "next.parquet")
    check_equal(code, 0, said)
    check("log.parquet: it changed while it was read; collect again for what has come since" in said, said)
    check_equal(sorted(row["rows"] for row in files_of("lake").values()), [1000, 400_000])

    pathlib.Path("log.parquet").write_bytes(whole)
    code, said = stopped_in_the_middle(lambda path: os.truncate(path, 1000), "log.parquet", "log.parquet", "next.parquet")
    check_equal(code, 1, said)
    check("log.parquet: it became shorter while it was read; collect again when nobody writes it" in said, said)
    check_equal([row["rows"] for row in files_of("lake").values()], [1000], "rows of the other file")
    check_equal([str(path) for path in pathlib.Path("lake/raw").rglob("*.part")], [])

    pathlib.Path("log.parquet").write_bytes(whole)
    code, said = stopped_in_the_middle(os.remove, "next.parquet", "log.parquet", "next.parquet")
    check_equal(code, 1, said)
    check("next.parquet: it is gone; collect again when it is there" in said, said)
    check_equal([row["rows"] for row in files_of("lake").values()], [400_000], "rows of the other file")


def test_what_is_no_log():
    pathlib.Path("empty").mkdir()
    check("empty: no log is in it" in collect("empty", "-o", "lake", code=1).stderr)
    pathlib.Path("text.parquet").write_text("no Parquet" * 100)
    make_fleet(devices=1, sessions=1)
    result = collect("gone.parquet", "text.parquet", "/dev/null", "fleet", "-o", "lake", code=1)
    for words in ("gone.parquet: it is gone", "text.parquet: it is no Parquet file", "/dev/null: it is no file and no block device"):
        check(words in result.stderr, words, result.stderr)
    check_equal(len(files_of("lake")), 1, "files, whatever else went wrong")


def test_what_is_no_lake():
    make_fleet(devices=1, sessions=1)
    pathlib.Path("other").mkdir()
    pathlib.Path("other/file").write_text("of somebody")
    check_refused(run("mpq", "collect", "fleet", "-o", "other"), "other: it is not empty, and was not made by mpq collect", code=2)
    check_equal(os.listdir("other"), ["file"])
    check_refused(run("mpq", "collect", "fleet", "-o", "other/file"), "it is no folder", code=2)
    collect("fleet", "-o", "lake")
    for version, words in (("2", "a later version of mpq made it"), ("0", "it does not say a version"), ("", "it does not say a version")):
        pathlib.Path("lake/.mpq_lake").write_text(version)
        check_refused(run("mpq", "collect", "fleet", "-o", "lake"), "lake", words, code=2)


def test_the_lake_among_its_sources():
    make_fleet(devices=1, sessions=2)
    collect(".", "-o", "lake")
    before = contents("lake")
    check(contents("lake") == before and "0 rows added" in collect(".", "-o", "lake").stdout)
    check_equal(contents("lake").keys(), before.keys())


def collected_files(lake):
    return sum(1 for _ in pathlib.Path(lake, "raw").rglob("*.parquet")) if pathlib.Path(lake, "raw").is_dir() else 0


def test_interrupted_at_any_moment():
    """Killed after random numbers of files, and repeated: the lake is that of one run."""
    sources, _ = make_fleet()
    collect("fleet", "-o", "whole")
    rounds = 40 if os.environ.get("MICROPARQUET_LONG") else 6
    chance = random.Random(11)
    interrupted = 0
    for _ in range(rounds):
        shutil.rmtree("lake", ignore_errors=True)
        while True:
            wanted = collected_files("lake") + chance.randrange(0, len(sources) // 2)
            process = subprocess.Popen(command("mpq", "collect", "fleet", "-o", "lake"), stdout=subprocess.DEVNULL)
            wait_until(lambda: process.poll() is not None or collected_files("lake") > wanted, "a file more")
            process.kill()
            if process.wait() == 0:
                break
            interrupted += 1
            for path in pathlib.Path("lake").rglob("*.parquet"):
                if ".work" not in path.parts:
                    pyarrow.parquet.read_metadata(path)
        check(contents("lake") == contents("whole"), "another lake than that of one run")
    check(interrupted > rounds, f"{interrupted} kills")


def test_a_full_disk():
    sources, _ = make_fleet(devices=2, sessions=8)
    with small_disk(300) as disk:
        if disk is not None:
            result = collect("fleet", "-o", disk / "lake", code=2)
            check("No space left on device" in result.stderr and "make space, and collect again" in result.stderr, result.stderr)
            check(collected_files(disk / "lake") > 0, "nothing was collected")
            for path in (disk / "lake").rglob("*.parquet"):
                pyarrow.parquet.read_metadata(path)
            shutil.copytree(disk / "lake", "lake")
    collect("fleet", "-o", "lake")
    check_lake("lake", sources)


def test_a_limit_on_the_size_of_files():
    sources, _ = make_fleet(devices=2, sessions=8)
    result = collect("fleet", "-o", "lake", code=2, preexec_fn=limit_files_to(40_000))
    check("File too large" in result.stderr and "make space, and collect again" in result.stderr, result.stderr)
    check_equal([str(path) for path in pathlib.Path("lake/.work").rglob("*")], [], "what was not finished")
    collect("fleet", "-o", "lake")
    check_lake("lake", sources)


def test_damaged_files_cost_what_is_damaged():
    make_fleet(devices=1, sessions=2, most_rows=40_000)
    paths = sorted(pathlib.Path("fleet").rglob("*.parquet"), key=os.path.getsize)
    rows = pyarrow.parquet.read_metadata(paths[-1]).num_rows
    data = bytearray(paths[-1].read_bytes())
    offset = pyarrow.parquet.read_metadata(paths[-1]).row_group(1).column(3).data_page_offset + 100
    data[offset] ^= 0xFF
    paths[-1].write_bytes(data)
    result = collect("fleet", "-o", "lake", code=1)
    check(str(paths[-1]) in result.stderr and "are damaged" in result.stderr, result.stderr)
    row = {row["source"]: row for row in files_of("lake").values()}[str(paths[-1])]
    check(0 < row["rows_lost"] < 500, row["rows_lost"])
    check_equal(row["rows"] + row["rows_lost"], rows)


def test_folders_that_cannot_be_looked_into():
    if os.geteuid() == 0:
        return  # who may look everywhere
    make_fleet(devices=2, sessions=1)
    os.chmod("fleet/LOG/6A1B0002", 0)
    try:
        result = collect("fleet", "-o", "lake", code=1)
    finally:
        os.chmod("fleet/LOG/6A1B0002", 0o755)
    check("fleet/LOG/6A1B0002: Permission denied; what is in it is not collected" in result.stderr, result.stderr)
    check_equal(len(files_of("lake")), 1)


def test_two_at_once():
    """The second one is refused as long as the first one runs."""
    make_fleet(devices=1, sessions=1)
    collect("fleet", "-o", "lake")
    with open("lake/.mpq_lake", "rb") as marker:
        fcntl.flock(marker, fcntl.LOCK_EX)
        check_refused(run("mpq", "collect", "fleet", "-o", "lake"), "another program is collecting into it", code=2)
