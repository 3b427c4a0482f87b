"""Checks of the files of a log: pyarrow, DuckDB and the independent checker read them, and each row is the recording's."""
import pathlib
import sys

import duckdb
import numpy
import pyarrow.parquet as pq

from recorded_rows import COLUMNS

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "checker"))
import parquet_checker


class File:
    """One file of a log. `fault`: what is wrong with it; empty: nothing. `checks`: of the independent checker; None: the file
    is too large for it, which takes a minute for 50 MB."""

    def __init__(self, path, recording, checks):
        self.numbers = numpy.array([], numpy.int64)
        self.facts = {}
        self.first_page = b""  # the sector in which that of the first column begins
        try:
            self.fault = self._read(path, recording, checks)
        except (OSError, ValueError, duckdb.Error) as error:  # pyarrow's errors are of these
            self.fault = str(error)

    def _read(self, path, recording, checks):
        complaints = checks and parquet_checker.check_file(str(path), checks).complaints
        if complaints:
            return f"the checker: {complaints[0]}"
        table = pq.read_table(path, page_checksum_verification=True)
        if table.column_names != COLUMNS:
            return f"columns {table.column_names}"
        metadata = pq.read_metadata(path)
        self.facts = {key.decode(): value.decode() for key, value in (metadata.metadata or {}).items()}
        if metadata.num_row_groups != 0:
            begin = metadata.row_group(0).column(0).data_page_offset // 512 * 512
            self.first_page = path.read_bytes()[begin:begin + 512]
        self.numbers = table["number"].to_numpy().astype(numpy.int64)
        expected = recording.columns(self.numbers)
        duck = duckdb.sql(f"SELECT * FROM read_parquet('{path}')").fetchnumpy()
        for reader, column in (("pyarrow", lambda name: table[name].to_numpy()), ("DuckDB", lambda name: duck[name])):
            for name, values in expected.items():
                found = numpy.asarray(column(name))
                if found.dtype != values.dtype or found.tobytes() != values.tobytes():
                    return f"{reader}: {name} is not the recording's"
        if (numpy.diff(self.numbers) <= 0).any():
            return "the rows are out of order"
        return ""


class Log:
    """The files of a card in their order. `fault`: the first that there is. `debris`: the card was lost while they were
    written, and they may hold footers that were cut. `large`: the independent checker does not check them. `in_place`: their pages are whole sectors."""

    def __init__(self, paths, recording, debris=False, large=False, in_place=True):
        checks = None if large else parquet_checker.Options(sector=in_place, debris=debris)
        self.files = {name: File(path, recording, checks) for name, path in paths.items()}
        faults = [f"{name}: {file.fault}" for name, file in self.files.items() if file.fault]
        self.fault = faults[0] if faults else ""

    def session(self, session):
        return [file for name, file in self.files.items() if name.startswith(f"{session:08}/")]


def numbers_of(files):
    return numpy.concatenate([file.numbers for file in files]) if files else numpy.array([], numpy.int64)
