"""Media in a prompt: folded to a name and a cost in the text twin and on the page, placed for the widget, and never in the way of the text itself."""

import dataclasses
import html
import re
from itertools import pairwise

import pytest
import sample_cards
import sample_events
from hypothesis import given, settings
from hypothesis import strategies as st
from test_context_record import rebuilt, strict
from test_widgets_page import read

from agentloop_widgets.trace.strings import language
from agentloop_widgets.widgets import VIEWS, context_text, fold
from agentloop_widgets.widgets.context_page import context_html
from agentloop_widgets.widgets.context_record import context_record
from agentloop_widgets.widgets.media_places import folded_text, media_places
from agentloop_widgets.widgets.parts import marked_text
from agentloop_widgets.widgets.wording import media_more, media_text, window_text


@pytest.fixture(scope="module")
def steps():
    return fold(sample_cards.with_media()).steps


def test_the_text_twin_has_a_name_in_each_mediums_place(steps):
    first, second = (context_text(step) for step in steps)
    assert "[egg box.png · 256 tokens][hens.wav · 750 tokens][the yard.mp4 · 2,048" in first
    assert "<|image|>" not in first and "<|video|>" not in first and "00:02" not in first
    assert "file prices.csv: not in the prompt; tools find it as /data/prices.csv" in first
    assert "[basket.png · 256 tokens]And here?" in second and "[egg box.png" not in second


def test_the_tokens_of_a_medium_add_up(steps):
    """Those that are filled and those around them are the whole stretch: what the prompt counts."""
    said = " ".join(context_text(steps[0]).split())
    for text in (
        "image egg box.png: 256 tokens + 2 for marks · 640 × 480 pixels, read as 768 × 768",
        "sound hens.wav: 750 tokens + 2 for marks · the first 30 of 42 seconds",
        "video the yard.mp4: 2,048 tokens + 160 for times and marks",
    ):
        assert text in said
    page = read(VIEWS["context"].html(sample_cards.with_media()[:3]))
    titles = [item[1]["title"] for item in page.of_class("medium") if item[0] == "span"]
    assert titles == ["256 tokens + 2 for marks · 640 × 480 pixels, read as 768 × 768", "750 tokens + 2 for marks", "2,048 tokens + 160 for times and marks"]  # fmt: skip
    assert titles[0] in page.text and titles[2] in page.text


@pytest.mark.parametrize("odd", [None, 0, 3, -1, "9", True, [], 10**30])
def test_a_stretch_that_is_not_known_is_not_reckoned_with(odd):
    item = {"kind": "image", "name": "a.png", "tokens": 3, "n_tokens": odd}
    assert media_text(item) == "image a.png: 3 tokens" and media_more(item) == ""


def test_in_traditional_chinese(steps):
    with language("zh-TW"):
        text = context_text(steps[0])
    assert "圖片 egg box.png：256 個 token，另加標記 2 個" in text and "聲音 hens.wav" in text
    assert "另加時間與標記 160 個" in text
    assert "[egg box.png · 256 個 token]" in text and "/data/prices.csv" in text


def test_the_page_has_chips_and_the_whole_text_behind_them(steps):
    page = read(VIEWS["context"].html(sample_cards.with_media()))
    chips = ["".join(item[2]) for item in page.of_class("medium") if item[0] == "span"]
    assert chips == ["egg box.png · 256 tokens", "hens.wav · 750 tokens", "the yard.mp4 · 2,048 tokens", "basket.png · 256 tokens"]  # fmt: skip
    folds = [item for item in page.of_class("medium") if item[0] == "details"]
    assert len(folds) == 3 + 4
    pictures = [item[1]["alt"] for item in page.elements if item[0] == "img"]
    assert pictures.count("egg box.png") == 2 and pictures.count("") == 4


def test_what_is_behind_the_chips_is_the_prompt_to_the_letter(steps):
    for step in steps:
        whole = context_html(step).split("<details><summary>the whole context")[1]
        whole = re.sub(
            r"<summary.*?</summary>|<h4>.*?</h4>|<small>.*?</small>",
            "",
            whole.split("</summary>", 1)[1],
        )
        assert html.unescape(re.sub(r"<[^>]*>", "", whole)) == step.context.prompt


