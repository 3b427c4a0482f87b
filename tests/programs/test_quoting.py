"""Names in quotes of other languages, held against the parsers of these: each is that name again, and runs nothing."""
import ast
import functools
import os
import pathlib
import subprocess
import unicodedata

import chdb
import duckdb
import markdown_it
from harness import SECONDS, check, check_equal, check_refused, command, run
from hostile_names import NAMES, NOT_SHOWN, WRONG_BYTES


@functools.lru_cache(maxsize=None)
def quoted(name):
    """`name`, which is bytes, in each language."""
    result = subprocess.run(command("quoted_name"), input=name, capture_output=True, timeout=SECONDS, check=True)
    lines = [line.split(" ", 1) for line in result.stdout.decode().splitlines()]
    return {language: text if language == "widths" else bytes.fromhex(text) for language, text in lines}


def quoted_names(language):
    """Pairs of a name and what it is there, which a terminal shows as it is."""
    for name in NAMES:
        text = quoted(name.encode())[language].decode()
        check(not NOT_SHOWN.search(text.replace("\n", "") if language == "markdown_block" else text), language, repr(text))
        yield name, text
    check(not os.path.exists("PWNED"), language, "ran what a name says")


def query(sql):
    return chdb.query(sql, "ArrowTable")


def test_printable():
    for name in NAMES:
        said = quoted(name.encode())
        check_equal(said["printable"].decode(), NOT_SHOWN.sub("?", name))
        check_equal(*said["widths"].split(), name)
    for name in WRONG_BYTES:
        text = quoted(name)["printable"].decode()
        check("\ufffd" in text and not NOT_SHOWN.search(text), name, text)


WIDTHS = {"a": 1, "\u00e9": 1, "\u00ad": 1, "\u4e2d": 2, "\uff21": 2, "\uff71": 1, "\uac00": 2, "\u1112\u1161\u11ab": 2, "\U00020000": 2,
          "\u2705": 2, "\u274c": 2, "\u26a1": 2, "\u2614": 2, "\u26a0": 1, "\U0001f600": 2, "\U0001f6f0": 1, "e\u0301": 1,
          "\u0628\u064b": 1, "\u05d0\u05b0": 1, "\u0e01\u0e31": 1, "\u0915\u0941": 1, "\u304b\u3099": 2, "\u200b": 0,
          "\u200d": 0, "\ufe0f": 0, "\u202e": 1, "\u0007": 1, "\u0378": 1, "\ue000": 1, "\u03a9": 1, "\u2028": 1}


def widths(texts):
    """How many columns our programs give each."""
    result = subprocess.run([*command("quoted_name"), "--widths"], input="\n".join(texts).encode(), capture_output=True, timeout=SECONDS, check=True)
    return [int(line) for line in result.stdout.split()]


def test_widths():
    """Tests the widths of characters of many scripts; a character that does not reach a terminal stands as '?' there."""
    for text, width in zip(WIDTHS, widths(WIDTHS), strict=True):
        check_equal(width, WIDTHS[text], ascii(text))


def test_widths_of_all_marks():
    """Python's tables of Unicode, which are of another version, have as many columns for nearly all characters: marks have none, East
    Asian and full-width characters two."""
    characters = [chr(code) for code in range(0xa0, 0x110000) if unicodedata.category(chr(code)) not in ("Cn", "Co", "Cs")]
    others = [character for character, width in zip(characters, widths(characters), strict=True)
              if not NOT_SHOWN.search(character) and unicodedata.category(character) not in ("Cf", "Lo", "Mc") and
              width != (0 if unicodedata.category(character) in ("Mn", "Me") else
                        2 if unicodedata.east_asian_width(character) in ("W", "F") else 1)]
    check(len(others) < 10, ascii(others))


def test_python():
    for name, text in quoted_names("python"):
        check_equal(ast.literal_eval(text), name, "Python")
    for name, text in quoted_names("spark"):
        check_equal(ast.literal_eval(text), "`" + name.replace("`", "``") + "` int", "Spark in Python")
    for name in WRONG_BYTES:
        check("\ufffd" in ast.literal_eval(quoted(name)["python"].decode()), name)


