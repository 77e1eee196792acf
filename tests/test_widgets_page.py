"""The page: whole and well-formed, with nothing in it that runs, fetches or was written by a model as markup."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
import sample_events

from agentloop_widgets.events import (
    Context,
    Model,
    Request,
    RunEnd,
    Token,
    from_dict,
    to_dict,
)
from agentloop_widgets.trace.strings import language, texts
from agentloop_widgets.widgets import VIEWS, fold, page, step_html, turn_html
from agentloop_widgets.widgets.page_style import STYLE

RUNS = sample_events.runs()
VOID = {"br", "hr", "img", "meta", "wbr"}
TAGS = re.compile(
    "html|head|meta|title|body|main|style|div|section|header|h1|h2|h3|h4|h5|p|ul|li|dl|dt|dd"
    "|pre|code|kbd|mark|b|i|small|span|a|details|summary|table|thead|tbody|tr|th|td|img|wbr"
)
ATTRIBUTES = re.compile(
    "class|lang|style|title|tabindex|role|aria-label|href|id"
    "|scope|colspan|charset|name|content|data-theme|src|alt"
)


class Page(HTMLParser):
    """A page as a browser reads it: (tag, attributes, the text directly inside) of every element, and all text."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts = [], [], []
        self.feed(html)
        self.close()
        assert self.open == [], "not closed"

    def handle_starttag(self, tag, attributes):
        assert len({name for name, _ in attributes}) == len(attributes), "an attribute twice"
        element = (tag, dict(attributes), [])
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, f"</{tag}> closes nothing"
        self.open.pop()

    def handle_data(self, data):
        for element in self.open:
            element[2].append(data)
        if self.open and self.open[-1][0] != "style":
            self.texts.append(data)

    def handle_comment(self, data):
        raise AssertionError("a comment")

    def of_class(self, name):
        """The elements of a class."""
        return [item for item in self.elements if name in item[1].get("class", "").split()]

    @property
    def text(self):
        return "".join(self.texts)


