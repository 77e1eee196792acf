"""What the notebook on training draws: the curve as a chart and as a table, the order of what was learnt, and the marked conversations."""

import re
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "embedded_model"
sys.path.insert(0, str(EXAMPLES))

from architectures import ARCHITECTURES, architecture  # noqa: E402
from chart import (  # noqa: E402
    APART,
    BOTTOM,
    HEIGHT,
    LOOKS,
    PARTS,
    Axis,
    Chart,
    emergence,
    loss_chart,
    moved_apart,
    parts_chart,
    read_curve,
)
from corpus import Corpus  # noqa: E402
from marked import UNDERLINES, Marked  # noqa: E402
from rendered import PARTS as RENDERED  # noqa: E402
from rendered import READ  # noqa: E402
from tables import Table  # noqa: E402
from words import TRAINING_WORDS  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
ROWS = [
    {"step": 50, "training_loss": 6.2, "loss": 3.7, "grammar": 0.95, "thought": 0.2, "code": 0.1, "answer": 0.1, "retry": 0.5},
    {"step": 400, "training_loss": 1.9, "loss": 1.6, "grammar": 0.99, "thought": 0.5, "code": 0.6, "answer": 0.5, "retry": 0.91},
    {"step": 9000, "training_loss": 0.2, "loss": 0.5, "grammar": 1.0, "thought": 0.7, "code": 0.97, "answer": 0.8, "retry": 0.99},
]  # fmt: skip


