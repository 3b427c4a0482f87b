"""The library as two files, microparquet.h and microparquet.cpp, and the pairs of its ports: for projects that compile what lies in
a folder, as those of CubeIDE and Keil do."""
import re
import subprocess

PORTS = ('fatfs', 'littlefs', 'memory', 'posix', 'semihosting', 'stdout', 'uart')
INCLUDE = re.compile(r'^#include (?:"([^"]+)"|<([^>]+)>)$')
CONDITION = re.compile(r'^# *(if|endif)')
INSIDE = re.compile(r'^(?:namespace\b|extern "C")', re.M)
# Unnamed so that the compiler knows all callers: see unnamed(). Types of the others stand in headers, or are shared with ports.
LIBRARY = re.compile(r'\b(?:add_library\(microparquet STATIC|target_sources\(microparquet PRIVATE)([^)]*)\)')

# What the compilers have in common that the sources need. The first that fits is named: several of them also call themselves GCC.
COMPILERS = """\
#if defined(__ICCARM__) || defined(__ICCRISCV__) || defined(__IAR_SYSTEMS_ICC__)
#error "microparquet: IAR's compiler is none of those it is written for; take GCC from 12 or clang from 14"
#elif defined(__CC_ARM) || (defined(__ARMCC_VERSION) && __ARMCC_VERSION < 6000000)
#error "microparquet: Arm Compiler 5 has no C++17; choose Arm Compiler 6, which is clang"
#elif defined(_MSC_VER)
#error "microparquet: Microsoft's compiler is none of those it is written for; take GCC from 12 or clang from 14"
#elif !defined(__GNUC__) && !defined(__clang__)
#error "microparquet: this compiler is none of those it is written for; take GCC from 12, or clang from 14, as Arm Compiler 6 is"
#elif __cplusplus < 201703L
#error "microparquet needs C++17: -std=c++17 or later, and a project for C++, where an IDE asks"
#endif
"""


class Merger:
    """Texts of files with each file that they include in place of its first include. What has been put in place stays so for the
    texts after it; `system` collects what remains to be included from elsewhere, but for what stands under a condition."""

    def __init__(self, tree, *folders):
        self.tree = tree
        self.folders = [tree / 'include', tree / 'src', *folders]
        self.done = set()
        self.system = []

    def copy(self, *folders):
        """Another one that knows what this one has put in place."""
        other = Merger(self.tree, *self.folders[2:], *folders)
        other.done = set(self.done)
        return other

    def merge(self, paths):
        """The text of these files and of those they include."""
        return '\n'.join(line for path in paths for line in self._lines(path))

    def _find(self, name, includer):
        return next((folder / name for folder in (*self.folders, includer.parent) if (folder / name).is_file()), None)

    def _lines(self, path):
        if path in self.done:
            return
        self.done.add(path)
        text = path.read_text(encoding='utf-8')
        first = INSIDE.search(text)
        own = []
        depth = 0
        for line in text.splitlines():
            condition = CONDITION.match(line)
            if condition:
                depth += 1 if condition[1] == 'if' else -1
            found = INCLUDE.match(line)
            if not found or (found[2] and depth):
                if line != '#pragma once':
                    own.append(line)
                continue
            if first and text.index(line) > first.start():
                raise ValueError(f'{path.relative_to(self.tree)} includes {found[1] or found[2]} after its first namespace')
            inside = self._find(found[1], path) if found[1] else None
            if inside:
                yield from self._lines(inside)
            else:
                name = f'"{found[1]}"' if found[1] else f'<{found[2]}>'
                if name not in self.system:
                    self.system.append(name)
        yield f'\n// {path.relative_to(self.tree).as_posix()}'
        yield from re.sub(r'\n{3,}', '\n\n', '\n'.join(own).strip('\n')).split('\n')


def commit_of(tree):
    """The commit of a checkout."""
    def git(*words):
        return subprocess.run(['git', '-C', tree, *words], capture_output=True, text=True, check=False).stdout.strip()
    if not (tree / '.git').exists():
        return 'unknown'
    return git('rev-parse', 'HEAD') + (' and changes' if git('status', '--porcelain', '--', 'include', 'src', 'port') else '')


def sources_of_library(tree):
    """Sources for devices, those that desktops have in addition, and those of the doors for C, which go to the end: one names a namespace
    for all that follows."""
    of_devices, of_desktops = ([tree / 'src' / f'{name}.cpp' for name in re.findall(r'(\S+)\.cpp', part)]
                               for part in LIBRARY.findall((tree / 'src/CMakeLists.txt').read_text()))
    doors = [path for path in of_devices if path.parent.name == 'c']
    return [path for path in of_devices if path not in doors], of_desktops, doors