def read(html):
    """The page, after what holds for every page was checked."""
    parsed = Page(html)
    for tag, attributes, _ in parsed.elements:
        assert TAGS.fullmatch(tag) and all(map(ATTRIBUTES.fullmatch, attributes)), tag
        assert re.fullmatch(r"#[\w-]+", attributes.get("href", "#x"))
        assert re.fullmatch(
            r"data:image/\w+;base64,[\w+/=]+", attributes.get("src", "data:image/png;base64,AA")
        )
        assert re.fullmatch(r"[\w-]+", attributes.get("id", "x"))
        assert re.fullmatch(
            r"(--\w:[\d.]+;?)*|flex-grow:[\d.e+-]+|width:[\d.]+%", attributes.get("style", "")
        )
        assert re.fullmatch(r"[\w -]*", attributes.get("class", ""))
    ids = [attributes["id"] for _, attributes, _ in parsed.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    assert all(item[1]["href"][1:] in ids for item in parsed.elements if "href" in item[1])
    assert "<script" not in html.lower() and "@import" not in html and "url(" not in html
    return parsed


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("tongue", ["en", "zh-TW"])
def test_pages_are_whole(name, tongue):
    with language(tongue):
        html = page(RUNS[name])
    parsed = read(html)
    assert html.startswith("<!doctype html>\n<html")
    assert parsed.elements[0][1]["lang"] == tongue
    assert "http:" not in html and "https:" not in html
    assert next(item for item in parsed.elements if item[0] == "title")[2] == [
        sample_events.QUESTION
    ]


@pytest.mark.parametrize("name", RUNS)
def test_headings_go_down_one_at_a_time(name):
    levels = [
        int(tag[1]) for tag, _, _ in read(page(RUNS[name])).elements if re.fullmatch(r"h\d", tag)
    ]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


def test_what_the_page_says():
    text = read(page(sample_events.two_steps())).text
    for said in (
        sample_events.QUESTION,
        "embedded · 1.15 M",
        "T 1 · top-p 0.95 · top-k off · seed 5",
        "thinking on",
        "tools: run_python",
        "2 steps",
        "turn 288 ms",
        "prefill: the prompt is read 33 ms",
        "decode: tokens are written 237 ms",
        "tools 2.9 ms",
        "everything else: rendering, checks, waiting 15 ms",
        "179 tokens in · 53 out · prefill 15 ms · decode 162 ms · 290 tok/s · stopped by <|im_end|>",
        "179 of 8,192 tokens, 2.19% of the window",
        "result 13, new",
        "model 58, of which 5 new",
        'run_python(code="print(7 * 12)")',
        "fits its schema",
        "allowed, by the policy: it runs in the sandbox",
    ):
        assert said in text, said
    assert [item[2] for item in read(page(sample_events.two_steps())).of_class("answer")] == [
        [sample_events.ANSWER]
    ]


def test_what_went_wrong_is_on_the_page():
    text = read(page(sample_events.faulty())).text
    for said in (
        "ended: the limit of steps was reached before an answer · There is no answer.",
        "the call is not closed",
        "characters 9 to 20",
        "<tool_call>oops",
        "the required argument code is missing",
        "cod is not an argument of run_python",
        "there is no tool fly",
        "refused, by the user",
        "not allowed",
        "the window is 90 % full",
        "no answer after 1 step",
        "weather",
    ):
        assert said in text, said


def test_every_token_has_its_numbers_its_place_and_a_keyboard():
    run = fold(sample_events.two_steps())
    parsed = read(page(run))
    tokens = [token for step in run.steps for token in step.tokens]
    spans = parsed.of_class("t")
    assert len(spans) == len(tokens)
    notes = [
        item[1]["title"]
        for item in parsed.elements
        if item[0] == "i" and "the model's own" in item[1].get("title", "")
    ]
    assert len(notes) == len(tokens)
    for token, (_, attributes, data), note in zip(tokens, spans, notes, strict=True):
        assert attributes["tabindex"] == "0" and attributes["role"] == "note"
        assert f"rank {token.rank}" in attributes["aria-label"]
        assert "".join(data) == token.text
        assert f"id {token.id}," in note and "entropy" in note and "after the settings:" in note
    tray = notes[1].split("\n")
    assert tray[0] == "' tray'" and tray[2] == "  p 4.24%, rank 8, entropy 6.43 nats"
    assert tray[4] == "  p 4.46%, 660 candidates kept" and tray[-1] == "▸  4.24%  ' tray' … rank 8"
    assert [item[1]["class"] for item in spans[:3]] == ["t l1", "t l2", "t"]
    assert spans[1][1]["style"].startswith("--u:.96;--0:.06;") and "--u" not in spans[-1][1].get(
        "style", ""
    )


def test_what_is_copied_is_what_was_written():
    run = fold(sample_events.two_steps())
    lanes = [item for item in read(page(run)).elements if item[0] == "code" and item[2]]
    written = {"".join(item[2]) for item in lanes}
    assert {lane.text for step in run.steps for lane in step.lanes} <= written


def test_the_table_lists_every_number():
    run = fold(sample_events.two_steps())
    html = page(run)
    parsed = read(html)
    rows = [item for item in parsed.elements if item[0] == "tr"]
    n_tokens = sum(len(step.tokens) for step in run.steps)
    assert len(rows) == n_tokens + 2 * len(run.steps)
    assert "<td>0.0424</td><td>8</td><td>6.43</td><td>0.04463</td><td>660</td><td>3.4</td>" in html
    heads = ["".join(item[2]) for item in parsed.elements if item[0] == "th"]
    assert "the model's own (T = 1, nothing cut)" in heads and "after the settings" in heads


def test_the_whole_context_is_there_and_its_control_tokens_are_keys():
    run = fold(sample_events.two_steps())
    parsed = read(page(run))
    places = [
        place
        for place, item in enumerate(parsed.elements)
        if item[1].get("class", "").startswith("whole ")
    ]
    texts_of = [
        next("".join(item[2]) for item in parsed.elements[place:] if item[0] == "pre")
        for place in places
    ]
    assert "".join(texts_of) == "".join(step.context.prompt for step in run.steps)
    keys = {"".join(item[2]) for item in parsed.elements if item[0] == "kbd"}
    assert keys == {"<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>"}


def test_literal_rewritten_and_dropped_text_is_marked():
    spelled = "<|im_end|>"
    question = f"What does {spelled} do?"
    first, second = (
        Context(
            step=number,
            prompt=prompt,
            ids=[],
            pieces=["<|im_start|>", "<|im_end|>"],
            segments=[
                {"role": "user", "kind": "text", "start": 0, "end": len(prompt), "n_tokens": 4}
            ],
            n_tokens=4,
            added_from=0 if number == 1 else 14,
            literal=[[prompt.index(spelled), prompt.index(spelled) + len(spelled)]],
            rewritten=[] if number == 1 else [[0, 12]],
            dropped=[] if number == 1 else [[13, 17]],
        )
        for number, prompt in (
            (1, f"<|im_start|>user\n{question}"),
            (2, f"<|im_start|>us {question}"),
        )
    )
    parsed = read(page([first, second]))
    assert ["".join(item[2]) for item in parsed.elements if item[0] == "mark"] == [spelled] * 4
    assert ["".join(item[2]) for item in parsed.of_class("rewritten")] == ["<|im_start|>"]
    assert ["".join(item[2]) for item in parsed.of_class("dropped")] == ["ser\n"]
    assert "1 changed, 1 left out" in parsed.text
    assert all(item[1].get("title") for item in parsed.elements if item[0] == "mark")


PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)' x='",
    "</style><svg onload=alert(1)>",
    "</pre></code></td></title><!-- <b>",
    "&lt;script&gt; &#60;b&#62; javascript:alert(1) https://example.org/x.js",
)


