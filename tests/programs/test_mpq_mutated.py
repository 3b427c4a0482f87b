"""Files changed at random: no command of mpq crashes or takes long, and recover says only what is so."""
import os
import pathlib
import resource
import shutil

import hostile
import pyarrow as pa
import pyarrow.parquet
from damage import chooser, make
from harness import check, run

FILES = int(os.environ.get("MUTATED_FILES", "600" if os.environ.get("MICROPARQUET_LONG") else "30"))
SECONDS_OF_CPU = 60  # for files of a few KB, in any build


def seeds():
    """Files of all the kinds that mpq knows, small ones."""
    import good_file
    yield make("own.parquet", 300, 0, "--rows-per-group", 100)
    yield make("forward.parquet", 120)
    yield good_file.write()
    table = pa.table({"i": pa.array([None, *range(1, 200)], pa.int32()), "s": [f"text {i % 9}" for i in range(200)],
                      "x": pa.array([bytes([i]) * 3 for i in range(200)], pa.binary(3)), "l": [[i, None] for i in range(200)]})
    for options in ({"compression": "none", "use_dictionary": False, "write_page_checksum": True, "data_page_size": 200},
                    {"row_group_size": 70}, {"write_page_index": True, "max_rows_per_page": 30, "write_batch_size": 10,
                                             "bloom_filter_options": {"s": {"ndv": 9}}},
                    {"data_page_version": "2.0", "compression": "none"},
                    {"compression": "lz4", "use_dictionary": False, "column_encoding": {"i": "DELTA_BINARY_PACKED"}}):
        pyarrow.parquet.write_table(table, "other.parquet", **options)
        yield pathlib.Path("other.parquet").read_bytes()
    hostile.claimed_nulls("nulls.parquet", 2, 1000)
    yield pathlib.Path("nulls.parquet").read_bytes()
    file = hostile.File([hostile.leaf(0, repetition=hostile.OPTIONAL)])  # its chunk ends within the page
    file.add_row_group([hostile.page(b"\2\0\0\0\x28\1" + bytes(80), 20)], 16)
    file.write("cut.parquet")
    yield pathlib.Path("cut.parquet").read_bytes()


def mutated(data, choose):
    """One to eight changes, most of them in the footer."""
    data = bytearray(data)
    footer = max(len(data) - 8 - int.from_bytes(data[-8:-4], "little"), 0)
    for _ in range(choose.choice((1, 1, 2, 4, 8))):
        at = choose.randrange(footer if choose.random() < 0.6 else 0, len(data))
        kind = choose.randrange(6)
        if kind == 0:
            data[at] ^= 1 << choose.randrange(8)
        elif kind == 1:
            data[at] = choose.choice((0, 1, 0x15, 0x7F, 0x80, 0xFF))
        elif kind == 2:
            data[at:at + choose.randrange(1, 9)] = choose.randbytes(choose.randrange(9))
        elif kind == 3:
            number = choose.choice((1 << 31, (1 << 32) - 1, 1 << 40, (1 << 64) - 1))
            varint = []
            while number >= 0x80:
                varint.append(number & 0x7F | 0x80)
                number >>= 7
            data[at:at + 1] = bytes([*varint, number])
        elif kind == 4:
            begin = choose.randrange(len(data))
            data[at:at] = data[begin:begin + choose.randrange(1, 40)]
        else:
            del data[at:at + choose.randrange(1, 20)]
        if len(data) < 12:
            break
    if choose.random() < 0.5 and len(data) > 12:  # a footer of another length, said so
        data[-8:-4] = max(len(data) - 8 - footer, 0).to_bytes(4, "little")
    return bytes(data)


def limit_cpu():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_OF_CPU, SECONDS_OF_CPU))


def mpq(*arguments):
    result = run("mpq", *arguments, text=False, preexec_fn=limit_cpu)
    for bad in (b"Sanitizer", b"runtime error", b"std::", b"vector::", b"basic_string"):
        check(bad not in result.stderr, arguments, result.stderr.decode(errors="replace")[:2000])
    check(result.returncode in (0, 1, 2), arguments, "exit code", result.returncode)
    return result


def check_recovery():
    """Files that recover leaves and calls files can be opened, and those it calls complete are."""
    pathlib.Path("out.parquet").unlink(missing_ok=True)
    code = mpq("recover", "mutated", "-o", "out.parquet").returncode
    check(not pathlib.Path("out.parquet.part").exists(), "a part is left behind")
    check((code != 2) == pathlib.Path("out.parquet").exists(), "exit code", code)
    if code != 2:
        check(mpq("info", "out.parquet").returncode == 0, "what was written cannot be opened")
        check(b"lost" not in mpq("recover", "out.parquet", "--dry-run").stdout, "rows are lost of what was written")
    shutil.copy("mutated", "place.parquet")
    before = pathlib.Path("place.parquet").read_bytes()
    code = mpq("recover", "place.parquet").returncode
    check(pathlib.Path("place.parquet").read_bytes().startswith(before), "bytes of the file were changed")
    if code != 2:
        check(mpq("info", "place.parquet").returncode == 0, "the file cannot be opened")


def test_mutated_files():
    choose = chooser(71)
    kinds = list(seeds())
    for number in range(FILES):
        pathlib.Path("mutated").write_bytes(mutated(choose.choice(kinds), choose))
        try:
            for words in (("info",), ("schema",), ("plot",), ("head", "--json"), ("cat",), ("verify",), ("recover", "--dry-run"),
                          ("cat", "--where", "i > 150 and s in ('text 3', 'x') or i = 7 or s = 'none'"),
                          ("tail", "-n", "20", "--columns", "i")):
                mpq(*words, "mutated")
            check_recovery()
        except Exception:
            print(f"file {number}: {pathlib.Path('mutated').read_bytes()[:6000].hex()}", flush=True)
            raise
