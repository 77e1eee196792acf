"""Questions of two calls, where the second uses what the first one gave."""

from collections.abc import Callable

from words import CONTAINERS, MONEY, NAMES, THINGS

from .arithmetic import COMMANDS, SPOKEN, capital
from .base import Dice, Question, Step, two

NEXT = {
    "+": "add {b}",
    "-": "subtract {b}",
    "*": "multiply the result by {b}",
    "/": "divide the result by {b}",
}
BRIEFLY = {"+": "plus {b}", "-": "minus {b}", "*": "multiply by {b}", "/": "divide by {b}"}
THEN = (" Then {}.", ", then {}.", " and then {}.", ", and {}.", ". After that {}.")


def computed(a: int | str, sign: str, b: int) -> str:
    return f"print(round({a} / {b}, 2))" if sign == "/" else f"print({a} {sign} {b})"


def following(dice: Dice, sign: str, b: int) -> Callable[[str], Step]:
    """The second step: the first one's result, and b."""
    thought = dice.pick(
        "Now I have {r}: {r} {sign} {b}.",
        "The first result is {r}. Next: {sign} {b}.",
        "{r} {sign} {b} is what remains to do.",
        "I go on with {r}.",
    )

    def step(result: str) -> Step:
        r = result.strip()
        return Step(thought.format(r=r, sign=sign, b=b), computed(r, sign, b))

    return step


def operand(dice: Dice, sign: str) -> int:
    """The number of the second step."""
    return dice.between(2, 12) if sign in "*/" else dice.number(1, 2)


def steps_of_arithmetic(dice: Dice) -> Question:
    first = dice.pick("+", "-", "*", "*")
    a, b = dice.number(1, 3), dice.number(1, 2)
    if first == "-":
        a, b = max(a, b), min(a, b)
    second = dice.pick(*(sign for sign in "+-*/" if sign != first))
    c = operand(dice, second)
    command = dice.pick(*COMMANDS[first]).format(a=a, b=b)
    # Two equal options, and below a single one: these draws decide nothing, but the trainings
    # made them, and without them every question after this one would be another.
    then = dice.pick(NEXT[second], NEXT[second]).format(b=c)
    text = dice.pick(
        f"{capital(command)}{dice.pick(*THEN).format(then)}",
        f"{capital(command)}{dice.pick(*THEN).format(then)}",
        f"What is {a} {SPOKEN[first]} {b}, and that {SPOKEN[second]} {c}?",
        f"First {command}, then {then}.",
        f"{capital(command)}. What is the result {SPOKEN[second]} {c}?",
        f"Take {a}, {dice.pick(BRIEFLY[first]).format(b=b)}, then {then}.",
    )
    thought = dice.pick(
        f"Two steps. First I {command}.",
        f"Step one: {a} {first} {b}.",
        f"I begin with {a} {first} {b}.",
    )
    steps = (Step(thought, computed(a, first, b)), following(dice, second, c))
    answer = dice.pick("The result is {r}.", "In the end it is {r}.", "After both steps: {r}.")
    return two(text, steps, answer)


