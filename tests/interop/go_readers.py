"""The Go readers."""

import os
import subprocess

from program_readers import ProgramReader

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'go')


def build(folder):
    """Compiles both programs from the modules that go.sum pins."""
    os.makedirs(folder, exist_ok=True)
    subprocess.run(['go', 'build', '-mod=readonly', '-o', os.path.abspath(folder) + os.sep, './arrow_go', './parquet_go'],
                   cwd=SOURCE, check=True)
    return [ProgramReader('arrow-go', [os.path.join(folder, 'arrow_go')]),
            ProgramReader('parquet-go', [os.path.join(folder, 'parquet_go')])]
