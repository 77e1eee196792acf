"""The text twin: it says what the page says, in 88 columns, and obeys nothing that a model writes."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import sample_events

import agentloop_widgets.widgets as widgets
from agentloop_widgets.events import (
    Context,
    Model,
    ModelEnd,
    Prefill,
    RunStart,
    Token,
    from_dict,
    to_dict,
)
from agentloop_widgets.trace.strings import language, say, texts
from agentloop_widgets.widgets import VIEWS, fold, step_text, tokens_text, turn_text
from agentloop_widgets.widgets.columns import WIDTH, display_width

RUNS = sample_events.runs()
HOSTILE = "\x1b[31mred\x1b]0;title\x07 \u202egnp.exe \x9b2J \r\n\x00 end"


def squeezed(text):
    """The text on one line: what it says, however it is wrapped (a line also breaks for a dot)."""
    return " ".join(text.replace("·", " ").split())


def test_the_numbers_that_matter_are_there():
    text = squeezed(turn_text(sample_events.two_steps()))
    for said in (
        sample_events.QUESTION,
        sample_events.ANSWER,
        "embedded · 1.15 M",
        "T 1 · top-p 0.95 · top-k off · seed 5",
        "thinking on",
        "tools: run_python",
        "179 tokens in · 53 out · prefill 15 ms · decode 162 ms · 290 tok/s · stopped by <|im_end|>",
        "179 of 8,192 tokens, 2.19% of the window",
        "tools 133",
        "result 13 ██ new 13",
        "│ <tool_response> │ 84 │ </tool_response><|im_end|>",
        "thinking Each tray has 12 eggs",
        "#2 ' tray' · p 4.24% · rank 8 · after the settings p 4.46%, 660 candidates kept",
        "likelier: ' box' 6.36%",
        'call run_python(code="print(7 * 12)")',
        "check fits its schema",
        "permission allowed, by the policy: it runs in the sandbox",
        "result 84 2.9 ms",
        "prefill 33 ms · decode 237 ms · tool 2.9 ms · turn 288 ms",
        "ended the answer was given",
    ):
        assert squeezed(said) in text, said


def test_what_went_wrong_is_there():
    text = squeezed(turn_text(sample_events.faulty()))
    for said in (
        "cut at the limit of new tokens",
        "fault the call is not closed: '<tool_call>oops'",
        "check does not fit fault the required argument code is missing fault cod is not an argument",
        "fault there is no tool fly",
        "permission refused, by the user error not allowed not run",
        "notice the window is 90 % full",
        "problem no answer after 1 step",
        "1 changed, 1 left out",
        "does not know or cannot read, kept in the record: weather",
        "answer There is no answer.",
        "ended the limit of steps was reached before an answer",
    ):
        assert squeezed(said) in text, said


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("tongue", ["en", "zh-TW"])
def test_every_view_of_every_beginning_keeps_to_its_columns(name, tongue):
    events = RUNS[name]
    with language(tongue):
        for length in range(0, len(events) + 1, 3):
            for kind, view in VIEWS.items():
                text = view.text(events[:length])
                assert text.strip(), kind
                assert max(map(display_width, text.split("\n"))) <= WIDTH, kind


def test_a_number_that_nobody_gave_is_not_zero():
    text = squeezed(turn_text(sample_events.from_deltas()))
    assert "tokens in: not given tokens out: not given" in text
    assert "prefill not given" in text and "time not given" in text
    assert not re.search(r"\b0(\.0)? (ms|tok|tokens|out)", text)
    (step,) = fold([Token(index=0, id=1, piece="x", text="x")]).steps
    every = squeezed(tokens_text(step, every=True))
    assert (
        "p not given rank not given after the settings p not given, candidates kept: not given"
        in every
    )


def test_every_token_can_be_listed():
    step = fold(sample_events.two_steps()).steps[0]
    every = tokens_text(step, every=True)
    assert every.count("· rank ") == len(step.tokens) > tokens_text(step).count("· rank ")


def hostile(value):
    """The value with every text in it made hostile."""
    if isinstance(value, str):
        return value + HOSTILE
    if isinstance(value, dict):
        return {key: hostile(item) for key, item in value.items()}
    return [hostile(item) for item in value] if isinstance(value, list) else value


def hostile_events(events):
    """The events with hostile text in every field that holds text."""
    made = []
    for event in events:
        values = to_dict(event)
        kept = {
            name: values[name] for name in ("type", "run", "call", "id", "child") if name in values
        }
        made.append(from_dict({**hostile(values), **kept}))
    return made


@pytest.mark.parametrize("name", RUNS)
def test_nothing_is_obeyed_by_a_terminal(name):
    events = hostile_events(RUNS[name])
    for kind, view in VIEWS.items():
        text = view.text(events)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text), kind
    assert "\u241b[31mred" in turn_text(events)


def test_wide_characters_and_long_words():
    long_word = "x" * 300
    question = "請問七個盒子裡有幾顆雞蛋？每個盒子有十二顆，" * 6
    events = sample_events.two_steps()
    events[0] = replace(events[0], question=question, tools=[long_word])
    text = turn_text(events)
    assert max(map(display_width, text.split("\n"))) <= WIDTH
    assert question in re.sub(r"\n\s+", "", text) and "x" * 300 in re.sub(r"\n\s+", "", text)
    assert not any(line.strip().startswith(("，", "？")) for line in text.split("\n"))


def test_traditional_chinese_is_whole():
    with language("zh-TW"):
        text = turn_text(sample_events.two_steps()) + turn_text(sample_events.faulty())
    chinese_only = [
        entry["en"]
        for key, entry in texts().items()
        if key.startswith(("view.", "channel."))
        and "{" not in entry["en"]
        and " " in entry["en"].strip(", ")
    ]
    assert [english for english in chinese_only if english in text] == []
    for said in ("第 1 步", "思考", "工具呼叫", "符合 schema", "結束原因", "套用取樣設定後"):
        assert said in text


def test_a_drafter_and_a_provider_are_told_of():
    events = [
        Token(index=0, id=1, piece="a", text="a", p=0.5, draft={"accepted": True, "p": 0.9}),
        ModelEnd(
            finish="stop_token",
            mtp={"drafted": 4, "accepted": 3, "forwards": 2},
            usage={"prompt_tokens": 7},
        ),
    ]
    text = squeezed(step_text(fold(events).steps[0]))
    assert "3 of 4 guesses accepted, 2 passes" in text and "prompt_tokens 7" in text
    assert "the model ended its turn" in text


def test_a_call_of_several_lines_keeps_them():
    code = "import math\nfor n in range(3):\n    print(n)"
    events = [
        replace(event, calls=[{**event.calls[0], "arguments": {"code": code}}])
        if event.type == "parsed" and event.calls
        else event
        for event in sample_events.two_steps()
    ]
    text = turn_text(events)
    assert (
        "  code      import math\n            for n in range(3):\n                print(n)\n"
        in text
    )


def test_a_context_says_what_is_not_counted():
    context = Context(
        prompt="Hello",
        ids=[1],
        pieces=["Hello"],
        segments=[{"role": "user", "kind": "text", "start": 0, "end": 5, "n_tokens": None}],
        n_tokens=1,
        media=[{"kind": "image", "name": "a.png", "tokens": None}],
    )
    text = VIEWS["context"].text([context])
    assert "1 tokens; the window's size is not given" in text and "5 characters" in text
    assert "image a.png: tokens not given" in text


def test_a_stage_says_what_has_not_happened():
    assert "No token has been written yet" in VIEWS["tokens"].text([Prefill(n_tokens=3, ms=1.0)])
    assert "has not been read yet" in VIEWS["parsed"].text([ModelEnd(finish="stop_token")])
    checked = [event for event in sample_events.two_steps() if event.type == "check"]
    assert "not run yet" in VIEWS["tools"].text(checked)
    assert VIEWS["check"].text([]) == say("view.no_events")


def test_the_model_card_is_listed():
    text = VIEWS["model_card"].text([Model(card=sample_events.CARD)])
    assert (
        "parameters              1,150,000" in text and "revision                not given" in text
    )
    assert "sampling T 1 top-k 20" in squeezed(text)
    start = [RunStart(harness="turn", model="m")]
    assert VIEWS["model_card"].text(start) == say("view.no_card")


def test_every_text_of_the_views_is_used():
    source = "".join(
        path.read_text(encoding="utf-8") for path in Path(widgets.__file__).parent.glob("*.py")
    )
    patterns = [
        re.sub(r"\\{[^{}]*\\}", r"\\w+", re.escape(found))
        for found in re.findall(r'f"(view\.[^"]*{[^"]*})"', source)
        + re.findall(r"f'(view\.[^']*{[^']*})'", source)
    ]
    unused = []
    for key in texts():
        base = re.sub(r"\.(one|none)$", "", key)
        named = f'"{base}"' in source or f"'{base}'" in source
        named = named or any(re.fullmatch(pattern, base) for pattern in patterns)
        if key.startswith("view.") and not named:
            unused.append(key)
    assert unused == []
