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


TEXTS = (
    "one two three four five",
    "one two THREE four five six",
    "one two THREE four five six seven",
    "one two THREE four five six seven eight",
)


def saved_contexts(path, checksums=True) -> list[str]:
    """The lines of a file of TEXTS' contexts, the header first; without checksums as an earlier version wrote them."""
    lines = Trace([context(text) for text in TEXTS]).save(path).read_text().splitlines()
    made = [json.loads(line) for line in lines]
    for values in made:
        if not checksums:
            values.pop("checksum", None)
    return [json.dumps(values, separators=(",", ":")) for values in made]


def read_lines(path, lines) -> Trace:
    """What is read from these lines; the warnings are those of `damage`."""
    path.write_text("\n".join(lines) + "\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        trace = replay(path)
    assert [str(warning.message) for warning in caught] == trace.damage
    return trace


def damaged_lines(lines: list[str]):
    """Every way in which the file loses or spoils one line before the last: cut, lost, written over, another type, another text, no share."""
    for index in range(1, len(lines) - 1):
        values = json.loads(lines[index])
        for changed in (
            [lines[index][: len(lines[index]) // 2]],
            [lines[index][:5]],
            [],
            ["\x00" * 40],
            [json.dumps({**values, "type": "note"})],
            [json.dumps({**values, "prompt": values["prompt"][:-1]})],
            [json.dumps({name: value for name, value in values.items() if name != "shared"})],
            [json.dumps({name: value for name, value in values.items() if name != "prompt"})],
            [json.dumps({**values, "shared": {"prompt": 1, "ids": 1, "pieces": 1}})],
            [json.dumps({**values, "shared": [3]})],
            [json.dumps({**values, "shared": {**values["shared"], "ids": True}})],
            [json.dumps({**values, "ids": "abc"})],
        ):
            yield [*lines[:index], *changed, *lines[index + 1 :]]


def test_a_context_on_a_damaged_line_is_never_shown_as_true(tmp_path):
    lines = saved_contexts(tmp_path / "run.jsonl")
    for damaged in damaged_lines(lines):
        trace = read_lines(tmp_path / "damaged.jsonl", damaged)
        prompts = [event.prompt for event in trace if isinstance(event, Context)]
        assert set(prompts) <= set(TEXTS) and len(prompts) < len(TEXTS), damaged


def test_without_checksums_nothing_that_shares_is_trusted_after_an_unreadable_line(tmp_path):
    lines = saved_contexts(tmp_path / "run.jsonl", checksums=False)
    cut = [*lines[:2], lines[2][:50], *lines[3:]]
    trace = read_lines(tmp_path / "cut.jsonl", cut)
    kept = [event for event in trace if isinstance(event, Unknown)]
    assert trace[0] == context(TEXTS[0]) and len(trace) == 3 and len(trace.damage) == 3
    assert [event.kind for event in kept] == ["context", "context"]
    whole = json.dumps({"type": "context", **saved_contexts_alone(tmp_path, TEXTS[3])})
    assert read_lines(tmp_path / "cut.jsonl", [*cut, whole])[3] == context(TEXTS[3])


def saved_contexts_alone(tmp_path, text) -> dict:
    """A context that shares nothing with one before, as its line has it."""
    lines = Trace([context(text)]).save(tmp_path / "alone.jsonl").read_text().splitlines()
    return {name: value for name, value in json.loads(lines[1]).items() if name != "checksum"}


def test_a_file_without_checksums_is_read_whole(tmp_path):
    lines = saved_contexts(tmp_path / "run.jsonl", checksums=False)
    assert "checksum" not in "".join(lines)
    trace = read_lines(tmp_path / "old.jsonl", lines)
    assert [event.prompt for event in trace] == list(TEXTS) and not trace.damage


def test_a_damaged_token_takes_no_context_with_it(tmp_path):
    run = growing_run(3, 50)
    lines = run.save(tmp_path / "run.jsonl").read_text().splitlines()
    for checksums in (True, False):
        kept = [json.loads(line) for line in lines]
        for values in kept:
            if not checksums:
                values.pop("checksum", None)
        made = [json.dumps(values, separators=(",", ":")) for values in kept]
        made[2] = made[2][:25]
        trace = read_lines(tmp_path / "cut.jsonl", made)
        assert [event for event in trace if isinstance(event, Context)] == run.events[::2]


def test_a_damaged_trace_is_saved_and_read_again_as_it_is(tmp_path):
    texts = [*TEXTS[:3], "another", "another one"]
    lines = Trace([context(text) for text in texts]).save(tmp_path / "a").read_text().splitlines()
    for lost in (1, 2, 3):
        damaged = read_lines(tmp_path / "b", [line for at, line in enumerate(lines) if at != lost])
        again = read_lines(tmp_path / "c", damaged.save(tmp_path / "d").read_text().splitlines())
        assert again.events == damaged.events and again[-1].prompt == "another one"


@pytest.mark.parametrize(
    "line", ["[" * 100_000, '{"type":"x","a":' + "[" * 5000 + "]" * 5000 + "}"]
)
def test_a_line_nested_too_deeply_is_left_out(tmp_path, line):
    lines = saved_contexts(tmp_path / "run.jsonl")
    trace = read_lines(tmp_path / "deep.jsonl", [*lines[:3], line, *lines[3:]])
    assert [event.prompt for event in trace] == list(TEXTS) and len(trace.damage) == 1


@pytest.mark.parametrize("version", ["2", None, [1], {}, 1.5, 2])
def test_a_format_that_is_not_known_is_said(tmp_path, version):
    lines = saved_contexts(tmp_path / "run.jsonl")
    trace = read_lines(
        tmp_path / "x", [json.dumps({"type": "header", "format": version}), *lines[1:]]
    )
    assert len(trace) == len(TEXTS) and "newer" in trace.damage[0]


def test_a_trace_is_its_text_in_a_console():
    trace = growing_run(1, 20)
    assert repr(trace) == str(trace) == trace.to_text()


def test_half_a_surrogate_pair_is_written_and_read_back(tmp_path):
    run = Trace([Notice(kind="note", text="half \ud83d")])
    assert replay(run.save(tmp_path / "run.jsonl")).events == run.events


def test_a_recording_that_fails_does_not_end_the_run(tmp_path):
    trace = Trace()
    trace.record_to(tmp_path / "run.jsonl")
    with pytest.warns(UserWarning, match="left out"):
        trace.append(Notice(kind="note", text=float("nan")))
    trace.append(Notice(kind="note", text="after"))
    assert len(trace) == 2
