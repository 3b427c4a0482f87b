"""Names that do something where they are taken for more than names: to a terminal, a shell, a program or a page."""
import re
import unicodedata

# Characters that no terminal shows as they are: control characters, separators of lines, and Unicode's Bidi_Control.
NOT_SHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
assert all(unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") for c in map(chr, range(0x2070)) if NOT_SHOWN.match(c))

PWN = 'open("PWNED", "w").close()'

NAMES = [
    # Terminals: escapes of seven and eight bits, and what they end with; names that look like others, or like two lines.
    "red\x1b[31m", "title\x1b]0;x\x07", "c1\x9b31m", "osc\x9d0;x\x9c", "del\x7f\x08\x08", "nel\x85", "rlo\u202egnp.exe", "iso\u2066a\u2069",
    "mark\u061c\u200e\u200f", "lines\u2028a\u2029b", "\nmpq: all of it holds", "cr\roverwritten", "tab\tb", "form\x0b\x0c",
    # Python, SQL of DuckDB and ClickHouse, Spark.
    f'q"""\n{PWN}\n"""', f'"\n{PWN}\n"', f"'''\n{PWN}\n'''", f'"+{PWN}+"', "\\", "a\\", "\\'", '\\"', "\\`", "'", '"', "`", "''", '""', "``",
    "\\x41\\N{BULLET}\\u0041", "{x}", "{{x}}", "%s", "` int, `b", "'); SELECT 1; --", '"; COPY (SELECT 1) TO \'PWNED\'; --', "/* */ --", "$$a$$",
    "?", "a, b", "x STRING",
    # Markdown.
    "```", "\n```\n# PWNED\n", "`` ` ``", " `a` ", "[a](javascript:alert)", "<b>&amp;</b>", "*a* _b_", "| a |", "~~~",
    # Pages.
    "</script><script>alert(1)</script>", "<!--", "]]>", "<img src=x onerror=alert(1)>", "__proto__",
    # Shells.
    "$(touch PWNED)", "`touch PWNED`", "; touch PWNED", "& touch PWNED &", "| touch PWNED", "> PWNED", "-rf", "--", "~", "!!", "*", "${IFS}",
    "'; touch PWNED; '", "'\\''; touch PWNED", "#", "a b", " ", "=cmd|'/C calc'!A0",
    # Names like any other.
    "Stra\u00dfe", "\u6f22\u5b57", "\U0001f642", "e\u0301",
]

# Bytes that are not UTF-8.
WRONG_BYTES = [b"\xff\xfe", b"a\xc3", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\x9b31m"]
