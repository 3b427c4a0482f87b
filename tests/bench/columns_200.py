#!/usr/bin/env python3
"""Compiles a StaticWriter of 200 columns for a Cortex-M4F, with this tree's headers and with those of a642cbe, in turns: the median
ratio of the compiler's CPU, and its memory.

usage: columns_200.py ROOT WORK"""
import pathlib
import resource
import statistics
import subprocess
import sys

COLUMNS = 200
ROUNDS = 5
BEFORE = "a642cbe"
TYPES = ("float", "double", "std::int32_t", "std::int64_t")
COMPILER = ("arm-none-eabi-g++", "-std=c++17", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-Os", "-fno-exceptions", "-fno-rtti",
            "-c", "-o", "/dev/null")


def program():
    members = "\n".join(f"  {TYPES[i % len(TYPES)]} c{i};" for i in range(COLUMNS))
    columns = ",\n    ".join(f'mpq::column("c{i}", &Sample::c{i})' for i in range(COLUMNS))
    return f"""#include <cstdint>
#include "microparquet/microparquet.h"
namespace mpq = microparquet;
struct Sample {{
{members}
}};
inline constexpr auto kSchema = mpq::schema(
    {columns});
static mpq::StaticWriter<kSchema> writer;
mpq::Status log_one(mpq::File& file, const Sample& sample) {{
  mpq::Status status = writer.open(file);
  if (status == mpq::Status::kOk) status = writer.append(sample);
  return status == mpq::Status::kOk ? writer.close() : status;
}}
"""


def seconds(headers, source):
    """Processor time of the compiler and the processes it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([*COMPILER, "-I", headers, source], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    root, work = map(pathlib.Path, sys.argv[1:])
    work.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(["git", "-C", root, "archive", BEFORE, "include"], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", work], input=archive, check=True)
    source = work / "columns_200.cpp"
    source.write_text(program())
    seconds(root / "include", source)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    ratios = [seconds(root / "include", source) / seconds(work / "include", source) for _ in range(ROUNDS)]
    print(f"m4f.columns_200.compile_cpu {statistics.median(ratios):.2f} times")
    print(f"m4f.columns_200.compile_memory {peak:.0f} MB")


main()