def test_a_medium_is_one_mark_whatever_stands_in_it(steps):
    context = steps[0].context
    literal = [[context.prompt.index("00:02"), context.prompt.index("00:02") + 5]]
    marks = marked_text(dataclasses.replace(context, literal=literal))
    assert "".join(mark.text for mark in marks) == context.prompt
    assert [mark.kind for mark in marks if mark.kind.startswith("medium")] == ["medium 0", "medium 1", "medium 2"]  # fmt: skip
    assert "00:02" in marks[[mark.kind for mark in marks].index("medium 2")].text
    assert not any(mark.kind == "literal" for mark in marks)


# What the widget is sent.


def test_places_are_in_code_units_and_come_back(steps):
    context = steps[0].context
    moved = dataclasses.replace(
        context,
        prompt=f"🥚🥚{context.prompt}",
        pieces=[],
        segments=[],
        media=[{**item, "start": item["start"] and item["start"] + 2, "end": item["end"] and item["end"] + 2} for item in context.media],
    )  # fmt: skip
    (made,) = rebuilt([dataclasses.replace(steps[0], context=moved)])
    units = made["text"].encode("utf-16-le")
    found = [units[2 * item["start"] : 2 * item["end"]].decode("utf-16-le") for item in made["media"] if item["start"] is not None]  # fmt: skip
    assert [text[:9] for text in found] == ["<|image><", "<|audio><", "00:00 <|i"]
    assert found[1].count("<|audio|>") == 750 and made["media"][3]["end"] is None


def test_a_second_step_is_sent_its_own_medium_alone(steps):
    record = strict(context_record(steps[1], steps[0]))
    assert record["media"]["kept"] == 4
    assert [item["name"] for item in record["media"]["rest"]] == ["basket.png"]
    assert len(str(record["text"])) < 4000


# A prompt that is too long.


@pytest.mark.parametrize(
    "n_tokens, share, warning",
    [(4095, "99.98%", None), (4096, "100%", "no room is left to write in"), (4097, ">100%", "more than the model can read"), (4612, "113%", "more than the model can read"), (409_600, "10,000%", "more than the model can read")],
)  # fmt: skip
def test_a_context_beyond_the_window_says_so(steps, n_tokens, share, warning):
    context = dataclasses.replace(steps[0].context, n_tokens=n_tokens, context_length=4096)
    step = dataclasses.replace(steps[0], context=context)
    text = window_text(context)
    assert f"{n_tokens:,} of 4,096 tokens, {share} of the window" in text
    assert (warning or "will fail") in text if warning else "fail" not in text
    assert " ".join(text.split()) in " ".join(context_text(step).split())
    record = strict(context_record(step))
    assert record["over"] is bool(warning) and record["window"]["en"] == text
    words, fill = (item[1]["class"] for item in read(context_html(step)).elements if "dim" in item[1].get("class", "").split() or "fill" in item[1].get("class", "").split())  # fmt: skip
    assert (words, fill) == (("dim bad", "fill over") if warning else ("dim", "fill"))


# What nobody would expect.

ODD = st.one_of(st.none(), st.integers(-5, 60), st.sampled_from(["3", 2.5, True, 10**30, []]))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(ODD, ODD), max_size=5), st.integers(0, 40), st.integers(0, 40))
def test_whatever_the_places_are_nothing_is_lost(places, start, length):
    step = fold(sample_events.two_steps()).steps[0]
    media = [{"kind": "image", "name": "x", "tokens": 3, "start": first, "end": last} for first, last in places]  # fmt: skip
    context = dataclasses.replace(step.context, media=media)
    apart = media_places(context)
    assert all(one[1] <= other[0] for one, other in pairwise(apart))
    assert "".join(mark.text for mark in marked_text(context)) == context.prompt
    end = start + length
    assert "".join(mark.text for mark in marked_text(context, start, end)) == context.prompt[start:end]  # fmt: skip
    if not apart:
        assert folded_text(context, start, end) == context.prompt[start:end]
    changed = dataclasses.replace(step, context=context)
    assert strict(context_record(changed)) and context_html(changed) and context_text(changed)


def test_a_context_of_an_older_trace_has_media_without_places():
    context = dataclasses.replace(
        fold(sample_events.two_steps()).steps[0].context,
        media=[{"kind": "image", "name": "a.png", "tokens": 64, "thumbnail": None}],
    )
    assert media_places(context) == [] and folded_text(context) == context.prompt
    text = VIEWS["context"].text([context])
    assert "image a.png: 64 tokens" in text
