"""What a word of the scope means, and a few facts that need no tool."""

from .base import Dice, Question, said_at_once

MEANINGS = (
    ("palindrome", "A palindrome is a word that reads the same backwards."),
    ("prime number", "A prime number has no divisor but 1 and itself."),
    ("factorial", "The factorial of n is the product of all numbers from 1 to n."),
    ("square root", "The square root of a number is what gives that number when it is squared."),
    ("average", "The average is the sum divided by how many numbers there are."),
    ("vowel", "The vowels are a, e, i, o and u."),
    ("even number", "An even number can be divided by 2 without a remainder."),
    ("odd number", "An odd number leaves 1 when it is divided by 2."),
    ("remainder", "The remainder is what is left over by a division."),
    ("list", "A list is a row of items, such as 3, 1, 2."),
    ("percent", "A percent is one hundredth."),
    ("sum", "A sum is what numbers add up to."),
    ("product", "A product is what numbers give when they are multiplied."),
    (
        "greatest common divisor",
        "The greatest common divisor is the largest number that divides both.",
    ),
    ("perimeter", "The perimeter is the length around a shape."),
    ("file", "A file holds text or data. Tools find files in /data."),
    ("tool", "A tool is something that I may call, such as run_python."),
    ("sandbox", "A sandbox is a place where code runs and can reach nothing else."),
    ("token", "A token is a piece of text that a language model reads or writes."),
    ("median", "The median is the middle number of a sorted list."),
    ("decimal", "A decimal is a digit after the point."),
    ("dozen", "A dozen is twelve."),
    ("fraction", "A fraction is a part of a whole, such as one half."),
)
FACTS = (
    ("How many days are in a week?", "A week has 7 days."),
    ("How many hours are in a day?", "A day has 24 hours."),
    ("How many minutes are in an hour?", "An hour has 60 minutes."),
    ("How many months are in a year?", "A year has 12 months."),
    ("How many seconds are in a minute?", "A minute has 60 seconds."),
    ("How many cm are in a metre?", "A metre has 100 cm."),
    ("How many letters are in the alphabet?", "The English alphabet has 26 letters."),
    ("What is pi?", "Pi is about 3.14159."),
    ("How many metres are in a km?", "A km has 1000 m."),
    ("How many grams are in a kg?", "A kg has 1000 g."),
    ("How many days are in a year?", "A year has 365 days, a leap year 366."),
    ("What does len do?", "len counts the items of a list or the letters of a word."),
    ("What does sorted do?", "sorted gives the items of a list in order."),
    ("What does upper do?", "upper writes a word in capitals."),
    ("What comes after monday?", "Tuesday comes after Monday."),
    ("What are the vowels?", "The vowels are a, e, i, o and u."),
)


def meaning(dice: Dice) -> Question:
    thought = dice.pick(
        "I know this without a tool.",
        "This asks for a meaning, not for a calculation.",
        "No tool is needed.",
    )
    if dice.chance(0.4):
        text, answer = dice.pick(*FACTS)
        return said_at_once(text, thought, answer)
    name, answer = dice.pick(*MEANINGS)
    article = "an" if name[0] in "aeiou" else "a"
    text = dice.pick(
        f"What is {article} {name}?",
        f"What's {article} {name}?",
        f"What does {name} mean?",
        f"Explain the word {name}.",
        f"Define {name}.",
        f"What do you call {article} {name}?",
    )
    return said_at_once(text, thought, answer)


KINDS = {meaning: 3}
