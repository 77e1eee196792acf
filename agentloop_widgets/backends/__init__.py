"""What runs a model: messages to tokens."""

from agentloop_widgets.backends.base import (
    Backend,
    BackendError,
    ContextOverflow,
    Encoded,
    Medium,
    NoCheckpoint,
    TemplateRefusal,
)
from agentloop_widgets.backends.hub import REVISIONS, Snapshot, download
from agentloop_widgets.backends.loading import load_backend
from agentloop_widgets.backends.models_table import ModelRow, Models, models

__all__ = [
    "REVISIONS",
    "Backend",
    "BackendError",
    "ContextOverflow",
    "Encoded",
    "Medium",
    "ModelRow",
    "Models",
    "NoCheckpoint",
    "Snapshot",
    "TemplateRefusal",
    "download",
    "load_backend",
    "models",
]
