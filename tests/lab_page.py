"""A notebook open in a real JupyterLab or Notebook 7, as a person drives it."""

import itertools
import re
import time
from contextlib import contextmanager, suppress
from pathlib import Path

from lab import Lab
from playwright.sync_api import TimeoutError as PlaywrightTimeout

_PANEL = """
window.openPanel = () => [...jupyterapp.shell.widgets('main')].find(item => item.context && item.content.widgets);
"""
# What the front ends themselves complain of where nothing is wrong with a widget.
NOT_OURS = (
    "Failed to load resource",  # workspaces and settings that are not there yet
    "favicon",
    "Websocket connection to ",
    "WebSocket connection to ",
    "ResizeObserver loop",
    "Could not find a running kernel",
    "Kernel dead",
    "Could not restore the debugger state",  # a kernel restarted under it
    "Canceled future for",
    "reading 'schema'",  # Notebook 7 opening
    "Command 'filebrowser:open-path' not registered",
)
ERROR = "application/vnd.jupyter.error"
LIVE, BLOCK = ".agentloop[data-live]", ".agentloop[data-block]"
_numbers = itertools.count(1)


class LabPage:
    """One notebook in a browser context of its own.

    front_end: `lab` or `notebook`; script: runs in the page before anything else; on_socket: is given each web socket; context: options of the browser's context.
    complaints: the console's errors and uncaught exceptions; requests: every address that was asked for."""

    def __init__(self, browser, lab: Lab, path: str, *, front_end: str = "lab", script: str = "", on_socket=None, **context):  # fmt: skip
        options = {"viewport": {"width": 1280, "height": 900}, **context}
        self.lab, self.front_end = lab, front_end
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self._heard("error", str(error)))
        self.page.on("console", lambda message: self._heard(message.type, message.text))
        if on_socket:
            self.page.on("websocket", on_socket)
        self.page.add_init_script(_PANEL + script)
        workspace = f"{path.split('.')[0]}-{next(_numbers)}"
        self.url = {
            "lab": f"{lab.url}/lab/workspaces/{workspace}/tree/{path}",
            "notebook": f"{lab.url}/notebooks/{path}",
        }[front_end]
        self.page.goto(self.url)
        self.wait_ready()

    def _heard(self, kind: str, text: str) -> None:
        if kind == "error" and not any(known in text for known in NOT_OURS):
            self.complaints.append(text)

    def wait_ready(self) -> None:
        """Until the notebook is drawn and its kernel, if it has one, is idle."""
        self.page.wait_for_function("window.jupyterapp && window.openPanel()")
        self.page.evaluate(
            """async () => {
              await jupyterapp.restored;
              const panel = openPanel();
              await panel.context.ready; await panel.sessionContext.ready; await panel.revealed;
            }"""
        )
        self.page.wait_for_selector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook")
        self._wait_connected()

    def _wait_connected(self) -> None:
        """Until the kernel, if there is one, answers. A connection that never comes about (seen once in some hundred) is made anew."""
        connected = """() => {
          const kernel = openPanel()?.sessionContext.session?.kernel;
          return !kernel || (kernel.connectionStatus === 'connected' && kernel.status !== 'unknown');
        }"""
        for attempt in (1, 2):
            try:
                self.page.wait_for_function(connected, timeout=20_000)
                return
            except PlaywrightTimeout:
                if attempt == 2:
                    raise
                self.page.evaluate("() => openPanel().sessionContext.session.kernel.reconnect()")

    # ------------------------------------------------------------------ doing
    def run_all(self, *, wait: bool = True, seconds: float = 120) -> None:
        """Run every cell; wait: until the last is over, `seconds` at most."""
        self.command("notebook:run-all-cells", wait=wait, seconds=seconds)

    def run_cell(self, index: int, *, wait: bool = True) -> None:
        """Run one cell."""
        self.page.evaluate("index => { openPanel().content.activeCellIndex = index; }", index)
        self.command("notebook:run-cell", wait=wait)

    def execute(self, source: str, index: int = -1, *, wait: bool = True) -> None:
        """Write a cell's source and run it. index: -1 is the last cell."""
        index %= self.count_cells()
        self.page.evaluate(
            "([index, source]) => openPanel().content.widgets[index].model.sharedModel.setSource(source)",
            [index, source],
        )
        self.run_cell(index, wait=wait)

    def command(self, name: str, *, wait: bool = True, seconds: float = 120) -> None:
        """One of the front end's commands; wait: until it is over. A reply that never comes is an error after so many seconds."""
        self.page.evaluate(
            """name => {
              window.commandOver = null;
              jupyterapp.commands.execute(name).then(() => { window.commandOver = "done"; }, error => { window.commandOver = String(error); });
            }""",
            name,
        )
        if wait:
            self.page.wait_for_function("() => window.commandOver", timeout=1000 * seconds)
            assert self.page.evaluate("() => window.commandOver") == "done"

    def save(self) -> None:
        """Save the notebook, as its menu does."""
        self.page.evaluate("async () => { await openPanel().context.save(); }")

    def interrupt(self) -> None:
        """The stop button's command."""
        self.command("notebook:interrupt-kernel")

    def restart_kernel(self) -> None:
        """A new kernel under the open notebook, without the question whether one is sure."""
        self.page.evaluate("async () => { await openPanel().sessionContext.restartKernel(); }")
        self.wait_idle()

    def reload(self, *, ready: bool = True) -> None:
        """Load the page again. ready: wait until the notebook is drawn (it is not while a cell runs)."""
        self.page.goto(self.url)
        if ready:
            self.wait_ready()

    def shut_down(self) -> None:
        """End the notebook's kernel; the notebook stays open without one."""
        self.page.evaluate("async () => { await openPanel().sessionContext.shutdown(); }")

    def close(self) -> None:
        """End the kernel, where there is one, and close the page."""
        try:
            self.page.evaluate(
                "async () => { if (window.openPanel?.()?.sessionContext?.session) await openPanel().sessionContext.shutdown(); }"
            )
        finally:
            self.context.close()

    # ------------------------------------------------------------------ seeing
    def wait_idle(self, seconds: float = 60) -> None:
        """Until the kernel is idle."""
        self.page.wait_for_function(
            "() => window.openPanel?.()?.sessionContext.session?.kernel?.status === 'idle'",
            timeout=1000 * seconds,
        )

    def cell(self, index: int):
        """A cell's locator."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(index)

    def outputs(self, index: int | None = None):
        """The outputs' areas, of one cell or of all."""
        place = self.page if index is None else self.cell(index)
        return place.locator(".jp-OutputArea-output")

    def source(self, index: int) -> str:
        """A cell's text now."""
        return self.page.evaluate(
            "index => openPanel().content.widgets[index].model.sharedModel.getSource()", index
        )

    def mode(self) -> list:
        """[the active cell's place, its type, the notebook's mode, how many cells there are]: what a shortcut would change."""
        return self.page.evaluate(
            """() => {
              const notebook = openPanel().content;
              return [notebook.activeCellIndex, notebook.activeCell.model.type, notebook.mode, notebook.widgets.length];
            }"""
        )

    def errors(self) -> list[str]:
        """The error messages in the cells' outputs."""
        return self.page.locator(f"[data-mime-type='{ERROR}']").all_inner_texts()

    def state(self) -> str:
        """What there is to see, for a failure's report."""
        outputs = [html[:300] for html in self.outputs().evaluate_all("all => all.map(one => one.innerHTML)")]  # fmt: skip
        return f"complaints: {self.complaints}\nerrors: {self.errors()}\noutputs: {outputs}"

    def count_cells(self) -> int:
        """How many cells the notebook has now."""
        return self.page.evaluate("openPanel().content.widgets.length")


