"""Arrow streams of files whose columns contradict each other, and of producers that do not keep the rules."""
import ctypes
import os
import pathlib

import hostile
import pyarrow as pa
import pyarrow.parquet
from harness import check, check_equal, check_ok, run
from test_arrow import module

# Each leaf with whether it is repeated; rows as items of it: repetition, definition, value.
LIST_OF_STRUCTS = [hostile.group("schema", 0, 1), hostile.group("l", hostile.OPTIONAL, 1, hostile.LIST),
                   hostile.group("list", hostile.REPEATED, 1), hostile.group("element", hostile.OPTIONAL, 2),
                   *({"name": name, "type": hostile.INT32, "repetition_type": hostile.OPTIONAL} for name in "ab")]
MAP = [hostile.group("schema", 0, 1), hostile.group("m", hostile.OPTIONAL, 1, hostile.MAP),
       hostile.group("key_value", hostile.REPEATED, 2),
       {"name": "key", "type": hostile.INT32, "repetition_type": hostile.REQUIRED},
       {"name": "value", "type": hostile.INT32, "repetition_type": hostile.OPTIONAL}]
STRUCTS = [hostile.group("schema", 0, 1), hostile.group("s", hostile.OPTIONAL, 2),
           {"name": "a", "type": hostile.INT32, "repetition_type": hostile.OPTIONAL}, hostile.group("t", hostile.OPTIONAL, 2),
           *({"name": name, "type": hostile.INT32, "repetition_type": hostile.OPTIONAL} for name in "xy")]
LISTS = ["l.list.element.a", "l.list.element.b"]

# Lists of structs: the values of the one column, and those of the other one.
AGREEING = {
    "rows of both": ([(0, 4, 1), (1, 3, None), (1, 2, None), (0, 0, None), (0, 1, None)],
                     [(0, 3, None), (1, 4, 2), (1, 2, None), (0, 0, None), (0, 1, None)]),
}
DISAGREEING = {
    "one is longer": ([(0, 4, 1)] + [(1, 4, 2)] * 499, [(0, 4, 7)]),
    "one is shorter": ([(0, 4, 7)], [(0, 4, 1)] + [(1, 4, 2)] * 499),
    "as many, in other rows": ([(0, 4, 1), (1, 4, 2), (0, 4, 3)], [(0, 4, 1), (0, 4, 2), (1, 4, 3)]),
    "a struct that is null in one": ([(0, 4, 1)], [(0, 2, None)]),
    "a list that is null in one, and empty in the other": ([(0, 0, None)], [(0, 1, None)]),
    "a list that is empty in one": ([(0, 4, 1)], [(0, 1, None)]),
}


def rows_of(items):
    return sum(item[0] == 0 for item in items)


def write_lists(left, right):
    hostile.nested("odd.parquet", LIST_OF_STRUCTS, [(LISTS[0], True, left), (LISTS[1], True, right)], rows_of(left))


def check_refused(what, column):
    """By the stream as by mpq, which puts rows together in another way."""
    for batch_rows in (0, 1):
        try:
            pa.table(module().read("odd.parquet", batch_rows=batch_rows))
            check(False, what, "was read")
        except OSError as failure:
            check(f"odd.parquet: column {column} is damaged" in str(failure), what, failure)
    check(run("mpq", "cat", "--json", "odd.parquet").returncode == 1, what)


def test_columns_that_disagree_are_refused():
    for what, (left, right) in AGREEING.items():
        write_lists(left, right)
        found = pa.table(module().read("odd.parquet"))
        found.validate(full=True)
        check_equal(found.to_pylist(), pa.parquet.read_table("odd.parquet").to_pylist(), what)
    for what, (left, right) in DISAGREEING.items():
        write_lists(left, right)
        check_refused(what, "l.element.b")
        check_equal(len(pa.table(module().read("odd.parquet", columns=[LISTS[0]]))), rows_of(left), what)


