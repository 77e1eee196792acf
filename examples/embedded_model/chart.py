"""Line charts of a training's curve: inline SVG for a notebook, a table for a console. Nothing but the standard library.

A chart's colours have a contrast of 3:1 or more on white and on black, and each line has dashes of its own; texts and axes take the colour of the page's text."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import count
from pathlib import Path

from tables import Table

PARTS = ("grammar", "thought", "code", "answer", "retry")
LOOKS = {
    "grammar": ("#7a7f8a", "2 3"),
    "thought": ("#9264e8", "9 3 2 3"),
    "code": ("#c4700f", "7 3"),
    "answer": ("#1a9163", ""),
    "retry": ("#d5478f", "14 4"),
    "training": ("#c4700f", "5 3"),
    "held back": ("#2f7fd6", ""),
}  # of each line: its colour, its dashes
OTHER = ("#2f7fd6", "")

WIDTH, HEIGHT = 720, 340  # of the drawing, in its own units
LEFT, RIGHT, TOP, BOTTOM = 64, 124, 66, 50  # margins
APART = 15  # of two labels, at least
MOST_DOTS = 24  # points of a line that are drawn as dots
_ids = count(1)


# ---------------------------------------------------------------------------- axes
@dataclass(frozen=True)
class Axis:
    """label: with its unit; logarithmic: whether equal factors are equally far apart; percent: whether its numbers are shares, from 0 to 1."""

    label: str
    logarithmic: bool = False
    percent: bool = False

    def shown(self, value: float) -> str:
        if self.percent:
            return f"{100 * value:.0f}%"
        return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2g}"

    def ends(self, values: Sequence[float], round_up: bool) -> tuple[float, float]:
        """The least and the greatest that is drawn; round_up: ends at marks around the values."""
        low, high = min(values), max(values)
        if self.percent:
            return 0.0, 1.0
        if not self.logarithmic:
            low = 0.0
        if round_up:
            step = math.nan if self.logarithmic else stride(high - low)
            low = max(round_marks(low / 10, low)) if self.logarithmic else low
            high = (
                min(round_marks(high, high * 10))
                if self.logarithmic
                else math.ceil(high / step) * step
            )
        return (low, high) if high > low else (low, 2 * low or 1.0)

    def marks(self, low: float, high: float) -> list[float]:
        if self.logarithmic:
            return list(round_marks(low, high)) or [low, high]
        step = 0.2 if self.percent else stride(high - low)
        return [low + step * index for index in range(int((high - low) / step + 1e-9) + 1)]

    def place(self, value: float, low: float, high: float) -> float:
        """From 0 at `low` to 1 at `high`."""
        if self.logarithmic:
            return math.log(value / low) / math.log(high / low)
        return (value - low) / (high - low)


def stride(length: float) -> float:
    """1, 2 or 5 times a power of ten, four to nine of which make `length`."""
    power = 10 ** math.floor(math.log10(length / 4))
    return next(power * factor for factor in (5, 2, 1) if power * factor <= length / 4)


def round_marks(low: float, high: float) -> Iterator[float]:
    """1, 2 and 5 times the powers of ten from `low` to `high`."""
    for exponent in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        for factor in (1, 2, 5):
            value = round(factor * 10.0**exponent, 12)
            if low * (1 - 1e-9) <= value <= high * (1 + 1e-9):
                yield value


# ---------------------------------------------------------------------------- charts
@dataclass(frozen=True)
class Chart:
    """lines: {name: [(x, y), …]}, those of one chart at the same x."""

    title: str
    across: Axis
    up: Axis
    lines: Mapping[str, Sequence[tuple[float, float]]]

    def table(self) -> Table:
        """The same numbers, a row for each x."""
        across = sorted({x for points in self.lines.values() for x, _ in points})
        columns = [dict(points) for points in self.lines.values()]
        shown = "{:.1%}".format if self.up.percent else "{:.3f}".format
        rows = [
            [
                self.across.shown(x),
                *(shown(column[x]) if x in column else "–" for column in columns),
            ]
            for x in across
        ]
        return Table([self.across.label, *self.lines], rows, f"{self.title} (up: {self.up.label})")

    def __repr__(self) -> str:
        return repr(self.table())

    def _repr_html_(self) -> str:
        return (
            f'<figure style="margin:0;max-width:{WIDTH}px">{self.svg()}'
            '<details><summary>The same as a table</summary><div style="max-height:22em;overflow:auto" tabindex="0">'
            f"{self.table()._repr_html_()}</div></details></figure>"
        )

    def svg(self) -> str:
        name = f"agentloop-chart-{next(_ids)}"
        pieces = [*self.frame(), *self.legend()]
        if any(self.lines.values()):
            pieces += [*self.grid(), *self.drawn_lines(), *self.labels()]
        ends = ", ".join(f"{line} {self.value(points[-1][1])}" for line, points in self.lines.items() if points)  # fmt: skip
        told = f"Lines over {self.across.label}. At the end: {ends}." if ends else "No values yet."
        return (
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="100%" role="img" aria-labelledby="{name}-t {name}-d" font-family="system-ui, sans-serif" font-size="12" fill="currentColor" '
            f'style="color:var(--jp-content-font-color1, inherit);max-width:{WIDTH}px;display:block">'
            f'<title id="{name}-t">{escape(self.title)}</title><desc id="{name}-d">{escape(told)}</desc>{"".join(pieces)}</svg>'
        )

    def value(self, y: float) -> str:
        return f"{100 * y:.0f}%" if self.up.percent else f"{y:.2f}"

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        points = [point for points in self.lines.values() for point in points]
        across, up = zip(*points, strict=True)
        return self.across.ends(across, False), self.up.ends(up, True)

    def x(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * self.across.place(value, *self.ends[0])

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * self.up.place(value, *self.ends[1])

    def frame(self) -> Iterator[str]:
        middle, floor = (LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM
        yield text(LEFT, 18, self.title, "start", 'font-size="15" font-weight="600"')
        yield text(middle, HEIGHT - 8, self.across.label)
        yield text(0, 0, self.up.label, "middle", f'transform="translate(14 {(TOP + floor) / 2}) rotate(-90)"')  # fmt: skip
        yield f'<path d="M{LEFT} {TOP}V{floor}H{WIDTH - RIGHT}" fill="none" stroke="currentColor" stroke-opacity="0.6"/>'

    def legend(self) -> Iterator[str]:
        x = LEFT
        for name in self.lines:
            yield stroke(name, f"M{x} 40h30")
            yield text(x + 36, 44, name, "start")
            x += 36 + 8 * len(name) + 22

    def grid(self) -> Iterator[str]:
        across, up = self.ends
        floor = HEIGHT - BOTTOM
        for mark in self.up.marks(*up):
            y = self.y(mark)
            yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="currentColor" stroke-opacity="0.14"/>'
            yield text(LEFT - 8, y + 4, self.up.shown(mark), "end")
        for mark in self.across.marks(*across):
            x = self.x(mark)
            yield f'<path d="M{x:.1f} {floor}v5" stroke="currentColor" stroke-opacity="0.6"/>'
            yield text(x, floor + 19, self.across.shown(mark))

    def drawn_lines(self) -> Iterator[str]:
        for name, points in self.lines.items():
            if not points:
                continue
            places = [(self.x(x), self.y(y)) for x, y in points]
            yield stroke(name, "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places))
            if len(points) <= MOST_DOTS:
                colour = LOOKS.get(name, OTHER)[0]
                for (x, y), (step, value) in zip(places, points, strict=True):
                    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{escape(name)}, {self.across.shown(step)}: {self.value(value)}</title></circle>'

    def labels(self) -> Iterator[str]:
        """The name and the last value of each line, beside its end; moved apart where two would touch."""
        last = {name: points[-1] for name, points in self.lines.items() if points}
        names = sorted(last, key=lambda name: self.y(last[name][1]))
        wanted = [self.y(last[name][1]) for name in names]
        for name, true, y in zip(names, wanted, moved_apart(wanted, APART), strict=True):
            x = self.x(last[name][0])
            yield f'<path d="M{x + 4:.1f} {true:.1f}L{x + 14:.1f} {y:.1f}" stroke="{LOOKS.get(name, OTHER)[0]}" fill="none"/>'
            yield text(x + 18, y + 4, f"{name} {self.value(last[name][1])}", "start")


def text(x: float, y: float, words: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(words)}</text>'


def stroke(name: str, path: str) -> str:
    colour, dashes = LOOKS.get(name, OTHER)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.2"{dashed}/>'


def moved_apart(places: Sequence[float], apart: float) -> list[float]:
    """Ascending places, each at least `apart` from the next, none below the lowest wanted or the chart's floor by more than it must."""
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + apart) if moved else place)
    over = max(0.0, moved[-1] - (HEIGHT - BOTTOM)) if moved else 0.0
    for index in reversed(range(len(moved))):
        ceiling = moved[index + 1] - apart if index + 1 < len(moved) else moved[-1] - over
        moved[index] = min(moved[index], ceiling)
    return moved


