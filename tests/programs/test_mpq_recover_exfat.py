"""mpq recover on images with exFAT, made by hand: files by their entries, torn and deleted ones too, and volumes that lie."""
import os
import pathlib
import struct
import subprocess

import exfat_image
from damage import check_ascending, chooser, make, numbers_of
from exfat_image import CONTIGUOUS, FILE, FOLDER, TABLE, Volume, delete, entry_set
from harness import SECONDS, check, check_equal, run

ROWS = 2000


def log(first=0, rows=ROWS):
    return make("log", rows, first, "--rows-per-group", 500)


def recover(image, code=0):
    """What mpq says, and the numbers of each file's rows: {name: numbers}."""
    pathlib.Path("card.img").write_bytes(image)
    os.makedirs("out", exist_ok=True)
    for path in pathlib.Path("out").iterdir():
        path.unlink()
    result = run("mpq", "recover", "card.img", "-o", "out")
    check_equal(result.returncode, code, f"exit code, with {result.stdout!r} {result.stderr!r}")
    return result.stdout, {path.name: numbers_of(path) for path in pathlib.Path("out").iterdir()}


def check_logs(found, **logs):
    """Each log has all its rows, which begin with the number that is given for it."""
    expected = {name + ".parquet": list(range(first, first + ROWS)) for name, first in logs.items()}
    check_equal({name: numbers[:1] for name, numbers in found.items()}, {name: numbers[:1] for name, numbers in expected.items()})
    check(found == expected, "rows", {name: len(numbers) for name, numbers in found.items()})


