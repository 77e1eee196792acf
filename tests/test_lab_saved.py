"""Saved notebooks and pages: all that was drawn is there without the kernel that drew it, and, where nothing may run, a text with the numbers."""

import nbformat
import pytest
from lab import converted
from lab_page import BLOCK, LIVE, hovered, notebook, offline, popover
from test_lab_live import GENERATE, RUN, run_example

pytestmark = pytest.mark.browser
NBCONVERTS_OWN = ("https://cdnjs.cloudflare.com/", "https://cdn.jsdelivr.net/npm/mermaid")


@pytest.fixture(scope="module")
def saved(browser, lab):
    """The first example, run and saved in JupyterLab (by the live tests, where they ran): its file."""
    path = lab.folder / "example.ipynb"
    if not path.exists():
        with run_example(browser, lab):
            pass
    return path


def from_elsewhere(asked: list[str], *own: str) -> list[str]:
    """The addresses that are neither a page's own nor made in it."""
    return [url for url in asked if not url.startswith((*own, "data:", "blob:"))]


def reads(place) -> None:
    """A block in a place is drawn, and its tokens say their numbers."""
    words = hovered(place.locator(BLOCK), 3)
    assert "rank" in words and "%" in words


@pytest.mark.parametrize("front_end", ["lab", "notebook"])
def test_a_trusted_notebook_reopens_with_popovers(saved, browser, lab, front_end):
    with notebook(browser, lab, "example", front_end=front_end) as opened:
        for place in (GENERATE, RUN):
            reads(opened.cell(place))
        opened.shut_down()
        reads(opened.cell(GENERATE))
        assert opened.page.locator(LIVE).count() == 0
        assert opened.complaints == []
        assert from_elsewhere(opened.requests, lab.url) == []


def test_an_untrusted_notebook_shows_the_text_with_its_numbers(saved, browser, lab):
    strange = nbformat.read(saved, as_version=4)
    strange.metadata["from"] = "somewhere else"
    lab.put(strange, "strange")
    with notebook(browser, lab, "strange") as opened:
        place = opened.cell(GENERATE)
        text = opened.outputs(GENERATE).first.inner_text()
        assert "rank" in text and "%" in text and "I multiply" in text
        assert "How many eggs" in opened.outputs(RUN).first.text_content()
        assert place.locator("script").count() == 0 and popover(opened.page).count() == 0
        assert opened.complaints == []


def test_the_exported_page_asks_for_nothing(saved, browser):
    with offline(browser, saved.parent / "turn.html") as (page, asked, complaints):
        page.locator(".t").first.wait_for()
        assert "rank" in hovered(page, 3)
        assert from_elsewhere(asked, (saved.parent / "turn.html").as_uri()) == []
        assert complaints == []


def test_nbconverts_page_works_with_the_network_off(saved, browser, tmp_path):
    path = converted(saved, tmp_path)
    with offline(browser, path) as (page, asked, _):
        for block in page.locator(BLOCK).all():
            block.scroll_into_view_if_needed()
        page.locator(f"{BLOCK} .t").first.wait_for()
        assert "rank" in hovered(page, 3)
        assert from_elsewhere(asked, path.as_uri(), *NBCONVERTS_OWN) == []
