"""macros.txt: names of macros that stand in headers of cores and SDKs, and in which; see collect_macros.py."""
import pathlib

PATH = pathlib.Path(__file__).with_name("macros.txt")
HEAD = """# Names of macros in the headers of cores and SDKs that a public header uses or might use. collect_macros.py makes this page of
# those headers, and says which names it keeps; headers_test.py defines all of them before it includes ours.
#
# source: what it is, and its version
"""
# No core defines them and compiles C++.
KEYWORDS = set("""alignas alignof asm auto bool break case catch char char16_t char32_t class const constexpr continue decltype
    default delete do double else enum explicit export extern false float for friend goto if inline int long mutable namespace
    new noexcept nullptr operator private protected public register return short signed sizeof static static_assert struct
    switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile while
    """.split())


class Macros:
    def __init__(self):
        self.versions = {}  # by source
        self.sources = {}  # by name
        self.takes_arguments = {}  # by name: every definition

    def add(self, name, takes_arguments, source):
        self.sources.setdefault(name, set()).add(source)
        self.takes_arguments[name] = self.takes_arguments.get(name, True) and takes_arguments

    def forget(self, source):
        for name, sources in list(self.sources.items()):
            sources.discard(source)
            if not sources:
                del self.sources[name], self.takes_arguments[name]

    def write(self):
        lines = [f"{source}: {version}" for source, version in sorted(self.versions.items())]
        lines.append("\n# name, with () where it takes arguments: the sources that define it")
        for name in sorted(self.sources, key=lambda name: (name.lower(), name)):
            arguments = "()" if self.takes_arguments[name] else ""
            lines.append(f"{name}{arguments}: {' '.join(sorted(self.sources[name]))}")
        PATH.write_text(HEAD + "\n".join(lines) + "\n")


def read():
    """Reads the file; an absent file is empty."""
    found = Macros()
    paragraphs = PATH.read_text().split("\n\n") if PATH.exists() else ["", ""]
    entries = [[line.split(": ", 1) for line in paragraph.splitlines() if not line.startswith("#")] for paragraph in paragraphs]
    found.versions = dict(entries[0])
    for name, sources in entries[1]:
        for source in sources.split():
            found.add(name.removesuffix("()"), name.endswith("()"), source)
    return found
