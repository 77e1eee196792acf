"""Drafting and reuse against plain decoding, in one run: passes a token, tokens a second, tokens prefilled."""

import statistics
import time
from dataclasses import replace

import pytest

from agentloop_widgets import Sampling, Turn, load_backend

GREEDY = Sampling(temperature=0, max_new_tokens=200, seed=0)
QUESTIONS = (
    "What is 23 * 47?",
    "What is the square root of 50?",
    "How many letters are in 'banana'?",
    "Sort 8, 1, 6 and 2",
    "Hello!",
)
pytestmark = pytest.mark.benchmark


def measured(llm, sampling: Sampling, reuse: bool) -> dict:
    """Over one turn for each question: tokens written and read, passes behind the prefills, seconds of each kind."""
    llm.prefix_cache.forget()
    total = dict.fromkeys(("written", "read", "passes", "decode", "prefill"), 0.0)
    for question in QUESTIONS:
        for event in Turn(llm, question, sampling=sampling, reuse=reuse).stream():
            if event.type == "prefill":
                total["read"] += event.n_tokens - event.cached_tokens
                total["prefill"] += event.ms
            elif event.type == "model_end":
                total["written"] += event.n_tokens
                total["passes"] += event.mtp["forwards"] if event.mtp else event.n_tokens - 1
                total["decode"] += event.decode_ms
    return total


@pytest.mark.parametrize("source", ["embedded", "embedded:gemma4"])
def test_with_a_drafter_and_without(source):
    llm = load_backend(source)
    llm.load_drafter()
    began, rounds = time.perf_counter(), []
    for _ in range(3):
        rounds.append((measured(llm, GREEDY, True), measured(llm, replace(GREEDY, mtp=True), True)))
    plain, ahead = rounds[0]
    assert plain["written"] == ahead["written"]
    speeds = statistics.median(one["decode"] / other["decode"] for one, other in rounds)
    print(
        f"\n{source}, {ahead['written']:.0f} tokens: {ahead['passes'] / ahead['written']:.2f} passes a token with a drafter, {plain['passes'] / plain['written']:.2f} without; tokens/s with / without {speeds:.2f} ({time.perf_counter() - began:.0f} s)"
    )
    assert ahead["passes"] < plain["passes"]


@pytest.mark.parametrize("source", ["embedded", "embedded:gemma4"])
def test_with_reuse_and_without(source):
    llm = load_backend(source)
    rounds = [(measured(llm, GREEDY, True), measured(llm, GREEDY, False)) for _ in range(3)]
    reused, whole = rounds[0]
    times = statistics.median(one["prefill"] / other["prefill"] for one, other in rounds)
    print(
        f"\n{source}: {reused['read']:.0f} tokens read with reuse, {whole['read']:.0f} without: ratio {reused['read'] / whole['read']:.2f}; their time {times:.2f}"
    )
    assert reused["read"] < whole["read"]
