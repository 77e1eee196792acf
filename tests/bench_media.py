"""Benchmarks of media: two things measured in one run, and their ratio."""

import statistics

import pytest
from media_files import clip
from timing import seconds_of

from agentloop_widgets.media import attach, decoded, load_video
from agentloop_widgets.trace.messages import media_parts

TOKENS = 60
pytestmark = pytest.mark.benchmark


def median_ratio(name: str, pairs: list[tuple[float, float]], wanted: str) -> float:
    ratios = sorted(a / b for a, b in pairs)
    middle = statistics.median(ratios)
    print(
        f"\n{name}: {middle:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f} in {len(ratios)} rounds; wanted: {wanted})"
    )
    return middle


@pytest.mark.parametrize("family", ["qwen3_5", "gemma4"])
def test_a_prompt_with_media_against_generate(tiny, media_files, family):
    """Prefill and tokens with every number of each, against generate() with none: our time over its."""
    from exactness import ours, reference_inputs, theirs

    llm = tiny[family]
    content = [
        {"type": "image", "path": str(media_files["photo"])},
        {"type": "video", "path": str(media_files["clip"])},
        {"type": "text", "text": "What is this?"},
    ]
    messages = [{"role": "user", "content": content}]
    encoded = llm.encode(llm.render(messages), media_parts(messages))
    inputs = reference_inputs(llm, str(llm.render(messages)), content[:2])
    pairs = [
        (
            seconds_of(lambda: ours(llm, encoded, TOKENS)),
            seconds_of(lambda: theirs(llm, inputs, TOKENS)),
        )
        for _ in range(7)
    ]
    assert (
        median_ratio(
            f"{family}, {encoded.n_tokens} tokens with media and {TOKENS} written, ours / generate()",
            pairs,
            "at most 1.1",
        )
        > 0
    )


def test_the_next_steps_encode_against_the_first(tiny, media_files):
    """A step's media are decoded and processed once: the second step's encode over the first one's."""
    llm = tiny["gemma4"]
    content = [
        {"type": kind, "path": str(media_files[name])}
        for kind, name in (("image", "photo"), ("video", "film"), ("audio", "sound"))
    ]
    messages = [{"role": "user", "content": content}]
    prompt = llm.render(messages)
    pairs = []
    for _ in range(5):
        decoded.clear()
        llm.media_encoder.forget()
        first = seconds_of(lambda: llm.encode(prompt, content))
        pairs.append((seconds_of(lambda: llm.encode(prompt, content)), first))
    assert median_ratio("encode with media, the next step / the first", pairs, "at most 0.3") > 0


def test_the_frames_of_a_long_film_against_decoding_all_of_it(tmp_path):
    """64 frames of a film of 3,000, found by its index, against every frame decoded."""
    import av

    path = tmp_path / "film.mp4"
    path.write_bytes(clip(frames=3000, rate=25, size=(320, 240), g="50"))

    def everything():
        with av.open(str(path)) as container:
            for frame in container.decode(video=0):
                frame.to_ndarray(format="rgb24")

    pairs = [(seconds_of(lambda: load_video(path)), seconds_of(everything)) for _ in range(3)]
    assert median_ratio("64 frames of 3,000, ours / decoding all", pairs, "at most 0.8") > 0


def test_attaching_a_picture_against_decoding_it(tmp_path, media_files):
    """Kept, looked at and decoded once: attach and the first use, over decoding alone."""
    from agentloop_widgets.media import load_image

    pairs = []
    for number in range(5):
        folder = tmp_path / str(number)
        together = seconds_of(
            lambda folder=folder: decoded(attach(media_files["photo"], folder).part())
        )
        pairs.append((together, seconds_of(lambda: load_image(media_files["photo"]))))
    assert median_ratio("attach and first use / decoding", pairs, "at most 2") > 0
