"""The stream on three versions of ipykernel, which pass messages on in three ways: every token arrives, the first and those after a reload included."""

import pytest
from lab import IPYKERNELS
from lab_page import LIVE, arrived, notebook

pytestmark = pytest.mark.browser
N = 5_000
VERSION = "import ipykernel\nprint(ipykernel.__version__)"
# The stream begins before the view can be there.
STREAM = f"""
from agentloop_widgets.widgets import TokenView
from streams import Stream

stream = Stream({N}).begin()
view = TokenView(stream.trace)
display(view)
stream.feed();
"""


@pytest.mark.parametrize("version", IPYKERNELS)
def test_every_token_arrives(browser, lab, version):
    name = f"kernel-{version.replace('.', '-')}"
    lab.write(name, VERSION, STREAM, kernel=f"ipykernel-{version}")
    with notebook(browser, lab, name) as opened:
        opened.run_all()
        assert opened.outputs(0).inner_text().strip() == version
        place = opened.cell(1)
        assert arrived(place, N) == list(range(N))
        opened.save()
        opened.reload()
        place.locator(LIVE).wait_for()
        assert arrived(place, N) == list(range(N))
        assert opened.errors() == [] and opened.complaints == []
