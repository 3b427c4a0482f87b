"""Holds the documents against the project: code, figures, files they point to, commands, and the README's program.

Usage: check_readme.py FOLDER_OF_PROGRAMS, from the project's folder.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import figures_page
import sketch_lines

MOST_LINES = 40
MOST_LINES_OF_README = 180
README = pathlib.Path('README.md').read_text()

# What documents and headers say a program does, put into one that compiles; "..." stands for code that is left out.
SNIPPET_HEAD = '''
#include "microparquet/microparquet.h"
#include "microparquet/port/posix_file.h"
namespace mpq = microparquet;
struct Sample { std::int64_t time_us; float speed; };
inline constexpr auto kSchema = mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us), mpq::column("speed", &Sample::speed));
inline constexpr std::string_view kDevice = "a device", kVersion = "1.2.3", serial_number = "4711";
inline constexpr std::uint32_t kTableBytes = 8192, boot_number = 7;
extern mpq::StaticWriter<kSchema> writer;
extern mpq::Reader reader;
Sample read_sensor();
namespace snippet {
'''
SNIPPET_BODY = '''
[[maybe_unused]] static mpq::Status run(mpq::PosixFile& file, const Sample& sample, std::uint32_t now_ms, mpq::Span<std::byte> arena,
                                        const mpq::ReaderOptions& options, mpq::Span<char> name) {
mpq::Status status{};
'''
SNIPPET_END = 'return status;\n}\n}\n'
OUTSIDE = re.compile(r'(?:class|struct|inline) ')


def documents():
    tracked = subprocess.run(['git', 'ls-files', '*.md'], capture_output=True, text=True, check=True).stdout.split()
    return [pathlib.Path(name) for name in tracked]


def check_length():
    lines = README.splitlines()
    assert len(lines) <= MOST_LINES_OF_README, f'the README has {len(lines)} lines'
    assert figures_page.read_figures().get('readme.lines') == f'{len(lines)} lines', f'readme.lines is {len(lines)}'


def check_program():
    blocks = re.findall(r'```cpp\n(.*?)```', README, re.S)
    example = pathlib.Path('examples/quick_start/main.cpp').read_text()
    assert blocks == [example], 'the README shows another program than examples/quick_start/main.cpp'
    assert len(example.splitlines()) < MOST_LINES, f'the program has {len(example.splitlines())} lines'


def check_sketch():
    """The page of the Arduino port shows a sketch that tests/ports compiles and runs, of 15 lines."""
    blocks = re.findall(r'```cpp\n(.*?)```', pathlib.Path('port/arduino/README.md').read_text(), re.S)
    sketch = pathlib.Path('port/arduino/examples/few_lines/few_lines.ino').read_text()
    assert blocks == [sketch], 'port/arduino/README.md shows another program than examples/few_lines/few_lines.ino'
    lines = sketch_lines.count(sketch)
    assert lines <= 15, f'the sketch has {lines} lines'


def snippets_of_documents():
    """Blocks of code that call the library, as what stands outside of a function, which is not indented, and inside."""
    for path in documents():
        for language, block in re.findall(r'^```(\w*)\n(.*?)^```', path.read_text(), re.S | re.M):
            if not language and ';' in block:
                lines = block.splitlines()
                yield path, [line for line in lines if not line.startswith(' ')], [line for line in lines if line.startswith(' ')]


def snippets_of_headers():
    """Code in the comments of public headers that names the library. What comes before a line that begins with "..." stands
    outside of a function; without such a line all of it does, or nothing, as it begins."""
    for path in [*pathlib.Path('include/microparquet').glob('*.h'), *pathlib.Path('port').glob('*/include/**/*.h')]:
        for block in re.findall(r'(?:^ *//   .*\n)+', path.read_text(), re.M):
            code = re.sub(r'^ *//   ', '', block, flags=re.M)
            if 'mpq::' not in code or ';' not in code:
                continue
            before, dots, after = code.partition('\n...')
            outside = before if dots or OUTSIDE.match(code) else ''
            yield path, outside.splitlines(), (after + ';' if dots else '' if outside else code).splitlines()


def compiled(outside, inside):
    text = '\n'.join([SNIPPET_HEAD, *outside, SNIPPET_BODY, *inside, SNIPPET_END]).replace('...', '')
    return subprocess.run(['g++', '-std=c++17', '-fsyntax-only', '-Iinclude', '-Iport/posix/include', '-xc++', '-'], input=text,
                          capture_output=True, text=True)


def check_snippets():
    for found, least in (list(snippets_of_documents()), 2), (list(snippets_of_headers()), 9):
        assert len(found) >= least, f'only {len(found)} blocks of code call the library: {[str(path) for path, _, _ in found]}'
        for path, outside, inside in found:
            result = compiled(outside, inside)
            assert result.returncode == 0, f'{path}: a block of code does not compile:\n{result.stderr[:2000]}'


def check_figures():
    stated = re.findall(r'^\| `([a-z0-9_]+\.[a-z0-9_.]+)` \| ([^|]+?) \|', README, re.M)
    assert len(stated) >= 6, 'the README states no six figures'
    measured = figures_page.read_figures()
    wrong = [f'{name}: README {value}, figures.txt {measured.get(name)}' for name, value in stated
             if measured.get(name) != value]
    assert not wrong, '; '.join(wrong)


def check_figures_page():
    assert pathlib.Path('tests/figures.md').read_text() == figures_page.page(figures_page.read_figures()), \
        'tests/figures.md is not made of tests/figures.txt: tests/readme/figures_page.py >tests/figures.md'


def anchors(path):
    titles = re.findall(r'^#+ (.*)$', path.read_text(), re.M)
    return {re.sub(r'[^\w\- ]', '', title).strip().lower().replace(' ', '-') for title in titles}


def check_links():
    missing = []
    for path in documents():
        if path.is_relative_to('tests/programs') or path.is_relative_to('tests/corpus'):
            continue
        for link, anchor in re.findall(r'\]\(([^)#\s]*)(?:#([^)\s]*))?\)', path.read_text()):
            if link.startswith('http'):
                continue
            target = path.parent / link if link else path
            if not target.exists() or anchor and anchor not in anchors(target):
                missing.append(f'{path}: {link}#{anchor}' if anchor else f'{path}: {link}')
    assert not missing, f'no such file or heading: {missing}'


def check_commands():
    for command in ('examples/run', 'tests/run'):
        assert command in README, f'the README does not name {command}'
    presets = pathlib.Path('CMakePresets.json').read_text()
    for path in documents():
        text = path.read_text()
        for preset in re.findall(r'--preset (\S+)', text):
            assert f'"{preset}"' in presets, f'{path}: no preset {preset}'
        for group in re.findall(r'tests/run ([a-z_]+)', text):
            assert pathlib.Path('tests/groups', group).exists(), f'{path}: no group {group}'
        for program in re.findall(r'(?<![\w/])((?:examples|tests|port)/(?:\w+/)*(?:run|figures|package))(?![\w./])', text):
            assert pathlib.Path(program).stat().st_mode & 0o111, f'{path}: {program} is not executable'


def check_headers_page():
    folder = pathlib.Path('include/microparquet')
    named = set(re.findall(r'\]\((\w+\.h)\)', (folder / 'README.md').read_text())) | {'microparquet.h', 'version.h'}
    there = {path.name for path in folder.glob('*.h')}
    assert named == there, f'include/microparquet/README.md: not named {there - named}, not there {named - there}'
    listed = subprocess.run(['g++', '-std=c++17', '-MM', '-Iinclude', folder / 'microparquet.h'], capture_output=True, text=True,
                            check=True).stdout
    included = {pathlib.Path(name).name for name in listed.split()}
    assert there <= included, f'microparquet.h does not include {there - included}'


def check_source_page():
    text = pathlib.Path('src/README.md').read_text()
    missing = [name for name in re.findall(r'\b((?:\w+/)+\w+\.(?:cpp|h))', text)
               if not pathlib.Path('src', name).exists() and not pathlib.Path('include/microparquet', name).exists()]
    assert not missing, f'src/README.md: no such file {missing}'
    named = {pathlib.Path(name).name for name in re.findall(r'[\w/]+\.(?:cpp|h)\b', text)}
    sources = {path.name for path in pathlib.Path('src').rglob('*.cpp')}
    assert sources <= named, f'src/README.md does not name {sorted(sources - named)}'
    files = {path.name for folder in ('src', 'include') for path in pathlib.Path(folder).rglob('*.[hc]*')}
    assert named <= files, f'src/README.md names {sorted(named - files)}, which is not there'


def check_ports():
    """The ports of port/README.md are those of the build, and each is under the suite of tests/port_contract."""
    table = dict(re.findall(r'^\| \[(\w+)\]\([^)]+\) \| `(\w+)[<`]', pathlib.Path('port/README.md').read_text(), re.M))
    lists = re.findall(r'^set\(MICROPARQUET_PORTS_\w+ ([^)]+)\)', pathlib.Path('cmake/microparquet_port.cmake').read_text(), re.M)
    listed = {name for names in lists for name in names.split()}
    no_ports = {'crc32_hardware', 'desktop', 'fat_common', 'packages'}
    folders = {path.name for path in pathlib.Path('port').iterdir() if path.is_dir()}
    built = {path.parent.name for path in pathlib.Path('port').glob('*/CMakeLists.txt') if 'microparquet_port(' in path.read_text()}
    assert built == listed, f'cmake/microparquet_port.cmake lists {listed}, port/ has {built}'
    assert set(table) == folders - no_ports, f'port/README.md has {set(table)}, port/ has {folders - no_ports}'
    tests = ' '.join(path.read_text() for path in pathlib.Path('tests').rglob('*.cpp') if 'check_all(' in path.read_text())
    tests += pathlib.Path('tests/ports/port_cases.h').read_text()
    untested = [name for name in table.values() if not re.search(rf'\b{name}\b', tests)]
    assert not untested, f'not under tests/port_contract: {untested}'


def without_old_names(text):
    """What a table of `then` and `now` says under `then` is gone."""
    return re.sub(r'^\| then \| now \|\n(?:\|.*\n)+',
                  lambda table: re.sub(r'^\|[^|]*', '', table[0], flags=re.M), text, flags=re.M)


def check_promises():
    """The version, the format's and the files of PROMISES.md, FORMAT.md, CHANGELOG.md and the sources agree."""
    sys.path.insert(0, 'port/packages')
    from releasing import changes, version  # pylint: disable=import-outside-toplevel
    root = pathlib.Path('.')
    differing = version.differing(root)
    assert not differing, differing
    number = version.version_of(root)
    record = re.search(r'kFormatVersion = (\d+);', pathlib.Path('src/format/record_format.h').read_text())[1]
    minor = number.rsplit('.', 1)[0]
    assert f'Record format: {record}.' in changes.section(root, number)[1], f'CHANGELOG.md: record format of {number}'
    assert f'| {minor} | {record} | {record} |' in pathlib.Path('src/FORMAT.md').read_text(), f'src/FORMAT.md: {minor} writes {record}'
    promises = pathlib.Path('PROMISES.md').read_text()
    assert f'{minor} writes {record}.' in promises, f'PROMISES.md: {minor} writes {record}'
    sources = ' '.join(path.read_text() for path in [pathlib.Path('CMakeLists.txt'), *pathlib.Path('port').rglob('CMakeLists.txt'),
                                                     *pathlib.Path('cmake').iterdir()])
    options = set(re.findall(r'`(MICROPARQUET_[A-Z_]+)`', promises))
    there = set(re.findall(r'option\((MICROPARQUET_\w+)', sources)) | {f'MICROPARQUET_{name}_DIR' for name in ('FATFS', 'LITTLEFS')}
    assert options <= there, f'PROMISES.md: no option {options - there}'
    page = pathlib.Path('tests/compatibility/README.md').read_text()
    unnamed = [folder.name for folder in pathlib.Path('tests/compatibility/data').iterdir() if f'data/{folder.name}' not in page]
    assert not unnamed, f'tests/compatibility/README.md does not name {unnamed}'


