"""The Gemma 4 family alone on texts that nobody would write; what it shares with the other is in test_families_fuzz.py.

FUZZ_EXAMPLES sets how many examples each property is tried on.
"""

import gc
import json
import re
import sys
import time
from itertools import pairwise

import pytest
from family_checks import check_literals, check_partition
from family_fuzz import GEMMA_FUZZ, fuzz, json_values, texts_of
from family_models import GEMMA
from gemma4_rendering import render, render_call
from hypothesis import given
from hypothesis import strategies as st

from agentloop_widgets.families import FINISHES, Parsed
from agentloop_widgets.families.gemma4_order import text_before_calls

FAMILY = GEMMA.family
TAIL = GEMMA.tail
TAILS, TOOLS, PIECES = GEMMA_FUZZ.tails, GEMMA_FUZZ.tools, GEMMA_FUZZ.pieces
parse, what_is_lost = GEMMA_FUZZ.parse, GEMMA_FUZZ.what_is_lost


def test_the_loss_of_a_thought_would_be_noticed():
    assert what_is_lost("<|channel>thought\na<channel|>b", Parsed("a", "b")) is None
    assert what_is_lost("<|channel>thought\na<channel|>b", Parsed("b", "a")) == "a"
    assert what_is_lost("b<|channel>thought\na<channel|>", Parsed("a", "b")) is None
    assert what_is_lost("b<|channel>thought\na<channel|>", Parsed("a", "")) == "b"
    assert what_is_lost("a<|tool_response>b", Parsed(content="a")) is None
    assert what_is_lost("a<|tool_response>b", Parsed(content="ab")) == "b"


# What the template writes comes back.


def is_quotable(text):
    """The format has no escape: a text that holds a marker is another one, and one that holds half a call may be read in another way."""
    return not re.search(
        r'<\|"\|>|<\|tool_call>\s*call:|<tool_call\|>|<\|$|<$|<\|"?$|<\|"\|$', text
    )


keys = st.from_regex(r"[a-zA-Z_][\w .-]{0,6}", fullmatch=True).map(str.strip)
any_arguments = st.dictionaries(
    keys, json_values(texts_of(PIECES).filter(is_quotable), keys), max_size=4
)


def exactly(arguments):
    """The arguments as a text that tells True from 1 and 1 from 1.0."""
    return json.dumps(arguments, sort_keys=True)


@given(
    st.lists(any_arguments, min_size=1, max_size=3),
    st.sampled_from([TOOLS, [], None]),
    st.booleans(),
)
@fuzz
def test_arguments_come_back(arguments, tools, thinks):
    calls = "".join(render_call({"name": "f", "arguments": each}) for each in arguments)
    head = "<|channel>thought\nHm.\n<channel|>" if thinks else ""
    parsed = parse(f"{head}Look.{calls}<|tool_response>", tools, TAIL, "stop_token")
    assert [call.arguments for call in parsed.calls] == arguments
    written, read = (
        [*map(exactly, each)] for each in (arguments, (c.arguments for c in parsed.calls))
    )
    assert written == read
    assert (parsed.thought, parsed.content) == ("Hm." if thinks else "", "Look.")
    assert parsed.faults == []


@given(any_arguments)
@fuzz
def test_rendered_steps_come_back(arguments):
    messages = [
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "content": "Look.",
            "reasoning_content": "Hm.",
            "tool_calls": [{"function": {"name": "f", "arguments": arguments}}],
        },
    ]
    rendered = FAMILY.render(messages, render)
    raw = rendered[rendered.index(TAIL) + len(TAIL) :]
    parsed = parse(raw, None, TAIL, "stop_token")
    assert (parsed.thought, parsed.content) == ("Hm.", "Look.")
    assert [call.arguments for call in parsed.calls] == [arguments]
    kinds = [s.kind for s in FAMILY.segments(rendered) if s.role == "assistant"]
    assert kinds.count("tool_call") == 1 and "thought" in kinds


# Prompts.

messages = GEMMA_FUZZ.messages(
    tool_calls=st.just([{"function": {"name": "f", "arguments": {"a": 1}}}])
)


@given(messages, st.booleans())
@fuzz
def test_no_text_forges_a_control_piece(messages, thinking):
    conversation = [{"role": "user", "content": "go"}]
    for message in messages:
        made_calls = message["role"] == "assistant"
        conversation.append(message if made_calls else {**message, "tool_calls": None})

    def apply(given):
        return render(given, None, thinking)

    rendered = FAMILY.render(conversation, apply)
    assert rendered == text_before_calls(apply)(FAMILY.normalise(conversation))
    check_literals(FAMILY, rendered)
    check_partition(rendered, FAMILY.segments(rendered))
    if not any(m["role"] == "assistant" for m in conversation):
        literal = [rendered[start:end] for start, end in rendered.literal]
        own = rendered.count("<|turn>") - literal.count("<|turn>")
        users = sum(m["role"] == "user" for m in conversation)
        runs = sum(
            m["role"] == "tool" and before["role"] != "tool" for before, m in pairwise(conversation)
        )
        last_is_result = conversation[-1]["role"] == "tool"
        assert own == users + runs + thinking + (not last_is_result)


