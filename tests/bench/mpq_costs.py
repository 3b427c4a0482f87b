#!/usr/bin/env python3
"""mpq_costs.py MPQ: prints the figures of the group mpq."""
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "programs"
sys.path.insert(0, str(PROGRAMS))

import hostile  # noqa: E402  (of the tests of programs)

COMMANDS = (("info",), ("schema",), ("head",), ("verify",), ("recover", "--dry-run"))


def costs(program, arguments):
    """Seconds of CPU, and MB."""
    said = subprocess.run([sys.executable, "-S", PROGRAMS / "measure.py", program, *arguments], capture_output=True,
                          text=True, check=True).stdout.split()
    if said[0] != "0":
        sys.exit(f"mpq {' '.join(arguments)}: exit code {said[0]}")
    if os.environ.get("DETAILS") == "yes":
        print("mpq", *arguments, said[1], "s", said[2], "KiB", file=sys.stderr)
    return float(said[1]), int(said[2]) / 1024


def worst(program, path, commands):
    """The most of each over the commands."""
    return [max(values) for values in zip(*(costs(program, (*command, path)) for command in commands))]


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        hostile.bare("bare.parquet", 60_000)
        hostile.wide("wide.parquet", 60_000)
        seconds = max(worst(program, path, COMMANDS)[0] for path in ("bare.parquet", "wide.parquet"))
        print(f"mpq.wide_60000.seconds {seconds:.2f} s")
        hostile.key_values("key_values.parquet", 200_000)
        print(f"mpq.key_values_200k.seconds {worst(program, 'key_values.parquet', COMMANDS)[0]:.2f} s")
        hostile.fixed("fixed.parquet", 2**31 - 1)
        print(f"mpq.flba_2g.peak {worst(program, 'fixed.parquet', (*COMMANDS, ('cat',)))[1]:.1f} MB")
        os.chdir("/")


main()
