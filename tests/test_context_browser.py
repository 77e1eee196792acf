"""The context in a browser: the exact text by role, what differs from an earlier step, token boundaries, and a very long one."""

from dataclasses import replace

import pytest
import sample_cards
import sample_events
from browser import launched
from test_views_browser import AXE

from agentloop_widgets import Sampling, Trace, Turn
from agentloop_widgets.events import Context, ModelEnd, StepStart, stamp
from agentloop_widgets.harness.context import changes
from agentloop_widgets.harness.turn import Stage
from agentloop_widgets.widgets import ContextView, TurnView

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser():
    with launched() as found:
        yield found


@pytest.fixture
def opened(browser, tmp_path):
    pages = []

    def at(view, **options):
        view.to_html(tmp_path / "view.html")
        context = browser.new_context(
            offline=True, viewport={"width": 900, "height": 900}, **options
        )
        page = context.new_page()
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto((tmp_path / "view.html").as_uri())
        page.wait_for_selector(".language")
        page.wait_for_timeout(150)
        pages.append((context, complaints))
        return page

    yield at
    for context, complaints in pages:
        context.close()
        assert complaints == []


def prompt_of(*turns: tuple[str, str]) -> str:
    return "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in turns)


def contexts(*steps: tuple[tuple[str, str], ...], raw: str = "ok<|im_end|>") -> list:
    """A run of contexts, each compared with the one before as the loop does."""
    events, before = [], ""
    for number, turns in enumerate(steps, 1):
        prompt, segments = prompt_of(*turns), []
        for role, text in turns:
            start = segments[-1]["end"] if segments else 0
            segments.append({"role": role, "kind": "text", "start": start, "end": start + len(prompt_of((role, text))), "n_tokens": 4})  # fmt: skip
        added, rewritten, dropped = changes(before, prompt)
        events += [
            StepStart(step=number),
            Context(prompt=prompt, ids=list(range(len(prompt))), pieces=list(prompt), segments=segments, n_tokens=len(prompt), added_from=added, rewritten=rewritten, dropped=dropped, context_length=4096, step=number),
            ModelEnd(finish="stop_token", raw=raw, step=number),
        ]  # fmt: skip
        before = prompt + raw
    for seq, event in enumerate(events):
        stamp(event, "r", seq, seq / 10, event.step)
    return events


def written(place) -> str:
    """The text of an element without what only signs stand for, as a copy has it."""
    return place.evaluate("""element => {
        const range = document.createRange();
        range.selectNodeContents(element);
        getSelection().removeAllRanges(); getSelection().addRange(range);
        const event = new ClipboardEvent('copy', {clipboardData: new DataTransfer(), bubbles: true, cancelable: true});
        element.dispatchEvent(event);
        return event.clipboardData.getData('text/plain');
    }""")


def test_every_part_is_there_to_the_letter(opened):
    events = sample_events.two_steps()
    page = opened(ContextView(events, step=1))
    prompt = next(event.prompt for event in events if event.type == "context")
    for part in page.locator(".part > summary").all():
        if not part.evaluate("element => element.parentElement.open"):
            part.click()
    assert "".join(written(place) for place in page.locator(".part > pre").all()) == prompt
    assert page.locator(".part > pre kbd").first.inner_text().strip() == "<|im_start|>"


def test_what_is_new_is_open_and_marked_and_all_else_is_folded(opened):
    page = opened(ContextView(sample_events.two_steps(), step=2))
    parts = page.locator(".part").all()
    names = [
        (part.locator("summary").inner_text().split()[0], part.evaluate("element => element.open"))
        for part in parts
    ]
    assert ("result", True) in names and ("system", False) in names and ("tools", False) in names
    assert "84" in page.locator(".part[open] .new").first.inner_text()
    assert page.locator(".part:not([open]) > pre").count() == 0, "a folded part is not built"


def test_a_folded_part_previews_its_own_text_alone(opened):
    page = opened(ContextView(sample_events.two_steps(), step=2))
    previews = page.locator(".part > summary > span").all_text_contents()
    assert len(previews) >= 5
    assert [text for text in previews if text.count("<|im_start|>") > 1] == []


