"""The interactive views, each as the page that `to_html` writes, in a headless browser with the network off."""

import json
import re
from dataclasses import replace
from pathlib import Path

import hostile
import pytest
import sample_events
import streams

from agentloop_widgets import Trace
from agentloop_widgets.events import StepStart, Token, stamp
from agentloop_widgets.harness.turn import Stage
from agentloop_widgets.trace.strings import language, texts
from agentloop_widgets.widgets.columns import clean
from agentloop_widgets.widgets.token_notes import spelled

pytestmark = pytest.mark.browser
AXE = Path(__file__).resolve().parent.parent / "js" / "node_modules" / "axe-core" / "axe.min.js"
OTHERS = {"context": "context", "tokens": "tokens", "step": "step"}
TEXT_OF = "element => [...element.childNodes].map(node => node.textContent).join('')"


class Opened:
    """A page, what it asked for and what it complained of."""

    def __init__(self, browser, path: Path, **options):
        self.context = browser.new_context(offline=True, **options)
        self.page, self.asked, self.complaints = self.context.new_page(), [], []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.set_default_timeout(15_000)
        self.page.goto(path.as_uri())
        self.page.wait_for_selector(".language")
        self.page.wait_for_timeout(100)

    def foreign(self) -> list[str]:
        return [url for url in self.asked if not url.startswith(("file:", "blob:"))]


@pytest.fixture
def opened(browser, tmp_path):
    made = []

    def at(kind: str, events, **options) -> Opened:
        path = tmp_path / f"{kind}-{len(made)}.html"
        thing = Trace(events) if kind == "turn" else Stage(kind, events)
        thing.to_html(path)
        made.append(Opened(browser, path, **options))
        return made[-1]

    yield at
    for page in made:
        page.context.close()


def token_stream(n: int) -> list[Token]:
    tokens = streams.tokens(n, numbered=False)
    for seq, token in enumerate(tokens):
        stamp(token, "r", seq, seq / 100, 1)
    return tokens


KINDS = ("turn", "context", "tokens", "step")


# Whole, quiet, and reached by everyone.


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_asks_for_nothing_and_complains_of_nothing(opened, kind):
    view = opened(kind, sample_events.two_steps())
    assert view.foreign() == [] and view.complaints == []
    assert view.page.locator(".agentloop noscript").count() == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme, width", [("light", 900), ("dark", 320)])
def test_axe_finds_nothing(opened, kind, scheme, width):
    view = opened(
        kind,
        sample_events.everything(),
        color_scheme=scheme,
        viewport={"width": width, "height": 900},
    )
    view.page.add_script_tag(path=AXE)
    if view.page.locator(".t[data-i]").count():
        view.page.locator(".t[data-i]").first.click()
    for summary in view.page.locator("summary:visible").all():
        if summary.evaluate("element => !element.parentElement.open"):
            summary.click()
    found = view.page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")[
        "violations"
    ]
    said = [f"{item['id']}: {node['html'][:120]}" for item in found for node in item["nodes"]]
    assert said == []
    assert view.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("kind", KINDS)
def test_traditional_chinese_is_switched_to_in_the_view(opened, kind):
    view = opened(kind, sample_events.two_steps())
    english = view.page.locator(".agentloop").inner_text()
    view.page.locator(".language").click()
    chinese = view.page.locator(".agentloop").inner_text()
    assert view.page.locator("[data-block] [lang=zh-TW]").count() and "第 2 步" in chinese
    table = json.dumps(
        [entry["en"] for key, entry in texts().items() if key.startswith(("view.", "channel."))]
    )
    front = (AXE.parents[2] / "strings.js").read_text(encoding="utf-8")
    said = set(json.loads(table)) | set(re.findall(r': \["([^"]+)"', front))
    sentences = {text for text in said if "{" not in text and " " in text.strip()}
    assert [text for text in sentences if text in chinese] == []
    view.page.locator(".language").click()
    assert view.page.locator(".agentloop").inner_text() == english


def test_a_page_in_traditional_chinese(browser, tmp_path):
    with language("zh-TW"):
        Trace(sample_events.two_steps()).to_html(tmp_path / "turn.html")
    view = Opened(browser, tmp_path / "turn.html")
    assert "第 2 步" in view.page.locator(".agentloop").inner_text()
    view.context.close()


# Tokens: what each says.


