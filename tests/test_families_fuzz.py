"""The families on texts that nobody would write: they never fail, lose nothing, and take linear time.

The properties of both come first, then those of Qwen3.5 alone. FUZZ_EXAMPLES sets how many examples each is tried on.
"""

import re

import pytest
from family_checks import check_chunks, check_literals, check_parsed, check_partition, check_stream
from family_fuzz import GEMMA_FUZZ, QWEN_FUZZ, fuzz, json_values, texts_of
from family_models import QWEN
from hypothesis import assume, given
from hypothesis import strategies as st
from qwen3_5_rendering import render, render_call
from reports import tools_of

from agentloop_widgets.families import Parsed, qwen3_5_calls
from agentloop_widgets.families.qwen3_5_tags import find_tags

both = pytest.mark.parametrize("fuzzed", [QWEN_FUZZ, GEMMA_FUZZ], ids=["qwen3_5", "gemma4"])


# Both families. They never fail, and what a result says of itself is true.


@both
@given(st.data())
@fuzz
def test_every_text_is_taken_apart(fuzzed, data):
    output = data.draw(fuzzed.outputs)
    raw, parsed = output[0], fuzzed.parse(*output)
    check_parsed(raw, parsed)
    for call in (*parsed.calls, *(fault.call for fault in parsed.faults if fault.call)):
        assert not re.search(r"[<>\n]", "".join((call.name, *call.arguments)))


# Nothing that the model wrote is lost, and nothing is made up.


@both
@given(st.data())
@fuzz
def test_nothing_is_lost(fuzzed, data):
    output = data.draw(fuzzed.outputs)
    assert fuzzed.what_is_lost(output[0], fuzzed.parse(*output)) is None


@both
def test_a_loss_would_be_noticed(fuzzed):
    assert fuzzed.what_is_lost("ab", Parsed(content="a")) == "b"
    assert fuzzed.what_is_lost("a", Parsed(content="ab")) == "b"
    closed = fuzzed.model.closer.strip()
    assert fuzzed.what_is_lost(f"a{closed}b", Parsed(content="ab")) is None


# Chunks.


@both
@given(st.data(), st.lists(st.integers(0, 400), max_size=12))
@fuzz
def test_any_chunking_gives_the_same(fuzzed, data, cuts):
    check_chunks(fuzzed.model.family, *data.draw(fuzzed.outputs), cuts)


@both
@given(st.data())
@fuzz
def test_a_stream_takes_nothing_back(fuzzed, data):
    raw, tools, tail, finish = data.draw(fuzzed.outputs)
    # Of an unknown prompt, a later closing piece may make a thought of what was taken for the reply.
    assume(tail)
    check_stream(fuzzed.model.family, raw, tools, tail, fuzzed.parse(raw, tools, tail, finish))


@both
def test_a_chunk_costs_no_more_than_itself(fuzzed):
    parser = fuzzed.model.family.parser(fuzzed.tools)
    for character in "x" * 200_000:
        parser.feed(character)
    assert parser.close() == Parsed(content="x" * 200_000)


# Prompts.


@both
@given(st.data())
@fuzz
def test_segments_are_a_partition_of_any_prompt(fuzzed, data):
    prompt = data.draw(fuzzed.prompts)
    check_partition(prompt, fuzzed.model.family.segments(prompt))


# Qwen3.5: what the template writes comes back.

FAMILY = QWEN.family
TAILS, TOOLS, parse = QWEN_FUZZ.tails, QWEN_FUZZ.tools, QWEN_FUZZ.parse
values = texts_of(QWEN_FUZZ.pieces)


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


arguments_of_any_type = st.dictionaries(
    st.from_regex(r"[a-z_]{1,6}", fullmatch=True),
    json_values(values.filter(is_quotable), st.text(max_size=5).filter(is_quotable)),
    max_size=4,
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


@given(arguments_of_any_type, st.booleans())
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


# Qwen3.5: prompts.


@given(QWEN_FUZZ.messages(), st.booleans())
@fuzz
def test_no_text_forges_a_control_piece(messages, thinking):
    conversation = [{"role": "user", "content": "go"}, *messages]

    def apply(given):
        return render(given, None, thinking)

    rendered = FAMILY.render(conversation, apply)
    assert rendered == apply(FAMILY.normalise(conversation))
    check_literals(FAMILY, rendered)
    shielded = [m for m in conversation if m["role"] != "assistant"]
    if len(shielded) == len(conversation):
        turns = sum(
            not (m["role"] == "tool" and before["role"] == "tool")
            for before, m in zip([{"role": ""}, *conversation], conversation, strict=False)
        )
        literal = sum(rendered[start:end] == "<|im_start|>" for start, end in rendered.literal)
        assert rendered.count("<|im_start|>") - literal == turns + 1


# Qwen3.5: time.

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
        assert QWEN_FUZZ.what_is_lost(text, parsed) is None
