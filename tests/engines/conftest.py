"""Lakes are made as the tests of the programs make them."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
pytest_plugins = ["empty_folder"]
