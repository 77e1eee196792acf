"""Benchmarks of the backend and of importing: two things measured in one run, and their ratio."""

import statistics
import subprocess
import sys

import pytest
from timing import rate_against_generate

TOKENS = 200
pytestmark = pytest.mark.benchmark


def test_tokens_with_all_details_against_generate_without_any(llm):
    """The hand-written loop, every number of every token, against model.generate() with none. Wanted: at least 1.1 times its tokens a second."""
    ratio = rate_against_generate(llm, "What is 23 * 47?", TOKENS, 7)
    assert ratio > 1.1 / 3  # the figure is printed; a machine's noise is allowed for


def test_importing_against_anywidget():
    """`import agentloop_widgets` against `import anywidget`, each in a fresh process. Wanted: at most 2 times."""

    def imported(module: str) -> float:
        program = f"import time; start = time.perf_counter(); import {module}; print(time.perf_counter() - start)"
        return float(
            subprocess.run(
                [sys.executable, "-c", program], capture_output=True, text=True, check=True
            ).stdout
        )

    pairs = [(imported("agentloop_widgets"), imported("anywidget")) for _ in range(7)]
    ours, theirs = (statistics.median(values) for values in zip(*pairs, strict=True))
    print(
        f"\nimport agentloop_widgets {1000 * ours:.0f} ms, import anywidget {1000 * theirs:.0f} ms: ratio {ours / theirs:.2f} (wanted at most 2)"
    )
    assert ours / theirs < 2 * 3
