"""The version of the project. include/microparquet/version.h has it; what else has to say it is listed here, and
written by `prepare`."""
import re

HEADER = 'include/microparquet/version.h'
NUMBERS = re.compile(r'(int kVersion(?:Major|Minor|Patch) = )(\d+)(;)')
NUMBER = r'\d+\.\d+\.\d+'

# What version.h says besides: of a release, and of what comes before it. Both have one length, see there.
RELEASED = ('kVersion[] = "{}";', '"microparquet version {} (build 1)"')
UNRELEASED = ('kVersion[] = "{}-dev";', '"microparquet version {} (build d)"')
TEXT = re.compile(r'kVersion\[\] = ".*";|"microparquet version .*"')

# Other places of the version: a file, and the text before and after the version there.
PLACES = [
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


def is_released(tree):
    """Whether version.h calls itself a release. Raises ValueError if its texts are those of neither."""
    texts = TEXT.findall((tree / HEADER).read_text())
    for kind in (RELEASED, UNRELEASED):
        if texts == [text.format(version_of(tree)) for text in kind]:
            return kind is RELEASED
    raise ValueError(f'{HEADER} has the texts {texts}, which are not those of {version_of(tree)}')


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


def write(tree, version, released):
    """Writes the version to all places."""
    numbers = iter(version.split('.'))
    texts = iter(RELEASED if released else UNRELEASED)
    header = tree / HEADER
    text = NUMBERS.sub(lambda match: match[1] + next(numbers) + match[3], header.read_text())
    header.write_text(TEXT.sub(lambda _: next(texts).format(version), text))
    for path, before, after in PLACES:
        file = tree / path
        file.write_text(_pattern(before, after).sub(rf'\g<1>{version}\g<3>', file.read_text(), count=1))
