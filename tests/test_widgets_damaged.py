"""A file that was damaged or written by hand: it is read and drawn, whatever stands in it, and no view meets a field of the wrong type."""

import copy
import dataclasses
import json
import sys
import tempfile
import typing
import warnings
from itertools import pairwise
from pathlib import Path

import pytest
import sample_events
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentloop_widgets.events import EVENT_TYPES, Context, Token, Unknown, from_dict, to_dict
from agentloop_widgets.trace import Trace, replay
from agentloop_widgets.widgets import VIEWS
from agentloop_widgets.widgets.parts import control_spans, marked_parts, marked_text

NUMBERS = [3, -1, 0, 0.5, 1e308, -2.5, 10**400, float("nan"), float("inf")]
LISTS = [
    [],
    [1],
    [None],
    ["a"],
    [{}],
    [[]],
    [[1]],
    [[1, 2, 3]],
    [["a", "b"]],
    [[9, 3], [-5, 10**9]],
]
DICTS = [{}, {"a": 1}, {"id": [], "p": "x"}, {"start": 3, "end": 1}]
TEXTS = ["", "x", "3", "\ud800", "tools", "stop_token"]
ODD = st.sampled_from([None, True, *NUMBERS, *LISTS, *DICTS, *TEXTS])


def lines_of(events) -> list[dict]:
    """The lines that a trace's file has of these events, the header first."""
    return [json.loads(line) for line in saved_text(Trace(events)).splitlines()]


def saved_text(trace) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return trace.save(Path(folder, "run.jsonl")).read_text(encoding="utf-8")


LINES = lines_of(sample_events.everything())


def read(lines, path) -> Trace:
    """The trace that these lines (texts, or values to be written as JSON) are read as."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return replay(path)


def draw(events) -> None:
    """Every view in every form."""
    for view in VIEWS.values():
        assert view.text(events).strip()
        assert view.html(events).startswith("<div") and view.document(events).endswith("</html>\n")


def places(value, path=()) -> list[tuple]:
    """The paths of everything that stands in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, item in inner:
        found.append((*path, key))
        if isinstance(item, dict | list):
            found += places(item, (*path, key))
    return found


PLACES = [(at, *path) for at, line in enumerate(LINES) if at for path in places(line)]
PLACES = [path for path in PLACES if not {"pieces", "ids"} & set(path[1:-1]) or path[-1] == 0]


def replaced(lines, path, value=None, *, delete=False) -> None:
    """Put a value at a path, or take away what is there; nothing where the path leads nowhere any more."""
    inner = lines
    for key in path[:-1]:
        inner = inner[key] if has(inner, key) else None
    if not has(inner, path[-1]):
        return
    if delete:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value


def has(inner, key) -> bool:
    if isinstance(inner, dict):
        return key in inner
    return isinstance(inner, list) and isinstance(key, int) and key < len(inner)


def test_the_sample_has_every_type_of_event():
    assert {line["type"] for line in LINES} == {*EVENT_TYPES, "header", "weather"}
    draw(sample_events.everything())


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("damaged") / "run.jsonl"


def test_a_damaged_trace_is_read_and_drawn(path):
    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(st.sampled_from(PLACES), ODD, st.booleans()), min_size=1, max_size=6))
    def check(changes):
        lines = copy.deepcopy(LINES)
        for place, value, delete in changes:
            replaced(lines, place, copy.deepcopy(value), delete=delete and value is None)
        draw(read(lines, path).events)

    check()


def test_lost_cut_and_repeated_lines_are_read_and_drawn(path):
    at = st.integers(1, len(LINES) - 1)

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(at, st.sampled_from(["lose", "cut", "repeat", "move"])), max_size=5))
    def check(changes):
        lines = list(LINES)
        for index, change in changes:
            line = lines.pop(min(index, len(lines) - 1)) if len(lines) > 1 else {}
            if change == "cut":
                lines.insert(index, json.dumps(line)[: 7 * index])
            elif change != "lose":
                lines[index:index] = [line] * (2 if change == "repeat" else 1)
        draw(read([LINES[0], *lines[1:]], path).events)

    check()


@pytest.mark.parametrize("odd", [[], {}, [1], "x", -1, True, None, 1e308, 10**400], ids=repr)
def test_every_place_may_hold_anything(odd, path):
    for start in range(0, len(PLACES), 60):
        lines = copy.deepcopy(LINES)
        inner = [place for place in PLACES[start : start + 60] if len(place) > 2]
        for place in inner:
            replaced(lines, place, copy.deepcopy(odd))
        draw(read(lines, path).events)
    for start in range(3):
        lines = copy.deepcopy(LINES)
        for line in lines[1:]:
            for name in list(line)[start::3]:
                if name != "type":
                    line[name] = copy.deepcopy(odd)
        draw(read(lines, path).events)


def test_dicts_nested_as_deeply_as_a_file_may_have_them_are_drawn():
    events = sample_events.everything()
    depth = 0.9 * sys.getrecursionlimit()
    deep = json.loads("[" * int(depth) + "]" * int(depth))
    for event in events:
        for field in dataclasses.fields(event):
            value = getattr(event, field.name)
            for inner in value if isinstance(value, list) else [value]:
                if isinstance(inner, dict):
                    for key in [*inner, "odd"]:
                        changed = {**inner, key: deep}
                        whole = [changed] if isinstance(value, list) else changed
                        draw([dataclasses.replace(event, **{field.name: whole})])


