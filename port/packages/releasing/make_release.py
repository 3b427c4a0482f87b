"""Makes the files of a release from the project's tree at a commit; port/packages/release runs it.

make_release.py --commit HASH --time SECONDS [--tag NAME] [--home URL] [--no-viewer] TREE FOLDER
"""
import argparse
import dataclasses
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from releasing import archives, changes, home, layouts, sbom, version  # pylint: disable=wrong-import-position


@dataclasses.dataclass(frozen=True)
class Release:
    """Facts that all files of a release share. `seconds`: when the commit was made, the time of everything in the archives. `home`: where
    the project lives; empty: nowhere yet, so no file names an address, and archives have in them what others would fetch."""
    tree: pathlib.Path
    out: pathlib.Path
    version: str
    commit: str
    seconds: int
    home: str

    def path(self, what):
        return self.out / f'microparquet-{self.version}{what}'


def check_state(tree, tag):
    """Refuses a tree that does not agree with itself, and a tag that is no release. Returns the version and its changes."""
    differing = version.differing(tree)
    if differing:
        raise ValueError(f'version.h says {version.version_of(tree)}, but ' + ', '.join(differing))
    number = version.version_of(tree)
    released = version.is_released(tree)
    when, text = changes.section(tree, number)
    if tag and tag != f'v{number}':
        raise ValueError(f'the tag {tag} is none of version {number}: v{number} would be')
    if tag and not released:
        raise ValueError(f'{version.HEADER} says {number}-dev: port/packages/prepare {number} DATE')
    if tag and not changes.DATE.fullmatch(when):
        raise ValueError(f'{changes.FILE} has no date of {number}, but "{when}": port/packages/prepare {number} DATE')
    return number, text


def write_laid_out(release, package, write, what, top):
    """An archive of what layouts.py lays out."""
    with tempfile.TemporaryDirectory() as folder:
        layouts.LAYOUTS[package](release.tree, pathlib.Path(folder))
        write(release.path(what), folder, top, release.seconds)


def write_drop_in(release):
    """The library as two files; a zip, since their users have Windows."""
    with tempfile.TemporaryDirectory() as folder:
        layouts.lay_out_drop_in(release.tree, pathlib.Path(folder), release.commit)
        archives.write_zip(release.path('-drop-in.zip'), folder, f'microparquet-{release.version}', release.seconds)


def write_library(release, folder):
    """The library without tests and programs, as an archive beside a recipe that has no address to fetch it from."""
    with tempfile.TemporaryDirectory() as sources:
        layouts.lay_out_library(release.tree, pathlib.Path(sources))
        archive = folder / f'microparquet-{release.version}-library.tar.gz'
        archives.write_tar_gz(archive, sources, f'microparquet-{release.version}', release.seconds)
    return archive


def write_conan_recipe(release, source):
    """The recipe, with the hash of the archive of sources, and its address or the archive itself."""
    with tempfile.TemporaryDirectory() as folder:
        recipe = pathlib.Path(folder)
        shutil.copytree(release.tree / 'port/packages/conan', recipe, dirs_exist_ok=True)
        shutil.copy(release.tree / 'tests/packaging/main.cpp', recipe / 'test_package/test_package.cpp')
        archive = source if release.home else write_library(release, recipe)
        place = f'url: "{home.download(release.home, release.version, source.name)}"' if release.home else f'file: "{archive.name}"'
        (recipe / 'conandata.yml').write_text(
            f'sources:\n  "{release.version}":\n    {place}\n    sha256: "{hashlib.sha256(archive.read_bytes()).hexdigest()}"\n')
        archives.write_tar_gz(release.path('-conan.tar.gz'), folder, 'microparquet-conan', release.seconds)


VCPKG_DOWNLOAD = """vcpkg_download_distfile(ARCHIVE
    URLS "{url}"
    FILENAME "{name}"
    SHA512 {sha512}
)"""


def write_vcpkg_port(release, source):
    """The port, in a folder of ports that --overlay-ports names; sources as in the recipe for Conan."""
    with tempfile.TemporaryDirectory() as folder:
        port = pathlib.Path(folder, 'microparquet')
        shutil.copytree(release.tree / 'port/packages/vcpkg', port)
        template = port / 'portfile.cmake.in'
        if release.home:
            archive = VCPKG_DOWNLOAD.format(url=home.download(release.home, release.version, source.name), name=source.name,
                                            sha512=hashlib.sha512(source.read_bytes()).hexdigest())
        else:
            archive = f'set(ARCHIVE "${{CMAKE_CURRENT_LIST_DIR}}/{write_library(release, port).name}")'
        (port / 'portfile.cmake').write_text(template.read_text().replace('@ARCHIVE@', archive))
        template.unlink()
        archives.write_tar_gz(release.path('-vcpkg.tar.gz'), folder, 'microparquet-vcpkg', release.seconds)


def write_archives(release):
    """All archives. The source archive is the commit as it is."""
    source = release.path('.tar.gz')
    archives.write_tar_gz(source, release.tree, source.name[:-len('.tar.gz')], release.seconds)
    if release.home:
        home.write_home(release.tree, release.home)
    write_laid_out(release, 'arduino', archives.write_zip, '-arduino.zip', 'microparquet')
    write_laid_out(release, 'platformio', archives.write_tar_gz, '-platformio.tar.gz', '')
    write_laid_out(release, 'esp_idf', archives.write_tar_gz, '-esp-idf.tgz', '')
    write_laid_out(release, 'zephyr', archives.write_tar_gz, '-zephyr.tar.gz', 'microparquet')
    write_laid_out(release, 'files', archives.write_tar_gz, '-files.tar.gz', f'microparquet-{release.version}')
    write_laid_out(release, 'mpq', archives.write_tar_gz, '-mpq.tar.gz', f'mpq-{release.version}')
    write_drop_in(release)
    write_conan_recipe(release, source)
    write_vcpkg_port(release, source)


def write_checksums(release):
    """SHA256SUMS, as sha256sum writes and checks it."""
    lines = [f'{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n' for path in sorted(release.out.iterdir())]
    (release.out / 'SHA256SUMS').write_text(''.join(lines))


def parsed():
    parser = argparse.ArgumentParser()
    parser.add_argument('--commit', required=True)
    parser.add_argument('--time', type=int, required=True)
    parser.add_argument('--tag')
    parser.add_argument('--home', default='')
    parser.add_argument('--no-viewer', action='store_true')
    parser.add_argument('tree', type=pathlib.Path)
    parser.add_argument('folder', type=pathlib.Path)
    return parser.parse_args()


def make(arguments):
    """Makes all of it in a folder that is new or empty."""
    number, text = check_state(arguments.tree, arguments.tag)
    out = arguments.folder
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise ValueError(f'{out} is not empty')
    release = Release(arguments.tree, out, number, arguments.commit, arguments.time, arguments.home)
    write_archives(release)
    if not arguments.no_viewer:
        for page, program in (('viewer', 'viewer/build'), ('rescue', 'rescue/build_rescue')):
            subprocess.run([release.tree / 'port/desktop' / program, release.path(f'-{page}.html')], check=True, stdout=sys.stderr,
                           env={**os.environ, 'PYTHON': sys.executable})
    release.path('-changes.md').write_text(changes.text_of_release(text, release.path('.tar.gz').name))
    release.path('.spdx.json').write_text(sbom.bill_of_materials(release, sorted(out.iterdir())))
    write_checksums(release)
    for path in sorted(out.iterdir()):
        print(f'{path.stat().st_size:>9} {path.name}')


def main():
    try:
        make(parsed())
    except ValueError as error:
        print(f'release: {error}', file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
