"""The records that a live view draws: in both languages the text twin's words, strict JSON, whatever the events are."""

import copy
import dataclasses
import json

import pytest
import sample_events
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_widgets_damaged import LINES, ODD, PLACES, read, replaced

from agentloop_widgets.events import Check, ParsedOutput, ToolEnd, ToolStart
from agentloop_widgets.trace.strings import LANGUAGES, language, say
from agentloop_widgets.widgets import fold, turn_text
from agentloop_widgets.widgets.call_page import calls_html, faults_html, parsed_summary_html
from agentloop_widgets.widgets.drawing import LIMIT, drawable, run_record, step_record
from agentloop_widgets.widgets.run_words import run_chips
from agentloop_widgets.widgets.wording import duration

RUNS = {**sample_events.runs(), "everything": sample_events.everything()}


def joined(value, tongue: str) -> str:
    """A record's text as the page says it: in one language, what was cut put together."""
    if isinstance(value, dict):
        value = value[tongue]
    return value if isinstance(value, str) else "".join(joined(part, tongue) for part in value)


def texts_of(value) -> list[str]:
    """Every string in a JSON value."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in inner for text in texts_of(part)]


def records(events) -> list[dict]:
    run = fold(events)
    return [run_record(run), *map(step_record, run.steps)]


def check_records(events) -> None:
    """Records of a run: strict JSON that can be written as UTF-8, no text longer than may be drawn."""
    for record in records(events):
        written = json.dumps(record, allow_nan=False, ensure_ascii=False).encode("utf-8")
        assert json.loads(written) == record
        assert all(len(text) <= LIMIT for text in texts_of(record))


def squeezed(text: str) -> str:
    """Without the spaces and line breaks that a console's columns bring in."""
    return "".join(text.split())


@pytest.mark.parametrize("tongue", LANGUAGES)
@pytest.mark.parametrize("name", RUNS)
def test_the_words_are_the_text_twins(name, tongue):
    run = fold(RUNS[name])
    with language(tongue):
        twin = squeezed(turn_text(run))
        chips = run_chips(run)
    head = run_record(run)
    said = [joined(head["question"], tongue), head["answer"]]
    said += [joined(line[part], tongue) for line in head["remarks"] for part in ("label", "text")]
    assert [joined(chip, tongue) for chip in head["chips"]] == chips
    for step in map(step_record, run.steps):
        said += [joined(text, tongue) for text in (step["title"], *step["facts"], *step["notes"])]
        said += [joined(fault[0], tongue) for fault in (step["parsed"] or {"faults": []})["faults"]]
        said += [joined(line["text"], tongue) for line in step["remarks"]]
        for call in step["calls"]:
            for row in filter(None, (call["check"], call["permission"])):
                said += [joined(row["words"], tongue), *(fault[0] for fault in row["faults"])]
            said += [
                joined(call.get(part) or "", tongue)
                for part in ("signature", "state", "took", "media", "result", "error")
            ]
    assert [text for text in said if squeezed(text) not in twin] == []


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_the_names_of_rows_are_in_the_table_of_texts(tongue):
    words = run_record(fold([]))["words"]
    assert joined(words["parsed"], tongue) == say("view.parsed", tongue)
    assert joined(words["decode"], tongue) == say("view.phase.decode", tongue)
    assert all(joined(word, tongue) for word in words.values())


@pytest.mark.parametrize("name", RUNS)
def test_a_text_is_in_both_languages_where_they_differ(name):
    def check(value):
        if isinstance(value, dict) and set(value) & set(LANGUAGES):
            assert set(value) == set(LANGUAGES) and len(set(map(str, value.values()))) == 2
        elif isinstance(value, dict | list):
            for inner in value.values() if isinstance(value, dict) else value:
                check(inner)

    check(records(RUNS[name]))
    assert run_record(fold(RUNS[name]))["words"]["call"] == {"en": "call", "zh-TW": "呼叫"}


def test_a_whole_turn():
    run = fold(sample_events.two_steps())
    head, first, second = records(sample_events.two_steps())
    assert head["question"] == sample_events.QUESTION and head["answer"] == sample_events.ANSWER
    assert head["stop"] is None and head["ended"] and head["ms"] == 288.0
    assert joined(head["card"][0][0], "zh-TW") == "模型"
    assert first["phases"] == [
        ["prefill", 15.17, ""],
        ["decode", 161.77, ""],
        ["tool", 2.93, "run_python"],
    ]
    (call,) = first["calls"]
    assert call["signature"] == 'run_python(code="print(7 * 12)")' and call["arguments"] == []
    assert call["check"]["ok"] and call["permission"]["ok"] and call["result"] == "84"
    assert call["took"] == duration(2.93) and call["state"] == "" and not call["running"]
    assert not first["failed"] and not first["writing"] and second["calls"] == []
    assert len(run.steps) == 2 and second["parsed"]["content"] == sample_events.ANSWER


def test_what_went_wrong_is_told():
    head, step = records(sample_events.faulty())
    assert head["stop"]["bad"] and head["stop"]["label"]["en"] == "ended"
    assert head["stop"]["text"]["en"].endswith(say("view.no_answer", "en"))
    assert [line["label"]["en"] for line in head["remarks"]] == ["problem", "unknown"]
    assert step["failed"] and step["remarks"][0]["bad"] is False
    assert step["parsed"]["faults"] == [
        [
            "the call is not closed",
            {"en": "characters 9 to 20", "zh-TW": "第 9 到 20 個字元"},
            "<tool_call>oops",
        ]
    ]
    misfit, unknown, refused = step["calls"]
    assert [fault for (fault,) in misfit["check"]["faults"]] == [
        "the required argument code is missing",
        "cod is not an argument of run_python",
    ]
    assert unknown["check"]["ok"] is False and unknown["permission"] is None
    assert refused["permission"]["ok"] is False and refused["took"]["en"] == "not run"