@contextmanager
def notebook(browser, lab: Lab, name: str, **options):
    """A LabPage of NAME.ipynb; at the end its kernel is ended and the page closed."""
    opened = LabPage(browser, lab, f"{name}.ipynb", **options)
    try:
        yield opened
    except Exception as error:
        error.add_note(opened.state())
        raise
    finally:
        opened.close()


@contextmanager
def offline(browser, path: Path):
    """A file opened with the network off: (the page, the addresses it asked for, what it complained of)."""
    context = browser.new_context(offline=True)
    page, asked, complaints = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        page.goto(path.as_uri())
        yield page, asked, complaints
    finally:
        context.close()


def wait_until(condition, seconds: float = 20, step: float = 0.05):
    """The condition's first true value. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"never true in {seconds} s: {condition}")
        time.sleep(step)
    return value


# ---------------------------------------------------------------------------- what is drawn
def written(place) -> str:
    """The text of all tokens in a place, those out of sight included."""
    texts = place.locator(".tokens .text").evaluate_all(
        "lanes => lanes.map(lane => lane.textContent)"
    )
    return "".join(texts)


def numbers(place) -> list[int]:
    """The tokens of a numbered stream (streams.py) that are drawn in a place, in order, each by its text."""
    return [int(digits) for digits in re.findall(r"\d+", written(place))]


def arrived(place, n: int, seconds: float = 30) -> list[int]:
    """The numbers drawn in a place, once they are 0 to n - 1 or are not so in time: what is then to be compared."""
    with suppress(TimeoutError):
        wait_until(lambda: numbers(place) == list(range(n)), seconds)
    return numbers(place)


def popover(place):
    """The open popovers in a place."""
    return place.locator(".pop:popover-open")


def hovered(place, index: int = 0) -> str:
    """What the popover over a place's token says."""
    place.locator(".tokens .box").first.scroll_into_view_if_needed()
    token = place.locator(f".t[data-i='{index}']").first
    token.scroll_into_view_if_needed()
    token.hover()
    popover(place).wait_for()
    return popover(place).inner_text()
