"""What the tests of all families check alike."""

import json
from collections import Counter
from itertools import pairwise

from reports import FINISHES, tools_of

from agentloop_widgets.families import FAULT_KINDS, Call, Parsed

STRING = {"type": "string"}


def name_of(golden):
    """A golden rendering's name among the tests."""
    return f"{golden['name']}-{golden['enable_thinking']:d}{golden['add_generation_prompt']:d}"


def called(parsed):
    return [{"name": call.name, "arguments": call.arguments} for call in parsed.calls]


def kinds(parsed):
    return [fault.kind for fault in parsed.faults]


def tool(name="ls", **properties):
    return {
        "type": "function",
        "function": {"name": name, "parameters": {"type": "object", "properties": properties}},
    }


# Prompts.


def check_partition(prompt, segments):
    assert [s.start for s in segments] == [0, *(s.end for s in segments[:-1])][: len(segments)]
    assert "".join(prompt[s.start : s.end] for s in segments) == prompt
    assert all(s.start < s.end for s in segments)


def shown(family, prompt):
    """A prompt's segments with their text: (role, kind, text)."""
    return [(s.role, s.kind, prompt[s.start : s.end]) for s in family.segments(prompt)]


def check_literals(family, rendered):
    """What a rendering says is literal spells control pieces, each one once."""
    assert all(rendered[start:end] in family.control_pieces for start, end in rendered.literal)
    assert all(end <= start for (_, end), (start, _) in pairwise(rendered.literal))


# Faults reported in public against other projects.


def input_of(case):
    """A report's (raw output, tools, prompt's end, finish)."""
    given = case["input"] if isinstance(case["input"], dict) else {"text": case["input"]}
    raw = given["text"] if "text" in given else "".join(given["chunks"])
    finish = (
        "max_new_tokens"
        if case["expected"].get("partial")
        else FINISHES[given.get("finish", "stop")]
    )
    return raw, tools_of(case.get("schema")), given.get("prompt_tail", ""), finish


def parse_report(family, case):
    raw, tools, prompt_tail, finish = input_of(case)
    return family.parse(raw, tools, prompt_tail=prompt_tail, finish=finish)


def check_report(family, case):
    """The report's output is taken apart as the report says is right."""
    expected, parsed = case["expected"], parse_report(family, case)
    assert parsed.content == expected["content"]
    assert parsed.thought == expected.get("reasoning", "")
    assert called(parsed) == expected["calls"]
    check_parsed(input_of(case)[0], parsed)


def check_report_in_chunks(family, case):
    raw, tools, prompt_tail, finish = input_of(case)
    whole = parse_report(family, case)
    chunkings = [[raw[:i], raw[i:]] for i in range(len(raw) + 1)]
    given = case["input"].get("chunks") if isinstance(case["input"], dict) else None
    for chunks in [*chunkings, list(raw), *([given] if given else [])]:
        parser = family.parser(tools, prompt_tail=prompt_tail)
        for chunk in chunks:
            parser.feed(chunk)
            assert isinstance(parser.so_far, Parsed)
        assert parser.close(finish) == whole


def check_stream(family, raw, tools, prompt_tail, whole):
    """What a stream shows on the way is the beginning of `whole`, its result."""
    parser = family.parser(tools, prompt_tail=prompt_tail)
    for character in raw:
        parser.feed(character)
        seen = parser.so_far
        assert whole.thought.startswith(seen.thought)
        assert whole.content.startswith(seen.content)
        assert seen.calls == whole.calls[: len(seen.calls)]


# Any output.


def check_parsed(raw, parsed):
    """What a result says of itself is true."""
    assert parsed.thought == parsed.thought.strip() and parsed.content == parsed.content.strip()
    assert [call.id for call in parsed.calls] == [f"call_{n + 1}" for n in range(len(parsed.calls))]
    json.dumps([call.arguments for call in parsed.calls], allow_nan=False)
    for call in (*parsed.calls, *(fault.call for fault in parsed.faults if fault.call)):
        assert isinstance(call, Call) and raw[slice(*call.span)] == call.raw
    for fault in parsed.faults:
        assert fault.kind in FAULT_KINDS and fault.kind != "open_call" and fault.message
        assert raw[slice(*fault.span)] == fault.text
    spans = [call.span for call in parsed.calls]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


def check_chunks(family, raw, tools, tail, finish, cuts):
    """An output fed in pieces, cut at `cuts`, gives what the whole gives."""
    parser = family.parser(tools, prompt_tail=tail)
    borders = sorted({0, len(raw), *(cut for cut in cuts if cut < len(raw))})
    for start, end in pairwise(borders):
        parser.feed(raw[start:end])
        assert isinstance(parser.so_far, Parsed)
    assert parser.close(finish) == family.parse(raw, tools, prompt_tail=tail, finish=finish)


# Nothing that the model wrote is lost, and nothing is made up.

IN_THOUGHT = (
    "call_in_thought",
    "thought_not_closed",
    "value",
    "malformed_parameter",
    "duplicate_parameter",
)


class Losses:
    """Finds what a result lost of an output. markup: a pattern of what is no text."""

    def __init__(self, markup):
        self.markup = markup

    def tokens(self, text):
        """A text as its pieces of markup and its characters, without white space."""
        found, position = [], 0
        for match in self.markup.finditer(text):
            found += [*"".join(text[position : match.start()].split()), "".join(match[0].split())]
            position = match.end()
        return [*found, *"".join(text[position:].split())]

    def uncovered(self, raw, parsed):
        """The raw text outside calls and faults that have a text of their own, as tokens."""
        spans = [call.span for call in parsed.calls]
        spans += [fault.span for fault in parsed.faults if fault.kind not in IN_THOUGHT]
        position, rest = 0, []
        for start, end in sorted(spans):
            rest += self.tokens(raw[position:start])
            position = max(position, end)
        return rest + self.tokens(raw[position:])

    def what_is_lost(self, raw, parsed):
        """The first token of the raw text that is nowhere in the result, or a token of the result that is not in the raw."""
        said = [*self.tokens(parsed.thought), *self.tokens(parsed.content)]
        place = 0
        for token in self.uncovered(raw, parsed):
            if place < len(said) and said[place] == token:
                place += 1
            elif not self.markup.fullmatch(token):
                return token
        return said[place] if place < len(said) else None

    def what_is_missing(self, raw, parsed):
        """The same where thoughts and reply may alternate: every token that is lost or made up, in no order."""
        said = Counter([*self.tokens(parsed.thought), *self.tokens(parsed.content)])
        written = Counter(self.uncovered(raw, parsed))
        lost = [token for token in written - said if not self.markup.fullmatch(token)]
        return [*lost, *(said - written)]


def mutate(draw, outputs, pattern, pieces):
    """A real output, some of its parts (`pattern` finds them) dropped, doubled, swapped or put in from `pieces`; `draw` is hypothesis's."""
    from hypothesis import strategies as st

    parts = pattern.findall(draw(st.sampled_from(outputs)))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(parts)))
        change = draw(st.sampled_from(["drop", "double", "insert", "swap"]))
        if change == "insert":
            parts.insert(place, draw(st.sampled_from(pieces)))
        elif change == "drop":
            del parts[place : place + 1]
        elif change == "double":
            parts[place:place] = parts[place : place + 1]
        else:
            parts[place : place + 2] = parts[place : place + 2][::-1]
    text = "".join(parts)
    return text[: draw(st.integers(0, len(text)))] if draw(st.booleans()) else text
