"""The exactness of decoding and the counts of media on real checkpoints, where the models folder holds them (`make test-real`).

Nothing is downloaded here. Where there is none, one test says so, by name, and is skipped.
"""

import pytest
from exactness import compared
from test_media_exactness import checked, parts_of

from agentloop_widgets import Turn, load_backend
from agentloop_widgets.backends import models
from agentloop_widgets.backends.devices import pick_device
from agentloop_widgets.sampling import Sampling
from agentloop_widgets.trace.messages import media_parts

pytestmark = pytest.mark.real
HERE = sorted(
    {row.model_id for row in models() if row.whole and row.supported and "/" in row.model_id}
)
TEXTS = [
    "Hi there",
    "{image} What is this?",
    "{image}{photo} Which is larger?",
    "Look at {clip}.",
    "{clip} and {photo}",
    "{sound} What is played?",
    "{photo} {sound} {clip}",
]


@pytest.fixture(scope="module", params=HERE)
def real(request):
    with load_backend(request.param) as llm:
        yield llm


def test_there_is_a_real_checkpoint():
    if not HERE:
        pytest.skip(
            "NO REAL CHECKPOINT in the models folder: python -c 'from agentloop_widgets import load_backend; load_backend(\"Qwen/Qwen3.5-0.8B\")' fetches one (1.8 GB)"
        )


@pytest.mark.parametrize("text", TEXTS)
def test_greedy_equals_generate(real, media_files, text, record_property):
    parts = parts_of(text, media_files)
    if {part["type"] for part in parts} - {"text", *real.modalities}:
        pytest.skip(f"{real.model_id} reads {', '.join(real.modalities)} only")
    comparison = compared(real, [{"role": "user", "content": parts}], count=40)
    record_property("tie", comparison.tie)
    checked(comparison)


def test_counts_of_media(real, media_files):
    wanted = {"qwen3_5": {"photo": 300}, "gemma4": {"photo": 266, "sound": 25}}[real.family.key]
    for name, tokens in wanted.items():
        parts = parts_of(f"{{{name}}}", media_files)
        encoded = real.encode(
            real.render([{"role": "user", "content": parts}]),
            media_parts([{"role": "user", "content": parts}]),
        )
        assert encoded.media[0].tokens == tokens


def test_the_card_is_of_what_was_loaded(real):
    card = real.card()
    assert (
        card["model"] == real.model_id
        and len(card["revision"]) == 40
        and card["device"].startswith(pick_device())
    )
    assert card["parameters"] == sum(row["parameters"] for row in card["parts"]) > 100_000_000


def test_a_whole_turn_with_a_tool(real):
    turn = Turn(
        real,
        "What is 1234 * 5678? Use the tool.",
        sampling=Sampling(temperature=0, max_new_tokens=400),
        thinking=False,
        max_steps=4,
    ).run()
    assert "7006652" in turn.final.replace(",", "").replace(" ", "")
