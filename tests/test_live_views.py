"""Views that follow a run: what is sent, what is shown, what stays. Without a kernel: what would be displayed is caught."""

import json
import threading
import time
import warnings
from itertools import pairwise

import hostile
import pytest
import sample_events
import streams
from hypothesis import given, settings
from hypothesis import strategies as some
from scripted import ScriptedBackend

from agentloop_widgets import Trace, Turn, replay
from agentloop_widgets.events import RunEnd, StepStart, Token, stamp
from agentloop_widgets.harness import StageError
from agentloop_widgets.trace import viewing
from agentloop_widgets.trace.settings_file import settings as library_settings
from agentloop_widgets.widgets import ContextView, ModelCard, StepCard, TokenView, TurnView
from agentloop_widgets.widgets.block import unpacked
from agentloop_widgets.widgets.feed import NEEDS, Feed
from agentloop_widgets.widgets.packing import ROW, rows_of
from agentloop_widgets.widgets.stream import Stream

VIEWS = {
    "tokens": TokenView,
    "context": ContextView,
    "step": StepCard,
    "turn": TurnView,
    "model_card": ModelCard,
}


def strict(values) -> str:
    """JSON as a browser reads it: no NaN, no half of a surrogate pair."""
    return json.dumps(values, allow_nan=False, default=lambda data: data.hex()).encode().decode()


# The feed.


@pytest.mark.parametrize("kind", NEEDS)
@pytest.mark.parametrize(
    "events",
    [sample_events.everything(), hostile.events(), []],
    ids=["everything", "hostile", "nothing"],
)
def test_whatever_is_sent_is_strict_json(kind, events):
    feed = Feed(kind)
    feed.add(events)
    feed.close()
    assert strict(feed.take() or {}) and strict(feed.snapshot())
    assert "\\ud800" not in strict(feed.snapshot())


@settings(max_examples=40, deadline=None)
@given(some.lists(some.integers(0, 40), max_size=8), some.sampled_from(sorted(NEEDS)))
def test_in_whatever_portions_events_come_the_end_is_the_same(cuts, kind):
    events = sample_events.two_steps()
    whole, parts = Feed(kind), Feed(kind)
    whole.add(events)
    whole.take()
    bounds = [0, *sorted({min(cut, len(events)) for cut in cuts}), len(events)]
    batches = []
    for start, end in pairwise(bounds):
        parts.add(events[start:end])
        batches.append(parts.take())
    one, other = whole.snapshot(), parts.snapshot()
    assert {**one, "seq": 0} == {**other, "seq": 0}
    put_together = {}
    for batch in filter(None, batches):
        put_together |= batch["parts"]
    assert put_together == one["parts"]


def test_a_batch_holds_only_what_is_new():
    feed = Feed("turn")
    events = sample_events.two_steps()
    feed.add(events[:6])
    first = feed.take()
    feed.add(sample_events.first_tokens()[:1])
    second = feed.take()
    assert "run" in first["parts"] and second["parts"] == {} and second["seq"] == 2


def test_events_of_another_run_are_passed_over():
    feed = Feed("tokens")
    feed.add(
        [
            Token(index=0, id=1, piece="a", text="a", run="mine", step=1),
            Token(index=0, id=2, piece="b", text="b", run="child", step=1),
        ]
    )
    assert [tokens["n"] for tokens in feed.take()["tokens"]] == [1]


# The stream.


