"""mpq recover on images of media: files by their chains of clusters, and files that no folder knows any more."""
import os
import pathlib
import random
import re
import struct
import subprocess

from damage import make, numbers_of
from harness import SECONDS, check, check_equal, check_refused, run

MEGABYTE = 1 << 20
RANDOM = random.Random(1)


def tool(*words):
    subprocess.run(words, check=True, capture_output=True, timeout=SECONDS, env={**os.environ, "MTOOLS_SKIP_CHECK": "1", "LC_ALL": "C.UTF-8"})


def make_volume(path, fat_bits, megabytes, cluster_sectors):
    with open(path, "wb") as file:
        file.truncate(megabytes * MEGABYTE)
    tool("mkfs.fat", "-F", str(fat_bits), "-s", str(cluster_sectors), path)


def fill(path, count, size):
    """Files that have holes between them."""
    for i in range(count):
        pathlib.Path("junk").write_bytes(RANDOM.randbytes(size))
        tool("mcopy", "-i", path, "junk", f"::junk{i}")
    for i in range(0, count, 2):
        tool("mdel", "-i", path, f"::junk{i}")


def recover(*arguments, code=0):
    result = run("mpq", "recover", *arguments)
    check_equal(result.returncode, code, f"exit code, with {result.stdout!r} {result.stderr!r}")
    return result.stdout


def check_volume(fat_bits, megabytes, cluster_sectors):
    make_volume("card.img", fat_bits, megabytes, cluster_sectors)
    make("one.parquet", 3000, 0, "--rows-per-group", 500)
    make("two.parquet", 5000, 100_000, "--rows-per-group", 500)
    fill("card.img", 20, 30_000)
    tool("mmd", "-i", "card.img", "::logs")
    tool("mcopy", "-i", "card.img", "one.parquet", "::logs/A rather long name.parquet")
    tool("mcopy", "-i", "card.img", "two.parquet", "::two.parquet")
    os.makedirs("out", exist_ok=True)
    text = recover("card.img", "-o", "out", "--overwrite")
    check("LOGS/A rather long name.parquet" in text and "TWO.PAR" not in text, text)
    check_equal(numbers_of("out/A rather long name.parquet"), list(range(3000)))
    check_equal(numbers_of("out/two.parquet"), list(range(100_000, 105_000)))


def test_fat12():
    check_volume(12, 8, 8)


def test_fat16():
    check_volume(16, 32, 4)


def test_fat32():
    check_volume(32, 48, 1)


