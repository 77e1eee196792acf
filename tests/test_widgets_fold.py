"""The fold: the same records from a whole run, a beginning of one, a stage alone."""

import copy
from dataclasses import FrozenInstanceError, replace

import pytest
import sample_events

from agentloop_widgets.events import (
    Check,
    ChildEnd,
    ChildStart,
    CompactionEnd,
    CompactionStart,
    Delta,
    ModelEnd,
    Notice,
    ParsedOutput,
    Prefill,
    Problem,
    StepStart,
    Token,
    ToolEnd,
    ToolStart,
    Unknown,
    to_dict,
)
from agentloop_widgets.widgets import RunView, StepView, fold

RUNS = {
    "two steps": sample_events.two_steps(),
    "faulty": sample_events.faulty(),
    "deltas": sample_events.from_deltas(),
}


def test_a_run_is_joined():
    run = fold(sample_events.two_steps())
    assert run.id == "run-1" and run.question == sample_events.QUESTION
    assert run.card == sample_events.CARD and run.answer == sample_events.ANSWER
    first, second = run.steps
    assert (first.number, second.number) == (1, 2) and first.ended and second.ended
    assert first.n_tokens_in == 179 and first.n_tokens_out == len(first.tokens) == 53
    assert second.prefill.cached_tokens == 179 and second.calls == ()
    (call,) = first.calls
    assert call.arguments == {"code": sample_events.CODE} and call.raw.startswith("<function")
    assert call.check.ok and call.permission.allowed and call.end.result == "84\n"
    assert call.request.name == call.start.name == "run_python"


def test_lanes_keep_all_that_was_written():
    for step in fold(sample_events.two_steps()).steps:
        assert "".join(lane.text for lane in step.lanes) == step.model_end.raw
        assert [token for lane in step.lanes for token in lane.tokens] == list(step.tokens)
    channels = [lane.channel for lane in fold(sample_events.two_steps()).steps[0].lanes]
    assert channels == ["thought", "content", "tool_call"]


def test_phases_are_what_was_measured():
    phases = fold(sample_events.two_steps()).phases
    assert [(phase.step, phase.kind) for phase in phases] == [
        (1, "prefill"),
        (1, "decode"),
        (1, "tool"),
        (2, "prefill"),
        (2, "decode"),
    ]
    assert phases[2].name == "run_python" and phases[2].ms == 2.93
    (faulty,) = fold(sample_events.faulty()).steps
    assert [phase.kind for phase in faulty.phases] == ["prefill", "decode"]
    assert faulty.phases[1].ms == sum(token.ms for token in faulty.tokens), (
        "where no event says it, by the tokens"
    )


@pytest.mark.parametrize("name", RUNS)
def test_every_beginning_of_a_run_folds(name):
    events = RUNS[name]
    whole = fold(events)
    for length in range(len(events) + 1):
        part = fold(events[:length])
        assert len(part.steps) <= len(whole.steps)
        for step, whole_step in zip(part.steps, whole.steps, strict=False):
            assert whole_step.tokens[: len(step.tokens)] == step.tokens
            assert step.context in (None, whole_step.context)
    assert fold(events[:-1]).end is None and whole.end is not None


def test_a_live_step_counts_the_tokens_there_are():
    events = sample_events.two_steps()
    first_tokens = [event for event in events if isinstance(event, Token)][:7]
    (step,) = fold(events[: events.index(first_tokens[-1]) + 1]).steps
    assert step.n_tokens_out == 7 and step.model_end is None
    assert step.phases[-1].kind == "decode" and step.phases[-1].ms == pytest.approx(7 * 3.4)


def test_a_stage_alone():
    events = sample_events.two_steps()
    stage = [event for event in events if isinstance(event, ToolStart | ToolEnd)]
    run = fold(stage)
    assert run.id == "run-1" and run.start is None and run.question == ""
    (step,) = run.steps
    assert step.number == 1 and step.calls[0].end.result == "84\n"
    assert step.calls[0].check is None and step.calls[0].arguments is None


