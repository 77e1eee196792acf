"""The page in a real browser: legible in both themes, no wider than a phone, and every token's note a key press away."""

import pytest
import sample_events
from browser import launched

from agentloop_widgets.trace.strings import language
from agentloop_widgets.widgets import VIEWS, page

pytestmark = pytest.mark.browser

# The lowest contrast between a text and what is behind it, over all elements that hold text (WCAG 2.2, 1.4.3).
CONTRAST = """
() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const read = css => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = element => element ? over(read(getComputedStyle(element).backgroundColor), ground(element.parentElement)) : [255, 255, 255, 1];
  let least = [99, ''];
  for (const element of document.querySelectorAll('.agentloop *')) {
    if (element.tagName === 'STYLE' || ![...element.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const behind = ground(element), text = over(read(getComputedStyle(element).color), behind);
    const [high, low] = [light(text), light(behind)].sort((x, y) => y - x);
    const ratio = (high + .05) / (low + .05);
    if (ratio < least[0]) least = [ratio, element.outerHTML.slice(0, 120)];
  }
  return least;
}
"""


@pytest.fixture(scope="module")
def browser():
    with launched() as opened:
        yield opened


@pytest.fixture
def show(browser, tmp_path):
    """Opens HTML as a file: (html, width, colour scheme) to a browser's page; nothing else may be asked for."""
    pages = []

    def open_page(html, width=940, scheme="light"):
        path = tmp_path / f"{len(pages)}.html"
        path.write_text(html, encoding="utf-8")
        opened = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        requests = []
        opened.on("request", lambda request: requests.append(request.url))
        opened.goto(path.as_uri())
        assert requests == [path.as_uri()]
        opened.evaluate("document.querySelectorAll('details').forEach(item => item.open = true)")
        pages.append(opened)
        return opened

    yield open_page
    for opened in pages:
        opened.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("run", [sample_events.two_steps, sample_events.faulty])
def test_every_text_is_legible(show, run, scheme):
    shown = show(page(run()), scheme=scheme)
    ratio, where = shown.evaluate(CONTRAST)
    assert ratio >= 4.5, where


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_holds_against_the_system(show, theme):
    other = "dark" if theme == "light" else "light"
    ground = "getComputedStyle(document.querySelector('.agentloop')).backgroundColor"
    forced = show(page(sample_events.two_steps(), theme=theme), scheme=other).evaluate(ground)
    system = show(page(sample_events.two_steps()), scheme=theme).evaluate(ground)
    assert forced == system


@pytest.mark.parametrize("tongue", ["en", "zh-TW"])
@pytest.mark.parametrize("run", [sample_events.two_steps, sample_events.faulty])
def test_a_phone_needs_no_sideways_scrolling(show, run, tongue):
    with language(tongue):
        shown = show(page(run()), width=360)
    assert shown.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_keyboard_reaches_every_token_and_opens_its_note(show):
    shown = show(page(sample_events.two_steps()))
    shown.locator(".t").first.focus()
    visible = "getComputedStyle(document.querySelectorAll('.t > i')[{}], '::after').display"
    assert shown.evaluate(visible.format(0)) == "block"
    shown.keyboard.press("Tab")
    assert "tray" in shown.evaluate("document.activeElement.getAttribute('aria-label')")
    assert shown.evaluate(visible.format(0)) == "none"
    assert shown.evaluate(visible.format(1)) == "block"
    note = shown.evaluate("getComputedStyle(document.activeElement.firstChild, '::after').content")
    assert "rank 8, entropy 6.43 nats" in note


def test_a_note_stays_on_the_page_of_a_phone(show):
    shown = show(page(sample_events.two_steps()), width=360)
    for index in (0, 14, 40, -1):
        token = shown.locator(".t").nth(index)
        token.hover()
        assert shown.evaluate("document.documentElement.scrollWidth") <= 360


def test_tokens_can_be_skipped(show):
    shown = show(page(sample_events.two_steps()))
    shown.locator(".skip").first.focus()
    assert shown.locator(".skip").first.bounding_box()["height"] > 10
    shown.keyboard.press("Enter")
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_what_is_copied_is_the_text_without_the_signs(show):
    shown = show(VIEWS["tokens"].html(sample_events.two_steps()))
    lane = "document.querySelectorAll('.lane code')[2]"
    shown.evaluate(f"getSelection().selectAllChildren({lane})")
    copied = shown.evaluate("getSelection().toString()")
    assert "<parameter=code>\nprint(7 * 12)\n</parameter>" in copied and "⏎" not in copied


def test_a_notebook_theme_is_followed(show):
    view = VIEWS["turn"].html(sample_events.two_steps())
    body = (
        "<!doctype html><body data-jp-theme-light='{}' style='--jp-layout-color0:{}'><div>{}</div>"
    )
    ground = "getComputedStyle(document.querySelector('.agentloop')).backgroundColor"
    dark = show(body.format("false", "#111", view), scheme="light").evaluate(ground)
    light = show(body.format("true", "#fff", view), scheme="dark").evaluate(ground)
    assert (dark, light) == ("rgb(17, 17, 17)", "rgb(255, 255, 255)"), "the notebook's own ground"


def test_paper_is_light(show):
    shown = show(page(sample_events.two_steps(), theme="dark"), scheme="dark")
    shown.emulate_media(media="print")
    ratio, where = shown.evaluate(CONTRAST)
    ground = shown.evaluate(
        "getComputedStyle(document.querySelector('.agentloop')).backgroundColor"
    )
    assert ratio >= 4.5 and ground == "rgb(255, 255, 255)", where
