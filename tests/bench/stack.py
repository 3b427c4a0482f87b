#!/usr/bin/env python3
"""The worst-case stack of functions, from GCC's call graph.

usage: stack.py --elf ELF... --calls FILE [--details] [--prefix TOOL_PREFIX] ROOT... -- CI_FILE...

The CI files are what -fcallgraph-info=su,da leaves beside each object. Functions without one (libgcc, newlib) are sized
from the disassembly of the programs; it also tells which calls are the last thing a function does, a jump made when its
frame is already gone. ROOT is a regular expression on demangled names, such as 'microparquet::Writer::open\\('.
Prints a line "BYTES FUNCTION" for each function that a ROOT matches, with --details its deepest path as well.

What the compiler does not know stands in the --calls file, one rule a line, first match of CALLER counts:

    CALLER -> TARGET            indirect calls in functions matching CALLER reach the functions matching TARGET
    CALLER -> outside           they leave the library: what they cost is the port's own, and is not counted
    CALLER -> A ; B ; outside   more than one kind in one function
    FUNCTION recurs N           a recursive function, entered N times at most
    apart A ; B                 no path holds a function matching A and one matching B, as with two layouts of a file

A rule is a regular expression too. An indirect call without a rule, a recursion without a depth, a frame whose size is
not fixed or a function that is nowhere to be found is an error: a figure that leaves something out is none.
"""

import argparse
import re
import subprocess
import sys

INDIRECT = "__indirect_call"
OUTSIDE = "outside"


def demangle(names):
    text = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    text = text.replace("library_built_for_device::", "")  # the inline namespace of Writer and Reader
    return dict(zip(names, text.splitlines()))


def symbol_of(title):
    """The mangled name in a node's title; functions of one file carry its path before a colon."""
    return title.rsplit(":", 1)[-1]


