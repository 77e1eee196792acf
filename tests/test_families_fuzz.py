"""The Qwen3.5 family on texts that nobody would write: it never fails, loses nothing, and takes linear time.

FUZZ_EXAMPLES sets how many examples each property is tried on.
"""

import os
import re
from itertools import pairwise

import pytest
from family_checks import (
    Losses,
    check_chunks,
    check_parsed,
    check_partition,
    check_stream,
    mutate,
)
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from qwen3_5_rendering import render, render_call
from reports import reports, tools_of

from agentloop_widgets.families import FAMILIES, FINISHES, Parsed, qwen3_5_calls
from agentloop_widgets.families.qwen3_5_tags import find_tags

FAMILY = FAMILIES["qwen3_5"]
TAILS = ["", "<think>\n", "<think>\n\n</think>\n\n"]
SCHEMAS = {
    "ls": {"type": "object", "properties": {"p": {"type": "string"}, "n": {"type": "integer"}}},
    "rm": {
        "type": "object",
        "properties": {"p": {"type": "string"}, "o": {"type": ["object", "null"]}},
    },
}
TOOLS = tools_of(SCHEMAS)
PIECES = [
    "<tool_call>", "</tool_call>", "<function=ls>", "<function=rm>", "<function=", "</function>", "<parameter=p>",
    "<parameter=n>", "<parameter=o>", "<parameter=q>", "<parameter=", "<parameter", "</parameter>", "<think>",
    "</think>", "<|im_end|>", "<|endoftext|>", "\n", "\n\n", " ", "x", "7", "{}", "{'a': True}", "None", "<", ">", '"',
    "`", "Hm.", "</", "<tool_", "é", "\ue000",
]  # fmt: skip
INPUTS = [case["input"] for case in (*reports("qwen_parse"), *reports("think", "qwen"))]
OUTPUTS = [
    each if isinstance(each, str) else each.get("text", "".join(each.get("chunks", ())))
    for each in INPUTS
]

of_pieces = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@st.composite
def mutated(draw):
    return mutate(draw, OUTPUTS, re.compile(r"<[^<>\n]*>|[^<]+|<"), PIECES)


raw_texts = st.one_of(
    of_pieces,
    mutated(),
    st.text(max_size=60),
    of_pieces.map(lambda text: render_call({"name": "ls", "arguments": {"p": text}})),
)
outputs = st.tuples(
    raw_texts, st.sampled_from([TOOLS, [], None]), st.sampled_from(TAILS), st.sampled_from(FINISHES)
)
fuzz = settings(
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "150")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def parse(raw, tools, tail, finish):
    return FAMILY.parse(raw, tools, prompt_tail=tail, finish=finish)


# It never fails, and what it says of itself is true.


@given(outputs)
@fuzz
def test_every_text_is_taken_apart(output):
    raw, parsed = output[0], parse(*output)
    check_parsed(raw, parsed)
    for call in (*parsed.calls, *(fault.call for fault in parsed.faults if fault.call)):
        assert not re.search(r"[<>\n]", "".join((call.name, *call.arguments)))


# Nothing that the model wrote is lost, and nothing is made up.

LOSSES = Losses(
    re.compile(r"</?(?:think|tool_call|function|parameter)>|<\|im_end\|>|<\|endoftext\|>")
)
what_is_lost = LOSSES.what_is_lost


@given(outputs)
@fuzz
def test_nothing_is_lost(output):
    assert what_is_lost(output[0], parse(*output)) is None


def test_a_loss_would_be_noticed():
    assert what_is_lost("ab", Parsed(content="a")) == "b"
    assert what_is_lost("a", Parsed(content="ab")) == "b"
    assert what_is_lost("a</think>b", Parsed(content="ab")) is None


# Chunks.


@given(outputs, st.lists(st.integers(0, 400), max_size=12))
@fuzz
def test_any_chunking_gives_the_same(output, cuts):
    check_chunks(FAMILY, *output, cuts)


@given(outputs)
@fuzz
def test_a_stream_takes_nothing_back(output):
    raw, tools, tail, _ = output
    assume(
        tail
    )  # of an unknown prompt, a later </think> may make a thought of what was taken for the reply
    check_stream(FAMILY, raw, tools, tail, parse(*output))


# What the template writes comes back.

values = st.one_of(
    st.text(max_size=30),
    st.lists(st.sampled_from([*PIECES, "<x>", "\t"]), max_size=8).map("".join),
)


def is_quotable(text):
    """The format has no escape: a text that holds these may be read another way, see the tests of single cases."""
    return not re.search(r"</parameter>|</function>|</tool_call>|<parameter|<function", text)


@given(st.lists(values.filter(is_quotable), min_size=1, max_size=3), st.sampled_from(TAILS[1:]))
@fuzz
def test_strings_come_back(texts, tail):
    raw = "\n".join(render_call({"name": "ls", "arguments": {"p": text}}) for text in texts)
    head = "Hm.\n</think>\n\n" if tail == "<think>\n" else ""
    parsed = parse(head + raw + "<|im_end|>", TOOLS, tail, "stop_token")
    assert [call.arguments for call in parsed.calls] == [{"p": text} for text in texts]
    assert parsed.content == "" and parsed.faults == []


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | values.filter(is_quotable),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=5).filter(is_quotable), inner, max_size=4)
    ),
    max_leaves=12,
)
TYPES = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


