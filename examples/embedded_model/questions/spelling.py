"""Questions about words and their letters, each of one call."""

from words import LETTERS

from .base import Dice, Question, one, yes_or_no


def letter_for(dice: Dice, word: str, inside: float) -> str:
    """A letter to look for in `word`: one of its own with the probability `inside`, else any."""
    return dice.random.choice(word) if dice.chance(inside) else dice.random.choice(LETTERS)


def length(dice: Dice) -> Question:
    word = dice.word()
    quoted = dice.quoted(word)
    text = dice.pick(
        f"How many letters in {quoted}?",
        f"How many letters are in {quoted}?",
        f"How long is the word {quoted}?",
        f"Count the letters in {quoted}.",
        f"How many letters does {quoted} have?",
        f"What is the length of {quoted}?",
        f"How many letters are there in the word {quoted}?",
    )
    thought = dice.pick(
        "len counts the letters.",
        "I will count with len.",
        f"The length of '{word}' is what len gives.",
    )
    code = f"print(len('{word}'))"
    answer = dice.pick(
        f"'{word}' has {{r}} letters.",
        f"There are {{r}} letters in '{word}'.",
        "It has {r} letters.",
    )
    return one(text, thought, code, answer)


def count(dice: Dice) -> Question:
    """How often a letter occurs."""
    word = dice.word()
    quoted = dice.quoted(word)
    letter = letter_for(dice, word, 0.8)
    shown = dice.pick(f"'{letter}'", f"'{letter}'", f'"{letter}"', letter)
    text = dice.pick(
        f"How many times does {shown} occur in {quoted}?",
        f"How many {shown} are in {quoted}?",
        f"Count the letter {shown} in {quoted}.",
        f"How many {letter}'s are in {quoted}?",
        f"How many {shown} are there in {quoted}?",
        f"How often is {shown} in {quoted}?",
        f"How many {letter} in {quoted}?",
        f"How many {letter}s are in the word {quoted}?",
        f"Count the {letter}'s in {quoted}.",
        f"How often does the letter {shown} appear in {quoted}?",
    )
    thought = dice.pick(
        f"count finds '{letter}' in the word.",
        f"I will count '{letter}'.",
        f"Python's count looks for every '{letter}'.",
    )
    code = f"print('{word}'.count('{letter}'))"
    answer = dice.pick(
        f"The letter '{letter}' occurs {{r}} times in '{word}'.",
        f"'{word}' has {{r}} of '{letter}'.",
        f"'{letter}' is there {{r}} times.",
    )
    return one(text, thought, code, answer)


def backwards(dice: Dice) -> Question:
    word = dice.word()
    quoted = dice.quoted(word)
    text = dice.pick(
        f"Reverse {quoted}",
        f"Reverse the word {quoted}.",
        f"Spell {quoted} backwards.",
        f"Write {quoted} backwards.",
        f"What is {quoted} backwards?",
        f"What is {quoted} spelled backwards?",
        f"Turn the word {quoted} around.",
        f"{quoted} in reverse?",
    )
    thought = dice.pick(
        "A slice with step -1 reverses a word.",
        "I read the word from its end.",
        "Reversed with [::-1].",
    )
    code = f"print('{word}'[::-1])"
    answer = dice.pick(f"'{word}' reversed is '{{r}}'.", "Backwards it is '{r}'.", "It is '{r}'.")
    return one(text, thought, code, answer)


def capitals(dice: Dice) -> Question:
    word = dice.word()
    quoted = dice.quoted(word)
    text = dice.pick(
        f"Write {quoted} in capitals.",
        f"Make {quoted} upper case.",
        f"Put {quoted} in capital letters.",
        f"What is {quoted} in capitals?",
        f"Convert {quoted} to uppercase.",
        f"{quoted} in capital letters?",
    )
    thought = dice.pick("upper makes capitals.", "I use upper.")
    code = f"print('{word}'.upper())"
    answer = dice.pick("{r}", "In capitals: {r}.")
    return one(text, thought, code, answer)


def palindrome(dice: Dice) -> Question:
    """Many of the words are made into palindromes."""
    word = dice.word()
    if dice.chance(0.4):
        word = word[:3] + dice.pick(word[:2][::-1], word[:3][::-1])
    quoted = dice.quoted(word)
    text = dice.pick(
        f"Is {quoted} a palindrome?",
        f"Is the word {quoted} a palindrome?",
        f"Is {quoted} the same backwards?",
        f"Check whether {quoted} is a palindrome.",
    )
    thought = dice.pick("A palindrome equals its reverse.", "I compare the word with its reverse.")
    code = f"print('{word}' == '{word}'[::-1])"
    answer = yes_or_no(f"'{word}' is a palindrome", f"'{word}' is not a palindrome")
    return one(text, thought, code, answer)


