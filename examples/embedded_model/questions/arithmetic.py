"""Questions of calculation, each of one call. shares.py and number_facts.py go on."""

from .base import Dice, Question, one

SPOKEN = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
COMMANDS = {
    "+": ("add {a} and {b}", "add {b} to {a}"),
    "-": ("subtract {b} from {a}", "take {b} away from {a}"),
    "*": ("multiply {a} by {b}", "multiply {a} and {b}"),
    "/": ("divide {a} by {b}",),
}
NOUNS = {
    "+": "the sum of {a} and {b}",
    "*": "the product of {a} and {b}",
    "/": "the quotient of {a} and {b}",
}
NEEDED = (
    "I need to {}.",
    "I have to {}. A tool does this exactly.",
    "The user wants me to {}.",
    "Let me {} with Python.",
    "The task is to {}.",
    "I should {}; Python is exact.",
)


def capital(text: str) -> str:
    return text[0].upper() + text[1:]


def operands(dice: Dice, sign: str) -> tuple[int, int]:
    """Two numbers for `sign`; few differences are below zero."""
    a, b = (dice.number(high=3 if sign == "*" else 4) for _ in range(2))
    if sign in "+-" and dice.chance(0.1):
        a = dice.between(10**4, 10**6 - 1)
    swapped = sign == "-" and a < b and dice.chance(0.8)
    return (b, a) if swapped else (a, b)


def arithmetic(dice: Dice) -> Question:
    """Two numbers and one sign."""
    sign = dice.pick("+", "-", "*", "*", "+", "/")
    a, b = operands(dice, sign)
    command = dice.pick(*COMMANDS[sign]).format(a=a, b=b)
    spoken = f"{a} {SPOKEN[sign]} {b}"
    text = asked_in_words_or_signs(dice, sign, a, b, command)
    thought = dice.pick(*NEEDED).format(command)
    if sign == "/":
        code = f"print(round({a} / {b}, 2))"
        answer = dice.pick(
            f"{a} / {b} is about {{r}}.",
            f"{spoken} is about {{r}}.",
            "It is about {r}.",
            f"Dividing {a} by {b} gives about {{r}}.",
        )
        return one(text, thought, code, answer)
    code = f"print({a} {sign} {b})"
    answer = dice.pick(
        f"{a} {sign} {b} = {{r}}.",
        f"{capital(spoken)} is {{r}}.",
        "The result is {r}.",
        f"{a} {sign} {b} makes {{r}}.",
        "That is {r}.",
    )
    return one(text, thought, code, answer)


def asked_in_words_or_signs(dice: Dice, sign: str, a: int, b: int, command: str) -> str:
    marks = {"*": dice.pick("*", "*", "*", "x", "×"), "/": dice.pick("/", "/", "/", "÷", ":")}
    mark = marks.get(sign, sign)
    written = f"{a} {mark} {b}" if dice.chance(0.75) else f"{a}{mark}{b}"
    spoken = f"{a} {SPOKEN[sign]} {b}"
    named = NOUNS.get(sign, spoken).format(a=a, b=b)
    return dice.pick(
        dice.asked(written),
        dice.asked(spoken),
        dice.asked(named),
        dice.asked(written),
        f"{written} = ?",
        f"{written} =",
        written,
        f"{capital(command)}.",
        f"Can you {command}?",
        f"{capital(command)}",
        f"I want to {command}. What do I get?",
        f"What do I get if I {command}?",
    )


def several(dice: Dice) -> Question:
    """More than two operands, written or listed."""
    numbers = [dice.number(high=3) for _ in range(dice.pick(3, 3, 4, 5))]
    sign = dice.pick("+", "+", "*")
    if sign == "*":
        numbers = [dice.number(high=2) for _ in numbers[:3]]
    written = f" {sign} ".join(map(str, numbers))
    spoken = f" {SPOKEN[sign]} ".join(map(str, numbers))
    shown = dice.listed(numbers)
    verb, noun = ("Add", "sum") if sign == "+" else ("Multiply", "product")
    text = dice.pick(
        dice.asked(written),
        dice.asked(written),
        f"{written} = ?",
        f"{verb} {shown}.",
        f"{verb} {shown} together.",
        dice.asked(f"the {noun} of {shown}"),
        f"Can you {verb.lower()} {shown}?",
        f"{spoken}?",
    )
    thought = dice.pick(
        f"I {verb.lower()} {len(numbers)} numbers.",
        f"All of them go into one {noun}.",
        f"There are {len(numbers)} numbers to {verb.lower()}.",
    )
    code = f"print({written})"
    answer = dice.pick(f"{written} = {{r}}.", f"The {noun} is {{r}}.", "Together that is {r}.")
    return one(text, thought, code, answer)


def expression(dice: Dice) -> Question:
    """Three numbers and two signs, with brackets or without."""
    a, b, c = (dice.number(1, 2) for _ in range(3))
    written = dice.pick(
        f"{a} + {b} * {c}",
        f"({a} + {b}) * {c}",
        f"{a} * ({b} - {c})",
        f"{a} * {b} - {c}",
        f"{a} - {b} - {c}",
        f"({a} - {b}) * {c}",
        f"{a} * {b} + {c}",
        f"{a} + {b} - {c}",
    )
    thought = dice.pick(
        "I will work out the expression with a tool.",
        "This has several operations. I will use Python.",
        "Python knows the order of operations.",
        "Brackets first, then times, then plus: Python does that.",
        "I give the whole expression to Python.",
    )
    text = dice.asked(written)
    code = f"print({written})"
    answer = dice.pick(f"{written} = {{r}}.", "The result is {r}.", "The expression is {r}.")
    return one(text, thought, code, answer)


def power(dice: Dice) -> Question:
    exponent, names = dice.pick(
        (2, ("{a} squared", "the square of {a}")),
        (3, ("{a} cubed", "the cube of {a}")),
        (None, ("{a} to the power {b}", "{a} to the power of {b}", "{a} ** {b}", "{a}^{b}")),
    )
    a = dice.number(1, 2) if exponent else dice.between(2, 20)
    b = exponent or dice.between(2, 12)
    thought = dice.pick(
        f"I need {a} to the power {b}.",
        f"{a} is multiplied by itself: the power {b}.",
        f"In Python this is {a} ** {b}.",
    )
    answer = dice.pick(f"{a} to the power {b} is {{r}}.", "It is {r}.", f"{a} ** {b} = {{r}}.")
    text = dice.asked(dice.pick(*names).format(a=a, b=b))
    return one(text, thought, f"print({a} ** {b})", answer)


def remainder(dice: Dice) -> Question:
    a, b = dice.number(2, 4), dice.number(1, 2)
    text = dice.pick(
        f"What is the remainder of {a} divided by {b}?",
        f"What remains when {a} is divided by {b}?",
        dice.asked(f"{a} modulo {b}"),
        dice.asked(f"{a} mod {b}"),
        dice.asked(f"the remainder of {a} / {b}"),
        f"What is left over when I divide {a} by {b}?",
    )
    thought = dice.pick(
        "The remainder is the modulo.",
        f"I need {a} modulo {b}.",
        "In Python % gives the remainder.",
    )
    code = f"print({a} % {b})"
    answer = dice.pick("The remainder is {r}.", f"{a} divided by {b} leaves {{r}}.")
    return one(text, thought, code, answer)


KINDS = {arithmetic: 17, several: 5, expression: 5, power: 4, remainder: 2}