def test_the_popover_says_everything_of_a_token(opened):
    view = opened("tokens", sample_events.two_steps())
    token = next(t for t in sample_events.first_tokens() if t.rank and t.rank > 5)
    view.page.locator(f".t[data-i='{token.index}']").first.hover()
    said = view.page.locator(".pop:popover-open").inner_text()
    for part in (
        spelled(token.text),
        "thinking",
        str(token.id),
        f"{token.p:.2%}",
        f"… rank {token.rank}",
        f"{token.entropy:.3g} nats",
    ):
        assert part in said, part
    rows = view.page.locator(".pop tbody tr:not(.gap)")
    assert rows.count() == len(token.top) + 1 and "◂" in rows.last.inner_text()
    for rival, row in zip(token.top, rows.all(), strict=False):
        assert spelled(rival["piece"]) in row.inner_text()
    widths = [
        bar.evaluate("element => element.getBoundingClientRect().width")
        for bar in view.page.locator(".pop .b.p").all()
    ]
    assert widths == sorted(widths, reverse=True) and widths[0] > widths[-1] > 0


def test_guesses_are_marked_and_told(opened):
    kept = {"accepted": True, "id": 5, "piece": " two", "p": 0.9, "model_p": 0.8, "accept": 0.85}
    turned = {"accepted": False, "id": 6, "piece": " ten", "p": 0.7, "model_p": 0.1, "accept": 0.14}
    drafts = [None, kept, turned]
    tokens = [
        Token(index=at, id=at, piece=text, text=text, channel="content", p=0.8, draft=draft, step=1)
        for at, (text, draft) in enumerate(zip(("One", " two", " three"), drafts, strict=True))
    ]
    view = opened("tokens", [StepStart(step=1), *tokens])
    marked = view.page.locator(".box .t")
    lines = [each.evaluate("e => getComputedStyle(e).textDecoration") for each in marked.all()]
    assert "overline" not in lines[0] and "overline" in lines[1] and "wavy" in lines[2]
    assert "turned down" in view.page.locator(".guesses").inner_text()
    marked.nth(2).hover()
    said = view.page.locator(".pop:popover-open").inner_text()
    for part in ("' ten'", "70.0%", "10.0%", "14.0%", "turned down"):
        assert part in said, part


def test_what_was_cut_is_struck_and_what_is_not_given_is_said(opened):
    cut = [
        {"id": 1, "piece": "a", "p": 0.9, "kept": True},
        {"id": 2, "piece": "b", "p": 0.1, "kept": False},
    ]
    events = [
        StepStart(step=1),
        Token(index=0, id=1, piece="a", text="a", p=0.9, p_sampled=1.0, kept=1, top=cut, step=1),
        Token(index=1, id=3, piece="c", text="c", step=1),
    ]
    view = opened("tokens", events)
    view.page.locator(".t[data-i='0']").hover()
    assert (
        view.page.locator(".pop s").inner_text() == "'b'"
        and "cut" in view.page.locator(".pop").inner_text()
    )
    view.page.locator(".t[data-i='1']").hover()
    said = view.page.locator(".pop").inner_text()
    assert said.count("not given") == 7 and "0%" not in said and "NaN" not in said


def test_keys_walk_open_and_close(opened):
    view = opened("tokens", sample_events.two_steps())
    page = view.page
    page.locator(".box").first.focus()
    marked = "() => Number(document.querySelector('.t.on').dataset.i)"
    assert page.evaluate(marked) == 0
    for key, index in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("Home", 0),
        ("ArrowLeft", 0),
    ]:
        page.keyboard.press(key)
        assert page.evaluate(marked) == index
    assert page.locator(".box").first.get_attribute("aria-activedescendant") == page.locator(
        ".t.on"
    ).first.get_attribute("id")
    page.keyboard.press("End")
    last = page.evaluate(marked)
    assert last == len(sample_events.first_tokens()) - 1
    assert "rank" in page.locator("[role=status]").inner_text()
    page.keyboard.press("Enter")
    first = page.locator(".pop:popover-open").inner_text()
    page.keyboard.press("ArrowLeft")
    assert page.locator(".pop:popover-open").inner_text() != first
    page.keyboard.press("Escape")
    assert page.locator(".pop:popover-open").count() == 0
    page.keyboard.press("ArrowUp")
    assert page.evaluate(marked) < last - 1
    shown = page.locator(".t.on").first.evaluate(
        "element => getComputedStyle(element).outlineStyle"
    )
    assert shown == "solid"