def check_names():
    """Functions, and members of Options, that documents name: `name()` and `Options::name`."""
    sources = [path.read_text() for folder in ('include', 'port', 'src', 'tests/port_contract') for path in pathlib.Path(folder).rglob('*')
               if path.suffix in ('.h', '.cpp')]
    words = set(re.findall(r'\w+', ' '.join(sources)))
    texts = {path: without_old_names(path.read_text()) for path in documents()}
    wrong = [f'{path}: {name}' for path, text in texts.items()
             for name in re.findall(r'`(?:\w+::)*(\w+)\(\)`', text) + re.findall(r'`Options::(\w+)`', text)
             if name not in words]
    assert not wrong, f'no such function or option: {wrong}'


def check_commands_of_mpq():
    shown = subprocess.run([pathlib.Path(sys.argv[1]) / 'mpq', '--help'], capture_output=True, text=True, check=True).stdout
    commands = set(re.findall(r'^  (\w+) ', shown[shown.index('Subcommands'):], re.M))
    table = re.findall(r'^\| `mpq ([^`]+?) ', pathlib.Path('port/desktop/README.md').read_text(), re.M)
    named = {name for entry in table for name in entry.replace('\\', '').split('|')}
    assert named == commands, f'port/desktop/README.md names {named}, mpq has {commands}'


