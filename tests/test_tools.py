"""Tools: schemas from signatures, validation in words, and a sandbox that holds."""

import enum
import resource
import subprocess
import sys
import time
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
from agentloop_widgets.tools.schemas import schema_of_function


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
    assert time.monotonic() - start < case["expected"]["returns_within_s"] + 1
    assert "TimeoutError" in result.error or "MemoryError" in result.error
    assert session.run({"code": "print(1)"}).result.endswith("1\n")
    session.close()


def test_endless_output_fills_no_memory():
    given = report("B06")["input"]
    session = SandboxSession(time_limit=given["limit_s"], output_limit=given["max_output"])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = session.run({"code": given["code"]})
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert (
        len(result.result) <= report("B06")["expected"]["stdout_len_at_most"]
        and "output cut" in result.result
    )
    assert grown < report("B06")["expected"]["host_memory_growth_mb_below"]
    session.close()


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
