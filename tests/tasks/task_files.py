"""Checks the files that the tasks of the example rtos_logger leave on a card."""
import pathlib
import re
import subprocess
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "filesystems"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "sd_logger"))
import card as cards  # pylint: disable=wrong-import-position
import log_readers  # pylint: disable=wrong-import-position

CYCLE = 2000  # samples, after which the sensor's values begin again


def said(output):
    """The last line that a run has printed, by name."""
    found = re.search(r"^(rows (?:[a-z\d]+ ?)+)$", output, re.M)
    return {name: int(number) for name, number in re.findall(r"([a-z]+) (\d+)", found[1])} if found else {}


def copied(card, name):
    path = card.with_name(f"{card.stem}_{name}")
    if cards.is_exfat(card):
        number = dict(cards.exfat_files(card))[f"/{name}"]
        with path.open("wb") as file:
            subprocess.run(["icat", card, number], stdout=file, check=True)
        return path
    subprocess.run(["mcopy", "-n", "-o", "-i", card, f"::{name}", path], check=True)
    return path


def missing(table, samples):
    """How many samples a table lacks, by the numbers in its values, which the cycle divides."""
    values = table.column("acceleration_x").to_numpy()
    if not numpy.array_equal(values, -table.column("rotation_z").to_numpy()):
        raise ValueError("a row has values of two samples")
    steps = numpy.diff(values.astype(int), prepend=-1, append=samples % CYCLE) % CYCLE
    return int(((steps - 1) % CYCLE).sum())


def fault_after_cuts(card, durable):
    """Finds the fault of a log that was cut in each boot: samples are missing, or rows that were said to be durable."""
    try:
        values = log_readers.read(copied(card, "MOTION.parquet"), debris=True).column("acceleration_x").to_numpy()
    except log_readers.ERRORS as error:
        return str(error)
    if len(values) < durable:
        return f"{len(values)} rows, and {durable} were durable"
    follows = (values[1:] == values[:-1] + 1) | (values[1:] == 0)
    return "" if values[0] == 0 and follows.all() else "samples are missing in between"


def fault_of_log(card, samples, facts, before=0):
    """Finds the fault of the log of a run that sampled so often, and printed these facts; `before`: rows of earlier runs."""
    try:
        table = log_readers.read(copied(card, "MOTION.parquet"))
    except log_readers.ERRORS as error:
        return str(error)
    rows, dropped = table.num_rows - before, int(table.schema.metadata[b"rows_dropped"])
    if (table.num_rows, dropped) != (facts["rows"], facts["dropped"]) or rows + dropped != samples:
        return f"{rows} rows, {dropped} said to be dropped, of {samples} samples; the program says {facts}"
    lacking = missing(table.slice(before), samples)
    return "" if (dropped - lacking) % CYCLE == 0 else f"{lacking} samples are missing, not {dropped}"


def fault_of_notes(card, lines):
    """Finds the fault of the notes: a line each, in order, as often as each boot has said."""
    found = copied(card, "NOTES.TXT").read_text(encoding="ascii").splitlines()
    wanted = [number for count in lines for number in range(1, count + 1)]
    if len(found) != len(wanted):
        return f"{len(found)} lines, not {len(wanted)}"
    wrong = [line for number, line in zip(wanted, found) if not re.fullmatch(rf"{number}: at \d+ ms", line)]
    return f"a line is {wrong[0]!r}" if wrong else ""
