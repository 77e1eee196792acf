"""Questions that mean the answer before: they come after a turn whose result was a number."""

import re

from .arithmetic import SPOKEN
from .base import Dice, Question, one

FORMS = {
    "+": ("And plus {b}?", "Add {b} to that.", "Now add {b}.", "And {b} more?", "Plus {b}?"),
    "-": (
        "And minus {b}?",
        "Subtract {b} from that.",
        "Now take away {b}.",
        "And {b} less?",
        "Minus {b}?",
    ),
    "*": (
        "And times {b}?",
        "Multiply that by {b}.",
        "Now multiply it by {b}.",
        "Times {b}?",
        "What is that times {b}?",
    ),
    "/": (
        "And divided by {b}?",
        "Divide that by {b}.",
        "Now divide it by {b}.",
        "What is that divided by {b}?",
    ),
}


def is_number(result: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?", result.strip()) is not None


def follow_up(dice: Dice, before: str) -> Question:
    """A question about `before`, the number that the last answer stated."""
    before = before.strip()
    sign = dice.pick(*FORMS)
    b = dice.between(2, 12) if sign in "*/" else dice.number(1, 2)
    text = dice.pick(*FORMS[sign]).format(b=b)
    thought = dice.pick(
        f"The user means {before}, the result before.",
        f"That is {before}. Now {SPOKEN[sign]} {b}.",
        f"The last answer was {before}.",
    )
    if dice.chance(0.25):
        text, sign, b = dice.pick(
            ("Double that.", "*", 2),
            ("And half of that?", "/", 2),
            ("What is half of it?", "/", 2),
            ("Now double it.", "*", 2),
        )
        thought = f"The user means {before}, the result before."
    code = f"print(round({before} / {b}, 2))" if sign == "/" else f"print({before} {sign} {b})"
    answer = dice.pick(f"{before} {sign} {b} is {{r}}.", "That makes {r}.", "Now it is {r}.")
    return one(text, thought, code, answer)