def test_colours_and_underlines_follow_the_choice(opened):
    view = opened("tokens", sample_events.two_steps())
    token = next(t for t in sample_events.first_tokens() if t.p < 0.1 and not t.special)
    place = view.page.locator(f".t[data-i='{token.index}']").first
    look = "element => { const s = getComputedStyle(element); return [s.backgroundColor, s.borderBottomStyle + s.borderBottomColor] }"
    seen = {}
    for mode in ("probability", "channel", "entropy", "plain"):
        view.page.locator(".colours select").select_option(mode)
        seen[mode] = tuple(place.evaluate(look))
    assert len({shade for shade, _ in seen.values()}) == 4
    assert seen["probability"][1].startswith("solid") and "rgba(0, 0, 0, 0)" in seen["plain"][1]
    assert view.page.locator(".colours .legend").inner_text() == ""


def test_whitespace_and_control_tokens_are_seen(opened):
    spaces = [(" ", "·"), ("\t", "⇥"), ("\n", "⏎"), ("", "·")]
    events = [Token(index=0, id=9, piece="a", text="a", step=1)]
    events += [
        Token(index=1 + n, id=n, piece=text, text=text, step=1)
        for n, (text, _) in enumerate(spaces)
    ]
    events += [
        Token(index=5, id=8, piece="<|x|>", text="<|x|>", special=True, channel="control", step=1),
        Token(index=6, id=9, piece="a", text="a", step=1),
    ]
    view = opened("tokens", events)
    for index, (text, sign) in enumerate(spaces, 1):
        place = view.page.locator(f".t[data-i='{index}']")
        signs = place.evaluate(
            "element => [element, ...element.children].flatMap(e => ['::before', '::after'].map(p => getComputedStyle(e, p).content)).join('')"
        )
        assert sign in signs, text
        assert place.evaluate(TEXT_OF) == text
    key = view.page.locator(".t[data-i='5']")
    assert (
        key.inner_text() == "<|x|>"
        and key.evaluate("element => getComputedStyle(element).borderLeftStyle") == "solid"
    )


def test_a_copy_is_the_text_alone(opened):
    view = opened("tokens", token_stream(700))
    wanted = "".join(token.text for token in token_stream(700))
    copied = view.page.evaluate("""() => {
        const box = document.querySelector('.box'), range = document.createRange();
        range.selectNodeContents(box);
        getSelection().removeAllRanges(); getSelection().addRange(range);
        const event = new ClipboardEvent('copy', {clipboardData: new DataTransfer(), bubbles: true, cancelable: true});
        box.dispatchEvent(event);
        return event.clipboardData.getData('text/plain');
    }""")
    assert copied == wanted


def test_the_browsers_search_finds_what_is_not_drawn_yet(opened):
    tokens = token_stream(20_000)
    tokens[15_000] = Token(
        index=15_000, id=1, piece=" xylophone", text=" xylophone", run="r", seq=15_000, step=1
    )
    view = opened("tokens", tokens)
    assert view.page.locator(".t[data-i='15000']").count() == 0
    assert view.page.evaluate("() => window.find('xylophone')")


def test_many_tokens_are_few_nodes(opened):
    view = opened("tokens", token_stream(50_000))
    count = "() => document.querySelectorAll('.box *').length"
    assert 200 < view.page.evaluate(count) <= 5000
    for _ in range(6):
        view.page.evaluate(
            "() => { const box = document.querySelector('.box'); box.scrollTop += box.scrollHeight / 7 }"
        )
        view.page.wait_for_timeout(100)
    assert view.page.evaluate(count) <= 5000
    view.page.locator(".box").focus()
    view.page.keyboard.press("End")
    assert view.page.locator(".t.on").get_attribute("data-i") == "49999"


