"""Questions about the items of a list, ranges, and lists of words, each of one call."""

from .base import Dice, Question, one, yes_or_no


def selected(dice: Dice) -> Question:
    """The numbers that pass a test, or how many do."""
    numbers, a = dice.numbers(fewest=3), dice.number(1, 2)
    shown = dice.listed(numbers)
    name, test = dice.pick(
        ("even", "n % 2 == 0"),
        ("odd", "n % 2 == 1"),
        (f"larger than {a}", f"n > {a}"),
        (f"smaller than {a}", f"n < {a}"),
    )
    if dice.chance(0.5):
        return how_many(dice, numbers, shown, name, test)
    text = dice.pick(
        f"Which of {shown} are {name}?",
        f"Keep the numbers of {shown} that are {name}.",
        f"List those of {shown} that are {name}.",
    )
    thought = dice.pick(f"I keep those that are {name}.", f"Each n with {test} stays.")
    code = f"print([n for n in {numbers} if {test}])"
    return one(text, thought, code, these, said=lambda result: without_brackets(result) or "None")


def how_many(dice: Dice, numbers: list[int], shown: str, name: str, test: str) -> Question:
    text = dice.pick(
        f"How many of {shown} are {name}?",
        f"Count how many of {shown} are {name}.",
    )
    thought = dice.pick(f"I count those that are {name}.", f"Each n with {test} counts.")
    code = f"print(sum({test} for n in {numbers}))"
    answer = dice.pick(f"{{r}} of them are {name}.", f"There are {{r}} that are {name}.")
    return one(text, thought, code, answer)


def without_brackets(result: str) -> str:
    return result.strip()[1:-1]


def these(result: str) -> str:
    """The answer that names the numbers which were kept."""
    return "None of them." if result.strip() == "[]" else f"These: {without_brackets(result)}."


def second(dice: Dice) -> Question:
    """The second largest or smallest."""
    numbers = dice.numbers(fewest=3)
    shown = dice.listed(numbers)
    name, index, place = dice.pick(
        ("largest", -2, "next to the end"),
        ("smallest", 1, "after the first"),
        ("highest", -2, "next to the end"),
        ("lowest", 1, "after the first"),
    )
    text = dice.pick(
        dice.asked(f"the second {name} of {shown}"),
        f"Which is the second {name} of {shown}?",
        f"What is the second {name} number in {shown}?",
    )
    thought = dice.pick(
        f"I sort the list and take the one {place}.",
        f"Sorted, the second {name} is at place {index}.",
    )
    answer = dice.pick(f"The second {name} is {{r}}.", "It is {r}.")
    return one(text, thought, f"print(sorted({numbers})[{index}])", answer)


def distinct(dice: Dice) -> Question:
    """A list without its duplicates."""
    numbers = dice.numbers(fewest=2)
    numbers += dice.random.choices(numbers, k=2)
    dice.random.shuffle(numbers)
    shown = dice.listed(numbers)
    text = dice.pick(
        f"Remove the duplicates from {shown}.",
        f"Which different numbers are in {shown}?",
        f"What are the unique numbers of {shown}?",
    )
    thought = dice.pick(
        "A set has each number once.", "set removes duplicates; sorted orders them."
    )
    code = f"print(sorted(set({numbers})))"
    answer = dice.pick("Without duplicates: {r}.", "The different ones: {r}.")
    return one(text, thought, code, answer)


def series(dice: Dice) -> Question:
    """The sum of a range, or the multiples of a number."""
    low, high = dice.pick(1, 1, dice.between(2, 20)), dice.between(30, 120)
    step = dice.between(2, 12)
    if not dice.chance(0.6):
        return multiples(dice, step)
    text = dice.pick(
        f"Add the numbers from {low} to {high}.",
        f"What is the sum of all numbers from {low} to {high}?",
        f"Sum the numbers {low} to {high}.",
    )
    thought = dice.pick(
        f"range stops before its end, so {high + 1}.",
        f"All numbers from {low} to {high}: sum of a range.",
    )
    answer = dice.pick("The sum is {r}.", f"From {low} to {high} they add up to {{r}}.")
    return one(text, thought, f"print(sum(range({low}, {high + 1})))", answer)


def multiples(dice: Dice, step: int) -> Question:
    high = step * dice.between(3, 8)
    text = dice.pick(
        f"List the multiples of {step} up to {high}.",
        f"Write the multiples of {step} from {step} to {high}.",
    )
    thought = dice.pick(f"range with step {step}.", f"I count in steps of {step}.")
    code = f"print(list(range({step}, {high + 1}, {step})))"
    answer = dice.pick("They are {r}.", f"Multiples of {step}: {{r}}.")
    return one(text, thought, code, answer)


def contains(dice: Dice) -> Question:
    numbers = dice.numbers(fewest=3)
    a = dice.pick(*numbers) if dice.chance(0.5) else dice.number(1, 2)
    shown = dice.listed(numbers)
    text = dice.pick(
        f"Is {a} in {shown}?", f"Is {a} in the list {shown}?", f"Does {shown} contain {a}?"
    )
    thought = dice.pick("in tells whether a list has it.", f"I look for {a} in the list.")
    code = f"print({a} in {numbers})"
    answer = yes_or_no(f"{a} is in the list", f"{a} is not in the list")
    return one(text, thought, code, answer)


def sorted_words(dice: Dice) -> Question:
    """Words in the order of the alphabet, or the longest or shortest of them."""
    words = [dice.word() for _ in range(dice.pick(2, 3, 3, 4))]
    shown = dice.listed(words).replace("[", "").replace("]", "")
    if dice.chance(0.25):
        return by_length(dice, words, shown)
    text = dice.pick(
        f"Sort the words {shown}.",
        f"Put {shown} in alphabetical order.",
        f"Sort {shown} alphabetically.",
        f"Sort these words: {shown}.",
    )
    thought = dice.pick(
        "sorted puts words in alphabetical order.",
        "Words are sorted by their letters.",
    )
    answer = dice.pick("Sorted: {r}.", "In alphabetical order: {r}.")
    return one(text, thought, f"print(sorted({words}))", answer)


def by_length(dice: Dice, words: list[str], shown: str) -> Question:
    name, function = dice.pick(("longest", "max"), ("shortest", "min"))
    text = dice.pick(
        f"Which is the {name} word: {shown}?",
        f"Find the {name} of the words {shown}.",
        f"Which of {shown} is the {name} word?",
    )
    thought = dice.pick(f"{function} with key=len.", f"The {name} word: {function} by length.")
    answer = dice.pick(f"The {name} word is '{{r}}'.", "It is '{r}'.")
    return one(text, thought, f"print({function}({words}, key=len))", answer)


KINDS = {
    selected: 4,
    second: 1.5,
    distinct: 1.5,
    series: 3,
    contains: 1.5,
    sorted_words: 5,
}