def test_nothing_is_lost_between_threads():
    taken: list[int] = []
    stream = Stream(taken.extend, lambda: None)
    threads = [
        threading.Thread(
            target=lambda start: [stream.add(start + n) for n in range(5000)], args=(start,)
        )
        for start in (0, 10_000, 20_000)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stream.drain()
    assert sorted(taken) == [start + n for start in (0, 10_000, 20_000) for n in range(5000)]


def test_a_stream_that_slept_begins_again(monkeypatch):
    monkeypatch.setattr("agentloop_widgets.widgets.stream.IDLE", 1)
    taken: list[int] = []
    stream = Stream(taken.extend, lambda: None)
    for number in range(4):
        stream.add(number)
        deadline = time.monotonic() + 5
        while stream._thread is not None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert stream._thread is None and taken[-1] == number


# The widgets.


class Sent(TokenView):
    """A view whose messages are kept."""

    def __init__(self, *arguments, **options):
        self.messages: list = []
        super().__init__(*arguments, **options)

    def send(self, content, buffers=None):
        self.messages.append((content, buffers))


def rows_sent(view: Sent) -> int:
    return sum(tokens["n"] for content, _ in view.messages for tokens in content["tokens"])


def test_fifty_thousand_tokens_in_few_messages_and_none_lost():
    stream = streams.Stream(50_000)
    view = Sent(stream.trace)
    for token in stream.tokens:
        stream.trace.append(token)
    view.finish()
    assert rows_sent(view) == 50_000 and len(view.messages) < 200
    (tokens,) = view.everything()["tokens"]
    assert tokens["n"] == 50_000
    ids = rows_of(tokens["bytes"], 50_000)["id"]
    assert (ids == [token.id for token in stream.tokens]).all()
    size = sum(len(part) for _, buffers in view.messages for part in buffers)
    assert size <= 60 * 50_000


def test_a_front_end_without_binary_messages():
    trace = Trace([StepStart(step=1)])
    view = Sent(trace, binary=False)
    trace.append(Token(index=0, id=1, piece="a", text="a", step=1))
    view.finish()
    content, buffers = next(message for message in view.messages if message[0]["tokens"])
    assert buffers is None and isinstance(content["tokens"][0]["bytes"], str) and strict(content)


@pytest.mark.parametrize("kind", VIEWS)
def test_a_view_of_a_whole_run_holds_it_and_needs_no_more(kind):
    view = VIEWS[kind](Trace(sample_events.two_steps()))
    assert view.over
    values, data = unpacked(view.to_block().split("data-packed>")[1].split("<")[0])
    assert (
        values["ended"]
        and values["options"]["language"] == "en"
        and f"agentloop.{kind} =" not in data.decode("latin1")
    )
    assert all(len(data) >= part["bytes"] for part in values["tokens"])


def test_a_view_made_late_has_what_came_before():
    trace = Trace(sample_events.two_steps()[:-1])
    view = Sent(trace)
    before = sum(tokens["n"] for tokens in view.everything()["tokens"])
    trace.append(Token(index=99, id=1, piece="a", text="a", step=2, run=trace[0].run))
    view.finish()
    assert before > 20 and sum(tokens["n"] for tokens in view.everything()["tokens"]) == before + 1


def test_one_step_of_a_run():
    view = TokenView(Trace(sample_events.two_steps()), step=2)
    assert [tokens["step"] for tokens in view.everything()["tokens"]] == [
        2
    ] and "step:1" not in view.everything()["parts"]


def test_two_views_of_one_run_and_a_run_that_ends_by_itself():
    trace = Trace([StepStart(step=1, run="r")])
    views = [Sent(trace), Sent(trace)]
    trace.append(Token(index=0, id=1, piece="a", text="a", step=1, run="r"))
    trace.append(RunEnd(stop_reason="answer", run="r"))
    deadline = time.monotonic() + 10
    while not all(view.over for view in views) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [view.over for view in views] == [True, True] and [
        rows_sent(view) for view in views
    ] == [1, 1]


@pytest.mark.parametrize("source", ["What?", 7, None, ["a"], {"a": 1}, b"x"])
def test_what_has_no_events_is_refused(source):
    with pytest.raises(TypeError, match="a list of events"):
        TurnView(source)


def test_odd_options_are_refused():
    for options in ({"language": "xx"}, {"theme": "blue"}, {"colour": "red"}):
        with pytest.raises(Exception, match=r"xx|blue|colour"):
            TokenView([], **options)


# In a notebook: what is displayed is caught.


class Shown:
    """What a notebook would show: bundles, and what each was replaced by."""

    def __init__(self):
        self.outputs: list[list[dict]] = []
        self.execution_count = 1
        self.kernel = object()

    def display(self, bundle, raw=False, display_id=None):
        assert raw
        self.outputs.append([bundle])
        return Handle(self.outputs[-1])


class Handle:
    def __init__(self, output):
        self.output = output

    def update(self, bundle, raw=False):
        assert raw
        self.output.append(bundle)


@pytest.fixture
def notebook(monkeypatch):
    import IPython

    shown = Shown()
    monkeypatch.setattr(IPython, "get_ipython", lambda: shown)
    monkeypatch.setattr("IPython.display.display", shown.display)
    return shown


def is_live(bundle) -> bool:
    return "application/vnd.jupyter.widget-view+json" in bundle


def is_block(bundle) -> bool:
    return "data-block" in bundle.get("text/html", "")


@pytest.fixture
def turn(llm):
    return Turn(ScriptedBackend(llm, "<think>\nso\n</think>\n\nSeven."), "How many?")


def test_a_stage_is_live_and_then_a_block_and_shown_once(notebook, turn):
    turn.render()
    assert notebook.outputs == []
    stage = turn.generate()
    (output,) = notebook.outputs
    assert (
        is_live(output[0])
        and is_block(output[-1])
        and "text/plain" in output[-1]
        and len(output) == 2
    )
    stage._ipython_display_()
    assert len(notebook.outputs) == 1
    notebook.execution_count += 1
    stage._ipython_display_()
    assert is_block(notebook.outputs[1][0])


def test_a_stage_that_takes_no_time_is_a_block(notebook, turn):
    assert is_block(turn.render()._repr_mimebundle_())
    turn.generate()
    assert not is_block(turn.parse()._repr_mimebundle_())


def test_a_whole_turn_is_one_output(notebook, turn):
    assert turn.run() is turn
    (output,) = notebook.outputs
    assert is_live(output[0]) and is_block(output[-1]) and "Seven." in output[-1]["text/plain"]


def test_a_stage_out_of_order_shows_nothing(notebook, turn):
    with pytest.raises(StageError):
        turn.generate()
    assert notebook.outputs == []


@pytest.mark.parametrize("error", [RuntimeError("the engine fell over"), KeyboardInterrupt()])
def test_however_a_stage_ends_its_block_stays(notebook, llm, error):
    def fall(number):
        if number == 3:
            raise error

    turn = Turn(ScriptedBackend(llm, "Seven times twelve is 84.", before_token=fall), "How many?")
    with pytest.raises(type(error)):
        turn.run()
    (output,) = notebook.outputs
    assert is_block(output[-1]) and turn.stop_reason in ("error", "user_stopped")


def test_a_stopped_turn_leaves_its_block(notebook, llm):
    turn = Turn(
        ScriptedBackend(
            llm,
            "Seven times twelve is 84.",
            before_token=lambda number: turn.stop() if number == 3 else None,
        ),
        "How many?",
    )
    turn.run()
    assert is_block(notebook.outputs[0][-1]) and turn.stop_reason == "user_stopped"


def test_a_view_that_cannot_be_made_does_not_end_the_run(notebook, turn, monkeypatch):
    def fail(*_, **__):
        raise OSError("no front end")

    monkeypatch.setattr("agentloop_widgets.widgets.base.LiveView.show", fail)
    with pytest.warns(UserWarning, match="no front end"):
        turn.run()
    assert turn.stop_reason == "answer"


def test_the_settings_may_say_no(notebook, turn):
    try:
        library_settings.live = False
        turn.run()
        turn._ipython_display_()
        ((bundle,),) = notebook.outputs
        assert is_block(bundle), "the block alone, and once"
    finally:
        library_settings.live = True


def test_a_next_step_shows_its_own_step_alone(notebook, llm):
    from scripted import call_text

    turn = Turn(ScriptedBackend(llm, call_text(code="print(84)"), "84."), "How many?")
    turn.next_step()
    turn.next_step()
    block = notebook.outputs[1][-1]["text/html"]
    values, _ = unpacked(block.split("data-packed>")[1].split("<")[0])
    assert values["options"]["step"] == 2 and set(values["parts"]) >= {"context:1", "context:2"}
    assert (
        "Step 2" in notebook.outputs[1][-1]["text/plain"]
        and "Step 1" not in notebook.outputs[1][-1]["text/plain"]
    )


def test_a_view_changes_its_language_where_it_is_shown(notebook):
    view = TurnView(Trace(sample_events.two_steps()))
    view._ipython_display_()
    view.language = "zh-TW"
    (output,) = notebook.outputs
    assert "第 2 步" in output[-1]["text/plain"] and 'lang="zh-TW"' in output[-1]["text/html"]


def test_without_a_notebook_everything_is_as_before(turn):
    assert not viewing.has_front_end()
    turn.run()
    bundle = turn._repr_mimebundle_()
    assert "<script" not in bundle["text/html"] and not hasattr(turn, "_ipython_display_")


def test_a_trace_that_was_read_again_is_drawn_the_same(notebook, turn, tmp_path):
    turn.run()
    again = replay(turn.trace.save(tmp_path / "turn.jsonl"))
    one, other = (
        unpacked(thing._repr_mimebundle_()["text/html"].split("data-packed>")[1].split("<")[0])
        for thing in (turn, again)
    )
    one[0]["options"] = other[0]["options"] = None
    assert one == other


def test_a_run_costs_its_loop_one_append_a_token():
    """No time is asserted (make bench-widgets prints it): only that nothing is packed in the thread that appends."""
    packing_threads = set()

    class Watched(Sent):
        def _take(self, items):
            packing_threads.add(threading.current_thread().name)
            super()._take(items)

    trace = Trace([StepStart(step=1)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        view = Watched(trace)
        packing_threads.clear()
        for seq, token in enumerate(streams.tokens(2000)):
            stamp(token, "r", seq, 0.0, 1)
            trace.append(token)
        deadline = time.monotonic() + 10
        while rows_sent(view) < 2000 and time.monotonic() < deadline:
            time.sleep(0.02)
    assert packing_threads == {"agentloop-stream"} and rows_sent(view) == 2000
    assert ROW.itemsize == 60
    view.finish()


# What a run in another thread, an interrupt or a failing front end does.


def test_a_view_made_while_another_thread_writes_has_every_token_once(monkeypatch):
    tokens = streams.tokens(3000)
    trace = Trace(tokens[:1500])
    slow = Feed.add

    def add(feed, events):
        slow(feed, events)
        time.sleep(0.1)

    monkeypatch.setattr(Feed, "add", add)
    writer = threading.Thread(target=lambda: [trace.append(token) for token in tokens[1500:]])
    writer.start()
    view = Sent(trace)
    writer.join()
    view.finish()
    (sent,) = view.everything()["tokens"]
    assert (rows_of(sent["bytes"], sent["n"])["id"] == [token.id for token in tokens]).all()


def test_a_finished_view_holds_nothing_of_the_next_stage(notebook, turn):
    turn.render()
    first = len(turn.events)
    view = TokenView(turn, first=first)
    turn.generate()
    view.finish()
    before = view.everything(), view.to_text()
    turn.parse()
    view._stream.drain()
    assert (view.everything(), view.to_text()) == before and view.events[-1].type == "model_end"


@pytest.mark.parametrize("error", [OSError("gone"), KeyboardInterrupt()])
def test_a_front_end_that_fails_at_the_end_does_not_end_the_run(notebook, turn, monkeypatch, error):
    updates = []

    def update(handle, bundle, raw=False):
        updates.append(bundle)
        if len(updates) == 1:
            raise error
        handle.output.append(bundle)

    monkeypatch.setattr(Handle, "update", update)
    if isinstance(error, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            turn.run()
        assert is_block(notebook.outputs[0][-1]), (
            "the interrupt came between; the block stays all the same"
        )
    else:
        with pytest.warns(UserWarning, match="gone"):
            turn.run()
    assert turn.stop_reason == "answer"


def test_a_notebook_that_a_program_executes_is_not_drawn_live(notebook, turn):
    notebook.kernel = type("Kernel", (), {"_allow_stdin": False})()
    for question in ("One?", "Two?"):  # a loop shows each, whatever the cell returns
        Turn(turn.llm, question).run()
    assert [len(output) for output in notebook.outputs] == [1, 1]
    assert all(is_block(output[0]) for output in notebook.outputs)


def test_who_asks_again_in_the_same_cell_is_shown_it(notebook, turn):
    turn.run()
    turn._ipython_display_()
    assert len(notebook.outputs) == 1
    turn._ipython_display_()
    assert len(notebook.outputs) == 2 and is_block(notebook.outputs[1][0])


def test_a_view_of_a_finished_run_opens_nothing_in_the_front_end_until_it_is_held(notebook):
    view = TurnView(Trace(sample_events.two_steps()))
    view.show()
    assert view.comm is None and is_block(notebook.outputs[0][0])
    assert view.model_id and view.comm is not None


def test_a_run_that_ends_has_its_block_before_the_cell_ends(notebook, turn):
    view = TurnView(turn)
    view.show()
    for _ in turn.stream():
        pass
    assert view.over and is_block(notebook.outputs[0][-1])


def test_before_it_begins_a_turn_says_what_was_asked(notebook, turn):
    text = turn.to_text()
    assert "How many?" in text and "render()" in text and "record was cut" not in text
    values, _ = unpacked(
        turn._repr_mimebundle_()["text/html"].split("data-packed>")[1].split("<")[0]
    )
    assert values["parts"]["run"]["question"] == "How many?"
    assert TurnView(turn).everything()["parts"]["run"]["question"] == "How many?"
    assert turn.events == []


@pytest.mark.parametrize(
    "step, error, words",
    [
        (9, ValueError, "no step 9"),
        ("2", TypeError, "number of a step"),
        (0, TypeError, "number of a step"),
    ],
)
def test_a_step_that_there_is_not(step, error, words):
    with pytest.raises(error, match=words):
        TokenView(Trace(sample_events.two_steps()), step=step)
