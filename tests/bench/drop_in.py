#!/usr/bin/env python3
"""Measures the library as two files: their size, what they take to compile for a Cortex-M4F at -Os, and how much more flash than the
library's images take that are linked with their object instead.

usage: drop_in.py [--details] ROOT WORK

Images are those of tests/bench/firmware, each without what its twin takes. With -flto the image's own source and the two files are
compiled with it. --details prints each image on standard error.
"""
import pathlib
import resource
import shlex
import shutil
import subprocess
import sys

import footprint

BENCH = pathlib.Path(__file__).resolve().parent
WRITERS = ("writer_plain", "writer_checkpoint", "writer_resume", "writer_indexed", "writer_delta", "writer_dictionary", "writer_small",
           "writer_forward", "writer_tailed", "writer_save")
READER = "reader_plain"
FLAGS = ("-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "--specs=nano.specs", "-std=c++17", "-Os", "-g",
         "-ffunction-sections", "-fdata-sections", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables", "-fno-exceptions", "-fno-rtti",
         "-fno-threadsafe-statics")


def run(*command, **keywords):
    return subprocess.run([*map(str, command)], stdout=subprocess.PIPE, text=True, check=True, **keywords).stdout


class Images:
    """Images of the library in a build folder, linked once more with the object of the two files."""

    def __init__(self, names, files, work):
        both = [name + twin for name in names for twin in ("", "_empty")]
        self.folder = pathlib.Path(run(BENCH / "firmware/build", "cortex-m4f", *both).strip())
        self.files = files
        self.work = work

    def commands(self, name):
        """Arguments of the commands that make an image: of compilers, and of the linker, which is the last."""
        for line in run("ninja", "-C", self.folder, "-t", "commands", f"bin/{name}.elf").splitlines():
            words = [word for word in shlex.split(line) if word not in (":", "&&", "ccache") and "-fcallgraph-info" not in word]
            if words[0].endswith("g++"):
                yield words

    def link(self, name, way):
        """Links an image in a way, and returns its map."""
        *compiled, linked = self.commands(name)
        image = self.work / f"{name}_{way}"
        link_map = f"{image}.map"
        if way == "lto":
            own = f"/{name}.dir/"
            command = next(words for words in compiled if own in words[words.index("-o") + 1])
            linked[next(i for i, word in enumerate(linked) if own in word)] = f"{image}.o"
            command[command.index("-o") + 1] = f"{image}.o"
            run(*command, "-flto", cwd=self.folder)
            linked.append("-flto")
        linked[linked.index("src/libmicroparquet.a")] = self.work / f"microparquet_{way}.o"
        linked[linked.index("-o") + 1] = f"{image}.elf"
        linked[next(i for i, word in enumerate(linked) if word.startswith("-Wl,-Map="))] = f"-Wl,-Map={link_map}"
        run(*linked, cwd=self.folder)
        return link_map

    def library(self, name):
        return self.folder / f"bin/{name}.map"

    def more(self, name, way):
        """Bytes of flash that the image takes more than that of the library."""
        def flash(link_map, twin):
            return sum(size for (kind, _), size in footprint.added(link_map, twin).items() if kind in footprint.FLASH)
        return flash(self.link(name, way), self.link(f"{name}_empty", way)) - flash(self.library(name), self.library(f"{name}_empty"))


def compile_files(files, work):
    """Compiles the two files in both ways. Returns the compiler's seconds and megabytes without -flto."""
    command = ("arm-none-eabi-g++", *FLAGS, "-I", files, "-c", files / "microparquet.cpp", "-o")
    run(*command, work / "microparquet_plain.o")
    took = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(*command, work / "microparquet_lto.o", "-flto")
    return took.ru_utime + took.ru_stime, took.ru_maxrss / 1024


def main():
    root, work = (pathlib.Path(path).resolve() for path in sys.argv[-2:])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    files = work / "files"
    run(root / "port/packages/lay_out", "drop_in", files)
    cpu, peak = compile_files(files, work)
    images = Images([*WRITERS, READER], files, work)
    more = {(name, way): images.more(name, way) for name in (*WRITERS, READER) for way in ("plain", "lto")}
    if "--details" in sys.argv:
        for (name, way), size in more.items():
            print(f"{size:+6} {name} {way}", file=sys.stderr)
    names = ("microparquet.h", "microparquet.cpp", "microparquet_c.h")
    print(f"drop_in.bytes {sum((files / name).stat().st_size for name in names)} bytes")
    print(f"drop_in.writers_flash_over_library {max(more[name, 'plain'] for name in WRITERS)} bytes_more")
    print(f"drop_in.reader_flash_over_library {more[READER, 'plain']} bytes_more")
    print(f"drop_in.flash_lto {max(size for (_, way), size in more.items() if way == 'lto')} bytes_more")
    print(f"drop_in.compile_cpu {cpu:.1f} s")
    print(f"drop_in.compile_peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