def steps_of_a_story(dice: Dice) -> Question:
    """A product first, then what is given away, shared or added."""
    name, thing = dice.pick(*NAMES), dice.pick(*THINGS)
    container, many = dice.pick(*CONTAINERS)
    money = dice.pick(*MONEY)
    a, b = dice.between(2, 40), dice.between(2, 40)
    c = dice.between(1, min(60, a * b - 1))
    verb = dice.pick("gives away", "loses", "sells", "eats")
    people, d = dice.pick("friends", "children"), dice.between(2, 9)

    has = f"{name} has {a} {many}"
    left = f"{has} of {b} {thing} and {verb} {c} {thing}. How many are left?"
    held = f"A {container} holds {b} {thing}. {has} and {verb} {c} {thing}."
    bought = f"{name} buys {a} {thing} at {b} {money} each and pays {c} {money} for a bag."
    filled = f"{name} fills {a} {many} with {b} {thing} each and shares them among {d} {people}."
    more = f"{has} of {b} {thing} and gets {c} more {thing}. How many is that?"
    product = f"First all {thing}: {a} times {b}."
    text, thought, sign, number, answer = dice.pick(
        (left, f"First all {thing}: {a} {many} of {b}.", "-", c, f"{name} has {{r}} {thing} left."),
        (f"{held} How many {thing} remain?", product, "-", c, f"{{r}} {thing} remain."),
        (
            f"{bought} What is the total?",
            f"First the {thing}: {a} times {b}.",
            "+",
            c,
            f"The total is {{r}} {money}.",
        ),
        (f"{filled} How many does each get?", product, "/", d, f"Each gets {{r}} {thing}."),
        (more, f"First those in the {many}: {a} times {b}.", "+", c, f"{name} has {{r}} {thing}."),
    )
    steps = (Step(thought, computed(a, "*", b)), following(dice, sign, number))
    return two(text, steps, answer)


def steps_of_a_list(dice: Dice) -> Question:
    numbers = dice.numbers(fewest=3)
    name, function = dice.pick(
        ("sum", "sum"),
        ("largest", "max"),
        ("smallest", "min"),
        ("total", "sum"),
    )
    sign = dice.pick("+", "-", "*", "/")
    c = operand(dice, sign)
    shown = dice.listed(numbers)
    verb = {
        "+": f"and add {c} to it",
        "-": f"and subtract {c} from it",
        "*": f"and multiply it by {c}",
        "/": f"and divide it by {c}",
    }[sign]
    text = dice.pick(
        f"Find the {name} of {shown} {verb}.",
        f"Take the {name} of {shown} {verb}.",
        f"What is the {name} of {shown}, {SPOKEN[sign]} {c}?",
    )
    thought = dice.pick(f"First the {name}: {function}.", f"Two steps. First {function}.")
    steps = (Step(thought, f"print({function}({numbers}))"), following(dice, sign, c))
    answer = dice.pick("The result is {r}.", "That makes {r}.")
    return two(text, steps, answer)


def steps_of_a_word(dice: Dice) -> Question:
    """The letters counted, then a sum or a product."""
    word = dice.word()
    quoted = dice.quoted(word)
    sign = dice.pick("+", "*", "*")
    c = operand(dice, sign)
    tail = f"and add {c}" if sign == "+" else f"and multiply by {c}"
    text = dice.pick(
        f"Count the letters in {quoted} {tail}.",
        f"How many letters has {quoted}, {SPOKEN[sign]} {c}?",
    )
    first = Step("First the letters: len.", f"print(len('{word}'))")
    steps = (first, following(dice, sign, c))
    answer = dice.pick("The result is {r}.", "That makes {r}.")
    return two(text, steps, answer)


def reversed_twice(dice: Dice) -> Question:
    """A word turned around, then written in capitals or asked for its first letter."""
    word = dice.word()
    quoted = dice.quoted(word)
    text, code, answer = dice.pick(
        (f"Reverse {quoted} and write it in capitals.", "print('{r}'.upper())", "{r}"),
        (f"Spell {quoted} backwards, then in capitals.", "print('{r}'.upper())", "It is {r}."),
        (
            f"Reverse {quoted} and tell me its first letter.",
            "print('{r}'[0])",
            "The first letter is '{r}'.",
        ),
    )
    thought = dice.pick("Now I have '{r}'.", "Reversed it is '{r}'. Next step.")

    def second(result: str) -> Step:
        r = result.strip()
        return Step(thought.replace("{r}", r), code.replace("{r}", r))

    opening = dice.pick("First I reverse the word.", "Two steps. First the reverse.")
    first = Step(opening, f"print('{word}'[::-1])")
    return two(text, (first, second), answer)


KINDS = {
    steps_of_arithmetic: 6,
    steps_of_a_story: 5,
    steps_of_a_list: 3,
    steps_of_a_word: 2,
    reversed_twice: 1.5,
}