def test_maps_and_structs_that_disagree_are_refused():
    keys, values = [(0, 2, 1), (1, 2, 2), (0, 2, 3)], [(0, 3, 1), (0, 3, 2), (1, 2, None)]
    hostile.nested("odd.parquet", MAP, [("m.key_value.key", True, keys), ("m.key_value.value", True, values)], 2)
    check_refused("a map", "m.key_value.value")
    leaves = {"s.a": [(0, 2, 1), (0, 0, None)], "s.t.x": [(0, 3, 1), (0, 0, None)], "s.t.y": [(0, 3, 1), (0, 0, None)]}
    for column, wrong in (("s.t.y", [(0, 3, 1), (0, 1, None)]), ("s.t.y", [(0, 1, None), (0, 0, None)]),
                          ("s.t.x", [(0, 3, 1), (0, 1, None)])):
        hostile.nested("odd.parquet", STRUCTS, [(name, False, wrong if name == column else items) for name, items in leaves.items()], 2)
        check_refused("structs", column)


class Schema(ctypes.Structure):
    """An ArrowSchema."""


class Array(ctypes.Structure):
    """An ArrowArray."""


class Stream(ctypes.Structure):
    """An ArrowArrayStream."""


Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("flags", ctypes.c_int64),
                   ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
                   ("dictionary", ctypes.POINTER(Schema)), ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]
Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
                  ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
                  ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("dictionary", ctypes.POINTER(Array)),
                  ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]
GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Schema))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Array))
GET_ERROR = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)
GIVE_BACK_NOTHING = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda structure: None)
RELEASE = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
Stream._fields_ = [("get_schema", GET_SCHEMA), ("get_next", GET_NEXT), ("get_last_error", GET_ERROR), ("release", RELEASE),
                   ("private_data", ctypes.c_void_p)]


def write_spoiled(batch, spoil_array=None, spoil_schema=None):
    """Writes a batch of pyarrow's to out.parquet, after `spoil_array(array)` and `spoil_schema(schema)`; the error's text, or None."""
    schema, array, kept, given = Schema(), Array(), [], []
    batch._export_to_c(ctypes.addressof(array), ctypes.addressof(schema))
    # pyarrow must not get spoiled memory back, since it would break on it.
    array.release = schema.release = ctypes.cast(GIVE_BACK_NOTHING, ctypes.c_void_p).value
    if spoil_array is not None:
        kept.append(spoil_array(array))
    if spoil_schema is not None:
        kept.append(spoil_schema(schema))

    @GET_SCHEMA
    def get_schema(_, out):
        ctypes.memmove(out, ctypes.byref(schema), ctypes.sizeof(Schema))
        return 0

    @GET_NEXT
    def get_next(_, out):
        ctypes.memset(out, 0, ctypes.sizeof(Array))
        if not given:
            ctypes.memmove(out, ctypes.byref(array), ctypes.sizeof(Array))
            given.append(True)
        return 0

    def release(stream):
        stream.contents.release = RELEASE()
    stream = Stream(get_schema, get_next, GET_ERROR(lambda _: None), RELEASE(release), None)
    try:
        module()._call(module()._library.microparquet_write_arrow, ctypes.byref(stream), ctypes.c_char_p(b"out.parquet"), None)
    except module().Error as failure:
        check_equal(os.path.exists("out.parquet"), False)
        return str(failure)
    return None


def batch_of(values, kind, **options):
    return pa.record_batch([pa.array(values, kind)], schema=pa.schema([pa.field("x", kind, **options)]))


def put(place, kind, number, value):
    ctypes.cast(place, ctypes.POINTER(kind))[number] = value


def spoil(**members):
    """Sets members of the first column's array."""
    def change(array):
        for name, value in members.items():
            setattr(array.children[0].contents, name, value)
    return change


def no_buffer(number):
    def change(array):
        array.children[0].contents.buffers[number] = None
    return change


def in_buffer(buffer, kind, number, value):
    def change(array):
        put(array.children[0].contents.buffers[buffer], kind, number, value)
    return change


def null_row(array):
    bits = ctypes.create_string_buffer(b"\5", 1)
    array.buffers[0] = ctypes.addressof(bits)
    array.null_count = 1
    return bits


def no_child(array):
    array.children[0] = ctypes.POINTER(Array)()


def no_dictionary(array):
    array.children[0].contents.dictionary = ctypes.POINTER(Array)()


def odd_schema(**members):
    def change(schema):
        for name, value in members.items():
            setattr(schema.children[0].contents, name, value)
    return change