WRONG = {
    str: [None, 1, True, [], {}],
    int: [None, "1", 1.5, True, [], {}, 2**63, -(2**63) - 1],
    float: [None, "1", True, [], {}, float("nan"), float("inf"), 10**400],
    bool: [None, 0, 1, "true", [], {}],
    dict: [None, [], "a", 1],
}


def wrong_values(hint) -> list:
    """Values that a field of this type cannot have."""
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is list:
        inner = [[value] for value in wrong_values(arguments[0])]
        return [None, {}, "ab", 3, *inner]
    if arguments:
        (inner,) = (part for part in arguments if part is not type(None))
        return [value for value in wrong_values(inner) if value is not None]
    return WRONG[hint]


@pytest.mark.parametrize("kind", EVENT_TYPES.values(), ids=EVENT_TYPES)
def test_a_field_of_the_wrong_type_makes_the_event_unknown(kind):
    hints = typing.get_type_hints(kind)
    whole = to_dict(next(e for e in sample_events.everything() if type(e) is kind))
    assert type(from_dict(whole)) is kind
    for field in dataclasses.fields(kind):
        for value in wrong_values(hints[field.name]) if field.name != "extra" else ():
            values = {**whole, field.name: value}
            event = from_dict(values)
            assert isinstance(event, Unknown), (field.name, value)
            assert to_dict(event) is not values and repr(to_dict(event)) == repr(values)


def test_a_whole_number_stands_for_one_with_a_fraction_and_a_tuple_for_a_list():
    assert from_dict({"type": "prefill", "n_tokens": 3, "ms": 4}).ms == 4
    values = to_dict(Token(index=0, id=1, piece="a", text="a", top=({"id": 1},)))
    assert isinstance(from_dict(values), Token)


def test_the_types_of_a_class_are_looked_up_once(monkeypatch):
    from agentloop_widgets.events import codec

    codec._checks.cache_clear()
    looked_up = []
    hints = codec.get_type_hints
    monkeypatch.setattr(codec, "get_type_hints", lambda kind: looked_up.append(kind) or hints(kind))
    for _ in range(50):
        assert isinstance(
            from_dict({"type": "delta", "channel": "content", "text": "x"}), EVENT_TYPES["delta"]
        )
    assert looked_up == [EVENT_TYPES["delta"]]


def literal_context(messages, literals=True) -> Context:
    """A conversation of so many messages, each of which spells one control token."""
    prompt, segments, literal = "", [], []
    for number in range(messages):
        start = len(prompt)
        prompt += "<|im_start|>user\n"
        if literals:
            literal.append([len(prompt), len(prompt) + 10])
        prompt += "<|im_end|> hello<|im_end|>\n"
        role = ("user", "assistant")[number % 2]
        segments.append(
            {"role": role, "kind": "text", "start": start, "end": len(prompt), "n_tokens": 9}
        )
    pieces = ["<|im_start|>", "<|im_end|>", "hello"]
    return Context(
        prompt=prompt,
        ids=[],
        pieces=pieces,
        segments=segments,
        n_tokens=9 * messages,
        literal=literal,
    )


def steps_counted(function) -> int:
    """How many lines of Python, and how often a loop's line again, it takes to run a function."""
    counted, before = 0, sys.gettrace()

    def step(frame, event, argument):
        nonlocal counted
        counted += 1
        return step

    sys.settrace(step)
    try:
        function()
    finally:
        sys.settrace(before)
    return counted


@pytest.mark.parametrize("literals", [True, False])
@pytest.mark.parametrize("view", ["context", "turn"])
def test_the_work_for_a_context_grows_as_its_messages(view, literals):
    few, many = ([literal_context(messages, literals)] for messages in (50, 200))

    def draw_both(events):
        VIEWS[view].html(events)
        VIEWS[view].text(events)

    draw_both(few)
    assert steps_counted(lambda: draw_both(many)) < 5 * steps_counted(lambda: draw_both(few))


SIGNS = ("<|a|>", "<|b>", "<c|>", "<think>", "</think>")


@given(
    st.lists(st.sampled_from([*SIGNS, "<", "|", ">", "x", " ", "\n", "<a"]), max_size=30),
    st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), max_size=6),
    st.lists(st.integers(0, 90), min_size=2, max_size=6),
)
def test_marks_are_what_one_look_at_every_place_finds(bits, literal, cuts):
    prompt = "".join(bits)
    context = Context(prompt=prompt, ids=[], pieces=[*SIGNS, "x"], segments=[], n_tokens=1)
    context = dataclasses.replace(context, literal=[list(pair) for pair in literal])
    found = [
        (at, at + len(sign))
        for at in range(len(prompt))
        for sign in SIGNS
        if prompt.startswith(sign, at)
        and not any(at < last and first < at + len(sign) for first, last in literal)
    ]
    assert control_spans(context) == found
    bounds = list(pairwise(sorted(min(cut, len(prompt)) for cut in cuts)))
    parts = marked_parts(context, bounds)
    assert parts == [marked_text(context, *bound) for bound in bounds]
    kinds = [mark.kind for mark in marked_text(context) for _ in mark.text]
    for (start, end), marks in zip(bounds, parts, strict=True):
        assert "".join(mark.text for mark in marks) == prompt[start:end]
        assert [mark.kind for mark in marks for _ in mark.text] == kinds[start:end]
    assert all(kinds[start:end] == ["control"] * (end - start) for start, end in found)
