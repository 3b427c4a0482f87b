"""How each package lies: which files of the project it has, and where."""
import functools
import shutil
import subprocess

from releasing import two_files, version
from releasing.component_files import files_of_component
from releasing.file_list import write_file_list

PORTS_OF_PLATFORMIO = ('arduino', 'esp_idf', 'fat_common', 'fatfs', 'littlefs', 'uart', 'zephyr')
PORTS_OF_CMAKE = ('crc32_hardware', 'fat_common', 'fatfs', 'littlefs', 'memory', 'posix', 'semihosting', 'stdout', 'uart', 'windows')
PORTS_OF_FIRMWARE = ('fat_common', 'fatfs', 'littlefs', 'memory', 'semihosting', 'uart')


def copy(tree, folder, *names, to=''):
    """Copies files and folders of the tree by their paths in it, or into the folder `to`."""
    for name in names:
        source = tree / name
        target = folder / to / (source.name if to else name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns('__pycache__'), dirs_exist_ok=True)
        else:
            shutil.copy(source, target)


def copy_port(tree, port, headers, sources):
    """The headers of a port into one folder, which has microparquet/port, and its sources, with headers of their own, into another."""
    if (tree / 'port' / port / 'include').exists():
        shutil.copytree(tree / 'port' / port / 'include', headers, dirs_exist_ok=True)
    for source in sorted(path for path in (tree / 'port' / port).iterdir() if path.suffix in ('.cpp', '.h')):
        sources.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, sources)


def lay_out_arduino(tree, folder):
    """All in src, which Arduino compiles as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([tree / 'port/arduino/package', folder], check=True)
    library = folder / 'microparquet'
    for file in library.iterdir():
        shutil.move(file, folder)
    library.rmdir()


def lay_out_platformio(tree, folder):
    """Headers in include, sources in src, the ports in src/port; choose_ports.py names those that are compiled."""
    recipe = tree / 'port/packages/platformio'
    copy(tree, folder, 'LICENSE', 'CHANGELOG.md', 'include/microparquet')
    shutil.copytree(recipe, folder, dirs_exist_ok=True)
    for part in sorted((tree / 'src').iterdir()):
        if part.is_dir():
            copy(tree, folder, f'src/{part.name}')
    for source in (folder / 'src').glob('*/desktop/*.cpp'):
        source.unlink()
    copy(tree, folder, 'port/arduino/microparquet.h', to='include')
    for port in PORTS_OF_PLATFORMIO:
        copy_port(tree, port, folder / 'include', folder / 'src/port' / port)
    programs = {
        'arduino': 'port/arduino/examples/sd_log/sd_log.ino',
        'espidf': 'port/esp_idf/examples/card_logger/main/main.cpp',
        'zephyr': 'port/zephyr/samples/card_logger/src/main.cpp',
    }
    for framework, program in programs.items():
        main = folder / 'examples' / framework / 'src/main.cpp'
        main.parent.mkdir(parents=True, exist_ok=True)
        first = '#include <Arduino.h>\n\n' if framework == 'arduino' else ''
        main.write_text(first + (tree / program).read_text())
    copy(tree, folder / 'examples/zephyr', 'port/zephyr/samples/card_logger/prj.conf', to='zephyr')


def lay_out_esp_idf(tree, folder):
    """The project, as far as idf_component.yml includes it."""
    for name in files_of_component(tree):
        copy(tree, folder, name)


def lay_out_zephyr(tree, folder):
    """The project, as far as a module of Zephyr needs it."""
    copy(tree, folder, 'LICENSE', 'README.md', 'CHANGELOG.md', 'include', 'src', 'zephyr', 'port/README.md')
    for port in ('fat_common', 'fatfs', 'littlefs', 'uart', 'zephyr'):
        copy(tree, folder, f'port/{port}')


def lay_out_files(tree, folder):
    """Headers in include, sources in src and port, and lists of them: for an IDE or a Makefile, in C++ and C."""
    copy(tree, folder, 'LICENSE', 'CHANGELOG.md', 'include/microparquet', 'examples/c_logger/main.c')
    shutil.copytree(tree / 'port/packages/files', folder, dirs_exist_ok=True)
    for part in sorted((tree / 'src').iterdir()):
        if part.is_dir():
            copy(tree, folder, f'src/{part.name}')
    for port in PORTS_OF_FIRMWARE:
        copy_port(tree, port, folder / 'include', folder / 'port' / port)
    write_file_list(folder, PORTS_OF_FIRMWARE)


def lay_out_drop_in(tree, folder, commit='', private_named=False):
    """The library as two files, and the pairs of its ports. `commit`: what the tree is; else git says. `private_named`: for tests that
    include private headers."""
    copy(tree, folder, 'LICENSE', 'CHANGELOG.md')
    copy(tree, folder, 'port/packages/drop_in/README.md', to='.')
    two_files.Writer(tree, folder, version.version_of(tree), commit or two_files.commit_of(tree), private_named).write()


def lay_out_library(tree, folder):
    """The library and its ports for CMake, without programs and tests."""
    copy(tree, folder, 'LICENSE', 'CHANGELOG.md', 'CMakeLists.txt', 'cmake', 'include', 'src', 'toolchains', 'port/CMakeLists.txt')
    copy(tree, folder, *(f'port/{port}' for port in PORTS_OF_CMAKE))


def lay_out_mpq(tree, folder):
    """Lays out the sources of the desktop tool mpq."""
    copy(tree, folder, 'LICENSE', 'CHANGELOG.md', 'CMakeLists.txt', 'cmake', 'include', 'src', 'port/CMakeLists.txt', 'port/desktop')
    for page in ('viewer', 'rescue'):
        shutil.rmtree(folder / 'port/desktop' / page / 'browser')  # its tests
    copy(tree, folder, *(f'port/{port}' for port in ('crc32_hardware', 'fat_common', 'fatfs', 'littlefs', 'memory', 'posix', 'stdout', 'uart', 'windows')))


def lay_out_wheel(tree, folder):
    """The sources of the tools and what makes a wheel of them, without the libraries of others, which `fetch` brings."""
    lay_out_mpq(tree, folder)
    shutil.copytree(tree / 'port/packages/wheel', folder / 'wheel', ignore=shutil.ignore_patterns('build', 'fetch', 'pyproject.toml'))
    copy(tree, folder, 'port/packages/wheel/pyproject.toml', to='.')


LAYOUTS = {
    'arduino': lay_out_arduino,
    'drop_in': lay_out_drop_in,
    'drop_in_for_tests': functools.partial(lay_out_drop_in, private_named=True),
    'esp_idf': lay_out_esp_idf,
    'files': lay_out_files,
    'library': lay_out_library,
    'mpq': lay_out_mpq,
    'platformio': lay_out_platformio,
    'wheel': lay_out_wheel,
    'zephyr': lay_out_zephyr,
}
