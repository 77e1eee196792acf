"""How media stand in a prompt: how many tokens, where, what a person's text cannot do to them."""

import pytest
from sample_media import make_image, make_sound, make_video
from test_media_exactness import parts_of

from agentloop_widgets import Turn
from agentloop_widgets.backends import BackendError
from agentloop_widgets.harness.context import context_event
from agentloop_widgets.media import MediaError
from agentloop_widgets.trace.messages import media_parts

PAD = {
    "qwen3_5": {"image": "<|image_pad|>", "video": "<|video_pad|>"},
    "gemma4": {"image": "<|image|>", "video": "<|video|>", "audio": "<|audio|>"},
}


def part(kind, path):
    return {"type": kind, "path": str(path), "name": path.name}


def encoded(llm, content):
    messages = [{"role": "user", "content": content}]
    return llm.encode(llm.render(messages), media_parts(messages))


def count_of(llm, kind, path):
    made = encoded(llm, [part(kind, path)])
    assert made.media_tokens == {kind: made.media[0].tokens}
    assert (
        made.ids.count(llm.tokenizer.convert_tokens_to_ids(PAD[llm.family.key][kind]))
        == made.media[0].tokens
    )
    return made.media[0].tokens


# Qwen3.5: 16-pixel patches, 2 x 2 of them a token; an image of 65,536 to 16,777,216 pixels.


@pytest.mark.parametrize(
    "width, height, tokens",
    [(640, 480, 300), (1024, 1024, 1024), (256, 256, 64), (64, 64, 64), (6000, 4000, 16224)],
)
def test_an_image_on_qwen(tiny, tmp_path, width, height, tokens):
    assert (
        count_of(tiny["qwen3_5"], "image", make_image(tmp_path / "a.png", width, height)) == tokens
    )


def test_an_image_on_gemma_takes_at_most_280(tiny, tmp_path):
    sizes = [(640, 480), (2000, 1000), (300, 900), (97, 89)]
    counts = [
        count_of(tiny["gemma4"], "image", make_image(tmp_path / f"{w}.png", w, h)) for w, h in sizes
    ]
    assert max(counts) <= 280 and min(counts) > 200 and counts[0] == 266  # 19 x 14


# Gemma 4: 16 kHz, 40 ms a token, 30 seconds at most.


@pytest.mark.parametrize(
    "seconds, tokens", [(0.4, 10), (1.0, 25), (4.0, 100), (30.0, 750), (31.5, 750)]
)
def test_a_sound_on_gemma(tiny, tmp_path, seconds, tokens):
    made = encoded(
        tiny["gemma4"], [part("audio", make_sound(tmp_path / "a.wav", seconds, rate=44100))]
    )
    assert made.media_tokens == {"audio": tokens} and made.inputs["input_features"].shape[-1] == 128
    assert ("31.5" in made.media[0].note) == (seconds > 30)


# Videos: Gemma 4 32 frames of at most 70, each after mm:ss; Qwen3.5 two frames a second, in pairs, each after its time.