# Hostile text.


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_text_is_shown_and_never_run(opened, kind):
    view = opened(kind, hostile.events())
    page = view.page
    for summary in page.locator("summary:visible").all():
        if summary.evaluate("element => !element.parentElement.open"):
            summary.click()
    page.wait_for_timeout(200)
    assert page.title() != "pwn" and view.complaints == [] and view.foreign() == []
    assert page.locator(".agentloop :is(img, br, b:not(.n), script:not([data-block] > script), iframe, a)").evaluate_all(
        "found => found.filter(e => e.tagName !== 'B' || !['✓ ', '✗ ', ' ◂'].includes(e.textContent) && !e.closest('.remark, .dim, .changes, summary')).map(e => e.outerHTML.slice(0, 80))"
    ) == []  # fmt: skip
    if kind in ("tokens", "step", "turn"):
        page.locator(".box").scroll_into_view_if_needed()
        for index, text in enumerate(hostile.TEXTS):
            place = page.locator(f".t[data-i='{index}']")
            assert place.evaluate(TEXT_OF) == clean(
                text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            )
        page.locator(".t[data-i='1']").hover()
        assert "</script>" in page.locator(".pop").inner_text()


def test_a_pages_source_holds_no_text_that_ends_it(tmp_path):
    path = Trace(hostile.events()).to_html(tmp_path / "turn.html")
    source = path.read_text(encoding="utf-8")
    assert source.count("</script>") == source.count("<script") == 3
    assert source.count("</noscript>") == source.count("<noscript>") == 1
    assert "<img" not in source and "<br" not in source


def test_right_to_left_stands_to_the_right(opened):
    events = [
        Token(index=0, id=1, piece="مرحبا بالعالم", text="مرحبا بالعالم", channel="content", step=1)
    ]
    view = opened("tokens", events)
    block = view.page.locator(".block").bounding_box()
    token = view.page.locator(".t[data-i='0']").bounding_box()
    assert token["x"] + token["width"] > block["x"] + block["width"] - 20


# Whole turns.


def test_thirty_steps_stay_light(opened):
    events = many_steps(30)
    view = opened("turn", events)
    assert view.page.locator(".step").count() == 30
    assert view.page.evaluate("() => document.querySelectorAll('.agentloop *').length") < 2500


def many_steps(n: int) -> list:
    found = [sample_events.run_start()]
    for number in range(1, n + 1):
        for event in sample_events.step_one():
            values = {
                name: getattr(event, name)
                for name in event.__dataclass_fields__
                if name not in ("type", "run", "seq", "t", "step", "extra")
            }
            found.append(type(event)(**values, step=number))
    for seq, event in enumerate(found):
        stamp(event, "r", seq, seq / 10, event.step)
    return found


def test_without_scripts_the_text_is_read(browser, tmp_path):
    path = Trace(sample_events.two_steps()).to_html(tmp_path / "turn.html")
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    said = page.inner_text("body")
    context.close()
    assert "Step 2" in said and "4.24%" in said and "84 eggs" in said


# Where the reader is.


def test_the_popover_can_be_entered_and_its_text_chosen(opened):
    view = opened("tokens", sample_events.two_steps())
    page = view.page
    token = page.locator(".t[data-i='1']").first
    token.hover()
    popover = page.locator(".pop:popover-open").bounding_box()
    at = token.bounding_box()
    page.mouse.move(at["x"] + 4, at["y"] + at["height"] + 3)
    page.mouse.move(popover["x"] + 40, popover["y"] + 40, steps=3)
    page.wait_for_timeout(400)
    assert page.locator(".pop:popover-open").count() == 1
    page.mouse.move(5, 5)
    page.wait_for_timeout(400)
    assert page.locator(".pop:popover-open").count() == 0
    token.click()
    page.mouse.click(popover["x"] + 40, popover["y"] + 40)
    assert page.locator(".pop:popover-open").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".pop:popover-open").count() == 0


def test_what_is_opened_by_key_is_said(opened):
    view = opened("tokens", sample_events.two_steps())
    page = view.page
    page.locator(".box").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    said = page.locator("[role=status]").inner_text()
    for part in ("entropy", "kept", "candidates", "rank"):
        assert part in said, said


def test_no_id_is_given_twice_whatever_is_on_the_page(browser, tmp_path):
    events = sample_events.two_steps()
    blocks = "".join(
        Stage(kind, events)
        .to_html(tmp_path / f"{kind}.html")
        .read_text(encoding="utf-8")
        .split("<main>")[1]
        .split("</main>")[0]
        for kind in ("tokens", "step", "tokens")
    )
    (tmp_path / "all.html").write_text(
        f'<!doctype html><meta charset="utf-8">{blocks}', encoding="utf-8"
    )
    view = Opened(browser, tmp_path / "all.html")
    for box in view.page.locator(".box").all():
        box.focus()
    ids = view.page.evaluate("() => [...document.querySelectorAll('[id]')].map(e => e.id)")
    active = view.page.locator(".box").evaluate_all(
        "all => all.map(box => box.contains(document.getElementById(box.getAttribute('aria-activedescendant'))))"
    )
    view.context.close()
    assert len(ids) == len(set(ids)) and all(active) and len(active) == 6


