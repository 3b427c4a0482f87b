"""Parquet files that ask for much with few bytes: columns, key-values, widths and nulls by the ten thousand."""
import pathlib
import struct
import sys

import pyarrow.parquet

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checker"))

import tiny_writer  # noqa: E402  (beside the checker)

INT32, BYTE_ARRAY, FIXED = 1, 6, 7
REQUIRED, OPTIONAL, REPEATED = 0, 1, 2
MAP, LIST = 1, 3


def leaf(number, kind=INT32, repetition=REQUIRED, **more):
    return {"name": f"c{number}", "type": kind, "repetition_type": repetition, **more}


def page(body, values, encoding=0, size=None):
    """`size`: what it is said to be before compression."""
    return tiny_writer.encode_struct("PageHeader", {
        "type": 0, "uncompressed_page_size": len(body) if size is None else size, "compressed_page_size": len(body),
        "data_page_header": {"num_values": values, "encoding": encoding, "definition_level_encoding": 3,
                             "repetition_level_encoding": 3}}) + body


def dictionary_page(body, values):
    return tiny_writer.encode_struct("PageHeader", {
        "type": 2, "uncompressed_page_size": len(body), "compressed_page_size": len(body),
        "dictionary_page_header": {"num_values": values, "encoding": 0}}) + body


class File:
    """Put together chunk by chunk."""

    def __init__(self, leaves, codec=0):
        self.leaves, self.data, self.groups, self.rows, self.codec = leaves, bytearray(b"PAR1"), [], 0, codec

    def add_row_group(self, chunks, rows):
        """`chunks`: of each column its pages."""
        columns = []
        for element, pages in zip(self.leaves, chunks):
            columns.append({"file_offset": 0, "meta_data": {
                "type": element["type"], "encodings": [0, 3, 8], "path_in_schema": [element["name"]], "codec": self.codec,
                "num_values": rows, "total_uncompressed_size": len(pages), "total_compressed_size": len(pages),
                "data_page_offset": len(self.data)}})
            self.data += pages
        self.groups.append({"columns": columns, "total_byte_size": sum(map(len, chunks)), "num_rows": rows})
        self.rows += rows

    def write(self, path, key_values=()):
        root = {"name": "schema", "num_children": len(self.leaves)}
        footer = {"version": 1, "schema": [root, *self.leaves], "num_rows": self.rows, "row_groups": self.groups}
        if key_values:
            footer["key_value_metadata"] = key_values
        encoded = tiny_writer.encode_struct("FileMetaData", footer)
        pathlib.Path(path).write_bytes(self.data + encoded + struct.pack("<I", len(encoded)) + b"PAR1")


def group(name, repetition, children, converted=None):
    return {"name": name, "repetition_type": repetition, "num_children": children,
            **({} if converted is None else {"converted_type": converted})}


def levels(numbers):
    """Each a run of its own, after their length."""
    runs = b"".join(bytes([2, number]) for number in numbers)
    return struct.pack("<I", len(runs)) + runs


def nested(path, schema, columns, rows):
    """`columns`: of each leaf its path, whether it is repeated, and its items: repetition, definition, and a value or None."""
    data, chunks = bytearray(b"PAR1"), []
    for names, repeated, items in columns:
        body = (levels(item[0] for item in items) if repeated else b"") + levels(item[1] for item in items)
        whole = page(body + b"".join(struct.pack("<i", item[2]) for item in items if item[2] is not None), len(items))
        chunks.append({"file_offset": 0, "meta_data": {
            "type": INT32, "encodings": [0, 3], "path_in_schema": names.split("."), "codec": 0, "num_values": len(items),
            "total_uncompressed_size": len(whole), "total_compressed_size": len(whole), "data_page_offset": len(data)}})
        data += whole
    groups = [{"columns": chunks, "total_byte_size": len(data), "num_rows": rows}]
    encoded = tiny_writer.encode_struct("FileMetaData", {"version": 1, "schema": schema, "num_rows": rows, "row_groups": groups})
    pathlib.Path(path).write_bytes(data + encoded + struct.pack("<I", len(encoded)) + b"PAR1")


def wide(path, columns, row_groups=1):
    """An honest file, with a row in each row group."""
    table = pyarrow.table({f"c{i}": pyarrow.array([i] * row_groups, pyarrow.int32()) for i in range(columns)})
    pyarrow.parquet.write_table(table, path, row_group_size=1, compression="none", use_dictionary=False)


