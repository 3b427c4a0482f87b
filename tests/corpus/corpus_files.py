"""The files of other writers, unpacked, and expected.txt: what make_expected.py has written of each file, one after the other.

    file NAME
    rows R             how many the file has
    sha256 DIGEST      of the line of names and types and all lines of rows
    ...                names and types, and the first SHOWN rows
"""

import dataclasses
import functools
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import archives  # pylint: disable=wrong-import-position

FILES = archives.unpack("corpus")
PATH = HERE / "expected.txt"
SHOWN = 50


@dataclasses.dataclass
class Expected:
    rows: int
    digest: str
    lines: list  # of names and types, and of rows

    def text(self, name):
        return "".join(f"{line}\n" for line in (f"file {name}", f"rows {self.rows}", f"sha256 {self.digest}", *self.lines))


def parse(text):
    """By name."""
    lines, found, at = text.splitlines(), {}, 0
    while at < len(lines):
        name, rows, digest = (lines[at + place].removeprefix(word) for place, word in enumerate(("file ", "rows ", "sha256 ")))
        end = at + 3 + 1 + min(int(rows), SHOWN)
        found[name] = Expected(int(rows), digest, lines[at + 3:end])
        at = end
    return found


@functools.cache
def expected_values():
    return parse(PATH.read_text(encoding="utf-8"))


def save(expected):
    """A change of a value stays a line of text that a person can review."""
    PATH.write_text("".join(expected[name].text(name) for name in sorted(expected)), encoding="utf-8")
