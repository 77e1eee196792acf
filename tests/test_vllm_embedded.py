"""Both embedded models, served by a real vLLM on a CPU: it writes the tokens that this library writes (`make test-vllm`).

Ours runs in float32, and so does Gemma 4 there; vLLM's linear attention on a CPU takes bfloat16 alone, so Qwen3.5 is served in that. What a format's rounding
may move a logarithmic probability by is TOLERANCE: two tokens closer than that may come out either way, and there a comparison ends.
"""

import math
import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pytest
from vllm_server import VLLM, vllm_server

from agentloop_widgets.backends.base import Backend, Encoded
from agentloop_widgets.backends.folder import load_folder
from agentloop_widgets.events import Token
from agentloop_widgets.harness.prompts import SYSTEM_WITH_TOOLS
from agentloop_widgets.sampling import Sampling
from agentloop_widgets.tools import run_python

pytestmark = pytest.mark.vllm
PYTHON = Path(os.environ.get("AGENTLOOP_VLLM", ""))
MODELS = Path(str(files("agentloop_widgets").joinpath("models")))
TOLERANCE = {"float32": 0.001, "bfloat16": 0.05}
DTYPES = {"qwen3_5": "bfloat16", "gemma4": "float32"}
COUNT = 96
QUESTIONS = ("What is 12 * 7?", "Reverse the word lamp.", "Hi there")


@dataclass
class Served:
    """ours: the backend; rounded: it in the server's format; theirs: the server; tolerance: in logarithmic probability."""

    ours: Backend
    rounded: Backend
    theirs: VLLM
    tolerance: float


@pytest.fixture(scope="module", params=DTYPES)
def served(request, tmp_path_factory):
    if not PYTHON.is_file():
        pytest.skip("NO VLLM HERE: make test-vllm installs it and names it in AGENTLOOP_VLLM")
    import torch

    torch.set_num_threads(1)
    checkpoint, dtype = MODELS / request.param, DTYPES[request.param]
    ours = load_folder(checkpoint, device="cpu", dtype="float32")
    rounded = load_folder(checkpoint, device="cpu", dtype=dtype)
    with vllm_server(PYTHON, checkpoint, dtype, tmp_path_factory.mktemp("vllm")) as theirs:
        yield Served(ours, rounded, theirs, TOLERANCE[dtype])


def prompt_of(llm: Backend, question: str, thinking: bool) -> Encoded:
    messages = [
        {"role": "system", "content": SYSTEM_WITH_TOOLS},
        {"role": "user", "content": question},
    ]
    return llm.encode(llm.render(messages, [run_python.schema()], thinking))


def greedy(served: Served, ids: list[int]) -> dict:
    """The server's choice for a prompt: its finish_reason, its token_ids and their logprobs."""
    body = {
        "prompt": ids,
        "max_tokens": COUNT,
        "temperature": 0,
        "stop_token_ids": sorted(served.ours.stop_ids),
        "return_token_ids": True,
        "return_tokens_as_token_ids": True,
        "logprobs": 5,
    }
    return served.theirs.post("/v1/completions", body)["choices"][0]


def is_tie(token: Token, other: int, tolerance: float) -> bool:
    """Whether `other` is the second likeliest token and as good as the first."""
    best, second = token.top[:2]
    return other == second["id"] and best["p"] < second["p"] * math.exp(tolerance)


def rounding(served: Served, encoded: Encoded, tokens: list[Token]) -> list[float]:
    """How far the format of the server moves each token's logarithmic probability in this library's own model."""
    import torch

    ids = [token.id for token in tokens]
    position = served.rounded.passes.read(encoded)
    rows = [position.logits[None]]
    if ids[1:]:
        rows.append(served.rounded.passes.block(ids[:-1], position, len(ids) - 1).rows)
    moved = torch.cat(rows).double().log_softmax(-1)
    return [
        abs(token.logprob - float(row[token.id])) for token, row in zip(tokens, moved, strict=True)
    ]


@pytest.mark.parametrize("thinking", [True, False])
@pytest.mark.parametrize("question", QUESTIONS)
def test_vllm_writes_what_we_write(served, question, thinking, record_property):
    encoded = prompt_of(served.ours, question, thinking)
    events = list(served.ours.generate(encoded, Sampling(temperature=0, max_new_tokens=COUNT)))
    tokens = [event for event in events if event.type == "token"]
    choice = greedy(served, encoded.ids)
    assert choice["prompt_token_ids"] == encoded.ids
    theirs = list(zip(choice["token_ids"], choice["logprobs"]["token_logprobs"], strict=True))
    apart = []
    own = rounding(served, encoded, tokens)
    for token, (id, logprob), moved in zip(tokens, theirs, own, strict=False):
        allowed = max(served.tolerance, 2 * moved)
        if token.id != id:
            assert is_tie(token, id, allowed), (token, id)
            break
        apart.append(abs(token.logprob - logprob))
        assert apart[-1] < allowed, (token, moved)
    else:
        ends = {"stop_token": "stop", "max_new_tokens": "length"}
        assert len(tokens) == len(theirs) and ends[events[-1].finish] == choice["finish_reason"]
    record_property("compared", len(apart))
    record_property("apart", max(apart))
    assert len(apart) >= 5
