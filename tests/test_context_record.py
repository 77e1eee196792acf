"""What the live view of a context is sent: the exact text comes back, token boundaries are the tokenizer's, and what a step before brought is not sent again."""

import copy
import dataclasses
import json
import re

import pytest
import sample_events
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scripted import ScriptedBackend, call_text
from test_widgets_damaged import LINES, ODD, PLACES, read, replaced, steps_counted

from agentloop_widgets import Turn
from agentloop_widgets.backends.base import encode_text
from agentloop_widgets.events import Context, ModelEnd, Request
from agentloop_widgets.trace.tape import common_prefix
from agentloop_widgets.widgets.context_record import (
    checksum,
    context_record,
    distances,
    token_starts,
    unit_counter,
)
from agentloop_widgets.widgets.folding import fold
from agentloop_widgets.widgets.odd_values import sendable
from agentloop_widgets.widgets.parts import control_spans
from agentloop_widgets.widgets.records import StepView


def units(text: str) -> list[str]:
    """A text as the code units that JavaScript counts."""
    coded = text.encode("utf-16-le")
    return [
        coded[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(coded), 2)
    ]


def text_of(units: list[str]) -> str:
    return "".join(units).encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def records_of(steps) -> list[tuple[StepView, dict]]:
    """Each step with its record, as a reader of strict JSON gets it."""
    befores = [None, *steps[:-1]]
    pairs = zip(steps, befores, strict=True)
    return [(step, strict(context_record(step, before))) for step, before in pairs]


def strict(record: dict) -> dict:
    return json.loads(json.dumps(record, allow_nan=False, ensure_ascii=False).encode("utf-8"))


def rebuilt(steps) -> list[dict]:
    """The contexts that a view makes of the records: {text, parts, control, literal, media, starts}."""
    contexts = {}
    for step, record in records_of(steps):
        if "text" not in record:
            continue
        base = contexts.get(record["base"], {"text": "", "raw": "", "starts": None})
        raw = record.get("raw", base["raw"])
        text = text_of(units(base["text"] + raw)[: record["keep"]] + units(record["text"]))
        assert len(units(text)) == record["length"] and checksum(text) == record["check"]
        context = {"text": text, "raw": "".join(token.text for token in step.tokens)}
        for name in ("parts", "control", "literal", "media"):
            shared = record[name]
            context[name] = base.get(name, [])[: shared["kept"]] + shared["rest"]
        context["starts"] = starts_of(record["starts"], base["starts"])
        contexts[step.number] = context
    return list(contexts.values())


def starts_of(shared, before):
    if shared is None:
        return None
    starts = (before or [])[: shared["kept"]]
    for code, long in re.findall(r"(\((\d+)\)|.)", shared["rest"]):
        starts.append((starts[-1] if starts else 0) + (int(long) if long else ord(code) - 48))
    return starts


QUESTION = "一盒有 12 顆蛋 🥚🥚，七盒呢？ How many?"


@pytest.fixture(scope="module")
def steps(llm):
    """A turn's steps, of a real tokenizer and template; what is asked and written has characters of two code units."""
    outputs = [
        f"想一想 🥚.\n</think>\n\n{call_text(code='print(7 * 12) # 🥚')}",
        f"Once more.\n</think>\n\n{call_text(code='84')}",
        "Done.\n</think>\n\n84",
    ]
    return fold(Turn(ScriptedBackend(llm, *outputs), QUESTION).run().events).steps


def test_every_prompt_of_a_turn_comes_back(steps):
    assert len(steps) == 3 and "🥚" in steps[2].context.prompt
    contexts = rebuilt(steps)
    assert [context["text"] for context in contexts] == [step.context.prompt for step in steps]
    assert [record["base"] for _, record in records_of(steps)] == [None, 1, 2]
    assert not any("raw" in record for _, record in records_of(steps))


def test_the_parts_and_marks_are_those_of_the_prompt(steps):
    for step, context in zip(steps, rebuilt(steps), strict=True):
        text = units(context["text"])
        assert "".join("".join(text[part[1] : part[2]]) for part in context["parts"]) == "".join(
            text
        )
        assert sum(part[3] for part in context["parts"]) == step.context.n_tokens
        signs = [step.context.prompt[start:end] for start, end in control_spans(step.context)]
        assert [text_of(text[start:end]) for start, end in context["control"]] == signs
        assert "<|im_start|>" in signs


def test_what_is_new_is_marked(steps):
    first, second, _ = (record for _, record in records_of(steps))
    assert first["added_from"] == 0 and first["spelled_from"] > 0
    assert QUESTION in text_of(units(first["text"])[first["spelled_from"] :])
    whole = rebuilt(steps)[1]
    assert [part[0] for part in whole["parts"] if part[4]][-2:] == ["tool", "assistant"]
    new = text_of(units(whole["text"])[second["added_from"] :])
    assert new == steps[1].context.prompt[steps[1].context.added_from :] and "84" in new