def bare(path, columns):
    """No row, and names of no letter."""
    element = tiny_writer.encode_struct("SchemaElement", {"name": "", "type": INT32, "repetition_type": REQUIRED})
    File([tiny_writer.Encoded(element)] * columns).write(path)


def in_two_groups(path, columns):
    """No row; each of two groups has half of the columns."""
    element = tiny_writer.Encoded(tiny_writer.encode_struct("SchemaElement", {"name": "c", "type": INT32, "repetition_type": REQUIRED}))
    halves = [columns // 2, columns - columns // 2]
    schema = [{"name": "schema", "num_children": 2}]
    for name, half in zip("ab", halves):
        schema += [group(name, REQUIRED, half), *[element] * half]
    encoded = tiny_writer.encode_struct("FileMetaData", {"version": 1, "schema": schema, "num_rows": 0, "row_groups": []})
    pathlib.Path(path).write_bytes(b"PAR1" + encoded + struct.pack("<I", len(encoded)) + b"PAR1")


def key_values(path, count):
    """Writes key-values without key and value, a byte each."""
    File([leaf(0)]).write(path, [tiny_writer.Encoded(b"\0")] * count)


def fixed(path, width, columns=1):
    """Fixed-length columns of `width` bytes, without a row."""
    File([leaf(i, FIXED, type_length=width) for i in range(columns)]).write(path)


def claimed_nulls(path, pages, count=2**31 - 1):
    """Each page says in a few bytes how many nulls it has."""
    file = File([leaf(0, repetition=OPTIONAL)])
    run = tiny_writer.varint(count << 1) + b"\0"
    file.add_row_group([page(struct.pack("<I", len(run)) + run, count) * pages], count * pages)
    file.write(path)


def claimed_values(path, pages, count=2**31 - 1):
    """Each page says in a few bytes that it has the value of the dictionary that many times."""
    file = File([leaf(0)])
    run = b"\1" + tiny_writer.varint(count << 1) + b"\0"
    file.add_row_group([dictionary_page(struct.pack("<i", 7), 1) + page(run, count, 8) * pages], count * pages)
    file.write(path)


def claimed_sizes(path, columns, codec, size=2**31 - 1):
    """Each page says that it becomes long when it is decompressed."""
    file = File([leaf(i) for i in range(columns)], codec)
    file.add_row_group([page(b"\4\x0c\0\0\0\0", 1, size=size)] * columns, 1)
    file.write(path)


def not_decoded(path, columns, codec=3):
    """Nothing is wrong but that nobody can undo the compression: LZO."""
    file = File([leaf(i) for i in range(columns)], codec)
    file.add_row_group([page(bytes(8), 2)] * columns, 2)
    file.write(path)


def literals_in_lzo(path):
    """A page of two numbers in Hadoop's frames: literals, and LZO1X's end."""
    file, values = File([leaf(0)], 3), struct.pack("<ii", 7, 9)
    block = bytes([17 + len(values)]) + values + b"\x11\0\0"
    file.add_row_group([page(struct.pack(">II", len(values), len(block)) + block, 2, size=len(values))], 2)
    file.write(path)


def one_long_text(path, columns, length):
    """Texts of three letters, but for one."""
    file = File([leaf(i, BYTE_ARRAY) for i in range(columns)])

    def text(size):
        return page(struct.pack("<I", size) + b"x" * size, 1)
    file.add_row_group([text(length if i == columns // 2 else 3) for i in range(columns)], 1)
    file.write(path)


def footer_tags(path, size):
    """Bytes that look like the extensions of footers, each of which claims all bytes before the file's end."""
    data = bytearray(b"PAR1")
    at = len(data)
    while at + 400 < size // 2:
        length = size - 9 - at - 13
        length -= (length - 72) % 8
        header = bytes([0x09, 0xFC, 0xFF, 0x03, 0xF3])
        varint = bytes([length & 0x7F | 0x80, length >> 7 & 0x7F | 0x80, length >> 14 & 0x7F | 0x80, length >> 21])
        data += header + varint + b"mpqF" + struct.pack("<I", 1) + bytes(8)
        at = len(data)
    data += bytes(size - 8 - len(data))
    pathlib.Path(path).write_bytes(bytes(data) + struct.pack("<I", size - 12) + b"PAR1")