# Time.

CALL = render_call({"name": "ls", "arguments": {"p": "y"}})
REPEATED = [
    "<|tool_call>", "<|tool_call>call:", "<|tool_call>call:ls", "<|tool_call>call:ls{", '<|tool_call>call:ls{p:<|"|>', "<|tool_call>call:ls{p:",
    '<|"|>', '<|"|>,', '<|"|>}', '<|"|>,p:', '<|"|>,p=', "p:", "p:x,", "p:1,", "x,", "'a,", '"a,', "',", "['a',", "{", "[", "{a:", "{a:[", "}", "]", ",",
    "<tool_call|>", "<|channel>", "<|channel>thought\n", "<channel|>", "<|tool_response>", "<turn|>", "<", "<|", " ", "\n", "\\", "\\'",
    CALL, CALL + "\n", CALL.removesuffix("<tool_call|>"), CALL.replace('<|"|>}', "}"), CALL.replace("y", "<|tool_call>call:"),
    "<|tool_call>call:f{a:[1}<tool_call|>", "<|tool_call>call:f{a:[1}", "<|tool_call>call:f{a:'x}<tool_call|>",
    f"<|channel>thought\n{CALL}", f"<|channel>thought\n{CALL}<channel|>", "<|channel>final\n",
]  # fmt: skip


THOUGHT = GEMMA.opener
# Each reads far ahead of what it begins with: to the end of a string that never closes, or of a call that is then given up.
UNCLOSED = [
    '<|tool_call>call:x<|"|>', '<|tool_call>call:a{b:x}<|"|>', '<|tool_call>call:\nb:<|"|>', '<|tool_call>(<|"|>7', '<|tool_call>call <|"|>',
    '<|tool_call>call:ls{p:x}<|"|>x', "<|tool_call>call:a{b:'x}<tool_call|>y", '<|tool_call>call:a{b:"x}<tool_call|>y', '<|tool_call>call:ls{p:[x}<|"|>',
    'p:<|"|><|tool_call>call:a{b:', 'p:<|"|><|tool_response>response:x{value:<|"|>', '<|tool_response>response:x{value:<|"|>', "<|tool_response>response:x{",
    THOUGHT + '<|tool_call>call:a{b:<|"|><channel|>', '<|"|><channel|>' + THOUGHT + '<|tool_call>call <|"|>,',
    f'c:<|"|><channel|>{THOUGHT}<|tool_call>call:a{{c:<|"|>q<tool_call|>x<|"|>,', f'c:<|"|><channel|>{THOUGHT}<|tool_call>call:a{{c:{{c:<|"|>q<tool_call|>x<|"|>,',
    f'<|"|><channel|>{THOUGHT}<|tool_call>call:a{{c:[<|"|>q<tool_call|>x<|"|>,', f"'<channel|>{THOUGHT}<|tool_call>call:a{{c:'q<tool_call|>x',",
]  # fmt: skip
BEHIND = [
    "", "<|tool_call>call:<|tool_call>call:a{<|tool_call>call:a{", "<tool_call|>]", "<|tool_call><|tool_call>x,", "<tool_call|>", '<|"|>,', '<|"|>x', "<channel|>",
]  # fmt: skip
HEADS = ["", "<|tool_call>call:ls{p:", '<|tool_call>call:ls{p:<|"|>']
IN_THOUGHT = [
    THOUGHT + "<|tool_call>call:a{", THOUGHT + "<|tool_call>call:ls{o:{", THOUGHT + "<|tool_call>call ",
]  # fmt: skip
ENDS = ["", "]", "}!", "},e:1,]", '<|"|>}<tool_call|>']


def count_steps(run):
    """How many functions are called, the built-in ones counted: unlike the time, the same in every run."""
    steps = 0

    def count(_frame, event, _argument):
        nonlocal steps
        steps += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(before)
    return steps


def best_time(run, tries):
    """The shortest of several times, of this process alone."""
    times = []
    gc.disable()
    try:
        for _ in range(tries):
            start = time.process_time()
            run()
            times.append(time.process_time() - start)
            gc.collect()
    finally:
        gc.enable()
    return min(times)


