"""marimo draws the same widget, live."""

import pytest
from lab import marimo_app
from lab_page import LIVE, arrived, hovered, numbers, wait_until

pytestmark = pytest.mark.browser
N = 600
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
    stream.feed(rate=200)
    return
"""


def test_marimo_draws_tokens_as_they_come(browser, tmp_path):
    with marimo_app(tmp_path, APP) as url:
        page = browser.new_page()
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url)
        page.locator(LIVE).wait_for(timeout=60_000)
        seen = wait_until(lambda: len(numbers(page)))
        assert seen < N
        assert arrived(page, N) == list(range(N))
        assert hovered(page, 5) and complaints == []
        page.close()
