"""What cannot be answered: questions about the world, and questions that lack something.

outside.txt has the former, one a line. A mark such as {place} stands for one of many words.
"""

from pathlib import Path

from words import CONTAINERS, LANGUAGES, NAMES, PERSONS, PLACES, THINGS, TOPICS, WORKS, made_up_word

from .base import Dice, Question, said_at_once
from .talk import SCOPE

OUTSIDE = (Path(__file__).parent / "outside.txt").read_text(encoding="utf-8").splitlines()
OUTSIDE_THOUGHTS = (
    "This is outside of what I know. No tool can help.",
    "I have no knowledge of the world.",
    "That is neither a sum, a list, a word nor a file.",
    "Python cannot tell me that, and I do not know it.",
    "I should say what I can do instead of guessing.",
)
OUTSIDE_ANSWERS = (
    f"I only know {SCOPE}.",
    f"I do not know that. I only know {SCOPE}.",
    f"That is outside of what I can do: {SCOPE}.",
    f"Sorry, I only know {SCOPE}.",
    f"I cannot help with that. I only know {SCOPE}.",
)
UNCLEAR = (  # what the user may say, and what is asked back
    (
        (
            "Sort the list.",
            "Sort it.",
            "Sort the numbers.",
            "Can you sort the numbers?",
            "Put them in order.",
            "Sort",
        ),
        "Which numbers shall I sort?",
    ),
    (
        (
            "Add the numbers.",
            "What is the sum?",
            "Add them up.",
            "Sum",
            "What do they add up to?",
            "What is the total?",
        ),
        "Which numbers shall I add?",
    ),
    (
        (
            "What is the average?",
            "Find the average.",
            "What is the mean of the list?",
            "What is the largest number?",
            "Which is the smallest?",
            "Find the maximum.",
        ),
        "Which numbers do you mean?",
    ),
    (
        (
            "Reverse the word.",
            "How many letters are in the word?",
            "Spell it backwards.",
            "Write the word in capitals.",
            "Is the word a palindrome?",
            "How long is the word?",
            "Count the letters.",
        ),
        "Which word do you mean?",
    ),
    (
        (
            "Multiply {a}.",
            "Multiply by {a}.",
            "What is {a} times?",
            "Add {a}.",
            "Divide by {a}.",
            "Subtract {a}.",
            "{a} plus",
            "{a} divided by?",
            "Divide {a}.",
        ),
        "{a} and which other number?",
    ),
    (
        (
            "Convert {a}.",
            "Convert {a} to something.",
            "How many is {a}?",
        ),
        "From which unit to which?",
    ),
    (
        (
            "Read the file.",
            "What is in the file?",
            "Add the numbers in the file.",
            "Open the file.",
            "Sort the file.",
        ),
        "Which file do you mean?",
    ),
    (
        (
            "{name} has some {thing} and gets {a} more. How many now?",
            "{name} gets {a} more {thing}. How many {thing} does {name} have?",
        ),
        "How many {thing} did {name} have before?",
    ),
    (
        (
            "{name} has {a} {thing} and loses some. How many are left?",
            "{name} has {a} {thing} and gives some away. What is left?",
        ),
        "How many {thing} are gone?",
    ),
    (
        (
            "A {container} holds {a} {thing}. How many {thing} are there?",
            "There are {a} {thing} in each {container}. How many in all?",
        ),
        "How many {many} are there?",
    ),
    (
        (
            "How many {thing} are in {a} {many}?",
            "{a} {many} of {thing}: how many {thing}?",
        ),
        "How many {thing} does one {container} hold?",
    ),
    (
        (
            "What do {a} {thing} cost?",
            "How much are {a} {thing}?",
        ),
        "What does one of the {thing} cost?",
    ),
)


def outside(dice: Dice) -> Question:
    """The world, which the model knows nothing of: it says what it can do instead."""
    fills = {
        "{place}": PLACES,
        "{place2}": PLACES,
        "{person}": PERSONS,
        "{topic}": [*TOPICS, *dice.words[:300]],
        "{topic2}": TOPICS,
        "{language}": LANGUAGES,
        "{work}": WORKS,
        "{made}": [made_up_word(dice.random)],
        "{number}": [str(dice.number(1, 2))],
        "{year}": [str(dice.between(1000, 2030))],
    }
    text = dice.pick(*OUTSIDE)
    for mark, options in fills.items():
        if mark in text:
            text = text.replace(mark, dice.pick(*options))
    return said_at_once(text, dice.pick(*OUTSIDE_THOUGHTS), dice.pick(*OUTSIDE_ANSWERS))


def unclear(dice: Dice) -> Question:
    """Something is missing: asked for, not guessed."""
    name, thing, a = dice.pick(*NAMES), dice.pick(*THINGS), dice.number(1, 2)
    container, many = dice.pick(*CONTAINERS)
    fills = {"name": name, "thing": thing, "a": a, "container": container, "many": many}
    texts, lack = dice.pick(*UNCLEAR)
    thought = dice.pick(
        "Something is missing here, so I ask.",
        "I cannot work this out yet.",
        "The question lacks a part. I should not guess.",
        "I need more before I can call a tool.",
    )
    text = dice.pick(*texts).format(**fills)
    tail = dice.pick("", "", " Please tell me.", " Then I can work it out.")
    return said_at_once(text, thought, lack.format(**fills) + tail)


KINDS = {outside: 16, unclear: 7}
