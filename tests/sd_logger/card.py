"""Images of SD cards, as mkfs.fat and mtools make and read them; of exFAT, mkfs.exfat and The Sleuth Kit."""
import os
import pathlib
import re
import subprocess

EXFAT = "exFAT"
PARTITION_MB = 16


def make(path, megabytes, fat, cluster_sectors=None):
    """A card of `megabytes`, a power of two, with a FAT file system of 16 or 32 bits, or EXFAT; takes the disk's space as it
    is used."""
    make_blank(path, megabytes)
    clusters = ["-s", str(cluster_sectors)] if cluster_sectors else []
    program = ["mkfs.exfat"] if fat == EXFAT else ["mkfs.fat", "-F", str(fat), *clusters]
    subprocess.run([*program, path], check=True, stdout=subprocess.DEVNULL)
    return path


def make_blank(path, megabytes):
    path.unlink(missing_ok=True)
    with path.open("wb") as file:
        file.truncate(megabytes << 20)
    return path


def copy_data(source, target, source_begin, target_begin, count):
    """Copies `count` bytes from one place to another, and leaves holes where the source has them."""
    with open(source, "rb") as from_file, open(target, "r+b") as to_file:
        at, end = source_begin, source_begin + count
        while at < end:
            try:
                at = os.lseek(from_file.fileno(), at, os.SEEK_DATA)
            except OSError:  # a hole up to the end
                return
            hole = min(os.lseek(from_file.fileno(), at, os.SEEK_HOLE), end)
            from_file.seek(at)
            to_file.seek(at - source_begin + target_begin)
            to_file.write(from_file.read(max(0, hole - at)))
            at = hole


def make_as_sold(path, megabytes):
    """A card above 32 GB as it comes from the shop: exFAT in the one partition of a table, 16 MB after its beginning."""
    volume = make(path.with_suffix(".volume"), megabytes - PARTITION_MB, EXFAT)
    make_blank(path, megabytes)
    copy_data(volume, path, 0, PARTITION_MB << 20, (megabytes - PARTITION_MB) << 20)
    volume.unlink()
    first, sectors = PARTITION_MB << 11, (megabytes - PARTITION_MB) << 11
    entry = bytes([0, 0xFE, 0xFF, 0xFF, 7, 0xFE, 0xFF, 0xFF]) + first.to_bytes(4, "little") + sectors.to_bytes(4, "little")
    with path.open("r+b") as file:
        file.seek(446)
        file.write(entry + bytes(48) + b"\x55\xAA")
    return path


def volume_as_sold(path):
    """The volume of a card of make_as_sold()."""
    volume = make_blank(path.with_suffix(".volume"), 0)
    count = path.stat().st_size - (PARTITION_MB << 20)
    with volume.open("r+b") as file:
        file.truncate(count)
    copy_data(path, volume, PARTITION_MB << 20, 0, count)
    return volume


def is_exfat(card):
    with card.open("rb") as image:
        return image.read(11)[3:] == b"EXFAT   "


def fill(card, free_bytes):
    """Leaves so much free, by a file that holds nothing."""
    listing = subprocess.run(["mdir", "-i", card, "::"], check=True, capture_output=True, text=True).stdout
    free = int("".join(filter(str.isdigit, listing.strip().splitlines()[-1])))
    filler = card.with_suffix(".filler")
    make_blank(filler, 0)
    with filler.open("r+b") as file:
        file.truncate(free - free_bytes)
    subprocess.run(["mcopy", "-i", card, filler, "::FILLER.BIN"], check=True)
    filler.unlink()


def exfat_files(card, folder="", number=None):
    """The files in a folder and below, and the number by which The Sleuth Kit knows each. It is asked of one folder after the
    other: of all at once it would look for those that are lost, too, in each sector of the card."""
    listing = subprocess.run(["fls", "-u", card, *([number] if number else [])], check=True, capture_output=True, text=True)
    for line in listing.stdout.splitlines():
        kind, number, name = re.fullmatch(r"(./.) (\d+):\t(.*)", line).groups()
        if kind == "d/d":
            yield from exfat_files(card, f"{folder}/{name}", number)
        elif kind == "r/r" and not name.startswith("$"):
            yield f"{folder}/{name}", number


def names(card):
    """Paths of all files on the card."""
    if is_exfat(card):
        return [name for name, _ in exfat_files(card)]
    listing = subprocess.run(["mdir", "-/", "-b", "-i", card, "::"], check=True, capture_output=True, text=True).stdout
    return [line[2:] for line in listing.splitlines() if line and not line.endswith("/")]


def copy_logs(card, folder):
    """The files of the card's log in their order, copied to `folder`: {"<session>/<split>": path}."""
    folder = pathlib.Path(folder)
    subprocess.run(["rm", "-rf", folder], check=True)
    folder.mkdir(parents=True)
    if is_exfat(card):
        for name, number in exfat_files(card):
            copy = folder / name[1:]
            copy.parent.mkdir(parents=True, exist_ok=True)
            with copy.open("wb") as file:
                subprocess.run(["icat", card, number], stdout=file, check=True)
    else:
        subprocess.run(["mcopy", "-s", "-n", "-i", card, "::LOG", folder], capture_output=True, check=False)
    files = sorted(folder.rglob("*.parquet"))
    return {f"{file.parent.name}/{file.stem}": file for file in files}


def sector_of(card, data):
    """The sector that holds these 512 bytes."""
    content = card.read_bytes()
    return next(i for i in range(len(content) // 512) if content[i * 512:i * 512 + 512] == data)
