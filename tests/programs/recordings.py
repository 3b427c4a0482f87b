"""The recordings, and what they hold, read by Python from the CSV files."""
import csv
import datetime

from harness import data_file


def real(text):
    return float(text)


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def local_time(text):
    return datetime.datetime.fromisoformat(text)


# For each: the Arrow type of every column, and how its cells are read.
WEATHER = {
    "origin": ("string", str), "year": ("int64", int), "month": ("int64", int), "day": ("int64", int),
    "hour": ("int64", int), "temp": ("double", real), "dewp": ("double", real), "humid": ("double", real),
    "wind_dir": ("int64", int), "wind_speed": ("double", real), "wind_gust": ("double", real),
    "precip": ("double", real), "pressure": ("double", real), "visib": ("double", real),
    "time_hour": ("timestamp[us, tz=UTC]", instant)}
MACHINE = {"timestamp": ("timestamp[us]", local_time), "value": ("double", real)}
WALK = {name: ("double", real) for name in (
    "Time (s)", "Gyroscope X (deg/s)", "Gyroscope Y (deg/s)", "Gyroscope Z (deg/s)", "Accelerometer X (g)",
    "Accelerometer Y (g)", "Accelerometer Z (g)")}

RECORDINGS = {"weather.csv": WEATHER, "machine_temperature.csv": MACHINE, "walk.csv": WALK}


def values_of(name):
    """The columns of a recording, as {name: [value or None]}."""
    with open(data_file(name), newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {column: [None if row[i] in ("", "NA") else read(row[i]) for row in rows[1:]]
            for i, (column, (_, read)) in enumerate(RECORDINGS[name].items())}
