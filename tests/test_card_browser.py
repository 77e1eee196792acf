"""A model's card in a browser with the network off: its layers by pointer and by keys, both themes, a phone, both languages, and nothing that a card may say is ever run."""

import re
from pathlib import Path

import hostile
import pytest
import sample_cards
import sample_events
from test_views_browser import AXE, Opened
from test_widgets_browser import CONTRAST

from agentloop_widgets.events import Model
from agentloop_widgets.trace.strings import language
from agentloop_widgets.widgets import VIEWS, ModelCard

pytestmark = pytest.mark.browser
TOLD = ".told"
ACTIVE = "document.activeElement.dataset.n"


def run_of(card) -> list:
    """Two steps of a run with that model."""
    return [Model(card=card, run=event.run) if event.type == "model" else event for event in sample_events.two_steps()]  # fmt: skip


@pytest.fixture
def opened(browser, tmp_path):
    made = []

    def at(events, *, language=None, **options) -> Opened:
        path = tmp_path / f"card-{len(made)}.html"
        ModelCard(events, language=language).to_html(path)
        made.append(Opened(browser, path, **options))
        return made[-1]

    yield at
    for view in made:
        view.context.close()
        assert view.complaints == [] and view.foreign() == []


def test_it_is_all_there(opened):
    page = opened(run_of(sample_cards.QWEN)).page
    said = page.locator(".agentloop").inner_text()
    for text in ("Qwen/Qwen3.5-0.8B", "24 layers: linear attention 18, full attention 6", "58.8%", "it has no sound encoder", "MTP layer · 1 layer · 20 M parameters · not loaded", "vocab.json", "179", "15 ms"):  # fmt: skip
        assert text in said, text
    assert page.locator(".layers button").count() == 24
    assert page.locator(".agentloop noscript").count() == 1
    widths = page.locator(".bar i").evaluate_all("all => all.map(e => e.offsetWidth)")
    assert widths[0] / sum(widths) == pytest.approx(500 / 850, abs=0.02)


def test_the_pointer_shows_whose_keys_and_values_a_layer_reads(opened):
    page = opened(run_of(sample_cards.GEMMA)).page
    help = page.locator(TOLD).inner_text()
    page.locator(".layers button").nth(20).hover()
    assert page.locator(TOLD).inner_text() == "layer 20: sliding window; reads the keys and values of layer 13"  # fmt: skip
    assert page.locator(".layers .source").get_attribute("data-n") == "13"
    assert page.locator(".layers .kin").count() == 16
    page.locator(".layers button").nth(14).hover()
    assert page.locator(TOLD).inner_text().endswith("are read by 4 more")
    page.locator(".layers button").nth(3).hover()
    assert page.locator(".layers :is(.source, .kin)").count() == 0
    page.locator("h2").hover()
    assert page.locator(TOLD).inner_text() == help


def test_keys_walk_the_layers_from_one_stop(opened):
    page = opened(run_of(sample_cards.GEMMA)).page
    page.locator(".copy, .language").last.focus()
    assert page.locator(".layers button[tabindex='0']").count() == 1
    page.locator(".layers button").first.focus()
    walked = []
    for key in ("ArrowRight", "End", "ArrowUp", "ArrowDown", "Home"):
        page.keyboard.press(key)
        walked.append(int(page.evaluate(ACTIVE)))
    assert walked == [1, 34, 14, 19, 0]
    page.keyboard.press("End")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label == "layer 34: full attention; reads the keys and values of layer 14"
    assert page.locator(TOLD).inner_text() == label
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "scroll"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(ACTIVE) == "34"
    assert page.locator(".layers button:focus-visible").evaluate("e => getComputedStyle(e).outlineStyle") == "solid"  # fmt: skip


def test_the_whole_revision_is_copied(opened):
    page = opened(run_of(sample_cards.QWEN)).page
    page.evaluate("document.addEventListener('copy', event => { window.copied = event.clipboardData.getData('text/plain'); })")  # fmt: skip
    button = page.locator(".copy")
    assert button.inner_text() == "2fc0636"
    assert sample_cards.QWEN["revision"] in button.get_attribute("title")
    button.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("window.copied") == sample_cards.QWEN["revision"]
    assert sample_cards.QWEN["revision"] in page.locator("[role=status]").inner_text()


@pytest.mark.parametrize("name", ["GEMMA", "QWEN", "OLD"])
@pytest.mark.parametrize("scheme, width", [("light", 900), ("dark", 360)])
def test_axe_finds_nothing_and_a_phone_needs_no_sideways_scrolling(opened, name, scheme, width):
    view = opened(run_of(getattr(sample_cards, name)), color_scheme=scheme, viewport={"width": width, "height": 900})  # fmt: skip
    view.page.add_script_tag(path=AXE)
    found = view.page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")["violations"]  # fmt: skip
    assert [f"{item['id']}: {node['html'][:120]}" for item in found for node in item["nodes"]] == []
    assert view.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert view.page.evaluate(CONTRAST)[0] >= 4.5


