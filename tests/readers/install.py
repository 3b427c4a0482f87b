"""Brings old releases of readers into a folder, by the clients of their registries: pip, npm, and Maven, which also brings a CPython
old enough for them. Everything is pinned by hash, and is there once for all runs."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'
PYTHON_VERSION = '3.10'
# Old releases have no wheels for the Pythons that distributions have now.
CPYTHON = 'cpython-3.10.8-1.5.8-linux-x86_64.jar'
CPYTHON_ARTIFACT = 'org.bytedeco:cpython:3.10.8-1.5.8:jar:linux-x86_64'


def pins(name, separator):
    """Lines of a file of pins, by what stands before the separator."""
    with open(os.path.join(HERE, name), encoding='utf-8') as f:
        lines = [line.strip() for line in f if line.strip() and not line.startswith('#')]
    return {line.split(separator)[0]: line for line in lines}


def once(folder, make):
    """Makes a folder whole, or not at all."""
    if os.path.isdir(folder):
        return folder
    unfinished = folder + '.unfinished'
    shutil.rmtree(unfinished, ignore_errors=True)
    os.makedirs(unfinished)
    make(unfinished)
    os.rename(unfinished, folder)
    return folder


def maven(goal, *settings):
    subprocess.run(['mvn', '-q', '-B', f'{DEPENDENCY_PLUGIN}:{goal}', *settings], cwd=os.path.join(HERE, 'java'), check=True)


def check_jars(folder):
    hashes = {line.split()[1]: line.split()[0] for line in pins('jars.sha256', '\n').values()}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), 'rb') as f:
            if hashlib.sha256(f.read()).hexdigest() != hashes.get(name):
                raise RuntimeError(f'{name} is not the file that jars.sha256 pins')


def unpack_spark(folder):
    """Lays Spark's Python package out as its setup would, without making and unpacking a wheel of its 300 MB."""
    archive = os.path.join(folder, os.listdir(folder)[0])
    with tarfile.open(archive) as tar:
        tar.extractall(folder)
    os.remove(archive)
    unpacked = os.path.join(folder, os.listdir(folder)[0])
    package = os.path.join(folder, 'pyspark')
    os.rename(os.path.join(unpacked, 'pyspark'), package)
    for name in ('bin', 'jars'):
        os.rename(os.path.join(unpacked, 'deps', name), os.path.join(package, name))
    shutil.rmtree(unpacked)


class Installer:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)
        self.pins = pins('pins.txt', ' ')

    def pip(self, command, requirement, *settings):
        listed = os.path.join(self.folder, 'requirement.txt')
        with open(listed, 'w', encoding='utf-8') as f:
            f.write(self.pins[requirement] + '\n')
        subprocess.run([sys.executable, '-m', 'pip', command, '--quiet', '--disable-pip-version-check', '--no-deps',
                        '--require-hashes', '-r', listed, *settings], check=True)

    def package(self, requirement):
        """A folder with one Python package."""
        def make(folder):
            self.pip('install', requirement, '--ignore-requires-python', '--only-binary', ':all:',
                     '--python-version', PYTHON_VERSION, '--target', folder)
        return once(os.path.join(self.folder, requirement), make)

    def spark(self, requirement):
        """The same of Spark, of which there is only the source archive."""
        def make(folder):
            self.pip('download', requirement, '--no-binary', ':all:', '--dest', folder)
            unpack_spark(folder)
        return once(os.path.join(self.folder, requirement), make)

    def node_packages(self):
        """The folder of all npm packages, as package-lock.json pins them."""
        def make(folder):
            for name in ('package.json', 'package-lock.json'):
                shutil.copy(os.path.join(HERE, 'node', name), folder)
            subprocess.run(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], cwd=folder, check=True)
        return os.path.join(once(os.path.join(self.folder, 'node'), make), 'node_modules')

    def python(self):
        """(command, folder of its libraries) of the old Python."""
        def make(folder):
            maven('copy', f'-Dartifact={CPYTHON_ARTIFACT}', f'-DoutputDirectory={folder}')
            check_jars(folder)
            with zipfile.ZipFile(os.path.join(folder, CPYTHON)) as jar:
                jar.extractall(folder)
            os.remove(os.path.join(folder, CPYTHON))
        home = os.path.join(once(os.path.join(self.folder, 'cpython'), make), 'org', 'bytedeco', 'cpython', 'linux-x86_64')
        command = os.path.join(home, 'bin', 'python3.10')
        os.chmod(command, 0o755)
        return command, home

    def parquet_java(self, version):
        """The class path of a release, with the program that reads files."""
        def make(folder):
            jars = os.path.join(folder, 'jars')
            maven('copy-dependencies', f'-Dparquet.version={version}', '-DincludeScope=runtime', f'-DoutputDirectory={jars}')
            check_jars(jars)
            subprocess.run(['javac', '-nowarn', '-Xlint:none', '-d', os.path.join(folder, 'classes'), '-cp', f'{jars}/*',
                            os.path.join(HERE, 'java', 'ReadValues.java')], check=True, stderr=subprocess.DEVNULL)
        folder = once(os.path.join(self.folder, f'parquet-java-{version}'), make)
        return f'{folder}/classes:{folder}/jars/*'
