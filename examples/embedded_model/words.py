"""The words that questions are made of.

Those that are spelled are mostly made up, so that the model learns to copy letters.
"""

import random
from pathlib import Path

# ruff: noqa: SIM905 (a row of words is easier to read, and to add to, as one string)

NAMES = (
    "Anna Ben Cara Dan Ella Finn Gina Hugo Ivy Jack Kim Leo Mia Noah Olga Paul Rosa Sam Tom Zoe "
    "Ada Bob Chen Dora Emil Fay Gus Hana Ian Jun Kai Lin Max Nina Omar Pia Raj Sara Tia Uma "
    "Vera Wei Yuki"
).split()
THINGS = (
    "apples books coins cards marbles stickers pens shells stamps sweets toys eggs cookies "
    "oranges buttons tickets stones flowers cups keys balls pencils plums nuts bottles candles "
    "cakes seeds beads photos"
).split()
CONTAINERS = [  # one, and several
    ("box", "boxes"),
    *((one, f"{one}s") for one in "bag crate basket jar pack tray drawer bucket case".split()),
]
PEOPLE = "children friends people students guests teams families cousins".split()
MONEY = "euros dollars cents pounds francs".split()
UNITS = [  # the larger, the smaller, how many of these it is
    ("km", "m", 1000),
    ("m", "cm", 100),
    ("kg", "g", 1000),
    ("hours", "minutes", 60),
    ("minutes", "seconds", 60),
    ("days", "hours", 24),
    ("weeks", "days", 7),
    ("years", "months", 12),
    ("cm", "mm", 10),
    ("litres", "ml", 1000),
    ("feet", "inches", 12),
    ("tonnes", "kg", 1000),
    ("miles", "km", 1.609),
    ("inches", "cm", 2.54),
    ("pounds", "kg", 0.4536),
    ("gallons", "litres", 3.785),
    ("metres", "centimetres", 100),
    ("kilometres", "metres", 1000),
    ("yards", "feet", 3),
    ("dozens", "pieces", 12),
    ("GB", "MB", 1000),
    ("hours", "seconds", 3600),
]
FILE_NAMES = (
    "numbers scores prices marks points data list values ages steps results sales words names "
    "notes items"
).split()
PLACES = (
    "France, Paris, Spain, Rome, Japan, London, Africa, Brazil, China, Taiwan, Berlin, Canada, "
    "Egypt, the moon, Mars, Texas, India, New York, Europe, Norway, the sea, Kenya, Madrid, "
    "Sydney, Peru"
).split(", ")
PERSONS = (
    "Shakespeare, Napoleon, Einstein, the president, Mozart, Cleopatra, Picasso, Darwin, "
    "the king, Newton, Goethe, Beethoven, Caesar, Marie Curie, the pope, Leonardo, Columbus, "
    "Homer, Plato, Gandhi"
).split(", ")
TOPICS = (
    "the weather, love, music, football, history, cats, the internet, space, climate change, "
    "physics, philosophy, war, money, art, dinosaurs, the economy, health, chess, cooking, "
    "politics, religion, volcanoes, gravity, electricity, evolution, black holes, coffee, "
    "tennis, computers, medicine, biology, poetry, the stars, bread, sleep, dreams, trees, "
    "birds, whales, cars, trains, law, school, films, photosynthesis, democracy, atoms, "
    "quantum physics"
).split(", ")
LANGUAGES = (
    "French, Spanish, German, Chinese, Japanese, Latin, Italian, Greek, Arabic, Portuguese, "
    "Dutch, Russian, Korean, Turkish"
).split(", ")
WORKS = (
    "poem, story, song, letter, essay, joke, speech, novel, haiku, report, email, limerick, "
    "recipe, tweet, review, play"
).split(", ")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
RARE = "jqxzvwkyfbg"

# The model is judged with words that it was never trained on.
WORDS = sorted(set((Path(__file__).parent / "words.txt").read_text(encoding="utf-8").split()))
_shuffled = list(WORDS)
random.Random(7).shuffle(_shuffled)
HELD_OUT_WORDS = _shuffled[:100]
TRAINING_WORDS = _shuffled[100:]

_ONSETS = (
    "b c d f g h j k l m n p q r s t v w x y z br ch cl cr dr fl gr pl pr sh sl st str th tr wh"
).split()
_VOWELS = "a e i o u a e i o u ai ea ee oo ou".split()
_CODAS = ["", "", "", *"n r s t l m d k p x z ck ll ng nd rt st".split()]


def made_up_word(dice: random.Random) -> str:
    """A word that is in no dictionary.

    One to three syllables, any letters, rare letters, or a few letters again and again.
    """
    kind = dice.random()
    if kind < 0.25:
        return "".join(dice.choices(LETTERS, k=dice.randint(3, 10)))
    if kind < 0.4:
        return "".join(dice.choices(RARE + "aeiou", k=dice.randint(3, 9)))
    if kind < 0.5:
        few = dice.sample(LETTERS, 3)
        return "".join(dice.choices(few, k=dice.randint(4, 9)))
    syllables = range(dice.randint(1, 3))
    return "".join(
        dice.choice(_ONSETS) + dice.choice(_VOWELS) + dice.choice(_CODAS) for _ in syllables
    )[:12]


def word(dice: random.Random, known: list[str], made_up: float = 0.65) -> str:
    """A word of `known`, or (a share of `made_up`) one that was made up."""
    return made_up_word(dice) if dice.random() < made_up else dice.choice(known)
