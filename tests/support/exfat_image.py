"""Makes exFAT volumes by hand, byte by byte as Microsoft's specification has them, sound ones and ones that are not."""
import pathlib
import struct
import sys

BOOT_SECTORS = 12
FIRST = 2  # number of the first cluster
END = 0xFFFFFFFF
CONTIGUOUS, TABLE = 3, 1  # flags of an entry
FOLDER, FILE = 0x10, 0x20


def boot_checksum(sectors):
    total = 0
    for i, byte in enumerate(sectors):
        if i not in (106, 107, 112):
            total = ((total << 31 | total >> 1) + byte) & 0xFFFFFFFF
    return total


def table_checksum(data):
    total = 0
    for byte in data:
        total = ((total << 31 | total >> 1) + byte) & 0xFFFFFFFF
    return total


def set_checksum(entries):
    total = 0
    for i, byte in enumerate(entries):
        if i not in (2, 3):
            total = ((total << 15 | total >> 1) + byte) & 0xFFFF
    return total


def upper(unit):
    return unit - 32 if ord("a") <= unit <= ord("z") else unit


def units_of(name):
    data = name.encode("utf-16-le", "surrogatepass")
    return struct.unpack(f"<{len(data) // 2}H", data)


def name_hash(name):
    total = 0
    for unit in units_of(name):
        for byte in struct.pack("<H", upper(unit)):
            total = ((total << 15 | total >> 1) + byte) & 0xFFFF
    return total


# Every unit is its own capital letter but a to z.
UPCASE = struct.pack("<2H26H2H", 0xFFFF, ord("a"), *range(ord("A"), ord("Z") + 1), 0xFFFF, 0x10000 - ord("z") - 1)


def entry_set(name, attributes, flags, first, length, written=None):
    """The entries of a file or folder."""
    units = units_of(name)
    names = [b"\xc1\0" + struct.pack("<15H", *(units[i:i + 15] + (0,) * 15)[:15]) for i in range(0, len(units), 15)]
    stream = struct.pack("<BBBBHHQIIQ", 0xC0, flags, 0, len(units), name_hash(name), 0, length if written is None else written, 0,
                         first, length)
    date = 0x5C210000
    head = struct.pack("<BBHHHIII", 0x85, 1 + len(names), 0, attributes, 0, date, date, date) + bytes(12)
    entries = bytearray(head + stream + b"".join(names))
    struct.pack_into("<H", entries, 2, set_checksum(entries))
    return bytes(entries)


class Folder:
    """Entries, and the folders among them by where their sets stand."""

    def __init__(self, flags=TABLE, spread=False):
        self.entries, self.folders, self.flags, self.spread = bytearray(), [], flags, spread


