"""What several test files use."""

import pytest


@pytest.fixture(scope="session")
def llm():
    """The embedded model, loaded once."""
    import torch

    from agentloop_widgets import load_backend

    torch.set_num_threads(1)
    return load_backend("embedded")
