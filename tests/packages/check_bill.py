"""Whether the bill of materials of a release names its files with their checksums: check_bill.py RELEASE VERSION"""
import hashlib
import json
import pathlib
import sys


def main():
    folder, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    bill = json.loads((folder / f"microparquet-{version}.spdx.json").read_text())
    named = {entry["fileName"]: {sum_["algorithm"]: sum_["checksumValue"] for sum_ in entry["checksums"]} for entry in bill["files"]}
    there = {f"./{path.name}": path.read_bytes() for path in folder.iterdir()
             if path.name != "SHA256SUMS" and not path.name.endswith(".spdx.json")}
    assert set(named) == set(there), set(named) ^ set(there)
    for name, data in there.items():
        assert named[name]["SHA256"] == hashlib.sha256(data).hexdigest(), name
    packages = {package["name"] for package in bill["packages"]}
    assert {"microparquet", "uplot", "hyparquet", "fzstd", "zstd", "zlib", "brotli", "lz4", "musl", "libcxx"} <= packages, packages


main()