def vowels(dice: Dice) -> Question:
    word = dice.word()
    quoted = dice.quoted(word)
    text = dice.pick(
        f"How many vowels are in {quoted}?",
        f"Count the vowels in {quoted}.",
        f"How many vowels does {quoted} have?",
    )
    thought = dice.pick(
        "The vowels are a, e, i, o and u.", "I count the letters that are in aeiou."
    )
    code = f"print(sum(c in 'aeiou' for c in '{word}'))"
    answer = dice.pick(f"'{word}' has {{r}} vowels.", "There are {r} vowels.")
    return one(text, thought, code, answer)


def place(dice: Dice) -> Question:
    """The letter at one place."""
    word = dice.word()
    quoted = dice.quoted(word)
    name, index = dice.pick(("first", 0), ("last", -1), ("second", 1), ("third", 2))
    text = dice.pick(
        f"What is the {name} letter of {quoted}?",
        f"Which letter is the {name} in {quoted}?",
        dice.asked(f"the {name} letter of {quoted}"),
    )
    rule = "Place -1 is the last." if index == -1 else "Python counts from 0."
    thought = dice.pick(rule, f"The {name} letter is at place {index}.")
    code = f"print('{word}'[{index}])"
    answer = dice.pick(f"The {name} letter is '{{r}}'.", "It is '{r}'.")
    return one(text, thought, code, answer)


def has_letter(dice: Dice) -> Question:
    word = dice.word()
    quoted = dice.quoted(word)
    letter = letter_for(dice, word, 0.5)
    text = dice.pick(
        f"Is there {letter} in {quoted}?",
        f"Does {quoted} contain the letter {letter}?",
        f"Is the letter '{letter}' in {quoted}?",
    )
    thought = dice.pick("in tells whether it is there.", f"I look for '{letter}'.")
    code = f"print('{letter}' in '{word}')"
    answer = yes_or_no(f"'{letter}' is in '{word}'", f"'{letter}' is not in '{word}'")
    return one(text, thought, code, answer)


def ordered(dice: Dice) -> Question:
    """The letters of a word, sorted."""
    word = dice.word()
    text = dice.pick(
        f"Sort the letters of {dice.quoted(word)}.",
        f"Put the letters of {dice.quoted(word)} in order.",
    )
    thought = dice.pick(
        "I sort the letters and join them.", "sorted gives a list of letters, join a word."
    )
    code = f"print(''.join(sorted('{word}')))"
    answer = dice.pick("In order: '{r}'.", "The letters in order are '{r}'.")
    return one(text, thought, code, answer)


def joined(dice: Dice) -> Question:
    first, word = dice.word(), dice.word()
    text = dice.pick(
        f"Join {dice.quoted(first)} and {dice.quoted(word)}.",
        f"Put the words {dice.quoted(first)} and {dice.quoted(word)} together.",
    )
    thought = dice.pick("Plus joins two words.", "I put one after the other with +.")
    code = f"print('{first}' + '{word}')"
    answer = dice.pick("Together: '{r}'.", "It is '{r}'.")
    return one(text, thought, code, answer)


def sentence(dice: Dice) -> Question:
    """How many words there are."""
    words = " ".join(dice.word() for _ in range(dice.between(3, 6)))
    text = dice.pick(
        f"How many words are in '{words}'?",
        f"Count the words in '{words}'.",
        f"How many words does '{words}' have?",
        f'How many words are in "{words}"?',
    )
    thought = dice.pick("split cuts a text into words.", "I split it and count.")
    code = f"print(len('{words}'.split()))"
    answer = dice.pick("It has {r} words.", "There are {r} words.")
    return one(text, thought, code, answer)


def repeated(dice: Dice) -> Question:
    word, times = dice.word(), dice.between(2, 6)
    text = dice.pick(
        f"Repeat {dice.quoted(word)} {times} times.", f"Write {dice.quoted(word)} {times} times."
    )
    thought = dice.pick(
        f"A word times {times} is repeated.", f"In Python '{word}' * {times} does that."
    )
    code = f"print('{word}' * {times})"
    answer = dice.pick("{r}", "Here: {r}")
    return one(text, thought, code, answer)


KINDS = {
    length: 6,
    count: 7,
    backwards: 5,
    capitals: 4,
    palindrome: 3,
    vowels: 2,
    place: 3,
    has_letter: 2,
    ordered: 1,
    joined: 1.5,
    sentence: 3,
    repeated: 1.5,
}