def test_clickhouse():
    for name, text in quoted_names("clickhouse_name"):
        check_equal(query(f"SELECT 1 AS {text}").column_names, [name], "a name of ClickHouse")
    for name, text in quoted_names("clickhouse_text"):
        check_equal(query(f"SELECT {text} AS x").column("x").to_pylist()[0], name, "a text of ClickHouse")
    for name, text in quoted_names("clickhouse_both"):
        check_equal(query(f"DESCRIBE format(CSV, {text}, '1')").column("name").to_pylist(), [name], "a column of ClickHouse")
    for name in WRONG_BYTES:
        found = query(f"SELECT lower(hex({quoted(name)['clickhouse_text'].decode()})) AS x").column("x").to_pylist()[0]
        check_equal(found, name.hex(), "bytes of ClickHouse")


def test_duckdb():
    """It has no escapes in names: these are the name's own characters."""
    connection = duckdb.connect()
    for name in NAMES:
        said = quoted(name.encode())
        check_equal([column[0] for column in connection.execute(f"SELECT 1 AS {said['duckdb_name'].decode()}").description], [name], "a name of DuckDB")
        check_equal(connection.execute(f"SELECT {said['duckdb_text'].decode()}").fetchall(), [(name,)], "a text of DuckDB")
    check(not os.path.exists("PWNED"), "DuckDB ran what a name says")


def test_markdown():
    parser = markdown_it.MarkdownIt()
    for name, text in quoted_names("markdown_code"):
        tokens = parser.parse(f"a {text} b\n")
        check_equal([token.type for token in tokens], ["paragraph_open", "inline", "paragraph_close"], repr(text))
        check_equal([token.type for token in tokens[1].children], ["text", "code_inline", "text"], repr(text))
        check_equal(tokens[1].children[1].content.strip(" "), NOT_SHOWN.sub("?", name).strip(" "), "code in Markdown")
    for name, text in quoted_names("markdown_block"):
        tokens = parser.parse(text + "after\n")
        check_equal([token.type for token in tokens], ["fence", "paragraph_open", "inline", "paragraph_close"], repr(text))
        check_equal(ast.literal_eval(tokens[0].content.split("\n")[0][len("x = "):]), name, "Python in Markdown")


def shell_words(words, shell="bash"):
    script = f"printf '%s\\0' {words}"
    for options in (["-n"], []):
        result = subprocess.run([shell, *options, "-c", script], capture_output=True, timeout=SECONDS, check=True)
        check_equal(result.stderr, b"", script)
    return result.stdout.split(b"\0")[:-1]


def test_shell():
    for name, text in quoted_names("shell_word"):
        check_equal(shell_words(text), [name.encode()], "a word of the shell")
        if not NOT_SHOWN.search(name):
            check_equal(shell_words(text, "sh"), [name.encode()], "a word of every shell")
    for name, text in quoted_names("shell_path"):
        path = shell_words(text)[0].decode()
        check_equal(os.path.normpath(path), os.path.normpath(name), "a path for the shell")
        check(not path.startswith("-"), "the path is an option:", path)
    for name in WRONG_BYTES:
        check_equal(shell_words(quoted(name)["shell_word"].decode()), [name], "bytes for the shell")


def test_commands_in_advice_may_be_pasted():
    """A message that says what to type has names of files and columns as the shell takes them."""
    for name in (name for name in NAMES if "/" not in name):
        pathlib.Path(name).write_bytes(b"\x1f\x8b")
        message = run("csv_log", f"./{name}", "out.parquet").stderr
        word = message.split("gzip -dc ")[1].split(" | csv_log - OUT")[0]
        check_equal(os.path.normpath(shell_words(word)[0].decode()), os.path.normpath(name), message)
    for name in (name for name in NAMES if "=" not in name and name == name.strip(" \t")):
        header = name.replace('"', '""')
        pathlib.Path("in.csv").write_text(f'"{header}",b\n1,2\nx,2\n', newline="")
        result = run("csv_log", "in.csv", "out.parquet", "--overwrite", "--type", f"{name}=int64")
        check_refused(result, "correct it, or give --type ")
        word = result.stderr.split("correct it, or give --type ")[1].split(", or --bad null")[0]
        check_equal(shell_words(word), [f"{name}=string".encode()], result.stderr)
    check(not os.path.exists("PWNED"), "what a name says was run")
