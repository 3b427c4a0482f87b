"""Counts the values of leaves, not null, in whole pages of a cut file and in the file recovered from it."""
import json
import pathlib
import subprocess

import numpy
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet


def cells(array):
    """A list of Python values, floats by their bits, so that NaN equals itself."""
    return array.to_pylist()


def leaves_of(column):
    """(path, flat) of each leaf of a column: a numpy array of entries for each row, and one that says which of these have a
    value. An entry is what has levels of its own: a value, a null, an empty list."""
    def walk(value, kind, path, out, there):
        # Appends to out[path] a list of booleans: the entries of this value.
        if pa.types.is_struct(kind):
            for i in range(kind.num_fields):
                field = kind.field(i)
                walk(None if value is None else value[field.name], field.type, path + "." + field.name, out, there)
        elif pa.types.is_map(kind):
            if not value:
                for name, part in (("key", kind.key_type), ("value", kind.item_type)):
                    walk(None, part, path + "." + name, out, there)
            for item in value or []:
                walk(item[0], kind.key_type, path + ".key", out, there)
                walk(item[1], kind.item_type, path + ".value", out, there)
        elif pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
            if not value:
                walk(None, kind.value_type, path + ".element", out, there)
            for item in value or []:
                walk(item, kind.value_type, path + ".element", out, there)
        else:
            out.setdefault(path, []).append(value is not None)

    leaves = {}
    for value in column.to_pylist():
        row = {}
        walk(value, column.type, "", row, True)
        for path, entries in row.items():
            counts, values = leaves.setdefault(path, ([], []))
            counts.append(len(entries))
            values.extend(entries)
    return [(numpy.array(counts), numpy.array(values)) for counts, values in leaves.values()]


class Truth:
    """A whole file."""

    def __init__(self, mpq, path, table):
        self.path, self.table = path, table
        self.data = pathlib.Path(path).read_bytes()
        listing = subprocess.run([mpq, "pages", "--json", path], capture_output=True, text=True, check=True).stdout
        self.pages = [page for page in map(json.loads, listing.splitlines()) if page["kind"].startswith("data_page")]
        self.names = []
        for page in self.pages:
            if page["column"] not in self.names:
                self.names.append(page["column"])
        # For each leaf: how many of its first entries have a value.
        self.sums = {}
        names = iter(self.names)
        for column in table.columns:
            for _, values in leaves_of(column):
                self.sums[next(names)] = numpy.concatenate([[0], numpy.cumsum(values)])

    def present(self, size):
        """Values in pages that end before `size`."""
        at = dict.fromkeys(self.names, 0)
        values = 0
        for page in self.pages:
            sums, begin = self.sums[page["column"]], at[page["column"]]
            at[page["column"]] = begin + page["values"]
            if page["offset"] + page["bytes"] <= size:
                values += int(sums[begin + page["values"]] - sums[begin])
        return values


def compare(found, whole):
    """(values that are right, values that are wrong) of two Python values: what is null in `found` alone is lost."""
    if found is None:
        return 0, 0
    if isinstance(found, dict) and isinstance(whole, dict):
        pairs = [compare(found[name], whole[name]) for name in found]
    elif isinstance(found, (list, tuple)) and isinstance(whole, (list, tuple)) and len(found) == len(whole):
        pairs = [compare(*pair) for pair in zip(found, whole)]
    else:
        same = found == whole or (found != found and whole != whole)
        return int(same), int(not same)
    return tuple(map(sum, zip(*pairs))) if pairs else (0, 0)


def compare_columns(found, whole):
    """The same of two chunked arrays of one length."""
    if pa.types.is_nested(whole.type):
        return tuple(map(sum, zip(*map(compare, found.to_pylist(), whole.to_pylist())))) if len(whole) else (0, 0)
    there = pc.is_valid(found)
    kept, expected = found.filter(there), whole.filter(there)
    same = pc.equal(kept, expected)
    if pa.types.is_floating(whole.type):
        same = pc.or_kleene(same, pc.and_(pc.is_nan(kept), pc.is_nan(expected)))
    right = int(pc.sum(pc.fill_null(same, False).cast(pa.int64())).as_py() or 0)
    return right, len(kept) - right
