"""Questions about what is true of a number, and numbers in another form, each of one call."""

from .arithmetic import capital
from .base import Dice, Question, one, yes_or_no

PRIMES = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97)


def parity(dice: Dice) -> Question:
    """Even or odd."""
    a, name = dice.number(), dice.pick("even", "odd")
    rest = 0 if name == "even" else 1
    text = dice.pick(
        f"Is {a} {name}?",
        f"Is {a} an {name} number?",
        f"Is the number {a} {name}?",
        f"Can you check if {a} is {name}?",
    )
    thought = dice.pick(
        f"{a} is {name} if {a} % 2 is {rest}.",
        f"{capital(name)} means remainder {rest} when divided by 2.",
    )
    code = f"print({a} % 2 == {rest})"
    answer = yes_or_no(f"{a} is {name}", f"{a} is not {name}")
    return one(text, thought, code, answer)


def divisible(dice: Dice) -> Question:
    b = dice.between(2, 15)
    a = b * dice.between(2, 60) if dice.chance(0.5) else dice.number(2, 3)
    text = dice.pick(
        f"Is {a} divisible by {b}?",
        f"Can {a} be divided by {b} without a remainder?",
        f"Is {a} a multiple of {b}?",
        f"Does {b} divide {a}?",
    )
    thought = dice.pick(
        f"The remainder of {a} by {b} must be 0.", f"I check whether {a} % {b} is 0."
    )
    code = f"print({a} % {b} == 0)"
    answer = yes_or_no(f"{a} is divisible by {b}", f"{a} is not divisible by {b}")
    return one(text, thought, code, answer)


def prime(dice: Dice) -> Question:
    a = dice.pick(dice.between(2, 199), *PRIMES)
    text = dice.pick(
        f"Is {a} prime?",
        f"Is {a} a prime number?",
        f"Is {a} a prime?",
        f"Check whether {a} is prime.",
    )
    thought = dice.pick(
        f"No number from 2 to {a - 1} may divide a prime.", f"I try every divisor of {a}."
    )
    code = f"print(all({a} % d for d in range(2, {a})))"
    answer = yes_or_no(f"{a} is prime", f"{a} is not prime")
    return one(text, thought, code, answer)


def compare(dice: Dice) -> Question:
    """Which of two numbers is larger or smaller, or whether one is."""
    a, b = dice.number(), dice.number()
    name, function = dice.pick(
        ("larger", "max"),
        ("smaller", "min"),
        ("bigger", "max"),
        ("greater", "max"),
        ("less", "min"),
    )
    if dice.chance(0.25):
        return is_larger_or_smaller(dice, a, b)
    text = dice.pick(
        f"Which is {name}, {a} or {b}?",
        f"Which number is {name}: {a} or {b}?",
        f"What is {name}, {a} or {b}?",
        f"{a} or {b}: which is {name}?",
    )
    thought = dice.pick(
        f"I need the {name} one, so {function}.",
        f"The {name} of two numbers is their {function}.",
    )
    answer = dice.pick(f"{{r}} is {name}.", f"The {name} one is {{r}}.")
    return one(text, thought, f"print({function}({a}, {b}))", answer)


def is_larger_or_smaller(dice: Dice, a: int, b: int) -> Question:
    sign, name = dice.pick(
        (">", "more than"),
        ("<", "less than"),
        (">", "larger than"),
        ("<", "smaller than"),
    )
    thought = dice.pick(f"I compare {a} and {b}.", f"{capital(name)} is the sign {sign}.")
    answer = yes_or_no(f"{a} is {name} {b}", f"{a} is not {name} {b}")
    return one(f"Is {a} {name} {b}?", thought, f"print({a} {sign} {b})", answer)


def difference(dice: Dice) -> Question:
    """How far two numbers are apart."""
    a, b = dice.number(), dice.number()
    text = dice.pick(
        dice.asked(f"the difference between {a} and {b}"),
        dice.asked(f"the difference of {a} and {b}"),
        f"How far apart are {a} and {b}?",
        f"By how much do {a} and {b} differ?",
    )
    thought = dice.pick(
        "A difference has no sign: abs.", f"I subtract {b} from {a} and leave out the sign."
    )
    code = f"print(abs({a} - {b}))"
    answer = dice.pick("The difference is {r}.", f"{a} and {b} differ by {{r}}.")
    return one(text, thought, code, answer)


def rounding(dice: Dice) -> Question:
    decimals = dice.between(0, 3)
    whole = dice.number(1, 3)
    digits = dice.random.choices("0123456789", k=decimals + dice.between(1, 3))
    a = f"{whole}.{''.join(digits)}"
    if decimals > 1:
        places = dice.pick(f"{decimals} decimals", f"{decimals} decimal places")
    else:
        places = "1 decimal" if decimals == 1 else "a whole number"
    text = dice.pick(
        f"Round {a} to {places}.",
        f"What is {a} rounded to {places}?",
        dice.asked(f"{a} to {places}"),
    )
    code = f"print(round({a}, {decimals}))" if decimals else f"print(round({a}))"
    thought = dice.pick("round does this.", f"I round {a} to {places}.")
    answer = dice.pick("Rounded it is {r}.", f"{a} is about {{r}}.")
    return one(text, thought, code, answer)


def binary(dice: Dice) -> Question:
    a = dice.number(1, 3)
    text = dice.pick(f"Write {a} in binary.", f"What is {a} in binary?", f"Convert {a} to binary.")
    thought = dice.pick(
        "bin gives the binary digits.", "bin writes 0b in front, so I cut two characters."
    )
    code = f"print(bin({a})[2:])"
    answer = dice.pick(f"{a} in binary is {{r}}.", "In binary: {r}.")
    return one(text, thought, code, answer)


def zero(dice: Dice) -> Question:
    """An error that no repair can mend."""
    a = dice.number()
    text = dice.pick(
        dice.asked(f"{a} / 0"), dice.asked(f"{a} divided by 0"), f"Divide {a} by 0.", f"{a} / 0 = ?"
    )
    answer = dice.pick(
        f"{a} cannot be divided by 0.",
        "There is no result: a number cannot be divided by 0.",
    )
    reading = dice.pick(
        "Division by zero has no result.",
        "ZeroDivisionError: no repair can mend that.",
    )
    thought = dice.pick(f"I have to divide {a} by 0.", f"Let me see what Python says to {a} / 0.")
    return one(
        text,
        thought,
        f"print({a} / 0)",
        answer,
        reading=lambda result: reading,
        said=lambda result: "cannot be divided by 0",
    )


KINDS = {
    parity: 2,
    divisible: 2,
    prime: 2,
    compare: 4,
    difference: 2,
    rounding: 2,
    binary: 1,
    zero: 1.2,
}
