"""files.txt and sources.mk: which files an IDE or a Makefile compiles, and in which folders headers are looked for."""


def _sources(folder, part):
    """Sources that are compiled for a device: those under desktop/ are left out."""
    paths = sorted(path.relative_to(folder).as_posix() for path in (folder / part).rglob('*.cpp'))
    return [path for path in paths if '/desktop/' not in path]


def _variable(name, values):
    return f'{name} := \\\n' + ' \\\n'.join(f'    {value}' for value in values) + '\n'


def write_file_list(folder, ports):
    """Both, for the sources in src and port of the folder."""
    core = _sources(folder, 'src')
    by_port = {port: _sources(folder, f'port/{port}') for port in ports}
    text = ['Compile as C++17, without exceptions and RTTI. Folders of headers: include, src.', '', 'The library:', *core]
    for port, sources in by_port.items():
        text += ['', f'The port {port}, if you use it:', *sources]
    (folder / 'files.txt').write_text('\n'.join(text) + '\n')
    lists = [_variable('MICROPARQUET_SOURCES', core)]
    lists += [_variable(f'MICROPARQUET_{port.upper()}_SOURCES', sources) for port, sources in by_port.items()]
    (folder / 'sources.mk').write_text('# Made with the release. Paths are below this folder; headers are in include and src.\n\n' + '\n'.join(lists))
