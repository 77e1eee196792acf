"""A model's card in a real JupyterLab: a backend that is shown, and a card that follows a run from another cell."""

import pytest
from lab_page import BLOCK, LIVE, notebook, wait_until
from test_card_browser import BROKEN
from test_lab_live import SCRIPTED

pytestmark = pytest.mark.browser
CARD = """
from agentloop_widgets.widgets import ModelCard

turn = counting(40, 20)
ModelCard(turn)
"""
GEMMA = """
import sample_cards
from agentloop_widgets.events import Model
from agentloop_widgets.widgets import ModelCard

ModelCard([Model(card=sample_cards.GEMMA)])
"""

TURN = """
from agentloop_widgets.widgets import TurnView

TurnView(counting(4, 2))
"""


@pytest.fixture
def opened(browser, lab):
    lab.write("card", SCRIPTED, "llm", CARD, "turn.run();", GEMMA, TURN)
    with notebook(browser, lab, "card") as page:
        page.run_cell(0)
        yield page
        assert page.errors() == [] and page.complaints == []


def row_of(place) -> list[str]:
    return place.locator(".card .row", has_text="tokens/s").locator("td").all_inner_texts()


def test_a_backend_draws_its_card(opened):
    opened.run_cell(1)
    block = opened.cell(1).locator(BLOCK)
    block.locator("h2").wait_for()
    assert "layers" in block.inner_text() and "parameters" in block.inner_text()


def test_its_keys_are_its_own(opened):
    opened.run_cell(4)
    buttons = opened.cell(4).locator(BLOCK).locator(".layers button")
    buttons.first.wait_for()
    before = opened.mode()
    buttons.first.focus()
    for key in ("ArrowRight", "End", "ArrowUp", "b"):  # b is JupyterLab's own key for a new cell
        opened.page.keyboard.press(key)
    assert opened.page.evaluate("document.activeElement.dataset.n") == "14"
    assert opened.mode() == before


def test_no_cell_reaches_into_another(opened):
    opened.run_cell(4)
    opened.cell(4).locator(BLOCK).locator(".files code").first.wait_for()
    assert opened.page.evaluate(BROKEN) == []


def test_a_turn_that_has_not_begun_says_how_to_begin_it(opened):
    opened.run_cell(5)
    view = opened.cell(5).locator(LIVE)
    view.locator(".remark").wait_for()
    said = view.inner_text()
    assert "not started: turn.run() starts it" in said
    assert "running" not in said and "Nothing has happened" not in said
    assert view.locator(".busy").count() == 0


def test_a_card_follows_a_run_and_stays_as_a_block(opened, lab):
    opened.run_cell(2)
    card = opened.cell(2)
    card.locator(LIVE).wait_for()
    opened.run_cell(3, wait=False)
    live = wait_until(lambda: (cells := row_of(card)) and cells[4] not in ("…", "") and cells)
    assert live[0] == "Step 1" and int(live[1].replace(",", "")) > 0 and live[5] == "…"
    assert int(live[4]) >= 1
    (lab.folder / "go").touch()
    opened.wait_idle()
    card.locator(BLOCK).wait_for()
    done = wait_until(lambda: (cells := row_of(card.locator(BLOCK))) and cells[5] != "…" and cells)
    assert int(done[4]) > int(live[4]) and card.locator(LIVE).count() == 0
    opened.save()
    opened.shut_down()
    assert row_of(card.locator(BLOCK)) == done
