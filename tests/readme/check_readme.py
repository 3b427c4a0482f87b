"""Holds the documents against the project: code, figures, files they point to, commands, and the programs of README and quick_start.

Usage: check_readme.py FOLDER_OF_PROGRAMS, from the project's folder.
"""
import decimal
import pathlib
import re
import subprocess
import sys
import tempfile

import figures_page
import sketch_lines

MOST_LINES = 40
MOST_WORDS_OF_README = 1000
MOST_LINES_OF_DESIGN = 220
MOST_COLUMNS = 132
# Pages whose lines fit a window of a usual width.
NARROW_PAGES = ('README.md', 'src/DESIGN.md', 'src/GLOSSARY.md', 'src/EXPERIMENTS.md', 'port/power.md')
README = pathlib.Path('README.md').read_text()

# Wraps snippets of documents and headers in a program that compiles; "..." stands for code that is left out.
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
    words, lines = len(README.split()), len(pathlib.Path('src/DESIGN.md').read_text().splitlines())
    assert words <= MOST_WORDS_OF_README, f'the README has {words} words'
    assert lines <= MOST_LINES_OF_DESIGN, f'src/DESIGN.md has {lines} lines'
    figures = figures_page.read_figures()
    assert figures.get('readme.words') == f'{words} words', f'readme.words is {words}'
    assert figures.get('design.lines') == f'{lines} lines', f'design.lines is {lines}'
    wide = [f'{page}:{number}' for page in NARROW_PAGES
            for number, line in enumerate(pathlib.Path(page).read_text().splitlines(), 1) if len(line) > MOST_COLUMNS]
    assert not wide, f'wider than {MOST_COLUMNS} columns: {wide}'


# The part of FatFs's ff.h that the port's header asks for.
FATFS = '''
#pragma once
using BYTE = unsigned char;
using DWORD = unsigned;
using TCHAR = char;
using FSIZE_t = unsigned long long;
enum FRESULT { FR_OK };
#define FF_FS_EXFAT 1
#define FS_EXFAT 4
struct FATFS { BYTE fs_type; };
struct FIL { struct { FATFS* fs; BYTE stat; DWORD sclust; FSIZE_t objsize; DWORD n_frag; } obj; };
'''
# Parts of the README's program that it leaves to its reader, on a device and here. Here a sensor of 1 Hz is read 1,000 times,
# and the program ends as if the power did.
PROGRAM_HEAD = '''
#include <cstdint>
#include <cstdlib>
struct Sample;
Sample read_sensor();
std::uint32_t now_ms();
'''
PROGRAM_END = '''
static std::uint32_t rows = 0;
std::uint32_t now_ms() { return rows * 1000; }
Sample read_sensor() {
  if (++rows > 1000) std::_Exit(0);
  return {rows * std::int64_t{1'000'000}, 0.5F, {}};
}
int main() { return log_samples() == mpq::Status::kOk ? 0 : 1; }
'''


def compile_readme(folder, port, *arguments):
    blocks = re.findall(r'```cpp\n(.*?)```', README, re.S)
    assert len(blocks) == 1 and 'mpq::FatFsFile' in blocks[0], 'the README shows no program on FatFs'
    program = blocks[0] if port == 'fatfs' else blocks[0].replace('mpq::FatFsFile', 'mpq::PosixFile').replace('fatfs_file', 'posix_file')
    result = subprocess.run(['g++', '-std=c++17', '-Wall', '-Wextra', '-Werror', '-Iinclude', f'-Iport/{port}/include', f'-I{folder}',
                             '-xc++', '-', '-xnone', *arguments],
                            input=PROGRAM_HEAD + program + PROGRAM_END, capture_output=True, text=True)
    assert result.returncode == 0, f'the program of the README does not compile: {result.stderr[:2000]}'


def check_program():
    """The README's program compiles for FatFs. Here, on a file of POSIX, it is cut off twice, and continues its file."""
    programs = pathlib.Path(sys.argv[1]).resolve()
    libraries = sorted({*programs.parent.rglob('libmicroparquet*.a')} - {*programs.parent.rglob('libmicroparquet_of_device.a')})
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, 'ff.h').write_text(FATFS)
        compile_readme(folder, 'fatfs', '-fsyntax-only')
        compile_readme(folder, 'posix', '-DMICROPARQUET_DESKTOP=1', f'-o{folder}/logger', '-Wl,--start-group', *libraries, '-Wl,--end-group')
        rows = [0]
        for boot in (1, 2):
            subprocess.run([f'{folder}/logger'], cwd=folder, check=True)
            shown = subprocess.run([programs / 'mpq', 'cat', '--csv', f'{folder}/log.parquet'], check=True, capture_output=True,
                                   text=True).stdout.splitlines()
            assert shown[0] == 'time,speed,temperature', shown[0]
            rows.append(len(shown) - 1)
            assert rows[-1] >= rows[-2] + 400, f'{rows[1:]} rows after {boot} boots'