def poisoned(value, payload):
    """The value with the payload in every text and every key of it."""
    if isinstance(value, str):
        return payload
    if isinstance(value, dict):
        return {f"{key}": poisoned(item, payload) for key, item in value.items()} | {
            payload: payload
        }
    return [poisoned(item, payload) for item in value] if isinstance(value, list) else value


def poisoned_events(events, payload, keep):
    """The events with every text replaced by the payload, but for the fields `keep` that hold a run together."""
    made = []
    for event in events:
        values = to_dict(event)
        kept = {name: values[name] for name in keep if name in values}
        changed = {**{name: poisoned(value, payload) for name, value in values.items()}, **kept}
        for name in ("top", "segments", "media"):
            if name in values:
                changed[name] = [poisoned(item, payload) for item in values[name]]
        made.append(from_dict(changed))
    return made


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("name", RUNS)
def test_text_stays_text_in_every_field(name, payload):
    events = [
        *RUNS[name],
        Model(run="run-1", card={"model": "x", "layers": {"full": 1}}),
        Request(run="run-1", step=1, payload={"messages": ["x"]}),
        Context(
            run="run-1",
            step=1,
            prompt="x" * 40,
            ids=[],
            pieces=["x"],
            segments=[{"role": "user", "kind": "text", "start": 0, "end": 40, "n_tokens": 4}],
            n_tokens=4,
            media=[{"kind": "image", "name": "x", "tokens": 3, "thumbnail": "x"}],
        ),
        Token(
            run="run-1",
            step=1,
            index=99,
            id=1,
            piece="x",
            text="x",
            draft={"accepted": False, "piece": "x", "p": 0.5},
        ),
    ]
    # first with the run's own ids and channels, then with these poisoned too
    for keep in (("type", "run", "call", "channel", "finish", "stop_reason", "by"), ("type",)):
        poison = poisoned_events(events, payload, keep)
        documents = [
            page(poison),
            page(poison, title=payload),
            *(view.html(poison) for view in VIEWS.values()),
        ]
        for html in documents:
            parsed = read(html)
            assert payload in parsed.text
            assert not parsed.of_class("x") and "onerror" not in {
                name for item in parsed.elements for name in item[1]
            }
            assert not [item for item in parsed.elements if item[0] == "img"]


def test_a_thumbnail_carries_its_own_bytes_or_is_not_shown():
    context = Context(
        prompt="x",
        ids=[1],
        pieces=["x"],
        segments=[],
        n_tokens=1,
        media=[
            {
                "kind": "image",
                "name": "cat.png",
                "tokens": 64,
                "thumbnail": "data:image/png;base64,iVBORw0KGgo=",
            }
        ],
    )
    images = [item for item in read(page([context])).elements if item[0] == "img"]
    assert [item[1]["alt"] for item in images] == ["cat.png"]
    fetched = replace(
        context, media=[{**context.media[0], "thumbnail": "https://example.org/cat.png"}]
    )
    html = page([fetched])
    assert "example.org" not in html and "image cat.png: 64 tokens" in html


@pytest.mark.parametrize("name", RUNS)
def test_every_beginning_of_a_run_is_a_page(name):
    events = RUNS[name]
    for length in range(0, len(events) + 1, 4):
        parsed = read(page(events[:length]))
        unfinished = "was still running" in parsed.text
        assert unfinished == (0 < length < len(events)) or length == len(events)
    assert "no events" in read(page([])).text


@pytest.mark.parametrize("kind", VIEWS)
def test_a_stage_is_drawn_from_its_own_events(kind):
    types = {
        "context": {"context"},
        "tokens": {"prefill", "token", "model_end"},
        "parsed": {"parsed"},
        "check": {"check", "permission_request", "permission"},
        "tools": {"tool_start", "tool_end"},
        "model_card": {"model"},
    }
    said = {
        "context": "2.19% of the window",
        "tokens": "</think>",
        "parsed": "Each tray has 12 eggs",
        "check": "allowed, by the policy",
        "tools": "84",
        "model_card": "1.15 M parameters",
        "step": "Step 2",
        "turn": sample_events.ANSWER,
    }
    events = sample_events.two_steps()
    own = [event for event in events if event.type in types.get(kind, {event.type})]
    html = VIEWS[kind].html(own)
    assert html.startswith('<div class="agentloop" lang="en"><style>')
    assert said[kind] in read(html).text


