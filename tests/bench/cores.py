#!/usr/bin/env python3
"""Flash, RAM, stack and instructions of the writer of `imu8`, for each core.

usage: cores.py [--details] [CORE...]

Prints the figures of all cores, or of those named, and on standard error a table of them, with the difference to those of
tests/figures.txt in brackets. Builds into the folder MICROPARQUET_BUILD. Sizes are those of an image without those of its
twin, which is the same program but for the calls of the library.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import typing
from collections import Counter

import footprint

BENCH = pathlib.Path(__file__).resolve().parent
ROOT = BENCH.parents[1]
PLUGIN = pathlib.Path(os.environ.get("MICROPARQUET_BUILD", ROOT / "build")) / "libcount_instructions.so"
ROWS = 100000  # of imu8_plain
PUBLIC_CALLS = {
    "nested": [r"^microparquet::Writer::[a-z_]+\(", r"::append_struct\("],
    "writer": [r"^microparquet::Writer::[a-z_]+\(", r"::append_struct\("],
    "reader": [r"^microparquet::(Reader|SchemaCursor|KeyValueCursor)::[a-z_]+\(", r"::next_struct\("],
}


class Core(typing.NamedTuple):
    preset: str
    board: str  # that has the core, or one that executes all of its instructions
    tools: str = "arm-none-eabi-"


CORES = {
    "m0plus": Core("cortex-m0plus", "microbit-large"),
    "m3": Core("cortex-m3", "mps2-an385"),
    "m4f": Core("cortex-m4f", "mps2-an386"),
    "m7": Core("cortex-m7", "mps2-an500"),
    "m23": Core("cortex-m23", "mps2-an505"),
    "m33": Core("cortex-m33", "mps2-an505"),
    "m55": Core("cortex-m55", "mps3-an547"),
    "rv32": Core("rv32imc", "virt", "riscv64-unknown-elf-"),
}
TABLE = ["text", "rodata", "data", "bss", "flash", "ram", "stack", "instructions"]


def run(*command, **keywords):
    result = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, text=True, check=False, **keywords)
    if result.returncode != 0:
        sys.exit(f"cores.py: {' '.join(map(str, command[:3]))} ended with {result.returncode}\n{result.stdout[-2000:]}")
    return result.stdout


class Images:
    """The images of a core, built when they are asked for."""

    def __init__(self, core, details):
        self.core = core
        self.details = ["--details"] if details else []

    def build(self, *names):
        """The folder in which they lie."""
        return pathlib.Path(run(BENCH / "firmware/build", self.core.preset, *names).strip())

    def sections(self, name):
        """Bytes of text, rodata, data and bss; and of flash."""
        folder = self.build(name, f"{name}_empty") / "bin"
        if self.details:
            print(f"{self.core.preset} {name}, bytes of flash by object:", file=sys.stderr)
            run(BENCH / "footprint.py", "--details", folder / f"{name}.map", folder / f"{name}_empty.map")
        sections = Counter()
        for (kind, _), size in footprint.added(folder / f"{name}.map", folder / f"{name}_empty.map").items():
            sections[kind] += size
        sections["flash"] = self.flash(folder / f"{name}.elf") - self.flash(folder / f"{name}_empty.elf")
        return sections

    def whole_flash(self, name):
        """Flash bytes of an image, its start-up code included."""
        return self.flash(self.build(name) / "bin" / f"{name}.elf")

    def flash(self, elf):
        """Code, constants and initial values."""
        text, data = run(f"{self.core.tools}size", elf).splitlines()[1].split()[:2]
        return int(text) + int(data)

    def stack(self, what):
        """The deepest of the public calls, by the call graph."""
        image = f"{what}_calls"
        folder = self.build(image)
        images = folder / "tests/bench/firmware/CMakeFiles"
        graphs = [path for path in folder.rglob("*.ci")
                  if images not in path.parents or path.is_relative_to(images / f"{image}.dir")]
        table = run(BENCH / "stack.py", "--prefix", self.core.tools, "--elf", folder / "bin" / f"{image}.elf",
                    "--calls", BENCH / "indirect_calls.txt", *self.details, *PUBLIC_CALLS[what.split("_")[0]], "--", *graphs)
        if self.details:
            print(f"{self.core.preset} {what}, bytes of stack by public call:\n{table}", file=sys.stderr)
        return max(int(bytes) for bytes in re.findall(r"^(\d+) ", table, re.M))

    def instructions(self, name, rows=ROWS):
        """To append a row, all included but the file's own code."""
        folder = self.build(name, f"{name}_empty")
        with tempfile.TemporaryDirectory() as work:
            counts = []
            for image in (name, f"{name}_empty"):
                counts.append(f"{work}/{image}.counts")
                run(ROOT / "toolchains/qemu/run", self.core.board, folder / "bin" / f"{image}.elf", cwd=work,
                    env=os.environ | {"MICROPARQUET_QEMU_OPTIONS": f"-plugin {PLUGIN},out={counts[-1]}",
                                      "MICROPARQUET_QEMU_SECONDS": "300"})
            if self.details:
                print(f"{self.core.preset} {name}, instructions a row by symbol:", file=sys.stderr)
            return run(BENCH / "profile.py", *self.details, "--without", r"::SemihostingFile::|::semihosting::|::let_go\(", rows,
                       *counts).strip()


    def file_bytes(self, name):
        """Bytes of the file that an image leaves."""
        folder = self.build(name)
        with tempfile.TemporaryDirectory() as work:
            run(ROOT / "toolchains/qemu/run", self.core.board, folder / "bin" / f"{name}.elf", cwd=work,
                env=os.environ | {"MICROPARQUET_QEMU_SECONDS": "300"})
            return sum(path.stat().st_size for path in pathlib.Path(work).iterdir())


