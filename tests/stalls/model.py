"""Runs the model of cards that stall, on this machine and as firmware under QEMU."""
import collections
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "filesystems"))
import emulated_board  # pylint: disable=wrong-import-position

TRACES = pathlib.Path(__file__).with_name("traces")
# The cases' order, see cases.h: for each rate and stall the depth that is said to do, the rows of the stall, half of them.
RATES, STALLS, DEPTHS = (10, 100, 1000), {250: "pauses.csv", 1000: "worst.csv"}, ("computed", "stall", "half")

Case = collections.namedtuple("Case", "number rate stall depth trace")
Outcome = collections.namedtuple("Outcome", "rate stall depth samples refused pending")


def cases():
    """All cases, each with the trace whose longest stall it is for."""
    number = 0
    for rate in RATES:
        for stall, trace in STALLS.items():
            for depth in DEPTHS:
                yield Case(number, rate, stall, depth, TRACES / trace)
                number += 1


def outcome_of(output):
    """Reads the last line that a program has printed."""
    found = re.search(r"^rate (\d+) stall (\d+) depth (\d+) samples (\d+) refused (\d+) pending (\d+)$", output, re.M)
    if not found:
        raise RuntimeError(output)
    return Outcome(*map(int, found.groups()))


def simulate(program, trace, number, *card):
    """Runs a case on this machine; leaves the card's image where it is named."""
    run = subprocess.run([program, trace, str(number), *card], capture_output=True, text=True, check=False)
    return outcome_of(run.stdout if run.returncode == 0 else run.stderr)


def emulate(firmware, trace, number, card):
    """Runs a case under QEMU; keeps the card's image."""
    output, _ = emulated_board.run(firmware, f"{trace} {number}", card)
    return outcome_of(output)
