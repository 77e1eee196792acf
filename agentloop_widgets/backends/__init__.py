"""What runs a model: messages to tokens."""

from agentloop_widgets.backends.base import (
    Backend,
    BackendError,
    ContextOverflow,
    Encoded,
    TemplateRefusal,
)
from agentloop_widgets.backends.embedded import load_backend

__all__ = ["Backend", "BackendError", "ContextOverflow", "Encoded", "TemplateRefusal", "load_backend"]
