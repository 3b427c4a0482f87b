"""mpq on files whose column chunks lie in others: the _metadata of a data set."""
import json
import os
import pathlib
import subprocess

import pyarrow as pa
import pyarrow.parquet
from harness import check, check_equal, check_ok, check_refused, command, run, unpacked


def write_data_set(folder, parts, *, row_groups=2, rows=10):
    """Part files and their _metadata, as Dask and Spark leave them; the rows, in their order."""
    expected = []
    metadata = []
    for number in range(parts):
        # Partitions by folders, and parts right beside _metadata.
        path = f"day={number}/part-{number}.parquet" if number % 2 else f"part-{number}.parquet"
        begin = number * row_groups * rows
        numbers = list(range(begin, begin + row_groups * rows))
        table = pa.table({"n": pa.array(numbers, pa.int64()), "s": [f"word {n % 3}" for n in numbers]})
        pathlib.Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
        pa.parquet.write_table(table, pathlib.Path(folder, path), compression="snappy", row_group_size=rows)
        part = pa.parquet.read_metadata(pathlib.Path(folder, path))
        part.set_file_path(path)
        metadata.append(part)
        expected += table.to_pylist()
    whole = metadata[0]
    for part in metadata[1:]:
        whole.append_row_groups(part)
    whole.write_metadata_file(str(pathlib.Path(folder, "_metadata")))
    return expected


def cat(*arguments):
    return [json.loads(line) for line in check_ok(run("mpq", "cat", "--json", *arguments)).stdout.splitlines()]


def test_all_parts_as_one_table():
    expected = write_data_set("set", 5)
    check_equal(cat("set/_metadata"), expected)
    check_equal(cat("set/_metadata", "--columns", "n"), [{"n": row["n"]} for row in expected])
    os.chdir("set")  # the folder is that of the file, however it is named
    check_equal(cat("_metadata"), expected)
    check_ok(run("mpq", "info", "_metadata"))


def test_recover_says_where_the_rows_are():
    write_data_set("set", 2)
    for arguments in ([], ["-o", "out.parquet"]):
        check_refused(run("mpq", "recover", "set/_metadata", *arguments),
                      "describes rows that lie in other files; recover those", code=2)
    check(not pathlib.Path("out.parquet").exists(), "a file is left behind")


def test_data_sets_of_other_writers():
    for writer in ("dask", "fastparquet", "spark"):
        rows = cat(unpacked("programs") / "data_sets" / writer / "_metadata", "--columns", "id,s")
        check_equal(sorted(row["id"] for row in rows), list(range(30)), writer)
        check_equal({f"w{row['id'] % 3}" == row["s"] for row in rows}, {True}, writer)
        for part in sorted((unpacked("programs") / "data_sets" / writer).rglob("part*")):
            check_ok(run("mpq", "verify", part))
        check_equal(cat(unpacked("programs") / "data_sets" / writer / "_common_metadata"), [])


def test_more_parts_than_are_open_at_once():
    expected = write_data_set("set", 70, row_groups=1, rows=3)
    limited = ["bash", "-c", 'ulimit -n 50; exec "$@"', "bash", *command("mpq", "cat", "--json", "set/_metadata")]
    result = check_ok(subprocess.run(limited, capture_output=True, text=True))
    check_equal([json.loads(line) for line in result.stdout.splitlines()], expected)


def renamed_part(new_name):
    """A data set of two parts, the first of which is called `new_name` by its _metadata."""
    write_data_set("set", 1)
    metadata = pa.parquet.read_metadata("set/part-0.parquet")
    metadata.set_file_path(new_name)
    metadata.write_metadata_file("set/_metadata")


def test_nothing_outside_the_folder_is_opened():
    write_data_set("outside", 1)
    outside = pathlib.Path("outside/part-0.parquet").absolute()
    for name in (str(outside), "../outside/part-0.parquet", "x/../../outside/part-0.parquet", "./part-0.parquet", "", "x//y", ".."):
        renamed_part(name)
        check_refused(run("mpq", "cat", "set/_metadata"), "set/_metadata: column n", "not in the folder of the summary")
    pathlib.Path("set/link.parquet").symlink_to(outside)
    renamed_part("link.parquet")
    check_refused(run("mpq", "cat", "set/_metadata"), "link.parquet", "symbolic link")
    pathlib.Path("set/folder").symlink_to(outside.parent)
    renamed_part("folder/part-0.parquet")
    check_refused(run("mpq", "cat", "set/_metadata"), "folder/part-0.parquet", "symbolic link")