def test_events_without_stamps_make_steps_of_their_own():
    events = [
        StepStart(),
        Prefill(n_tokens=3, ms=1.0),
        StepStart(),
        Prefill(n_tokens=9, ms=1.0),
        Delta(channel="content", text="x"),
    ]
    run = fold(events)
    assert [step.n_tokens_in for step in run.steps] == [3, 9] and run.id is None
    assert run.steps[1].lanes[0].text == "x"


def test_arguments_come_from_the_permission_request_where_nothing_was_parsed():
    events = [event for event in sample_events.faulty() if event.type == "permission_request"]
    assert fold(events).steps[0].calls[0].arguments == {"name": "a.txt"}


def test_calls_of_one_id_stay_apart():
    calls = [{"id": "same", "name": "a", "arguments": {}}, {"id": "same", "name": "b"}]
    events = [
        ParsedOutput(thought="", content="", calls=calls),
        Check(call="same", name="a", ok=True),
        Check(call="same", name="b", ok=False),
        ToolEnd(call="same", name="a", result="1"),
    ]
    first, second = fold(events).steps[0].calls
    assert (first.name, first.check.ok, first.end.result) == ("a", True, "1")
    assert (second.name, second.check.ok, second.end) == ("b", False, None)


def test_calls_without_an_id_are_numbered():
    calls = [{"name": "a", "arguments": None}, {"name": "b", "arguments": "not a dict"}]
    first, second = fold([ParsedOutput(thought="", content="", calls=calls)]).steps[0].calls
    assert (first.id, second.id) == ("1", "2")
    assert first.arguments is None and second.arguments == "not a dict"


def test_notices_stay_where_they_were_said():
    run = fold(sample_events.faulty())
    assert [notice.kind for notice in run.steps[0].notices] == ["window"]
    assert [problem.kind for problem in run.problems] == ["steps"] and run.notices == ()
    assert run.unknown == (Unknown(kind="weather", content={"sky": "blue"}),) or run.unknown


def test_compactions_are_pairs_and_one_may_be_cut():
    start, end = CompactionStart(strategy="s", tokens=9), CompactionEnd(tokens=3)
    assert fold([start, end]).compactions == ((start, end),)
    assert fold([start]).compactions == ((start, None),)
    assert fold([end]).compactions == ((None, end),)
    assert fold([start, end, start]).compactions == ((start, end), (start, None))


def test_a_sub_agent_is_folded_under_its_child():
    events = [
        ChildStart(run="a", child="b", question="?"),
        ChildStart(run="b", child="c", question="??"),
        Notice(run="c", kind="n", text="deep"),
        ChildEnd(run="b", child="c", answer="!", state="done"),
        Token(run="b", step=1, index=0, id=1, piece="x", text="x"),
        ChildEnd(run="a", child="b", answer="!!", state="done"),
    ]
    run = fold(events)
    assert run.id == "a" and run.steps == ()
    child = run.children[0]
    assert child.end.answer == "!!" and child.run.steps[0].tokens[0].text == "x"
    assert child.run.children[0].run.notices[0].text == "deep"


def test_the_answer_is_known_as_soon_as_a_step_asks_for_nothing():
    events = sample_events.two_steps()
    assert fold(events[:-1]).answer == sample_events.ANSWER
    first = [event for event in events if event.step in (None, 1)][:-1]
    assert fold(first).answer == ""
    failed = [replace(event, final="") if event.type == "run_end" else event for event in events]
    assert fold(failed).answer == ""


@pytest.mark.parametrize("name", RUNS)
def test_the_fold_is_pure_and_frozen(name):
    events = RUNS[name]
    before = copy.deepcopy([to_dict(event) for event in events])
    assert fold(events) == fold(iter(events))
    assert [to_dict(event) for event in events] == before
    with pytest.raises(FrozenInstanceError):
        fold(events).id = "other"


def test_nothing_makes_an_empty_run():
    assert fold([]) == RunView() and StepView().lanes == () and StepView().phases == ()
    assert (
        fold([Problem(kind="k", text="t")]).problems
        and fold([Problem(kind="k", text="t")]).steps == ()
    )


def test_what_ended_without_a_time_has_none():
    (step,) = fold([Prefill(n_tokens=3, ms=1.0), ModelEnd(finish="stop_token")]).steps
    assert [phase.kind for phase in step.phases] == ["prefill"] and step.n_tokens_out is None
