"""Greedy decoding equals generate(), on tiny checkpoints of both real architectures, with text and media anywhere in the conversation."""

import pytest
from exactness import compared, ours

from agentloop_widgets.backends import BackendError
from agentloop_widgets.sampling import Sampling
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


TIES: list[int] = []


@pytest.fixture(scope="module", autouse=True)
def rarely_tied():
    """Of all comparisons of this file, at most one may end in a tie."""
    TIES.clear()
    yield
    assert len(TIES) <= 1, TIES


def checked(comparison, within: float = 1e-4) -> None:
    if comparison.tie is not None:
        TIES.append(comparison.tie)
    assert comparison.difference is None, comparison
    assert comparison.apart < within, (
        comparison.apart
    )  # tells even where a random model repeats itself


@pytest.mark.parametrize("family, text", CASES)
def test_greedy_equals_generate(tiny, media_files, family, text):
    checked(compared(tiny[family], [{"role": "user", "content": parts_of(text, media_files)}]))


def test_sound_in_earlier_turns(tiny, media_files):
    messages = [
        {"role": "user", "content": parts_of("{sound} and {image}: what?", media_files)},
        {"role": "assistant", "content": "A tone."},
        {"role": "user", "content": parts_of("{speech} And in {clip}?", media_files)},
    ]
    checked(compared(tiny["gemma4"], messages))


def test_two_generations_at_once_do_not_shift_each_other(tiny, media_files):
    """The offset of a prompt's images lies on the model, where another generation's would take its place."""
    llm = tiny["qwen3_5"]
    messages = [{"role": "user", "content": parts_of("{photo} What is this?", media_files)}]
    encoded = llm.encode(llm.render(messages), media_parts(messages))
    alone, _ = ours(llm, encoded, 24)
    stop_ids, llm.stop_ids = llm.stop_ids, frozenset()
    try:
        greedy = Sampling(temperature=0, max_new_tokens=24)
        events = llm.generate(encoded, greedy)
        begun = [next(events) for _ in range(4)]
        list(llm.generate(llm.encode("Hello there"), greedy))
        both = [event.id for event in (*begun, *events) if event.type == "token"]
    finally:
        llm.stop_ids = stop_ids
    assert both == alone


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


@pytest.mark.parametrize("family", ["qwen3_5", "gemma4"])
@pytest.mark.parametrize("change", ["blank pixels", "other frames", "wrong place"])
def test_the_comparison_notices(tiny, media_files, family, change, monkeypatch):
    """What a mistake of ours would be: the comparison must fail."""
    import torch

    llm = tiny[family]
    made = llm.media_encoder._processed

    def changed(parts):
        expansions, inputs = made(parts)
        name = "pixel_values_videos" if change == "other frames" else "pixel_values"
        if change == "wrong place":
            expansions = expansions[::-1]
        else:
            inputs = {
                **inputs,
                name: torch.zeros_like(inputs[name])
                if change == "blank pixels"
                else inputs[name].flip(0),
            }
        return expansions, inputs

    monkeypatch.setattr(llm.media_encoder, "_processed", changed)
    llm.media_encoder.forget()
    monkeypatch.setattr("exactness.check_inputs", lambda *_: None)
    content = parts_of("{photo} {image} {film} What?", media_files)
    try:
        found = compared(llm, [{"role": "user", "content": content}])
        noticed = found.difference is not None or found.apart > 1e-4
    except (RuntimeError, ValueError, BackendError):
        noticed = True
    finally:
        llm.media_encoder.forget()
    assert noticed
