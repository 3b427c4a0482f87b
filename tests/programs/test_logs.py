"""Logs as loggers, instruments and exporters write them: csv_log and mpq read them as a careful person would, or name the option."""
import json

import log_judge
from harness import PROGRAMS, check, unpacked

# Counts over the cases of data/logs.tar.xz: no fewer of the first, no more of the second.
AT_LEAST = {"are_right_at_once_of_these": 59, "right_by_named_option": 8, "time_found": 52}
AT_MOST = {"wrong_values": 0, "text_only": 0, "refused": 0, "time_wrong": 0, "time_none": 0}


def test_shapes_of_real_logs():
    cases, verdicts = log_judge.judge_all(unpacked("programs") / "logs", PROGRAMS)
    counts = log_judge.totals(cases, verdicts)
    lines = [log_judge.line_of(case, verdict) for case, verdict in zip(cases, verdicts)]
    said = "\n".join([*lines, json.dumps(counts)])
    check(counts["cases"] == 67 and counts["times"] == 61 and counts["should_be_right_at_once"] == 59, "other cases", said)
    for key, least in AT_LEAST.items():
        check(counts[key] >= least, f"{key}: {counts[key]}, not {least}\n{said}")
    for key, most in AT_MOST.items():
        check(counts[key] <= most, f"{key}: {counts[key]}, not {most}\n{said}")
