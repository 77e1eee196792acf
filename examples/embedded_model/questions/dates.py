"""Questions about days of the calendar, each of one call."""

import calendar
from datetime import date, timedelta

from .base import Dice, Question, one

MONTHS = list(calendar.month_name)[1:]
IMPORT = "from datetime import date"


def any_day(dice: Dice) -> date:
    """A day of the hundred years from 1950 on."""
    return date(1950, 1, 1) + timedelta(dice.between(0, 36500))


def shown(dice: Dice, day: date) -> str:
    """A date as people write it."""
    month = MONTHS[day.month - 1]
    return dice.pick(
        day.isoformat(),
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
    )


def in_python(day: date) -> str:
    return f"date({day.year}, {day.month}, {day.day})"


def weekday(dice: Dice) -> Question:
    day = any_day(dice)
    written = shown(dice, day)
    text = dice.pick(
        f"What day of the week is {written}?",
        f"What weekday is {written}?",
        f"Which day of the week was {written}?",
        f"On what day does {written} fall?",
    )
    thought = dice.pick(
        "A date knows its weekday.",
        "strftime with %A gives the name of the day.",
        f"I make a date of {written}.",
    )
    code = f"{IMPORT}\nprint({in_python(day)}.strftime('%A'))"
    answer = dice.pick(f"{written} is a {{r}}.", "It is a {r}.")
    return one(text, thought, code, answer)


def between(dice: Dice) -> Question:
    """The days from one date to a later one."""
    first = any_day(dice)
    last = first + timedelta(dice.between(1, 400))
    a, b = shown(dice, first), shown(dice, last)
    text = dice.pick(
        f"How many days are there from {a} to {b}?",
        f"How many days are between {a} and {b}?",
        f"How long is it from {a} to {b}?",
        f"Count the days from {a} to {b}.",
    )
    thought = dice.pick(
        "One date minus another gives days.", "I subtract the earlier date from the later one."
    )
    code = f"{IMPORT}\nprint(({in_python(last)} - {in_python(first)}).days)"
    answer = dice.pick("There are {r} days.", "It is {r} days.")
    return one(text, thought, code, answer)


def later(dice: Dice) -> Question:
    """The date some days after or before another."""
    day, count = any_day(dice), dice.between(2, 200)
    written = shown(dice, day)
    way, sign = dice.pick(("after", "+"), ("after", "+"), ("before", "-"))
    text = dice.pick(
        f"What date is {count} days {way} {written}?", f"Which day is {count} days {way} {written}?"
    )
    thought = dice.pick("timedelta moves a date.", f"{count} days {way}: {sign} timedelta.")
    code = f"{IMPORT}, timedelta\nprint({in_python(day)} {sign} timedelta({count}))"
    answer = dice.pick(f"{count} days {way} {written} is {{r}}.", "It is {r}.")
    return one(text, thought, code, answer)


KINDS = {weekday: 3, between: 2.5, later: 2}