NUMBERS = batch_of([1, 2, 3], pa.int32())
TEXTS = batch_of(["one", "two", "three"], pa.string())
LONG_TEXTS = batch_of(["one", "two", "three"], pa.large_string())
VIEWS = batch_of(["one", "a text that is longer than twelve bytes", "three"], pa.string_view())
WORDS = batch_of(pa.array(["a", "b", "a"]).dictionary_encode(), pa.dictionary(pa.int32(), pa.string()))
DECIMALS = batch_of([1, 2, 3], pa.decimal128(9, 0))


def test_arrays_that_break_the_rules_are_refused():
    int32, int64 = ctypes.c_int32, ctypes.c_int64
    for batch, change, words in (
            (NUMBERS, spoil(length=2), "column x of the stream is shorter than the array that it is a column of"),
            (NUMBERS, spoil(length=-1), "column x of the stream has a length or an offset that no array has"),
            (NUMBERS, spoil(offset=-1), "has a length or an offset that no array has"),
            (NUMBERS, spoil(offset=1 << 62), "has a length or an offset that no array has"),
            (NUMBERS, spoil(null_count=4), "has more nulls than values"),
            (NUMBERS, spoil(null_count=2), "has nulls, and does not say which"),
            (NUMBERS, spoil(n_buffers=1), "has not the buffers of its type"),
            (NUMBERS, spoil(buffers=ctypes.POINTER(ctypes.c_void_p)()), "has no buffers"),
            (NUMBERS, spoil(release=None), "is released already"),
            (NUMBERS, no_buffer(1), "has no values"),
            (NUMBERS, no_child, "says of more columns than it has"),
            (NUMBERS, null_row, "row 2 of an array of the stream is null"),
            (TEXTS, spoil(n_buffers=2), "has not the buffers of its type"),
            (TEXTS, no_buffer(2), "has texts that do not follow each other"),
            (TEXTS, in_buffer(1, int32, 1, 1 << 30), "has texts that do not follow each other"),
            (TEXTS, in_buffer(1, int32, 0, -5), "has texts that do not follow each other"),
            (LONG_TEXTS, in_buffer(1, int64, 2, 1 << 40), "has texts that do not follow each other"),
            (LONG_TEXTS, in_buffer(1, int64, 3, 2), "has texts that do not follow each other"),
            (VIEWS, in_buffer(1, int32, 4, -1), "has a text that lies in none of its buffers"),
            (VIEWS, in_buffer(1, int32, 4, 1 << 30), "has a text that lies in none of its buffers"),
            (VIEWS, in_buffer(1, int32, 6, 1), "has a text that lies in none of its buffers"),
            (VIEWS, in_buffer(1, int32, 6, -3), "has a text that lies in none of its buffers"),
            (VIEWS, in_buffer(1, int32, 7, 5), "has a text that lies in none of its buffers"),
            (VIEWS, no_buffer(2), "has a text that lies in none of its buffers"),
            (VIEWS, spoil(n_buffers=2), "has not the buffers of its type"),
            (WORDS, no_dictionary, "column x of the stream has no dictionary"),
            (WORDS, in_buffer(1, int32, 1, 2), "column x has an index beyond its dictionary"),
            (WORDS, in_buffer(1, int32, 1, -1), "column x has an index beyond its dictionary"),
            (DECIMALS, in_buffer(1, int64, 3, 1), "has a decimal of more digits than it says")):
        message = write_spoiled(batch, change)
        check(message is not None and words in message, words, message)
    check_equal(write_spoiled(NUMBERS), None)
    pathlib.Path("out.parquet").unlink()


def test_schemas_that_break_the_rules_are_refused():
    metadata = ctypes.create_string_buffer(b"\1\0\0\0\xff\xff\xff\xff", 8)
    for change, words in ((odd_schema(format=None), "column 1 of the stream's schema has no type"),
                          (odd_schema(release=None), "column 1 of the stream's schema has no type, or is released"),
                          (lambda schema: setattr(schema, "format", None), "the stream has no schema"),
                          (lambda schema: setattr(schema, "n_children", 0), "the stream has no columns"),
                          (lambda schema: setattr(schema, "metadata", ctypes.addressof(metadata)), "a length is negative")):
        message = write_spoiled(NUMBERS, spoil_schema=change)
        check(message is not None and words in message, words, message)
    wide = pa.record_batch([pa.array([1])] * 65536, [f"c{i}" for i in range(65536)])
    check_equal(write_spoiled(wide), "the stream has 65536 columns, and a file has up to 65535")
    message = write_spoiled(WORDS, spoil_schema=odd_schema(format=b"u"))
    check("column x is of a type that is not written" in message, message)


