"""Measuring, for the benchmarks."""

import time
from collections.abc import Callable


def seconds_of(work: Callable[[], object]) -> float:
    """How long a piece of work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
