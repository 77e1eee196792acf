"""What the models are asked when they are judged.

Questions that the training never drew, and talk that was written by hand for this: the two text
files beside this one, one text a line.
"""

from collections.abc import Collection
from functools import cache
from pathlib import Path

from questions import GROUPS, Question, Questions
from words import HELD_OUT_WORDS, TRAINING_WORDS

TRAINING_SEED, TRAINING_QUESTIONS = 1, 180_000  # at least as many as a training draws
EVALUATION_SEED = 4242


def lines(name: str) -> list[str]:
    return (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()


GREETINGS = lines("unseen_greetings.txt")
OUTSIDE = lines("unseen_outside.txt")


@cache
def seen_texts() -> frozenset[str]:
    """Every question that the shipped trainings drew (and some more)."""
    training = Questions(TRAINING_SEED, TRAINING_WORDS)
    return frozenset(training.question().text for _ in range(TRAINING_QUESTIONS))


def unseen_questions(
    count: int,
    seed: int = EVALUATION_SEED,
    kinds: Collection[str] | None = None,
    called: bool = True,
) -> list[Question]:
    """Questions whose texts the training never drew, about words that it never drew.

    kinds: only of these; called: those that need the tool, or else those that need none.
    """
    drawn, questions = Questions(seed, HELD_OUT_WORDS), []
    while len(questions) < count:
        question = drawn.question()
        wanted = bool(question.steps) == called and (kinds is None or question.kind in kinds)
        if wanted and question.text not in seen_texts():
            questions.append(question)
    return questions


def is_chain(question: Question) -> bool:
    """Whether there is a second call that uses what the first one gave (and does not mend it)."""
    return len(question.steps) > 1 and group_of(question) != "mending"


def group_of(question: Question) -> str:
    """The group by which the model card tells how well such questions are answered."""
    return GROUPS[question.kind]