def test_a_partition():
    make_volume("volume", 16, 32, 4)
    make("one.parquet", 3000, 0, "--rows-per-group", 500)
    tool("mcopy", "-i", "volume", "one.parquet", "::one.parquet")
    entry = struct.pack("<B3sB3sII", 0, b"\0\0\0", 6, b"\0\0\0", 2048, 32 * MEGABYTE // 512)
    table = bytes(446) + entry + bytes(48) + b"\x55\xaa"
    pathlib.Path("card.img").write_bytes(table + bytes(2048 * 512 - 512) + pathlib.Path("volume").read_bytes())
    recover("card.img", "-o", "out.parquet")
    check_equal(numbers_of("out.parquet"), list(range(3000)))


def test_a_deleted_file_around_the_clusters_of_others():
    make_volume("card.img", 16, 32, 4)
    fill("card.img", 20, 30_000)
    make("one.parquet", 6000, 0, "--rows-per-group", 500)
    tool("mcopy", "-i", "card.img", "one.parquet", "::one.parquet")
    whole = pathlib.Path("one.parquet").read_bytes()
    check(whole not in pathlib.Path("card.img").read_bytes(), "the file lies in one piece")
    tool("mdel", "-i", "card.img", "::one.parquet")
    text = recover("card.img", "-o", "out.parquet")
    check("a file that no folder has" in text, text)
    check_equal(numbers_of("out.parquet"), list(range(6000)))


def test_a_size_that_was_never_published():
    """The folder's entry has the size of an early footer; later ones are in clusters of the chain."""
    make_volume("card.img", 16, 32, 4)
    data = make("one.parquet", 6000, 0, "--rows-per-group", 500)
    tool("mcopy", "-i", "card.img", "one.parquet", "::one.parquet")
    image = bytearray(pathlib.Path("card.img").read_bytes())
    entry = image.index(b"ONE~1   PAR")
    check_equal(struct.unpack_from("<I", image, entry + 28)[0], len(data))
    struct.pack_into("<I", image, entry + 28, 20_000)
    pathlib.Path("card.img").write_bytes(image)
    recover("card.img", "-o", "out.parquet")
    check_equal(numbers_of("out.parquet"), list(range(6000)))


def test_a_dump_without_a_file_system():
    data = make("one.parquet", 3000, 0, "--rows-per-group", 500)
    pathlib.Path("dump").write_bytes(RANDOM.randbytes(512 * 37) + data + RANDOM.randbytes(100_000))
    recover("dump", "-o", "out.parquet")
    check_equal(numbers_of("out.parquet"), list(range(3000)))


def test_an_older_file_under_a_newer_one():
    """A new log was begun where an old one had been; both have the same columns."""
    old = make("old.parquet", 9000, 500_000, "--rows-per-group", 500)
    new = make("new.parquet", 2000, 0, "--rows-per-group", 500)
    check(len(new) < len(old), "the old file ends first")
    for size in (len(new), len(new) // 2 // 512 * 512):
        pathlib.Path("dump").write_bytes(bytes(512) + new[:size] + old[size:])
        text = recover("dump", "--dry-run", code=run("mpq", "recover", "dump", "--dry-run").returncode)
        identifier = text.split("file id ")[1].split()[0]
        code = run("mpq", "recover", "dump", "-o", "out.parquet", "--overwrite", "--file-id", identifier).returncode
        check(code in (0, 1), code)
        numbers = numbers_of("out.parquet")
        check_equal(numbers, list(range(len(numbers))), "rows of the old file")


def test_nothing_on_an_image():
    make_volume("card.img", 16, 32, 4)
    pathlib.Path("hello").write_text("hello")
    tool("mcopy", "-i", "card.img", "hello", "::hello")
    check_refused(run("mpq", "recover", "card.img", "-o", "out.parquet"), "card.img", "no Parquet file", code=2)


def make_logs(names, rows=100):
    """A card with a log of its own under each name; the rows of the i-th begin with 1000 * i."""
    make_volume("card.img", 16, 32, 4)
    for i, name in enumerate(names):
        make("log", rows, 1000 * i)
        folder = os.path.dirname(name)
        if folder and not any(other.startswith(folder + "/") for other in names[:i]):
            tool("mmd", "-i", "card.img", f"::{folder}")
        tool("mcopy", "-i", "card.img", "log", f"::{name}")


def patch_entry(before, after):
    """Changes names of folders' entries on the card, all that there are."""
    image = pathlib.Path("card.img").read_bytes()
    check(before in image and len(before) == len(after), "no such entry", before)
    pathlib.Path("card.img").write_bytes(image.replace(before, after))


def check_logs(count, *options, rows=100):
    """Each of the logs is a file of its own in the folder out."""
    text = recover("card.img", "-o", "out", *options)
    files = sorted(path for path in pathlib.Path("out").rglob("*") if path.is_file())
    check_equal(len(files), count, f"files, {files} of {text}")
    begins = sorted(numbers_of(path)[0] for path in files)
    check_equal(begins, [1000 * i for i in range(count)], "the logs")
    check(all(len(numbers_of(path)) == rows for path in files), "rows")
    check_equal({line.split(" ")[-3].rstrip(",") for line in text.splitlines() if line.startswith("  written")},
                {str(path) for path in files}, "what was said to be written")
    return {path.name for path in files}


def test_logs_of_one_name_in_several_folders():
    make_logs(["A/log.parquet", "B/log.parquet", "C/log.parquet", "B/log-2.parquet", "A/other.parquet"])
    for options in ((), ("--overwrite",), ("--overwrite",)):
        pathlib.Path("out").mkdir(exist_ok=True)
        names = check_logs(5, *options)
        check_equal(names, {"log.parquet", "log-2.parquet", "log-3.parquet", "log-4.parquet", "other.parquet"}, "names")
    text = recover("card.img", "-o", "out", "--dry-run")
    check_equal({line.split(" ")[-1] for line in text.splitlines() if "would write" in line}, {f"out/{name}" for name in names})


def test_logs_whose_names_differ_in_case_only():
    make_logs(["LOGS/Log.parquet", "LOGT/log.parquet", "LOGU/LOG.PARQUET", "LOGU/\u00dcber.parquet", "LOGS/\u00fcber.parquet"])
    patch_entry(b"LOGT       \x10", b"logs       \x10")
    os.mkdir("out")
    names = check_logs(5)
    check_equal(len({name.casefold() for name in names}), 5, names)
    check_equal({name for name in names if name.isascii()}, {"Log.parquet", "log-2.parquet", "LOG-3.PARQUET"}, "names")


def test_names_of_letters_beyond_two_bytes():
    """Also where its halves lie in two parts of the name, of 13 letters each. mcopy has no such letters."""
    make_logs(["A/\u00e9\u6f22yz.parquet", "A/abcdefghijklqw.parquet"])
    high, low = b"\x3d\xd8", b"\x42\xde"
    for before, after in ((b"y\0z\0", high + low), (b"l\0q\0", b"l\0" + high), (b"w\0.\0", low + b".\0")):
        patch_entry(before, after)
    os.mkdir("out")
    check_equal(check_logs(2), {"\u00e9\u6f22\U0001f642.parquet", "abcdefghijkl\U0001f642.parquet"}, "names")


def test_a_log_that_is_called_as_another_one_while_it_is_written():
    for one, other in (("A/log.parquet", "B/log.parquet.part"), ("B/log.parquet.part", "A/log.parquet")):
        make_logs([one, other])
        os.makedirs("out", exist_ok=True)
        for path in pathlib.Path("out").iterdir():
            path.unlink()
        check_logs(2)


def test_names_that_no_file_should_have():
    """An image that somebody made may have such names: escapes, line breaks, a folder's slash, "..", more letters than a name
    may have."""
    make_logs(["A/abcdefgh.parquet", "A/ijklmnop.parquet", "B/abcdefgh.parquet", "D/" + "z" * 120 + "1.pqt", "D/" + "z" * 120 + "2.pqt",
               "E/XY.PQT"])

    def rename(before, after):
        """The first part of a long name has its first five characters, and the next six."""
        for part in (slice(0, 5), slice(5, 11)):
            patch_entry(before[part].encode("utf-16-le"), after[part].encode("utf-16-le"))
    rename("abcdefgh.pa", "\x1b[31m\n/\x07\x9b.p")
    rename("ijklmnop.pa", "../..\u202e/x\u2028.p")
    patch_entry(b"XY      PQT", b"..\r\n       ")
    image = pathlib.Path("card.img").read_bytes()
    image = re.sub(rb"(?:z\0){2,}", lambda letters: "\u65e5".encode("utf-16-le") * (len(letters[0]) // 2), image)
    pathlib.Path("card.img").write_bytes(image)
    os.mkdir("out")
    beside = set(os.listdir("."))
    names = check_logs(6)
    check(all(name.isprintable() for name in names), names)
    check_equal(len([name for name in names if name.startswith("\u65e5")]), 2, names)
    check_equal(set(os.listdir(".")), beside, "what lies beside the folder")


def test_nothing_is_written_before_all_names_are_known():
    make_logs(["A/one.parquet", "A/two.parquet", "B/one.parquet"])
    os.mkdir("out")
    pathlib.Path("out/two.parquet").write_text("somebody else's")
    check_refused(run("mpq", "recover", "card.img", "-o", "out"), "out/two.parquet", "--overwrite", code=2)
    check_equal(os.listdir("out"), ["two.parquet"])
    check_equal(pathlib.Path("out/two.parquet").read_text(), "somebody else's")
    check_logs(3, "--overwrite")
    pathlib.Path("out/one.parquet").unlink()
    pathlib.Path("out/one.parquet").mkdir()
    check_refused(run("mpq", "recover", "card.img", "-o", "out", "--overwrite"), "out/one.parquet", "no file", code=2)