def test_parts_that_are_not_as_they_were():
    expected = write_data_set("set", 3)
    part = pathlib.Path("set/part-2.parquet")
    data = part.read_bytes()
    part.unlink()
    result = run("mpq", "cat", "--json", "set/_metadata")
    check_refused(result, "set/_metadata after row 40: column n", "part-2.parquet: no such file", "moved or removed")
    check_equal([json.loads(line) for line in result.stdout.splitlines()], expected[:40])
    part.write_bytes(data[:100])
    check_refused(run("mpq", "cat", "set/_metadata"), "part-2.parquet: it is shorter than the summary says")
    part.unlink()
    os.mkfifo(part)  # is not waited for
    check_refused(run("mpq", "cat", "set/_metadata"), "part-2.parquet: it is no file")
    part.unlink()
    part.mkdir()
    check_refused(run("mpq", "cat", "set/_metadata"), "part-2.parquet: it is no file")


def test_names_send_no_escape_sequences():
    renamed_part("part\x1b[2J.parquet")
    result = run("mpq", "cat", "set/_metadata")
    check_refused(result, "part?[2J.parquet: no such file")
    check_equal("\x1b" in result.stderr, False)


def test_standard_input_has_no_folder():
    write_data_set("set", 1)
    with open("set/_metadata") as summary:
        check_refused(run("mpq", "cat", "-", stdin=summary), "lies in another file, part-0.parquet", "by its name")


def test_verify_says_where_the_values_are():
    write_data_set("set", 2)
    result = check_ok(run("mpq", "verify", "set/_metadata"))
    check_equal("column n: its values are in other files" in result.stdout and "2 of 2 columns not decoded" in result.stdout,
                True, result.stdout)
    check_refused(run("mpq", "verify", "--strict", "set/_metadata"), code=1)


def test_verify_finds_parts_that_are_not_there():
    write_data_set("set", 4)
    parts = [pathlib.Path(f"set/part-{number}.parquet") for number in (0, 2)] + [pathlib.Path("set/day=1/part-1.parquet")]
    parts[0].unlink()
    parts[1].write_bytes(parts[1].read_bytes()[:100])
    parts[2].rename("elsewhere.parquet")
    parts[2].symlink_to(pathlib.Path("elsewhere.parquet").absolute())
    for folder, name in ((".", "set/_metadata"), ("set", "_metadata")):
        os.chdir(folder)
        result = run("mpq", "verify", name)
        check_equal(result.returncode, 1)
        found = [line.strip() for line in result.stdout.splitlines() if "part-" in line]
        check_equal(len(found), 3, result.stdout)
        for line, texts in zip(found, (("day=1/part-1.parquet: ", "symbolic link", "put the file itself there"),
                                       ("part-0.parquet: ", "no such file", "put it back, or write the summary anew"),
                                       ("part-2.parquet: ", "shorter than the summary says", "write that anew"))):
            check(line.startswith(texts[0]) and all(text in line for text in texts), line)
        check("3 findings" in result.stdout, result.stdout)
    os.chdir("..")
    renamed_part("../elsewhere.parquet")
    check("../elsewhere.parquet: it is not in the folder of the summary" in run("mpq", "verify", "set/_metadata").stdout, "outside")


def test_a_malformed_summary():
    write_data_set("set", 2)
    data = bytearray(pathlib.Path("set/_metadata").read_bytes())
    for at in range(4, len(data) - 8):
        changed = bytes(data[:at]) + bytes([data[at] ^ 0x55]) + bytes(data[at + 1:])
        pathlib.Path("set/_metadata").write_bytes(changed)
        result = run("mpq", "cat", "set/_metadata", text=False)
        check(result.returncode in (0, 1, 2), at, result.returncode)
