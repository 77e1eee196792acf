"""Questions about distances, ages, areas, units and temperatures, each of one call."""

from words import NAMES, UNITS

from .base import Dice, Question, one


def distance(dice: Dice) -> Question:
    speed, hours, name = dice.between(3, 150), dice.between(2, 12), dice.pick(*NAMES)
    text = dice.pick(
        f"{name} drives {speed} km an hour for {hours} hours. How far is that?",
        f"A train goes {speed} km/h. How far does it go in {hours} hours?",
        f"How far does {name} get in {hours} hours at {speed} km per hour?",
    )
    thought = dice.pick(
        "Distance is speed times time.", f"{speed} km in every hour, {hours} hours: multiply."
    )
    code = f"print({speed} * {hours})"
    answer = dice.pick("That is {r} km.", "The distance is {r} km.")
    return one(text, thought, code, answer)


def age(dice: Dice) -> Question:
    """How old someone will be, or is beside another."""
    name, other = dice.random.sample(NAMES, 2)
    a, b = dice.between(12, 80), dice.between(2, 11)
    way, sign = dice.pick(("older", "+"), ("younger", "-"))
    if dice.chance(0.4):
        return age_in_years(dice, name, a, b)
    text = dice.pick(
        f"{name} is {a}. {other} is {b} years {way}. How old is {other}?",
        f"{other} is {b} years {way} than {name}, who is {a}. How old is {other}?",
    )
    thought = dice.pick(
        f"{b} years {way} than {a}: {a} {sign} {b}.",
        f"{way.capitalize()} means {sign} {b}.",
    )
    answer = dice.pick(f"{other} is {{r}}.", f"{other} is {{r}} years old.")
    return one(text, thought, f"print({a} {sign} {b})", answer)


def age_in_years(dice: Dice, name: str, a: int, b: int) -> Question:
    text = dice.pick(
        f"{name} is {a}. How old will {name} be in {b} years?",
        f"{name} is {a} years old. How old in {b} years?",
    )
    thought = dice.pick(f"In {b} years: {a} and {b} more.", f"{b} years go by, so I add {b}.")
    answer = dice.pick(f"{name} will be {{r}}.", f"Then {name} is {{r}} years old.")
    return one(text, thought, f"print({a} + {b})", answer)


def area(dice: Dice) -> Question:
    """The area or the perimeter of a rectangle, or the area of a square."""
    a, b = dice.number(1, 2), dice.number(1, 2)
    shape = dice.pick("rectangle", "garden", "room", "field")
    unit = dice.pick("m", "cm", "metres")
    if dice.chance(0.3):
        return area_of_a_square(dice, a)
    inside = dice.pick("The area is length times width.", f"I multiply the sides, {a} and {b}.")
    around = dice.pick(
        "The perimeter is twice the sum of the sides.",
        "Around it: two lengths and two widths.",
    )
    what, product, thought = dice.pick(
        ("area", f"{a} * {b}", inside),
        ("perimeter", f"2 * ({a} + {b})", around),
    )
    text = dice.pick(
        f"A {shape} is {a} {unit} by {b} {unit}. What is its {what}?",
        f"What is the {what} of a {shape} of {a} by {b} {unit}?",
        f"A {shape} is {a} {unit} long and {b} {unit} wide. What is the {what}?",
    )
    answer = dice.pick(f"The {what} is {{r}}.", f"It has a {what} of {{r}}.")
    return one(text, thought, f"print({product})", answer)


def area_of_a_square(dice: Dice, a: int) -> Question:
    text = dice.pick(
        f"What is the area of a square with side {a}?",
        f"A square has sides of {a}. What is its area?",
    )
    thought = dice.pick(
        "The area of a square is its side squared.",
        f"A square of {a}: {a} times {a}.",
    )
    answer = dice.pick("The area is {r}.", "The square has an area of {r}.")
    return one(text, thought, f"print({a} ** 2)", answer)


def unit(dice: Dice) -> Question:
    """A measure in another unit."""
    large, small, factor = dice.pick(*UNITS)
    if dice.chance(0.2):
        a = f"{dice.between(1, 99)}.{dice.between(1, 9)}"
    else:
        a = str(dice.number(1, 3))
    text = dice.pick(
        f"Convert {a} {large} to {small}.",
        f"How many {small} are in {a} {large}?",
        f"How many {small} is {a} {large}?",
        f"{a} {large} in {small}?",
        f"What is {a} {large} in {small}?",
        f"Change {a} {large} into {small}.",
        f"{a} {large} to {small}",
    )
    whole = "." not in f"{a}{factor}"
    code = f"print({a} * {factor})" if whole else f"print(round({a} * {factor}, 2))"
    thought = dice.pick(
        f"1 of {large} is {factor} {small}, so I multiply.",
        f"I multiply {a} by {factor}.",
        f"From {large} to {small}: times {factor}.",
    )
    answer = dice.pick(f"{a} {large} is {{r}} {small}.", f"That is {{r}} {small}.")
    return one(text, thought, code, answer)


def temperature(dice: Dice) -> Question:
    degrees = dice.between(-20, 110)
    return fahrenheit(dice, degrees) if dice.chance(0.5) else celsius(dice, degrees)


def fahrenheit(dice: Dice, a: int) -> Question:
    text = dice.pick(
        f"Convert {a} Celsius to Fahrenheit.",
        f"What is {a} degrees Celsius in Fahrenheit?",
        f"{a} °C in °F?",
    )
    thought = dice.pick(
        "Times 9, divided by 5, plus 32.",
        "From Celsius: nine fifths, and 32 more.",
    )
    code = f"print(round({a} * 9 / 5 + 32, 1))"
    answer = dice.pick(f"{a} Celsius is {{r}} Fahrenheit.", "It is {r} degrees Fahrenheit.")
    return one(text, thought, code, answer)


def celsius(dice: Dice, a: int) -> Question:
    text = dice.pick(
        f"Convert {a} Fahrenheit to Celsius.",
        f"What is {a} degrees Fahrenheit in Celsius?",
        f"{a} °F in °C?",
    )
    thought = dice.pick(
        "Minus 32, times 5, divided by 9.",
        "From Fahrenheit: 32 less, then five ninths.",
    )
    code = f"print(round(({a} - 32) * 5 / 9, 1))"
    answer = dice.pick(f"{a} Fahrenheit is {{r}} Celsius.", "It is {r} degrees Celsius.")
    return one(text, thought, code, answer)


KINDS = {distance: 2, age: 2, area: 3, unit: 7, temperature: 1.5}