def private_namespaces(header, sources):
    """Namespaces directly in microparquet of which the header knows nothing."""
    found = {name for path in sources for name in re.findall(r'^namespace microparquet::(\w+) \{$', path.read_text(), re.M)}
    return sorted(name for name in found if not re.search(rf'\bnamespace (?:microparquet::)?{name}\b|\b{name}::', header))


def unnamed(text, names):
    """Puts the namespaces into unnamed ones. The compiler then knows all callers of their functions, and at -Os puts one that has a
    single caller into it."""
    some = '|'.join(names)
    text, opened = re.subn(rf'^namespace microparquet::({some}) \{{$', r'namespace microparquet { namespace { namespace \1 {', text,
                           flags=re.M)
    text, closed = re.subn(rf'^\}}  // namespace microparquet::({some})$', r'}}}  // namespace microparquet::\1', text, flags=re.M)
    text, opened_inside = re.subn(rf'^namespace ({some}) \{{$', r'namespace { namespace \1 {', text, flags=re.M)
    text, closed_inside = re.subn(rf'^\}}  // namespace ({some})$', r'}}  // namespace \1', text, flags=re.M)
    if (opened, opened_inside) != (closed, closed_inside):
        raise ValueError(f'private namespaces are opened {opened} + {opened_inside} times, and closed {closed} + {closed_inside} times')
    return text


class Writer:
    """Writes the files of a tree at a commit into a folder. `private_named`: private namespaces keep their names, for tests that
    include private headers."""

    def __init__(self, tree, folder, version, commit, private_named=False):
        self.tree = tree
        self.folder = folder
        self.private_named = private_named
        licence = (tree / 'LICENSE').read_text(encoding='utf-8').strip()
        self.head = f'/* microparquet {version}, commit {commit}. Made of many files: change those, not this one.\n\n{licence}\n*/\n'

    def put(self, name, before, system, text, after=''):
        includes = ''.join(f'#include {name}\n' for name in sorted(system, key=lambda name: (name[0] == '"', name)))
        (self.folder / name).write_text(f'{self.head}{before}\n{includes}{text}\n{after}', encoding='utf-8')

    def write_library(self):
        """The header, the source and the header for C. Returns what knows which files are in them."""
        include = self.tree / 'include/microparquet'
        headers = sorted(path for path in include.rglob('*.h') if 'c' not in path.relative_to(include).parts[:-1])
        merger = Merger(self.tree)
        header = merger.merge(headers)
        self.put('microparquet.h', f'#pragma once\n\n{COMPILERS}', merger.system, header)

        of_c = Merger(self.tree)
        self.put('microparquet_c.h', '', of_c.system, of_c.merge([include / 'c/microparquet.h']))

        merger = merger.copy()
        merger.done |= of_c.done
        of_devices, of_desktops, doors = sources_of_library(self.tree)
        private = private_namespaces(header, [*of_devices, *of_desktops])
        # GCC warns of a static function that is declared and has no body: those of desktops have one everywhere, and nobody calls them.
        static = [] if self.private_named else [path for path in of_desktops if path.parts[-3] in private]
        source = merger.merge(of_devices + static)
        source += f'\n\n#if MICROPARQUET_DESKTOP{merger.merge(of_desktops)}\n#endif'
        source += f'\n\n#if __has_include("microparquet_c.h"){merger.merge(doors)}\n#endif'
        if not self.private_named:
            source = unnamed(source, private)
        self.put('microparquet.cpp', '#include "microparquet.h"\n#if __has_include("microparquet_c.h")\n#include "microparquet_c.h"\n#endif',
                 merger.system, source)
        merger.done -= set((include / 'c/detail').iterdir())  # of which each port has its own copy
        return merger

    def write_port(self, library, name):
        """The pair of a port, and its header for C if it has one."""
        port = self.tree / 'port' / name
        of_port = library.copy(port / 'include')
        headers = sorted((port / 'include').rglob('*.h'))
        self.put(f'microparquet_{name}.h', '#pragma once\n\n#include "microparquet.h"\n', of_port.system,
                 of_port.merge(path for path in headers if not path.stem.endswith('_c')))
        source = of_port.copy()
        text = source.merge(sorted(path for path in port.glob('*.cpp') if not path.stem.endswith('_c')))
        of_c = [path for path in headers if path.stem.endswith('_c')]
        before = f'#include "microparquet_{name}.h"'
        if of_c:
            doors = library.copy(port / 'include')
            self.put(f'microparquet_{name}_c.h', '#include "microparquet_c.h"\n', doors.system, doors.merge(of_c))
            source.done |= doors.done
            has_door = f'#if __has_include("microparquet_{name}_c.h")'
            before += f'\n{has_door}\n#include "microparquet_{name}_c.h"\n#endif'
            text += f'\n\n{has_door}{source.merge(sorted(port.glob("*_c.cpp")))}\n#endif'
        self.put(f'microparquet_{name}.cpp', before, source.system, text)

    def write(self):
        library = self.write_library()
        for name in PORTS:
            self.write_port(library, name)