def drawing(chart: Chart) -> ElementTree.Element:
    """The chart's SVG, read as XML."""
    return ElementTree.fromstring(chart.svg().replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ', 1))


def words(root: ElementTree.Element) -> list[str]:
    return [text.text for text in root.iter(f"{SVG}text")]


def luminance(colour: str) -> float:
    """WCAG 2's relative luminance of #rrggbb."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# ---------------------------------------------------------------------------- charts
@pytest.mark.parametrize("make", [loss_chart, parts_chart])
@pytest.mark.parametrize("logarithmic", [False, True])
def test_a_chart_names_its_title_axes_and_lines(make, logarithmic):
    chart = make(ROWS, "A <curve> & more", logarithmic)
    root = drawing(chart)
    said = words(root)
    assert said[0] == "A <curve> & more" == root.find(f"{SVG}title").text
    assert chart.across.label in said and chart.up.label in said
    for name, points in chart.lines.items():
        assert name in said and f"{name} {chart.value(points[-1][1])}" in said  # legend and label
        assert f"{name} {chart.value(points[-1][1])}" in root.find(f"{SVG}desc").text
    assert root.get("role") == "img"
    named = {element.get("id") for element in root.iter() if element.get("id")}
    assert set(root.get("aria-labelledby").split()) == named


def test_two_charts_on_a_page_have_ids_of_their_own():
    first, second = (drawing(loss_chart(ROWS, "Loss")).get("aria-labelledby") for _ in range(2))
    assert not set(first.split()) & set(second.split())


def test_lines_differ_in_their_dashes_and_colours_and_can_be_seen_on_white_and_black():
    assert set(PARTS) == set(UNDERLINES) == set(RENDERED.values())
    for names in (PARTS, ("training", "held back")):
        colours, dashes = zip(*(LOOKS[name] for name in names), strict=True)
        assert len(set(colours)) == len(set(dashes)) == len(names)
    for colour, _ in LOOKS.values():
        assert 1.05 / (luminance(colour) + 0.05) >= 3
        assert (luminance(colour) + 0.05) / (luminance("#111111") + 0.05) >= 3
    texts = drawing(parts_chart(ROWS, "Parts")).iter(f"{SVG}text")
    assert not any(text.get("fill") or text.get("stroke") for text in texts)  # the page's colour


def test_equal_factors_are_equally_far_apart_on_a_logarithmic_axis():
    axis = Axis("steps", logarithmic=True)
    assert axis.marks(50, 9000) == [50, 100, 200, 500, 1000, 2000, 5000]
    at = [axis.place(value, 50, 5000) for value in (50, 500, 5000)]
    assert at == pytest.approx([0, 0.5, 1])
    assert axis.ends([0.21, 6.2], True) == (0.2, 10)


@pytest.mark.parametrize("values", [[0.0, 0.0], [3.0], [0.0, 40.0], [7.0, 16000.0]])
def test_a_linear_axis_holds_its_values(values):
    axis = Axis("steps")
    for round_up in (False, True):
        if not any(values):
            continue
        low, high = axis.ends(values, round_up)
        marks = axis.marks(low, high)
        assert low == 0 and high >= max(values) and 3 <= len(marks) <= 11
        assert low <= marks[0] and marks[-1] <= high * (1 + 1e-9)


@pytest.mark.parametrize("places", [[100, 101, 102], [286, 287, 288, 289, 290], [70, 150, 151]])
def test_labels_are_moved_apart_and_stay_above_the_floor(places):
    moved = moved_apart(places, APART)
    assert all(after - before >= APART - 1e-9 for before, after in pairwise(moved))
    assert moved[-1] <= HEIGHT - BOTTOM


def test_a_training_that_has_just_begun_is_drawn():
    begun = [{"step": 0, "loss": 7.3, **dict.fromkeys(PARTS, 0.0)}]
    for chart in (loss_chart([], "None"), parts_chart([], "None"), loss_chart(begun, "Begun"), parts_chart(begun, "Begun")):  # fmt: skip
        root = drawing(chart)
        paths = [path.get("d") for path in root.iter(f"{SVG}path")]
        assert all(re.match(r"M\s*-?\d", path) for path in paths)
        assert "nan" not in chart.svg() and repr(chart)
    assert drawing(loss_chart([], "None")).find(f"{SVG}desc").text == "No values yet."


# ---------------------------------------------------------------------------- tables
def test_a_chart_is_a_table_in_a_console():
    lines = repr(parts_chart(ROWS, "Parts")).splitlines()
    assert lines[0] == "Parts (up: tokens guessed right)"
    assert lines[2].split() == ["training", "steps", *PARTS]
    assert [line.split() for line in lines[4:]] == [
        [f"{row['step']:,}", *(f"{row[part]:.1%}" for part in PARTS)] for row in ROWS
    ]
    assert "6.200" in repr(loss_chart(ROWS, "Loss")) and "<table>" in loss_chart(ROWS, "Loss")._repr_html_()  # fmt: skip


def test_a_table_puts_numbers_right_and_texts_left():
    table = Table(["what", "share"], [["5 people & more", "9.5%"], ["two", "10.0%"]], "Shares")
    assert repr(table) == "Shares\n\nwhat             share\n---------------  -----\n5 people & more   9.5%\ntwo              10.0%"  # fmt: skip
    html = table._repr_html_()
    assert '<td style="text-align:left">5 people &amp; more</td>' in html
    assert '<th scope="col" style="text-align:right">share</th>' in html


# ---------------------------------------------------------------------------- what was learnt
def test_the_order_in_which_parts_are_learnt_is_computed():
    assert [list(row) for row in emergence(ROWS).rows] == [
        ["grammar", "50", "50", "100.0%"],
        ["retry", "50", "400", "99.0%"],
        ["code", "400", "9,000", "97.0%"],
        ["answer", "400", "–", "80.0%"],
        ["thought", "400", "–", "70.0%"],
    ]
    assert emergence(ROWS, 0.5).rows[0][0] in ("grammar", "retry")
    assert emergence([]).rows == []


def test_a_curve_is_read_where_there_is_one(tmp_path):
    assert read_curve(tmp_path) == []
    (tmp_path / "curve.json").write_text('[{"step": 50, "loss": 3.5}]\n')
    assert read_curve(tmp_path) == [{"step": 50, "loss": 3.5}]


# ---------------------------------------------------------------------------- conversations
@pytest.mark.parametrize("key", ARCHITECTURES)
def test_what_is_learnt_is_marked_and_nothing_is_lost(key):
    corpus, made = Corpus(3, TRAINING_WORDS), architecture(key)
    for kind in ("arithmetic", "root", "of_numbers", "outside", "unclear"):
        samples = made.samples(corpus.conversation(kind=kind))
        shown = Marked(kind, samples)
        html = shown._repr_html_().split("</p>", 1)[1]
        texts = ["".join(text for text, _ in sample) for sample in samples]
        root = ElementTree.fromstring(f"<all>{html}</all>")
        assert ["".join(box.itertext()) for box in root] == texts
        learnt = ["".join(text for text, part in sample if part != READ) for sample in samples]
        assert ["".join(mark.text for mark in box.iter("ins")) for box in root] == learnt
        for mark in root.iter("ins"):
            part = mark.get("title").removeprefix("learnt: ")
            assert f"text-decoration:{UNDERLINES[part]} underline" in mark.get("style")
        twin = repr(shown).removeprefix(f"{kind}\n")
        assert "".join(re.findall(r"⟦\w+: (.*?)⟧", twin, re.DOTALL)) == "".join(learnt)