def check_quick_start():
    lines = len(pathlib.Path('examples/quick_start/main.cpp').read_text().splitlines())
    assert lines < MOST_LINES, f'examples/quick_start has {lines} lines'
    programs = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        printed = subprocess.run([programs / 'quick_start'], cwd=folder, check=True, capture_output=True, text=True).stdout
        assert len(printed.splitlines()) == 10, printed
        rows = subprocess.run([programs / 'mpq', 'cat', '--csv', f'{folder}/samples.parquet'], check=True,
                              capture_output=True, text=True).stdout.splitlines()
        assert len(rows) == 101, f'{len(rows)} lines'
        assert rows[0] == 'time,speed,height,temperature', rows[0]
        assert sum(row.endswith('21.5') for row in rows) == 10


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


def stated_figures(text):
    """(name, as it is stated, whether rounded) of tables: `name` | value, or numbers and the names of them in the last cell."""
    for name, value in re.findall(r'^\| `([a-z0-9_]+\.[a-z0-9_.]+)` \| ([^|]+?) \|', text, re.M):
        yield name, value, False
    for line in re.findall(r'^\| .* \|$', text, re.M):
        cells = [cell.strip() for cell in line.strip('|').split(' | ')]
        names = re.findall(r'`([a-z0-9_]+\.[a-z0-9_.]+)`', cells[-1])
        numbers = [cell for cell in cells[1:-1] if re.fullmatch(r'[\d,]+(?:\.\d+)?', cell)]
        if len(cells) > 2 and names and cells[-1] == ', '.join(f'`{name}`' for name in names):
            assert len(names) == len(numbers), f'{line}: {len(numbers)} numbers, {len(names)} names of figures'
            yield from ((name, number, True) for name, number in zip(names, numbers))


def is_stated(value, measured, is_rounded):
    if not is_rounded or measured is None:
        return value == measured
    stated = decimal.Decimal(value.replace(',', ''))
    return decimal.Decimal(measured.split()[0]).quantize(stated, decimal.ROUND_HALF_UP) == stated


def check_figures():
    measured = figures_page.read_figures()
    stated = {path: list(stated_figures(path.read_text())) for path in documents() if path.parts[0] != 'tests'}
    assert len(stated[pathlib.Path('README.md')]) >= 6, 'the README states no six figures'
    wrong = [f'{name}: {path} {value}, figures.txt {measured.get(name)}' for path, entries in stated.items()
             for name, value, is_rounded in entries if not is_stated(value, measured.get(name), is_rounded)]
    assert not wrong, '; '.join(wrong)


def check_figures_page():
    """A page can be made of the figures, which leads to what there is, and names none that nobody measures."""
    figures = figures_page.read_figures()
    missing = [name for _, entries in figures_page.SECTIONS for name, _ in entries if name not in figures]
    assert not missing, f'tests/readme/figures_page.py names {missing}, which tests/figures.txt does not have'
    links = re.findall(r'\]\(([^)#\s]+)', figures_page.page(figures))
    nowhere = [link for link in links if not pathlib.Path('tests', link).exists()]
    assert links and not nowhere, f'the page of figures leads to {nowhere}'


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


def check_jobs():
    """The jobs of a public host run each group, and none of them twice."""
    jobs = re.findall(r'job: (\w+)', pathlib.Path('.github/workflows/tests.yml').read_text())
    groups = [group for job in jobs for group in lines_of(['.ci/run', '--job', job, '--list'])]
    assert sorted(groups) == sorted(lines_of(['tests/run', '--list'])), f'the jobs {jobs} run {sorted(groups)}'


