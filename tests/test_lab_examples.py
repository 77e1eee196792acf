"""The examples on models, on media and on training, run in a real JupyterLab: cards, chips, what is told."""

from pathlib import Path

import nbformat
import pytest
from lab_page import BLOCK, notebook, wait_until
from run_examples import copy_helpers

pytestmark = pytest.mark.browser
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
CHIP = ".medium"


@pytest.fixture
def run_through(browser, lab):
    """Opens an example by its file's name and runs all of it."""
    opened = []

    def go(name: str):
        copy_helpers(lab.folder)
        lab.put(nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4), name)
        page = notebook(browser, lab, name)
        opened.append(page)
        entered = page.__enter__()
        entered.run_all(seconds=400)
        return entered

    yield go
    for page in opened:
        page.__exit__(None, None, None)


def cell_with(page, text: str) -> int:
    """The index of the cell whose source has this text."""
    return next(index for index in range(page.count_cells()) if text in page.source(index))


def names_in(block, names: list[str]) -> list[str]:
    """Those of the names that stand on a chip of the block; the notebook may put the block in anew while it scrolls."""
    shown = [chip.inner_text() for chip in block.locator(CHIP).all()]
    return [name for name in names if any(name in chip for chip in shown)]


def test_models(run_through):
    page = run_through("02_models")
    assert page.errors() == [] and page.complaints == []
    card = page.cell(cell_with(page, "llm = load_backend()")).locator(BLOCK)
    card.scroll_into_view_if_needed()
    card.locator("h2").wait_for()
    assert "linear attention 2" in card.inner_text() and "model.safetensors" in card.inner_text()
    table = page.outputs(cell_with(page, "models()")).first.inner_text()
    assert "Qwen/Qwen3.5-0.8B" in table and "pinned" in table
    told = page.outputs(cell_with(page, "for source in")).first.inner_text()
    assert "Did you mean Qwen/Qwen3.5-0.8B?" in told and "check the spelling" in told
    steps = page.cell(cell_with(page, "ModelCard(turn)")).locator(BLOCK).last
    steps.scroll_into_view_if_needed()
    steps.locator("table").first.wait_for()
    assert "prefill" in steps.inner_text()


def test_context_and_media(run_through):
    page = run_through("03_context_and_media")
    assert page.errors() == [] and page.complaints == []
    wanted = {
        'attachments=[("shapes.png", picture)], sampling': ["shapes.png"],
        'attachments=[("shapes.png", picture), "ball.mp4"], tools': ["shapes.png", "ball.mp4"],
        "What is played, and what moves?": ["tone.wav", "ball.mp4", "shapes.png"],
    }
    for source, names in wanted.items():
        block = page.cell(cell_with(page, source)).locator(BLOCK)
        block.scroll_into_view_if_needed()
        wait_until(lambda block=block, names=names: names_in(block, names) == names)
    block = page.cell(cell_with(page, "What is played, and what moves?")).locator(BLOCK)
    chip = block.locator(CHIP).nth(0)
    chip.scroll_into_view_if_needed()
    chip.locator("summary, button").first.click()
    assert "<|audio|>" in block.inner_text()
    told = page.outputs(cell_with(page, "notes.png")).first.inner_text()
    assert "rename it to end in .txt" in told


def test_train_your_own(run_through):
    page = run_through("11_train_your_own")
    assert page.errors() == [] and page.complaints == []
    shown = page.cell(cell_with(page, "Legend()"))
    shown.scroll_into_view_if_needed()
    assert shown.locator("ins[title^=learnt]").count() > 10
    curves = page.cell(cell_with(page, "views = ["))
    curves.scroll_into_view_if_needed()
    chart = curves.locator("svg[role=img]").first
    chart.wait_for()
    assert "Loss" in chart.text_content() and chart.locator("path").count() >= 2
    trained = page.cell(cell_with(page, "trainer.ship()"))
    trained.scroll_into_view_if_needed()
    trained.locator(BLOCK).first.wait_for()