def check_doxygen():
    inputs = set(re.findall(r'^(?:INPUT +=)? +(port/\S+)', pathlib.Path('Doxyfile').read_text(), re.M))
    ports = {str(path) for path in pathlib.Path('port').glob('*/include/microparquet/port')}
    assert inputs == ports, f'the Doxyfile has {inputs ^ ports} too many or too few'
    with tempfile.TemporaryDirectory() as folder:
        settings = pathlib.Path('Doxyfile').read_text() + f'OUTPUT_DIRECTORY = {folder}\n'
        result = subprocess.run(['doxygen', '-'], input=settings, capture_output=True, text=True)
        said = result.stdout + result.stderr
        assert result.returncode == 0 and not said.strip(), said[:2000]
        assert pathlib.Path(folder, 'html', 'classmicroparquet_1_1Writer.html').exists(), 'no page of Writer'


def check_prose():
    result = subprocess.run([sys.executable, 'tests/prose/check_prose.py'], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def check_program_runs():
    programs = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        printed = subprocess.run([programs / 'quick_start'], cwd=folder, check=True, capture_output=True, text=True).stdout
        assert len(printed.splitlines()) == 10, printed
        rows = subprocess.run([programs / 'mpq', 'cat', '--csv', f'{folder}/samples.parquet'], check=True,
                              capture_output=True, text=True).stdout.splitlines()
        assert len(rows) == 101, f'{len(rows)} lines'
        assert rows[0] == 'time,speed,height,temperature', rows[0]
        assert sum(row.endswith('21.5') for row in rows) == 10


CHECKS = (check_length, check_program, check_sketch, check_snippets, check_figures, check_figures_page, check_links, check_commands,
          check_headers_page, check_source_page, check_ports, check_promises, check_names, check_commands_of_mpq, check_doxygen, check_prose,
          check_program_runs)


def main():
    passed = failed = 0
    for check in CHECKS:
        try:
            check()
            passed += 1
        except (AssertionError, OSError, subprocess.CalledProcessError) as error:
            failed += 1
            print(f'{check.__name__}: {error}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed != 0)


main()
