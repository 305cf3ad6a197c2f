"""Compares commands by CPU time: fresh processes, taken in turns, median of the ratios."""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Ratio(NamedTuple):
    """How one command compares with the reference, over all rounds."""

    median: float
    least: float
    most: float
    seconds: float

    def __str__(self) -> str:
        spread = f"[{self.least:.2f}-{self.most:.2f}]"
        return f"{self.median:.2f} {spread}, {self.seconds:.2f} s of CPU"


# Compiled modules are kept, as for whoever runs a command twice: else every run compiles our own
# modules anew, while those of the libraries were compiled when they were installed.
_ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def cpu_seconds(command: Sequence[str]) -> float:
    """User and system time of a command with its children; it must end with status 0."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=_ENVIRONMENT) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(command))
    return usage.ru_utime + usage.ru_stime


def compare(
    reference: Sequence[str], commands: Mapping[str, Sequence[str]], rounds: int
) -> dict[str, Ratio]:
    """The ratio of each command's CPU time to that of the reference run just before it.

    Every command runs once beforehand, so that compiled modules and files are warm.
    """
    for command in (reference, *commands.values()):
        cpu_seconds(command)
    pairs: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            base = cpu_seconds(reference)
            pairs[name].append((cpu_seconds(command), base))
    results = {}
    for name, measured in pairs.items():
        ratios = [own / base for own, base in measured]
        seconds = statistics.median(own for own, _ in measured)
        results[name] = Ratio(statistics.median(ratios), min(ratios), max(ratios), seconds)
    return results