def test_the_mark_outlives_scrolling_and_a_switch_of_language(opened):
    view = opened("tokens", token_stream(5000))
    page = view.page
    page.locator(".box").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    for place in ("box.scrollHeight", "0"):
        page.evaluate(
            f"() => {{ const box = document.querySelector('.box'); box.scrollTop = {place} }}"
        )
        page.wait_for_timeout(200)
    assert page.locator(".t.on").get_attribute("data-i") == "5"
    page.keyboard.press("Escape")
    page.locator(".language").click()
    assert page.locator(".t.on").get_attribute("data-i") == "5"


def test_a_block_that_is_taken_away_leaves_nothing_behind(opened):
    view = opened("tokens", token_stream(300))
    session = view.context.new_cdp_session(view.page)

    def listeners():
        found = session.send("Runtime.evaluate", {"expression": "window"})["result"]["objectId"]
        return len(session.send("DOMDebugger.getEventListeners", {"objectId": found})["listeners"])

    before = listeners()
    view.page.locator(".t[data-i='3']").hover()
    assert listeners() > before
    view.page.mouse.move(1, 1)
    view.page.wait_for_timeout(400)
    assert listeners() == before


def test_a_token_of_many_lines_does_not_hold_the_page_up(opened):
    text = "\n" * 200_000 + "end"
    view = opened(
        "tokens",
        [
            Token(index=0, id=1, piece=text, text=text, step=1),
            Token(index=1, id=2, piece="x", text="x", step=1),
        ],
    )
    view.page.locator(".box").focus()
    view.page.keyboard.press("End")
    assert view.page.locator(".t.on").inner_text() == "x"
    assert view.page.locator(".t[data-i='0']").evaluate(TEXT_OF) == text


def test_the_colours_of_high_contrast_are_the_readers_own(opened):
    view = opened("tokens", sample_events.two_steps(), forced_colors="active", color_scheme="dark")
    token = view.page.locator(".t.l2[data-i]").first
    ink, ground = token.evaluate(
        "element => { const s = getComputedStyle(element); return [s.color, getComputedStyle(document.body).backgroundColor] }"
    )
    assert ink != ground
    assert token.evaluate("element => getComputedStyle(element).forcedColorAdjust") != "none"


def test_thirty_long_steps_all_opened(opened):
    events = [sample_events.run_start()]
    for number in range(1, 31):
        events.append(StepStart(step=number))
        events += [replace(token, step=number) for token in streams.tokens(600, numbered=False)]
    for seq, event in enumerate(events):
        stamp(event, "r", seq, seq / 10, event.step)
    view = opened("turn", events)
    view.page.get_by_role("button", name="open all").click()
    view.page.wait_for_timeout(800)
    assert view.page.locator(".step .box").count() == 30
    assert view.page.evaluate("() => document.querySelectorAll('.agentloop *').length") < 8000


@pytest.mark.parametrize(
    "policy",
    ["script-src 'unsafe-inline' 'unsafe-eval'", "default-src 'self' 'unsafe-inline' blob:"],
)
def test_a_page_with_a_policy_of_its_own_draws_it(browser, tmp_path, policy):
    path = Stage("tokens", sample_events.two_steps()).to_html(tmp_path / "tokens.html")
    source = path.read_text(encoding="utf-8")
    meta = f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">'
    path.write_text(source.replace("<head>", meta), encoding="utf-8")
    view = Opened(browser, path)
    assert view.page.locator(".t[data-i='1']").first.inner_text() == " tray"
    view.context.close()


def test_where_no_module_may_run_the_text_is_read(browser, tmp_path):
    path = Stage("tokens", sample_events.two_steps()).to_html(tmp_path / "tokens.html")
    source = path.read_text(encoding="utf-8").replace("DecompressionStream", "NoSuchStream")
    path.write_text(source, encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    assert "4.24%" in page.locator("[data-block] pre").inner_text()
    context.close()
