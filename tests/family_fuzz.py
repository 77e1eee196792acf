"""Texts that nobody would write, of both families, as hypothesis's strategies.

FUZZ_EXAMPLES sets how many examples each property is tried on.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from family_checks import Losses, mutate
from family_models import GEMMA, QWEN, Model
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from reports import tools_of

from agentloop_widgets.families import FINISHES

fuzz = settings(
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "150")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def joined(pieces, most):
    return st.lists(st.sampled_from(pieces), max_size=most).map("".join)


def texts_of(pieces):
    """Any short text, or one of these pieces."""
    return st.one_of(st.text(max_size=30), joined([*pieces, "<x>", "\t"], 8))


def json_values(texts, keys):
    """Values with these texts, and objects with these keys."""
    return st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | texts,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=12,
    )


def written_in(case):
    """The output that a report is about."""
    given = case["input"]
    return given if isinstance(given, str) else given.get("text", "".join(given.get("chunks", ())))


@dataclass(frozen=True, eq=False)
class Fuzz:
    """What a family's properties are tried on.

    part: a pattern that finds the parts of an output which a mutation drops, doubles or swaps.
    more: strategies for outputs, beyond those that every family has.
    prompt_pieces: what prompts are made of, beside the pieces of outputs.
    what_is_lost: the first token of an output that its result lacks, or the first that it made up; None where there is neither.
    """

    model: Model
    tails: list[str]
    tools: list[dict]
    pieces: list[str]
    part: re.Pattern
    more: list
    prompt_pieces: list[str]
    what_is_lost: Callable

    @cached_property
    def of_pieces(self):
        return joined(self.pieces, 40)

    @cached_property
    def raw_texts(self):
        written = [written_in(case) for case in self.model.reports]

        @st.composite
        def mutated(draw):
            return mutate(draw, written, self.part, self.pieces)

        return st.one_of(
            self.of_pieces,
            mutated(),
            st.text(max_size=60),
            self.of_pieces.map(lambda text: self.model.call_text(p=text)),
            *self.more,
        )

    @cached_property
    def outputs(self):
        """Outputs, each with its tools, the prompt's end and how it ended."""
        return st.tuples(
            self.raw_texts,
            st.sampled_from([self.tools, [], None]),
            st.sampled_from(self.tails),
            st.sampled_from(FINISHES),
        )

    @cached_property
    def contents(self):
        """What a message may hold: a text, or parts."""
        part = self.of_pieces.map(lambda text: {"type": "text", "text": text})
        return st.one_of(self.raw_texts, st.lists(part | st.just({"type": "image"}), max_size=3))

    def messages(self, **optional):
        """Messages of any order; `optional`: strategies for what else some of them hold."""
        roles = st.sampled_from(["user", "tool", "assistant"])
        message = {"role": roles, "content": self.contents}
        return st.lists(st.fixed_dictionaries(message, optional=optional), max_size=4)

    @cached_property
    def prompts(self):
        return st.one_of(self.of_pieces, joined([*self.prompt_pieces, *self.pieces], 30))

    def parse(self, raw, tools, tail, finish):
        return self.model.family.parse(raw, tools, prompt_tail=tail, finish=finish)


def tools_with(of_an_object):
    """Two tools: the second has a parameter that is an object, with this in its schema."""
    text = {"type": "string"}
    either = {"type": ["object", "null"], **of_an_object}
    return tools_of(
        {
            "ls": {"type": "object", "properties": {"p": text, "n": {"type": "integer"}}},
            "rm": {"type": "object", "properties": {"p": text, "o": either}},
        }
    )


# Qwen3.5.

QWEN_PIECES = [
    "<tool_call>", "</tool_call>", "<function=ls>", "<function=rm>", "<function=", "</function>", "<parameter=p>",
    "<parameter=n>", "<parameter=o>", "<parameter=q>", "<parameter=", "<parameter", "</parameter>", "<think>",
    "</think>", "<|im_end|>", "<|endoftext|>", "\n", "\n\n", " ", "x", "7", "{}", "{'a': True}", "None", "<", ">", '"',
    "`", "Hm.", "</", "<tool_", "é", "\ue000",
]  # fmt: skip
QWEN_FUZZ = Fuzz(
    model=QWEN,
    tails=["", QWEN.tail, QWEN.silent],
    tools=tools_with({}),
    pieces=QWEN_PIECES,
    part=re.compile(r"<[^<>\n]*>|[^<]+|<"),
    more=[],
    prompt_pieces=[
        "<|im_start|>user\n",
        "<|im_start|>assistant\n",
        "<|im_end|>\n",
        "<tool_response>\n",
        "\n</tool_response>",
        "<tools>\n",
        "# Tools\n\n",
        "\n</tools>",
    ],
    what_is_lost=Losses(
        re.compile(r"</?(?:think|tool_call|function|parameter)>|<\|im_end\|>|<\|endoftext\|>")
    ).what_is_lost,
)


