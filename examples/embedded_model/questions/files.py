"""Questions about files in /data.

The file is read first; what is asked for is worked out from what was read.
"""

from words import FILE_NAMES, NAMES, THINGS

from .base import Dice, Question, Step, one, two

SUM = "print(sum({}))"
MEAN = "x = {}\nprint(round(sum(x) / len(x), 2))"
SORTED = "print(sorted({}))"
TASKS = (  # what is asked for, the code, the answer, the thought's beginning
    ("the sum of", SUM, "The sum is {r}.", "I add"),
    ("the total of", SUM, "The total is {r}.", "I add"),
    ("the largest of", "print(max({}))", "The largest is {r}.", "I take the largest of"),
    ("the smallest of", "print(min({}))", "The smallest is {r}.", "I take the smallest of"),
    ("the average of", MEAN, "The average is {r}.", "I average"),
    ("the maximum of", "print(max({}))", "The maximum is {r}.", "I take the largest of"),
    ("the minimum of", "print(min({}))", "The minimum is {r}.", "I take the smallest of"),
)


def file_name(dice: Dice) -> str:
    name = dice.pick(*FILE_NAMES) if dice.chance(0.6) else dice.word()
    return name + dice.pick(".txt", ".txt", ".txt", ".csv", ".md", ".log")


def shown(dice: Dice, name: str) -> str:
    """The file as people name it."""
    return dice.pick(
        name,
        name,
        f"/data/{name}",
        f"'{name}'",
        f"the file {name}",
        f"the file /data/{name}",
    )


def read(name: str) -> str:
    return f"print(open('/data/{name}').read())"


def before_reading(dice: Dice, name: str) -> str:
    """The thought before the call that reads."""
    return dice.pick(
        f"I read {name} first.",
        f"First I look at what {name} holds.",
        f"The numbers are in a file, so I open /data/{name}.",
        f"I do not know what is in {name} yet.",
    )


def written(dice: Dice, numbers: list[int]) -> str:
    """The text of a file: numbers in a row, one a line, or each behind a name."""
    style = dice.between(0, 3)
    if style == 0:
        return ", ".join(map(str, numbers)) + "\n"
    if style == 1:
        return " ".join(map(str, numbers)) + "\n"
    if style == 2:
        names = dice.random.sample([*NAMES, *THINGS], len(numbers))
        mark = dice.pick(" ", ",", ": ")
        return "".join(f"{name}{mark}{n}\n" for name, n in zip(names, numbers, strict=True))
    return "".join(f"{n}\n" for n in numbers)


def of_numbers(dice: Dice) -> Question:
    """A task on the numbers of a file: one call that reads it, another that works it out."""
    numbers, name = dice.numbers(fewest=3), file_name(dice)
    place = shown(dice, name)
    wanted, code, answer, verb = dice.pick(*TASKS)
    texts = texts_of_task(dice, wanted, place, code)
    if dice.chance(0.25):
        texts = [f"Sort the numbers in {place}.", f"Put the numbers in {place} in order."]
        code, answer, verb = SORTED, "Sorted: {r}.", "I sort"
    thought = dice.pick(
        f"The file has {len(numbers)} numbers. {verb} them.",
        f"Now I know the numbers. {verb} them.",
        f"{verb} {', '.join(map(str, numbers))}.",
    )
    text = dice.pick(*texts)
    first = Step(before_reading(dice, name), read(name))
    second = Step(thought, code.replace("{}", str(numbers)))
    files = {name: written(dice, numbers)}
    return two(text, (first, second), answer, files=files, attached=dice.chance(0.6))


def texts_of_task(dice: Dice, wanted: str, place: str, code: str) -> list[str]:
    texts = [
        dice.asked(f"{wanted} the numbers in {place}"),
        f"What is {wanted} {place}?",
        f"Find {wanted} the numbers in {place}.",
    ]
    if code == SUM:
        texts += [
            f"Add up the numbers in {place}.",
            f"Add the numbers in {place}.",
            f"What do the numbers in {place} add up to?",
        ]
    return texts


def of_words(dice: Dice) -> Question:
    """How many words, lines or characters a file has: counted by the call that reads it."""
    words, name = [dice.word() for _ in range(dice.between(2, 6))], file_name(dice)
    place = shown(dice, name)
    apart = dice.pick(" ", "\n")
    opened = f"open('/data/{name}')"
    text, code, answer, thought = dice.pick(
        (
            f"How many words are in {place}?",
            f"print(len({opened}.read().split()))",
            f"There are {{r}} words in {name}.",
            "I read the file, split it and count.",
        ),
        (
            f"Count the words in {place}.",
            f"print(len({opened}.read().split()))",
            "It has {r} words.",
            "split cuts the text of the file into words.",
        ),
        (
            f"How many lines does {place} have?",
            f"print(len({opened}.readlines()))",
            "It has {r} lines.",
            "readlines gives the lines, len counts them.",
        ),
        (
            f"How many characters are in {place}?",
            f"print(len({opened}.read()))",
            "It has {r} characters.",
            "len counts the characters of the text.",
        ),
    )
    files = {name: apart.join(words) + "\n"}
    return one(text, thought, code, answer, files=files, attached=dice.chance(0.6))


def told(dice: Dice) -> Question:
    """What a file says, word for word."""
    words, name = [dice.word() for _ in range(dice.between(2, 4))], file_name(dice)
    place = shown(dice, name)
    text = dice.pick(
        f"What is in {place}?",
        f"What does {place} say?",
        f"Read {place}.",
        f"Show me {place}.",
        f"Open {place}.",
        f"Print {place}.",
    )
    thought = dice.pick(
        f"I read {name}.",
        f"I open /data/{name} and print it.",
        f"Only a tool can see {name}.",
    )
    answer = dice.pick(f"{name} says: {{r}}", "It says: {r}")
    files = {name: " ".join(words) + "\n"}
    return one(text, thought, read(name), answer, files=files, attached=dice.chance(0.6))


def folder(dice: Dice) -> Question:
    """Which files there are."""
    names = sorted({file_name(dice) for _ in range(dice.between(1, 3))})
    text = dice.pick(
        "Which files are in /data?",
        "What files do you have?",
        "List the files in /data.",
        "Which files can you see?",
        "What is in the folder /data?",
    )
    thought = dice.pick("I list the folder /data.", "os.listdir names the files.")
    code = "import os\nprint(sorted(os.listdir('/data')))"
    answer = dice.pick("The files are {r}.", "In /data: {r}.")
    return one(text, thought, code, answer, files=dict.fromkeys(names, "1\n"))


def missing(dice: Dice) -> Question:
    """A file that is not there: said, not guessed."""
    name = file_name(dice)
    place = shown(dice, name)
    answer = dice.pick(
        f"There is no file {name} in /data.",
        f"I find no file {name}. Attach it to your question.",
    )
    reading = dice.pick(
        f"Python finds no {name}, so I cannot read it.",
        "The file is not there. I say so.",
    )
    text = dice.pick(
        f"What is in {place}?",
        dice.asked(f"the sum of the numbers in {place}"),
        f"Read {place}.",
        f"Sort the numbers in {place}.",
    )
    return one(
        text,
        before_reading(dice, name),
        read(name),
        answer,
        reading=lambda result: reading,
        said=lambda result: f"no file {name}",
        files=dice.pick({}, {"other.txt": "1\n"}),
    )


KINDS = {of_numbers: 11, of_words: 3, told: 3, folder: 1, missing: 1.5}
