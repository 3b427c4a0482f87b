#!/usr/bin/env python3
"""Times our programs and the peers' in turns: ours, peer, ours, peer, ... and prints figures.

usage: pairs.py --ours DIR --arrow-cpp DIR --arrow-rs DIR --arrow-rs-crc DIR --disk DIR [--rounds N] [--details]

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


def measure(timer, what, ours, peers, rounds):
    best = []
    ratios = {}
    for name, peer in peers.items():
        seconds, ratios[name] = timer.pair(f"{what}.{name}", ours, peer, rounds)
        best.append(seconds)
    print(f"host.{what}.mrows {ROWS / min(best) / 1e6:.1f} Mrow/s")
    for name, ratio in ratios.items():
        print(f"host.{what}.{name} {ratio:.2f} ratio", flush=True)
    return ratios


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    for option in ("--ours", "--arrow-cpp", "--arrow-rs", "--arrow-rs-crc", "--disk"):
        parser.add_argument(option, required=True)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--details", action="store_true")
    arguments = parser.parse_args()
    timer = Timer(arguments.details)
    cpp, rust, rust_crc = arguments.arrow_cpp, arguments.arrow_rs, arguments.arrow_rs_crc

    def file(name):
        return f"{arguments.disk}/{name}.parquet"

    rows = str(ROWS)
    measure(timer, "plain_write", (f"{arguments.ours}/imu8_write", file("ours"), rows), {
        "vs_arrow_rs": (f"{rust}/arrow_rs_write", file("arrow_rs"), rows),
        "vs_arrow_cpp": (f"{cpp}/arrow_cpp_write", file("arrow_cpp"), rows),
        "vs_arrow_cpp_crc": (f"{cpp}/arrow_cpp_write", file("arrow_cpp_crc"), rows, "crc"),
    }, arguments.rounds)
    # Each peer reads what it wrote, and the Rust crate with checksums the file of Arrow C++.
    measure(timer, "plain_read", (f"{arguments.ours}/imu8_read", file("ours")), {
        "vs_arrow_rs": (f"{rust}/arrow_rs_read", file("arrow_rs")),
        "vs_arrow_cpp": (f"{cpp}/arrow_cpp_read", file("arrow_cpp")),
        "vs_arrow_rs_crc": (f"{rust_crc}/arrow_rs_read", file("arrow_cpp_crc")),
        "vs_arrow_cpp_crc": (f"{cpp}/arrow_cpp_read", file("arrow_cpp_crc"), "crc"),
    }, arguments.rounds)
    for form in ("delta", "dictionary", "small"):
        ratios = measure(timer, f"{form}_write", (f"{arguments.ours}/imu8_write", file("ours"), rows, form), {
            "vs_arrow_rs": (f"{rust}/arrow_rs_write", file("arrow_rs"), rows, form),
            "vs_arrow_cpp": (f"{cpp}/arrow_cpp_write", file("arrow_cpp"), rows, form),
        }, arguments.rounds)
        print(f"host.{form}_write.vs_best {min(ratios.values()):.2f} ratio", flush=True)


if __name__ == "__main__":
    main()
