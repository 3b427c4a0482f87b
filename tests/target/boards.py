#!/usr/bin/env python3
"""Runs the unit tests on every emulated board, as GCC and as clang compile them.

boards.py ROOT BUILD: builds into BUILD, prints a line a board. The last line is "N passed, N failed".
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import typing

ROOT, BUILD = map(pathlib.Path, sys.argv[1:3])


class Board(typing.NamedTuple):
    machine: str  # as toolchains/qemu/run names it
    preset: str
    note: str = ""


# Each runs all tests, in one image; the longest ones at every STRIDE-th place, so that the boards together take all.
BOARDS = [
    Board("microbit-large", "cortex-m0", "a micro:bit with 4 MiB of memory"),
    Board("microbit-large", "cortex-m0plus", "QEMU has no Cortex-M0+: run on a Cortex-M0, which has the same instructions"),
    Board("mps2-an385", "cortex-m3"),
    Board("mps2-an386", "cortex-m4", "without floating point"),
    Board("mps2-an386", "cortex-m4f"),
    Board("mps2-an500", "cortex-m7"),
    Board("mps2-an505", "cortex-m23", "QEMU has no Cortex-M23: run on a Cortex-M33, which has all its instructions"),
    Board("mps2-an505", "cortex-m33"),
    Board("mps3-an547", "cortex-m55"),
    Board("virt", "rv32imc"),
    Board("microbit-large", "cortex-m0-clang"),
    Board("mps2-an386", "cortex-m4f-clang"),
    Board("virt", "rv32imc-clang"),
]
STRIDE = len(BOARDS)
# Their memory does not take all tests at once: each source is an image of its own, and those that fit are run.
SMALL_BOARDS = [Board("microbit", "cortex-m0"), Board("lm3s6965evb", "cortex-m3")]

passed = failed = 0


def report(board, counts, note):
    """Prints the line of a board and adds its counts."""
    global passed, failed
    passed += counts[0]
    failed += counts[1]
    name = "{:15} {:17}".format(board.machine, board.preset)
    print(f"{name} {counts[0]} passed, {counts[1]} failed{note and '; ' + note}", flush=True)


def sources():
    """The files of tests that run on a board, and how many tests each has."""
    files = sorted([*ROOT.glob("tests/unit/*_test.cpp"), *ROOT.glob("tests/target/*_test.cpp")])
    return {file.stem: len(re.findall(r'^TEST\(', file.read_text(), re.M)) for file in files}


def run(board, number, image, tests):
    """Returns (passed, failed); what was not run has failed. By its `number` a board takes its places. The files of the
    tests lie in a folder of their own."""
    folder = BUILD / "boards" / f"{board.machine}-{board.preset}-{image}"
    folder.mkdir(parents=True, exist_ok=True)
    firmware = BUILD / board.preset / f"bin/{image}.elf"
    command = [ROOT / "toolchains/qemu/run", board.machine, firmware, "--stride", f"{number % STRIDE}/{STRIDE}"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                            env=os.environ | {"MICROPARQUET_QEMU_SECONDS": "900"})
    *output, last = result.stdout.splitlines() or [""]
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
    if counts and int(counts[1]) == tests and result.returncode == 0:
        return tests, 0
    print("\n".join([f"{firmware} on {board.machine}: exit code {result.returncode}, {tests} tests expected", *output, last,
                     result.stderr]), file=sys.stderr)
    ran = int(counts[1]) if counts else 0
    return ran, max(tests - ran, 1)


def build(preset, *targets):
    return subprocess.run([ROOT / "tests/build", preset, *targets], check=False).returncode == 0


def stack_suffices(folder, name, image):
    """Whether the largest frame of a source's functions, and 1 KiB for what they call, fit what RAM is left."""
    symbols = subprocess.run(["arm-none-eabi-nm", folder / f"bin/{image}.elf"], capture_output=True, text=True,
                             check=True).stdout
    top, limit = (int(re.search(rf"^(\w+) . __stack_{end}$", symbols, re.M)[1], 16) for end in ("top", "limit"))
    usage = next(folder.rglob(f"{name}.cpp.su")).read_text()
    return max(int(line.split("\t")[1]) for line in usage.splitlines()) + 1024 <= top - limit


def build_those_that_fit(board, names):
    """Links an image for each source and returns which of them the board's memory holds."""
    folder = BUILD / board.preset
    images = {name: f"unit_tests_{board.machine}_{name}" for name in names}
    output = subprocess.run(["cmake", "--build", folder, "--target", *images.values(), "--", "-k", "0"],
                            capture_output=True, text=True, check=False).stdout
    for step in re.split(r"^(?=\[\d+/\d+\] |ninja: )", output, flags=re.M):
        if "\nFAILED: " in step and not re.search(r"overflowed by|of stack", step):
            sys.exit(step)
    linked = {name: image for name, image in images.items() if (folder / f"bin/{image}.elf").exists()}
    return [name for name, image in linked.items() if stack_suffices(folder, name, image)]


def run_small_board(board, number, tests):
    fitting = build_those_that_fit(board, tests)
    results = [run(board, number, f"unit_tests_{board.machine}_{name}", tests[name]) for name in fitting]
    others = sum(tests.values()) - sum(tests[name] for name in fitting)
    return (tuple(map(sum, zip(*results))), f"in {len(fitting)} images; the other {others} tests need more memory than it has")


def main():
    tests = sources()
    for preset in dict.fromkeys(board.preset for board in BOARDS):
        if not build(preset, "unit_tests"):
            sys.exit(f"{preset} does not build")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(run, board, number, "unit_tests", sum(tests.values()))
                for number, board in enumerate(BOARDS)]
        small_runs = [pool.submit(run_small_board, board, number, tests)
                      for number, board in enumerate(SMALL_BOARDS, len(BOARDS))]
        for board, counts in zip(BOARDS, runs):
            report(board, counts.result(), board.note)
        for board, outcome in zip(SMALL_BOARDS, small_runs):
            report(board, *outcome.result())
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
