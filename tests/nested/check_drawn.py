#!/usr/bin/env python3
"""Files of schemas drawn by lot: their levels and values by a model of them, and their rows by other readers and mpq.

usage: check_drawn.py DRAWN_GEN MPQ FOLDER COUNT
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import typing

from check_nested import Check, READERS, parquet_checker, row_of


class Part(typing.NamedTuple):
    name: str
    kind: str
    optional: bool
    children: list

    @staticmethod
    def of(described):
        return [Part(name, kind, optional, Part.of(children)) for name, kind, optional, children in described]


class Model:
    """Cuts rows into columns, by the rules of the Dremel paper: for each value, and each place without one, a slot of a
    repetition level, a definition level and the value."""

    def __init__(self, parts):
        self.parts = parts
        self.leaves = [[] for _ in range(sum(map(self.width, parts)))]
        self.next = 0

    def width(self, part):
        return 1 if part.kind == "value" else sum(map(self.width, part.children))

    def take(self, row):
        self.next = 0
        for part in self.parts:
            self.part(part, row[part.name], 0, 0, 0)

    def missing(self, part, repetition, definition):
        for _ in range(self.width(part)):
            self.slot(repetition, definition, None)

    def slot(self, repetition, definition, value):
        self.leaves[self.next].append((repetition, definition, value))
        self.next += 1

    def part(self, part, value, repetition, definition, lists):
        """`lists` is the number of lists around it."""
        if part.optional:
            if value is None:
                return self.missing(part, repetition, definition)
            definition += 1
        if part.kind == "value":
            return self.slot(repetition, definition, value)
        if part.kind == "struct":
            for child in part.children:
                self.part(child, value[child.name], repetition, definition, lists)
            return None
        return self.list(part, value, repetition, definition, lists + 1)

    def list(self, part, elements, repetition, definition, lists):
        if not elements:
            return self.missing(part, repetition, definition)
        begin = self.next
        for element in elements:
            self.next = begin
            for child, value in zip(part.children, element if len(part.children) == 2 else [element]):
                self.part(child, value, repetition, definition + 1, lists)
            repetition = lists
        return None


def as_read(value):
    """A value of the text as the checker decodes it."""
    return value.encode() if isinstance(value, str) else value


def is_member(name):
    return isinstance(name, str) and re.fullmatch(r"(p|map)\d+", name) is not None


def with_pairs(value):
    """A row with its maps as lists of pairs, as some readers give them and others do not; keys are no names of members."""
    if isinstance(value, dict) and not all(map(is_member, value or [None])):
        return [(key, with_pairs(member)) for key, member in value.items()]
    if isinstance(value, dict):
        return {name: with_pairs(member) for name, member in value.items()}
    return type(value)(map(with_pairs, value)) if isinstance(value, (list, tuple)) else value


# What Polars 2.1.0 says of pages in PLAIN beside others in a struct that may be missing; of one file in ten at most.
PANIC = "validity mask length must match the number of values"


class CheckDrawn(Check):
    def __init__(self, mpq):
        super().__init__(mpq)
        self.panics = 0

    def file(self, path):
        self.files += 1
        with open(path.with_suffix(".json"), encoding="utf-8") as lines:
            parts = Part.of(json.loads(next(lines)))
            rows = list(map(row_of, lines))
        self.levels(path, parts, rows)
        for reader, read in READERS.items():
            try:
                found = [with_pairs(row) for row in read(path)]
            except BaseException as error:  # Polars panics with one that is no Exception
                if reader == "Polars" and PANIC in str(error):
                    self.panics += 1
                else:
                    self.complaints.append(f"{path.name}: {reader}: {error}")
                continue
            self.compare(path, reader, rows, found)
        for verb in "verify", "pages":
            self.run(path, verb, str(path))
        self.cat(path, rows)

    def levels(self, path, parts, rows):
        model = Model(parts)
        for row in rows:
            model.take(row)
        report = parquet_checker.check_file(str(path))
        self.complaints += [f"{path.name}: {complaint}" for complaint in report.complaints[:3]]
        columns = list(report.columns.values())
        if len(columns) != len(model.leaves):
            self.complaints.append(f"{path.name}: {len(columns)} columns, the model has {len(model.leaves)}")
        for column, leaf in zip(columns, model.leaves):
            if column.leaf.max_repetition_level == 0:
                same = column.values == [as_read(value) for _, _, value in leaf]
            else:
                most = column.leaf.max_definition_level
                values = [as_read(value) for _, level, value in leaf if level == most]
                same = (column.repetition_levels, column.definition_levels, column.values) == (
                    [slot[0] for slot in leaf], [slot[1] for slot in leaf], values)
            if not same:
                self.complaints.append(f"{path.name}: {column.leaf.name}: levels or values are not those of the model")


def main():
    if len(sys.argv) != 5:
        print(__doc__.split("\n", 2)[2].strip(), file=sys.stderr)
        return 2
    gen, mpq, folder, count = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    written = subprocess.run([gen, folder, count], stdout=subprocess.PIPE, text=True, check=False)
    check = CheckDrawn(mpq)
    check.complaints += written.stdout.splitlines()
    if written.returncode != 0:
        check.complaints.append(f"{gen} ends with {written.returncode}")
    for path in sorted(folder.glob("*.json")):
        check.file(path.with_suffix(".parquet"))
    if check.panics > check.files // 10:
        check.complaints.append(f"Polars panics at {check.panics} of {check.files} files")
    for complaint in check.complaints:
        print(complaint, file=sys.stderr)
    print(f"{check.values} values, {check.wrong} wrong")
    print(f"{max(check.files - len(check.complaints), 0)} passed, {len(check.complaints)} failed")
    return 1 if check.complaints or check.wrong or check.files == 0 else 0


sys.exit(main())
