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
def checkpoints(tmp_path_factory):
    """Tiny checkpoints of both architectures: {family: folder}."""
    from tiny_models import MAKERS

    root = tmp_path_factory.mktemp("checkpoints")
    return {family: make(root / f"tiny-{family}") for family, make in MAKERS.items()}


@pytest.fixture(scope="session")
def tiny(checkpoints):
    """Both loaded: {family: backend}."""
    import torch

    from agentloop_widgets import load_backend

    torch.set_num_threads(1)
    return {family: load_backend(folder, device="cpu") for family, folder in checkpoints.items()}


@pytest.fixture(scope="session")
def media_files(tmp_path_factory):
    """Two images, two clips and two recordings: {name: path}."""
    from sample_media import make_files

    return make_files(tmp_path_factory.mktemp("media"))


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
