"""Rows that a card's stalls cost: none with the depth of queue that row_queue_depth() computes, some with a smaller one;
and what is missing is what the file says. In simulated time on this machine and under QEMU.

Usage: check.py SIMULATION FIRMWARE FOLDER
"""
import concurrent.futures
import pathlib
import random
import subprocess
import sys

import model

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "filesystems"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import fat_check  # pylint: disable=wrong-import-position
import log_readers  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

EMULATED_RATES = (100, 1000)
RANDOM_TRACES = 40
BAD_TRACES = {
    "without lines": "from_ms,latency_ms\n",
    "without its header": "1000,250\n",
    "of three columns": "from_ms,latency_ms\n1000,250,1\n",
    "with an empty line": "from_ms,latency_ms\n1000,250\n\n2000,250\n",
    "with a time that is no number": "from_ms,latency_ms\nsoon,250\n",
    "out of order": "from_ms,latency_ms\n2000,250\n1000,250\n",
    "with too large a number": "from_ms,latency_ms\n1000,4294967296\n",
    "of too many lines": "from_ms,latency_ms\n" + "".join(f"{i},1\n" for i in range(257)),
}

checks = Checks()
check = checks.check


def fault_of_file(card, outcome):
    """Checks the log on a card; returns its fault."""
    copy = card.with_suffix(".parquet")
    subprocess.run(["mcopy", "-n", "-i", card, "::STALLS.PQT", copy], check=True)
    try:
        table = log_readers.read(copy)
    except log_readers.ERRORS as error:
        return str(error)
    numbers = table.column("seq").to_pylist()
    said = table.schema.metadata.get(b"rows_dropped", b"nothing").decode()
    if any(after <= before for before, after in zip(numbers, numbers[1:])):
        return "rows are not in order"
    if len(numbers) + outcome.refused != outcome.samples or numbers[-1] >= outcome.samples:
        return f"{len(numbers)} rows up to number {numbers[-1]}, of {outcome}"
    if said != str(outcome.refused):
        return f"rows_dropped says {said}, of {outcome}"
    return ""


def check_case(where, case, outcome, card):
    name = f"{where}: {case.rate} rows/s, stalls up to {case.stall} ms, {case.depth} depth"
    right = (case.rate, case.stall) == (outcome.rate, outcome.stall)
    check(f"{name}: the case", "" if right else f"{outcome}")
    if case.depth == "computed":
        kept = outcome.refused == 0 and outcome.pending < outcome.depth
        check(f"{name}: no row is refused", "" if kept else f"{outcome}")
        check(f"{name}: the depth is not far too large", "" if outcome.pending > outcome.depth / 2 else f"{outcome}")
    else:
        full = outcome.refused > 0 and outcome.pending == outcome.depth
        check(f"{name}: rows are refused", "" if full else f"{outcome}")
    check(f"{name}: the file", fault_of_file(card, outcome))
    check(f"{name}: fsck.fat", fat_check.complaints(card, "closed"))
    print(f"| {where} | {outcome.rate} | {outcome.stall} | {outcome.depth} | {outcome.pending} | {outcome.refused} |")


def check_cases(simulation, firmware, folder):
    print("| | rows/s | longest stall, ms | depth | most pending | refused |\n|---|---|---|---|---|---|")
    emulated = [case for case in model.cases() if case.rate in EMULATED_RATES and case.depth != "half"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(model.emulate, firmware, case.trace, case.number, folder / f"board{case.number}.img")
                for case in emulated]
        for case in model.cases():
            card = folder / "simulated.img"
            check_case("simulated", case, model.simulate(simulation, case.trace, case.number, card), card)
        for case, run in zip(emulated, runs):
            check_case("Cortex-M3", case, run.result(), folder / f"board{case.number}.img")


def random_trace(chance, case):
    """Stalls of any length up to the longest, at any time, so far apart that each is met by a write and its backlog written."""
    lines, at = ["from_ms,latency_ms"], 0
    for _ in range(12):
        at += 3000 + 200_000 // case.rate + chance.randrange(5000)
        lines.append(f"{at},{case.stall if chance.random() < 0.5 else chance.randrange(1, case.stall)}")
    return "\n".join(lines) + "\n"


def check_random_traces(simulation, folder):
    """The computed depth does for any stalls that it is said to do for."""
    chance = random.Random(1)
    trace = folder / "random.csv"
    for case in model.cases():
        if case.depth != "computed":
            continue
        for number in range(RANDOM_TRACES):
            text = random_trace(chance, case)
            trace.write_text(text, encoding="ascii")
            outcome = model.simulate(simulation, trace, case.number)
            check(f"random stalls {number}", f"{outcome}: {' '.join(text.split())}" if outcome.refused else "")


def check_bad_traces(simulation, firmware, folder):
    trace = folder / "bad.csv"
    for name, text in BAD_TRACES.items():
        trace.write_text(text, encoding="ascii")
        for where, run in (("simulated", lambda: model.simulate(simulation, trace, 0)),
                           ("Cortex-M3", lambda: model.emulate(firmware, trace, 0, folder / "bad.img"))):
            try:
                fault = f"is taken: {run()}"
            except RuntimeError as refused:
                fault = "" if "no table of from_ms,latency_ms" in str(refused) else str(refused)
            check(f"{where}: a trace {name}", fault)


def main():
    simulation, firmware, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    check_cases(simulation, firmware, folder)
    check_random_traces(simulation, folder)
    check_bad_traces(simulation, firmware, folder)
    return checks.finish()


sys.exit(main())
