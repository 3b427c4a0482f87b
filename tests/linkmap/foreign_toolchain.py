#!/usr/bin/env python3
"""How large a firmware is whose toolchain file knows nothing of the library.

usage: foreign_toolchain.py FOLDER   prints the figure; FOLDER: to build in
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "foreign_toolchain"
ROOT = HERE.parents[2]
MOST = 9728  # bytes of flash; 24,156 where the library's functions are no sections


def flash(folder):
    """Builds the firmware in a folder, and returns the bytes of flash it takes."""
    subprocess.run(["cmake", "-G", "Ninja", "-S", HERE, "-B", folder, "-DCMAKE_TOOLCHAIN_FILE=" + str(HERE / "toolchain.cmake"),
                    "-DCMAKE_BUILD_TYPE=MinSizeRel", f"-DMICROPARQUET_SOURCES={ROOT}"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "writer.elf"], check=True, stdout=subprocess.DEVNULL)
    sizes = subprocess.run(["arm-none-eabi-size", folder / "writer.elf"], check=True, capture_output=True, text=True)
    text, data = sizes.stdout.splitlines()[1].split()[:2]
    return int(text) + int(data)


if __name__ == "__main__":
    print(f"foreign_toolchain.writer.flash {flash(pathlib.Path(sys.argv[1]))} bytes")
