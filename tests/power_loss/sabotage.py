#!/usr/bin/env python3
"""Defences of the writer, and how each is taken out of a copy of its source.

    sabotage.py make NAME SOURCE_FOLDER OUTPUT   writes the source without the defence
    sabotage.py run FOLDER                       tries the programs built with them

Each defence has an attack that gets through without it, or it would be of no use, and does not with it.
The last line of "run" is "N passed, N failed".
"""
import pathlib
import re
import subprocess
import sys

CUTS = "6000"


class Sabotage:
    """In `source`, `old` must stand exactly once. `attack` is one of "power_loss --list"."""

    def __init__(self, source, old, new, attack):
        self.source, self.old, self.new, self.attack = source, old, new, attack


SABOTAGES = {
    # What a footer describes is on the medium before the footer.
    "checkpoint_barrier": Sabotage("write/checkpoint_store.cpp", "MICROPARQUET_TRY(state.file->barrier());", "", "lost_size"),
    "footer_barrier": Sabotage("write/room_store.cpp",
                               "RoomStore::write_whole(WriterState& state) {\n  MICROPARQUET_TRY(state.file->barrier());",
                               "RoomStore::write_whole(WriterState& state) {", "lost_size"),
    # The last footer is on the medium before the file becomes smaller.
    "closing_barrier": Sabotage("write/room_store.cpp",
                                "MICROPARQUET_TRY(state.file->barrier());\n    MICROPARQUET_TRY(state.file->shrink",
                                "MICROPARQUET_TRY(state.file->shrink", "lost"),
    # Rows are durable when a sync has succeeded.
    "sync_errors": Sabotage("write/footer.cpp",
                            "MICROPARQUET_TRY(state.file->sync(draft.at + footer_bytes(state, draft.said)));",
                            "static_cast<void>(state.file->sync(draft.at + footer_bytes(state, draft.said)));", "errors"),
    # A footer with a wrong bit is not gone on with.
    "footer_crc": Sabotage("write/resume.cpp", "if (!sound || crc != footer_crc[0] || footer_crc[1] != 0) return Status::kCorrupt;",
                           "static_cast<void>(sound);", "flipped"),
    # Entries that were read wrong do not get into a footer.
    "entries_crc": Sabotage("write/footer.cpp", "if (sink.crc() != draft.said.entries_crc) {", "if (false) {", "misreads"),
}


def make(name, folder, output):
    sabotage = SABOTAGES[name]
    path = pathlib.Path(folder) / sabotage.source
    text = path.read_text()
    count = text.count(sabotage.old)
    if count != 1:
        sys.exit(f"sabotage.py: {name}: {count} places in {path} instead of one: {sabotage.old}")
    pathlib.Path(output).write_text(text.replace(sabotage.old, sabotage.new))


def first_failure(program, attack):
    """Name and text of the first case that fails, or None."""
    command = [program, "--first", "--cuts", CUTS, "--attack", attack]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    return re.search(r"^FAILED: (\S+): (.*)$", output, re.MULTILINE)


def judge(folder, name, attack):
    """What is wrong with a defence and its attack, or None."""
    failure = first_failure(folder / f"power_loss_without_{name}", attack)
    if not failure:
        return f"no attack of {attack} gets through without it"
    print(f"without {name}: {failure[1]}: {failure[2]}", flush=True)
    if subprocess.run([folder / "power_loss", "--replay", failure[1]], stdout=subprocess.DEVNULL).returncode != 0:
        return "the attack gets through with it, too"
    return None


def run(folder):
    failed = 0
    for name, sabotage in SABOTAGES.items():
        fault = judge(folder, name, sabotage.attack)
        if fault:
            failed += 1
            print(f"FAILED: {name}: {fault}", flush=True)
    print(f"{len(SABOTAGES) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make(*sys.argv[2:])
    else:
        sys.exit(run(pathlib.Path(sys.argv[2])))
