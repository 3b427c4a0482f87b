"""The rows that the logger replays: the recording again and again, each sample with its number."""
import csv
import decimal

import numpy

READINGS = ["gyroscope_x", "gyroscope_y", "gyroscope_z", "accelerometer_x", "accelerometer_y", "accelerometer_z"]
COLUMNS = ["number", "time_us", *READINGS]


class Recording:
    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))[1:]
        micro = decimal.Decimal("0.000001")
        self._times = numpy.array([int(decimal.Decimal(row[0]).quantize(micro, decimal.ROUND_HALF_UP) / micro)
                                   for row in rows], numpy.int64)
        self._readings = {name: numpy.array([float(row[i]) for row in rows]).astype(numpy.float32)
                          for i, name in enumerate(READINGS, 1)}

    def columns(self, numbers):
        """The columns of the samples of these numbers."""
        count = len(self._times)
        length = int(self._times[-1] - self._times[0])
        length += length * 1000 // (count - 1) // 1000  # a round is as long as from its first sample to the next one's
        expected = {"number": numbers.astype(numpy.int64),
                    "time_us": self._times[numbers % count] + numbers // count * length}
        return expected | {name: values[numbers % count] for name, values in self._readings.items()}
