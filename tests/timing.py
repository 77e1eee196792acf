"""Measuring, for the benchmarks."""

import statistics
import time
from collections.abc import Callable

from agentloop_widgets.sampling import Sampling


def seconds_of(work: Callable[[], object]) -> float:
    """How long a piece of work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def rate_against_generate(llm, question: str, tokens: int, rounds: int) -> float:
    """Our loop, with every number of every token, against model.generate() with none: the ratio of their tokens a second (median), printed with both."""
    import torch

    encoded = llm.encode(llm.render([{"role": "user", "content": question}]))
    ids = torch.tensor([encoded.ids])
    sampling = Sampling(temperature=1.0, top_p=0.95, max_new_tokens=tokens, seed=1)
    stop_ids, llm.stop_ids = llm.stop_ids, frozenset()
    options = {
        "max_new_tokens": tokens,
        "min_new_tokens": tokens,
        "do_sample": True,
        "temperature": 1.0,
        "top_p": 0.95,
        "top_k": 0,
        "attention_mask": torch.ones_like(ids),
    }
    try:
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(
                tokens / seconds_of(lambda: list(llm.generate(encoded, sampling, reuse=False)))
            )
            theirs.append(tokens / seconds_of(lambda: llm.model.generate(input_ids=ids, **options)))
    finally:
        llm.stop_ids = stop_ids
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    print(
        f"\ntokens/s with all details {statistics.median(ours):.1f}, generate() without any {statistics.median(theirs):.1f}: ratio {ratio:.2f}"
    )
    return ratio