class Volume:
    """A volume of that many clusters; image() is its bytes."""

    def __init__(self, clusters=500, sector=512, cluster=4096, before=0):
        self.sector, self.cluster, self.clusters, self.before = sector, cluster, clusters, before
        self.table = [0xFFFFFFF8, END] + [0] * clusters
        self.taken = [False] * clusters
        table_sectors = -(-4 * (clusters + 2) // sector)
        self.table_at = 2 * BOOT_SECTORS * sector
        self.heap_at = -(-(2 * BOOT_SECTORS + table_sectors) * sector // cluster) * cluster
        self.data = bytearray(self.heap_at + clusters * cluster)
        self.root, self.root_cluster = Folder(TABLE), 0
        self.bitmap = self.take(-(-clusters // 8))
        self.upcase = self.take(len(UPCASE))

    def place(self, cluster):
        return self.heap_at + (cluster - FIRST) * self.cluster

    def take(self, length, spread=False, flags=TABLE):
        """Free clusters for that many bytes: the first ones, or every other one, the last first; linked in the table."""
        count = -(-length // self.cluster)
        free = [i for i in range(self.clusters) if not self.taken[i]]
        chosen = free[::-2][:count] if spread else free[:count]
        for i in chosen:
            self.taken[i] = True
        numbers = [i + FIRST for i in chosen]
        if flags == TABLE:
            for this, after in zip(numbers, numbers[1:] + [END]):
                self.table[this] = after
        return numbers

    def give_back(self, numbers):
        for number in numbers:
            self.taken[number - FIRST], self.table[number] = False, 0

    def fill(self, numbers, data):
        for i, number in enumerate(numbers):
            piece = data[i * self.cluster:(i + 1) * self.cluster]
            self.data[self.place(number):self.place(number) + len(piece)] = piece

    def add(self, folder, name, data, spread=False, **lengths):
        """A file; spread: in pieces, whose chain is in the table. Returns its clusters."""
        flags = TABLE if spread or not data else CONTIGUOUS
        numbers = self.take(len(data), spread, flags)
        self.fill(numbers, data)
        first, length = numbers[0] if numbers else 0, lengths.get("length", len(data))
        self.add_set(folder, name, FILE, flags, first, length, lengths.get("written"))
        return numbers

    def add_set(self, folder, *fields):
        folder.entries += entry_set(*fields)

    def add_folder(self, parent, name, flags=TABLE, spread=False):
        folder = Folder(flags, spread)
        parent.folders.append((len(parent.entries), name, folder))
        self.add_set(parent, name, FOLDER, flags, 0, 0)
        return folder

    def settle(self, folder, head=b""):
        """Gives a folder its clusters, those below it first."""
        for at, name, inner in folder.folders:
            numbers = self.settle(inner)
            entries = entry_set(name, FOLDER, inner.flags, numbers[0], len(numbers) * self.cluster)
            folder.entries[at:at + len(entries)] = entries
        data = head + bytes(folder.entries)
        numbers = self.take(max(1, len(data)), folder.spread, folder.flags)
        self.fill(numbers, data)
        return numbers

    def boot_region(self, root):
        sectors = bytearray(self.sector * BOOT_SECTORS)
        shift = self.sector.bit_length() - 1
        heap, table = self.heap_at // self.sector, self.table_at // self.sector
        struct.pack_into("<3s8s53xQQIIIIIIHHBBBBB", sectors, 0, b"\xeb\x76\x90", b"EXFAT   ", self.before // self.sector,
                         len(self.data) // self.sector, table, heap - table, heap, self.clusters, root, 0x1234, 0x100, 0, shift,
                         self.cluster.bit_length() - 1 - shift, 1, 0x80, 0xFF)
        struct.pack_into("<H", sectors, 510, 0xAA55)
        for i in range(1, 9):
            struct.pack_into("<I", sectors, (i + 1) * self.sector - 4, 0xAA550000)
        checksum = struct.pack("<I", boot_checksum(sectors[:11 * self.sector]))
        sectors[11 * self.sector:] = checksum * (self.sector // 4)
        return bytes(sectors)

    def image(self):
        tables = struct.pack("<BB18xIQ", 0x81, 0, self.bitmap[0], -(-self.clusters // 8)) + \
            struct.pack("<B3xI12xIQ", 0x82, table_checksum(UPCASE), self.upcase[0], len(UPCASE))
        self.root_cluster = self.settle(self.root, tables)[0]
        bits = bytearray(-(-self.clusters // 8))
        for i, taken in enumerate(self.taken):
            bits[i // 8] |= taken << i % 8
        self.fill(self.bitmap, bits)
        self.fill(self.upcase, UPCASE)
        boot = self.boot_region(self.root_cluster)
        self.data[:2 * len(boot)] = boot * 2
        self.data[self.table_at:self.table_at + 4 * len(self.table)] = struct.pack(f"<{len(self.table)}I", *self.table)
        return bytes(self.data)


def delete(entries):
    """What FatFs, fsck and Windows leave of a set: its types without the bit that says that they are in use."""
    entries = bytearray(entries)
    for at in range(0, len(entries), 32):
        entries[at] &= 0x7F
    return bytes(entries)


def main():
    """exfat_image.py IMAGE LOG: a small volume with the log in one piece, in pieces, torn and deleted."""
    data = pathlib.Path(sys.argv[2]).read_bytes()
    volume = Volume(4 * len(data) // 512 + 60, 512, 512)
    folder = volume.add_folder(volume.root, "LOG", CONTIGUOUS)
    volume.add(folder, "one.parquet", data)
    volume.add(folder, "two.parquet", data, spread=True)
    begin = len(folder.entries)
    volume.add(folder, "three.parquet", data, spread=True)
    folder.entries[begin + 2] ^= 1
    volume.root.entries += delete(folder.entries[:begin])
    pathlib.Path(sys.argv[1]).write_bytes(volume.image())


if __name__ == "__main__":
    main()
