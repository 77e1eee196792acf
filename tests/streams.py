"""Streams of tokens without a model, for the kernels of the browser tests and benchmarks: every token has five rivals, and its text is its own number, so that none can be missed unseen."""

import itertools
import random
import time

from agentloop_widgets import Trace
from agentloop_widgets.events import (
    ModelEnd,
    RunEnd,
    RunStart,
    StepEnd,
    StepStart,
    Token,
)

VOCABULARY = 32_000
LINE = 16  # tokens a line


def number_text(index: int) -> str:
    """Token `index` of a numbered stream."""
    return f"{index}\n" if index % LINE == LINE - 1 else f"{index} "


def whole_text(n: int) -> str:
    """The text of a numbered stream of n tokens."""
    return "".join(map(number_text, range(n)))


def spelling(id: int) -> str:
    """A word of one to eight letters, always the same for an id."""
    letters = random.Random(id)
    return " " + "".join(letters.choices("etaoinshrdlu", k=1 + id % 8))


def tokens(n: int, *, numbered: bool = True, seed: int = 0) -> list[Token]:
    """n tokens with random numbers and rivals. numbered: their texts are their numbers; else words of the vocabulary, as a model's."""
    chance = random.Random(seed)
    words = [spelling(id) for id in range(VOCABULARY)]
    return [_token(index, chance, words, numbered) for index in range(n)]


# A language's words are as often as one over their rank (Zipf).
SHARES = list(itertools.accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))


def _five(chance: random.Random) -> list[int]:
    found: dict[int, None] = {}
    while len(found) < 5:
        found |= dict.fromkeys(chance.choices(range(VOCABULARY), cum_weights=SHARES, k=5))
    return list(found)[:5]


def _token(index: int, chance: random.Random, words: list[str], numbered: bool) -> Token:
    ids = _five(chance)
    shares = sorted((chance.random() for _ in ids), reverse=True)
    top = [
        {"id": id, "piece": words[id], "p": share / (1 + sum(shares)), "kept": place < 3}
        for place, (id, share) in enumerate(zip(ids, shares, strict=True))
    ]
    text = number_text(index) if numbered else top[0]["piece"]
    p = top[0]["p"]
    return Token(
        index=index,
        id=VOCABULARY + index if numbered else ids[0],
        piece=text,
        text=text,
        p=p,
        logprob=-1.0,
        rank=1 + index % 7,
        p_sampled=min(1.0, 1.5 * p),
        kept=3,
        top=top,
        entropy=chance.random() * 3,
        ms=5.0,
        step=1,
    )


class Stream:
    """A run of one step that is told when to go on. trace: what a view listens to."""

    def __init__(self, n: int = 0, **options):
        self.trace = Trace()
        self.tokens = tokens(n, **options)
        self.costs: list[
            int
        ] = []  # nanoseconds of appending a token, and of appending one to a trace without a view
        self.bare_costs: list[int] = []
        self._sent = 0

    def begin(self) -> "Stream":
        self.trace.append(
            RunStart(harness="test", model="test", question="How many numbers?", run="stream")
        )
        self.trace.append(StepStart(step=1))
        return self

    def feed(self, n: int | None = None, rate: float = 0) -> "Stream":
        """The next n tokens (None: all that are left). rate: how many a second; 0 is full speed."""
        last = len(self.tokens) if n is None else self._sent + n
        self._drive(self.tokens[self._sent : last], rate)
        self._sent = last
        return self

    def _drive(self, events: list[Token], rate: float) -> None:
        """Every token goes to the trace and to one without a view; what is timed is, by turns, the one that comes first: both with cold caches, on a machine as busy."""
        viewed, bare = (self.trace.append, self.costs), (Trace().append, self.bare_costs)
        clock, start = time.perf_counter_ns, time.perf_counter()
        for place, event in enumerate(events):
            if rate:
                time.sleep(max(0.0, start + place / rate - time.perf_counter()))
            (first, costs), (second, _) = (bare, viewed) if place % 2 else (viewed, bare)
            before = clock()
            first(event)
            costs.append(clock() - before)
            second(event)

    def end(self, stop_reason: str = "answer") -> "Stream":
        raw = "".join(token.text for token in self.tokens[: self._sent])
        self.trace.append(
            ModelEnd(step=1, finish="stop_token", n_tokens=self._sent, decode_ms=1000.0, raw=raw)
        )
        self.trace.append(StepEnd(step=1))
        self.trace.append(RunEnd(stop_reason=stop_reason, final="all", ms=1000.0))
        return self