def test_a_run_stopped_by_hand_has_not_failed():
    run = fold(sample_events.two_steps())
    stopped = dataclasses.replace(run.end, stop_reason="user_stopped", final="")
    record = run_record(dataclasses.replace(run, end=stopped))
    assert record["stop"]["bad"] is False and record["stop"]["text"]["en"].startswith("it was stop")


def test_children_and_compactions_stand_beside():
    lines = run_record(fold(sample_events.everything()))["remarks"]
    assert [line["label"]["en"] for line in lines] == ["shortened", "sub-agent", "unknown"]


# A run as it goes on.


def at_every_point(events):
    return [records(events[:end]) for end in range(len(events) + 1)]


def test_a_step_is_written_until_its_output_has_ended():
    events = sample_events.two_steps()
    states = []
    for _, *steps in at_every_point(events):
        states += [step["writing"] for step in steps[:1]]
    assert states[0] is True and states[-1] is False and states == sorted(states, reverse=True)
    assert run_record(fold([]))["ended"] is False and run_record(fold(events))["ended"] is True


def test_a_call_runs_between_its_start_and_its_end():
    events = sample_events.two_steps()
    start = next(place for place, event in enumerate(events) if isinstance(event, ToolStart))
    states = [
        records(events[:end])[1]["calls"][0] for end in range(start, start + 3)
    ]  # before, while, after
    assert [call["running"] for call in states] == [False, True, False]
    assert states[0]["state"]["en"] == "not run yet" and states[1]["state"]["en"] == "running"
    assert "result" not in states[1] and states[2]["result"] == "84"


def test_a_record_does_not_change_with_what_comes_later_in_other_steps():
    events = sample_events.two_steps()
    second = next(place for place, event in enumerate(events) if event.step == 2)
    before = records(events[:second])[1]
    assert all(records(events[:end])[1] == before for end in range(second, len(events)))


# Long, odd and damaged.


def test_a_result_of_a_megabyte_is_cut_and_the_number_of_characters_said():
    events = [
        dataclasses.replace(event, result="<b>" + "x" * 1_000_000 + "end")
        if isinstance(event, ToolEnd)
        else event
        for event in sample_events.two_steps()
    ]
    result = records(events)[1]["calls"][0]["result"]
    beginning, words, end = result
    assert beginning.startswith("<b>xxx") and end.endswith("xxend")
    assert len(beginning) + len(end) == LIMIT
    left_out = f"{1_000_006 - LIMIT:,}"
    assert left_out in words["en"] and left_out in words["zh-TW"]
    check_records(events)


def test_every_long_text_is_cut():
    long = "y" * (LIMIT + 1)
    parsed = ParsedOutput(
        step=1,
        thought=long,
        content=long,
        calls=[{"id": "a", "name": long, "arguments": {long: long}, "raw": long}],
        faults=[{"message": long, "text": long}],
    )
    check_records([sample_events.run_start(question=long, model=long), parsed])
    assert drawable("y" * LIMIT) == "y" * LIMIT and "1 character " in drawable(long)[1]["en"]


def test_numbers_and_halves_that_json_does_not_know_are_replaced():
    assert drawable([float("nan"), float("-inf"), 3.5, True]) == [None, None, 3.5, True]
    assert drawable({"a": ("\udc00b", None)}) == {"a": ["\ufffdb", None]}
    end = ToolEnd(step=1, call="a", name="\ud800", result="\udfff", ms=float("inf"))
    (_, step) = records([end])
    assert step["calls"][0]["result"] == "\ufffd" and step["phases"] == []


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("drawing") / "run.jsonl"


def test_damaged_traces_have_records(path):
    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.tuples(st.sampled_from(PLACES), ODD), min_size=1, max_size=6))
    def check(changes):
        lines = copy.deepcopy(LINES)
        for place, value in changes:
            replaced(lines, place, copy.deepcopy(value))
        check_records(read(lines, path).events)

    check()


@pytest.mark.parametrize("odd", [[], {}, [1], "x", -1, None, 1e308, 10**400], ids=repr)
def test_every_place_may_hold_anything(odd, path):
    for start in range(0, len(PLACES), 60):
        lines = copy.deepcopy(LINES)
        for place in PLACES[start : start + 60]:
            if len(place) > 2:
                replaced(lines, place, copy.deepcopy(odd))
        check_records(read(lines, path).events)


# The page without script draws the same.


def test_the_static_page_has_the_records_words():
    step = fold(sample_events.faulty()).steps[0]
    record = step_record(step)
    html = calls_html(step) + faults_html(step) + parsed_summary_html(step)
    for call in record["calls"]:
        assert call["check"]["words"]["en"] in html
        assert all(fault in html for (fault,) in call["check"]["faults"])
    assert record["parsed"]["summary"]["en"] in html
    assert record["parsed"]["faults"][0][1]["en"] in html


def test_a_check_of_a_call_that_nothing_else_is_known_of():
    (_, step) = records([Check(step=1, call="a", name="fly", ok=True)])
    assert step["calls"][0]["signature"] == "fly" and step["calls"][0]["check"]["ok"] is True
