"""Tools: schemas from signatures, validation in words, and a sandbox that holds."""

import enum
import functools
import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
from reports import report

from agentloop_widgets.tools import (
    SandboxSession,
    Tool,
    ToolResult,
    as_tool,
    run_python,
    tool,
    validate,
)
from agentloop_widgets.tools import sandbox as sandbox_module
from agentloop_widgets.tools.results import OUTPUT_LIMIT
from agentloop_widgets.tools.schemas import schema_of_function
from agentloop_widgets.trace.strings import language, say


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Stop:
    name: str
    nights: int = 1


def plan(
    stops: list[Stop],
    colour: Colour,
    tags: set[str],
    size: Annotated[float, "in metres"] = 1.0,
    unit: Literal["m", "ft"] = "m",
    note: str | None = None,
    extra: dict[str, int] | None = None,
    anything=3,
) -> str:
    """Plan a trip.

    It may take
    two lines.

    Args:
        stops (list): where to stay
        colour: the colour
            of the bus

    Returns:
        The plan.
    """
    return "ok"


def test_a_signature_becomes_a_schema():
    description, schema = schema_of_function(plan)
    properties = schema["properties"]
    assert description == "Plan a trip. It may take two lines."
    assert schema["required"] == ["stops", "colour", "tags"]
    assert properties["stops"]["items"] == {
        "type": "object",
        "properties": {"name": {"type": "string"}, "nights": {"type": "integer"}},
        "required": ["name"],
    }
    assert (
        properties["stops"]["description"] == "where to stay"
        and properties["colour"]["description"] == "the colour of the bus"
    )
    assert properties["colour"]["enum"] == ["red", "blue"] and properties["unit"]["enum"] == [
        "m",
        "ft",
    ]
    assert properties["size"] == {"type": "number", "description": "in metres"}
    assert properties["note"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert properties["extra"]["anyOf"][0] == {
        "type": "object",
        "additionalProperties": {"type": "integer"},
    }
    assert properties["anything"] == {}


def test_a_schema_is_valid_json_schema():
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(schema_of_function(plan)[1])
    Draft202012Validator.check_schema(run_python.parameters)


def test_what_a_schema_cannot_say_is_refused_by_name():
    def complicated(number: complex) -> str:
        return ""

    def starred(*words: str) -> str:
        return ""

    with pytest.raises(TypeError, match="number"):
        tool(complicated)
    with pytest.raises(TypeError, match="words"):
        tool(starred)
    assert tool(complicated, parameters={"type": "object", "properties": {}}).name == "complicated"
    with pytest.raises(TypeError, match="3"):
        as_tool(3)


def test_the_decorator_keeps_a_function_callable():
    @tool(name="add", sandboxed=True)
    def add_numbers(a: int, b: int = 2) -> int:
        """Add."""
        return a + b

    assert isinstance(add_numbers, Tool) and add_numbers.name == "add" and add_numbers.sandboxed
    assert add_numbers(1) == 3 and add_numbers.open().run({"a": 1, "b": 5}) == ToolResult("6")


def test_an_object_with_the_right_attributes_is_a_tool():
    class Echo:
        name, description, parameters = (
            "echo",
            "Say it again.",
            {"type": "object", "properties": {"text": {"type": "string"}}},
        )

        def __call__(self, text):
            return text

    assert as_tool(Echo()).open().run({"text": "hi"}).result == "hi"


def test_an_exception_is_the_calls_error():
    def fail() -> str:
        """Fail."""
        raise KeyError("no")

    assert tool(fail).open().run({}).error == "KeyError: 'no'"


@pytest.mark.parametrize(
    "arguments, faults",
    [
        ({"stops": [], "colour": "red", "tags": []}, set()),
        ({}, {("missing", "stops"), ("missing", "colour"), ("missing", "tags")}),
        (
            {"stops": [{"nights": "two"}], "colour": "green", "tags": [], "speed": 3},
            {
                ("missing", "stops.0.name"),
                ("wrong_type", "stops.0.nights"),
                ("not_in_enum", "colour"),
                ("extra", "speed"),
            },
        ),
        ({"stops": "Rome", "colour": "red", "tags": []}, {("wrong_type", "stops")}),
    ],
)
def test_all_faults_are_found_at_once(arguments, faults):
    found = validate(tool(plan), arguments)
    assert {(fault.kind, fault.name) for fault in found} == faults
    assert all(fault.name.split(".")[-1] in fault.message for fault in found)


def test_a_schema_that_allows_more_is_believed():
    open_tool = Tool("open", "", {"type": "object", "properties": {}, "additionalProperties": True})
    assert validate(open_tool, {"anything": 1}) == []


def test_a_reported_missing_argument_is_named():
    case = report("H05")
    [fault] = validate(
        Tool("write", "", case["schema"]["write"]), case["input"]["call"]["arguments"]
    )
    assert fault.kind == "missing" and "content" in fault.message


@pytest.mark.parametrize("id", ["B01", "B03", "B04"])
def test_a_program_that_does_not_end_is_ended(id):
    case = report(id)
    session = SandboxSession(time_limit=case["input"]["limit_s"])
    start = time.monotonic()
    result = session.run({"code": case["input"]["code"]})
    assert time.monotonic() - start < case["expected"]["returns_within_s"]
    assert "TimeoutError" in result.error or "MemoryError" in result.error
    assert session.run({"code": "print(1)"}).result.endswith("1\n")
    session.close()


MEASURED = """
import resource, sys
from agentloop_widgets.tools import SandboxSession
session = SandboxSession(time_limit={limit_s}, output_limit={max_output})
session.run({{"code": "print(1)"}})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
result = session.run({{"code": {code!r}}})
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
session.close()
print(len(result.result), "output cut" in result.result, grown / (2**20 if sys.platform == "darwin" else 1024))
"""


def test_endless_output_fills_no_memory():
    expected = report("B06")["expected"]
    program = MEASURED.format(**report("B06")["input"])
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    length, cut, grown = done.stdout.split()  # in a process of its own: the peak is this run's
    assert int(length) <= expected["stdout_len_at_most"] and cut == str(expected["truncated"])
    assert float(grown) < expected["host_memory_growth_mb_below"]


def test_names_last_for_the_session_and_no_longer():
    first, second = run_python.open(), run_python.open()
    first.run({"code": "x = 41"})
    assert first.run({"code": "x + 1"}).result == "42"
    assert "NameError" in second.run({"code": "x"}).error
    first.close()
    second.close()
    again = run_python.open()
    assert "NameError" in again.run({"code": "x"}).error
    again.close()


def test_only_the_conversations_folder_is_there(tmp_path):
    (tmp_path / "notes.txt").write_text("seven")
    (tmp_path / "link").symlink_to("/etc/passwd")
    session = run_python.open(tmp_path)
    assert session.run({"code": "open('/data/notes.txt').read()"}).result == "'seven'"
    session.run({"code": "with open('/data/made.txt', 'w') as f: f.write('new')"})
    assert (tmp_path / "made.txt").read_text() == "new"
    for path in ("/etc/passwd", "/data/../etc/passwd", "/data/link", str(tmp_path)):
        assert session.run({"code": f"open({path!r}).read()"}).error is not None
    session.close()
    with pytest.raises(FileNotFoundError, match="nowhere"):
        run_python.open(tmp_path / "nowhere")


def test_the_description_is_true():
    session = run_python.open()
    for module in ("math", "json", "re", "datetime", "random", "itertools", "collections", "csv"):
        assert session.run({"code": f"import {module}"}).error is None, module
    for lacking in (
        "import numpy",
        "class A: pass\nclass B(A): pass",
        "def f():\n  yield 1",
        "x = 1\ndel x",
    ):
        assert session.run({"code": lacking}).error is not None, lacking
    session.close()


def test_many_turns_give_their_workers_back():
    for _ in range(80):  # more than the pool has workers
        session = run_python.open()
        assert session.run({"code": "1"}).result == "1"
        session.close()


def test_the_pool_ends_with_the_process():
    program = (
        "from agentloop_widgets.tools import run_python; print(run_python('print(2)').text, end='')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "2\n" and done.stderr == ""


SLEEPS = {
    "long": "import time\nfor i in range(2):\n    time.sleep(10)\nprint('woke')",
    "one": "import time\ntime.sleep(20)\nprint('woke')",
    "short ones": "import time\nfor i in range(900):\n    time.sleep(0.05)\nprint('woke')",
    "async": "import asyncio\nawait asyncio.sleep(6)\nprint('woke')",
    "caught": "import time\nwhile True:\n    try:\n        time.sleep(1)\n    except BaseException:\n        pass",
}


def ended(worker: int) -> bool:
    """Whether a process is gone; one that was ended a moment ago may still be on its way out."""
    for _ in range(100):
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("code", SLEEPS.values(), ids=SLEEPS)
def test_sleeping_counts_as_time(code):
    session = SandboxSession(time_limit=0.3)
    session.run({"code": "x = 1"})
    worker = session.worker
    result = session.run({"code": "print('before')\n" + code})
    assert result.result == "before\n" and "TimeoutError" in result.error and "0.3" in result.error
    assert ended(worker)
    lost = session.run({"code": "print(x)"})
    assert lost.result.startswith(say("sandbox.names_lost", "en")) and "NameError" in lost.error
    session.close()


def test_a_short_sleep_is_slept_and_keeps_the_names():
    session = SandboxSession()
    code = "import time\nx = time.monotonic()\ntime.sleep(0.05)\ntime.monotonic() - x >= 0.05"
    assert session.run({"code": code}) == ToolResult("True")
    assert session.run({"code": "x > 0"}) == ToolResult("True")
    session.close()


@pytest.mark.parametrize(
    "code", ["while True: pass", "import time\ntime.sleep(60)", "10 ** 10 ** 8"]
)
def test_a_stop_is_heard_whatever_the_program_does(code):
    session = SandboxSession(time_limit=60, memory_limit=2**40)
    session.run({"code": "x = 1"})
    worker, looks = session.worker, iter([False, False, False, True])
    result = session.run({"code": code}, lambda: next(looks))
    assert result == ToolResult("", say("sandbox.stopped", "en")) and ended(worker)
    assert "NameError" in session.run({"code": "x"}).error
    session.close()


def test_a_call_that_is_stopped_before_it_starts_costs_nothing():
    session = SandboxSession()
    session.run({"code": "x = 1"})
    assert "stopped" in session.run({"code": "x = 2"}, lambda: True).error
    assert session.run({"code": "x"}) == ToolResult("1")
    session.close()
    assert "stopped" in tool(plan).open().run({}, lambda: True).error


@pytest.fixture
def interruptible():
    """An interrupt raises, also where the tests were started in the background, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_ends_the_worker_and_is_raised(interruptible):
    session = SandboxSession(time_limit=60)
    session.run({"code": "x = 1"})
    worker = session.worker
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        session.run({"code": "while True: pass"})
    assert ended(worker)
    assert session.run({"code": "print(2)"}).result.startswith(say("sandbox.names_lost", "en"))
    session.close()


def test_closing_ends_a_call_that_runs():
    session = SandboxSession(time_limit=60)
    session.run({"code": "x = 1"})
    worker, results = session.worker, []
    thread = threading.Thread(
        target=lambda: results.append(session.run({"code": "while True: pass"}))
    )
    before = session.feed
    thread.start()
    while session.feed is before:
        time.sleep(0.01)
    session.close()
    thread.join()
    assert results[0].error is not None and ended(worker)


def test_a_session_too_many_is_told_and_a_closed_one_refused(monkeypatch):
    sandbox_module._close_pool()
    monkeypatch.setattr(sandbox_module, "MOST_SESSIONS", 2)
    monkeypatch.setattr(sandbox_module, "CHECKOUT_LIMIT", 0.1)
    sessions = [SandboxSession() for _ in range(3)]
    results = [session.run({"code": "1"}) for session in sessions]
    workers = [session.worker for session in sessions[:2]]
    assert [result.error for result in results[:2]] == [None, None]
    assert results[2].error == say("sandbox.busy", "en", most=2)
    sessions[0].close()
    assert sessions[2].run({"code": "1"}) == ToolResult("1")
    with pytest.raises(RuntimeError, match="closed"):
        sessions[0].run({"code": "1"})
    del sessions[1:]
    gc.collect()  # a session that nobody closed gives its worker back as well
    again = SandboxSession()
    assert again.run({"code": "1"}) == ToolResult("1")
    again.close()
    assert all(map(ended, workers))  # none is left idle
    sandbox_module._close_pool()


@pytest.mark.parametrize(
    "code, result, error",
    [
        ("print(1, end='')\n2", "1\n2", None),
        ("print(1)\n2", "1\n2", None),
        ("10 ** 5000", "", "ValueError"),
        ("a = []\nfor i in range(5000): a = [a]\na", "", "RecursionError"),
        ("'\ud800'", "", "not valid UTF-8"),
        (5, "", "TypeError"),
    ],
)
def test_odd_values_and_odd_code_are_told(code, result, error):
    session = SandboxSession()
    got = session.run({"code": code})
    assert got.result == result and (got.error is None if error is None else error in got.error)
    assert session.run({"code": "3"}) == ToolResult("3")
    session.close()
    assert "code" in SandboxSession().run({}).error


def test_output_and_error_share_one_limit():
    session = SandboxSession()
    long = session.run({"code": "print('x' * 20000)\nraise ValueError('y' * 20000)"})
    notes = len(say("sandbox.cut", "en", shown=4000, total=20001)) + 40
    assert len(long.text) <= OUTPUT_LIMIT + notes
    assert "characters left out" in long.error and "output cut: 4000 of 20001" in long.result
    assert long.error.startswith("Traceback") and long.error.endswith("yyy")
    session.close()


def test_a_tools_result_has_the_same_limit():
    session = tool(lambda: "z" * 20000, name="much").open()
    result = session.run({})
    assert result.result == "z" * OUTPUT_LIMIT + say(
        "sandbox.cut", "en", shown=OUTPUT_LIMIT, total=20000
    )


class Unwritable:
    def __repr__(self):
        raise ValueError("no words")


class Wordless(Exception):
    def __str__(self):
        raise ValueError("no words")


def raises(error):
    raise error


async def later():
    return 1


def circular():
    circle = []
    circle.append(circle)
    return circle


def deep():
    nested = []
    for _ in range(5000):
        nested = [nested]
    return nested


@pytest.mark.parametrize(
    "function, result, error",
    [
        (circular, "[[...]]", None),
        (deep, "", "RecursionError"),
        (Unwritable, "", "ValueError: no words"),
        (lambda: ToolResult(5), "5", None),
        (lambda: ToolResult("", Unwritable()), "", "ValueError: no words"),
        (lambda: "a\ud800b", "a\ufffdb", None),
        (lambda: "\ud83d\ude00", "\U0001f600", None),
        (lambda: float("nan"), "nan", None),
        (lambda: raises(Wordless()), "", "Wordless"),
        (lambda: raises(SystemExit(2)), "", "SystemExit: 2"),
        (lambda: later(), "", "coroutine"),
        (lambda: (n for n in [1]), "", "generator"),
        (lambda: map(str, [1]), "", "map"),
    ],
)
def test_no_result_ends_the_turn(function, result, error):
    got = tool(function, name="odd").open().run({})
    assert got.result == result and (got.error is None if error is None else error in got.error)
    got.text.encode("utf-8")


async def asynchronous() -> str:
    return ""


async def asynchronous_generator():
    yield 1


def generator():
    yield 1


def positional(a: int, /) -> int:
    return a


def undefined(a: "Nowhere") -> int:  # noqa: F821
    return 1


@dataclass
class Node:
    child: "Node | None" = None


def recursive(node: Node) -> str:
    return ""


class Awaited:
    async def __call__(self, a: int):
        return a


@pytest.mark.parametrize(
    "function",
    [
        asynchronous,
        asynchronous_generator,
        generator,
        functools.partial(asynchronous),
        Awaited(),
        positional,
        undefined,
        recursive,
        int,
        len,
    ],
)
def test_what_could_not_be_called_is_refused_in_words(function):
    with pytest.raises(TypeError, match=r"Tool .*: "):
        tool(function)


@pytest.mark.parametrize("name", ["a b<>\n", "<lambda>", "", "x" * 65, "é"])
def test_a_name_that_no_template_can_write_is_refused(name):
    with pytest.raises(ValueError, match="name"):
        tool(lambda: 1, name=name)
    with pytest.raises(ValueError, match="name"):
        as_tool(Tool(name, "", {"type": "object"}, print))
    with pytest.raises(ValueError, match="lambda"):
        tool(lambda: 1)


@pytest.mark.parametrize(
    "parameters",
    [
        {"type": "object", "properties": {"a": {"type": "str"}}},
        {"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}},
        {"type": "array"},
        {"type": "object", "required": "a"},
        {"type": "object", "properties": {"a": {"enum": []}, "b": {"minimum": "3"}}},
        None,
        "object",
    ],
)
def test_a_schema_that_is_none_is_refused_in_words(parameters):
    with pytest.raises((TypeError, ValueError), match="JSON Schema"):
        as_tool(Tool("act", "", parameters, print))
    found = validate(Tool("act", "", parameters, print), {"a": 1})
    assert all(fault.message for fault in found)  # unchecked ones too are told, and never raise


def test_a_tool_without_anything_to_call_is_refused():
    nothing = Tool("nothing", "", {"type": "object", "properties": {}})
    for use in (as_tool, Tool.open):
        with pytest.raises(TypeError, match="nothing"):
            use(nothing)


def test_a_direct_call_takes_the_tools_arguments_and_no_others():
    for args, named in (((), {}), (("1", 2, 3), {}), (("1",), {"code": "2"}), ((), {"cod": "1"})):
        with pytest.raises(TypeError, match="run_python takes code"):
            run_python(*args, **named)
    assert run_python(code="2").text == "2"


def test_a_partial_and_an_object_are_read_as_what_they_call():
    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    class Doubler:
        """Double."""

        def __call__(self, values: Sequence[int], names: Mapping[str, int]) -> int:
            return 2 * sum(values)

    more = tool(functools.partial(add, b=2))
    assert (more.name, more.description) == ("add", "Add.") and more.open().run(
        {"a": 1}
    ).text == "3"
    assert list(more.parameters["properties"]) == ["a"]
    double = tool(Doubler())
    properties = double.parameters["properties"]
    assert properties["values"] == {"type": "array", "items": {"type": "integer"}}
    assert properties["names"] == {"type": "object", "additionalProperties": {"type": "integer"}}
    assert double.open().run({"values": [1, 2], "names": {}}).text == "6"


def test_a_function_gets_the_types_that_its_hints_promise():
    seen = {}

    def visit(
        stops: list[Stop],
        colour: Colour,
        tags: set[str],
        pair: tuple[int, Colour],
        either: Colour | None,
        many: dict[str, frozenset[int]],
        size: Annotated[float, "metres"],
        count: int,
        mixed: int | str | Stop,
    ) -> str:
        seen.update(locals())
        return "ok"

    arguments = {
        "stops": [{"name": "Rome"}],
        "colour": "red",
        "tags": ["a", "a"],
        "pair": [1, "blue"],
        "either": None,
        "many": {"a": [1, 1]},
        "size": 3,
        "count": 4.0,
        "mixed": {"name": "Oslo", "nights": 2},
    }
    visiting = tool(visit)
    assert validate(visiting, arguments) == []
    assert visiting.open().run(arguments) == ToolResult("ok")
    seen.pop("seen")  # the closure itself
    assert seen == {
        "stops": [Stop("Rome")],
        "colour": Colour.RED,
        "tags": {"a"},
        "pair": (1, Colour.BLUE),
        "either": None,
        "many": {"a": frozenset({1})},
        "size": 3.0,
        "count": 4,
        "mixed": Stop("Oslo", 2),
    }
    assert type(seen["size"]) is float and type(seen["count"]) is int
    assert "Colour" in visiting.open().run(arguments | {"colour": "green"}).error
    assert validate(visiting, arguments | {"pair": [1]})[0].name == "pair"


@pytest.mark.parametrize(
    "parameters, right, wrong",
    [
        ({"$defs": {"p": {"properties": {"a": {"type": "integer"}}}}, "$ref": "#/$defs/p"}, 1, "x"),
        ({"allOf": [{"properties": {"a": {"type": "integer"}}}]}, 1, "x"),
        ({"patternProperties": {"^a$": {"type": "integer"}}}, 1, "x"),
        ({"properties": {"b": {}}, "patternProperties": {"^a$": {"type": "integer"}}}, 1, "x"),
    ],
)
def test_arguments_named_elsewhere_than_at_the_top_are_no_faults(parameters, right, wrong):
    rich = as_tool(Tool("rich", "", {"type": "object", **parameters}, print))
    assert validate(rich, {"a": right}) == []
    assert [fault.kind for fault in validate(rich, {"a": wrong})] == ["wrong_type"]
    if "patternProperties" in parameters:
        found = validate(rich, {"a": right, "c": 1})
        assert [(fault.kind, fault.name) for fault in found] == [("extra", "c")]


def test_a_fault_is_short_and_in_the_language_asked_for():
    limited = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}
    short = Tool("short", "", limited, print)
    for arguments in ({"a": ["x" * 200_000]}, {"a": "x" * 200_000}, {"x" * 200_000: 1}):
        [fault] = validate(short, arguments)
        assert len(fault.message) < 300 and len(fault.name) < 120
    [rule] = validate(short, {"a": "long"})
    assert rule.message == 'a is "long", which does not satisfy maxLength: 3'
    with language("zh-TW"):
        assert "不符合" in validate(short, {"a": "long"})[0].message
        assert validate(short, {"a": "long"}, "en") == [rule]


def test_a_reference_to_itself_is_a_fault_and_no_endless_check():
    [fault] = validate(Tool("loop", "", {"$ref": "#"}, print), {"a": 1})
    assert "RecursionError" in fault.message
