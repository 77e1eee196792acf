"""Questions about percentages, parts and multiples of a number, each of one call."""

from .arithmetic import capital
from .base import Dice, Question, one


def percent(dice: Dice) -> Question:
    """A share of a number, or a number that grows or falls by a share of itself."""
    rate, a = dice.between(1, 99), dice.number(2, 4)
    share = dice.pick(f"{rate}%", f"{rate} %", f"{rate} percent", f"{rate} per cent")
    kind = dice.between(0, 5)
    if kind == 0:
        return increased(dice, a, rate, share)
    if kind == 1:
        return decreased(dice, a, rate, share)
    thought = dice.pick(
        f"I take {rate} hundredths of {a}.",
        f"{rate} percent means {rate} / 100.",
        f"Percent: {a} times {rate}, divided by 100.",
    )
    answer = dice.pick(
        f"{rate}% of {a} is {{r}}.",
        "That is {r}.",
        f"{rate} percent of {a} makes {{r}}.",
    )
    text = dice.asked(f"{share} of {a}")
    return one(text, thought, f"print(round({a} * {rate} / 100, 2))", answer)


def increased(dice: Dice, a: int, rate: int, share: str) -> Question:
    text = dice.pick(
        f"Increase {a} by {share}.",
        f"{a} plus {share}?",
        f"What is {a} increased by {share}?",
    )
    thought = dice.pick(
        f"{a} grows by {rate} hundredths.",
        f"More by {rate} percent: times 100 + {rate}, then divided by 100.",
    )
    code = f"print(round({a} * (100 + {rate}) / 100, 2))"
    answer = dice.pick(f"{a} plus {rate}% is {{r}}.", "The new value is {r}.")
    return one(text, thought, code, answer)


def decreased(dice: Dice, a: int, rate: int, share: str) -> Question:
    text = dice.pick(
        f"Decrease {a} by {share}.",
        f"What is {share} off {a}?",
        f"A price of {a} falls by {share}. What is it now?",
        f"What is {a} reduced by {share}?",
    )
    thought = dice.pick(
        f"{a} loses {rate} hundredths.",
        f"Less by {rate} percent: times 100 - {rate}, then divided by 100.",
    )
    code = f"print(round({a} * (100 - {rate}) / 100, 2))"
    answer = dice.pick(f"{a} minus {rate}% is {{r}}.", "The new value is {r}.")
    return one(text, thought, code, answer)


def part(dice: Dice) -> Question:
    """Half of a number, a third, double."""
    a = dice.number(high=3)
    name, sign, b = dice.pick(
        ("half of", "/", 2),
        ("a third of", "/", 3),
        ("a quarter of", "/", 4),
        ("double", "*", 2),
        ("twice", "*", 2),
        ("three times", "*", 3),
        ("a tenth of", "/", 10),
    )
    verb = "divide" if sign == "/" else "multiply"
    code = f"print({a} * {b})" if sign == "*" else f"print(round({a} / {b}, 2))"
    thought = dice.pick(f"That means {verb} by {b}.", f"I {verb} {a} by {b}.")
    text = dice.asked(f"{name} {a}")
    answer = dice.pick(f"{capital(name)} {a} is {{r}}.", "It is {r}.")
    return one(text, thought, code, answer)


KINDS = {percent: 7, part: 3}
