"""Greedy decoding equals generate(), on tiny checkpoints of both real architectures, with text and media anywhere in the conversation."""

import pytest
from exactness import compared

from agentloop_widgets.trace.messages import media_parts

KINDS = {
    "image": "image",
    "photo": "image",
    "clip": "video",
    "film": "video",
    "sound": "audio",
    "speech": "audio",
}
BOTH = [
    "Hi there",
    "{image} What is this?",
    "{image}{photo} Which is larger?",
    "Look at {clip} closely.",
    "{clip}{film}",
    "{photo} and then {clip} and then {image}",
    "Compare {film} with {photo}: which is brighter?",
]
WITH_SOUND = [
    "{sound} What was said?",
    "{speech}{sound}",
    "{image} {sound} {clip} {speech} {photo}",
]
CASES = [
    *(("qwen3_5", case) for case in BOTH),
    *(("gemma4", case) for case in [*BOTH, *WITH_SOUND]),
]


def parts_of(text: str, files) -> list[dict]:
    """The content parts of a text that names files in braces."""
    import re

    parts = []
    for piece in re.split(r"(\{\w+\})", text):
        name = piece[1:-1]
        if piece.startswith("{"):
            parts.append({"type": KINDS[name], "path": str(files[name]), "name": files[name].name})
        elif piece:
            parts.append({"type": "text", "text": piece})
    return parts


def checked(comparison) -> None:
    assert comparison.difference is None, comparison
    assert len(set(comparison.theirs)) > 3  # a model that repeats one token would show nothing


@pytest.mark.parametrize("family, text", CASES)
def test_greedy_equals_generate(tiny, media_files, family, text, record_property):
    comparison = compared(tiny[family], [{"role": "user", "content": parts_of(text, media_files)}])
    record_property("tie", comparison.tie)
    checked(comparison)


@pytest.mark.parametrize("family", ["qwen3_5", "gemma4"])
def test_media_in_earlier_turns(tiny, media_files, family):
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": parts_of("{image} What is it?", media_files)},
        {"role": "assistant", "content": "A slope of colours."},
        {"role": "user", "content": parts_of("And {clip} this, beside {photo}?", media_files)},
    ]
    assert [part["type"] for part in media_parts(messages)] == ["image", "video", "image"]
    checked(compared(tiny[family], messages))


@pytest.mark.parametrize("family", ["qwen3_5", "gemma4"])
def test_a_prompt_of_text_is_not_shifted_by_the_one_before_it(tiny, media_files, family):
    """Qwen3.5 keeps the position offset of the last prompt's images on the model."""
    text = [{"role": "user", "content": "Name three colours of the sky."}]
    alone = compared(tiny[family], text)
    compared(tiny[family], [{"role": "user", "content": parts_of("{photo} Hm?", media_files)}])
    assert compared(tiny[family], text).ours == alone.ours
    checked(alone)


def test_a_window_of_vision_tokens_that_see_each_other(checkpoints, tmp_path, media_files):
    """Larger Gemma 4 models let the tokens of one picture look at each other."""
    from tiny_models import gemma_checkpoint

    from agentloop_widgets import load_backend

    llm = load_backend(
        gemma_checkpoint(tmp_path / "both-ways", use_bidirectional_attention="vision")
    )
    for text in ("{image} What is this?", "{clip} and {photo}"):
        checked(compared(llm, [{"role": "user", "content": parts_of(text, media_files)}]))


def test_in_bfloat16(checkpoints, media_files):
    from agentloop_widgets import load_backend

    for folder in checkpoints.values():
        llm = load_backend(folder, device="cpu", dtype="bfloat16")
        assert llm.dtype == "bfloat16"
        checked(
            compared(llm, [{"role": "user", "content": parts_of("{image}{clip} So?", media_files)}])
        )
