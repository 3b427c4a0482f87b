#!/usr/bin/env python3
"""Flash and RAM of FatFs itself in fatfs_footprint.elf: its objects, one volume and one file.

usage: fatfs_footprint.py MAP NAME   (NAME: what the lines' names begin with)
       fatfs_footprint.py --port MAP

--port: the flash of the port over FatFs on a Cortex-M4F, with FF_FS_EXFAT, above that of commit a642cbe, which mended nothing.
"""
import pathlib
import subprocess
import sys

import footprint

SOURCES = ("ff.c.obj", "ffsystem.c.obj", "ffunicode.c.obj")
PORT_BEFORE = 2692  # bytes, at a642cbe
OBJECTS = ("(anonymous namespace)::volume", "(anonymous namespace)::file_object")


def main():
    if sys.argv[1] == "--port":
        port = sum(size for kind, name, size in footprint.placed(sys.argv[2])
                   if kind in footprint.FLASH and "libmicroparquet_fatfs.a" in name)
        print(f"m4f.exfat.flash_added {port - PORT_BEFORE} bytes")
        return
    map_path = pathlib.Path(sys.argv[1])
    flash = ram = 0
    for kind, name, size in footprint.placed(map_path):
        if name.endswith(tuple(f"({source})" for source in SOURCES)):
            flash += size if kind in footprint.FLASH else 0
            ram += size if kind in footprint.RAM else 0
    symbols = subprocess.run(["arm-none-eabi-nm", "-S", "-C", map_path.with_suffix(".elf")], capture_output=True, text=True,
                             check=True).stdout
    sizes = {name: int(size, 16) for _, size, _, name in
             (line.split(" ", 3) for line in symbols.splitlines() if line.count(" ") >= 3)}
    print(f"{sys.argv[2]}.flash {flash} bytes")
    print(f"{sys.argv[2]}.ram {ram + sum(sizes[name] for name in OBJECTS)} bytes")


main()
