"""The trace file: whole, live, cut, broken, newer, and large."""

import json
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from agentloop_widgets.events import Context, Notice, Token, Unknown
from agentloop_widgets.trace import Trace, common_prefix, replay


def context(text: str) -> Context:
    ids = [ord(character) for character in text]
    return Context(
        prompt=text,
        ids=ids,
        pieces=list(text),
        segments=[{"role": "user", "kind": "text", "start": 0, "end": len(text)}],
        n_tokens=len(ids),
    )


def growing_run(steps: int, length: int) -> Trace:
    texts = [
        "".join(chr(97 + (index * 7) % 26) for index in range(length + 100 * step))
        for step in range(steps)
    ]
    return Trace(
        [
            event
            for step, text in enumerate(texts, 1)
            for event in (context(text), Token(index=0, id=step, piece="x", text="x", step=step))
        ],
        {"model": "m", "seed": 1},
    )


def test_a_trace_is_read_back_whole(tmp_path):
    run = growing_run(5, 2000)
    again = replay(run.save(tmp_path / "run.jsonl"))
    assert again.events == run.events and again.header == run.header and not again.damage


def test_a_context_is_stored_from_the_common_prefix_on(tmp_path):
    one, ten = (
        growing_run(1, 20_000).save(tmp_path / "one.jsonl"),
        growing_run(10, 20_000).save(tmp_path / "ten.jsonl"),
    )
    assert ten.stat().st_size < 1.5 * one.stat().st_size


def test_a_context_that_was_rewritten_is_read_back(tmp_path):
    texts = ["abc", "abXc", "", "abXcd", "q"]
    run = Trace([context(text) for text in texts])
    assert [event.prompt for event in replay(run.save(tmp_path / "run.jsonl"))] == texts


@pytest.mark.parametrize(
    "left, right",
    [
        ("", ""),
        ("a", ""),
        ("abc", "abd"),
        ("abc", "abc"),
        ("xyz", "abc"),
        ("a" * 1000 + "b", "a" * 1000 + "c"),
    ],
)
def test_the_common_prefix_is_the_longest(left, right):
    length = common_prefix(left, right)
    assert left[:length] == right[:length] and (
        length == min(len(left), len(right)) or left[length] != right[length]
    )


def test_a_killed_run_leaves_a_readable_file(tmp_path):
    path = tmp_path / "live.jsonl"
    program = f"""
from agentloop_widgets.trace import Trace
from agentloop_widgets.events import Notice
trace = Trace(header={{"model": "m"}})
trace.record_to({str(path)!r})
number = 0
while True:
    trace.append(Notice(kind="note", text=str(number)))
    number += 1
"""
    process = subprocess.Popen([sys.executable, "-c", program])
    try:
        deadline = time.time() + 30
        while time.time() < deadline and (not path.exists() or path.stat().st_size < 20_000):
            time.sleep(0.01)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trace = replay(path)
    texts = [event.text for event in trace]
    assert (
        len(texts) > 100
        and texts == [str(number) for number in range(len(texts))]
        and len(trace.damage) <= 1
    )


def test_a_broken_line_in_the_middle_is_named_and_the_rest_is_read(tmp_path):
    path = Trace([Notice(kind="note", text=str(number)) for number in range(4)]).save(
        tmp_path / "run.jsonl"
    )
    lines = path.read_text().splitlines()
    lines[2] = lines[2][:10]
    path.write_text("\n".join(lines) + "\n")
    with pytest.warns(UserWarning, match="line 3"):
        trace = replay(path)
    assert [event.text for event in trace] == ["0", "2", "3"]


def test_a_newer_file_is_read_and_said(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(
        json.dumps({"type": "header", "format": 99})
        + "\n"
        + json.dumps({"type": "hologram", "beams": 3})
        + "\n"
    )
    with pytest.warns(UserWarning, match="newer"):
        trace = replay(path)
    assert trace.events == [Unknown(kind="hologram", content={"beams": 3})]
    again = trace.save(tmp_path / "again.jsonl")
    assert json.loads(again.read_text().splitlines()[1]) == {"type": "hologram", "beams": 3}


def test_what_is_no_trace_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nothing\.jsonl"):
        replay(tmp_path / "nothing.jsonl")
    (tmp_path / "list.txt").write_text("eggs\nmilk\n")
    with pytest.raises(ValueError, match=r"list\.txt"):
        replay(tmp_path / "list.txt")


def test_replay_loads_no_model_and_no_torch(tmp_path):
    path = growing_run(2, 100).save(tmp_path / "run.jsonl")
    program = f"import agentloop_widgets as a, sys; t = a.replay({str(path)!r}); print(len(t), str(t)[:0], sorted({{'torch', 'transformers', 'jsonschema', 'av'}} & set(sys.modules)))"
    assert (
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(tmp_path),
        ).stdout
        == "4  []\n"
    )
