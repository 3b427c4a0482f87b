#!/usr/bin/env python3
"""What structs, arrays and lists cost the writer on a Cortex-M4F, beside flat columns.

usage: nested_costs.py [--details]

A struct of two floats is compared with two flat floats; an array of 32 floats with the time alone; a list of up to 32 with
two optional floats, and a list of structs of three values with a list of one. A table of nodes of C, with a struct that may be missing and a
list of structs, is compared with the columns of C. Differences are those of up to 32 integers.
Builds into the folder MICROPARQUET_BUILD.
"""
import argparse

import cores
import footprint

ROWS = 10000  # of nested_log
SLOTS = 32
COLUMN_BYTES = 512  # of a page, which is not counted


def ram(images, name):
    """Of the writer, its pages included."""
    sections = images.sections(name)
    return sum(sections[kind] for kind in footprint.RAM)


def figures(images):
    flat, struct, array, none = (images.sections(f"nested_{kind}")["flash"] for kind in ("flat", "struct", "array", "none"))
    yield "m4f.struct.flash_over_flat", struct - flat, "bytes_more"
    of_flat, of_struct = (float(images.instructions(f"nested_{kind}_512", ROWS)) for kind in ("flat", "struct"))
    yield "m4f.struct.instructions_over_flat", f"{of_struct - of_flat:.1f}", "per_row"
    yield "m4f.array.flash", array - none, "bytes_more"
    for page in 512, 1024, 2048:
        row = float(images.instructions(f"nested_array_{page}", ROWS))
        yield f"m4f.array32_{page}.instructions", f"{row / (SLOTS + 1):.1f}", "per_value"
    yield "ram.array_leaf", ram(images, "nested_array") - ram(images, "nested_none") - COLUMN_BYTES, "bytes_more"
    one, three, optional = (images.sections(f"nested_{kind}")["flash"] for kind in ("list", "lists", "optional"))
    yield "m4f.list.flash_over_optional", one - optional, "bytes_more"
    yield "m4f.list_leaf.flash", (three - one) // 2, "bytes_more"
    for page in 512, 1024, 2048:
        row = float(images.instructions(f"nested_list_{page}", ROWS))
        yield f"m4f.list32_{page}.instructions", f"{row / (SLOTS + 1):.1f}", "per_value"
    row = float(images.instructions("nested_list_delta_1024", ROWS))
    yield "m4f.list_delta32_1024.instructions", f"{row / (SLOTS + 1):.1f}", "per_value"
    yield "ram.list_leaf", ram(images, "nested_list") - ram(images, "nested_none") - COLUMN_BYTES, "bytes_more"
    of_nodes, of_columns = (images.whole_flash(image) for image in ("c_nested", "c_writer"))
    yield "m4f.c_nested.flash", of_nodes - of_columns, "bytes_more"
    yield "m4f.nested_writer.stack", images.stack("nested"), "bytes"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--details", action="store_true")
    arguments = parser.parse_args()
    cores.build_plugin()
    for line in figures(cores.Images(cores.CORES["m4f"], arguments.details)):
        print(*line, flush=True)


if __name__ == "__main__":
    main()
