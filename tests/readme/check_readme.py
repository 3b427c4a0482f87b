"""Holds the README against the project: code, figures, readers, files it points to, and its program's result.

Usage: check_readme.py FOLDER_OF_PROGRAMS, from the project's folder.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_LINES = 40
README = pathlib.Path('README.md').read_text()


def figures():
    """name -> 'value unit' as tests/figures printed them last."""
    lines = pathlib.Path('tests/figures.txt').read_text().splitlines()
    return {line.split()[0]: ' '.join(line.split()[1:]) for line in lines if line and not line.startswith('#')}


def check_program():
    blocks = re.findall(r'```cpp\n(.*?)```', README, re.S)
    example = pathlib.Path('examples/quick_start/main.cpp').read_text()
    assert blocks == [example], 'the README shows another program than examples/quick_start/main.cpp'
    assert len(example.splitlines()) < MOST_LINES, f'the program has {len(example.splitlines())} lines'


def check_figures():
    stated = re.findall(r'^\| `([a-z0-9_]+\.[a-z0-9_.]+)` \| ([^|]+?) \|', README, re.M)
    assert stated, 'the README states no figures'
    measured = figures()
    wrong = [f'{name}: README {value}, figures.txt {measured.get(name)}' for name, value in stated
             if measured.get(name) != value]
    assert not wrong, '; '.join(wrong)


def check_cores():
    rows = re.findall(r'^\| [^|`]+`(\w+)` \| (\d+) \| (\d+) \| (\d+) \| ([\d.]+) \|$', README, re.M)
    measured = figures()
    names = ('writer_checkpoint.flash', 'writer.ram', 'writer.stack', 'imu8_plain.instructions')
    wrong = [f'{core}.{name}: README {value}' for core, *values in rows for name, value in zip(names, values)
             if measured.get(f'{core}.{name}', '').split()[:1] != [value]]
    assert rows and not wrong, '; '.join(wrong) or 'the README has no table of cores'
    stated = re.search(r'FatFs itself, on a Cortex-M3: (\d+) bytes of flash, (\d+) of RAM', README)
    assert [measured['fatfs.flash'], measured['fatfs.ram']] == [f'{bytes} bytes' for bytes in stated.groups()]


def check_readers():
    page = pathlib.Path('tests/interop/readers.md').read_text()
    table = page[page.index('| reader'):].strip()
    assert table in README, 'the table of readers is not that of tests/interop/readers.md'


def check_links():
    links = [link for link in re.findall(r'\]\(([^)#]+)\)', README) if not link.startswith('http')]
    missing = [link for link in links if not pathlib.Path(link).exists()]
    assert not missing, f'no such file: {missing}'


def check_commands():
    for command in ('examples/run', 'tests/run'):
        assert command in README, f'the README does not name {command}'
        assert pathlib.Path(command).stat().st_mode & 0o111, f'{command} is not executable'
    presets = pathlib.Path('CMakePresets.json').read_text()
    for preset in re.findall(r'--preset (\S+)', README):
        assert f'"{preset}"' in presets, f'no preset {preset}'


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


def main():
    passed = failed = 0
    for check in (check_program, check_figures, check_cores, check_readers, check_links, check_commands, check_program_runs):
        try:
            check()
            passed += 1
        except (AssertionError, OSError, subprocess.CalledProcessError) as error:
            failed += 1
            print(f'{check.__name__}: {error}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed != 0)


main()
