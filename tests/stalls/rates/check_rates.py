"""Logs that are faster than their card at times: not one row is dropped while it pauses for as long as the specification of SD cards
allows, also where a file ends and the next one begins; every row is what was sampled; a queue that is too short for a pause drops
rows, and the file says how many.

Usage: check_rates.py FOLDER
"""
import pathlib
import sys

import duckdb
import numpy
import pyarrow
import pyarrow.parquet as pq
import rate_board

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "filesystems"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "support"))
import fat_check  # pylint: disable=wrong-import-position
import log_readers  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

HASH = 2654435761

checks = Checks()


def can_rows(numbers, rate, data_bytes):
    """The frames that examples/can_logger makes up, by their numbers."""
    hashes = (numbers * HASH) & 0xFFFFFFFF
    message = hashes >> 27
    extended = message % 8 == 7
    lengths = numpy.where(message < 4, 2 * message, data_bytes)
    constant = numpy.zeros_like(numbers)
    eight = [numbers // 32, numbers // 8192, hashes >> 16, message, constant + 0x55, constant, constant, constant + 0xFF]
    data = numpy.stack([eight[i % 8] & 0xFF for i in range(data_bytes)], axis=1).astype(numpy.uint8)
    data[numpy.arange(data_bytes)[None, :] >= lengths[:, None]] = 0
    flags = numpy.where(extended, 1, 0) + (24 if data_bytes > 8 else 0)
    return {"time": numbers * 1_000_000 // rate, "bus": message % 2,
            "id": numpy.where(extended, 0x18FEF100 + message, 0x100 + 0x15 * message), "flags": flags, "length": lengths,
            "data": [row.tobytes() for row in data]}


def adc_rows(numbers):
    """The values that tests/stalls/rates/adc_logger makes up."""
    rows = {"time": numbers * 100}
    for channel in range(8):
        phase = numbers * (200 * (channel + 1)) & 0xFFFF
        triangle = numpy.where(phase < 0x8000, phase, 0xFFFF - phase)
        noise = ((numbers * 8 + channel) * HASH & 0xFFFFFFFF) >> 27
        rows[f"adc{channel}"] = triangle // 2 + noise - 0x2000
    return rows


def column(table, name):
    values = table[name]
    if pyarrow.types.is_timestamp(values.type):
        values = values.cast(pyarrow.int64())
    return values.to_pylist() if name == "data" else values.to_numpy()


def fault_of_rows(table, numbers, rows):
    if any(numbers[1:] <= numbers[:-1]):
        return "rows are not in order"
    if table.column_names != list(rows):
        return f"columns {table.column_names}"
    wrong = [name for name, values in rows.items() if not numpy.array_equal(column(table, name), values)]
    return f"{wrong} is not what was sampled" if wrong else ""


def read(folder, prefix, outcome):
    """The rows of all files, and what the last one says was dropped. One file is read by all readers."""
    paths = rate_board.take_files(folder, prefix, outcome.files)
    log_readers.read(paths[-1])
    tables = [pq.read_table(path, page_checksum_verification=True) for path in paths]
    return pyarrow.concat_tables(table.replace_schema_metadata() for table in tables), tables[-1].schema.metadata[b"rows_dropped"]


def check_log(name, folder, prefix, outcome, samples, of_table):
    """Checks the files; `of_table` finds the numbers of a table's rows, and what they should be."""
    try:
        table, said = read(folder, prefix, outcome)
        numbers, rows = of_table(table)
        fault = fault_of_rows(table, numbers, rows)
    except log_readers.ERRORS as error:
        fault = str(error)
    else:
        checks.check_that(f"{name}: each row is there once", table.num_rows == outcome.rows, f"{table.num_rows}: {outcome}")
        checks.check_that(f"{name}: rows_dropped", int(said) == outcome.dropped, f"{said}: {outcome}")
    checks.check(f"{name}: the files", fault)
    lost = samples - outcome.rows - outcome.dropped
    checks.check_that(f"{name}: each sample is a row or dropped", lost == 0, f"{lost} are not: {outcome}")
    checks.check(f"{name}: fsck.fat", fat_check.complaints(folder / "card.img", "closed"))
    print(f"{name}: {outcome.rows} rows in {outcome.files} files, {outcome.pauses} pauses, {outcome.pending} of {outcome.depth} waited, "
          f"{outcome.dropped} dropped, {outcome.all_bytes} bytes of RAM")


def can_of(rate, data_bytes):
    def of_table(table):
        numbers = -(-column(table, "time") * rate // 1_000_000)
        return numbers, can_rows(numbers, rate, data_bytes)
    return of_table


def adc_of(table):
    numbers = column(table, "time") // 100
    return numbers, adc_rows(numbers)


def imu_of(table):
    """Its sensor has a state; the number is in the row."""
    numbers = column(table, "seq")
    return numbers, {name: numbers if name == "seq" else column(table, name) for name in table.column_names}


# name of the program, the files' prefix, samples a second, how rows are known
LOGS = {
    "can_logger_500ms": ("CAN", 11_000, can_of(11_000, 8)),
    "can_logger_fd": ("CAN", 5_000, can_of(5_000, 64)),
    "imu_logger_500ms": ("IMU", 1000, imu_of),
    "adc_logger_500ms": ("ADC", 10_000, adc_of),
    "adc_logger_columns": ("ADC", 10_000, adc_of),
}


def check_kept(firmware, folder):
    """Pauses at any time; then one where each file ends."""
    trace = rate_board.PAUSES[500].read_text(encoding="ascii")
    for name, (prefix, rate, of_table) in LOGS.items():
        outcome = rate_board.run(firmware / f"{name}.elf", folder, 14, trace)
        checks.check_that(f"{name}: no row is dropped", outcome.dropped == 0 and outcome.pauses >= 4, outcome)
        check_log(name, folder, prefix, outcome, outcome.rows if prefix == "ADC" else 14 * rate, of_table)
        ends = rate_board.run(firmware / f"{name}.elf", folder, 14).begun
        at_ends = rate_board.trace_of_ends(ends, 500)
        outcome = rate_board.run(firmware / f"{name}.elf", folder, 14, at_ends)
        kept = outcome.dropped == 0 and outcome.pauses == len(ends) > 0
        checks.check_that(f"{name}: none where a file ends", kept, outcome)
        checks.check_that(f"{name}: the depth is not far too large", outcome.pending > outcome.depth * 0.8, outcome)


def check_dropped(firmware, folder):
    """A queue for 250 ms, and a pause of twice as much."""
    trace = rate_board.trace_of([3000], 500)
    outcome = rate_board.run(firmware / "can_logger_250ms.elf", folder, 6, trace)
    checks.check_that("too short a queue: rows are dropped", outcome.dropped > 0 and outcome.pending == outcome.depth, outcome)
    check_log("too short a queue", folder, "CAN", outcome, 6 * 11_000, can_of(11_000, 8))


def check_candump(folder):
    """The query of examples/can_logger gives the log of candump: of the rows before the first one that is dropped."""
    path = rate_board.take_files(folder, "CAN", 1)[0]
    query = (pathlib.Path(__file__).parents[3] / "examples/can_logger/candump.sql").read_text(encoding="utf-8")
    lines = [line for line, in duckdb.sql(query.replace("CAN00001.parquet", str(path))).fetchall()]
    rows = can_rows(numpy.arange(33_000), 11_000, 8)
    expected = [f"({time // 1_000_000}.{time % 1_000_000:06}) can{bus} {number:0{8 if flags & 1 else 3}X}#{data[:length].hex().upper()}"
                for time, bus, number, flags, length, data in zip(*rows.values())]
    wrong = next((pair for pair in zip(lines, expected) if pair[0] != pair[1]), "")
    checks.check("candump", str(wrong) if wrong or len(lines) < len(expected) else "")


def main():
    folder = pathlib.Path(sys.argv[1])
    firmware = rate_board.build(*LOGS, "can_logger_250ms")
    check_dropped(firmware, folder)
    check_candump(folder)
    check_kept(firmware, folder)
    (folder / "card.img").unlink()
    return checks.finish()


sys.exit(main())
