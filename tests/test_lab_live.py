"""Live views in a real JupyterLab: the first example runs, tokens are read by mouse and by keyboard, and reloads, stops, tabs and restarts break and double nothing."""

import time
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from lab import ROOT
from lab_page import BLOCK, LIVE, arrived, hovered, notebook, numbers, popover, wait_until, written

pytestmark = pytest.mark.browser
EXAMPLE = ROOT / "examples" / "01_one_turn.ipynb"
# Turns that stand still before a token until the file `go` is there: what is seen in the middle of a run does not hang on how fast a machine is.
SCRIPTED = """
import threading, time
from pathlib import Path
from agentloop_widgets import Turn, load_backend
from scripted import ScriptedBackend, call_text

llm = load_backend()


class Gate:
    def __init__(self, step, token):
        self.step, self.token, self.now = step, token, 0

    def __call__(self, number):
        self.now += number == 1
        while (self.now, number) == (self.step, self.token) and not Path("go").exists():
            time.sleep(0.02)


def gated(step, token, *outputs, **options):
    Path("go").unlink(missing_ok=True)
    return Turn(ScriptedBackend(llm, *outputs, before_token=Gate(step, token)), "Count.", **options)


def counting(words, token):
    return gated(1, token, " ".join(str(number) for number in range(words)), tools=[])
"""
VIEW = """
from agentloop_widgets.widgets import TokenView
from streams import Stream

stream = Stream({n}).begin()
view = TokenView(stream.trace)
"""


def cell_with(path: Path, source: str) -> int:
    """The place of the first cell that is or begins with a source."""
    cells = nbformat.read(path, as_version=4).cells
    return next(place for place, cell in enumerate(cells) if cell.source.startswith(source))


GENERATE, RUN = cell_with(EXAMPLE, "turn.generate()"), cell_with(EXAMPLE, "turn.run()")


# ---------------------------------------------------------------------------- the first example
@contextmanager
def run_example(browser, lab):
    """The first example, run from its first cell to its last and saved as example.ipynb."""
    lab.put(nbformat.read(EXAMPLE, as_version=4), "example")
    with notebook(browser, lab, "example") as opened:
        opened.run_all()
        opened.cell(RUN).locator(BLOCK).wait_for()
        opened.save()
        yield opened


@pytest.fixture(scope="module")
def example(browser, lab):
    with run_example(browser, lab) as opened:
        yield opened


def test_the_first_example_runs(example):
    assert example.errors() == [] and example.complaints == []
    for place in (GENERATE, RUN):
        block = example.cell(place).locator(BLOCK)
        block.wait_for()
        assert len(written(block)) > 40
    assert example.page.locator(LIVE).count() == 0


def test_a_token_under_the_mouse_says_its_numbers(example):
    words = hovered(example.cell(GENERATE), 3)
    assert "rank" in words and "%" in words
    example.page.mouse.move(1, 1)
    popover(example.page).wait_for(state="hidden")


def focused(page) -> int:
    """The number of the token that the keyboard is at, where the focus is among the tokens."""
    return page.evaluate("Number(document.activeElement?.querySelector('.t.on')?.dataset.i ?? -1)")


@pytest.fixture
def first_token(example):
    """The first token of the generated step, focused by keyboard as Tab would."""
    place = example.cell(GENERATE)
    place.scroll_into_view_if_needed()
    example.page.keyboard.press("Escape")
    place.locator(".tokens .box").focus()
    yield example.page
    example.page.keyboard.press("Escape")


def test_arrows_walk_enter_opens_escape_closes(example, first_token):
    before = example.mode()
    first_token.keyboard.press("ArrowRight")
    first_token.keyboard.press("ArrowRight")
    assert focused(first_token) == 2
    first_token.keyboard.press("ArrowLeft")
    assert focused(first_token) == 1
    first_token.keyboard.press("Enter")
    popover(first_token).wait_for()
    assert "rank" in popover(first_token).inner_text()
    first_token.keyboard.press("Escape")
    popover(first_token).wait_for(state="hidden")
    assert focused(first_token) == 1
    first_token.keyboard.press("End")
    assert focused(first_token) > 10
    first_token.keyboard.press("Home")
    assert focused(first_token) == 0
    first_token.keyboard.press("ArrowDown")
    assert focused(first_token) >= 0
    assert example.mode() == before


def test_the_notebooks_own_shortcuts_hold_still(example, first_token):
    before = example.mode()
    for key in ("ArrowDown", "ArrowUp", "Enter", "Escape", "ArrowRight", *"abmxdd"):
        first_token.keyboard.press(key)
        assert example.mode() == before, key
    assert focused(first_token) >= 0


# ---------------------------------------------------------------------------- a turn seen in its middle
@pytest.fixture(scope="module")
def turns(browser, lab):
    """A notebook whose last cell is free, where `gated` and `counting` make turns."""
    lab.write("turns", SCRIPTED, "")
    with notebook(browser, lab, "turns") as opened:
        opened.run_cell(0)
        yield opened


@pytest.fixture
def go(lab):
    """Lets a turn that stands still go on."""
    gate = lab.folder / "go"
    yield gate.touch
    gate.touch()


def begun(opened, source: str) -> int:
    """Run a turn of 60 numbers that stands still: how many are drawn then."""
    opened.execute(source, wait=False)
    place = opened.cell(1)
    place.locator(LIVE).wait_for()
    seen = wait_until(lambda: len(numbers(place)))
    assert seen < 60 and place.locator(BLOCK).count() == 0
    return seen


