#!/usr/bin/env python3
"""Remedies of the port over FatFs for exFAT, and how each is taken out of a copy of its sources.

    bugs.py --list                       names them
    bugs.py NAME OUTPUT SOURCE...        writes the sources without it, as one
    bugs.py --check PROGRAMS             runs exfat_cuts_without_NAME or bad_volumes_without_NAME: each must fail
"""
import pathlib
import subprocess
import sys

CUTS = "exfat_cuts", "200"
VOLUMES = "bad_volumes", "1000"
SECONDS = 60  # one that does not end has failed

# What finds it, and what is replaced, which must stand once in all sources.
BUGS = {
    "checksum": (CUTS, "return is_sound ? sum : kDamaged;", "return kDamaged;"),
    "giving_up": (CUTS, "is_empty_folder(volume, first)) ? kGiveUp : kDamaged;", "is_empty_folder(volume, first)) ? kDamaged : kDamaged;"),
    "folder_end": (CUTS, "is_cut_off = true;  // where the folder was to grow", "return kDamaged;"),
    "folder_links": (CUTS, "result = link_folder(folder) ? sync", "result = false ? sync"),
    "end_markers": (CUTS, "return remove_markers(volume, marker);", "break;"),
    "table_first": (CUTS, "file_.obj.stat == kNewlyInPieces) {", "false) {"),
    "range": (VOLUMES, "is_sound = has_place(volume, entry);", "is_sound = true;"),
    "empty_file": (VOLUMES, "if (is_exfat() && published_ == 0) file_.obj.sclust", "if (false) file_.obj.sclust"),
    "late_end": (VOLUMES, "const bool trims = !is_exfat();", "constexpr bool trims = true;"),
    "bitmap": (VOLUMES, "(window[bit / 8 % bytes] >> bit % 8 & 1) != 0;", "true;"),
    "circle": (VOLUMES, "if (is_exfat() && runs_in_circle) tail_is_sound_ = false;", ""),
}


def write(name, output, sources):
    """Each source may have names of its own that another has, too: they are put into one all the same, as a unity build does."""
    _, old, new = BUGS[name]
    texts = [pathlib.Path(source).read_text() for source in sources]
    if sum(text.count(old) for text in texts) != 1:
        sys.exit(f"{name}: not one place in {sources}: {old}")
    pathlib.Path(output).write_text("".join(text.replace(old, new) for text in texts))


def is_found(name, programs):
    (program, count), *_ = BUGS[name]
    try:
        run = subprocess.run([programs / f"{program}_without_{name}", count, "first"], capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "it does not come to an end"
    failures = [line for line in run.stdout.splitlines() if line.startswith("FAILED")]
    return failures[0] if run.returncode != 0 and failures else None


def check(programs):
    failed = 0
    for name in BUGS:
        found = is_found(name, programs)
        print(f"without {name}: {found}" if found else f"FAILED: {name}: nothing is found without it", flush=True)
        failed += not found
    print(f"{len(BUGS) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(f"{name} {program}" for name, ((program, _), *_) in BUGS.items()))
    elif sys.argv[1] == "--check":
        sys.exit(check(pathlib.Path(sys.argv[2])))
    else:
        write(sys.argv[1], sys.argv[2], sys.argv[3:])