def test_a_bar_of_the_window_is_to_scale(opened):
    page = opened(ContextView(sample_events.two_steps(), step=1))
    widths = page.locator(".bar i").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().width)"
    )
    context = next(event for event in sample_events.two_steps() if event.type == "context")
    tools = sum(part["n_tokens"] for part in context.segments if part["kind"] == "tools")
    assert max(widths) / sum(widths) == pytest.approx(tools / context.n_tokens, abs=0.02)


def test_token_boundaries_are_drawn_when_they_are_asked_for(opened):
    page = opened(ContextView(contexts((("user", "one two"),))))
    assert page.locator(".edge").count() == 0
    page.get_by_role("button", name="token boundaries").click()
    page.wait_for_timeout(200)
    assert page.locator(".edge").count() > 10
    assert (
        page.get_by_role("button", name="token boundaries").get_attribute("aria-pressed") == "true"
    )
    assert "".join(written(place) for place in page.locator(".part > pre").all()) == prompt_of(
        ("user", "one two")
    )


FIRST = (
    ("system", "Be brief."),
    ("user", "How many?"),
    ("assistant", "I think\nof seven.\nSeven."),
)
THOUGHTS_LEFT_OUT = (
    ("system", "Be brief."),
    ("user", "How many?"),
    ("assistant", "Seven."),
    ("user", "And now?"),
)
SYSTEM_CHANGED = (
    ("system", "Be long."),
    ("user", "How many?"),
    ("assistant", "Seven."),
    ("user", "And now?"),
    ("assistant", "Eight."),
)


def test_what_was_rewritten_or_left_out_is_seen_in_its_place(opened):
    page = opened(ContextView(contexts(FIRST, THOUGHTS_LEFT_OUT), step=2))
    said = page.locator(".agentloop").inner_text()
    assert "I think" in said and "of seven." in said
    assert page.locator(".rewritten, .dropped").count() >= 1
    assert "And now?" in page.locator(".part[open] .fresh, .part[open] .new").last.inner_text()


def test_any_earlier_step_can_be_compared_with(opened):
    page = opened(ContextView(contexts(FIRST, THOUGHTS_LEFT_OUT, SYSTEM_CHANGED), step=3))
    choice = page.locator(".context select")
    assert [option.inner_text() for option in choice.locator("option").all()][:2] == ["step 1", "step 2"] or len(choice.locator("option").all()) >= 2  # fmt: skip
    against_two = page.locator(".agentloop").inner_text()
    assert "brief." in against_two and "I think" not in against_two
    choice.select_option(label="step 1")
    against_one = page.locator(".agentloop").inner_text()
    assert "brief" in against_one and "I think" in against_one