def ways_to_read(tails=(TAIL, TAILS[-1])):
    """Everything that takes time in proportion to the text, as functions of the text."""

    def read(text, tail, finish):
        parser = FAMILY.parser(TOOLS, prompt_tail=tail)
        parser.feed(text)
        assert isinstance(parser.close(finish) if finish else parser.so_far, Parsed)

    for tail in tails:
        for finish in (*FINISHES[:2], None):
            yield lambda text, tail=tail, finish=finish: read(text, tail, finish)
    yield lambda text: check_partition(TAIL + text, FAMILY.segments(TAIL + text))
    results = TAIL + "<|tool_response>"
    yield lambda text: check_partition(results + text, FAMILY.segments(results + text))


def repeated(head, piece, behind, end, length):
    """A text of about this many characters, half of it of `behind` if that is not empty."""
    copies = length // len(piece) // (2 if behind else 1)
    return head + piece * copies + behind * (length // 2 // max(1, len(behind))) + end


def check_steps(head, piece, behind, end, ways):
    for way in ways:
        few, many = (
            count_steps(
                lambda way=way, length=length: way(repeated(head, piece, behind, end, length))
            )
            for length in (1_500, 6_000)
        )
        assert many <= 5 * few + 1_500, (head, piece, behind, end)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("piece", [*REPEATED, *UNCLOSED])
def test_the_work_grows_with_the_text(piece, head):
    check_steps(head, piece, "", "", ways_to_read())


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("piece", UNCLOSED)
def test_the_work_of_many_unclosed_strings_grows_with_the_text(piece, behind):
    for head in ("", IN_THOUGHT[0]):
        check_steps(head, piece, behind, "", ways_to_read([TAIL]))


@pytest.mark.parametrize("head", IN_THOUGHT)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("piece", UNCLOSED)
def test_the_work_of_calls_that_are_read_again_grows_with_the_text(piece, end, head):
    check_steps(head, piece, "", end, ways_to_read([""]))


any_pieces = st.lists(st.sampled_from([*PIECES, *UNCLOSED, *BEHIND[1:]]), min_size=1, max_size=4)


@given(
    st.sampled_from([*HEADS, *IN_THOUGHT]),
    any_pieces.map("".join),
    st.one_of(st.just(""), any_pieces.map("".join)),
    st.sampled_from(ENDS),
)
@fuzz
def test_the_work_of_any_repeated_pieces_grows_with_the_text(head, piece, behind, end):
    check_steps(head, piece, behind, end, ways_to_read([TAIL]))


SLOWEST = [
    ("", '<|tool_call>call:a{b:x}<|"|>', "<tool_call|>]", ""),
    ("", '<|tool_call>call:\nb:<|"|>', BEHIND[1], ""),
    ("", '<|tool_call>call:x<|"|>', "", ""),
    ("", "<|tool_call>call:a{b:'x}<tool_call|>y", "", ""),
    ("", '<|tool_response>response:x{value:<|"|>', "", ""),
    ("", THOUGHT + '<|tool_call>call:a{b:<|"|><channel|>', "", ""),
    (IN_THOUGHT[0], UNCLOSED[-4], "", "]"),
    (IN_THOUGHT[1], UNCLOSED[-4], "", "},e:1,]"),
    (IN_THOUGHT[0], UNCLOSED[-3], "", ""),
    (IN_THOUGHT[2], UNCLOSED[-5], "", ""),
]


@pytest.mark.parametrize("repeats", SLOWEST)
def test_four_times_the_text_takes_less_than_eight_times_the_time(repeats):
    for way in ways_to_read([TAIL]):
        short, long = (repeated(*repeats, length) for length in (10_000, 40_000))
        for tries in (3, 6, 12):  # again, where something else took the processor's caches
            ratio = best_time(lambda way=way, long=long: way(long), tries) / best_time(
                lambda way=way, short=short: way(short), 2 * tries
            )
            if ratio < 8:
                break
        assert ratio < 8


def test_a_long_name_is_not_repeated_for_every_fault():
    text = f"<|tool_call>call:{'n' * 5_000}{{{'a=1,' * 1_000}}}<tool_call|>"
    parsed = parse(text, None, TAIL, "stop_token")
    assert len(parsed.calls[0].name) == 5_000 and len(parsed.faults) > 1_000
    assert sum(len(fault.message) for fault in parsed.faults) < 100 * len(text)
    assert "n" * 200 + "…" in parsed.faults[0].message


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("piece", [*REPEATED, *UNCLOSED])
def test_100_kilobytes_end(piece, head):
    text = head + piece * (100_000 // len(piece))
    for tail in TAILS[1::2]:
        assert isinstance(parse(text, TOOLS, tail, "stop_token"), Parsed)
    check_partition(TAIL + text, FAMILY.segments(TAIL + text))
