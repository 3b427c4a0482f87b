"""Whether logs have the rows that their programs wrote: check_log.py LOG COLUMN STEP ROWS [IMAGE]

LOG is read by pyarrow: its COLUMN grows by STEP from row to row, and there are ROWS or more. With IMAGE, LOG is taken from that
image of a FAT volume first, under whatever name it has there."""
import subprocess
import sys

import pyarrow.parquet


def from_image(image, log):
    names = subprocess.run(["mdir", "-b", "-i", image, "::"], capture_output=True, text=True, check=True).stdout.split()
    logs = [name for name in names if name.lower().endswith((".pqt", ".parquet"))]
    assert len(logs) == 1, names
    subprocess.run(["mcopy", "-n", "-o", "-i", image, logs[0], log], check=True)


def main():
    log, column, step, rows = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    if len(sys.argv) == 6:
        from_image(sys.argv[5], log)
    table = pyarrow.parquet.read_table(log, page_checksum_verification=True)
    values = table[column].cast("int64").to_pylist()
    assert table.num_rows >= rows, f"{table.num_rows} rows"
    assert all(later - earlier == step for earlier, later in zip(values, values[1:])), values[:20]
    print(f"{table.num_rows} rows")


main()