def test_four_hundred_thousand_characters_are_few_nodes_until_they_are_opened(opened):
    line = "The quick brown fox jumps over the lazy dog, again and again.\n"
    long = line * (400_000 // len(line))
    page = opened(ContextView(contexts((("system", long), ("user", "So?")))))
    count = "() => document.querySelectorAll('.context *').length"
    assert page.evaluate(count) < 400
    page.locator(".part > summary").first.click()
    page.wait_for_timeout(300)
    assert page.evaluate(count) < 4000
    assert written(page.locator(".part > pre").first).count(line) == 400_000 // len(line)


def test_a_step_alone_may_still_be_compared(opened):
    events = contexts(FIRST, THOUGHTS_LEFT_OUT)
    page = opened(Stage("context", events[3:], around=events[:3]))
    assert (
        page.locator(".context").count() == 1
        and "I think" in page.locator(".agentloop").inner_text()
    )


# Media.


def media_page(opened, step=1, **options):
    return opened(ContextView(sample_cards.with_media(frames=64), step=step), **options)


def chips(page) -> list[str]:
    return [text.strip() for text in page.locator(".part[open] .medium > button").all_inner_texts()]


def test_a_medium_is_folded_to_its_picture_its_name_and_its_cost(opened):
    page = media_page(opened)
    assert chips(page) == ["egg box.png · 256 tokens", "hens.wav · 750 tokens", "the yard.mp4 · 4,096 tokens"]  # fmt: skip
    assert page.locator(".part[open] .medium img").count() == 3
    text = page.locator(".part[open] pre").first
    assert "<|image|>" not in text.inner_text() and "What do you see and hear?" in text.inner_text()
    assert page.locator(".context *").count() < 200
    tops = page.locator(".part[open] .medium").evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")  # fmt: skip
    assert max(tops) - min(tops) < 12, "the chips stand in a line"


def test_the_list_says_what_each_medium_is(opened):
    page = media_page(opened)
    listed = page.locator(".media-list li").all_inner_texts()
    assert [text.strip() for text in listed] == [
        "image egg box.png: 256 tokens + 2 for marks · 640 × 480 pixels, read as 768 × 768",
        "sound hens.wav: 750 tokens + 2 for marks · the first 30 of 42 seconds",
        "video the yard.mp4: 4,096 tokens + 320 for times and marks",
        "file prices.csv: not in the prompt; tools find it as /data/prices.csv",
    ]
    assert page.locator(".media-list img").count() == 3
    middles = page.locator(".media-list li:has(img)").evaluate_all("""all => all.map(item => {
        const text = document.createRange();
        text.selectNodeContents(item.lastChild);
        return [item.querySelector('img'), text].map(part => part.getBoundingClientRect()).map(box => (box.top + box.bottom) / 2);
    })""")  # fmt: skip
    assert all(picture == pytest.approx(caption, abs=2) for picture, caption in middles)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_has_an_edge_on_any_ground(opened, scheme):
    page = media_page(opened, color_scheme=scheme)
    for place in (".media-list img", ".medium img"):
        width, edge, ground = page.locator(place).first.evaluate("e => [getComputedStyle(e).borderTopWidth, getComputedStyle(e).borderTopColor, getComputedStyle(e.closest('.agentloop')).backgroundColor]")  # fmt: skip
        assert width == "1px" and edge != ground


def test_an_open_chip_says_what_it_took(opened):
    page = media_page(opened)
    said = "256 tokens + 2 for marks · 640 × 480 pixels, read as 768 × 768"
    button = page.locator(".part[open] .medium > button").first
    assert button.get_attribute("title") == said
    assert page.locator(".medium small:visible").count() == 0
    button.click()
    assert page.locator(".medium small:visible").all_inner_texts() == [said]
    assert chips(page)[0] == "egg box.png · 256 tokens"


@pytest.mark.parametrize("n_tokens, over", [(4095, False), (4096, True), (4612, True)])
def test_a_context_beyond_the_window_is_not_calm(opened, n_tokens, over):
    events = [replace(event, n_tokens=n_tokens, context_length=4096) if isinstance(event, Context) else event for event in sample_cards.with_media()]  # fmt: skip
    page = opened(ContextView(events, step=1))
    words, line = page.locator(".context > p").first, page.locator(".fill i")
    assert ("generate() will fail" in words.inner_text()) == over
    assert ("113% of the window" in words.inner_text()) == (n_tokens == 4612)
    bad = page.locator(".agentloop").evaluate("e => { const i = document.createElement('i'); i.style.color = 'var(--bad)'; e.append(i); return getComputedStyle(i).color; }")  # fmt: skip
    assert (words.evaluate("e => getComputedStyle(e).color") == bad) == over
    assert (line.evaluate("e => getComputedStyle(e).backgroundColor") == bad) == over


def test_a_medium_opens_by_key_to_the_text_itself(opened):
    page = media_page(opened)
    button = page.locator(".part[open] .medium > button").nth(2)
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    raw = page.locator(".raw:visible")
    assert raw.locator(".chunk").count() == 64, "a line a frame"
    assert raw.text_content().startswith("00:00 <|image><|video|><|video|>")
    assert raw.text_content().count("<|video|>") == 4096
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "raw"
    button.press("Enter")
    assert page.locator(".raw:visible").count() == 0


def test_a_copy_of_a_text_with_media_is_the_prompt(opened):
    page = media_page(opened)
    prompt = next(event.prompt for event in sample_cards.with_media(frames=64) if event.type == "context")  # fmt: skip
    page.locator(".part[open] .medium > button").first.click()
    for part in page.locator(".part > summary").all():
        if not part.evaluate("element => element.parentElement.open"):
            part.click()
    assert "".join(written(place) for place in page.locator(".part > pre").all()) == prompt


def test_token_boundaries_are_drawn_in_an_open_medium(opened):
    page = media_page(opened)
    page.locator(".part[open] .medium > button").first.click()
    page.get_by_role("button", name="token boundaries").click()
    page.wait_for_timeout(200)
    assert page.locator(".raw:visible .edge").count() == 258, "it stays open"


def test_a_new_medium_is_in_what_is_new_and_an_old_one_is_not(opened):
    page = media_page(opened, step=2)
    assert chips(page) == ["basket.png · 256 tokens"]
    folded = page.locator(".part:not([open]) > summary").all_inner_texts()
    assert any("[egg box.png · 256 tokens][hens.wav · 750 tokens]" in text for text in folded)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_media_fit_a_phone_in_both_languages(opened, scheme):
    page = media_page(opened, color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 800})
    page.locator(".part[open] .medium > button").nth(2).click()
    page.locator(".language").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "the yard.mp4 · 4,096 個 token" in chips(page)
    assert page.locator(".raw:visible").count() == 1, "it outlives a switch of language"
    page.add_script_tag(path=AXE)
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [f"{item['id']}: {node['html'][:120]}" for item in found for node in item["nodes"]] == []


