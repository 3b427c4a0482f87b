#!/usr/bin/env python3
"""The project as a library of Arduino, a component of ESP-IDF and a module of Zephyr: it builds by their rules, says
the version it has, and its ports call no allocator.

check_systems.py ROOT FATFS, in a folder to work in. The last line is "N passed, N failed".
"""
import os
import pathlib
import re
import subprocess
import sys

import kconfiglib

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from checks import Checks  # pylint: disable=wrong-import-position

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "port/packages"))
from releasing import version  # pylint: disable=wrong-import-position

ROOT, FATFS = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
FORBIDDEN = re.compile(r"_?(malloc|calloc|realloc|free|sbrk)(_r)?$|_Zn[wa]|_Zd[la]|__cxa_(throw|begin_catch|allocate|guard)"
                       r"|_Unwind_|_ZTI|__dynamic_cast|(v?f|s|sn)?printf(_r)?$|(__aeabi_)?atexit$")

checks = Checks(shows_passed=True)
check = checks.check


def run(*command):
    """Runs a command, and returns its output if it fails."""
    result = subprocess.run([*map(str, command)], capture_output=True, text=True)
    return "" if result.returncode == 0 else (result.stdout + result.stderr)[-4000:]


def check_versions():
    wanted = version.version_of(ROOT)
    for path, said in version.found(ROOT):
        check(f"{path} has version {wanted}", "" if said == wanted else said or "no version")
    module = (ROOT / "zephyr/module.yml").read_text()
    for key in ("cmake", "kconfig"):
        path = ROOT / re.search(rf"^  {key}: (.*)$", module, re.M)[1]
        check(f"module.yml: {key}", "" if path.exists() else f"no {path}")


def configured(*options):
    """Options of a program of Zephyr that sets these, by name: y or n."""
    os.environ["KCONFIG_OF_MODULE"] = str(ROOT / "port/zephyr/Kconfig")
    kconfig = kconfiglib.Kconfig(str(ROOT / "tests/ports/api/zephyr/Kconfig"), suppress_traceback=True)
    for option in options:
        kconfig.syms[option].set_value("y")
    return {name: symbol.str_value for name, symbol in kconfig.syms.items()}


def check_kconfig():
    for standard in ("STD_CPP17", "STD_CPP20"):
        values = configured("MICROPARQUET", "CPP", standard, "FILE_SYSTEM")
        wanted = ("MICROPARQUET", "MICROPARQUET_FILE", "REQUIRES_FULL_LIBCPP")
        check(f"Zephyr with all that is needed, {standard}", "" if all(values[name] == "y" for name in wanted) else values)
    values = configured("MICROPARQUET", "CPP", "STD_CPP17", "MICROPARQUET_FILE")
    held = values["MICROPARQUET"] == "y" and values["MICROPARQUET_FILE"] == "n"
    check("Zephyr without files", "" if held else values)
    for own, needs, forbids in (("MICROPARQUET_FATFS", "FAT_FILESYSTEM_ELM", "FS_FATFS_READ_ONLY"),
                                ("MICROPARQUET_LITTLEFS", "FILE_SYSTEM_LITTLEFS", "STD_CPP14")):
        base = ("CPP", "STD_CPP17", "FILE_SYSTEM", "MICROPARQUET")
        for options, wanted in (((*base, needs, own), "y"), ((*base, needs), "n"), ((*base, own), "n"),
                                ((*base, needs, own, forbids), "n")):
            values = configured(*options)
            check(f"Zephyr with {' '.join(options)}", "" if values[own] == wanted else values)
    for lacking in ((), ("CPP",), ("CPP", "STD_CPP14")):
        values = configured("MICROPARQUET", "FILE_SYSTEM", *lacking)
        check(f"Zephyr refuses it with {' '.join(lacking) or 'no C++'}", "" if values["MICROPARQUET"] == "n" else values)


def check_sample():
    """Zephyr's sample takes cards of exFAT, and formats none that it cannot mount."""
    os.environ["KCONFIG_OF_MODULE"] = str(ROOT / "port/zephyr/Kconfig")
    kconfig = kconfiglib.Kconfig(str(ROOT / "tests/ports/api/zephyr/Kconfig"), suppress_traceback=True)
    kconfig.warn = False
    kconfig.load_config(str(ROOT / "port/zephyr/samples/card_logger/prj.conf"))
    names = ("MICROPARQUET_FILE", "MICROPARQUET_FATFS", "FS_FATFS_EXFAT", "FS_FATFS_MOUNT_MKFS")
    values = {name: kconfig.syms[name].str_value for name in names}
    check("Zephyr's sample", "" if list(values.values()) == ["y", "y", "y", "n"] else values)