# Gemma 4.

GEMMA_PIECES = [
    "<|tool_call>", "<tool_call|>", "<|tool_call>call:ls{", "<|tool_call>call:rm{", "call:", '<|"|>', '<|"|>,', '<|"|>}', "p:", "n:",
    'p:<|"|>', 'o:{<|"|>', "q=", ",", "{", "}", "[", "]", "}<tool_call|>", "<|channel>", "<|channel>thought\n", "<channel|>",
    "<|tool_response>", "<turn|>", "<eos>", "\n", " ", "x", "7", "true", "None", "'", '"', "\\", "`", "<", "<|", "|>", "Hm.", "é", "\ue000",
]  # fmt: skip
# Strings that may not be closed among the beginnings of many calls and thoughts.
of_unclosed = st.lists(
    st.sampled_from(
        ['<|"|>', '<|"|>,', '<|"|>}', "<|tool_call>call:ls{", '<|tool_call>call:rm{p:<|"|>', "<|tool_call>call:x", "<|tool_call>call ", "<tool_call|>",
         "<tool_call|>x", "}", "]", "p:", "o:{", "'", '"', "',", "<channel|>", "<|channel>thought\n"]
    ),
    max_size=40,
).map("".join)  # fmt: skip
GEMMA_LOSSES = Losses(
    re.compile(
        r"<\|channel>(?:[ \t]*[A-Za-z_]{0,40}[ \t]*\n|[ \t]*(?i:t|th|tho|thou|thoug|though|thought|answer|final|reply|response|)[ \t]*(?:\Z|(?=<channel\|>)))?"
        r"|<channel\|>|<tool_call\|>|<turn\|>|<\|tool_response>|<eos>"
    )
)


def what_gemma_lost(raw, parsed):
    """What is lost of the raw text up to the place where the reading ends."""
    spans = [call.span for call in parsed.calls]
    spans += [fault.span for fault in parsed.faults]
    ends = [
        match.start()
        for match in re.finditer(r"<\|tool_response>", raw)
        if not any(start < match.start() < end for start, end in spans)
    ]
    drafted = parsed.thought.count("<|tool_response>")  # in a string of a call that was given up
    read = raw[: [*ends, len(raw)][min(drafted, len(ends))]]
    if read.count("<|channel>") > 1 or not read.lstrip().startswith("<|channel>"):
        return next(iter(GEMMA_LOSSES.what_is_missing(read, parsed)), None)
    return GEMMA_LOSSES.what_is_lost(read, parsed)


GEMMA_FUZZ = Fuzz(
    model=GEMMA,
    tails=["", GEMMA.tail, GEMMA.silent, GEMMA.tail + GEMMA.opener],
    tools=tools_with({"properties": {"p": {"type": "array"}}}),
    pieces=GEMMA_PIECES,
    part=re.compile(r'<\|?"?[^<>\n]*>|[^<{}\[\],:]+|[<{}\[\],:]'),
    more=[
        joined(GEMMA_PIECES, 40).map(lambda text: f"<|tool_call>call:ls{{{text}}}<tool_call|>"),
        of_unclosed,
        of_unclosed.map(lambda text: f"<|channel>thought\n<|tool_call>call:ls{{{text}"),
    ],
    prompt_pieces=[
        "<bos>",
        "<|turn>user\n",
        "<|turn>model\n",
        "<|turn>system\n",
        "<turn|>\n",
        "<|think|>\n",
        "<|tool>declaration:ls{",
        "<tool|>",
        '<|tool_response>response:f{value:<|"|>',
        '<|"|>}<tool_response|>',
        "<|tool_response>response:f{",
        "<|image>",
        "<|image|>",
        "<image|>",
        "00:01 <|image><|video|><image|>",
    ],
    what_is_lost=what_gemma_lost,
)
