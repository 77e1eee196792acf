"""What several test files use."""

import pytest


@pytest.fixture(scope="session")
def llm():
    """The embedded model, loaded once."""
    import torch

    from agentloop_widgets import load_backend

    torch.set_num_threads(1)
    return load_backend("embedded")


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A JupyterLab on loopback, started once, with kernels of three versions of ipykernel."""
    from lab import IPYKERNELS, lab_server

    with lab_server(tmp_path_factory.mktemp("lab"), IPYKERNELS) as server:
        yield server


@pytest.fixture(scope="module")
def browser():
    """A headless browser, closed at the end of the file: playwright lets there be one at a time."""
    from browser import launched

    with launched() as opened:
        yield opened
