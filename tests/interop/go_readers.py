"""The Go readers: one run of a program reads all files and prints physical values as JSON."""

import json
import os
import struct
import subprocess

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'go')


def build(folder):
    """Compiles both programs from the modules that go.sum pins."""
    os.makedirs(folder, exist_ok=True)
    subprocess.run(['go', 'build', '-mod=readonly', '-o', os.path.abspath(folder) + os.sep, './arrow_go', './parquet_go'],
                   cwd=SOURCE, check=True)
    return [GoReader('arrow-go', os.path.join(folder, 'arrow_go')),
            GoReader('parquet-go', os.path.join(folder, 'parquet_go'))]


class GoReader:
    def __init__(self, name, program):
        self.name = self.family = name
        self.program, self.module_version = program, None

    def version(self):
        return self.module_version

    def read_all(self, paths):
        """What was found, by path."""
        run = subprocess.run([self.program, *paths], stdout=subprocess.PIPE, check=True)
        head, *files = (json.loads(line) for line in run.stdout.splitlines())
        self.module_version = head['version'].lstrip('v')
        return {f['path']: f for f in files}


def physical(column, value):
    """A value of the JSON as the expected values have it."""
    if value is None:
        return None
    if column.type.physical in ('FLOAT', 'DOUBLE'):
        return struct.unpack('>f' if column.type.physical == 'FLOAT' else '>d', bytes.fromhex(value))[0]
    if column.type.physical in ('BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY'):
        return bytes.fromhex(value)
    if column.type.unsigned:
        return value & (0xFFFFFFFF if column.type.physical == 'INT32' else 0xFFFFFFFFFFFFFFFF)
    return value
