#!/usr/bin/env python3
"""Runs the unit tests on every emulated board, as GCC and as clang compile them.

boards.py ROOT BUILD: builds into BUILD, prints a line a board. The last line is "N passed, N failed".

Most of the time goes into compiling the tests for one more core. So three boards take all tests, and each of the others one
of three parts: every test runs on at least six boards, at least one of them an ARMv6-M, ARMv7-M, ARMv8-M and RISC-V each, and
is compiled by both compilers. With MICROPARQUET_LONG=1 each board takes all. The library is compiled source by source for
the boards of which other groups have it so, and for one of clang's, for the others as one source.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import typing

ROOT, BUILD = map(pathlib.Path, sys.argv[1:3])


LONG = os.environ.get("MICROPARQUET_LONG") == "1"
PARTS = (0, 1, 2)  # tests/unit/firmware.cmake links an image of each
PLACES = 1 if LONG else 3  # one of this number of places is taken in long tests; on this machine all are


class Board(typing.NamedTuple):
    machine: str  # as toolchains/qemu/run names it
    preset: str  # as tests/build takes it
    share: tuple  # the parts that it takes, unless it takes all
    note: str = ""

    @property
    def parts(self):
        return PARTS if LONG else self.share


BOARDS = [
    Board("microbit-large", "cortex-m0+unity", PARTS, "a micro:bit with 4 MiB of memory"),
    Board("microbit-large", "cortex-m0plus+unity", (0,),
          "QEMU has no Cortex-M0+: run on a Cortex-M0, which has the same instructions"),
    Board("mps2-an385", "cortex-m3", (1,)),
    Board("mps2-an386", "cortex-m4+unity", (2,), "without floating point"),
    Board("mps2-an386", "cortex-m4f", PARTS),
    Board("mps2-an500", "cortex-m7+unity", (0,)),
    Board("mps2-an505", "cortex-m23+unity", (2,), "QEMU has no Cortex-M23: run on a Cortex-M33, which has all its instructions"),
    Board("mps2-an505", "cortex-m33+unity", (0,)),
    Board("mps3-an547", "cortex-m55+unity", (1,)),
    Board("virt", "rv32imc+unity", PARTS),
    Board("microbit-large", "cortex-m0-clang+unity", (1,)),
    Board("mps2-an386", "cortex-m4f-clang", (2,)),
    Board("virt", "rv32imc-clang+unity", (0,)),
]
# Their memory does not take all tests at once: each source is an image of its own, and those that fit are run.
SMALL_BOARDS = [Board("microbit", "cortex-m0+unity", PARTS), Board("lm3s6965evb", "cortex-m3", (1,))]

passed = failed = 0


def report(board, counts, note):
    """Prints the line of a board and adds its counts."""
    global passed, failed
    passed += counts[0]
    failed += counts[1]
    name = "{:15} {:21}".format(board.machine, board.preset)
    print(f"{name} {counts[0]} passed, {counts[1]} failed{note and '; ' + note}", flush=True)


def sources():
    """For each part the files of its tests, and how many tests each has."""
    files = [file for folder in ("unit", "target") for file in sorted(ROOT.glob(f"tests/{folder}/*_test.cpp"))]
    counts = {file.stem: len(re.findall(r'^TEST\(', file.read_text(), re.M)) for file in files}
    return [dict(list(counts.items())[part::len(PARTS)]) for part in PARTS]


def stride(board, part):
    """The places of long tests that a board takes, other ones than the other boards of a part: FIRST/STEP."""
    boards = [other for other in BOARDS if part in other.parts]
    first = next((number for number, other in enumerate(boards) if other.preset == board.preset), 0)
    return f"{first * PLACES}/{len(boards) * PLACES}"


def run(board, part, image, tests):
    """Returns (passed, failed); what was not run has failed. The files of the tests lie in a folder of their own."""
    folder = BUILD / "boards" / f"{board.machine}-{board.preset}-{image}"
    folder.mkdir(parents=True, exist_ok=True)
    firmware = BUILD / board.preset / f"bin/{image}.elf"
    command = [ROOT / "toolchains/qemu/run", board.machine, firmware, "--stride", stride(board, part)]
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


def run_board(board, parts):
    return [run(board, part, f"unit_tests_{part}", sum(parts[part].values())) for part in board.parts]


def run_small_board(board, parts):
    """Returns (passed, failed) of each image, and what there is to say of it."""
    part_of = {name: part for part in board.parts for name in parts[part]}
    fitting = build_those_that_fit(board, part_of)
    results = [run(board, part_of[name], f"unit_tests_{board.machine}_{name}", parts[part_of[name]][name])
               for name in fitting]
    others = sum(parts[part][name] for name, part in part_of.items() if name not in fitting)
    return results, f"in {len(fitting)} images; the other {others} tests need more memory than it has"


def main():
    parts = sources()
    for board in BOARDS:
        if not build(board.preset, *(f"unit_tests_{part}" for part in board.parts)):
            sys.exit(f"{board.preset} does not build")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(run_board, board, parts) for board in BOARDS]
        small_runs = [pool.submit(run_small_board, board, parts) for board in SMALL_BOARDS]
        for board, results in zip(BOARDS, runs):
            report(board, tuple(map(sum, zip(*results.result()))), board.note)
        for board, outcome in zip(SMALL_BOARDS, small_runs):
            results, note = outcome.result()
            report(board, tuple(map(sum, zip(*results))), note)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
