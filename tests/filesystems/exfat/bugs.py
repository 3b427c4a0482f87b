#!/usr/bin/env python3
"""Remedies of the port over FatFs, most of them for exFAT, and how each is taken out of a copy of its sources.

    bugs.py --list                       names them
    bugs.py NAME FOLDER OUTPUT           writes the port's sources in a folder without it, as one
    bugs.py --check PROGRAMS             runs exfat_cuts_without_NAME, or another program's: each must fail
"""
import pathlib
import subprocess
import sys

CUTS = "exfat_cuts", "200"
VOLUMES = "bad_volumes", "1000"
ORDER = "fatfs_order", ""  # all its tests
SECONDS = 60  # one that does not end has failed

# What finds it, and what is replaced, which must stand once in all sources.
BUGS = {
    "checksum": (CUTS, "return fits ? sum << kRemedyBits | kChecksumIs : kDamaged;", "return kDamaged;"),
    "giving_up": (CUTS, "? kGiveUp : kDamaged;", "? kDamaged : kDamaged;"),
    "folder_end": (CUTS, "is_cut_off = true;  // where the folder was to grow", "return kDamaged;"),
    "folder_links": (CUTS, "link_folder(folder) ? FR_OK", "false ? FR_OK"),
    "folder_cluster": (CUTS, "if (volume.winsect != kNowhere) static_cast<void>(link_folder(folder));", ""),
    "end_markers": (CUTS, "return finish(volume, remove_markers(folder));", "return finish(volume, FR_OK);"),
    "table_first": (CUTS, "is_in_pieces && clusters", "false && clusters"),
    "range": (VOLUMES, "if (first != 0 && !load_cluster(volume, first, 0)) return kDamaged;", ""),
    "length": (VOLUMES, "return fits ? ", "return true ? "),
    "empty_file": (VOLUMES, "if (is_exfat() && clusters == 0) file_.obj.sclust = 0;", ""),
    "late_end": (VOLUMES, "const bool trims = !is_exfat();", "constexpr bool trims = true;"),
    "bitmap": (VOLUMES, "if (is_free(volume, static_cast<DWORD>(volume.dirbase), false)) {", "if (false) {"),
    "window": (ORDER, "held >= kTakesWindow && !write_window(volume)", "false"),
    "circle": (VOLUMES, "!runs_in_circle && (tail_is_sound_ || !is_exfat());", "true;"),
}


def write(name, folder, output):
    """Sources may have names of their own that others have, too: they are put into one all the same, as a unity build does."""
    _, old, new = BUGS[name]
    texts = [source.read_text() for source in sorted(pathlib.Path(folder).glob("*.cpp")) if not source.stem.endswith("_c")]
    if sum(text.count(old) for text in texts) != 1:
        sys.exit(f"{name}: not one place in {folder}: {old}")
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
        write(*sys.argv[1:])
