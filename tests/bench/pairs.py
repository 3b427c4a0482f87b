#!/usr/bin/env python3
"""Times our programs and the peers' in turns: ours, peer, ours, peer, ... and prints figures.

usage: pairs.py --ours DIR --arrow-cpp DIR --arrow-rs DIR --arrow-rs-crc DIR --carquet DIR --disk DIR [--rounds N] [--details]

Each program times itself, by the processor's time, and prints its seconds first. Speeds are those of the best run. A ratio is the median, over all
rounds, of the peer's seconds by ours of the run just before: what slows the machine for a while slows both. All readers
must print the same sums.
"""

import argparse
import os
import statistics
import subprocess
import sys

ROWS = 1_000_000


class Timer:
    def __init__(self, details):
        self.details = details
        self.sums = None

    def run(self, command):
        """Seconds, as the program says. A program that writes finds no file, which it would have to empty first."""
        if command[0].endswith("_write") and os.path.exists(command[1]):
            os.remove(command[1])
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"pairs.py: {' '.join(command)} failed\n{result.stderr}")
        seconds, *sums = result.stdout.split()
        if sums:
            self.compare(command, sums)
        return float(seconds)

    def compare(self, command, sums):
        self.sums = self.sums or sums
        if sums != self.sums:
            sys.exit(f"pairs.py: {' '.join(command)} read {' '.join(sums)}, the others {' '.join(self.sums)}")

    def pair(self, name, ours, peer, rounds):
        """Our best seconds, and the median ratio to `peer`."""
        times = [(self.run(ours), self.run(peer)) for _ in range(rounds)]
        ratio = statistics.median(theirs / our for our, theirs in times)
        if self.details:
            print(f"{name}: ours {speeds(our for our, _ in times)}, peer {speeds(theirs for _, theirs in times)} Mrow/s",
                  file=sys.stderr)
        return min(our for our, _ in times), ratio


