"""Asks engines for logs whose firmware has added, widened or renamed a column, and holds the page of it against their answers.

Usage: changed_schemas.py FOLDER_OF_PROGRAMS WORK_FOLDER [--write], from the project's folder. --write writes the page again. The
last line is "N passed, N failed". With --figures it prints the figure instead.
"""
import math
import pathlib
import shutil
import subprocess
import sys

import engines

PAGE = pathlib.Path("tests/engines/changed_schemas.md")
ROWS = 100  # of each file
ORDERS = ((1, 2), (2, 1))  # of the schemas, by the names of their files
HEAD = """# Logs of several schemas

Written by `tests/engines/changed_schemas.py`, which asks each engine, and by `tests/run engines` held against its answers. A log has two
files: before an update of the firmware, and after. A column was **added** (`temperature`), **widened** from INT32 to INT64 (`number`) or
**renamed** (`gyroscope_z` to `gyro_z`); the question is how many rows and values there are, and their sum. Each is asked with the older
file first by its name, and with the newer one first; where the answers differ both are named.

"""
RULE = """
A new firmware therefore adds columns at the end, with names that are new, and renames and widens none; a counter is INT64 from
the first day. It raises the key-value `schema_version` (see [facts.h](../../include/microparquet/facts.h)), which says the files
of one schema. If it is too late, the right words name all columns, each in its widest type and nullable:

"""


def columns_of(version, change):
    """name -> (type of csv_log, values)."""
    first = 0 if version == 1 else ROWS
    wide = change == "widened" and version == 2
    z = "gyro_z" if change == "renamed" and version == 2 else "gyroscope_z"
    columns = {"number": ("int64" if wide else "int32", [i + (2 ** 40 if wide else 0) for i in range(first, first + ROWS)]),
               "time_us": ("int64", [2500 * i for i in range(first, first + ROWS)]),
               z: ("float", [i / 2 for i in range(first, first + ROWS)])}
    if change == "added" and version == 2:
        columns["temperature"] = ("float", [20 + i / 4 for i in range(ROWS)])
    return columns


def write(path, version, change, csv_log):
    columns = columns_of(version, change)
    table = path.with_suffix(".csv")
    table.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in zip(*(values for _, values in columns.values())))]) + "\n")
    subprocess.run([csv_log, table, path, *(f"--type={name}={kind}" for name, (kind, _) in columns.items())], check=True, stdout=subprocess.DEVNULL)
    table.unlink()


def make_files(work, csv_log):
    """(change, order) -> glob of two files."""
    shutil.rmtree(work, ignore_errors=True)
    files = {}
    for change in engines.CHANGES:
        for order in ORDERS:
            folder = work / f"{change}_{order[0]}_first"
            folder.mkdir(parents=True)
            for place, version in enumerate(order):
                write(folder / f"{place}.parquet", version, change, csv_log)
            files[change, order] = str(folder / "*.parquet")
    return files


def expected(change):
    column, other = engines.CHANGES[change]
    values = [value for version in (1, 2) for name, (_, each) in columns_of(version, change).items() if name in (column, other) for value in each]
    return 2 * ROWS, len(values), sum(values)


def judge(answer, right):
    rows, values, total = answer
    if rows != right[0]:
        return f"**wrong**: {rows:g} of {right[0]} rows"
    if values < right[1]:
        return f"**wrong**: {values:g} of {right[1]} values, no word of the others"
    same = total is not None and math.isclose(total, right[2])
    return "right" if values == right[1] and same else "**wrong**: values that are in no file"


def outcome(engine, kind, glob, change):
    column, other = engines.CHANGES[change]
    try:
        answer = engine.ask(getattr(engine, kind)(glob), column, other if kind == "right" else None)
    except (AttributeError, NameError, TypeError):  # of ours
        raise
    except Exception:  # whatever an engine raises is a refusal
        return "refuses"
    return judge(answer, expected(change))


def measure(files):
    """(engine, kind, change) -> what it says, which is several things where it depends on the order."""
    table = {}
    for engine in engines.ENGINES:
        for kind in ("plain", "right"):
            for change in engines.CHANGES:
                said = {outcome(engine, kind, files[change, order], change) for order in ORDERS}
                table[engine.name, kind, change] = ", or ".join(sorted(said))
    return table


def page(table):
    text = HEAD + "| engine | asked | " + " | ".join(engines.CHANGES) + " |\n|---|---|" + "---|" * len(engines.CHANGES) + "\n"
    for engine in engines.ENGINES:
        for kind, asked in (("plain", "plainly"), ("right", "with the right words")):
            cells = [f"{engine.name} {engines.version(engine)}" if kind == "plain" else "", asked,
                     *(table[engine.name, kind, change] for change in engines.CHANGES)]
            text += "| " + " | ".join(cells) + " |\n"
    text += RULE + "| engine | words |\n|---|---|\n"
    text += "".join(f"| {engine.name} | `{engine.words}` |\n" for engine in engines.ENGINES)
    return text + "\nand `coalesce(gyroscope_z, gyro_z)` where a column has two names.\n"


def main():
    programs, work = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    table = measure(make_files(work, programs / "csv_log"))
    wrong = [f"{name}, {change}: {said}" for (name, kind, change), said in table.items() if kind == "right" and said != "right"]
    if "--figures" in sys.argv:
        print(f"engines.wrong_answers {len(wrong)} answers")
        return 0
    if "--write" in sys.argv:
        PAGE.write_text(page(table))
    found = {
        "with the right words all answers are right": not wrong or "; ".join(wrong),
        "asked plainly some are wrong, and are found so": any("wrong" in said for (_, kind, _), said in table.items() if kind == "plain") or "none is",
        "the page says so": PAGE.read_text() == page(table) or f"{PAGE} is another one: write it again by --write\n{page(table)}",
    }
    for name, held in found.items():
        print(f"ok: {name}" if held is True else f"FAILED: {name}: {held}")
    failed = sum(held is not True for held in found.values())
    print(f"{len(found) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
