#!/usr/bin/env python3
"""Appends what is new in a lake of `mpq collect` to a table with a partition for each day, by Spark.

    append_days.py LAKE TABLE

For fleets that one machine does not hold: each collects into a lake of its own, and this job brings them together, wherever
TABLE is. Needs pyspark; SPARK_MASTER says where it runs (default: local[*]).

All of a lake's files have one schema here, which is given: that of files of different firmwares is not guessed. What is in TABLE
is known by the checksum of its rows, which files.parquet has: a file that has grown replaces the rows it had.
"""
import os
import pathlib
import sys

from pyspark.sql import SparkSession, functions as F

# name, type, and what older firmwares call it.
COLUMNS = [
    ("number", "bigint", ()),
    ("time", "timestamp", ()),
    ("gyroscope_x", "float", ()),
    ("gyroscope_y", "float", ()),
    ("gyroscope_z", "float", ("gyro_z",)),
    ("accelerometer_x", "float", ()),
    ("accelerometer_y", "float", ()),
    ("accelerometer_z", "float", ()),
    ("temperature", "float", ()),
]
SCHEMA = ", ".join(f"`{name}` {kind}" for column, kind, old in COLUMNS for name in (column, *old))
KEY = ["path", "rows_checksum"]


def known_files(spark, table):
    """Paths and checksums of the files whose rows the table has."""
    if not os.path.isdir(table):
        return spark.createDataFrame([], "path string, rows_checksum bigint")
    return spark.read.parquet(table).select(*KEY).distinct()


def rows_of(spark, lake, files):
    """The rows of these files, with what is known of each file."""
    paths = [str(pathlib.Path(lake, row.path).resolve()) for row in files.collect()]
    name = F.regexp_extract(F.input_file_name(), "(raw/[^/]*/[^/]*/[^/]*)$", 1)
    rows = spark.read.schema(SCHEMA).parquet(*paths).withColumn("path", F.url_decode(name))
    values = [F.coalesce(*(F.col(each) for each in (column, *old))).alias(column) for column, _, old in COLUMNS]
    about = F.broadcast(files.select(*KEY, "device", "firmware", "session", "split"))
    return rows.select("path", *values).join(about, "path").withColumn("date", F.to_date("time"))


def main():
    lake, table = sys.argv[1:]
    spark = (SparkSession.builder.master(os.environ.get("SPARK_MASTER", "local[*]"))
             .config("spark.sql.session.timeZone", "UTC").config("spark.ui.enabled", "false")
             .config("spark.sql.sources.partitionOverwriteMode", "dynamic").getOrCreate())
    files = spark.read.parquet(str(pathlib.Path(lake, "files.parquet")))
    known = known_files(spark, table)
    new = files.join(known, KEY, "left_anti").cache()
    if new.isEmpty():
        return
    rows = rows_of(spark, lake, new)
    grown = known.join(new.select("path"), "path", "left_semi")
    if grown.isEmpty():
        rows.repartition("date").write.mode("append").partitionBy("date").parquet(table)
    else:  # the days that they touch are written again, without what they had
        days = spark.read.parquet(table)
        touched = days.join(grown, KEY, "left_semi").select("date").union(rows.select("date")).distinct()
        kept = days.join(grown, KEY, "left_anti").join(F.broadcast(touched), "date", "left_semi").select(rows.columns)
        kept.union(rows).localCheckpoint().repartition("date").write.mode("overwrite").partitionBy("date").parquet(table)
    spark.stop()


main()
