"""A number's text is read in time proportional to its length, whatever stands behind its digits."""

import contextlib

import pytest
from timing import seconds_of

from agentloop_widgets.families import typed_value
from agentloop_widgets.families.literals import read_literal

SHORT = 4_000


def read(text: str) -> None:
    typed_value(text, {"type": "integer"})
    typed_value(text, {"type": "number"})
    with contextlib.suppress(ValueError):
        read_literal(text)


@pytest.mark.parametrize("end", ["x", ".x", "e", ".5e+x", ""])
def test_digits_without_end(end):
    times = [
        min(seconds_of(lambda n=n: read("7" * n + end)) for _ in range(3))
        for n in (SHORT, 4 * SHORT)
    ]
    assert (
        times[1] < 40 * times[0] + 0.05
    )  # int() itself takes the square; sixteen is quadratic, what was here took minutes


@pytest.mark.parametrize(
    "text, value",
    [("12", 12), ("+1.5", 1.5), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("-2.5E-1", -0.25)],
)
def test_the_same_numbers_are_read(text, value):
    assert typed_value(text, {"type": "number"}) == (value, True) and read_literal(text) == value


@pytest.mark.parametrize("text", ["1.2.3", "1e", "e5", "--1", "1 2", ".", "+"])
def test_the_same_texts_are_none(text):
    assert typed_value(text, {"type": "number"})[1] is False
    with pytest.raises(ValueError):
        read_literal(text)
