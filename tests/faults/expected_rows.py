"""The rows that expected_rows.cpp writes down, and decoded values to compare them with."""
import struct

FORMATS = {"BOOLEAN": "<?", "INT32": "<i", "INT64": "<q", "FLOAT": "<f", "DOUBLE": "<d"}


def plain(leaf, value):
    """A decoded value as its PLAIN bytes; None stays."""
    if value is None or isinstance(value, bytes):
        return value
    letter = FORMATS[leaf.physical]
    return struct.pack(letter.upper() if leaf.unsigned else letter, value)


def read_rows(path):
    def cell(text):
        return None if text == "-" else bytes.fromhex(text[1:])

    return [[cell(text) for text in line.split(" ")] for line in path.read_text().splitlines()]