def speeds(seconds):
    ordered = sorted(seconds)
    best, middle = ordered[0], ordered[len(ordered) // 2]
    return f"best {ROWS / best / 1e6:.1f} median {ROWS / middle / 1e6:.1f}"


class Bench:
    """Our programs against the peers', on a disk of which each pair uses files of its own."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.timer = Timer(arguments.details)

    def file(self, name):
        return f"{self.arguments.disk}/{name}.parquet"

    def ours(self, program, *words):
        return (f"{self.arguments.ours}/{program}", *words)

    def rust(self, program, *words):
        return (f"{self.arguments.arrow_rs}/arrow_rs_{program}", *words)

    def rust_crc(self, program, *words):
        return (f"{self.arguments.arrow_rs_crc}/arrow_rs_{program}", *words)

    def cpp(self, program, *words):
        return (f"{self.arguments.arrow_cpp}/arrow_cpp_{program}", *words)

    def carquet(self, program, *words):
        return (f"{self.arguments.carquet}/carquet_{program}", *words)

    def ratios(self, what, ours, peers, speed=True):
        """Prints what `peers` take of the time of `ours`; that of the fastest one is returned."""
        self.timer.sums = None
        best = []
        found = {}
        for name, peer in peers.items():
            seconds, found[name] = self.timer.pair(f"{what}.{name}", ours, peer, self.arguments.rounds)
            best.append(seconds)
        if speed:
            print(f"host.{what}.mrows {ROWS / min(best) / 1e6:.1f} Mrow/s")
        for name, ratio in found.items():
            print(f"host.{what}.{name} {ratio:.2f} ratio", flush=True)
        return min(found.values())


def measure_plain(bench):
    rows = str(ROWS)
    bench.ratios("plain_write", bench.ours("imu8_write", bench.file("ours"), rows), {
        "vs_arrow_rs": bench.rust("write", bench.file("arrow_rs"), rows),
        "vs_arrow_cpp": bench.cpp("write", bench.file("arrow_cpp"), rows),
        "vs_arrow_cpp_crc": bench.cpp("write", bench.file("arrow_cpp_crc"), rows, "crc"),
    })
    # Each peer reads what it wrote, and the Rust crate with checksums the file of Arrow C++.
    bench.ratios("plain_read", bench.ours("imu8_read", bench.file("ours"), "at_once"), {
        "vs_arrow_rs": bench.rust("read", bench.file("arrow_rs")),
        "vs_arrow_cpp": bench.cpp("read", bench.file("arrow_cpp")),
        "vs_arrow_rs_crc": bench.rust_crc("read", bench.file("arrow_cpp_crc")),
        "vs_arrow_cpp_crc": bench.cpp("read", bench.file("arrow_cpp_crc"), "crc"),
    })
    bench.ratios("plain_read_delivered", bench.ours("imu8_read", bench.file("ours"), "delivered"), {
        "vs_arrow_rs": bench.rust("read", bench.file("arrow_rs"), "delivered"),
    }, speed=False)
    bench.ratios("plain_read_nocrc", bench.ours("imu8_read", bench.file("ours"), "unchecked"), {
        "vs_carquet": bench.carquet("read", bench.file("ours")),
    }, speed=False)


def measure_rows(bench):
    """Row by row against columns, as times of these."""
    rows = str(ROWS)
    pairs = {
        "static_reader.vs_batches": (bench.ours("imu8_read", bench.file("ours"), "batches"),
                                     bench.ours("imu8_read", bench.file("ours"), "rows")),
        "append_values.vs_columns": (bench.ours("imu8_write", bench.file("columns"), rows),
                                     bench.ours("imu8_write", bench.file("values"), rows, "values")),
    }
    for name, (columns, by_row) in pairs.items():
        bench.timer.sums = None
        _, ratio = bench.timer.pair(name, columns, by_row, bench.arguments.rounds)
        print(f"host.{name} {ratio:.2f} times", flush=True)


def measure_device_file(bench):
    """One file for all, in pages of 512 bytes."""
    path = bench.file("device512")
    bench.timer.run(bench.ours("imu8_write", path, str(ROWS), "device"))
    bench.ratios("device512_read", bench.ours("imu8_read", path, "at_once"), {
        "vs_arrow_rs": bench.rust("read", path),
        "vs_arrow_cpp": bench.cpp("read", path),
    }, speed=False)


def measure_forms(bench):
    rows = str(ROWS)
    for form in ("delta", "dictionary", "small"):
        least = bench.ratios(f"{form}_write", bench.ours("imu8_write", bench.file("ours"), rows, form), {
            "vs_arrow_rs": bench.rust("write", bench.file("arrow_rs"), rows, form),
            "vs_arrow_cpp": bench.cpp("write", bench.file("arrow_cpp"), rows, form),
        })
        print(f"host.{form}_write.vs_best {least:.2f} ratio", flush=True)
        least = bench.ratios(f"{form}_read", bench.ours("imu8_read", bench.file("ours")), {
            "vs_arrow_rs": bench.rust("read", bench.file("arrow_rs")),
            "vs_arrow_cpp": bench.cpp("read", bench.file("arrow_cpp")),
        })
        print(f"host.{form}_read.vs_best {least:.2f} ratio", flush=True)


def measure_tables(bench):
    for table, rows in (("bool8", ROWS), ("optional10", ROWS), ("optional_runs", ROWS), ("columns_100", ROWS // 10),
                        ("columns_1000", ROWS // 100)):
        name = table.removesuffix("8")
        bench.ratios(f"{name}_write", bench.ours("table_write", bench.file("ours"), str(rows), table), {
            "vs_arrow_rs": bench.rust("table_write", bench.file("arrow_rs"), str(rows), table),
        }, speed=False)
        bench.ratios(f"{name}_read", bench.ours("table_read", bench.file("ours")), {
            "vs_arrow_rs": bench.rust("table_read", bench.file("arrow_rs")),
        }, speed=False)


def measure_lists(bench):
    """One file for all, by the Rust crate: 4 columns of lists of 32."""
    path = bench.file("list32")
    bench.timer.run(bench.rust("table_write", path, str(ROWS // 32), "list32"))
    least = bench.ratios("list32_read", bench.ours("table_read", path), {
        "vs_arrow_rs": bench.rust("table_read", path),
        "vs_arrow_cpp": bench.cpp("list_read", path),
    }, speed=False)
    print(f"host.list32_read.vs_best {least:.2f} ratio", flush=True)


def measure_list_writing(bench):
    """The lists of 32 out of levels and values, and an Arrow stream of GNSS fixes with their satellites, a million of these."""
    rows = str(ROWS // 32)
    least = bench.ratios("list32_write", bench.ours("list_write", bench.file("ours"), rows), {
        "vs_arrow_rs": bench.rust("table_write", bench.file("arrow_rs"), rows, "list32"),
        "vs_arrow_cpp": bench.cpp("list_write", bench.file("arrow_cpp"), rows),
    }, speed=False)
    print(f"host.list32_write.vs_best {least:.2f} ratio", flush=True)
    bench.timer.sums = None
    for name in ("ours", "arrow_rs", "arrow_cpp"):  # all have the same in them
        bench.timer.run(bench.ours("table_read", bench.file(name)))
    rows = str(ROWS // 10)
    least = bench.ratios("nested_write", bench.ours("fixes_write", bench.file("ours"), rows), {
        "vs_arrow_rs": bench.rust("fixes_write", bench.file("arrow_rs"), rows),
        "vs_arrow_cpp": bench.cpp("fixes_write", bench.file("arrow_cpp"), rows),
    }, speed=False)
    print(f"host.nested_write.vs_best {least:.2f} ratio", flush=True)


def measure_threads(bench):
    """Seconds on the clock of one thread by those of two, each with a Reader of its own."""
    one, two = (bench.ours("imu8_read_threads", bench.file("columns"), threads) for threads in ("1", "2"))
    bench.timer.sums = None
    _, ratio = bench.timer.pair("two_readers", two, one, bench.arguments.rounds)
    print(f"host.two_readers.vs_one {ratio:.2f} ratio", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    for option in ("--ours", "--arrow-cpp", "--arrow-rs", "--arrow-rs-crc", "--carquet", "--disk"):
        parser.add_argument(option, required=True)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--details", action="store_true")
    bench = Bench(parser.parse_args())
    measure_plain(bench)
    measure_rows(bench)
    measure_device_file(bench)
    measure_threads(bench)
    measure_forms(bench)
    measure_tables(bench)
    measure_lists(bench)
    measure_list_writing(bench)


if __name__ == "__main__":
    main()