def fsck(image, option="-n"):
    """What fsck.exfat makes of it, and says."""
    pathlib.Path("checked.img").write_bytes(image)
    said = subprocess.run(["fsck.exfat", option, "checked.img"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, timeout=SECONDS)
    return pathlib.Path("checked.img").read_bytes(), said.stdout


def two_logs(volume, **flags):
    """One in one piece, and one whose pieces lie in the order of the table."""
    folder = volume.add_folder(volume.add_folder(volume.root, "LOG"), "00001", **flags)
    volume.add(folder, "one.parquet", log())
    volume.add(folder, "two.parquet", log(100_000), spread=True)
    return folder


def test_sectors_and_clusters_of_all_sizes():
    for sector, cluster in ((512, 512), (1024, 4096), (2048, 2048), (4096, 32768)):
        volume = Volume(max(600, (1 << 20) // cluster), sector, cluster)
        two_logs(volume)
        image = volume.image()
        check(": clean." in fsck(image)[1], "the image that the test makes", fsck(image)[1])
        text, found = recover(image)
        check("LOG/00001/one.parquet" in text and "entry" not in text, text)
        check_logs(found, one=0, two=100_000)


def test_folders_of_several_clusters_and_long_names():
    """The folder is in one piece, or in pieces; sets lie across two clusters."""
    for flags, spread in ((CONTIGUOUS, False), (TABLE, True)):
        volume = Volume()
        folder = volume.add_folder(volume.add_folder(volume.root, "a" * 255), "\u65e5\U0001f642 \x1b[31m", flags, spread)
        for i in range(100):
            volume.add(folder, f"empty {i:03}, which has a name of two entries", b"")
        volume.add(folder, "z" * 100 + "\u00e9.parquet", log(), spread=True)
        text, found = recover(volume.image())
        check(f"{'a' * 255}/\u65e5\U0001f642 ?[31m/zzz" in text, text)
        check_logs(found, **{"z" * 100 + "\u00e9": 0})


def partition(kind, first, sectors):
    return struct.pack("<B3sB3sII", 0, b"\0\0\0", kind, b"\0\0\0", first, sectors)


def test_a_partition_beside_one_of_ntfs():
    """Both are of type 07."""
    volume = Volume(before=1 << 20)
    two_logs(volume)
    image = volume.image()
    table = bytes(446) + partition(7, 64, 1024) + partition(7, 2048, len(image) // 512) + bytes(32) + b"\x55\xaa"
    ntfs = b"\xeb\x52\x90NTFS    " + struct.pack("<HB", 512, 8) + bytes(496) + b"\x55\xaa"
    head = table + bytes(63 * 512) + ntfs
    text, found = recover(head + bytes((1 << 20) - len(head)) + image)
    check("LOG/00001/one.parquet" in text, text)
    check_logs(found, one=0, two=100_000)


def test_partitions_of_a_gpt():
    """With sectors of 512 and of 4,096, by the first table and by the one at the end."""
    for sector in (512, 4096):
        volume = Volume(sector=sector, before=1 << 20)
        two_logs(volume)
        image = volume.image()
        entry = bytes(range(1, 33)) + struct.pack("<QQQ72s", (1 << 20) // sector, ((1 << 20) + len(image)) // sector - 1, 0, b"")
        entries = (entry + bytes(128 * 127)).ljust(-(-128 * 128 // sector) * sector, b"\0")

        def header(at, table, size=sector):
            fields = (b"EFI PART", 1 << 16, 92, 0, 0, at, 0, 34, 0, b"", table, 128, 128, 0)
            return struct.pack("<8sIIIIQQQQ16sQIII", *fields).ljust(size, b"\0")

        behind = ((1 << 20) + len(image)) // sector
        tail = entries + header(behind + len(entries) // sector, behind)
        first = (bytes(446) + partition(0xEE, 1, 0xFFFFFFFF) + bytes(48) + b"\x55\xaa").ljust(sector, b"\0")
        for head, end in ((first + header(1, 2) + entries, b""), (first, tail), (bytes(sector), tail)):
            text, found = recover(head.ljust(1 << 20, b"\0") + image + end)
            check("LOG/00001/one.parquet" in text, text)
            check_logs(found, one=0, two=100_000)


def test_a_large_card_of_which_the_dump_has_holes():
    """A partition after 8 GiB that the disk does not have, and a log without an entry between two holes after it."""
    volume = Volume(before=8 << 30)
    two_logs(volume)
    data = log(200_000)
    with open("sparse.img", "wb") as image:
        image.write(bytes(446) + partition(7, (8 << 30) // 512, 1 << 20) + bytes(48) + b"\x55\xaa")
        image.seek(8 << 30)
        image.write(volume.image())
        image.seek((12 << 30) + 512)
        image.write(data)
        image.truncate(16 << 30)
    os.mkdir("out")
    result = run("mpq", "recover", "sparse.img", "-o", "out")
    check("LOG/00001/one.parquet" in result.stdout and "a file that no folder has" in result.stdout, result)
    check_equal(sorted(numbers_of(path)[0] for path in pathlib.Path("out").iterdir()), [0, 100_000, 200_000])


def test_a_boot_region_that_is_damaged():
    for sector in (512, 4096):
        volume = Volume(sector=sector)
        two_logs(volume)
        whole = volume.image()
        region = exfat_image.BOOT_SECTORS * sector
        for first, what in ((bytes(whole[:88]) + b"\xff" * 8 + whole[96:region], "its backup is read"),
                            (b"\xff" * sector + whole[sector:region], "its backup is read"), (bytes(region), "its backup is read")):
            text, found = recover(first + whole[region:])
            check(what in text, text)
            check_logs(found, one=0, two=100_000)
        text, found = recover(whole[:11 * sector] + bytes(sector + region) + whole[2 * region:])
        check("has no backup" in text, text)
        check_logs(found, one=0, two=100_000)


def add_set(volume, change, data, name="one.parquet", spread=False):
    """A file in the root, whose entries are those that `change` makes of the sound ones."""
    at = len(volume.root.entries)
    numbers = volume.add(volume.root, name, data, spread)
    volume.root.entries[at:] = change(bytes(volume.root.entries[at:]))
    return numbers


def torn(entries):
    """The first entry is of another time than the others."""
    return entries[:2] + bytes(a ^ 0x55 for a in entries[2:4]) + entries[4:]


def test_entries_that_are_torn_or_deleted():
    for change, what in ((torn, "is torn"), (delete, "is a deleted one"), (lambda entries: entries[32:], "is torn"),
                         (lambda entries: delete(entries[:32]) + entries[32:], "is a deleted one")):
        for spread in (False, True):
            volume = Volume()
            volume.add(volume.root, "sound.parquet", log(100_000), spread=True)
            add_set(volume, change, log(), spread=spread)
            text, found = recover(volume.image())
            check(what in text and "its entry at byte " in text, text)
            check_logs(found, one=0, sound=100_000)


def test_entries_without_a_name():
    """The first cluster is known, and its chain; the set has fewer names than it counts."""
    volume = Volume()
    add_set(volume, lambda entries: entries[:64], log(), spread=True)
    text, found = recover(volume.image())
    check("a file that no folder has" in text, text)
    check_equal([len(numbers) for numbers in found.values()], [ROWS])


def test_a_deleted_log_whose_clusters_are_another_ones():
    """A renamed log has its old set, too. The deleted one's name is not for rows of another file."""
    volume = Volume()
    numbers = volume.add(volume.root, "new.parquet", log(), spread=False)
    volume.root.entries += delete(entry_set("old.parquet", FILE, CONTIGUOUS, numbers[0], 5 * volume.cluster))
    volume.root.entries += delete(entry_set("inside.parquet", FILE, CONTIGUOUS, numbers[1], 5 * volume.cluster))
    text, found = recover(volume.image())
    check("old" not in text and "inside" not in text, text)
    check_logs(found, new=0)


def test_logs_in_a_folder_that_is_torn_or_deleted():
    for change, what in ((torn, "folder /LOG/: its entry at byte "), (delete, "is a deleted one")):
        volume = Volume()
        folder = exfat_image.Folder()
        volume.add(folder, "one.parquet", log(), spread=True)
        numbers = volume.settle(folder)
        volume.root.entries += change(entry_set("LOG", FOLDER, TABLE, numbers[0], volume.cluster))
        text, found = recover(volume.image())
        check(what in text and "LOG/one.parquet" in text, text)
        check_logs(found, one=0)


def test_a_chain_of_which_no_entry_is_left():
    volume = Volume()
    numbers = volume.take(len(log()), spread=True)
    volume.fill(numbers, log())
    text, found = recover(volume.image())
    check("a file that no folder has" in text, text)
    check_equal([len(numbers) for numbers in found.values()], [ROWS])


def test_sizes_that_do_not_say_all():
    """Clusters that are taken and nobody else's follow those of the size; a size may also be of bytes that were never written."""
    data = log()
    for spread in (False, True):
        for lengths, what in (({"length": 9000}, ""), ({"length": 0}, ""), ({"written": 9000}, "says that 9000 bytes are written")):
            volume = Volume()
            volume.add(volume.root, "one.parquet", data, spread, **lengths)
            volume.add(volume.root, "other.bin", bytes(3 * volume.cluster))
            text, found = recover(volume.image())
            check(what in text, text)
            check_logs(found, one=0)


def test_after_fsck():
    """fsck.exfat rounds the size of a log in pieces up to its chain, and deletes a set with a wrong checksum."""
    data = log()
    for option in ("-p", "-y"):
        volume = Volume()
        numbers = volume.add(volume.root, "one.parquet", data + bytes(2 * volume.cluster), spread=True, length=len(data))
        add_set(volume, torn, log(100_000), "two.parquet", spread=True)
        image, said = fsck(volume.image(), option)
        size = struct.unpack_from("<Q", image, image.index(b"\xc0\1\0\x0b") + 24)[0]
        check(size > len(data) and size % volume.cluster == 0, f"fsck has not rounded the size: {size}", said)
        text, found = recover(image)
        check("is a deleted one" in text, text)
        check_logs(found, one=0, two=100_000)
        rounded = b"".join(image[volume.place(n):volume.place(n) + volume.cluster] for n in numbers)[:size]
        pathlib.Path("one.parquet").write_bytes(rounded)
        check_equal(run("mpq", "recover", "one.parquet").returncode, 0)
        check_equal(numbers_of("one.parquet"), list(range(ROWS)))


def test_an_image_that_ends_early():
    """Of the log at its end that comes back which lies before it."""
    volume = Volume()
    root = volume.take(volume.cluster)
    numbers = volume.add(volume.root, "two.parquet", log(100_000))
    volume.give_back(root)
    image = volume.image()
    check_equal(volume.root_cluster, root[0])
    text, found = recover(image[:volume.place(numbers[-5])], code=1)
    check(f"cluster {numbers[-5]}, after {len(numbers) - 5} of {len(numbers)}, lies beyond the end of the image" in text, text)
    check(0 < len(found["two.parquet"]) < ROWS, len(found["two.parquet"]))


def test_volumes_that_lie():
    """Each ends soon, says at which place, and what is sound comes back."""

    def circle(volume, numbers):
        volume.table[numbers[3]] = numbers[1]

    def nowhere(volume, numbers):
        volume.table[numbers[3]] = volume.clusters + 2

    def one(volume, numbers):
        volume.table[numbers[3]] = 1

    data = log()
    for lie, what in ((circle, "comes twice, after 4 of "), (nowhere, "is none that the volume has"),
                      (one, "its chain ends after 4 of ")):
        volume = Volume()
        volume.add(volume.root, "sound.parquet", log(100_000), spread=True)
        lie(volume, volume.add(volume.root, "other.parquet", data, spread=True))
        text, found = recover(volume.image(), code=1)
        check(what in text and "by its entry at byte " in text, text)
        check_equal(found["sound.parquet"], list(range(100_000, 100_000 + ROWS)))
    for length in (2**64 - 1, 2**63, 10**9):
        for flags in (CONTIGUOUS, TABLE):
            volume = Volume()
            numbers = volume.take(len(data), flags=flags)
            volume.fill(numbers, data)
            volume.add_set(volume.root, "one.parquet", FILE, flags, numbers[0], length)
            volume.add_set(volume.root, "folder", FOLDER, flags, numbers[0], length)
            volume.add_set(volume.root, "bin", FILE, flags, 0xFFFFFFF0, length)
            volume.add_set(volume.root, "file", FILE, flags, 1, length)
            text, found = recover(volume.image())
            check_logs(found, one=0)


def test_folders_that_run_in_a_circle():
    volume = Volume()
    volume.add(volume.root, "one.parquet", log())
    inner = exfat_image.Folder(CONTIGUOUS)
    numbers = volume.take(volume.cluster)
    inner.entries += entry_set("again", FOLDER, CONTIGUOUS, numbers[0], volume.cluster)
    volume.fill(numbers, bytes(inner.entries))
    volume.add_set(volume.root, "folder", FOLDER, CONTIGUOUS, numbers[0], volume.cluster)
    volume.add_set(volume.root, "long", FOLDER, CONTIGUOUS, numbers[0] + 1, 2**64 - 1)
    image = bytearray(volume.image())
    for following in (exfat_image.END, volume.root_cluster):
        struct.pack_into("<I", image, volume.table_at + 4 * volume.root_cluster, following)
        text, found = recover(bytes(image))
        check("folder /folder/again/: its cluster at byte " in text and "is a folder's already" in text, text)
        check_logs(found, one=0)


def test_volumes_changed_at_random():
    """Any byte of boot regions, table, bitmap and folders: it ends, and each row that comes back is one of a log."""
    random_choices = chooser(4)
    volume = Volume(300)
    two_logs(volume)
    whole = volume.image()
    folders = [volume.place(n) for n in range(2, 302) if b"\x85\3" in whole[volume.place(n):volume.place(n) + 512]]
    places = [*range(512), *range(volume.table_at, volume.table_at + 1200)] + [at + i for at in folders for i in range(256)]
    check(len(places) > 1700, "a table, and folders")
    os.makedirs("out")
    for _ in range(30):
        image = bytearray(whole)
        for _ in range(random_choices.choice((1, 3, 10))):
            image[random_choices.choice(places)] = random_choices.choice((0, 1, 0x7F, 0xFF, random_choices.randrange(256)))
        pathlib.Path("card.img").write_bytes(image)
        result = run("mpq", "recover", "card.img", "-o", "out")
        check(result.returncode in (0, 1, 2), result)
        for path in pathlib.Path("out").iterdir():
            numbers = numbers_of(path)
            check_ascending(numbers)
            check(len({n >= 100_000 for n in numbers}) <= 1, "rows of two logs")
            path.unlink()