def test_tokens_arrive_while_the_cell_runs_and_stay_as_one_block(turns, go):
    begun(turns, "turn = counting(60, 40); turn.render(); turn.generate()")
    go()
    place = turns.cell(1)
    place.locator(BLOCK).wait_for()
    turns.wait_idle()
    assert arrived(place, 60) == list(range(60))
    assert turns.page.locator(LIVE).count() == 0 and place.locator(BLOCK).count() == 1
    assert hovered(place, 3) and turns.errors() == [] and turns.complaints == []


def test_an_interrupt_leaves_the_block(turns):
    begun(turns, "turn = counting(60, 40); turn.render(); turn.generate()")
    turns.interrupt()
    place = turns.cell(1)
    assert hovered(place.locator(BLOCK), 2)
    turns.wait_idle()
    drawn, whole = written(place), " ".join(map(str, range(60)))
    assert whole.startswith(drawn) and 20 < len(drawn) < len(whole)
    assert place.locator(LIVE).count() == 0 and turns.complaints == []


def test_a_turn_is_drawn_card_by_card_and_stays(turns, go):
    outputs = 'call_text(code="print(6 * 7)"), "It is 42, and nothing else."'
    turns.execute(f"turn = gated(2, 5, {outputs}).run()", wait=False)
    place = turns.cell(1)
    place.locator(f"{LIVE} .step").nth(1).wait_for()
    go()
    place.locator(f"{BLOCK} .step").nth(1).wait_for()
    turns.wait_idle()
    assert place.locator(".step").count() == 2 and place.locator(LIVE).count() == 0
    assert "It is 42, and nothing else." in place.inner_text()
    assert turns.errors() == [] and turns.complaints == []


@pytest.mark.parametrize(
    "source, said",
    [
        ("turn = gated(0, 0, call_text(code='1'), None).run()", "the engine fell over"),
        (
            "turn = counting(60, 40)\nthreading.Timer(0.5, turn.stop).start()\n"
            "threading.Timer(1, Path('go').touch).start()\nturn.run()",
            "stopped",
        ),
    ],
    ids=["error", "stop"],
)
def test_a_turn_that_ends_otherwise_leaves_its_block(turns, source, said):
    turns.execute(source)
    block = turns.cell(1).locator(BLOCK)
    assert hovered(block, 1)
    assert block.count() == 1 and turns.cell(1).locator(LIVE).count() == 0
    assert said in block.inner_text() and turns.complaints == []


def test_a_reload_in_mid_run_loses_nothing(turns, go):
    begun(turns, "turn = counting(60, 40); turn.render(); turn.generate()")
    turns.save()
    turns.reload(ready=False)
    go()
    turns.wait_ready()
    turns.wait_idle()
    assert arrived(turns.cell(1), 60) == list(range(60))
    assert hovered(turns.cell(1), 1)


# ---------------------------------------------------------------------------- several views
@pytest.fixture
def views(browser, lab, request):
    """A notebook of four cells with a stream of 600 tokens in its first."""
    name = request.node.name
    lab.write(name, VIEW.format(n=600), "view", "view", "view", "")
    with notebook(browser, lab, name) as opened:
        opened.run_all()
        opened.cell(3).locator(LIVE).wait_for()
        yield opened


def test_a_widget_shown_three_times_and_twice_removed(views):
    views.execute("stream.feed(200)")
    for place in (1, 2, 3):
        assert arrived(views.cell(place), 200) == list(range(200))
    for place in (1, 2):
        views.page.evaluate("place => { openPanel().content.activeCellIndex = place; }", place)
        views.command("notebook:clear-cell-output")
    views.execute("stream.feed(300)")
    views.execute("stream.feed().end()")
    views.cell(3).locator(BLOCK).wait_for()
    assert arrived(views.cell(3), 600) == list(range(600))
    assert (
        views.page.locator(".agentloop").count()
        == 1 + views.page.locator(f"{BLOCK} .agentloop").count()
    )
    assert views.errors() == [] and views.complaints == []


def test_the_same_run_in_two_tabs(views, browser, lab, request):
    views.execute("stream.feed(100)")
    views.save()
    with notebook(browser, lab, request.node.name) as second:
        second.cell(1).locator(LIVE).wait_for()
        views.execute("stream.feed(400)")
        views.execute("stream.feed()")
        for tab in (views, second):
            assert arrived(tab.cell(1), 600) == list(range(600))
            assert hovered(tab.cell(1), 5) and tab.complaints == []


def test_a_kernel_restarted_under_an_open_view(views):
    views.execute("stream.feed(100)")
    assert arrived(views.cell(1), 100) == list(range(100))
    assert "The kernel has gone" not in views.outputs(1).first.inner_text()
    views.restart_kernel()
    time.sleep(0.5)
    assert "The kernel has gone" in views.outputs(1).first.inner_text()
    assert hovered(views.cell(1), 5) and views.complaints == []
    views.run_cell(0)
    views.run_cell(1)
    views.execute("stream.feed(150)")
    assert arrived(views.cell(1), 150) == list(range(150))
    assert views.cell(1).locator(LIVE).count() == 1
    assert views.errors() == [] and views.complaints == []