# A turn's time.


def test_time_is_drawn_to_scale(opened):
    page = opened(TurnView(Trace(sample_events.two_steps())))
    shown = page.locator(".time i").evaluate_all(
        "all => all.map(e => [e.className, e.getBoundingClientRect().width])"
    )
    decode = [width for name, width in shown if "decode" in name]
    measured = [event.decode_ms for event in sample_events.two_steps() if event.type == "model_end"]
    assert len(decode) == len(measured) == 2
    assert decode[0] / decode[1] == pytest.approx(measured[0] / measured[1], rel=0.05)


def test_a_fold_that_the_reader_chose_outlives_a_switch_of_language(opened):
    page = opened(TurnView(Trace(sample_events.two_steps())))
    head = page.locator(".step").first.locator("summary").first
    head.click()
    page.locator(".language").click()
    assert page.locator(".step").first.evaluate("element => element.open") is False


def follow_up(llm) -> list:
    """The events of a question behind another, whose thoughts the template drops."""
    greedy = Sampling(temperature=0, max_new_tokens=200, seed=0)
    llm.prefix_cache.forget()
    first = Turn(llm, "What is 23 * 47?", sampling=greedy).run()
    return Turn(llm, "What is 17 + 58?", history=first.messages, sampling=greedy).run().events


def test_what_a_new_question_made_of_the_conversation_is_drawn(opened, llm):
    events = follow_up(llm)
    page = opened(ContextView(events, step=1))
    context = next(event for event in events if event.type == "context")
    assert context.before and (context.dropped or context.rewritten)
    gone = page.locator(":is(details.dropped, details.rewritten) pre").all_inner_texts()
    start, end = (*context.dropped, *context.rewritten)[0]
    assert context.before[start:end].strip().splitlines()[0] in "\n".join(gone)
    assert "new question" in page.locator(".context").inner_text()


def test_what_came_from_the_cache_is_drawn_to_scale(opened, llm):
    events = follow_up(llm)
    page = opened(ContextView(events, step=2))
    context = [event for event in events if event.type == "context"][1]
    share = page.evaluate("""() => {
        const width = (place) => document.querySelector(place).getBoundingClientRect().width;
        return width('.known i') / width('.known');
    }""")
    assert share == pytest.approx(context.cached_tokens / context.n_tokens, abs=0.01)
    assert f"{context.cached_tokens:,} of them come from the cache" in page.content()


def test_nothing_is_drawn_of_a_cache_that_had_nothing(opened):
    page = opened(ContextView(sample_events.two_steps(), step=1))
    assert page.locator(".known").count() == 0