def measure(images):
    """The values of a core by the columns of the table."""
    values = images.sections("writer_checkpoint")
    ram = images.sections("ram_512")
    values["ram"] = sum(ram[kind] for kind in footprint.RAM)
    values["stack"] = images.stack("writer")
    values["instructions"] = images.instructions("imu8_plain")
    values["delta"] = images.instructions("imu8_delta")
    values["delta_stack"] = images.stack("writer_delta")
    return values


def figures(core, values):
    yield f"{core}.writer_checkpoint.flash", values["flash"], "bytes"
    yield f"{core}.writer.ram", values["ram"], "bytes"
    yield f"{core}.writer.stack", values["stack"], "bytes"
    yield f"{core}.imu8_plain.instructions", values["instructions"], "per_row"
    yield f"{core}.imu8_delta.instructions", values["delta"], "per_row"
    yield f"{core}.writer_delta.stack", values["delta_stack"], "bytes"
    yield f"{core}.imu8_delta.vs_plain", f"{float(values['delta']) / float(values['instructions']):.2f}", "times"


def more_of_the_m4f(images):
    """Other ways to use the library, on one core."""
    for image in ("writer_plain", "writer_plain_small_crc", "writer_checkpoint_small_crc", "writer_resume",
                  "writer_resume_small_crc", "reader_plain"):
        yield f"m4f.{image}.flash", images.sections(image)["flash"], "bytes"
    for image in ("imu8_csv", "imu8_raw"):  # without this library
        yield f"m4f.{image}.flash", images.sections(image)["flash"], "bytes"
        yield f"m4f.{image}.instructions", images.instructions(image), "per_row"
        yield f"m4f.{image}.bytes_per_row", f"{images.file_bytes(image) / ROWS:.1f}", "bytes"
    resumed, tailed, saved = (images.sections(f"writer_{what}")["flash"] for what in ("resume", "tailed", "save"))
    yield "m4f.tail.flash", tailed - resumed, "bytes_more"
    yield "m4f.save.flash", saved - tailed, "bytes_more"
    yield "m4f.imu8_tailed.instructions", images.instructions("imu8_tailed"), "per_row"
    delta = images.sections("writer_delta")["flash"]
    yield "m4f.writer_delta.flash", delta - images.sections("writer_checkpoint")["flash"], "bytes_more"
    small = images.sections("writer_small")["flash"]
    yield "m4f.writer_small.flash", small - images.sections("writer_checkpoint")["flash"], "bytes_more"
    yield "m4f.writer_small.stack", images.stack("writer_small"), "bytes"
    yield "m4f.imu8_small.instructions", images.instructions("imu8_small"), "per_row"
    yield "m4f.writer_forward.flash", images.sections("writer_forward")["flash"], "bytes"
    indexed = images.sections("writer_indexed")["flash"]
    yield "m4f.page_index.flash", indexed - images.sections("writer_checkpoint")["flash"], "bytes_more"
    queued, retained = (images.sections(image)["flash"] for image in ("writer_row_queue", "writer_retained"))
    yield "m4f.retained.flash", retained - queued, "bytes_more"
    yield "m4f.retained_push.instructions", images.instructions("retained_push"), "per_row"
    facts, anchors, health = (images.sections(f"writer_{what}")["flash"] for what in ("facts", "anchors", "health"))
    yield "m4f.clock_anchor.flash", anchors - facts, "bytes_more"
    yield "m4f.health.flash", health - facts, "bytes_more"
    dictionary = images.sections("writer_dictionary")["flash"]
    yield "m4f.writer_dictionary.flash", dictionary - images.sections("writer_checkpoint")["flash"], "bytes_more"
    yield "m4f.imu8_dictionary.instructions", images.instructions("imu8_dictionary"), "per_row"
    of_c, of_cpp = map(images.whole_flash, ("c_writer", "c_writer_in_cpp"))
    yield "m4f.c_api.flash", of_c - of_cpp, "bytes_more"
    yield "m4f.reader.stack", images.stack("reader"), "bytes"
    yield "m4f.imu8_plain_small_crc.instructions", images.instructions("imu8_plain_small_crc"), "per_row"


def last_figures():
    lines = (BENCH.parent / "figures.txt").read_text(encoding="utf-8").splitlines()
    return {name: value for name, value, _ in map(str.split, lines)}


def cell(value, last):
    if last is None or float(value) == float(last):
        return f"{value}"
    return f"{value} ({float(value) - float(last):+g})"


def print_table(rows):
    last = last_figures()
    columns = {"flash": "writer_checkpoint.flash", "ram": "writer.ram", "stack": "writer.stack",
               "instructions": "imu8_plain.instructions"}
    print(f"{'core':8}" + "".join(f"{column:>16}" for column in TABLE), file=sys.stderr)
    for core, values in rows.items():
        cells = [cell(values[column], last.get(f"{core}.{columns.get(column)}")) for column in TABLE]
        print(f"{core:8}" + "".join(f"{text:>16}" for text in cells), file=sys.stderr)


def build_plugin():
    PLUGIN.parent.mkdir(parents=True, exist_ok=True)
    run("cc", "-O2", "-shared", "-fPIC", "-o", PLUGIN, BENCH / "plugin/count_instructions.c")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--details", action="store_true")
    parser.add_argument("cores", nargs="*", default=list(CORES), metavar="CORE")
    arguments = parser.parse_args()
    build_plugin()
    rows = {}
    for core in arguments.cores:
        images = Images(CORES[core], arguments.details)
        rows[core] = measure(images)
        lines = list(figures(core, rows[core]))
        if core == "m4f":
            lines += more_of_the_m4f(images)
        for line in lines:
            print(*line, flush=True)
    print_table(rows)


if __name__ == "__main__":
    main()
