"""The version of the project. include/microparquet/version.h has it; what else has to say it is listed here, and
written by `prepare`."""
import re

HEADER = 'include/microparquet/version.h'
NUMBERS = re.compile(r'(int kVersion(?:Major|Minor|Patch) = )(\d+)(;)')
NUMBER = r'\d+\.\d+\.\d+'

# Other places of the version: a file, and the text before and after the version there.
PLACES = [
    (HEADER, r'kVersion\[\] = "', r'"'),
    (HEADER, r'"microparquet version ', r' \(build 1\)"'),
    ('idf_component.yml', r'^version: "', r'"$'),
    ('examples/firmware_project/CMakeLists.txt', r'find_package\(microparquet ', r' REQUIRED'),
    ('port/desktop/CMakeLists.txt', r'^project\(microparquet_tools VERSION ', r' '),
    ('tests/packaging/find_package/CMakeLists.txt', r'find_package\(microparquet ', r' REQUIRED'),
    ('port/zephyr/README.md', r'^      revision: v', r'$'),
    ('port/arduino/library.properties', r'^version=', r'$'),
    ('port/packages/platformio/library.json', r'^  "version": "', r'"'),
    ('port/packages/conan/conanfile.py', r'^    version = "', r'"$'),
    ('port/packages/vcpkg/vcpkg.json', r'^  "version-semver": "', r'"'),
    ('port/desktop/viewer/package.json', r'^  "version": "', r'"'),
    ('port/desktop/viewer/package-lock.json', r'^  "name": "microparquet-viewer",\n  "version": "', r'"'),
    ('port/desktop/viewer/package-lock.json', r'^      "name": "microparquet-viewer",\n      "version": "', r'"'),
]


def version_of(tree):
    """Reads the version from version.h of the tree."""
    numbers = [match[2] for match in NUMBERS.finditer((tree / HEADER).read_text())]
    if len(numbers) != 3:
        raise ValueError(f'{HEADER} has {len(numbers)} numbers of a version in place of three')
    return '.'.join(numbers)


def _pattern(before, after):
    return re.compile(f'({before})({NUMBER})({after})', re.M)


def found(tree):
    """Each place with the version that stands there; None where there is none."""
    for path, before, after in PLACES:
        file = tree / path
        match = _pattern(before, after).search(file.read_text()) if file.exists() else None
        yield path, match and match[2]


def differing(tree):
    """The places that say another version than version.h, with what they say."""
    version = version_of(tree)
    return [f'{path} says {said or "no version"}' for path, said in found(tree) if said != version]


def write(tree, version):
    """Writes the version to all places."""
    numbers = iter(version.split('.'))
    header = tree / HEADER
    header.write_text(NUMBERS.sub(lambda match: match[1] + next(numbers) + match[3], header.read_text()))
    for path, before, after in PLACES:
        file = tree / path
        file.write_text(_pattern(before, after).sub(rf'\g<1>{version}\g<3>', file.read_text(), count=1))
