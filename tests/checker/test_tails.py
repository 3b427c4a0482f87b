"""Tails and saves that real logs ended with, each with one thing wrong and all checksums right: the checker says which."""

import pathlib
import struct
import sys
import unittest
import zlib

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))
import archives  # noqa: E402  pylint: disable=wrong-import-position
import own_structures  # noqa: E402  pylint: disable=wrong-import-position
from own_structures import SECTOR  # noqa: E402  pylint: disable=wrong-import-position
from parquet_checker import check_bytes  # noqa: E402  pylint: disable=wrong-import-position
from tail_check import COLUMN, COLUMN_FIELDS, FORECAST_BYTES, HEAD, HEAD_FIELDS, SAVE, Head  # noqa: E402  pylint: disable=wrong-import-position

LOGS = archives.unpack("compatibility") / "74dfa41"
COLUMNS = 4  # of the logs used here, and none of them optional


class Log:
    """A log and its heads, newest last."""

    def __init__(self, name):
        self.data = bytearray((LOGS / f"{name}.parquet").read_bytes())
        places = range(0, len(self.data), SECTOR)
        self.footer = max(own_structures.all_footers(bytes(self.data), COLUMNS), key=lambda footer: footer.end)
        heads = [Head(self.data, at, [False] * COLUMNS) for at in places]
        self.heads = sorted((head for head in heads if head.whole), key=lambda head: head.number)

    def own(self):
        """The head of the last footer's tail."""
        return next(head for head in self.heads if not head.is_save and head.continues == self.footer.extension.entries_crc)

    def save(self):
        return [head for head in self.heads if head.is_save][-1]

    def change(self, head, column=0, of_column=None, pages=False, **fields):
        """Changes fields of a head, and of a column in it; `pages`: the checksum of the pages is made right, too."""
        values = dict(zip(HEAD_FIELDS, HEAD.unpack_from(self.data, head.at)))
        self.data[head.at:head.at + HEAD.size] = HEAD.pack(*{**values, **fields}.values())
        step = (head.crc_at - (head.form & 0xFFFF) - head.at - HEAD.size) // COLUMNS
        assert step in (COLUMN.size, COLUMN.size + FORECAST_BYTES)
        at = head.at + HEAD.size + column * step
        values = dict(zip(COLUMN_FIELDS, COLUMN.unpack_from(self.data, at)))
        self.data[at:at + COLUMN.size] = COLUMN.pack(*{**values, **(of_column or {})}.values())
        self.seal(head)
        if pages:
            crc = zlib.crc32(self.data[head.pages_at:Head(self.data, head.at, [False] * COLUMNS).pages_end])
            self.change(head, pages_crc=crc)

    def seal(self, head):
        self.data[head.crc_at:head.crc_at + 4] = struct.pack("<I", zlib.crc32(self.data[head.at:head.crc_at]))

    def complaints(self):
        return [str(complaint) for complaint in check_bytes(bytes(self.data)).complaints]


class Tails(unittest.TestCase):
    def named(self, log, text):
        complaints = log.complaints()
        self.assertTrue(complaints and all("tail" in complaint for complaint in complaints), complaints)
        self.assertTrue(any(text in complaint for complaint in complaints), complaints)

    def test_as_they_were_written(self):
        for name in ("numbers_tailed", "numbers_tailed_boots", "numbers_saving"):
            self.assertEqual(Log(name).complaints(), [])

    def test_a_head_with_a_wrong_checksum_is_none(self):
        log = Log("numbers_tailed_boots")
        log.data[log.own().at + 8] ^= 1
        self.named(log, "no head")

    def test_a_torn_open_page(self):
        log = Log("numbers_tailed_boots")
        log.data[log.own().pages_at + 40] ^= 1
        self.named(log, "none with whole pages")

    def test_pages_behind_the_place(self):
        log = Log("numbers_tailed_boots")
        head = next(head for head in log.heads if head.number % 3 == 0)  # in the first place, wherever the next one begins
        log.change(head, of_column={"page_bytes": SECTOR}, form=1 << 16 | head.form & 0xFFFF)
        self.named(log, "end behind its place")

    def test_an_open_page_without_rows(self):
        log = Log("numbers_tailed_boots")
        log.change(log.own(), of_column={"first_row": log.own().rows})
        self.named(log, "has an open page without rows")

    def test_stored_pages_beyond_the_extent(self):
        log = Log("numbers_tailed_boots")
        head = log.own()
        log.change(head, of_column={"chunk_bytes": head.columns[0].extent_bytes + SECTOR, "first_row": max(1, head.columns[0].first_row)})
        self.named(log, "beyond its extent")

    def test_stored_pages_that_are_not_whole_sectors(self):
        log = Log("numbers_tailed_boots")
        log.change(log.own(), of_column={"chunk_bytes": log.own().columns[0].chunk_bytes + 1})
        self.named(log, "not whole sectors")

    def test_rows_in_no_stored_page(self):
        log = Log("numbers_tailed_boots")
        column = log.own().columns[0]
        log.change(log.own(), of_column={"chunk_bytes": 0 if column.first_row else SECTOR})
        self.named(log, "rows in no stored page")

    def test_a_page_at_another_place_than_in_the_footer(self):
        log = Log("numbers_tailed_boots")
        log.change(log.own(), of_column={"page_bytes": log.own().columns[0].page_bytes + SECTOR}, pages=True)
        self.named(log, "the tail has a page at")

    def test_other_rows_than_in_the_footer(self):
        for field in ("tail_rows", "described_rows", "rows"):
            log = Log("numbers_tailed_boots")
            log.change(log.own(), **{field: getattr(log.own(), field) + 1})
            self.named(log, "the footer has")

    def test_entries_of_another_footer(self):
        for field in ("finished_crc", "listed_crc"):
            log = Log("numbers_tailed_boots")
            self.assertNotEqual(log.own().listed_bytes, 0)
            log.change(log.own(), **{field: getattr(log.own(), field) ^ 1})
            self.named(log, "are not the footer's")

    def test_a_save_of_other_rows(self):
        for changed in ({"described_rows": 1}, {"rows": 1}, {"sequence": 0}):
            log = Log("numbers_saving")
            if "rows" in changed:  # fewer than its columns have in stored pages is wrong in another way
                changed = {"rows": log.save().described_rows - 1}
            log.change(log.save(), **changed)
            self.named(log, "a save of")

    def test_a_save_of_entries_that_the_footer_has_not(self):
        log = Log("numbers_saving")
        log.change(log.save(), finished_crc=log.save().finished_crc ^ 1)
        self.named(log, "are not the footer's")

    def test_a_save_of_another_footer_counts_for_nothing(self):
        log = Log("numbers_saving")
        self.assertEqual(check_bytes(bytes(log.data)).safe_rows, 20)
        log.change(log.save(), continues=log.save().continues ^ 1)
        self.assertEqual(check_bytes(bytes(log.data)).safe_rows, 0)
        self.assertTrue(log.save().flags & SAVE)
