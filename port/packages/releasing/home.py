"""The project's address. Its manifests have none: a release writes the one that it is given."""
import re

# What each manifest says of it, and the line that this follows.
LINES = {
    'idf_component.yml': (r'license: .*\n', 'url: {home}\nrepository: {home}.git\ndocumentation: {home}\n'),
    'port/arduino/library.properties': (r'category=.*\n', 'url={home}\n'),
    'port/packages/conan/conanfile.py': (r'    license = .*\n', '    url = "{home}"\n    homepage = "{home}"\n'),
    'port/packages/platformio/library.json': (r'  "keywords": .*\n', '  "homepage": "{home}",\n  "repository": {{"type": "git", "url": "{home}.git"}},\n'),
    'port/packages/vcpkg/vcpkg.json': (r'  "description": .*\n', '  "homepage": "{home}",\n  "documentation": "{home}",\n'),
}
PAGE, PLACE = 'port/zephyr/README.md', 'url-base: ADDRESS'


def write_home(tree, home):
    """Writes it to all manifests."""
    for name, (before, lines) in LINES.items():
        file = tree / name
        text, count = re.subn(rf'^{before}', lambda found, lines=lines: found[0] + lines.format(home=home), file.read_text(), flags=re.M)
        if count != 1:
            raise ValueError(f'{name} has {count} places for the address')
        file.write_text(text)
    page = (tree / PAGE).read_text()
    if PLACE not in page:
        raise ValueError(f'{PAGE} does not say {PLACE}')
    (tree / PAGE).write_text(page.replace(PLACE, f'url-base: {home.rpartition("/")[0]}'))


def download(home, version, name):
    """The address of a file of a release."""
    return f'{home}/releases/download/v{version}/{name}'
