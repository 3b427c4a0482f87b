"""Readers that are programs: one run reads all files and prints physical values as JSON, as go/values/values.go describes."""

import json
import struct
import subprocess


class ProgramReader:
    def __init__(self, name, command):
        self.name = self.family = name
        self.command, self.own_version = command, None

    def version(self):
        return self.own_version

    def read_all(self, paths):
        """Runs the program, and returns its findings by path."""
        run = subprocess.run([*self.command, *paths], stdout=subprocess.PIPE, check=True)
        head, *files = (json.loads(line) for line in run.stdout.splitlines())
        self.own_version = head['version'].lstrip('v')
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