# What JupyterLab lays on every table and text of an output.
HOST = """
.host table { table-layout: fixed; border-spacing: 0 }
.host :is(td, th, tr) { vertical-align: middle; white-space: normal; text-align: right; max-width: none }
.host code { white-space: pre-wrap }
"""
# The cells of a table whose text reaches into another's, and the names that break elsewhere than behind _ and .
BROKEN = """() => {
    const found = [];
    for (const table of document.querySelectorAll('.card table')) {
        const cells = [...table.querySelectorAll('th, td')].map(cell => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return [cell.textContent, range.getBoundingClientRect()];
        });
        cells.forEach(([text, one], at) => {
            for (const [other, two] of cells.slice(at + 1)) {
                if (one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 6 && two.top < one.bottom - 6) found.push(`${text} | ${other}`);
            }
        });
    }
    for (const name of document.querySelectorAll('.files code')) {
        let top = null, before = '';
        for (const node of name.childNodes) {
            if (node.nodeType !== 3) continue;
            const range = document.createRange();
            for (let at = 0; at < node.length; at++) {
                range.setStart(node, at); range.setEnd(node, at + 1);
                const now = range.getBoundingClientRect().top;
                if (top !== null && now > top + 4 && !'_.'.includes(before)) found.push(name.textContent);
                [top, before] = [now, node.data[at]];
            }
        }
    }
    return found;
}"""


@pytest.mark.parametrize("tongue", ["en", "zh-TW"])
@pytest.mark.parametrize("width", [360, 520, 828, 1200])
def test_no_cell_reaches_into_another_under_a_notebooks_style(opened, width, tongue):
    page = opened(run_of(sample_cards.QWEN), language=tongue, viewport={"width": width, "height": 900}).page  # fmt: skip
    page.evaluate("css => { document.querySelector('main').className = 'host'; const style = document.createElement('style'); style.textContent = css; document.head.append(style); }", HOST)  # fmt: skip
    assert page.locator(".files code").count() == 13
    assert page.evaluate(BROKEN) == []
    hidden = page.locator(".scroll").evaluate_all("all => all.map(e => e.scrollWidth - e.clientWidth)")  # fmt: skip
    assert max(hidden) <= 0
    if width >= 828:
        heights = page.locator(".files tbody tr").evaluate_all("all => all.map(e => e.offsetHeight)")  # fmt: skip
        assert max(heights) < 1.3 * min(heights), "every file in one line"
    label, number = page.locator(".parts tbody tr").first.locator("td").evaluate_all("all => [0, 1].map(n => { const mark = document.createElement('span'); mark.style.cssText = 'display: inline-block; width: 1px; height: 0'; all[n].append(mark); return mark.getBoundingClientRect().bottom; })")  # fmt: skip
    assert label == pytest.approx(number, abs=0.6), "on one line"


def test_a_model_in_a_folder_has_no_chip_for_a_revision(opened):
    page = opened(run_of({**sample_cards.OLD, "folder": "models/tiny"})).page
    assert "revision" not in page.locator(".agentloop").inner_text()
    assert "revision not given" in opened(run_of(sample_cards.OLD)).page.locator(".chips").inner_text()  # fmt: skip


def test_traditional_chinese_is_switched_to_and_back(opened):
    view = opened(run_of(sample_cards.GEMMA))
    english = view.page.locator(".agentloop").inner_text()
    view.page.locator(".language").click()
    said = view.page.locator(".agentloop").inner_text()
    for text in ("35 層：滑動視窗 28 層、完整注意力 7 層", "逐層嵌入", "不讀", "第 2 步", "把游標移到一層上"):  # fmt: skip
        assert text in said
    for text in ("not given", "layers", "share", "what for", "sliding"):
        assert text not in said
    view.page.locator(".language").click()
    assert view.page.locator(".agentloop").inner_text() == english
    assert "未提供" in opened(run_of(sample_cards.GEMMA), language="zh-TW").page.locator(".agentloop").inner_text()  # fmt: skip


def test_a_hostile_card_is_shown_and_never_run(opened):
    page = opened(hostile.events()).page
    for cell in page.locator(".layers button").all()[:4]:
        cell.hover()
    assert page.title() != "pwn"
    assert page.locator(".agentloop :is(img, br, iframe, a, script:not([data-block] > script))").count() == 0  # fmt: skip
    assert hostile.SCRIPT in page.locator("h2").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_five_hundred_layers_and_no_parameters(opened):
    layers = [{"kind": ("full_attention", "linear_attention", "new")[n % 3]} for n in range(500)]
    card = {"model": "m", "text": {"layers": layers}, "parts": [{"part": "layers", "parameters": 0, "bytes": 0}]}  # fmt: skip
    page = opened([Model(card=card)], viewport={"width": 360, "height": 800}).page
    assert page.locator(".layers button").count() == 500 and page.locator(".bar").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".layers button").nth(499).hover()
    assert page.locator(TOLD).inner_text() == "layer 499: linear attention"


def test_the_colours_of_high_contrast_keep_the_kinds_apart(opened):
    page = opened(run_of(sample_cards.GEMMA), forced_colors="active").page
    heights = page.locator(".layers button > i").evaluate_all("all => all.map(e => e.offsetHeight)")
    assert heights[0] < heights[4]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tongue", ["en", "zh-TW"])
def test_the_page_without_script_is_legible_on_a_phone(browser, tmp_path, scheme, tongue):
    path = Path(tmp_path, "page.html")
    with language(tongue):
        path.write_text(VIEWS["model_card"].document(run_of(sample_cards.GEMMA)), encoding="utf-8")
    context = browser.new_context(offline=True, color_scheme=scheme, java_script_enabled=True, viewport={"width": 360, "height": 800})  # fmt: skip
    page = context.new_page()
    page.goto(path.as_uri())
    ratio, where = page.evaluate(CONTRAST)
    assert ratio >= 4.5, where
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    heights = page.locator(".layers > i").evaluate_all("all => all.map(e => getComputedStyle(e, '::before').height)")  # fmt: skip
    assert len(heights) == 35 and len(set(heights)) == 2
    assert re.search(r"13.*14", page.locator(".card p").first.inner_text())
    context.close()
