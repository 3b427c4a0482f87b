"""hyparquet, as viewer.html has it."""

import os
import shutil
import subprocess

from program_readers import ProgramReader

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD_PAGE = os.path.join(HERE, '..', '..', 'port', 'desktop', 'viewer', 'build')
PROGRAM = 'read_values.js'


def build(folder):
    """The page's modules, and hyparquet as package-lock.json pins it, come into a folder that no other group changes."""
    folder = os.path.abspath(folder)
    page = os.path.join(folder, 'viewer.html')
    subprocess.run([BUILD_PAGE, page], env={**os.environ, 'MICROPARQUET_BUILD': folder}, check=True)
    program = os.path.join(folder, 'viewer', PROGRAM)
    shutil.copyfile(os.path.join(HERE, PROGRAM), program)
    return ProgramReader('hyparquet', ['node', program])
