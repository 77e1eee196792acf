"""The grammar of questions.

KINDS: every kind by name, with how often it is drawn; each is a function of the dice.
GROUPS: the group of every kind, by which the model cards tell how well it is answered.
"""

from dataclasses import replace

from . import (
    arithmetic,
    chains,
    dates,
    files,
    list_items,
    lists,
    meanings,
    measures,
    mending,
    number_facts,
    shares,
    spelling,
    stories,
    talk,
    unanswered,
)
from .base import Dice, Question, Step, stated_of

MODULES = {  # by group; the order of the kinds decides what a seed draws
    "arithmetic": (arithmetic, shares, number_facts),
    "stories": (stories, measures),
    "lists": (lists, list_items),
    "spelling": (spelling,),
    "dates": (dates,),
    "mending": (mending,),
    "files": (files,),
    "chains": (chains,),
    "talk": (talk, meanings, unanswered),
}
KINDS, GROUPS = {}, {}
for _group, _modules in MODULES.items():
    for _module in _modules:
        for _made, _share in _module.KINDS.items():
            KINDS[_made.__name__] = (_made, _share)
            GROUPS[_made.__name__] = _group


class Questions:
    """Draws questions from a seed. words: the dictionary words that may be asked about."""

    def __init__(self, seed: int, words: list[str]):
        self.dice = Dice(seed, words)
        self.names = list(KINDS)
        self.shares = [share for _, share in KINDS.values()]

    def question(self, kind: str | None = None) -> Question:
        """The next question, of `kind` or of any."""
        kind = kind or self.dice.random.choices(self.names, self.shares)[0]
        made, _ = KINDS[kind]
        question = made(self.dice)
        return replace(question, kind=kind, text=self.dice.worn(question.text))


__all__ = ["GROUPS", "KINDS", "Dice", "Question", "Questions", "Step", "stated_of"]
