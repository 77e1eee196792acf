"""marimo draws the same widget, live."""

import pytest
from lab import marimo_app
from lab_page import LIVE, arrived, hovered

pytestmark = pytest.mark.browser
FIRST, N = 100, 600
APP = f"""
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo
    from agentloop_widgets.widgets import TokenView
    from streams import Stream

    stream = Stream({N}).begin()
    view = TokenView(stream.trace)
    marimo.ui.anywidget(view)
    return (stream,)


@app.cell
def _(stream):
    from pathlib import Path
    from time import sleep

    stream.feed({FIRST}, rate=200)
    while not Path("go").exists():
        sleep(0.02)
    stream.feed()
    return
"""


def test_marimo_draws_tokens_as_they_come(browser, tmp_path):
    with marimo_app(tmp_path, APP) as url:
        page = browser.new_page()
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url)
        page.locator(LIVE).wait_for(timeout=60_000)
        assert arrived(page, FIRST) == list(range(FIRST))  # the cell still runs
        (tmp_path / "go").touch()
        assert arrived(page, N) == list(range(N))
        assert hovered(page, 5) and complaints == []
        page.close()