TEXTS = [
    QUESTION,
    "🥚👩‍👩‍👧 你好，世界 ¡olé! Ελλάδα שלום",
    "a\u0301 \t\n\n  end \u1112\u1161\u11ab Vie\u0323\u0302t e\u0301\u0301",
    "\U0001f1f9\U0001f1fc𠮷野家",
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_tokens_begin_where_the_tokenizer_says(llm, text):
    encoded = encode_text(llm.tokenizer, f"<|im_start|>user\n{text}<|im_end|>\n")
    pieces = llm.pieces(encoded.ids)
    assert token_starts(encoded.text, pieces) == encoded.starts
    context = Context(
        prompt=encoded.text, ids=encoded.ids, pieces=pieces, segments=[], n_tokens=encoded.n_tokens
    )
    count = unit_counter(encoded.text)
    (whole,) = rebuilt([StepView(1, context=context)])
    assert whole["starts"] == [count(start) for start in encoded.starts]


def test_the_real_turn_tells_where_its_tokens_begin(llm, steps):
    for step, context in zip(steps, rebuilt(steps), strict=True):
        assert context["starts"] is not None and len(context["starts"]) == len(step.context.ids)
        count = unit_counter(step.context.prompt)
        starts = [count(at) for at in token_starts(step.context.prompt, step.context.pieces)]
        assert context["starts"] == starts


def test_spellings_that_are_not_the_prompt_claim_nothing():
    for prompt, pieces in [
        ("ab", ["a"]),
        ("ab", ["a", "b", "c"]),
        ("ab", ["a", "x"]),
        ("甲", ["<0xE7>", "<0x94>"]),
        ("甲", ["<0xE7>", "<0x95><0xB2>"]),
        ("a甲", ["a", "<0xE7>", "a"]),
    ]:
        assert token_starts(prompt, pieces) is None
    assert token_starts("<0xE7>", ["<0xE7>"]) == [0]
    assert token_starts("", []) == []


@given(st.lists(st.integers(0, 300), max_size=20), st.integers(0, 20))
def test_distances_are_read_back(steps, kept):
    starts = [sum(steps[: at + 1]) for at in range(len(steps))]
    kept = min(kept, len(starts))
    shared = {"kept": kept, "rest": distances(starts, kept)}
    assert starts_of(shared, starts) == starts
    assert json.dumps(shared["rest"]) == f'"{shared["rest"]}"'


def test_a_later_step_costs_what_is_new(steps):
    sizes = [len(json.dumps(record, ensure_ascii=False)) for _, record in records_of(steps)]
    fresh = len(steps[1].context.prompt) - common_prefix(
        steps[0].context.prompt + steps[0].model_end.raw, steps[1].context.prompt
    )
    assert sizes[1] < sizes[0] and sizes[1] < 2600 + 4 * fresh
    long = _long_steps(2_000)
    first, second = (len(json.dumps(record)) for _, record in records_of(long))
    assert first > 100_000 and second < 2_000


def _long_steps(lines: int) -> list[StepView]:
    """Two steps, of which the second adds one line to very many."""
    pieces = [
        "<|im_start|>",
        "user",
        "\n",
        "egg ",
        "and 蛋",
        " and so on, line after line",
        "\n",
    ] * lines
    contexts = [_context(pieces), _context([*pieces, "one ", "more"])]
    contexts[1] = dataclasses.replace(contexts[1], added_from=len(contexts[0].prompt))
    return [StepView(number, context=context) for number, context in enumerate(contexts, 1)]


def _context(pieces: list[str]) -> Context:
    prompt = "".join(pieces)
    segment = {
        "role": "user",
        "kind": "text",
        "start": 0,
        "end": len(prompt),
        "n_tokens": len(pieces),
    }
    return Context(
        prompt=prompt,
        ids=[],
        pieces=pieces,
        segments=[segment],
        n_tokens=len(pieces),
        context_length=10**6,
    )


def test_the_work_grows_as_the_context():
    few, many = _long_steps(100), _long_steps(400)
    context_record(few[1], few[0])
    few_steps = steps_counted(lambda: context_record(few[1], few[0]))
    assert steps_counted(lambda: context_record(many[1], many[0])) < 5 * few_steps


def test_what_was_rewritten_and_dropped_is_said_in_the_units_of_the_step_before():
    before = StepView(1, context=_context(["🥚", "one\n", "two\n"]), model_end=_end("three"))
    context = dataclasses.replace(_context(["🥚", "uno\n"]), rewritten=[[1, 5]], dropped=[[5, 99]])
    record = strict(context_record(StepView(2, context=context), before))
    assert (record["rewritten"], record["dropped"]) == ([[2, 6]], [[6, 15]])
    assert record["raw"] == "three" and set(record["changed"]) == {"en", "zh-TW"}


def _end(raw: str) -> ModelEnd:
    return ModelEnd(finish="stop_token", n_tokens=1, raw=raw)


def test_the_base_is_an_earlier_step_or_none():
    context = _context(["a", "b"])
    for number, before in [(1, 1), (1, 2), (None, 1), (2, None), (0, 0)]:
        record = context_record(
            StepView(number, context=context), StepView(before, context=context)
        )
        assert record["base"] is None and record["text"] == "ab" and record["keep"] == 0
    assert context_record(StepView(2, context=context), StepView(1))["base"] is None


def test_hostile_text_is_kept_as_it_is_but_for_lone_surrogates():
    text = "</script><b>\0\u202e\ufeff\u2028\r\n"
    context = _context([text, "\ud800", "\udc00", "end"])
    record = strict(context_record(StepView(1, context=context)))
    assert record["text"] == text + "\ufffd\ufffd" + "end"
    assert record["starts"] == {
        "kept": 0,
        "rest": distances([0, len(text), len(text) + 1, len(text) + 2]),
    }
    assert sendable(["\ud800"]) == "['\\ud800']"


def test_media_are_pictures_or_nothing_and_are_sent_once():
    safe = "data:image/png;base64,AAAA"
    media = [
        {"kind": "image", "name": "<b>", "tokens": 64, "thumbnail": safe},
        {"kind": "image", "name": "far", "tokens": 64, "thumbnail": "https://example.org/x.png"},
        {"kind": "image", "name": "odd", "thumbnail": "data:image/svg+xml;base64,AAAA"},
    ]
    context = dataclasses.replace(_context(["a"]), media=media)
    first, second = StepView(1, context=context), StepView(2, context=context)
    rest = context_record(first)["media"]["rest"]
    assert [item["thumbnail"] for item in rest] == [safe, None, None]
    assert rest[0]["label"] == {"en": "image <b>: 64 tokens", "zh-TW": "圖片 <b>：64 個 token"}
    assert context_record(second, first)["media"] == {"kept": 3, "rest": []}


def test_a_request_is_its_payload_as_text():
    record = context_record(
        StepView(1, request=Request(payload={"model": "蛋", "x": float("nan")}))
    )
    assert json.loads(record["request"])["model"] == "蛋" and list(record) == ["request"]
    assert context_record(StepView(1)) == {}


def test_parts_that_leave_something_out_are_filled_up():
    segments = [
        {"role": "user", "kind": "text", "start": 2, "end": 4, "n_tokens": 1},
        {"role": "tool", "kind": "text", "start": 3, "end": 5, "n_tokens": 1},
    ]
    context = dataclasses.replace(_context(["ab", "cd", "ef", "gh"]), segments=segments)
    parts = context_record(StepView(1, context=context))["parts"]["rest"]
    assert [part[:3] for part in parts] == [("", 0, 2), ("user", 2, 4), ("tool", 4, 5), ("", 5, 8)]


def check_damaged(events) -> None:
    """Every context of these events has a record from which it comes back."""
    for step in (steps := fold(events).steps):
        for before in (None, *steps):
            strict(context_record(step, before))
    texts = [sendable(step.context.prompt) for step in steps if step.context]
    if len({step.number for step in steps}) == len(steps):
        assert [context["text"] for context in rebuilt(steps)] == texts


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("context") / "run.jsonl"


def test_a_damaged_trace_has_records(path):
    places = [
        place
        for place in PLACES
        if LINES[place[0]]["type"] in ("context", "request", "model_end", "token")
    ]

    @settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(st.sampled_from(places), ODD, st.booleans()), min_size=1, max_size=6))
    def check(changes):
        lines = copy.deepcopy(LINES)
        for place, value, delete in changes:
            replaced(lines, place, copy.deepcopy(value), delete=delete and value is None)
        check_damaged(read(lines, path).events)

    check_damaged(sample_events.everything())
    check()


def test_odd_numbers_and_ranges_are_taken_for_nothing():
    odd = [[], [1], [9, 3], [-5, 10**9], [2**70, 2**71], [1, 2, 3]]
    context = dataclasses.replace(
        _context(["ab", "c"]),
        literal=odd,
        rewritten=odd,
        dropped=odd,
        added_from=-3,
        n_tokens=2**63,
        cached_tokens=True,
    )
    base = StepView(1, context=_context(["ab"]))
    for before in (None, base):
        record = strict(context_record(StepView(2, context=context), before))
        assert (
            record["n_tokens"] is None
            and record["cached_tokens"] is None
            and record["added_from"] == 0
        )
        assert record["literal"]["rest"] == [[0, 3]]
