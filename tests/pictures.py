"""Pictures of every view, light and dark, of one real turn on the embedded model; of a card and of a prompt with media, those of the samples: python tests/pictures.py FOLDER [NAME …] (make pictures writes docs/pictures)."""

import io
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import sample_cards
from browser import launched
from PIL import Image

from agentloop_widgets import Turn, load_backend
from agentloop_widgets.events import Model
from agentloop_widgets.widgets import ContextView, ModelCard, StepCard, TokenView, TurnView

QUESTION = "What is the square root of 50?"  # an error, mended: three steps
TALL = 1180  # pixels of a turn: its first step and the beginning of the next


def pages(folder: Path) -> dict[str, Path]:
    """A page a view."""
    llm = load_backend()
    turn = Turn(llm, QUESTION, sampling=replace(llm.recommended, seed=4)).run()
    views = {
        "tokens": TokenView(turn, step=2),
        "context": ContextView(turn, step=3),
        "step": StepCard(turn, step=2),
        "turn": TurnView(turn),
        "turn-zh-TW": TurnView(turn, language="zh-TW"),
        "card": ModelCard([Model(card=sample_cards.GEMMA)]),
        "media": ContextView(sample_cards.with_media(), step=1),
    }
    return {name: view.to_html(folder / f"{name}.html") for name, view in views.items()}


def taken(browser, page: Path, name: str, scheme: str) -> Image.Image:
    """A picture of a page, with a popover where it shows tokens alone."""
    narrow = name == "turn-zh-TW"
    viewport = {
        "width": 360 if narrow else 920,
        "height": {"tokens": 420, "turn": TALL}.get(name, 900 if narrow else 300),
    }
    context = browser.new_context(offline=True, color_scheme=scheme, viewport=viewport)
    tab = context.new_page()
    tab.goto(page.as_uri())
    tab.wait_for_selector(".language")
    if name == "tokens":
        tab.locator(".box .t:is(.l1, .l2)").first.hover()
    if name == "card":
        tab.locator(".layers button").nth(20).hover()
    if name == "turn":
        tab.locator(".box .t:is(.l1, .l2)").first.hover()
    tab.wait_for_timeout(300)
    image = Image.open(
        io.BytesIO(tab.screenshot(full_page=name in ("context", "step", "card", "media")))
    )
    context.close()
    return image


def main(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made, launched() as browser:
        for name, page in pages(Path(made)).items():
            if names and name not in names:
                continue
            for scheme in ("light", "dark"):
                path = folder / f"{name}-{scheme}.png"
                taken(browser, page, name, scheme).convert("RGB").quantize(method=Image.Quantize.MAXCOVERAGE).save(path, optimize=True)  # fmt: skip
                print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