def test_values_that_no_file_has_are_refused():
    for values, kind, change in (([1, 2, 3], pa.timestamp("s"), in_buffer(1, ctypes.c_int64, 1, 1 << 60)),
                                 ([1, 2, 3], pa.time32("s"), in_buffer(1, ctypes.c_int32, 1, 1 << 30)),
                                 ([0, 0, 0], pa.date64(), in_buffer(1, ctypes.c_int64, 1, 1 << 62))):
        message = write_spoiled(batch_of(values, kind), change)
        check(message is not None and "has a date or time that is too far away for a file" in message, kind, message)
        check_equal(write_spoiled(batch_of([values[0], None, values[2]], kind), change), None)
        check_equal(pa.parquet.read_table("out.parquet")["x"].null_count, 1)
        check_ok(run("mpq", "verify", "out.parquet"))
        pathlib.Path("out.parquet").unlink()


# Made again for each test, since what is spoiled stays so.
def lists_of_numbers():
    return batch_of([[1, 2], None, [3]], pa.list_(pa.int32()))


def large_lists():
    return batch_of([[1, 2], None, [3]], pa.large_list(pa.int32()))


def fixed_lists():
    return batch_of([[1, 2], None, [3, 4]], pa.list_(pa.int32(), 2))


def structs_of_two():
    return batch_of([{"a": 1, "b": "x"}, None, {"a": 3, "b": "z"}], pa.struct([("a", pa.int32()), ("b", pa.string())]))


def maps():
    return batch_of([[("k", 1)], None, [("m", None), ("n", 3)]], pa.map_(pa.string(), pa.int32()))


def deep():
    return batch_of([[[1, 2], []], None, [[3]]], pa.list_(pa.list_(pa.int32())))


def part_of(structure, path):
    """The part of the first column that lies at `path`, by the numbers of parts on the way."""
    part = structure.children[0].contents
    for number in path:
        part = part.children[number].contents
    return part


def spoil_part(*path, **members):
    def change(structure):
        for name, value in members.items():
            setattr(part_of(structure, path), name, value)
    return change


def no_part(number, *path):
    def change(structure):
        part = part_of(structure, path)
        part.children[number] = type(part.children[number])()
    return change


def nulls_in_part(*path):
    """Makes the part's values null."""
    def change(array):
        bits = ctypes.create_string_buffer(8)
        part = part_of(array, path)
        part.buffers[0] = ctypes.addressof(bits)
        part.null_count = -1
        return bits
    return change


def offset_of_part(path, kind, number, value):
    def change(array):
        put(part_of(array, path).buffers[1], kind, number, value)
    return change