def test_the_stage_that_ends_the_turn_says_so():
    parsed = [event for event in sample_events.two_steps() if event.type in ("parsed", "run_end")]
    assert read(VIEWS["parsed"].html(parsed)).of_class("answer")
    stopped = [parsed[0], RunEnd(run="run-1", stop_reason="timeout")]
    assert "the time limit was reached" in read(VIEWS["parsed"].html(stopped)).text
    assert "the time limit was reached" in VIEWS["parsed"].text(stopped)


def test_a_number_that_nobody_gave_is_not_zero():
    tokens = [Token(step=1, index=0, id=1, piece="x", text="x")]
    html = page(tokens)
    parsed = read(html)
    note = next(
        item[1]["title"] for item in parsed.elements if item[0] == "i" and "title" in item[1]
    )
    assert "p not given, rank not given, entropy not given\n" in note
    assert "p not given, candidates kept: not given" in note and "time not given" in note
    assert html.count("<td>not given</td>") == 7
    assert "tokens in: not given" in parsed.text and not re.search(r"(?<!\d)0%", parsed.text)
    assert "style" not in parsed.of_class("t")[0][1]
    assert "time not given" in read(page(sample_events.from_deltas())).text


def test_text_without_tokens_has_lanes_and_says_why_it_has_no_numbers():
    parsed = read(page(sample_events.from_deltas()))
    assert "Seven times twelve." in parsed.text and not parsed.of_class("t")
    assert "their numbers are not given" in parsed.text


def test_five_thousand_tokens():
    texts_of = ("the", " box", " has", " 12", " eggs", ",", "\n", " 模", "型")
    tokens = [
        sample_events.token(index, texts_of[index % 9], "thought", p=0.9) for index in range(5000)
    ]
    html = VIEWS["tokens"].html(tokens)
    parsed = read(html)
    assert len(parsed.of_class("t")) == 5000
    assert len(html.encode()) - len(STYLE) < 700 * 5000
    assert parsed.of_class("skip")[0][1]["href"][1:] in {
        item[1].get("id") for item in parsed.elements
    }


def test_traditional_chinese_is_whole():
    with language("zh-TW"):
        parsed = read(page(sample_events.two_steps()))
        text = parsed.text + read(page(sample_events.faulty())).text
        said = " ".join(
            value
            for item in parsed.elements
            for name, value in item[1].items()
            if name in ("title", "aria-label")
        )
    english = [
        entry["en"]
        for key, entry in texts().items()
        if key.startswith(("view.", "channel."))
        and "{" not in entry["en"]
        and " " in entry["en"].strip(", ")
    ]
    assert [words for words in english if words in text or words in said] == []
    assert "模型自己的分布（T = 1，未截斷）" in said and "第 2 步" in text


def test_themes():
    dark, light = page(RUNS["deltas"], theme="dark"), page(RUNS["deltas"], theme="light")
    assert 'data-theme="dark"' in dark and 'data-theme="light"' in light
    assert "data-theme=" not in re.sub(r"<style>.*</style>", "", page(RUNS["deltas"]))
    for rule in (
        "color-scheme: light dark",
        "data-jp-theme-light=false",
        ".vscode-dark",
        "[data-theme=dark]",
    ):
        assert rule in STYLE
    with pytest.raises(ValueError, match="blue"):
        page(RUNS["deltas"], theme="blue")


def test_two_views_of_one_run_do_not_share_an_id():
    events = sample_events.two_steps()
    both = "".join(VIEWS[kind].html(events) for kind in ("tokens", "step", "turn"))
    ids = re.findall(r' id="([^"]+)"', both)
    assert len(ids) == len(set(ids)) == 6


def test_parts_of_a_page_are_views_of_a_step():
    run = fold(sample_events.two_steps())
    card = step_html(run.steps[1], run.steps[0])
    assert card.startswith('<section class="step"') and "<style" not in card
    assert turn_html(run) == turn_html(sample_events.two_steps())


def test_the_model_card():
    parsed = read(VIEWS["model_card"].html([Model(card=sample_events.CARD)]))
    assert "1.15 M parameters" in parsed.text and "revision not given" in parsed.text
