"""No program prints what does something to a terminal or a log, whoever made the files and the names; and no page runs it."""
import base64
import html.parser
import os
import pathlib

from harness import check, check_equal, check_ok, command, run
from hostile_names import NAMES
from printed_escapes import printed_escapes


def test_nothing_of_strangers_does_anything():
    faults, shown = printed_escapes({name: command(name) for name in ("mpq", "csv_log", "host_log")}, os.getcwd())
    check_equal(faults[:20], [], f"{len(faults)} faults")
    check(shown > 300, "hostile texts are printed only", shown, "times")


class Page(html.parser.HTMLParser):
    """The elements of a page, each with its attributes, and the texts of its scripts."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.scripts = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        if self.elements and self.elements[-1][0] == "script" and data.strip():
            self.scripts.append(data)

    def handle_comment(self, data):
        self.elements.append(("comment", data))


def test_names_in_a_report_are_names():
    names = sorted(name for name in NAMES if "/" not in name)
    for i, name in enumerate(names):
        pathlib.Path(name).write_bytes(b"PAR1" + bytes([i]))
    pathlib.Path("viewer.html").write_text('<html><body><div id="sessions"></div></body></html>')
    check_ok(run("mpq", "report", "-o", "page.html", "--viewer", "viewer.html", *(f"./{name}" for name in names)))
    page = Page(pathlib.Path("page.html").read_bytes().decode())
    check_equal([tag for tag, _ in page.elements], ["html", "body", "div", *(["script"] * len(names))])
    shown = [attributes for tag, attributes in page.elements if tag == "script"]
    check_equal([attributes.pop("data-name") for attributes in shown], [f"./{name}" for name in names], "names")
    check_equal(shown, [{"type": "text/plain", "class": "log"}] * len(names), "other attributes")
    check_equal([base64.b64decode(text) for text in page.scripts], [b"PAR1" + bytes([i]) for i in range(len(names))], "files")