class CallGraph:
    """Frames and calls by node. A node is a CI title, or a symbol when only the ELF knows it."""

    def __init__(self):
        self.frames = {}
        self.calls = {}
        self.unfixed = set()
        self.by_symbol = {}
        self.called = set()  # (caller, callee) symbols
        self.jumped = set()
        self.aliases = {}  # symbol: one at the same address, which has a frame
        self.linked = set()  # symbols of the programs

    def add_ci_file(self, path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                self._add_ci_line(line)

    def _add_ci_line(self, line):
        node = re.match(r'node: \{ title: "([^"]+)" label: "([^"]*)"', line)
        if node:
            frame = re.search(r"\\n(\d+) bytes \((\w+)", node[2])
            if frame:
                self.frames[node[1]] = int(frame[1])
                self.by_symbol[symbol_of(node[1])] = node[1]
                if frame[2] != "static":
                    self.unfixed.add(node[1])
        edge = re.match(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', line)
        if edge:
            self.calls.setdefault(edge[1], set()).add(edge[2])

    def add_elf(self, path, prefix):
        """Sizes what has no CI file by the instructions that move the stack pointer."""
        listing = subprocess.run([prefix + "objdump", "-d", "--no-show-raw-insn", path], capture_output=True,
                                 text=True, check=True).stdout
        caller = None
        for line in listing.splitlines():
            head = re.match(r"[0-9a-f]+ <([^>]+)>:", line)
            if head:
                caller = head[1]
                unknown = caller not in self.by_symbol and caller not in self.frames
                if unknown:
                    self.frames[caller] = 0
                    self.calls[caller] = set()
            elif caller:
                self._add_instruction(caller, unknown, line)
        self._add_aliases(path, prefix)

    def _add_aliases(self, path, prefix):
        """A listing names one of the symbols of an address, as libgcc has several for its divisions."""
        symbols = subprocess.run([prefix + "nm", path], capture_output=True, text=True, check=True).stdout
        self.linked.update(re.findall(r"^[0-9a-f]+ [TtWw] (.+)$", symbols, re.M))
        by_address = {}
        for address, name in re.findall(r"^([0-9a-f]+) [TtWw] (.+)$", symbols, re.M):
            by_address.setdefault(address, []).append(name)
        for names in by_address.values():
            known = [name for name in names if name in self.frames]
            self.aliases.update((name, known[0]) for name in names if known)

    def _add_instruction(self, caller, unknown, line):
        if unknown:
            self.frames[caller] += pushed_bytes(line)
        # Branches: bl, blx, b and its conditions on Arm; jal with a register to return by, and j on RISC-V.
        branch = re.search(r"\b(bl|blx|jal|b[a-z]{0,2}|j)(?:\.w|\.n)?\s+(?:ra,\s*)?[0-9a-f]+ <([^>+]+)>", line)
        if branch and branch[2] != caller:
            (self.called if branch[1] in ("bl", "blx", "jal") else self.jumped).add((caller, branch[2]))
            if unknown:
                self.calls[caller].add(branch[2])

    def leaves_first(self, caller, callee):
        """Whether `caller` has left its frame whenever it goes to `callee`."""
        edge = (symbol_of(caller), symbol_of(callee))
        return edge in self.jumped and edge not in self.called

    def resolve(self, name):
        if name in self.frames:
            return name
        symbol = symbol_of(name)
        base = symbol.replace("C1E", "C2E")  # a constructor may be the same as that of a base
        return self.by_symbol.get(symbol) or self.aliases.get(name) or self.by_symbol.get(base)


def pushed_bytes(instruction):
    pushed = re.search(r"\b(?:push|vpush|v?stmdb\s+sp!,)[.\w]*\s*\{([^}]*)\}", instruction)
    if pushed:
        return sum(register_bytes(item.strip()) for item in pushed[1].split(","))
    moved = (re.search(r"\bsub(?:w|\.w)?\s+sp,\s*(?:sp,\s*)?#(\d+)", instruction) or
             re.search(r"\bstrd?(?:\.w)?\s+.*\[sp, #-(\d+)\]!", instruction) or
             re.search(r"\baddi\s+sp,\s*sp,\s*-(\d+)", instruction))
    return int(moved[1]) if moved else 0


def register_bytes(item):
    width = 8 if item.startswith("d") else 4
    span = re.match(r"[rsd](\d+)-[rsd](\d+)", item)
    return width * (int(span[2]) - int(span[1]) + 1 if span else 1)


class Rules:
    def __init__(self, path):
        self.indirect = []
        self.depths = []
        self.apart = []
        with open(path, encoding="utf-8") as file:
            for line in file:
                line = line.split("#", 1)[0].strip()
                if line.startswith("apart "):
                    self.apart += [re.compile(pattern.strip()) for pattern in line[len("apart "):].split(" ; ")]
                elif " -> " in line:
                    caller, targets = line.split(" -> ", 1)
                    self.indirect.append((re.compile(caller.strip()), [t.strip() for t in targets.split(" ; ")]))
                elif line:
                    function, depth = line.rsplit(" recurs ", 1)
                    self.depths.append((re.compile(function.strip()), int(depth)))

    def targets(self, caller):
        return next((targets for pattern, targets in self.indirect if pattern.search(caller)), None)

    def depth(self, function):
        return next((depth for pattern, depth in self.depths if pattern.search(function)), None)


class WorstCase:
    """The deepest stack of one of the sets of functions that are apart: the other sets are left out."""

    def __init__(self, graph, rules, names, left_out):
        self.graph = graph
        self.rules = rules
        self.names = names
        self.left_out = left_out
        self.errors = set()
        self.done = {}

    def name(self, node):
        return self.names.get(symbol_of(node), symbol_of(node))

    def matching(self, pattern):
        return sorted(node for node in self.graph.frames if re.search(pattern, self.name(node)))

    def is_linked(self, node):
        return symbol_of(node) in self.graph.linked

    def of(self, node, path=()):
        """Bytes below and with `node`, and the path that takes them."""
        if node in path:
            if self.rules.depth(self.name(node)) is None:
                self.errors.add(f"recursion through {self.name(node)} without a depth")
            return 0, []
        if node in self.done:
            return self.done[node]
        if node in self.graph.unfixed:
            self.errors.add(f"the frame of {self.name(node)} has no fixed size")
        own = self.graph.frames[node] * (self.rules.depth(self.name(node)) or 1)
        result = own, [f"{own:5} {self.name(node)}"]
        for callee in self.callees(node):
            if any(pattern.search(self.name(callee)) for pattern in self.left_out):
                continue
            below, steps = self.of(callee, path + (node,))
            frame = 0 if self.graph.leaves_first(node, callee) else own
            if frame + below > result[0]:
                result = frame + below, [f"{frame:5} {self.name(node)}"] + steps
        if not any(self.rules.depth(self.name(other)) for other in path):
            self.done[node] = result
        return result

    def callees(self, node):
        for called in sorted(self.graph.calls.get(node, ())):
            if called == INDIRECT:
                yield from self.indirect_callees(node)
                continue
            found = self.graph.resolve(called)
            if found is None:
                self.errors.add(f"{self.name(node)} calls {self.name(called)}, which is nowhere to be found")
            else:
                yield found

    def indirect_callees(self, node):
        targets = self.rules.targets(self.name(node))
        if targets is None:
            self.errors.add(f"an indirect call without a rule in {self.name(node)}")
            return
        for target in targets:
            if target == OUTSIDE:
                continue
            found = self.matching(target)
            if not found:
                self.errors.add(f"nothing matches {target}, the target of {self.name(node)}")
            yield from filter(self.is_linked, found)


def parse_arguments():
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--elf", action="append", required=True)
    parser.add_argument("--calls", required=True)
    parser.add_argument("--prefix", default="arm-none-eabi-")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("roots", nargs="+")
    return parser.parse_args(sys.argv[1:cut]), sys.argv[cut + 1:]


def main():
    arguments, ci_files = parse_arguments()
    graph = CallGraph()
    for path in ci_files:
        graph.add_ci_file(path)
    for path in arguments.elf:
        graph.add_elf(path, arguments.prefix)
    rules = Rules(arguments.calls)
    names = demangle(sorted({symbol_of(node) for node in graph.frames}))
    worlds = [WorstCase(graph, rules, names, [other for other in rules.apart if other is not pattern])
              for pattern in rules.apart or [None]]
    for pattern in arguments.roots:
        roots = list(filter(worlds[0].is_linked, worlds[0].matching(pattern)))
        if not roots:
            worlds[0].errors.add(f"no function matches {pattern}")
        for root in roots:
            total, path = max((world.of(root) for world in worlds), key=lambda found: found[0])
            print(total, worlds[0].name(root))
            if arguments.details:
                print("\n".join("   " + step for step in path))
    errors = sorted(set().union(*(world.errors for world in worlds)))
    for error in errors:
        print("stack.py:", error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
