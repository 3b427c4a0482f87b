"""The project's address. Its manifests name PLACE until the address is known."""
PLACE = 'https://example.org/microparquet'
MANIFESTS = (
    'idf_component.yml',
    'port/arduino/library.properties',
    'port/packages/conan/conanfile.py',
    'port/packages/platformio/library.json',
    'port/packages/vcpkg/vcpkg.json',
)


def write_home(tree, home):
    """Writes it to all manifests."""
    for name in MANIFESTS:
        file = tree / name
        text = file.read_text()
        if PLACE not in text:
            raise ValueError(f'{name} does not name {PLACE}')
        file.write_text(text.replace(PLACE, home))


def download(home, version, name):
    """The address of a file of a release."""
    return f'{home}/releases/download/v{version}/{name}'
