#!/usr/bin/env python3
"""Prints what the programs of the README's five minutes cost to build: the user's CPU time of mpq and csv_log as a part of what
each source by itself takes, the memory of the largest compiler, and how much longer that mpq verifies a file of 50 MB.

first_plot.py ROOT"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
PRESET = ["cmake", "--preset", "host"]
BY_ITSELF = "-DCMAKE_UNITY_BUILD=OFF"
ROUNDS = 10
ROWS = 1_500_000


def cost(command, **keywords):
    """The user's CPU seconds of a program and of those it starts, and the most memory of one of them in kilobytes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, **keywords)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return usage.ru_utime, usage.ru_maxrss


def build(folder, *options):
    variables = {name: value for name, value in os.environ.items() if not name.endswith("_COMPILER_LAUNCHER")}
    subprocess.run([*PRESET, "-B", folder, *options], cwd=ROOT, env=variables, stdout=subprocess.DEVNULL, check=True)
    return cost(["cmake", "--build", folder, "--target", "mpq", "csv_log"], env=variables)


def rows():
    for row in range(ROWS):
        mixed = row * 2654435761 % 2**32
        yield f"{row * 10},{mixed / 2**32:.6f},{mixed % 1999 / 100:.3f},{row % 977},{mixed >> 20},n{row % 50}\n"


def main():
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        together, peak = build(work / "together")
        apart, _ = build(work / "apart", BY_ITSELF)
        print(f"first_plot.cpu {together / apart:.2f} of_the_time_apart")
        print(f"first_plot.peak {peak / 1024:.0f} MB")
        with (work / "log.csv").open("w") as file:
            file.write("time_ms,a,b,c,d,name\n")
            file.writelines(rows())
        log = work / "log.parquet"
        cost([work / "together/bin/csv_log", work / "log.csv", log], stderr=subprocess.DEVNULL)
        least = {"together": 1e9, "apart": 1e9}
        for _ in range(ROUNDS):
            for kind in least:
                least[kind] = min(least[kind], cost([work / kind / "bin/mpq", "verify", log])[0])
        print(f"first_plot.verify {least['together'] / least['apart']:.2f} of_the_time_apart")


main()
