"""A turn ends whole however it is ended: left, interrupted, stopped between calls, run twice, asked with odd arguments."""

import asyncio
import threading
import warnings
from dataclasses import replace

import pytest
from scripted import ScriptedBackend, call_text

from agentloop_widgets import Turn
from agentloop_widgets.harness import StageError
from agentloop_widgets.harness.context import changes
from agentloop_widgets.sampling import Sampling
from agentloop_widgets.tools import Tool, ToolSession, run_python, tool
from agentloop_widgets.trace import replay

THINK = "I compute.\n</think>\n\n"
ANSWER = "Done.\n</think>\n\nok"


def call(code: str) -> str:
    return THINK + call_text(code=code)


@pytest.fixture
def scripted(llm):
    return lambda *outputs, **options: ScriptedBackend(llm, *outputs, **options)


def ended(turn: Turn, reason: str) -> bool:
    """Whether the turn is over, with one step_end a step and one run_end at its end."""
    kinds = [event.type for event in turn.events]
    return (
        turn.stop_reason == reason
        and kinds[-1] == "run_end"
        and kinds.count("run_end") == 1
        and kinds.count("step_start") == kinds.count("step_end")
    )


KINDS = [
    "run_start",
    "model",
    "step_start",
    "context",
    "prefill",
    "token",
    "model_end",
    "parsed",
    "check",
    "permission",
    "tool_start",
    "tool_end",
    "step_end",
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_that_is_left_ends_the_turn(scripted, kind):
    ran = []

    @tool
    def act(text: str) -> str:
        """Act."""
        ran.append(text)
        return "acted"

    turn = Turn(
        scripted(THINK + call_text("act", text="hi"), ANSWER), "q", tools=[act], permission="allow"
    )
    for event in turn.stream():
        if event.type == kind:
            break
    assert ended(turn, "user_stopped") and len(ran) <= 1
    with pytest.raises(StageError, match="over"):
        turn.run()


@pytest.mark.parametrize(
    "error", [SystemExit(3), asyncio.CancelledError(), KeyboardInterrupt(), ValueError("no")]
)
@pytest.mark.parametrize("where", ["engine", "tool"])
def test_whatever_is_raised_the_turn_ends(scripted, error, where):
    def fail(*_):
        raise error

    class Session(ToolSession):
        def run(self, arguments, should_stop=None):
            fail()

    failing = Tool(
        "act",
        "",
        {"type": "object", "properties": {}},
        opener=lambda folder: Session(None),
        sandboxed=True,
    )
    llm = (
        scripted(ANSWER, before_token=fail)
        if where == "engine"
        else scripted(THINK + call_text("act"), ANSWER)
    )
    turn = Turn(llm, "q", tools=[failing])
    with pytest.raises(type(error)):
        turn.run()
    assert ended(turn, "user_stopped" if isinstance(error, KeyboardInterrupt) else "error")


def test_an_interrupt_before_the_clock_runs_ends_the_turn(scripted, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr("agentloop_widgets.harness.loop.load_validator", interrupt)
    turn = Turn(scripted(ANSWER), "q")
    with pytest.raises(KeyboardInterrupt):
        turn.run()
    assert turn.stop_reason == "user_stopped" and turn.events[-1].type == "run_end"


@pytest.mark.parametrize("how", ["stop", "timeout"])
def test_a_stop_is_heard_between_the_calls_of_a_step(scripted, how):
    ran = []

    @tool
    def act(number: int) -> str:
        """Act."""
        ran.append(number)
        if how == "stop":
            turn.stop()
        else:
            threading.Event().wait(0.15)
        return "acted"

    three = THINK + "\n".join(call_text("act", number=number) for number in (1, 2, 3))
    turn = Turn(
        scripted(three, ANSWER),
        "q",
        tools=[act],
        permission="allow",
        timeout=0.1 if how == "timeout" else None,
    )
    turn.run()
    assert ran == [1] and ended(turn, "user_stopped" if how == "stop" else "timeout")
    assert [event.error is None for event in turn.events if event.type == "tool_end"] == [
        True,
        False,
        False,
    ]


def test_a_turn_is_run_by_one_at_a_time(scripted):
    turn = Turn(scripted(ANSWER), "q")
    stream = turn.stream()
    next(stream)
    with pytest.raises(StageError, match="being run"):
        turn.run()
    list(stream)
    assert ended(turn, "answer")


def test_two_turns_at_once_do_not_meet(scripted):
    turns = [
        Turn(scripted(call(f"x = {number}\nprint(x)"), ANSWER), f"q{number}") for number in range(4)
    ]
    threads = [threading.Thread(target=turn.run) for turn in turns]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results = [
        next(event.result for event in turn.events if event.type == "tool_end") for turn in turns
    ]
    assert results == [f"{number}\n" for number in range(4)] and all(
        ended(turn, "answer") for turn in turns
    )


def test_a_session_that_cannot_be_closed_is_warned_of(scripted):
    class Session(ToolSession):
        def close(self):
            raise OSError("stuck")

    stuck = replace(run_python, opener=lambda folder: Session(lambda code: "1"))
    turn = Turn(scripted(call("1"), ANSWER), "q", tools=[stuck])
    with pytest.warns(UserWarning, match="stuck"):
        turn.run()
    assert ended(turn, "answer")


def test_a_listener_that_raises_is_warned_of_and_left_out(scripted):
    turn = Turn(scripted(ANSWER), "q")
    turn.trace.listen(lambda event: 1 / 0)
    with pytest.warns(UserWarning, match="ZeroDivisionError"):
        turn.run()
    assert ended(turn, "answer")


def test_equal_calls_in_one_output_run_once(scripted):
    twice = THINK + call_text(code="print(1)") + "\n" + call_text(code="print(1)")
    turn = Turn(scripted(twice, ANSWER), "q").run()
    assert turn.stop_reason == "answer" and [
        event.error is None for event in turn.events if event.type == "tool_end"
    ] == [True, False]


def test_repeats_are_counted_a_call(scripted):
    turn = Turn(
        scripted(call("print(1)"), call("print(2)"), call("print(1)"), call("print(2)"), ANSWER),
        "q",
    ).run()
    assert turn.stop_reason == "answer"


def test_a_full_context_is_not_blamed_on_the_setting(scripted, monkeypatch):
    from agentloop_widgets.events import ModelEnd

    llm = scripted(ANSWER)
    llm.context_length = 321
    monkeypatch.setattr(
        llm,
        "generate",
        lambda *args, **options: iter(
            [ModelEnd(finish="max_new_tokens", n_tokens=3, raw="I think and")]
        ),
    )
    turn = Turn(llm, "q").run()
    [notice] = [event for event in turn.events if event.type == "notice"]
    assert (
        "321" in notice.text and "max_new_tokens" not in notice.text and turn.stop_reason == "error"
    )


def test_an_empty_reply_is_no_answer(scripted):
    turn = Turn(scripted("Hm.\n</think>\n\n"), "q").run()
    assert turn.stop_reason == "error" and turn.final == ""
    assert [event.kind for event in turn.events if event.type == "notice"] == ["empty"]


def test_a_stage_out_of_order_is_one_line_in_a_notebook(scripted):
    with pytest.raises(StageError) as caught:
        Turn(scripted(ANSWER), "q").parse()
    [line] = caught.value._render_traceback_()
    assert "render()" in line and "\n" not in line


def test_no_limit_of_steps(scripted):
    turn = Turn(scripted(*[call(f"print({number})") for number in range(12)], ANSWER), "q")
    turn.max_steps = None
    assert turn.run().stop_reason == "answer"


def test_what_could_not_be_read_stays_in_the_conversation(scripted):
    broken = THINK + "<tool_call>\n<function=>\n</function>\n</tool_call>"
    turn = Turn(scripted(broken, ANSWER), "q").run()
    assert "<function=>" in turn.messages[1]["content"] and turn.messages[2]["name"] == "unknown"


def test_the_model_is_told_in_english(scripted):
    from agentloop_widgets.trace import language

    outputs = THINK + call_text(codes="1"), THINK + call_text("nothing"), call("print(1)"), ANSWER
    with language("zh-TW"):
        turn = Turn(scripted(*outputs), "q", permission="deny").run()
    told = [message["content"] for message in turn.messages if message["role"] == "tool"]
    assert len(told) == 3 and all(text.isascii() for text in told)
    faults = [
        fault["message"] for event in turn.events if event.type == "check" for fault in event.faults
    ]
    assert faults and not any(text.isascii() for text in faults)


@tool
def send(text: str) -> str:
    """Send a message."""
    return f"sent {text}"


async def later(name, arguments):
    return False


@pytest.mark.parametrize(
    "policy", [later, lambda name, arguments: None, lambda name, arguments: 1 / 0]
)
def test_a_permission_that_is_no_answer_runs_nothing(scripted, policy):
    turn = Turn(
        scripted(THINK + call_text("send", text="hi"), ANSWER), "q", tools=[send], permission=policy
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the coroutine that was never awaited
        with pytest.raises((TypeError, ZeroDivisionError)):
            turn.run()
    assert ended(turn, "error") and not [
        event for event in turn.events if event.type == "tool_start"
    ]


def test_a_permission_cannot_change_what_runs(scripted):
    def spoil(name, arguments):
        arguments["text"] = "EVIL"
        return True

    turn = Turn(
        scripted(THINK + call_text("send", text="hi"), ANSWER), "q", tools=[send], permission=spoil
    ).run()
    assert [event.result for event in turn.events if event.type == "tool_end"] == ["sent hi"]


@pytest.mark.parametrize(
    "arguments, error, word",
    [
        ({"sampling": {"temperature": 1}}, TypeError, "sampling"), ({"tools": send}, TypeError, "tools"), ({"timeout": "soon"}, ValueError, "timeout"), ({"timeout": -1}, ValueError, "timeout"),
        ({"max_steps": 0}, ValueError, "max_steps"), ({"max_steps": 1.5}, ValueError, "max_steps"), ({"thinking": "perhaps"}, ValueError, "thinking"), ({"keep": -1}, ValueError, "keep"), ({"keep": "all"}, ValueError, "keep"),
        ({"attachments": 3}, TypeError, "attachments"), ({"attachments": [{"type": "image"}]}, TypeError, "attachments"), ({"attachments": [3]}, TypeError, "int"), ({"attachments": "cat.png"}, ValueError, "cat.png"), ({"history": [{"role": "user", "content": ["text"]}]}, TypeError, "part"), ({"folder": "/no/such/folder"}, FileNotFoundError, "such"),
        ({"question": "half \ud83d"}, ValueError, "surrogate"),
        ({"history": [{"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": "{"}}]}]}, ValueError, "message 0"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_named_before_anything_runs(scripted, arguments, error, word):
    with pytest.raises(error, match=word):
        Turn(scripted(ANSWER), arguments.pop("question", "q"), **arguments)


def test_a_model_that_is_none_is_named():
    with pytest.raises(TypeError, match="llm"):
        Turn("embedded", "q")


@pytest.mark.parametrize("role", ["system", "developer"])
def test_a_system_message_at_the_head_of_the_history(scripted, role):
    history = [
        {"role": role, "content": "Be kind."},
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello!"},
    ]
    own, given = scripted(ANSWER), scripted(ANSWER)
    Turn(own, "q", history=history).run()
    Turn(given, "q", history=history, system="Be brief.").run()
    assert (
        "Be kind." in own.prompts[0]
        and "Be kind." not in given.prompts[0]
        and "Be brief." in given.prompts[0]
    )


def test_a_call_drafted_in_the_thoughts_ends_in_the_thoughts(scripted):
    turn = Turn(scripted(f"hm {call_text(code='1')} no\n</think>\n\nThe answer."), "q").run()
    channels = {event.text: event.channel for event in turn.events if event.type == "token"}
    assert channels[" no"] == "thought" and turn.final == "The answer."


def test_many_changed_lines_take_bounded_work():
    before, now = "a" + "x\n" * 3000, "b" + "x\n" * 3000
    assert changes(before, now) == (0, [[0, len(before)]], [])


def test_a_left_turn_is_read_back_whole(scripted, tmp_path):
    turn = Turn(scripted(call("print(1)"), ANSWER), "q")
    for event in turn.stream():
        if event.type == "tool_start":
            break
    assert replay(turn.trace.save(tmp_path / "left.jsonl")).events == turn.events


def test_a_backend_shows_its_card(llm):
    shown = llm._repr_mimebundle_()
    assert (
        "Qwen3_5ForConditionalGeneration" in shown["text/plain"]
        and "Qwen3_5ForConditionalGeneration" in shown["text/html"]
    )


def test_sampling_is_kept(scripted):
    sampling = Sampling(temperature=0.5, seed=3)
    assert Turn(scripted(ANSWER), "q", sampling=sampling).sampling == sampling
