"""The page of a turn without script, opened in a real browser with the network off."""

import pytest
from browser import opened

from agentloop_widgets import Sampling, Turn

pytestmark = pytest.mark.browser
BACKGROUND = "element => getComputedStyle(element).backgroundColor"


@pytest.fixture(scope="module")
def path(llm, tmp_path_factory):
    turn = Turn(
        llm,
        "What is the square root of 50?",
        sampling=Sampling(temperature=1.0, top_p=0.95, max_new_tokens=160, seed=3),
    ).run()
    return turn.to_html(tmp_path_factory.mktemp("page") / "turn.html", script=False)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_asks_for_nothing_and_complains_of_nothing(path, scheme):
    with opened(path, color_scheme=scheme) as (page, asked, complaints):
        assert asked == [path.as_uri()] and complaints == []
        assert (
            "square root of 50" in page.inner_text("body") and page.locator("script").count() == 0
        )


def test_light_and_dark_differ(path):
    colours = set()
    for scheme in ("light", "dark"):
        with opened(path, color_scheme=scheme) as (page, _, _):
            colours.add(page.locator(".agentloop").first.evaluate(BACKGROUND))
    assert len(colours) == 2


def test_a_token_is_reached_by_keyboard_and_says_its_numbers(path):
    with opened(path) as (page, _, _):
        label = ""
        for _ in range(40):
            page.keyboard.press("Tab")
            label = page.evaluate("() => document.activeElement.getAttribute('aria-label') || ''")
            if "rank" in label:
                break
        assert "%" in label and "rank" in label
        shown = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
        assert shown == "solid"


def test_a_details_table_holds_every_token(path, llm):
    with opened(path) as (page, _, _):
        tokens = page.locator(".agentloop .t").count()
        for summary in page.locator("summary").all():
            summary.click()
        rows = page.locator("table tbody tr:visible").count()
        assert rows >= tokens > 20


@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_sticks_out(path, width):
    with opened(path, viewport={"width": width, "height": 800}) as (page, _, _):
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


def test_a_stage_draws_itself_too(llm, tmp_path):
    turn = Turn(llm, "What is 23 * 47?", sampling=Sampling(temperature=0, max_new_tokens=100))
    drawn = [turn.render(), turn.generate(), turn.parse(), turn.check(), turn.run_tools()]
    for stage in drawn:
        path = stage.to_html(tmp_path / f"{stage.kind}.html", script=False)
        with opened(path) as (page, asked, complaints):
            assert asked == [path.as_uri()] and complaints == [] and page.inner_text("body").strip()
