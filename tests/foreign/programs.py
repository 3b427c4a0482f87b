"""Writers that are programs: built once from pinned sources, they write the rows of a Parquet file again."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pyarrow.parquet

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("MICROPARQUET_BUILD", HERE.parent.parent / "build")).resolve() / "foreign_writers"
LEAST_RUST = (1, 88)


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode != 0:
        raise RuntimeError(f"{command[0]} failed: {result.stderr}")
    return result.stdout


def build_parquet_go():
    # The virtual environment's Go comes first, and no other one is fetched in its place.
    path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    run(["go", "build", "-mod=readonly", "-o", BUILD / "parquet_go", "."], cwd=HERE / "parquet_go",
        env={**os.environ, "PATH": path, "GOTOOLCHAIN": "local"})
    return BUILD / "parquet_go"


def build_arrow_rs():
    run(["cargo", "build", "--release", "--locked", "--target-dir", BUILD / "arrow_rs"], cwd=HERE / "arrow_rs")
    return BUILD / "arrow_rs" / "release" / "foreign_arrow_rs"


def has_rust():
    """The crate needs a newer compiler than some distributions have."""
    if shutil.which("cargo") is None or shutil.which("rustc") is None:
        return False
    version = run(["rustc", "--version"]).split()[1]
    return tuple(map(int, version.split(".")[:2])) >= LEAST_RUST


class Program:
    """One that `build` makes when it is first asked for a file."""

    def __init__(self, build):
        self.build, self.path = build, None

    def writer(self, **options):
        words = [word for name, value in options.items() for word in ("-" + name.replace("_", "-"), str(value))]

        def write(rows, path):
            if self.path is None:
                BUILD.mkdir(parents=True, exist_ok=True)
                self.path = self.build()
            with tempfile.TemporaryDirectory() as folder:
                source = f"{folder}/rows.parquet"
                pyarrow.parquet.write_table(rows, source)
                run([self.path, source, path, *words])
        return write


parquet_go = Program(build_parquet_go).writer
arrow_rs = Program(build_arrow_rs).writer
