#!/usr/bin/env python3
"""Tries the programs that were built with one defence of the writer taken out each; see sabotage.py.

    check_sabotage.py PROGRAMS

Each defence has an attack that gets through without it, or it would be of no use, and does not with it. The last line
is "N passed, N failed".
"""
import functools
import pathlib
import re
import subprocess
import sys
import tempfile

import image_checks
from sabotage import RECOVERY, SABOTAGES

CUTS = "6000"
MEDIA = "300"


def attack_cuts(folder, program, attack):
    """The first case that fails, if it does not with the defence; and what is wrong."""
    command = [folder / program, "--first", "--cuts", CUTS, "--attack", attack]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    failure = re.search(r"^FAILED: (\S+): (.*)$", output, re.MULTILINE)
    if not failure:
        return None
    with_defence = subprocess.run([folder / "power_loss", "--replay", failure[1]], stdout=subprocess.DEVNULL)
    return failure[0][len("FAILED: "):] if with_defence.returncode == 0 else None


@functools.cache
def not_recovered(folder, program):
    """Images of the card from which something is recovered that must not be, or not what must; by their names."""
    with tempfile.TemporaryDirectory() as media:
        command = [folder / program, "--cuts", CUTS, "--attack", "histories", "--media", media, MEDIA]
        subprocess.run(command, capture_output=True)
        wrong = image_checks.check_folder(image_checks.check_medium, pathlib.Path(media), folder / "mpq")[1]
    return {fault.removeprefix(media + "/") for fault in wrong}


def attack_recovery(folder, program):
    """One of these, if there is none with the defence."""
    wrong = not_recovered(folder, program)
    return min(wrong) if wrong and not not_recovered(folder, "power_loss") else None


def attack(folder, name, kind):
    program = f"power_loss_without_{name}"
    return attack_recovery(folder, program) if kind == RECOVERY else attack_cuts(folder, program, kind)


def run(folder):
    failed = 0
    for name, sabotage in SABOTAGES.items():
        through = attack(folder, name, sabotage.attack)
        if through:
            print(f"without {name}: {through}", flush=True)
        else:
            failed += 1
            print(f"FAILED: {name}: no attack of {sabotage.attack} gets through without it alone", flush=True)
    print(f"{len(SABOTAGES) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(run(pathlib.Path(sys.argv[1])))
