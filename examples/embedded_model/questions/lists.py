"""Questions about whole lists of numbers, each of one call. list_items.py goes on with them."""

from .base import Dice, Question, one

FUNCTIONS = (
    ("largest", "max"),
    ("biggest", "max"),
    ("maximum", "max"),
    ("highest", "max"),
    ("smallest", "min"),
    ("minimum", "min"),
    ("lowest", "min"),
    ("sum", "sum"),
    ("sum", "sum"),
    ("total", "sum"),
    ("average", "mean"),
    ("mean", "mean"),
)


def sort(dice: Dice) -> Question:
    numbers = dice.numbers()
    shown = dice.listed(numbers)
    return ascending(dice, numbers, shown) if dice.chance(0.6) else descending(dice, numbers, shown)


def ascending(dice: Dice, numbers: list[int], shown: str) -> Question:
    text = dice.pick(
        f"Sort {shown}.",
        f"Sort these numbers: {shown}.",
        f"Put {shown} in order.",
        f"Sort the list {shown} from smallest to largest.",
        f"Order {shown}.",
        f"Can you sort {shown}?",
        f"Arrange {shown} in ascending order.",
        f"{shown}: sort them.",
    )
    thought = dice.pick(
        "I will sort the list with sorted.",
        "sorted puts the smallest first.",
        f"There are {len(numbers)} numbers to sort.",
    )
    answer = dice.pick("Sorted: {r}.", "In order: {r}.", "The sorted list is {r}.")
    return one(text, thought, f"print(sorted({numbers}))", answer)


def descending(dice: Dice, numbers: list[int], shown: str) -> Question:
    text = dice.pick(
        f"Sort {shown} from largest to smallest.",
        f"Sort {shown} in descending order.",
        f"Sort {shown} in reverse order.",
        f"Put {shown} in order, largest first.",
    )
    thought = dice.pick("I will sort the list in reverse.", "Largest first: sorted with reverse.")
    answer = dice.pick("Sorted: {r}.", "Largest first: {r}.")
    return one(text, thought, f"print(sorted({numbers}, reverse=True))", answer)


def aggregate(dice: Dice) -> Question:
    """One number for a whole list: its sum, mean, largest or smallest."""
    numbers = dice.numbers()
    shown = dice.listed(numbers)
    name, function = dice.pick(*FUNCTIONS)
    text = dice.pick(*texts_of_aggregate(dice, numbers, shown, name, function))
    if function == "mean":
        return mean(dice, numbers, name, text)
    thought = dice.pick(
        f"The {name} of a list: {function}.",
        f"{function} gives the {name}.",
        f"For the {name} I need {function}.",
    )
    answer = dice.pick(f"The {name} is {{r}}.", f"{{r}} is the {name}.")
    return one(text, thought, f"print({function}({numbers}))", answer)


def texts_of_aggregate(
    dice: Dice, numbers: list[int], shown: str, name: str, function: str
) -> list[str]:
    """What may be asked: more ways for a sum, and others for one of the numbers."""
    of_all = function in ("sum", "mean")
    thing = f"the {name} of {shown}"
    if not of_all and not dice.chance(0.6):
        thing = f"the {name} number in {shown}"
    texts = [
        dice.asked(thing),
        dice.asked(thing),
        f"{name} of {shown}",
        f"Find the {name} of {shown}.",
        f"Give me the {name} of the list {numbers}.",
        f"Here is a list: {shown}. What is the {name}?",
        f"{shown}: what is the {name}?",
    ]
    if function == "sum":
        texts += [f"Add up {shown}.", f"Add {shown}.", f"Sum {shown}."]
    if not of_all:
        texts += [f"Which is the {name} of {shown}?", f"Which of {shown} is the {name}?"]
    return texts


def mean(dice: Dice, numbers: list[int], name: str, text: str) -> Question:
    thought = dice.pick(
        f"The {name} is the sum divided by how many there are.",
        "I add them and divide by the count.",
        f"Sum over {len(numbers)}.",
    )
    code = f"x = {numbers}\nprint(round(sum(x) / len(x), 2))"
    answer = dice.pick(f"The {name} is {{r}}.", f"Their {name} is {{r}}.")
    return one(text, thought, code, answer)


def reverse(dice: Dice) -> Question:
    numbers = dice.numbers()
    shown = dice.listed(numbers)
    text = dice.pick(
        f"Reverse the list {shown}.",
        f"Reverse {shown}.",
        f"Turn the list {shown} around.",
        f"Write {shown} in the opposite order.",
        f"What is {shown} in reverse?",
    )
    thought = dice.pick(
        "I will reverse the list with a slice.", "A slice with step -1 reverses a list."
    )
    code = f"print({numbers}[::-1])"
    answer = dice.pick("Reversed: {r}.", "The other way round: {r}.")
    return one(text, thought, code, answer)


def size(dice: Dice) -> Question:
    """How many numbers a list has."""
    numbers = dice.numbers(fewest=3)
    shown = dice.listed(numbers)
    text = dice.pick(
        f"How many numbers are in {shown}?",
        f"Count the numbers in {shown}.",
        f"How long is the list {shown}?",
        f"How many numbers are there: {shown}?",
    )
    thought = dice.pick("len counts the items of a list.", "I count with len.")
    code = f"print(len({numbers}))"
    answer = dice.pick("There are {r} numbers.", "The list has {r} numbers.")
    return one(text, thought, code, answer)


KINDS = {sort: 6, aggregate: 11, reverse: 3, size: 2}
