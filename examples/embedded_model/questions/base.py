"""What a question is, and the dice that it is drawn with.

Nothing here runs code: corpus.py does, with the library's own sandbox.
The seeds of the trainings stand for certain questions: another order of the draws, or another
number of options anywhere, changes every question that comes after it.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from words import word

ASKED = (
    "What is {}?",
    "What is {}?",
    "What's {}?",
    "whats {}",
    "Calculate {}.",
    "Compute {}",
    "Find {}.",
    "Work out {}.",
    "Tell me {}.",
    "Give me {}.",
    "Can you find {}?",
    "Could you work out {}?",
    "How much is {}?",
    "I need {}.",
    "{}?",
    "{}",
    "Please give me {}.",
    "Do you know {}?",
    "I want to know {}.",
    "Show me {}.",
)


@dataclass(frozen=True)
class Step:
    """One call: the thought before it and the code that it runs."""

    thought: str
    code: str


@dataclass(frozen=True)
class Question:
    """One question and how it is answered.

    text: what the user asks
    steps: the calls, each a Step or a function that makes one of the result before
    answer(result): the sentence that states the last result
    thought: before an answer that needs no call
    reading(result): the thought after the last result, where it is not the usual one
    files: {name: text} in /data; attached: whether they are attached to the question
    said(result): what of the result the answer has to state
    kind: set by whoever draws it
    """

    text: str
    steps: tuple[Step | Callable[[str], Step], ...]
    answer: Callable[[str], str]
    thought: str = ""
    reading: Callable[[str], str] | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    attached: bool = False
    said: Callable[[str], str] | None = None
    kind: str = ""


def stated_of(result: str) -> str:
    """What an answer has to state of a result.

    A list without its brackets, Yes or No for a truth, else the result itself.
    """
    result = result.strip()
    if result in ("True", "False"):
        return "Yes" if result == "True" else "No"
    return result[1:-1].replace("'", "") if result.startswith("[") else result


def filled(template: str) -> Callable[[str], str]:
    """The answer that has a result in the place of {r}."""
    return lambda result: template.replace("{r}", stated_of(result))


class Dice:
    """Draws from a seed. words: the dictionary words that may be asked about."""

    def __init__(self, seed: int, words: list[str]):
        self.random = random.Random(seed)
        self.words = words

    def pick(self, *options):
        """One of `options`; those given twice are drawn twice as often."""
        return self.random.choice(options)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def between(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def number(self, low: int = 1, high: int = 4) -> int:
        """A number of `low` to `high` digits, mostly two."""
        drawn = self.random.choices([1, 2, 3, 4], [0.25, 0.4, 0.25, 0.1])[0]
        digits = min(max(drawn, low), high)
        return self.between(10 ** (digits - 1), 10**digits - 1)

    def numbers(self, fewest: int = 2) -> list[int]:
        """A list of numbers, all of up to as many digits."""
        digits = self.random.choices([1, 2, 3], [0.35, 0.48, 0.17])[0]
        count = max(fewest, self.random.choices([2, 3, 4, 5, 6, 8], [8, 37, 28, 15, 9, 3])[0])
        return [self.between(1, 10**digits - 1) for _ in range(count)]

    def word(self) -> str:
        return word(self.random, self.words)

    def quoted(self, text: str) -> str:
        """A word as people write it in a question."""
        return self.pick(f"'{text}'", f"'{text}'", f'"{text}"', text)

    def listed(self, items: list) -> str:
        """Items as people write them: 3, 1, 2 · 3, 1 and 2 · 3 1 2 · [3, 1, 2]."""
        texts = [str(item) for item in items]
        style = self.random.random()
        if style < 0.35 and len(texts) > 1:
            return ", ".join(texts[:-1]) + self.pick(" and ", " and ", ", and ") + texts[-1]
        if style < 0.45:
            return " ".join(texts)
        if style < 0.6:
            return "[" + ", ".join(texts) + "]"
        return ", ".join(texts)

    def asked(self, thing: str) -> str:
        """A question for `thing`, as in «What is {thing}?»."""
        return self.pick(*ASKED).replace("{}", thing)

    def worn(self, text: str) -> str:
        """The question as a hurried person types it.

        Sometimes without a capital or a full stop, or with a greeting, a please or thanks.
        """
        if self.chance(0.15):
            text = text[0].lower() + text[1:]
        if self.chance(0.12):
            text = text.rstrip(".?!") or text
        if self.chance(0.07):
            opening = self.pick("Please ", "Please: ", "Hi, ", "OK, ", "Hello! ", "Now ", "So, ")
            text = opening + text[0].lower() + text[1:]
        if self.chance(0.03):
            text += self.pick(" please", ", please", " Thanks!")
        return text


def one(text: str, thought: str, code: str, answer: str | Callable, **more) -> Question:
    """A question of one call.

    answer: a template with {r}, or a function of the result; more: other fields of Question.
    """
    return two(text, (Step(thought, code),), answer, **more)


def two(text: str, steps: tuple, answer: str | Callable, **more) -> Question:
    """A question of several calls."""
    return Question(text, steps, filled(answer) if isinstance(answer, str) else answer, **more)


def said_at_once(text: str, thought: str, answer: str) -> Question:
    """A question that needs no call."""
    return Question(text, (), filled(answer), thought=thought)


def yes_or_no(yes: str, no: str) -> Callable[[str], str]:
    """The answer to a question whose result is True or False."""
    return lambda result: f"Yes, {yes}." if result.strip() == "True" else f"No, {no}."