def test_a_video_on_gemma(tiny, tmp_path):
    made = encoded(tiny["gemma4"], [part("video", make_video(tmp_path / "a.mp4", 70.0, fps=1))])
    shown = made.text[made.media[0].start : made.media[0].end]
    assert (
        shown.count("<|image>") == 32
        and shown.startswith("00:00 <|image>")
        and "01:08 <|image>" in shown
    )
    assert made.media[0].tokens == 32 * (made.media[0].tokens // 32) <= 32 * 70


def test_a_short_video_on_gemma_has_all_its_frames(tiny, tmp_path):
    made = encoded(tiny["gemma4"], [part("video", make_video(tmp_path / "a.mp4", 0.5, fps=4))])
    assert made.text.count("<|image>") == 2 and made.media[0].note == ""


def test_a_video_on_qwen(tiny, tmp_path):
    made = encoded(tiny["qwen3_5"], [part("video", make_video(tmp_path / "a.mp4", 4.0, fps=10))])
    assert made.text.count(" seconds>") == 4 and "<0.3 seconds>" in made.text  # 8 frames, in pairs


def test_one_frame_on_both(tiny, tmp_path):
    path = make_video(tmp_path / "a.mp4", 0.125)
    assert (
        count_of(tiny["qwen3_5"], "video", path) > 0 and count_of(tiny["gemma4"], "video", path) > 0
    )


@pytest.mark.parametrize("family", ["qwen3_5", "gemma4"])
def test_several_media_stand_where_the_message_has_them(tiny, media_files, family):
    content = parts_of("first {image} then {clip} last {photo} end", media_files)
    made = encoded(tiny[family], content)
    assert [medium.name for medium in made.media] == ["image.png", "clip.mp4", "photo.png"]
    between = [made.text[a.end : b.start] for a, b in zip(made.media, made.media[1:], strict=False)]
    assert "then" in between[0] and "last" in between[1]
    assert (
        made.text[: made.media[0].start].removesuffix("<|vision_start|>").rstrip().endswith("first")
    )


@pytest.mark.parametrize("family", ["qwen3_5", "gemma4"])
def test_a_placeholder_in_a_persons_text_stays_text(tiny, media_files, family):
    llm, piece = tiny[family], PAD[family]["image"]
    content = [
        {"type": "text", "text": f"Is {piece} a picture? "},
        *parts_of("{image}", media_files),
        {"type": "text", "text": f" Or {piece}?"},
    ]
    made = encoded(llm, content)
    assert made.ids.count(llm.tokenizer.convert_tokens_to_ids(piece)) == made.media[0].tokens
    assert [made.text[start:end] for start, end in made.literal] == [piece, piece]
    assert f"Is {piece} a picture?" in made.text and f"Or {piece}?" in made.text


def test_a_placeholder_without_media_never_runs(tiny):
    llm = tiny["qwen3_5"]
    with pytest.raises(BackendError, match="image"):
        llm.encode(llm.render([{"role": "user", "content": [{"type": "image"}]}]), [])


def test_a_kind_that_the_model_does_not_take_is_refused(tiny, llm, media_files):
    with pytest.raises(BackendError, match="audio"):
        tiny["qwen3_5"].encode("x", parts_of("{sound}", media_files))
    with pytest.raises(BackendError, match="image"):
        llm.encode("x", parts_of("{image}", media_files))


def test_a_part_without_a_path_is_told(tiny):
    """Other libraries' messages hold the picture itself, or its address."""
    content = [{"type": "image", "url": "https://example.org/a.png"}]
    with pytest.raises(BackendError, match="path"):
        encoded(tiny["qwen3_5"], content)


def test_a_file_that_has_gone_is_named(tiny, tmp_path):
    with pytest.raises(MediaError, match=r"gone\.png"):
        encoded(tiny["qwen3_5"], [part("image", tmp_path / "gone.png")])


@pytest.mark.parametrize("family", ["qwen3_5", "gemma4"])
def test_the_context_says_where_each_stands_and_what_it_costs(tiny, media_files, family):
    llm = tiny[family]
    messages = [{"role": "user", "content": parts_of("{image} and {clip}", media_files)}]
    made = llm.encode(llm.render(messages), media_parts(messages))
    event = context_event(llm, made, messages)
    assert [row["kind"] for row in event.media] == ["image", "video"]
    assert all(row["thumbnail"].startswith("data:image/") for row in event.media)
    assert [row["tokens"] for row in event.media] == [medium.tokens for medium in made.media]
    spans = {(part["start"], part["end"]) for part in event.segments if part["kind"] == "media"}
    assert {(row["start"], row["end"]) for row in event.media} == spans
    assert sum(part["n_tokens"] for part in event.segments) == event.n_tokens


@pytest.mark.parametrize("family", ["qwen3_5", "gemma4"])
def test_a_turn_with_attachments(tiny, media_files, family, tmp_path):
    turn = Turn(
        tiny[family],
        "What is this?",
        attachments=[media_files["image"], media_files["sound"]],
        folder=tmp_path,
        tools=[],
        max_steps=1,
    )
    context = next(event for event in turn.render().events if event.type == "context")
    assert (tmp_path / "image.png").is_file() and (tmp_path / "sound.wav").is_file()
    kinds = [row["kind"] for row in context.media]
    if family == "gemma4":
        assert kinds == ["image", "audio"]
    else:
        assert kinds == ["image", "file"] and "/data/sound.wav" in context.prompt
        assert [event.kind for event in turn.events if event.type == "notice"] == ["attachment"]


@pytest.mark.parametrize("seconds", [0.001, 0.01])
def test_a_sound_too_short_for_a_token_is_refused(tiny, tmp_path, seconds):
    with pytest.raises(MediaError, match="too short"):
        encoded(tiny["gemma4"], [part("audio", make_sound(tmp_path / "click.wav", seconds))])


def test_an_encoder_that_fails_names_the_file(tiny, media_files, monkeypatch):
    from agentloop_widgets.backends import passes

    def fails(model, inputs):
        raise IndexError("index out of range in self")

    llm = tiny["gemma4"]
    made = encoded(llm, parts_of("{photo}", media_files))
    monkeypatch.setattr(passes, "run_encoders", fails)
    with pytest.raises(BackendError, match=r"photo\.png.*index out of range"):
        list(llm.generate(made))


@pytest.mark.parametrize(
    "family, size",
    [("qwen3_5", (1000, 50)), ("gemma4", (5000, 10)), ("gemma4", (1, 1)), ("qwen3_5", (1, 1))],
)
def test_odd_shapes_are_read(tiny, tmp_path, family, size):
    from agentloop_widgets.sampling import Sampling

    llm = tiny[family]
    made = encoded(llm, [part("image", make_image(tmp_path / "odd.png", *size))])
    assert len(list(llm.generate(made, Sampling(temperature=0, max_new_tokens=2)))) == 4


def test_a_shape_that_the_processor_refuses_is_named(tiny, tmp_path):
    with pytest.raises(BackendError, match=r"wide\.png.*ratio.*Crop"):
        encoded(tiny["qwen3_5"], [part("image", make_image(tmp_path / "wide.png", 5000, 10))])


@pytest.mark.parametrize(
    "family, read",
    [("qwen3_5", "640 × 480 pixels"), ("gemma4", "640 × 480 pixels, read as 912 × 672")],
)
def test_sizes_are_told(tiny, media_files, family, read):
    details = [
        medium.detail
        for medium in encoded(tiny[family], parts_of("{photo}{clip}", media_files)).media
    ]
    assert details == [read, "64 × 48 pixels"]
