#!/usr/bin/env python3
"""Files that tests read, as an archive a set.

    archives.py unpack SET     unpacks tests/SET's archives into the build folder, unless they lie there, and prints where:
                               a folder that has one for each archive
    archives.py pack FOLDER    writes FOLDER.tar.xz of the files in FOLDER: the same bytes each time, whenever and by whomever
"""
import fcntl
import hashlib
import lzma
import os
import pathlib
import shutil
import sys
import tarfile

TESTS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS.parent / "port/packages"))
from releasing.archives import write_tar  # noqa: E402

SUFFIX = ".tar.xz"
BUILD = pathlib.Path(os.environ.get("MICROPARQUET_BUILD") or TESTS.parent / "build").resolve()  # whatever folder tests go to


def unpack_archive(archive, folder):
    """Leaves a folder that is there alone when it came from an archive with the same bytes."""
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    stamp = folder.with_name(folder.name + ".sha256")
    if folder.exists() and stamp.exists() and stamp.read_text() == digest:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with tarfile.open(archive) as members:
        for member in members:
            path = folder / member.name
            if not path.resolve().is_relative_to(folder):
                sys.exit(f"archives.py: {archive} has a file outside its folder: {member.name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(members.extractfile(member).read())
    stamp.write_text(digest)


def unpack(of_set):
    """The folder of the unpacked files. Groups that run side by side wait here for each other."""
    folder = BUILD / "unpacked" / of_set
    folder.mkdir(parents=True, exist_ok=True)
    archives = {path.name.removesuffix(SUFFIX): path for path in sorted((TESTS / of_set).rglob("*" + SUFFIX))}
    if not archives:
        sys.exit(f"archives.py: tests/{of_set} has no archive")
    with open(folder / ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name, archive in archives.items():
            unpack_archive(archive, folder / name)
        for left in folder.iterdir():
            if left.is_dir() and left.name not in archives:
                shutil.rmtree(left)
    return folder


def pack(folder):
    """Names, sizes and bytes of the files make the archive, and nothing else."""
    archive = folder.with_name(folder.name + SUFFIX)
    with lzma.open(archive, "wb", preset=9 | lzma.PRESET_EXTREME) as packed:
        write_tar(packed, folder, "", 0)


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("unpack", "pack"):
        sys.exit(__doc__)
    if sys.argv[1] == "pack":
        pack(pathlib.Path(sys.argv[2]).resolve())
        return
    for of_set in sys.argv[2:]:
        print(unpack(of_set))


if __name__ == "__main__":
    main()