@given(
    st.dictionaries(st.from_regex(r"[a-z_]{1,6}", fullmatch=True), json_values, max_size=4),
    st.booleans(),
)
@fuzz
def test_typed_values_come_back(arguments, optional):
    kinds = {key: TYPES[type(value)] for key, value in arguments.items()}
    schemas = {key: {"type": kind} for key, kind in kinds.items()}
    if optional:
        assume("None" not in arguments.values() and "null" not in arguments.values())
        schemas = {key: {"anyOf": [schema, {"type": "null"}]} for key, schema in schemas.items()}
    tools = tools_of({"f": {"type": "object", "properties": schemas}})
    parsed = parse(
        render_call({"name": "f", "arguments": arguments}), tools, TAILS[2], "stop_token"
    )
    assert [call.arguments for call in parsed.calls] == [arguments] and parsed.faults == []


# Prompts.

contents = st.one_of(
    raw_texts,
    st.lists(
        of_pieces.map(lambda text: {"type": "text", "text": text}) | st.just({"type": "image"}),
        max_size=3,
    ),
)
messages = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "tool", "assistant"]), "content": contents}
    ),
    max_size=4,
)


@given(messages, st.booleans())
@fuzz
def test_no_text_forges_a_control_piece(messages, thinking):
    conversation = [{"role": "user", "content": "go"}, *messages]

    def apply(given):
        return render(given, None, thinking)

    rendered = FAMILY.render(conversation, apply)
    assert rendered == apply(FAMILY.normalise(conversation))
    assert all(rendered[start:end] in FAMILY.control_pieces for start, end in rendered.literal)
    assert all(end <= start for (_, end), (start, _) in pairwise(rendered.literal))
    shielded = [m for m in conversation if m["role"] != "assistant"]
    if len(shielded) == len(conversation):
        turns = sum(
            not (m["role"] == "tool" and before["role"] == "tool")
            for before, m in zip([{"role": ""}, *conversation], conversation, strict=False)
        )
        literal = sum(rendered[start:end] == "<|im_start|>" for start, end in rendered.literal)
        assert rendered.count("<|im_start|>") - literal == turns + 1


@given(
    st.one_of(
        of_pieces,
        st.lists(
            st.sampled_from(
                [
                    "<|im_start|>user\n",
                    "<|im_start|>assistant\n",
                    "<|im_end|>\n",
                    "<tool_response>\n",
                    "\n</tool_response>",
                    "<tools>\n",
                    "# Tools\n\n",
                    "\n</tools>",
                    *PIECES,
                ]
            ),
            max_size=30,
        ).map("".join),
    )
)
@fuzz
def test_segments_are_a_partition_of_any_prompt(prompt):
    check_partition(prompt, FAMILY.segments(prompt))


# Time.

CALL = render_call({"name": "ls", "arguments": {"p": "y"}})
REPEATED = [
    "<tool_call>\n", "<tool_call>\n<function=ls>\n", "<tool_call>\n<function=ls>\n<parameter=p>\n", "<function=ls>\n",
    "<parameter=p>\n", "</parameter>\n", "</parameter>x", "</function>\n", "</tool_call>\n", "<think>", "</think>", "<",
    "<tool_", "<function=", "<parameter=", "<|im_end|>", "\n", CALL, CALL + "\n", CALL.replace("</parameter>\n", "") + "\ntext\n",
    CALL.replace("y", "<function=q>"), '<tool_call>\n{"a": 1}\n', "<tool_call>\n<function", "a </think> b",
    "<parameter=p>\n</function>\n", "<tool_call>\n<function=ls>\n<parameter=p>\n</think>\n", "[", "{'a':", "\\",
]  # fmt: skip


class Counting(list):
    """A list that counts how often its items are looked at."""

    looks = 0

    def __getitem__(self, index):
        Counting.looks += 1
        return super().__getitem__(index)


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("piece", REPEATED)
def test_the_work_grows_with_the_text(piece, tail, monkeypatch):
    monkeypatch.setattr(qwen3_5_calls, "find_tags", lambda *given: Counting(find_tags(*given)))

    def work(copies, finish):
        Counting.looks = 0
        text = piece * copies
        parser = FAMILY.parser(TOOLS, prompt_tail=tail)
        parser.feed(text)
        assert isinstance(parser.close(finish) if finish else parser.so_far, Parsed)
        return Counting.looks

    for finish in ("stop_token", "max_new_tokens", None):
        few, many = (work(length // len(piece), finish) for length in (30_000, 60_000))
        assert many <= 2.2 * few + 100


@pytest.mark.parametrize("head", ["", CALL.split("y")[0]])
@pytest.mark.parametrize("piece", REPEATED)
def test_200_kilobytes_end(piece, head):
    text = head + piece * (200_000 // len(piece))
    for tail in TAILS[1:]:
        parsed = parse(text, TOOLS, tail, "stop_token")
        assert what_is_lost(text, parsed) is None


def test_a_chunk_costs_no_more_than_itself():
    parser = FAMILY.parser(TOOLS)
    for character in "x" * 200_000:
        parser.feed(character)
    assert parser.close() == Parsed(content="x" * 200_000)