def test_lists_and_structs_that_break_the_rules_are_refused():
    int32, int64 = ctypes.c_int32, ctypes.c_int64
    back, short, parts = "has lists that go back, or beyond their elements", "is shorter than the array that it is a column of", "has not the parts of its type"
    for batch, change, words in (
            (lists_of_numbers, in_buffer(1, int32, 1, 3), f"column x of the stream {back}"),
            (lists_of_numbers, in_buffer(1, int32, 3, 4), f"column x of the stream {back}"),
            (lists_of_numbers, in_buffer(1, int32, 3, 1 << 30), back),
            (lists_of_numbers, in_buffer(1, int32, 0, -1), back),
            (lists_of_numbers, in_buffer(1, int32, 2, -(1 << 31)), back),
            (lists_of_numbers, spoil_part(0, length=2), back),
            (lists_of_numbers, spoil_part(0, length=-1), back),
            (lists_of_numbers, spoil_part(0, offset=-1), "column x.element of the stream has a length or an offset that no array has"),
            (lists_of_numbers, spoil_part(0, release=None), "column x.element of the stream is released already"),
            (lists_of_numbers, spoil_part(0, n_buffers=1), "column x.element of the stream has not the buffers of its type"),
            (lists_of_numbers, spoil(length=2), f"column x of the stream {short}"),
            (lists_of_numbers, spoil(length=-1), "column x of the stream has a length or an offset that no array has"),
            (lists_of_numbers, spoil(n_buffers=1), "has not the buffers of its type"),
            (lists_of_numbers, spoil(n_children=0), parts),
            (lists_of_numbers, no_buffer(1), "column x of the stream has no offsets"),
            (lists_of_numbers, no_buffer(0), "column x of the stream has nulls, and does not say which"),
            (lists_of_numbers, no_part(0), parts),
            (large_lists, in_buffer(1, int64, 1, 1 << 62), back),
            (large_lists, in_buffer(1, int64, 3, 1), back),
            (fixed_lists, spoil_part(0, length=5), back),
            (fixed_lists, spoil(offset=1), back),
            (fixed_lists, spoil(n_buffers=2), "has not the buffers of its type"),
            (structs_of_two, spoil_part(0, length=2), f"column x.a of the stream {short}"),
            (structs_of_two, spoil_part(1, length=0), f"column x.b of the stream {short}"),
            (structs_of_two, spoil(offset=1), f"column x.a of the stream {short}"),
            (structs_of_two, spoil(n_children=1), parts),
            (structs_of_two, spoil(n_children=-1), parts),
            (structs_of_two, no_part(1), parts),
            (structs_of_two, offset_of_part([1], int32, 1, 1 << 30), "column x.b of the stream has texts that do not follow each other"),
            (maps, nulls_in_part(0), "column x has an entry without a key"),
            (maps, nulls_in_part(0, 0), "column x has an entry without a key"),
            (maps, spoil_part(0, length=2), back),
            (maps, spoil_part(0, n_children=1), parts),
            (maps, spoil_part(0, 0, length=2), f"column x.key of the stream {short}"),
            (maps, spoil_part(0, 1, length=2), f"column x.value of the stream {short}"),
            (maps, no_part(1, 0), parts),
            (deep, offset_of_part([0], int32, 1, 9), f"column x.element of the stream {back}"),
            (deep, offset_of_part([0], int32, 3, 9), f"column x.element of the stream {back}"),
            (deep, offset_of_part([], int32, 3, 9), f"column x of the stream {back}")):
        message = write_spoiled(batch(), change)
        check(message is not None and words in message, words, message)
    required = batch_of([[1, 2], [3]], pa.list_(pa.field("item", pa.int32(), nullable=False)))
    check_equal(write_spoiled(required, nulls_in_part(0)), "column x.element has nulls, though its schema says that it has none")
    for batch in (lists_of_numbers, large_lists, fixed_lists, structs_of_two, maps, deep):
        check_equal(write_spoiled(batch()), None)
        check_equal(pa.parquet.read_table("out.parquet").to_pylist(), batch().to_pylist())
        pathlib.Path("out.parquet").unlink()


def test_schemas_of_lists_that_break_the_rules_are_refused():
    parts = "column x of the stream's schema has not the parts of its type"
    for batch, change, words in (
            (lists_of_numbers, spoil_part(n_children=0), parts),
            (lists_of_numbers, spoil_part(n_children=2), parts),
            (lists_of_numbers, no_part(0), parts),
            (lists_of_numbers, spoil_part(0, format=None), "a part of column x of the stream's schema has no type, or is released"),
            (lists_of_numbers, spoil_part(0, release=None), "a part of column x of the stream's schema has no type, or is released"),
            (lists_of_numbers, spoil_part(format=b"+x"), "column x is of a type that is not written"),
            (fixed_lists, spoil_part(format=b"+w:"), "column x is of a type that is not written"),
            (fixed_lists, spoil_part(format=b"+w:-2"), "column x is of a type that is not written"),
            (fixed_lists, spoil_part(format=b"+w:99999999999"), "column x is of a type that is not written"),
            (fixed_lists, spoil_part(format=b"+w:2x"), "column x is of a type that is not written"),
            (structs_of_two, spoil_part(n_children=-1), parts),
            (structs_of_two, spoil_part(n_children=0), "column x is a struct without members"),
            (structs_of_two, spoil_part(1, name=b"a"), "column x.a is there twice"),
            (structs_of_two, spoil_part(1, name=None), "column x. has no name"),
            (maps, spoil_part(0, format=b"+l"), "column x is a map whose entries are no structs"),
            (maps, spoil_part(0, n_children=1), parts)):
        message = write_spoiled(batch(), spoil_schema=change)
        check(message is not None and words in message, words, message)
