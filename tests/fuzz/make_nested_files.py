#!/usr/bin/env python3
"""Makes the seeds of nested.tar.xz: columns that share lists, maps and structs, in a few hundred bytes without checksums, so that one
changed byte lets them disagree. make_nested_files.py FOLDER; needs pyarrow, which writes none of it."""
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "programs")]

import hostile  # noqa: E402  (of the programs' tests)
import test_bad_arrow as shapes  # noqa: E402

folder = pathlib.Path(sys.argv[1])
left, right = shapes.AGREEING["rows of both"]
hostile.nested(folder / "lists.parquet", shapes.LIST_OF_STRUCTS, [(shapes.LISTS[0], True, left), (shapes.LISTS[1], True, right)], shapes.rows_of(left))
hostile.nested(folder / "maps.parquet", shapes.MAP, [("m.key_value.key", True, [(0, 2, 1), (1, 2, 2), (0, 2, 3)]),
                                                     ("m.key_value.value", True, [(0, 3, 1), (1, 3, 2), (0, 2, None)])], 2)
hostile.nested(folder / "structs.parquet", shapes.STRUCTS, [(name, False, [(0, levels, 1), (0, 0, None)]) for name, levels in
                                                            (("s.a", 2), ("s.t.x", 3), ("s.t.y", 3))], 2)
