"""Text with the part that each stretch has in it: what both families' renderers yield, tokenised."""

from dataclasses import dataclass

import numpy

from agentloop_widgets.trace.messages import files_as_text

READ, GRAMMAR, THOUGHT, CODE, ANSWER, RETRY = range(6)
PARTS = {GRAMMAR: "grammar", THOUGHT: "thought", CODE: "code", ANSWER: "answer", RETRY: "retry"}

Piece = tuple[str, int]  # (text, its part); READ is read only, all else is learnt


def texts_of(message: dict) -> list[str]:
    """A message's texts, each trimmed; a file is told in the library's words."""
    (message,) = files_as_text([message])
    content = message["content"]
    return [content] if isinstance(content, str) else [part["text"] for part in content]


def last_question(messages: list[dict]) -> int:
    return max(index for index, message in enumerate(messages) if message["role"] == "user")


def is_retry(messages: list[dict], index: int) -> bool:
    """Whether the call at `index` is the one before it again."""
    calls = messages[index].get("tool_calls")
    return bool(calls) and index >= 2 and messages[index - 2].get("tool_calls") == calls


def relabelled(pieces: list[Piece], part: int) -> list[Piece]:
    return [(text, part) for text, _ in pieces]


@dataclass(frozen=True)
class Example:
    """ids and parts: int16 and uint8 arrays [length]; parts says READ for what is read only."""

    ids: numpy.ndarray
    parts: numpy.ndarray


def stretches(pieces: list[Piece]) -> list[list[Piece]]:
    """Neighbours that are all read, or all learnt, put together: each list is tokenised as one text, as it is when the model runs."""
    lists: list[list[Piece]] = []
    for piece in pieces:
        if not piece[0]:
            continue
        if lists and (lists[-1][-1][1] == READ) == (piece[1] == READ):
            lists[-1].append(piece)
        else:
            lists.append([piece])
    return lists


def encoded(tokenizer, samples: list[list[Piece]]) -> list[Example]:
    """Every sample tokenised. tokenizer: a transformers tokenizer of the tokenizers library."""
    cut = [stretches(sample) for sample in samples]
    texts = ["".join(text for text, _ in stretch) for sample in cut for stretch in sample]
    rows = iter(tokenizer.backend_tokenizer.encode_batch(texts, add_special_tokens=False))
    examples = []
    for sample in cut:
        ids, parts = [], []
        for stretch in sample:
            row = next(rows)
            ids += row.ids
            parts += parts_of(stretch, row.offsets)
        examples.append(Example(numpy.array(ids, numpy.int16), numpy.array(parts, numpy.uint8)))
    return examples


def parts_of(stretch: list[Piece], offsets: list[tuple[int, int]]) -> list[int]:
    """The part of each token: that of the character it begins with."""
    ends = numpy.cumsum([len(text) for text, _ in stretch])
    begins = [begin for begin, _ in offsets]
    return [stretch[at][1] for at in numpy.searchsorted(ends, begins, side="right")]