def check_component():
    """The component's options: off, and switched on by themselves."""
    for option in ("MICROPARQUET_FATFS", "MICROPARQUET_LITTLEFS"):
        kconfig = kconfiglib.Kconfig(str(ROOT / "port/esp_idf/Kconfig"), suppress_traceback=True)
        symbol = kconfig.syms[option]
        before = symbol.str_value
        symbol.set_value("y")
        values = {name: found.str_value for name, found in kconfig.syms.items()}
        held = before == "n" and [name for name, value in values.items() if value == "y"] == [option]
        check(f"ESP-IDF with {option}", "" if held else f"{before}, then {values}")


def with_own_file_systems(system):
    """Ports over file systems in a system's library, by the sources that it compiles as one."""
    units = pathlib.Path(system).rglob("unity_*.cxx")
    return {(library.parents[1].name, name) for library in units for name in ("fatfs", "littlefs")
            if f"port/{name}/{name}_file.cpp" in library.read_text()}


def check_package():
    package = ROOT / "port/arduino/package"
    alone = subprocess.run([package], capture_output=True, text=True)
    held = alone.returncode == 2 and alone.stderr.startswith("usage: ")
    check("without a folder it says how it is used", "" if held else f"exit code {alone.returncode}, {alone.stderr}")
    own = pathlib.Path("own/microparquet/notes.txt")
    own.parent.mkdir(parents=True)
    own.touch()
    refused = subprocess.run([package, "own"], capture_output=True, text=True)
    held = refused.returncode == 1 and own.exists()
    check("what is no library is not deleted", "" if held else f"exit code {refused.returncode}, {refused.stderr}")
    check("the library of Arduino is laid out", run(package, "arduino"))
    stale = pathlib.Path("arduino/microparquet/src/stale.cpp")
    stale.touch()
    check("the library of Arduino is laid out again", run(package, "arduino") or ("stale" if stale.exists() else ""))


def undefined(path):
    """Functions that an object or library calls, by the member that calls them."""
    output = subprocess.run(["arm-none-eabi-nm", "-A", "--undefined-only", path], capture_output=True, text=True, check=True)
    for line in output.stdout.splitlines():
        place, name = line.split()[0], line.split()[-1]
        yield place, name


def check_calls(name, files):
    faults = [f"{place} {symbol}" for file in files for place, symbol in undefined(file) if FORBIDDEN.match(symbol)]
    check(f"{name}: no allocator, exceptions, type information, printf", faults if files else "nothing was built")


def check_logger_memory(sketch):
    """The Logger of the sketch is zeros until it begins, and no larger than its header says."""
    said = re.search(r"sizeof is the whole cost in memory, (\d+) KB", (ROOT / "port/arduino/include/microparquet/port/logger.h").read_text())
    shown = subprocess.run(["arm-none-eabi-nm", "-S", sketch], capture_output=True, text=True, check=True).stdout
    _, size, kind, _ = next(line.split() for line in shown.splitlines() if line.endswith(" logger"))
    held = kind in "bB" and int(size, 16) <= int(said[1]) * 1000
    check(f"a Logger takes {int(size, 16)} bytes of RAM, none of flash", "" if held else f"{kind}, {said[0]}")


def main():
    check_versions()
    check_kconfig()
    check_sample()
    check_component()
    check_package()
    library = pathlib.Path("arduino/microparquet").resolve()
    for file in ("library.properties", "keywords.txt", "README.md", "LICENSE", "src/microparquet.h", "examples/sd_log/sd_log.ino",
                 "examples/few_lines/few_lines.ino"):
        check(f"it has {file}", "" if (library / file).is_file() else "missing")
    for folder, own in (("systems_alone", "OFF"), ("systems", "ON")):
        check(f"all three are configured, with their file systems {own}",
              run("cmake", "-G", "Ninja", "-S", ROOT / "tests/ports/systems", "-B", folder, f"-DOWN_FILE_SYSTEMS={own}",
                  f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/toolchains/arm-none-eabi-cortex-m0plus.cmake",
                  f"-DMICROPARQUET_SOURCES={ROOT}", f"-DARDUINO_LIBRARY={library}",
                  f"-DMICROPARQUET_FATFS_DIR={FATFS};{ROOT}/tests/filesystems/config",
                  f"-DMICROPARQUET_LITTLEFS_DIR={FATFS.parent}/littlefs"))
    found = with_own_file_systems("systems")
    check("both libraries have both ports where they are asked for", "" if len(found) == 4 else str(found))
    found = with_own_file_systems("systems_alone")
    check("and none where they are not", str(found) if found else "")
    check("and built", run("cmake", "--build", "systems"))
    for system in ("arduino", "esp_idf", "zephyr"):
        check_calls(system, sorted(pathlib.Path("systems").rglob(f"lib{system}_library.a")))
    check_calls("ArduinoFile", sorted(pathlib.Path("systems").rglob("arduino_file.cpp.obj")))
    check_calls("Logger", sorted(pathlib.Path("systems").rglob("arduino_logger.cpp.obj")))
    check_logger_memory(next(pathlib.Path("systems").rglob("few_lines.cpp.obj")))
    return checks.finish()


sys.exit(main())