def lines_of(command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()


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
    """Checks that files which src/README.md names exist, and that it has a line for each folder."""
    text = pathlib.Path('src/README.md').read_text()
    places = [pathlib.Path('src'), pathlib.Path('include/microparquet')]
    missing = [name for name in re.findall(r'\b((?:\w+/)+\w+\.(?:cpp|h))', text) if not any((place / name).exists() for place in places)]
    files = {path.name for folder in ('src', 'include') for path in pathlib.Path(folder).rglob('*.[hc]*')}
    missing += {pathlib.Path(name).name for name in re.findall(r'[\w/]+\.(?:cpp|h)\b', text)} - files
    assert not missing, f'src/README.md: no such file {missing}'
    table = text[text.index('## Folders'):]
    named = {name for cell in re.findall(r'^\| ([^|]+) \|', table[:table.index('\n## ')], re.M) for name in re.findall(r'[\w/]+', cell)}
    folders = {str(path.relative_to('src')) for path in pathlib.Path('src').rglob('*') if path.is_dir()}
    assert named == folders, f'src/README.md has no line for {folders - named}, or one too many for {named - folders}'


def check_invariants():
    """The tests that DESIGN names for its invariants are there: groups, defences that are taken out, and texts for unit_tests."""
    text = pathlib.Path('src/DESIGN.md').read_text()
    assert text.count('```') == 8, f'src/DESIGN.md has {text.count("```") / 2} pictures'
    rows = re.findall(r'^\| (?!what always|---)(.*) \| (.*) \|$', text[text.index('## Invariants'):], re.M)
    assert len(rows) >= 15, f'src/DESIGN.md has {len(rows)} invariants'
    sys.path[:0] = ['tests/power_loss', 'tests/lives']
    import bugs  # pylint: disable=import-outside-toplevel
    import sabotage  # pylint: disable=import-outside-toplevel
    defences = {'power_loss': sabotage.SABOTAGES, 'lives': bugs.BUGS}
    groups = {path.name for path in pathlib.Path('tests/groups').iterdir()}
    tests = re.findall(r'^TEST\("(.*)"\)', ' '.join(f'\n{path.read_text()}' for path in pathlib.Path('tests/unit').rglob('*.cpp')), re.M)
    for invariant, proofs in rows:
        group = ''
        found = re.findall(r'`(\w+)`|"([^"]+)"', proofs)
        for name, test in found:
            if test:
                known = any(test in text for text in tests)
            else:
                known = name in groups or name in defences.get(group, ())
                group = name if name in groups else group
            assert known, f'src/DESIGN.md, "{invariant}": no test "{name or test}"'
        assert found, f'src/DESIGN.md, "{invariant}": no test'


def check_glossary():
    """The terms of GLOSSARY are those of the sources: each has a word that stands in one of them."""
    terms = re.findall(r'^\| ([^|]+?) \|', pathlib.Path('src/GLOSSARY.md').read_text(), re.M)[2:]
    assert len(terms) >= 40, f'src/GLOSSARY.md has {len(terms)} terms'
    assert terms == sorted(terms, key=str.lower), 'src/GLOSSARY.md is not in the order of the alphabet'
    sources = ' '.join(path.read_text() for folder in ('src', 'include') for path in pathlib.Path(folder).rglob('*.[hc]*')).lower()
    unused = [term for term in terms if not any(re.search(rf'(?<![a-z]){word[:-1]}', sources) for word in re.findall(r'\w{3,}', term.lower()))]
    assert not unused, f'src/GLOSSARY.md: no source knows {unused}'


# Functions of 3, 1, 4, 2 and 6 lines, and blocks that are none.
FUNCTIONS = '''
namespace a {
enum class E : std::uint8_t { kOne };
constexpr int kTable[] = {f(1), f(2)};
struct S : T {  // {
  S(int x) : x_{x},
             y_(x) {
  }
  int get() const { return x_; }
  int x_{0}, y_{};
};
template <typename Work, int kMost = 3>
[[gnu::noinline]] Status call(Work work,
                              const char* text = "{") {
  return work([&] { return kMost; });
}
auto last(int x) -> int {
  return x; }
Status operator==(const S& a,
                  const S& b) noexcept {
#ifdef DEBUG
  if (a.x_ == '{') return {};
#endif
}
}
'''


def check_function_lengths():
    """The figure `house.longest_function` is counted by braces."""
    sys.path.insert(0, 'tests/bench')
    import house  # pylint: disable=import-outside-toplevel
    lengths = [lines for lines, _ in house.function_lengths(FUNCTIONS)]
    assert lengths == [3, 1, 4, 2, 6], f'tests/bench/house.py counts {lengths}'


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
    """Removes the old names that a table of `then` and `now` has under `then`."""
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
    there = set(re.findall(r'(?:option|set)\((MICROPARQUET_\w+)', sources)) | {f'MICROPARQUET_{name}_DIR' for name in ('FATFS', 'LITTLEFS')}
    assert options <= there, f'PROMISES.md: no option {options - there}'
    page = pathlib.Path('tests/compatibility/README.md').read_text()
    names = [path.name.removesuffix('.tar.xz') for path in pathlib.Path('tests/compatibility/data').iterdir()]
    unnamed = [name for name in names if f'data/{name}' not in page]
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


CHECKS = (check_length, check_program, check_quick_start, check_sketch, check_snippets, check_figures, check_figures_page, check_links, check_commands, check_jobs,
          check_headers_page, check_source_page, check_invariants, check_glossary, check_function_lengths, check_ports, check_promises, check_names, check_commands_of_mpq, check_doxygen, check_prose)


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
