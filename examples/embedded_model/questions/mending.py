"""Questions whose first call really fails: a name used before its import, and its repair."""

from .base import Dice, Question, Step, two

REPAIRS = (
    "{name} is not defined. I must import it from math.",
    "I forgot the import: {name} is in math.",
    "NameError: {name} needs its import first.",
    "Python does not know {name} yet. It is in the module math.",
)


def mended(dice: Dice, text: str, name: str, thought: str, code: str, answer: str) -> Question:
    """The question whose `code` uses `name` before it is imported."""
    repair = Step(dice.pick(*REPAIRS).format(name=name), f"from math import {name}\n{code}")
    return two(text, (Step(thought, code), repair), answer)


def root(dice: Dice) -> Question:
    a = dice.between(2, 99) ** 2 if dice.chance(0.5) else dice.number()
    wanted = dice.pick(
        f"the square root of {a}",
        f"the square root of {a}",
        f"the root of {a}",
        f"sqrt({a})",
        f"sqrt {a}",
    )
    text = dice.asked(wanted)
    thought = dice.pick("I need sqrt.", "sqrt gives this.", f"The square root of {a} is sqrt({a}).")
    code = f"print(round(sqrt({a}), 3))"
    answer = dice.pick(f"The square root of {a} is {{r}}.", "It is {r}.")
    return mended(dice, text, "sqrt", thought, code, answer)


def factorial(dice: Dice) -> Question:
    a = dice.between(2, 22)
    wanted = dice.pick(f"the factorial of {a}", f"{a}!", f"{a} factorial", f"factorial of {a}")
    text = dice.asked(wanted)
    thought = dice.pick(
        "I need factorial.",
        "factorial gives this.",
        f"The factorial multiplies all numbers up to {a}.",
    )
    code = f"print(factorial({a}))"
    answer = dice.pick(f"The factorial of {a} is {{r}}.", f"{a}! is {{r}}.")
    return mended(dice, text, "factorial", thought, code, answer)


def common(dice: Dice) -> Question:
    """The greatest common divisor or the least common multiple."""
    a, b = dice.number(1, 3), dice.number(1, 3)
    name, whole = dice.pick(
        ("gcd", "greatest common divisor"),
        ("lcm", "least common multiple"),
        ("gcd", "greatest common factor"),
    )
    wanted = dice.pick(
        f"the {whole} of {a} and {b}",
        f"the {name} of {a} and {b}",
        f"{name}({a}, {b})",
    )
    text = dice.asked(wanted)
    thought = dice.pick(f"I need {name}.", f"{name} gives this.", f"The {whole} is {name}.")
    code = f"print({name}({a}, {b}))"
    answer = dice.pick(f"The {whole} of {a} and {b} is {{r}}.", f"The {whole} is {{r}}.")
    return mended(dice, text, name, thought, code, answer)


def circle(dice: Dice) -> Question:
    a, unit = dice.number(1, 2), dice.pick("", " cm", " m")
    inside = dice.pick("The area of a circle is pi times the radius squared.", "pi r squared.")
    around = dice.pick(
        "The circumference is twice pi times the radius.",
        "Around a circle: 2 pi r.",
    )
    what, product, thought = dice.pick(
        ("area", f"pi * {a} ** 2", inside),
        ("circumference", f"2 * pi * {a}", around),
    )
    text = dice.pick(
        f"What is the {what} of a circle with radius {a}{unit}?",
        f"A circle has radius {a}{unit}. What is its {what}?",
    )
    code = f"print(round({product}, 2))"
    answer = dice.pick(f"The {what} is {{r}}.", f"The circle has a {what} of {{r}}.")
    return mended(dice, text, "pi", thought, code, answer)


KINDS = {root: 3, factorial: 2, common: 3, circle: 1}
