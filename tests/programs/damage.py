"""Files with rows that show themselves: each row tells its number, and every other cell follows from it."""
import pathlib
import random

import duckdb
import pyarrow.parquet
from harness import check, check_equal, check_ok, run

HEADER = "n,half,few,flag,word,rare\n"


def line(n):
    return f"{n},{n / 2},{'' if n % 3 == 0 else n % 7},{'true' if n * n % 5 < 2 else 'false'},w{n % 100}," \
           f"{'NA' if n % 4 else f'x{n}'}\n"


def row(n):
    return {"n": n, "half": n / 2, "few": None if n % 3 == 0 else n % 7, "flag": n * n % 5 < 2, "word": f"w{n % 100}",
            "rare": None if n % 4 else f"x{n}"}


def make(path, rows, first=0, *options):
    """A file of ours with rows `first` to `first + rows`."""
    pathlib.Path("rows.csv").write_text(HEADER + "".join(map(line, range(first, first + rows))))
    check_ok(run("csv_log", "--encoding", "plain", "rows.csv", path, "--type", "few=int64", "--overwrite", *options))
    return pathlib.Path(path).read_bytes()


def ends_in_a_footer(path):
    """Whether other readers open the file as it is: a kill in the middle of a write leaves part of a footer at its end."""
    return pathlib.Path(path).read_bytes().endswith(b"PAR1")


def numbers_of(path):
    """The numbers of the rows of a file. Every cell must be that of its row, in two readers."""
    rows = pyarrow.parquet.read_table(path, page_checksum_verification=True).to_pylist()
    for found in rows:
        check_equal(found, row(int(found["n"])), "a wrong row")
    numbers = [found["n"] for found in rows]
    others = duckdb.sql(f"select n from read_parquet('{path}')").fetchall()
    check_equal([n for n, in others], numbers, "DuckDB")
    return numbers


def check_ascending(numbers):
    check(all(a < b for a, b in zip(numbers, numbers[1:])), "rows twice or out of order")


def row_groups(path):
    """The first row of each row group, and the one after its last."""
    metadata, ends = pyarrow.parquet.read_metadata(path), [0]
    for i in range(metadata.num_row_groups):
        ends.append(ends[-1] + metadata.row_group(i).num_rows)
    return list(zip(ends, ends[1:]))


def largest_row_group(path):
    return max(end - begin for begin, end in row_groups(path))


def used_ranges(path):
    """Ranges of the file whose bytes count: pages, and the footer."""
    data, metadata = pathlib.Path(path).read_bytes(), pyarrow.parquet.read_metadata(path)
    footer = (len(data) - 8 - int.from_bytes(data[-8:-4], "little"), len(data))
    chunks = [metadata.row_group(i).column(j) for i in range(metadata.num_row_groups)
              for j in range(metadata.num_columns)]
    return [footer, (0, 4)] + [(chunk.data_page_offset, chunk.data_page_offset + chunk.total_compressed_size)
                               for chunk in chunks]


def flip(data, position, bit=0):
    damaged = bytearray(data)
    damaged[position] ^= 1 << bit
    return bytes(damaged)


def chooser(seed):
    """Random choices that are the same in every run."""
    return random.Random(seed)
