"""The values that pyarrow reads from a nested Parquet file, as dump_records prints them."""

import physical_values
import pyarrow


class Leaves:
    """The columns of the file, which come in the order in which the tree is walked."""

    def __init__(self, schema):
        self.columns = iter(schema.column(place) for place in range(len(schema)))

    def next_type(self):
        return next(self.columns).physical_type


def list_texts(array, elements, brackets):
    offsets = array.offsets.to_pylist()
    return [brackets[0] + ",".join(elements[begin:end]) + brackets[1] if valid else "null"
            for begin, end, valid in zip(offsets, offsets[1:], array.is_valid().to_pylist())]


def texts(array, leaves):
    """The values of an array, each as text."""
    kind = array.type
    if pyarrow.types.is_struct(kind):
        members = [texts(array.field(place), leaves) for place in range(kind.num_fields)]
        return ["{" + ",".join(row) + "}" if valid else "null"
                for *row, valid in zip(*members, array.is_valid().to_pylist())]
    if pyarrow.types.is_map(kind):
        keys, values = texts(array.keys, leaves), texts(array.items, leaves)
        return list_texts(array, [f"{key}:{value}" for key, value in zip(keys, values)], "()")
    if pyarrow.types.is_list(kind) or pyarrow.types.is_large_list(kind):
        return list_texts(array, texts(array.values, leaves), "[]")
    return physical_values.column_texts(array, leaves.next_type())


def lines_of(path):
    """Lines like those of physical_values.lines(); None: pyarrow does not read the file."""
    try:
        return ["\t".join(pyarrow.parquet.ParquetFile(path).schema_arrow.names)] + lines(path)
    except pyarrow.ArrowInvalid:
        return None


def lines(path):
    """The rows, without the status. Decimals in byte arrays are numbers, as in physical_values."""
    file = pyarrow.parquet.ParquetFile(path)
    result = []
    for i in range(file.num_row_groups):
        table = file.read_row_group(i, use_threads=False).combine_chunks()
        leaves = Leaves(file.schema)
        columns = [texts(column.chunk(0) if column.num_chunks else pyarrow.array([], column.type), leaves)
                   for column in table.columns]
        result += ["\t".join(row) for row in zip(*columns)]
    return result
