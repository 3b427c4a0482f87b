"""The releases of releases.toml as programs that read files, whatever happens to them on the way."""

import json
import os
import subprocess
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
INTEROP = os.path.join(HERE, '..', 'interop')
ARROW, PHYSICAL = 'arrow', 'physical'


class Release:
    """`form` is how it gives values: as streams of Arrow in its folder, or physical, as tests/interop/go/values prints them."""

    def __init__(self, reader, version, year, form, command, environment=None):
        self.reader, self.version, self.year, self.form = reader, version, year, form
        self.command, self.environment = command, environment

    @property
    def name(self):
        return f'{self.reader} {self.version}'

    def read_all(self, paths):
        """{path: what it printed of the file}. A program that ended in a file refused that, and begins again after it."""
        found, left = {}, list(paths)
        while left:
            run = subprocess.run([*self.command, *left], env={**os.environ, **(self.environment or {})},
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            _, *files = (json.loads(line) for line in run.stdout.decode().splitlines() if line.startswith('{'))
            found.update({file['path']: file for file in files})
            left = left[len(files):]
            if left:
                said = run.stderr.decode(errors='replace').strip().splitlines() or ['']
                found[left[0]] = {'path': left[0], 'error': f'the process ends ({run.returncode}): {said[-1]}'}
                del left[0]
        return found


def python_release(entry, installer, out):
    command, home = installer.python()
    packages = [installer.package(requirement) for requirement in entry['packages']]
    folder = os.path.join(out, f"{entry['reader']}-{entry['version']}")
    os.makedirs(folder, exist_ok=True)
    release = Release(entry['reader'], entry['version'], entry['year'], ARROW,
                      [command, '-s', os.path.join(HERE, 'read_files.py'), entry['reader'], folder],
                      {'PYTHONPATH': os.pathsep.join(packages), 'LD_LIBRARY_PATH': home})
    release.folder = folder
    return release


def java_release(entry, installer, out):
    path = installer.parquet_java(entry['version'])
    return Release(entry['reader'], entry['version'], entry['year'], PHYSICAL,
                   ['java', '-XX:TieredStopAtLevel=1', '-cp', path, 'ReadValues', entry['version']])


MAKERS = {'python': python_release, 'java': java_release}


def chosen(every):
    """The entries, with the name of their maker: all, or those that are not left to --long."""
    with open(os.path.join(HERE, 'releases.toml'), 'rb') as f:
        data = tomllib.load(f)
    return [(kind, entry) for kind, entries in data.items() for entry in entries if every or not entry.get('long')]


def make(kind, entry, installer, out):
    return MAKERS[kind](entry, installer, out)
