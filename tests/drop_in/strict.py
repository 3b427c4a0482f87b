"""Compiles the two files and the pairs of the ports as the public headers are compiled: by each compiler of this machine, with the strictest
warnings as errors; the headers alone, twice, after macros of the names that cores and SDKs define.

    strict.py FOLDER"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "headers"))
import headers_test  # noqa: E402

FILES = pathlib.Path(sys.argv[1])
OF_DEVICES = {"semihosting"}
OF_HOSTS = {"posix", "stdout"}
SYSTEMS = [f"-isystem{path}" for path in headers_test.include_paths()]
DIALECTS = {  # what a project may choose
    "a device at -Os": ["-Os", "-fno-exceptions", "-fno-rtti"],
    "a desktop": ["-O0", "-DMICROPARQUET_DESKTOP=1"],
}


def ports(name):
    """Sources of the library and of the ports that the compiler can take."""
    wrong = OF_HOSTS if name.startswith("arm") else OF_DEVICES
    return [path for path in sorted(FILES.glob("*.cpp")) if path.stem.rpartition("_")[2] not in wrong]


def sources():
    """(name, command, text of standard input)."""
    for name, command in headers_test.compilers().items():
        dialects = {"a device at -Os": DIALECTS["a device at -Os"]} if name.startswith("arm") else DIALECTS
        for standard in headers_test.STANDARDS.values() if headers_test.LONG else ["c++17"]:
            for title, options in dialects.items():
                for path in ports(name):
                    yield (f"{path.name}, {name}, {standard}, {title}", [*command, f"-std={standard}", *options, *headers_test.STRICT,
                                                                       f"-I{FILES}", *SYSTEMS, "-c", str(path), "-o", os.devnull], "")
            headers = [path.with_suffix(".h").name for path in ports(name)] * 2
            text = [*headers_test.before_headers(), *headers_test.include_lines(headers)]
            yield (f"the headers after macros, {name}, {standard}", [*command, "-x", "c++", f"-std={standard}", *headers_test.STRICT_CPP,
                                                                   f"-I{FILES}", *SYSTEMS, "-fsyntax-only", "-"], "\n".join(text) + "\n")
        c_command = [command[0].replace("clang++", "clang").replace("g++", "gcc"), *command[1:]]
        of_c = sorted(path.name for path in FILES.glob("*_c.h"))
        for standard in headers_test.C_STANDARDS if headers_test.LONG else ["c99"]:
            yield (f"the headers for C, {c_command[0]}, {standard}", [*c_command, "-x", "c", f"-std={standard}", *headers_test.STRICT_C,
                                                                    f"-I{FILES}", *SYSTEMS, "-fsyntax-only", "-"],
                   "\n".join(headers_test.include_lines(of_c * 2)) + "\n")


def run(source):
    _, command, text = source
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False)


def main():
    passed = failed = 0
    found = list(sources())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, _, _), result in zip(found, pool.map(run, found)):
            if result.returncode == 0 and not result.stderr:
                passed += 1
                continue
            failed += 1
            print(f"FAILED: {name}", *result.stderr.splitlines()[:8], sep="\n  ")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