# ---------------------------------------------------------------------------- a training's curve
def read_curve(folder: Path) -> list[dict]:
    """The rows of `curve.json` in a model's folder; none where there is no such file."""
    path = Path(folder) / "curve.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


def steps(logarithmic: bool) -> Axis:
    return Axis("training steps" + (" (logarithmic)" if logarithmic else ""), logarithmic)


def loss_chart(rows: Sequence[Mapping], title: str, logarithmic: bool = False) -> Chart:
    """The loss of what is trained on and of what is held back. logarithmic: the steps; the loss always is."""
    names = {"training": "training_loss", "held back": "loss"}
    lines = {name: [(row["step"], row[key]) for row in rows if key in row] for name, key in names.items()}  # fmt: skip
    return Chart(title, steps(logarithmic), Axis("loss, nats a token (logarithmic)", True), lines)


def parts_chart(rows: Sequence[Mapping], title: str, logarithmic: bool = False) -> Chart:
    """The share of held-back tokens that are guessed right, by the part that they stand in."""
    lines = {part: [(row["step"], row[part]) for row in rows if part in row] for part in PARTS}
    return Chart(title, steps(logarithmic), Axis("tokens guessed right", percent=True), lines)


def first_step(rows: Sequence[Mapping], part: str, share: float) -> int | None:
    """The first step noted at which `share` of the part's tokens are guessed right."""
    return next((row["step"] for row in rows if row.get(part, 0.0) >= share), None)


def emergence(rows: Sequence[Mapping], share: float = 0.9) -> Table:
    """When each part was learnt, the earliest first: the first step noted at which half of what it reaches in the end was guessed right, and the first at which `share` was."""
    reached = {part: rows[-1][part] for part in PARTS if rows and part in rows[-1]}
    found = [
        (part, first_step(rows, part, end / 2), first_step(rows, part, share), end)
        for part, end in reached.items()
    ]
    found.sort(key=lambda each: (each[2] or math.inf, each[1], -each[3]))
    shown = [
        [part, f"{half:,}", f"{full:,}" if full else "–", f"{100 * end:.1f}%"]
        for part, half, full, end in found
    ]
    heads = ["part", "half of its end by step", f"{100 * share:.0f}% right by step", "in the end"]
    return Table(heads, shown)
